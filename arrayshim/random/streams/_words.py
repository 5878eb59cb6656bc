"""The numbers that samplers are written over, and the task that makes one chunk of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from arrayshim import kernels
from arrayshim._moving import ToDevice
from arrayshim.kernels._places import Kind, Places, Stream
from arrayshim.residency import is_device, to_host

_F8 = np.dtype(np.float64)
_RAW = Kind("raw", np.dtype(np.uint64))
_RANDOM = Kind("random", _F8)
_NORMAL = Kind("normal", _F8)

#: Elements that a sampler works on at a time: what fits a cache, and what fits beside the chunks of a device.
_HOST_PIECE, _DEVICE_PIECE = 1 << 16, 1 << 24


class Words:
    """The numbers of some elements, flat.

    Parameters
    ----------
    like : array
        Whose library makes them.
    stream : Stream
    places : Places
    """

    def __init__(self, like: Any, stream: Stream, places: Places) -> None:
        self.like, self.stream, self.places = like, stream, places
        self.size = places.size
        self._index: Any = None

    def part(self, number: int) -> Words:
        """Independent numbers for the same elements, for another part of the same draw; numbered from 1 to 7."""
        return Words(self.like, self.stream.of(number), self.places)

    def column(self, number: int) -> Words:
        """Independent numbers for a column of the vectors that are drawn, numbered from 0."""
        return Words(self.like, self.stream.column(number), self.places)

    def full(self, x: Any) -> Any:
        """A parameter as float64, a value per element."""
        if hasattr(x, "shape"):
            return x.astype(np.float64, copy=False)
        return np.full_like(self.like, float(x), shape=self.size, dtype=np.float64)

    def raw(self) -> Any:
        """One word of 64 bits per element."""
        return self._values(_RAW)

    def lanes(self, bits: int) -> Any:
        """The bits that an element has of a block that is shared by ``256 // bits`` of them, unsigned integers."""
        return self._values(Kind("raw", np.dtype(f"u{bits // 8}")))

    def random(self) -> Any:
        """Uniform in [0, 1), a multiple of 2**-53."""
        return self._values(_RANDOM)

    def open(self) -> Any:
        """Uniform in (0, 1), an odd multiple of 2**-53."""
        return opened(self.raw())

    def normal(self) -> Any:
        """Standard normal."""
        return self._values(_NORMAL)

    def _values(self, kind: Kind) -> Any:
        return kernels.element_values(self.like, self.stream, kind, self.places).reshape(-1)

    def block(self, attempt: int, chosen: Any = None) -> tuple[Any, Any, Any, Any]:
        """The four words that elements have for an attempt, numbered from 1; of all, or of those chosen by position."""
        if chosen is None:
            return self._blocks(attempt, self.places)
        if self._index is None:
            self._index = self.places.linear(self.like)
        return self._blocks(attempt, self._index[chosen])

    def _blocks(self, attempt: int, index: Any) -> tuple[Any, Any, Any, Any]:
        words: tuple[Any, Any, Any, Any] = kernels.element_blocks(self.like, self.stream, attempt, index)
        return words

    def either(self, condition: Any, one: Callable[..., Any], other: Callable[..., Any], *parameters: Any) -> Any:
        """What ``one(words, *parameters)`` makes where a condition holds, and ``other`` elsewhere; float64."""
        values = self.empty()
        for chosen, make in ((np.flatnonzero(condition), one), (np.flatnonzero(~condition), other)):
            if chosen.size:
                values[chosen] = make(Chosen(self, chosen), *(x[chosen] for x in parameters))
        return values

    def empty(self, dtype: Any = np.float64) -> Any:
        """An uninitialised array for a value per element."""
        return kernels.empty(self.size, dtype, like=self.like)


class Chosen:
    """The blocks of some elements, by position."""

    def __init__(self, words: Words, chosen: Any) -> None:
        self._words, self._chosen = words, chosen

    def block(self, attempt: int, chosen: Any = None) -> tuple[Any, Any, Any, Any]:
        """As of `Words`."""
        return self._words.block(attempt, self._chosen if chosen is None else self._chosen[chosen])


def opened(words: Any) -> Any:
    """Uniform in (0, 1) from words, an odd multiple of 2**-53, symmetric about 1/2."""
    return ((words >> np.uint64(12)).astype(np.float64) + 0.5) * 2.0**-52


@dataclass(frozen=True, slots=True)
class Sampler:
    """How a distribution is drawn.

    Attributes
    ----------
    draw : callable
        ``draw(words, *parameters) -> flat array``; a parameter is a number or a flat array.
    fused : callable, optional
        ``fused(dtype, *numbers) -> Kind or None``, where one kernel makes the values at once.
    dtype : dtype
        Of the values, where the caller has no say.
    whole : bool
        Whether a chunk is drawn at once, since its parts would do the same work again.
    exact : bool
        Whether array parameters are integers of 64 bits; those of the others are float64.
    """

    draw: Callable[..., Any]
    fused: Callable[..., Kind | None] | None = None
    dtype: np.dtype[Any] = _F8
    whole: bool = False
    exact: bool = False


@cache
def samplers() -> dict[str, Sampler]:
    """Name of a method -> how it draws."""
    from arrayshim.random.streams import _basic, _continuous, _counts, _orders, _rejected, _vectors

    modules = (_basic, _continuous, _counts, _orders, _rejected, _vectors)
    return {name: sampler for module in modules for name, sampler in module.SAMPLERS.items()}


class Fixed:
    """An array that a draw needs whole, such as the shares of a population."""

    def __init__(self, values: Any) -> None:
        self.values = values

    def __dask_tokenize__(self) -> tuple[str, str, bytes]:
        return "arrayshim.Fixed", self.values.dtype.str, self.values.tobytes()


@dataclass(frozen=True, slots=True)
class Draw:
    """Task that makes a chunk of a draw.

    Attributes
    ----------
    method : str
    stream : Stream
    places : Places
        Of the whole array.
    dtype : dtype
    given : tuple
        The parameters: numbers, and None where an array comes with the task.
    place : ToDevice
    vector : int
        Length of the vectors that are drawn; 0 for numbers.
    """

    method: str
    stream: Stream
    places: Places
    dtype: np.dtype[Any]
    given: tuple[Any, ...]
    place: ToDevice
    vector: int = 0

    __name__: ClassVar[str] = "element-draw"

    def __call__(self, slices: tuple[slice, ...], *arrays: Any) -> Any:
        sampler, places = samplers()[self.method], self.places.block(slices)
        like = self.place(np.empty(0))
        if not native(like):
            like, arrays = np.empty(0), tuple(to_host(x, self.method) for x in arrays)
        kind = sampler.fused(self.dtype, *self.given) if sampler.fused is not None and not arrays else None
        if kind is not None:
            return self.place(kernels.element_values(like, self.stream, kind, places))
        if not (arrays or self.vector or sampler.whole or sampler.exact):
            made = kernels.element_formula(like, sampler.draw, self.stream, places, self.dtype, self.given)
            if made is not None:
                return self.place(made)
        vector = (self.vector,) if self.vector else ()
        out = kernels.empty(places.shape + vector, self.dtype, like=like)
        limit = places.size if sampler.whole else _HOST_PIECE if isinstance(like, np.ndarray) else _DEVICE_PIECE
        fixed = [kernels.beside(x.values, like) if isinstance(x, Fixed) else x for x in self.given]
        for cut, piece in places.pieces(limit) if places.size else ():
            rest = iter(arrays)
            given = [_flat(next(rest)[cut], sampler.exact) if value is None else value for value in fixed]
            with np.errstate(all="ignore"):
                values = sampler.draw(Words(like, self.stream, piece), *given)
            if self.dtype.kind == "i" and values.dtype.kind == "f":
                # Counts beyond the type end where it ends, as NumPy's.
                values = np.minimum(values, 2.0**63 - 1024)
            out[cut] = values.reshape(piece.shape + vector).astype(self.dtype, copy=False)
        return self.place(out)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        from dask.base import normalize_token

        number = (self.stream.key, self.stream.number, self.stream.jump, self.stream.part)
        where = (self.places.offset, self.places.strides, self.places.shape)
        place = self.place.__dask_tokenize__()
        # What this returns is not looked at again, and the repr of a `Fixed` is an address, which others will have too.
        given = normalize_token(self.given)
        return "arrayshim.Draw", self.method, number, where, self.dtype.str, given, self.vector, place


def _flat(x: Any, exact: bool) -> Any:
    # Differences of narrow integers would wrap around, and those of narrow floats be rounded.
    return (x if exact else x.astype(np.float64, copy=False)).reshape(-1)


_native: dict[type, bool] = {}


def native(like: Any) -> bool:
    """Whether the library of an array can draw: NumPy can, and a device with unsigned integers of 64 bits."""
    kind = type(like)
    if kind is np.ndarray:
        return True
    if kind not in _native:
        _native[kind] = is_device(like) and _counts(like)
    return _native[kind]


def _counts(like: Any) -> bool:
    try:
        words = kernels.element_values(like, Stream((1, 2)), _RAW, Places.whole((5,)))
        return type(words) is type(like) and words.dtype == np.uint64 and words.shape == (5,)
    except Exception:
        return False
