"""The generator of element streams: NumPy's methods, each call a stream of its own."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.array.backends import array_creation_dispatch
from dask.array.core import normalize_chunks

from arrayshim._moving import ToDevice
from arrayshim.backends import NUMPY, backend_of
from arrayshim.errors import BackendError, UnsupportedError
from arrayshim.kernels._places import MASK, Places
from arrayshim.kernels.distributions import nothing
from arrayshim.random.streams import _parameters
from arrayshim.random.streams._array import Recipe
from arrayshim.random.streams._choosing import Choosing
from arrayshim.random.streams._state import State
from arrayshim.random.streams._words import Draw, Fixed, samplers


def element_rng(seed: Any = None, *, like: Any = None) -> ElementGenerator:
    """A generator of element streams; see :func:`arrayshim.random.default_rng`.

    Raises
    ------
    BackendError
        If `seed` is a generator, or `like` names nothing known.
    UnsupportedError
        In dask's expression mode, whose arrays cannot be of a class of their own.
    """
    if hasattr(seed, "capsule") or hasattr(seed, "bit_generator") or isinstance(seed, da.random.Generator):
        raise BackendError(f"{seed!r} draws with its own library; element streams start from a seed")
    if getattr(da, "ARRAY_EXPR_ENABLED", False):
        raise UnsupportedError(
            "element streams make arrays of a class of their own, for which dask has no place with "
            'array.query-planning set; leave that setting out, or leave out stream="element"'
        )
    backend = backend_of(array_creation_dispatch.backend if like is None else like)
    return ElementGenerator(State(seed), ToDevice.of(backend))


class ElementGenerator(Choosing, da.random.Generator):  # type: ignore[misc]
    """Methods, parameters and errors of ``numpy.random.Generator``, and ``chunks=``; numbers of element streams.

    Each call of a method takes the next stream. Element *i* of its array, in C order, depends on the seed, the stream
    and *i*: not on chunks, slices or the device. The numbers are not those that NumPy draws from the seed.

    Parameters
    ----------
    state : State
    place : ToDevice
        Puts host data where the chunks shall be.
    """

    def __init__(self, state: State, place: ToDevice) -> None:
        self._state, self._place = state, place

    def __repr__(self) -> str:
        state = self._state
        return f"<element streams: key {state.key[0]:#x}, next {state.next}, jumps {state.jump}, on {self._place.name}>"

    __str__ = __repr__

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.state, self._place)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        state = self._state
        return "arrayshim.ElementGenerator", state.key, state.next, state.jump, self._place.__dask_tokenize__()

    @property
    def state(self) -> dict[str, Any]:
        """Where the generator stands, as plain data (JSON); setting it makes it draw on from there."""
        return self._state.described()

    @state.setter
    def state(self, described: Any) -> None:
        self._state = State.of(described)

    def spawn(self, n_children: int) -> list[ElementGenerator]:
        """Independent generators, with keys of their own, as ``numpy.random.Generator.spawn``."""
        return [ElementGenerator(State(child), self._place) for child in self._state.seed.spawn(n_children)]

    def jumped(self, jumps: int = 1) -> ElementGenerator:
        """A generator of the same key that begins where 2**64 streams have been drawn, `jumps` times."""
        return ElementGenerator(self._state.jumped(jumps), self._place)

    def _draw(self, method: str, *values: Any, size: Any, chunks: Any, dtype: Any = None, vector: int = 0) -> Any:
        kept = (Fixed, tuple) if vector else Fixed
        values = tuple(x if isinstance(x, kept) else _parameters.host(x) for x in values)
        dtype = np.dtype(samplers()[method].dtype if dtype is None else dtype)
        shape = _parameters.shape_of(size, values)
        places = Places.whole(shape)
        chunks = normalize_chunks(chunks, shape, dtype=dtype)
        meta = self._place(np.empty(0))
        arrays = [_parameters.spread(x, shape, chunks, meta, method) if hasattr(x, "shape") else None for x in values]
        given = tuple(x if array is None else None for x, array in zip(values, arrays, strict=True))
        draw = Draw(method, self._state.stream(), places, dtype, given, self._place, vector)
        return Recipe(draw, tuple(x for x in arrays if x is not None), chunks).array()

    def _on_host(self, name: str, n: int) -> Any:
        draw = Draw(name, self._state.stream(), Places.whole((n,)), np.dtype(np.int64), (n,), ToDevice.of(NUMPY))
        return draw((slice(0, n),))

    def random_raw(self, size: Any = None, chunks: Any = "auto") -> Any:
        """Words of Philox4x64-10, uint64: element *i* is word ``i % 4`` of the block with counter ``i // 4``."""
        return self._draw("random_raw", size=size, chunks=chunks)

    def integers(
        self,
        low: Any,
        high: Any = None,
        size: Any = None,
        dtype: Any = np.int64,
        endpoint: bool = False,
        chunks: Any = "auto",
    ) -> Any:
        """As NumPy. The upper half of ``lane * range``, by Lemire's rejection.

        A lane is as many bits of a block as the range needs: 8, 16, 32 or 64. An element whose lane is rejected has a
        word of a block of its own; that word, and a lane of 64 bits, is never rejected, so one value is more likely
        than another by 2**-64 at most.
        """
        none = nothing(size)
        _parameters.check("integers", low, high, dtype=dtype, endpoint=endpoint, **none)
        if none:
            return self._draw("integers", 0, 0, size=size, chunks=chunks, dtype=dtype)
        low, high = (0, low) if high is None else (low, high)
        low, high = map(_parameters.host, (low, high))
        if hasattr(low, "shape") or hasattr(high, "shape"):
            # Modulo 2**64: differences of narrow integers do not fit their type.
            low, high = _wide(low), _wide(high)
            most = high - low - np.uint64(not endpoint)
        else:
            low, most = int(low), int(high) - int(low) - (not endpoint) & MASK
        return self._draw("integers", low, most, size=size, chunks=chunks, dtype=dtype)


def _wide(x: Any) -> Any:
    if not hasattr(x, "shape"):
        return np.uint64(int(x) & MASK)
    # A negative number with a fraction has no place among unsigned ones.
    return (x.astype(np.int64) if x.dtype.kind == "f" else x).astype(np.uint64)


def _restored(state: Any, place: ToDevice) -> ElementGenerator:
    return ElementGenerator(State.of(state), place)
