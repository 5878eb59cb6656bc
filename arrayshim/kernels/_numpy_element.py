"""Element streams on NumPy chunks, at the speed of NumPy's own Philox: runs of elements are runs of its words.

Where elements lie too far apart for that, the words come from ufuncs (`arrayshim.kernels.philox`). Values never depend
on which it was. Transcendental functions are only ever asked for contiguous data: NumPy has other code for strides.
"""

from __future__ import annotations

import itertools
import math
import threading
from functools import partial
from typing import Any

import numpy as np

from arrayshim.kernels import philox
from arrayshim.kernels._places import MASK, Kind, Places, Stream

#: Elements that are worked on at a time, so that all that is known of them stays in the cache.
CACHED = 4096
#: Pairs of normals, likewise.
PAIRS = 8192
#: Words that are drawn at a time: the call costs what a thousand words do.
DRAWN = 16384
#: Shorter runs of neighbours are gathered into arrays of indices: setting a generator's place takes microseconds.
SHORTEST = 32
#: Up to this step between elements all those between them are drawn and left out.
WIDEST_STEP = 16
WIDEST_STEP_OF_NORMALS = 6


class _Source(threading.local):
    """A Philox generator of this thread, put where a run begins."""

    def __init__(self) -> None:
        self.bits = np.random.Philox(key=np.zeros(2, np.uint64))
        self.generator = np.random.Generator(self.bits)
        self._state: Any = dict(self.bits.state, buffer_pos=4, has_uint32=0, uinteger=0)
        self._counter = self._state["state"]["counter"]
        self._at: tuple[Stream, int] | None = None

    def place(self, stream: Stream, attempt: int, block: int) -> None:
        """Make the next word the first of a block."""
        # NumPy counts before it makes a block.
        if block and self._at == (stream, attempt):
            self._counter[0] = block - 1
        else:
            second, third, fourth = stream.counter(attempt)
            before = (block | second << 64 | third << 128 | fourth << 192) - 1
            self._counter[:] = [before >> 64 * k & MASK for k in range(4)]
            self._state["state"]["key"][:] = stream.key
            self._at = (stream, attempt) if block else None
        self.bits.state = self._state

    def words(self, count: int) -> Any:
        """The next words; other threads run meanwhile, as during ``random_raw`` they do not."""
        return self.generator.integers(0, MASK, count, np.uint64, True)


_source = _Source()


def _raw(out: Any) -> None:
    for at in range(0, out.size, DRAWN):
        part = out[at : at + DRAWN]
        part[...] = _source.words(part.size)


def _random(kind: Kind, out: Any) -> None:
    piece = out.size if kind.scale == 1.0 and kind.shift == 0.0 else DRAWN
    for at in range(0, out.size, max(1, piece)):
        part = out[at : at + piece]
        _source.generator.random(out=part, dtype=part.dtype)
        _scaled(part, kind)


def _run(stream: Stream, attempt: int, draw: Any, first: int, out: Any, per_block: int = 4) -> None:
    """Fill `out` with what `draw` makes of the words from number `first` on."""
    _source.place(stream, attempt, first // per_block)
    if first % per_block:
        draw(np.empty(first % per_block, out.dtype))
    draw(out)


def _normal_run(stream: Stream, kind: Kind, first: int, out: Any) -> None:
    """Normals of neighbours: pairs, cosine before sine."""
    # A pair is not torn: one before and one behind may be drawn and left out.
    start, stop = first & ~1, first + out.size + (first + out.size & 1)
    _source.place(stream, 0, start // 4)
    if start % 4:
        _source.bits.random_raw(2, output=False)
    pairs = min(PAIRS, (stop - start) // 2)
    both, radius, angle, wave = np.empty(2 * pairs), np.empty(pairs), np.empty(pairs), np.empty(pairs)
    for at in range(start, stop, 2 * pairs):
        count = min(pairs, (stop - at) // 2)
        if count < pairs:
            both, radius, angle, wave = both[: 2 * count], radius[:count], angle[:count], wave[:count]
        _source.generator.random(out=both)
        np.subtract(1.0, both[::2], out=radius)
        np.log(radius, out=radius)
        radius *= -2.0
        np.sqrt(radius, out=radius)
        np.multiply(both[1::2], 2.0 * math.pi, out=angle)
        np.cos(angle, out=wave)
        np.multiply(radius, wave, out=both[::2])
        np.sin(angle, out=wave)
        np.multiply(radius, wave, out=both[1::2])
        _scaled(both, kind)
        begin, end = max(at, first), min(at + 2 * count, first + out.size)
        out[begin - first : end - first] = both[begin - at : end - at]


def _scaled(values: Any, kind: Kind) -> None:
    if kind.scale != 1.0:
        values *= kind.scale
    if kind.shift != 0.0:
        values += kind.shift


def _integer_run(stream: Stream, kind: Kind, first: int, out: Any) -> None:
    """Integers of neighbours; ranges below 2**32 with half the products."""
    _source.place(stream, 0, first // 4)
    if first % 4:
        _source.bits.random_raw(first % 4, output=False)
    low = np.uint64(kind.low & MASK)
    for at in range(0, out.size, DRAWN):
        words = _source.words(min(DRAWN, out.size - at))
        if kind.most < 1 << 32:
            upper = words >> np.uint64(32)
            words &= np.uint64(0xFFFFFFFF)
            span = np.uint64(kind.most + 1)
            words *= span
            words >>= np.uint64(32)
            upper *= span
            upper += words
            np.right_shift(upper, np.uint64(32), out=words)
            if low:
                words += low
        elif kind.most != MASK or low:
            words = philox.bounded(words, kind.low, kind.most)
        part = out[at : at + DRAWN]
        # Of the same size, the bits are the number modulo 2**64 already.
        np.copyto(part, words.view(out.dtype) if out.dtype.itemsize == 8 else words, casting="unsafe")


def _neighbours(stream: Stream, kind: Kind, first: int, out: Any) -> None:
    if kind.name == "normal":
        _normal_run(stream, kind, first, out)
    elif kind.name == "integers":
        _integer_run(stream, kind, first, out)
    elif kind.name == "raw":
        _run(stream, 0, _raw, first, out)
    else:
        _run(stream, 0, partial(_random, kind), first, out, 4 if out.dtype == np.float64 else 8)


def element_values(like: Any, stream: Stream, kind: Kind, places: Places) -> Any:
    """As :func:`arrayshim.kernels.philox.element_values`, for ndarrays."""
    out = np.empty(places.shape, kind.dtype)
    if not out.size:
        return out
    *outer, (length, step) = places.merged()
    rows = out.reshape(-1, length)
    starts = itertools.product(*(range(0, n * s, s) if s else [0] * n for n, s in outer))
    if step == 1 and length >= min(SHORTEST, out.size):
        for row, start in zip(rows, starts, strict=True):
            _neighbours(stream, kind, places.offset + sum(start), row)
    elif 1 < abs(step) <= (WIDEST_STEP_OF_NORMALS if kind.name == "normal" else WIDEST_STEP) and length >= SHORTEST:
        for row, start in zip(rows, starts, strict=True):
            _covered(stream, kind, places.offset + sum(start), step, row)
    else:
        for cut, piece in places.pieces(CACHED):
            out[cut] = philox.values_at(stream, kind, piece.linear(out)).reshape(piece.shape)
    return out


def _covered(stream: Stream, kind: Kind, first: int, step: int, out: Any) -> None:
    count = max(1, CACHED // abs(step))
    buffer = np.empty(count * abs(step), out.dtype)
    for at in range(0, out.size, count):
        part = out[at : at + count]
        ends = first + at * step, first + (at + part.size - 1) * step
        between = buffer[: abs(ends[1] - ends[0]) + 1]
        _neighbours(stream, kind, min(ends), between)
        part[...] = between[::step]


def element_blocks(like: Any, stream: Stream, attempt: int, index: Any) -> tuple[Any, Any, Any, Any]:
    """As :func:`arrayshim.kernels.philox.element_blocks`, for ndarrays."""
    if isinstance(index, Places):
        *outer, (length, step) = index.merged()
        if step == 1 and length >= SHORTEST:
            words = np.empty((index.size, 4), np.uint64)
            rows = words.reshape(-1, length * 4)
            starts = itertools.product(*(range(0, n * s, s) if s else [0] * n for n, s in outer))
            for row, start in zip(rows, starts, strict=True):
                _run(stream, attempt, _raw, 4 * (index.offset + sum(start)), row)
            return words[:, 0], words[:, 1], words[:, 2], words[:, 3]
        index = index.linear(np.empty(0))
    return philox.philox(stream, attempt, index)
