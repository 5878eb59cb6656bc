"""``cupy.random``'s bit generators and ``Generator`` for strict arrays: CuPy's parameters and checks, NumPy's streams.

After CuPy 14.2, ``cupy/random/_bit_generator.pyx`` and ``_generator_api.pyx``: parameters are device arrays, ``int`` or
``float`` and nothing else; but for a few scalars no value is looked at, and what a kernel makes of a bad one is zero
here.
"""

from __future__ import annotations

import threading
from typing import Any, ClassVar

import numpy

from .memory import unwrap
from .rules import signature, table

np: Any = numpy

#: Methods whose every parameter must be a device array, an int or a float, and the error they raise.
_SCALAR_OR_DEVICE = {
    **dict.fromkeys(
        ("beta", "binomial", "chisquare", "dirichlet", "f", "geometric", "hypergeometric", "logseries", "poisson"),
        TypeError,
    ),
    "power": TypeError,
    "standard_gamma": ValueError,
}
#: Parameters that become integers, whatever they are.
_COUNTS = {"binomial": ("n",), "hypergeometric": ("ngood", "nbad", "nsample")}
_INTEGERS = frozenset(("binomial", "geometric", "hypergeometric", "logseries", "poisson"))


class BitGenerator:
    """``cupy.random.BitGenerator``: the seed of a `Generator`. It has a lock, and does not pickle."""

    _kind: ClassVar[Any]

    def __init__(self, seed: Any = None) -> None:
        self.lock = threading.Lock()
        if not isinstance(seed, np.random.SeedSequence):
            seed = np.random.SeedSequence(seed.get() if isinstance(seed, self._kind) else seed)
        self._seed_seq = seed

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """CuPy's base class has none."""
        raise NotImplementedError("Not implemented in base BitGenerator")

    def _state_size(self) -> int:
        return 0


class CurandBits(BitGenerator):
    """What CuPy's three bit generators have in common."""

    def __init__(self, seed: Any = None, *, size: int = -1) -> None:
        super().__init__(seed)
        self._seed = self._seed_seq.generate_state(1, np.uint32)[0]
        self._size = 1024 if size < 0 else size
        self._stream = np.random.Generator(np.random.Philox(self._seed))

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Words of 32 bits."""
        made = self._stream.integers(0, 2**32, size=() if size is None else size, dtype=np.uint32)
        return self._kind._wrap(np.asarray(made).view(np.int32)) if output else None

    def _state_size(self) -> int:
        return self._size

    def _opened(self) -> Any:
        """The generator over these bits: a strict type has no module that dask could ask for it."""
        from .random import random_namespace

        return random_namespace(self._kind).Generator(self)


class GeneratorBase:
    """``cupy.random.Generator``."""

    _kind: ClassVar[Any]

    def __init__(self, bit_generator: Any) -> None:
        self.bit_generator = bit_generator
        self._binomial_state = None

    def __getattr__(self, name: str) -> Any:
        words = None if name.startswith("_") else table()["random"]["Generator"].get(name)
        if words is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        bind = signature(words)

        def method(*args: Any, **kwargs: Any) -> Any:
            return self._draw(name, dict(bind.bind(*args, **kwargs).arguments))

        return method

    def _draw(self, name: str, given: dict[str, Any]) -> Any:
        size = given.pop("size", None)
        if name == "integers":
            return self._kind._wrap(_integers(self.bit_generator._stream, size, given))
        dtype, out = np.dtype(given.pop("dtype", float)), given.pop("out", None)
        if given.pop("method", "inv") == "zig":
            raise NotImplementedError("Ziggurat method is not supported")
        if name in ("standard_normal", "standard_gamma") and dtype.char not in "fd":
            raise TypeError(f"Unsupported dtype {dtype.name} for {name}")
        self._check(name, given)
        size = out.shape if size is None and out is not None else size
        host = {
            k: np.asarray(v).astype(np.int64) if k in _COUNTS.get(name, ()) else v
            for k, v in unwrap(self._kind, given).items()
        }
        made = drawn(self.bit_generator._stream, name, host, size)
        if name == "random" and dtype.char != "d":
            made = made.astype(np.float32)
        made = made if name in _INTEGERS else made.astype(dtype)
        if out is None:
            return self._kind._wrap(made)
        if out.dtype.char != dtype.char:
            raise TypeError(f"Supplied output array has the wrong type. Expected {dtype.name}, got {out.dtype.name}")
        np.copyto(out._host, made)
        return out

    def _check(self, name: str, given: dict[str, Any]) -> None:
        for parameter, value in given.items():
            device = isinstance(value, self._kind)
            if name in _SCALAR_OR_DEVICE:
                wanted: tuple[type, ...] = (float,) if (name, parameter) == ("binomial", "p") else (float, int)
                if not device and type(value) not in wanted:
                    raise _SCALAR_OR_DEVICE[name](f"{parameter} is required to be a cupy.ndarray or a scalar")
                if name == "hypergeometric" and not device and value < 0:
                    raise ValueError(f"{parameter} < 0")
                if name == "beta" and device and value.dtype != np.float64:
                    raise TypeError(f"CuPy would read the memory of {parameter}, {value.dtype}, as float64")
            elif name in ("exponential", "gamma") and parameter == "scale" and isinstance(value, np.ndarray):
                raise TypeError(f"Unsupported type {type(value)}")
        if name == "gamma":
            self._check("standard_gamma", {"shape": given["shape"]})


def drawn(stream: Any, name: str, given: dict[str, Any], size: Any) -> Any:
    """Numbers of a method that looks at shapes but at no value."""
    shape = np.broadcast_shapes(*(np.shape(v) for v in given.values()))
    if size is not None:
        size = (size,) if isinstance(size, int) else tuple(size)
        if np.broadcast_shapes(shape, size) != size:
            raise ValueError(f"parameters of shape {shape} do not broadcast to {size}")
    try:
        return np.asarray(getattr(stream, name)(**given, size=shape if size is None else size))
    except ValueError:
        return np.zeros(shape if size is None else size, np.int64 if name in _INTEGERS else np.float64)


def _integers(stream: Any, size: Any, given: dict[str, Any]) -> Any:
    dtype, high = np.dtype(given.get("dtype", np.int64)), given.get("high")
    low, last = (0, int(given["low"])) if high is None else (int(given["low"]), int(high))
    last -= 0 if given.get("endpoint", False) else 1
    if low > last:
        raise ValueError("low >= high")
    if low < np.iinfo(dtype).min:
        raise ValueError(f"low is out of bounds for {dtype.name}")
    if last > np.iinfo(dtype).max:
        raise ValueError(f"high is out of bounds for {dtype.name}")
    return np.asarray(stream.integers(low, last, size=() if size is None else size, dtype=dtype, endpoint=True))
