"""Element streams on NumPy chunks, at the speed of NumPy's own Philox: runs of elements are runs of its words.

Where elements lie too far apart for that, the words come from ufuncs (`arrayshim.kernels.philox`). Values never depend
on which it was. Transcendental functions are only ever asked for contiguous data: NumPy has other code for strides.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from arrayshim.kernels import philox
from arrayshim.kernels._numpy_integers import integer_rows
from arrayshim.kernels._numpy_philox import random_run, raw, scaled, source
from arrayshim.kernels._places import Kind, Places, Stream

#: Elements that are worked on at a time, so that all that is known of them stays in the cache.
CACHED = 4096
#: Pairs of normals, likewise.
PAIRS = 8192
#: Shorter runs of neighbours are gathered into arrays of indices: setting a generator's place takes microseconds.
SHORTEST = 32
#: Up to this step between elements all those between them are drawn and left out.
WIDEST_STEP = 16
WIDEST_STEP_OF_NORMALS = 6


def _normals(both: Any, kind: Kind, scratch: Any) -> None:
    """Turn uniforms, in pairs, into normals: cosine before sine."""
    radius, angle, wave = scratch[:, : both.size // 2]
    np.subtract(1.0, both[::2], out=radius)
    np.log(radius, out=radius)
    radius *= -2.0
    np.sqrt(radius, out=radius)
    np.multiply(both[1::2], 2.0 * math.pi, out=angle)
    np.cos(angle, out=wave)
    np.multiply(radius, wave, out=both[::2])
    np.sin(angle, out=wave)
    np.multiply(radius, wave, out=both[1::2])
    scaled(both, kind)


def _normal_rows(stream: Stream, kind: Kind, starts: Iterable[int], rows: Any) -> None:
    """Normals of neighbours, row by row; the arithmetic of many short rows is done at once."""
    length = rows.shape[1]
    # From the first of a block to the second of a pair: three before and one behind may be drawn and left out.
    width = length + 4 - length % 2
    together = max(1, 2 * PAIRS // width)
    pairs = min(PAIRS, width // 2) if together == 1 else min(together, len(rows)) * width // 2
    buffer, scratch = np.empty(2 * pairs), np.empty((3, pairs))
    places = iter(starts)
    for top in range(0, len(rows), together):
        part = rows[top : top + together]
        firsts = [next(places) for _ in part]
        if together == 1:
            _long_row(stream, kind, firsts[0], part[0], buffer, scratch)
            continue
        both = buffer[: len(part) * width]
        for first, drawn in zip(firsts, both.reshape(-1, width), strict=True):
            source.place(stream, 0, first // 4)
            source.generator.random(out=drawn)
        _normals(both, kind, scratch)
        for first, drawn, out in zip(firsts, both.reshape(-1, width), part, strict=True):
            out[...] = drawn[first % 4 : first % 4 + length]


def _even(stream: Stream, first: int) -> None:
    source.place(stream, 0, first // 4)
    if first % 4 >= 2:
        source.bits.random_raw(2, output=False)


def _long_row(stream: Stream, kind: Kind, first: int, out: Any, buffer: Any, scratch: Any) -> None:
    start, stop = first - first % 2, first + out.size
    _even(stream, first)
    for at in range(start, stop, buffer.size):
        both = buffer[: min(buffer.size, stop - at + (stop - at) % 2)]
        source.generator.random(out=both)
        _normals(both, kind, scratch)
        begin, end = max(at, first), min(at + both.size, stop)
        out[begin - first : end - first] = both[begin - at : end - at]


def _neighbours(stream: Stream, kind: Kind, starts: Iterable[int], rows: Any) -> None:
    """Fill each row with the values of elements that follow one another, from its start on."""
    if kind.name == "normal":
        _normal_rows(stream, kind, starts, rows)
    elif kind.name == "integers":
        integer_rows(stream, kind, starts, rows)
    else:
        for first, row in zip(starts, rows, strict=True):
            if kind.name == "raw":
                raw(stream, 0, first, row)
            else:
                random_run(stream, kind, first, row)


def _walk(n: int, step: int) -> Iterable[int]:
    return range(0, n * step, step) if step else [0] * n


def element_values(like: Any, stream: Stream, kind: Kind, places: Places) -> Any:
    """As :func:`arrayshim.kernels.philox.element_values`, for ndarrays."""
    out = np.empty(places.shape, kind.dtype)
    if not out.size:
        return out
    *outer, (length, step) = places.merged()
    rows = out.reshape(-1, length)
    starts = (places.offset + sum(at) for at in itertools.product(*(_walk(n, s) for n, s in outer)))
    if step == 1 and length >= min(SHORTEST, out.size):
        _neighbours(stream, kind, starts, rows)
    elif 1 < abs(step) <= (WIDEST_STEP_OF_NORMALS if kind.name == "normal" else WIDEST_STEP) and length >= SHORTEST:
        for row, start in zip(rows, starts, strict=True):
            _covered(stream, kind, start, step, row)
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
        _neighbours(stream, kind, [min(ends)], between[None])
        part[...] = between[::step]


def element_blocks(like: Any, stream: Stream, attempt: int, index: Any) -> tuple[Any, Any, Any, Any]:
    """As :func:`arrayshim.kernels.philox.element_blocks`, for ndarrays."""
    if isinstance(index, Places):
        *outer, (length, step) = index.merged()
        if step == 1 and length >= SHORTEST:
            words = np.empty((index.size, 4), np.uint64)
            rows = words.reshape(-1, length * 4)
            starts = itertools.product(*(_walk(n, s) for n, s in outer))
            for row, start in zip(rows, starts, strict=True):
                raw(stream, attempt, 4 * (index.offset + sum(start)), row)
            return words[:, 0], words[:, 1], words[:, 2], words[:, 3]
        index = index.linear(np.empty(0))
    return philox.philox(stream, attempt, index)
