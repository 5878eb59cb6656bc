"""The distributions that are drawn by a kernel, for generators that know a place; CuPy's own for all others."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import cupy
import numpy as np

from arrayshim.kernels import discrete
from arrayshim.kernels.cuda import draw
from arrayshim.kernels.cuda.draw_program import KERNELS, blocks_of
from arrayshim.kernels.cuda.seeding import Place
from arrayshim.kernels.source import Source

_HELD = (cupy.ndarray, np.ndarray, list, tuple)


class Distributions:
    """What the generators share. Parameters may be numbers, or arrays of the host or the device."""

    @property
    def _place(self) -> Place:
        raise NotImplementedError

    def standard_normal(self, size: Any = None, dtype: Any = float, out: Any = None) -> Any:
        """Normal numbers, by Box and Muller: doubles reach 9.5 and so do floats, with the digits of their dtype."""
        return self._fill("normal", size, dtype, out)

    def normal(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None, dtype: Any = float) -> Any:
        """Normal numbers of mean `loc` and standard deviation `scale`."""
        return self._scaled("normal", loc, scale, size, dtype, "scale")

    def lognormal(self, mean: Any = 0.0, sigma: Any = 1.0, size: Any = None, dtype: Any = float) -> Any:
        """Numbers whose logarithm is normal."""
        if isinstance(mean, _HELD) or isinstance(sigma, _HELD):
            drawn = self._scaled("normal", mean, sigma, size, dtype, "sigma")
            return cupy.exp(drawn, out=drawn)
        return self._scaled("lognormal", mean, sigma, size, dtype, "sigma")

    def standard_exponential(self, size: Any = None, dtype: Any = float, method: str = "inv", out: Any = None) -> Any:
        """Exponential numbers, by the logarithm whatever the `method`: from 2.7e-20 (floats 1.2e-10) to 45."""
        return self._fill("exponential", size, dtype, out)

    def exponential(self, scale: Any = 1.0, size: Any = None, dtype: Any = float) -> Any:
        """Exponential numbers of mean `scale`."""
        return self._scaled("exponential", 0.0, scale, size, dtype, "scale")

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = float) -> Any:
        """Numbers from `low` up to `high`, which is left out up to rounding."""
        low, high = together(low, high)
        width = high - low
        if not (isinstance(width, cupy.ndarray) or np.isfinite(width).all()):
            raise OverflowError("Range exceeds valid bounds")
        return self._scaled("uniform", low, width, size, dtype, None)

    def _random(self, size: Any, dtype: Any, out: Any = None) -> Any:
        return self._fill("uniform", size, dtype, out)

    def _scaled(self, name: str, loc: Any, scale: Any, size: Any, dtype: Any, positive: str | None) -> Any:
        loc, scale = _number(loc), _number(scale)
        if positive and _negative(scale):
            raise ValueError(f"{positive} < 0")
        if isinstance(loc, float) and isinstance(scale, float):
            return self._fill(name, size, dtype, None, a=loc, b=scale)
        shape = np.broadcast_shapes(np.shape(loc), np.shape(scale))
        asked = shape if size is None else _shape(size)
        pairs = zip(reversed(shape), reversed(asked), strict=False)
        if len(shape) > len(asked) or any(m not in (1, n) for m, n in pairs):
            raise ValueError(f"Output size {asked} is not compatible with broadcast dimensions of inputs {shape}.")
        drawn = self._fill(name, asked, dtype, None)
        drawn *= cupy.asarray(scale)
        drawn += cupy.asarray(loc)
        return drawn

    def _fill(self, name: str, size: Any, dtype: Any, out: Any, **numbers: Any) -> Any:
        kind = np.dtype(dtype)
        if kind.char not in "fd":
            raise TypeError(f"Unsupported dtype {kind!r}; numbers of this distribution are float32 or float64")
        if out is not None:
            _check(out, size, kind)
        if not draw.available(name, kind.itemsize):
            return self._by_cupy(name, size, kind, out, **numbers)
        whole = out is not None and out.flags.c_contiguous and out.data.ptr % 16 == 0
        shape = (() if size is None else size) if out is None else out.shape
        drawn = out if whole else cupy.empty(shape, kind)
        self._write(drawn, name, **numbers)
        if out is None or whole:
            return drawn
        out[...] = drawn
        return out

    def _by_cupy(self, name: str, size: Any, kind: Any, out: Any, a: float = 0.0, b: float = 1.0) -> Any:
        """The same distribution where the kernels do not compile."""
        theirs = cupy.random.RandomState(self._place.spare())
        basic = {"uniform": "random_sample", "exponential": "standard_exponential"}.get(name, "standard_normal")
        drawn = getattr(theirs, basic)(
            () if size is None and out is None else out.shape if size is None else size, kind
        )
        drawn = drawn * kind.type(b) + kind.type(a)
        if name == "lognormal":
            drawn = cupy.exp(drawn)
        if out is None:
            return drawn
        out[...] = drawn
        return out

    def _write(self, out: Any, name: str, **numbers: Any) -> None:
        place = self._place
        block = place.take(blocks_of(KERNELS[name, out.itemsize], out.size))
        draw.fill(out, name, key=place.key, stream=place.stream, block=block, **numbers)

    def _integers(self, low: Any, high: Any, size: Any, dtype: Any, *, endpoint: bool = False) -> Any:
        kind = np.dtype(dtype)
        if kind.kind not in "biu" or not kind.isnative:
            raise TypeError(f"Unsupported dtype {kind!r} for integers")
        if size is not None and 0 in _shape(size):
            # Of none, any bounds are good.
            return cupy.empty(size, kind)
        if isinstance(low, _HELD) or isinstance(high, _HELD):
            return self._integers_between(low, high, size, kind, endpoint)
        least, last = (0, int(low)) if high is None else (int(low), int(high))
        last -= not endpoint
        _fit(least, last, kind)
        if least > last:
            raise ValueError("high <= 0" if high is None else "low > high" if endpoint else "low >= high")
        span = last - least + 1
        name = "integers64" if kind.itemsize == 8 else "integers32"
        if not draw.available(name, kind.itemsize):
            theirs, wide = cupy.random.RandomState(self._place.spare()), np.dtype("u1") if kind.kind == "b" else kind
            return theirs.randint(least, last + 1, size=size, dtype=wide).astype(kind, copy=False)
        out = cupy.empty(() if size is None else size, kind)
        self._write(out, name, low=least, span=span % 2 ** (32 if name == "integers32" else 64))
        return out

    def _integers_between(self, low: Any, high: Any, size: Any, kind: Any, endpoint: bool) -> Any:
        """Of bounds that are arrays; those on the device are waited for."""
        low, high = (0, low) if high is None else (low, high)
        # Both included: one more than the last of a type is not in it.
        low, high = (x if isinstance(x, _HELD) else int(x) for x in (low, high))
        high, last = (high, endpoint) if isinstance(high, _HELD) else (high - (not endpoint), True)
        low, high = cupy.asarray(low), cupy.asarray(high)
        shape = np.broadcast_shapes(low.shape, high.shape) if size is None else _shape(size)
        if 0 in shape:
            return cupy.empty(shape, kind)
        _fit(int(low.min()), int(high.max()) - (not last), kind)
        return discrete.integers(Source(self), shape, low, high, kind, last)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_") or not callable(getattr(cupy.random.RandomState, name, None)):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")

        def drawn(*args: Any, **kwargs: Any) -> Any:
            return getattr(cupy.random.RandomState(self._place.spare()), name)(*args, **kwargs)

        drawn.__name__ = name
        return drawn


def _fit(least: int, last: int, kind: Any) -> None:
    """NumPy's error where bounds, both included, are not of a dtype."""
    bounds = (0, 1) if kind.kind == "b" else (int(np.iinfo(kind).min), int(np.iinfo(kind).max))
    if least < bounds[0]:
        raise ValueError(f"low is out of bounds for {kind.name}")
    if last > bounds[1]:
        raise ValueError(f"high is out of bounds for {kind.name}")


def _shape(size: Any) -> tuple[int, ...]:
    return tuple(size) if isinstance(size, tuple | list) else (operator.index(size),)


def _number(x: Any) -> Any:
    """A parameter as a float, or as an array where it is one."""
    if isinstance(x, float | int):
        return float(x)
    if isinstance(x, cupy.ndarray):
        return x
    if isinstance(x, np.ndarray | list | tuple):
        x = np.asarray(x, dtype=float)
        return x if x.ndim else float(x)
    return float(x)


def together(a: Any, b: Any) -> tuple[Any, Any]:
    """Two parameters that can be compared: both on the device if one is."""
    a, b = _number(a), _number(b)
    if isinstance(a, cupy.ndarray) or isinstance(b, cupy.ndarray):
        return cupy.asarray(a), cupy.asarray(b)
    return a, b


def _negative(x: Any) -> bool:
    if isinstance(x, float):  # most calls, and NumPy takes microseconds for a number
        return math.copysign(1.0, x) < 0 and not math.isnan(x)
    if isinstance(x, cupy.ndarray):
        return bool((cupy.signbit(x.astype(float, copy=False)) & ~cupy.isnan(x)).any()) if x.size else False
    return bool(np.any(np.signbit(x) & ~np.isnan(x)))


def _check(out: Any, size: Any, kind: Any) -> None:
    """NumPy's conditions of an array that shall be filled."""
    if out.dtype != kind:
        raise TypeError(f"Supplied output array has the wrong type. Expected {kind.name}, got {out.dtype.name}")
    if not (out.flags.c_contiguous or out.flags.f_contiguous):
        raise ValueError("Supplied output array must be contiguous, writable, aligned, and in machine byte-order.")
    if size is not None and _shape(size) != out.shape:
        raise ValueError("size must match out.shape when used together")
