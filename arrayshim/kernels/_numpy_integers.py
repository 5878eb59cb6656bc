"""Integers of element streams on NumPy chunks: the upper halves of lanes times the range, a cache's worth at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from arrayshim.kernels import philox
from arrayshim.kernels._numpy_philox import lanes_of, multiplied, raw
from arrayshim.kernels._places import MASK, Kind, Stream

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

_NONE = np.empty(0, np.intp)
#: Elements that are worked on at a time: with what is made of them they stay in the cache.
DRAWN = 1 << 17
#: Elements that are drawn anew at a time, likewise; of fewer than the second, each on its own is sooner done.
ANEW, SINGLY = 16384, 12


def _high(words: Any, span: int, out: Any, spare: Any) -> None:
    """The upper 64 bits of ``words * span`` into `out`, as `philox.high` has them; the words are lost."""
    upper, middle = spare
    low, high = np.uint64(span & 0xFFFFFFFF), np.uint64(span >> 32)
    np.right_shift(words, _HALF, out=upper)
    words &= _LOW
    np.multiply(words, low, out=middle)
    middle >>= _HALF
    if not high:
        upper *= low
        upper += middle
        np.right_shift(upper, _HALF, out=out)
        return
    words *= high
    words += middle
    np.multiply(upper, low, out=middle)
    upper *= high
    upper += middle >> _HALF
    middle &= _LOW
    words += middle
    words >>= _HALF
    np.add(upper, words, out=out)


def _product(lanes: Any, span: int, few: int, out: Any, spare: Any) -> Any:
    """The upper halves of ``lanes * span`` into `out`; positions of the lanes that are rejected."""
    narrow, bits = lanes.dtype, 8 * lanes.itemsize
    lower = spare[0].view(narrow)[: lanes.size]
    np.multiply(lanes, narrow.type(span), out=lower)
    again = np.flatnonzero(lower < narrow.type(few))
    wide = np.dtype(f"u{2 * lanes.itemsize}")
    product = out if out.dtype == wide else spare[0].view(wide)[: lanes.size]
    np.multiply(lanes, wide.type(span), out=product)
    product >>= wide.type(bits)
    if product is not out:
        np.copyto(out, product, casting="unsafe")
    return again


def of_lanes(lanes: Any, kind: Kind, out: Any, spare: Any) -> Any:
    """Turn lanes into integers.

    Parameters
    ----------
    lanes : array of unsigned integers
        Contiguous, of one dimension; lost.
    kind : Kind
    out : array
        Of the kind's dtype, as long as the lanes.
    spare : array of uint64
        Two arrays, each as long as the lanes.

    Returns
    -------
    array of int
        Positions of elements whose lanes are rejected.
    """
    span, again = kind.most + 1, _NONE
    bits = out.view(f"u{out.itemsize}")
    if not kind.most & span:
        shift = 8 * lanes.itemsize - kind.most.bit_length()
        np.right_shift(lanes, lanes.dtype.type(shift), out=bits, casting="unsafe")
    elif lanes.itemsize < 8:
        again = _product(lanes, span, kind.rejected, bits, spare)
    elif bits.itemsize == 8:
        _high(lanes, span, bits, spare[:, : lanes.size])
    else:
        _high(lanes, span, lanes, spare[:, : lanes.size])
        np.copyto(bits, lanes, casting="unsafe")
    _shifted(out, kind)
    return again


def integer_rows(stream: Stream, kind: Kind, starts: Iterable[int], rows: Any) -> None:
    """Integers of neighbours, row by row; the arithmetic of many short rows is done at once."""
    if kind.most == 0:
        rows[...] = kind.low
        return
    length = rows.shape[1]
    together = max(1, DRAWN // length)
    again: list[tuple[Any, Any]] = []
    places = iter(starts)
    for top in range(0, len(rows), together):
        part = rows[top : top + together]
        firsts = [next(places) for _ in part]
        if together > 1:
            found = [_short_rows(stream, kind, firsts, part)]
        else:
            found = list(_long_row(stream, kind, firsts[0], part[0]))
        again += [(numbers, positions + top * length) for numbers, positions in found if len(positions)]
    if again:
        numbers, positions = map(np.concatenate, zip(*again, strict=True))
        _redraw(stream, kind, numbers, rows.reshape(-1), positions)


def _short_rows(stream: Stream, kind: Kind, firsts: list[int], rows: Any) -> tuple[Any, Any]:
    """Fill rows; numbers and positions of the elements that are to be drawn anew."""
    lanes = np.empty(rows.shape, f"u{kind.bits // 8}")
    for first, row in zip(firsts, lanes, strict=True):
        raw(stream, 0, first, row)
    positions = of_lanes(lanes.reshape(-1), kind, rows.reshape(-1), np.empty((2, rows.size), np.uint64))
    row, column = np.divmod(positions, rows.shape[1])
    return np.array([first & MASK for first in firsts], np.uint64)[row] + column.astype(np.uint64), positions


def _long_row(stream: Stream, kind: Kind, first: int, out: Any) -> Iterator[tuple[Any, Any]]:
    """As `_short_rows`, for one row, a piece after another."""
    spare = np.empty((2, min(DRAWN, out.size)), np.uint64)
    for begin in range(0, out.size, DRAWN):
        part = out[begin : begin + DRAWN]
        if kind.bits == 64 and _by_numpy(stream, kind, first + begin, part):
            continue
        for at, lanes in lanes_of(stream, 0, first + begin, part.size, kind.bits, DRAWN):
            positions = of_lanes(lanes, kind, part[at : at + lanes.size], spare) + (begin + at)
            yield positions.astype(np.uint64) + np.uint64(first & MASK), positions


def _by_numpy(stream: Stream, kind: Kind, first: int, out: Any) -> bool:
    """Let NumPy multiply whole words, where it can be hoped that it rejects none of them."""
    span = kind.most + 1
    # The upper half of a product with a power of two times the range, without as many bits, is the same.
    shift = max(0, 33 - span.bit_length())
    if not kind.most & span or ((1 << 64) % (span << shift)) * out.size > 1 << 62:
        return False
    values = multiplied(stream, first, out.size, span << shift)
    if values is None:
        return False
    np.right_shift(values, np.uint64(shift), out=out.view(f"u{out.itemsize}"), casting="unsafe")
    _shifted(out, kind)
    return True


def _shifted(out: Any, kind: Kind) -> None:
    """Add the lower bound, modulo the type."""
    if kind.low:
        bits = out.view(f"u{out.itemsize}")
        bits += bits.dtype.type(kind.low & ((1 << 8 * bits.itemsize) - 1))


def _redraw(stream: Stream, kind: Kind, numbers: Any, flat: Any, positions: Any) -> None:
    """Draw elements anew whose lanes were rejected."""
    low = np.uint64(kind.low & MASK)
    for at in range(0, positions.size, ANEW):
        some = numbers[at : at + ANEW]
        if some.size < SINGLY:
            words = np.array([philox.philox(stream, 1, int(number))[0] for number in some], np.uint64)
            values = philox.bounded(words, 0, kind.most)
        else:
            values = philox.redrawn(stream, some, kind.most)
        flat[positions[at : at + ANEW]] = (values + low).astype(kind.dtype)
