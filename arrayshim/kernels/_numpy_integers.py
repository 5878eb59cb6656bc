"""Integers of element streams on NumPy chunks: the upper half of ``word * range``, from runs of NumPy's Philox."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from arrayshim.kernels import philox
from arrayshim.kernels._numpy_philox import raw, run, source
from arrayshim.kernels._places import MASK, Kind, Stream

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)

#: Words that are drawn at a time for large ranges.
DRAWN = 32768
#: Up to this range a product with a uniform has 20 bits before its point and 32 behind it.
FEW = 1 << 20
#: Elements of such ranges at a time: they stay in the cache.
TOGETHER = 16384
_F8 = np.dtype(np.float64)
#: A number below 2**20 plus this one is its own fixed-point representation behind an exponent: 2**20 and `_NEAR` / 2
#: units of 2**-32, so that what is about to reach the next integer, or just did, has a fraction below `_NEAR` units.
_FIXED = 2.0**20 + 2.0**-31
_NEAR = 4
_EXPONENT = 0x41300000


def of_uniforms(values: Any, span: int) -> Any:
    """Turn uniforms into integers, in place: the upper halves of their bits are then those above `_EXPONENT`.

    Parameters
    ----------
    values : array of float64
        The upper 53 bits of the words; contiguous.
    span : int
        The range, `FEW` at most.

    Returns
    -------
    array of int
        Positions of those that rounding and the lower bits of the words could change: 4 of 2**32.
    """
    values *= float(span)
    values += _FIXED
    # Upper and lower halves; the upper ones are never small.
    if values.view(np.uint32).min() >= _NEAR:
        return ()
    return np.flatnonzero(values.view(np.uint64) & _LOW < _NEAR)


def _finished(values: Any, kind: Kind, out: Any) -> None:
    """Bring the integers that `of_uniforms` made into `out`, which may share their memory if it is as wide."""
    if out.dtype.itemsize == 8:
        bits = out.view(np.uint64)
        np.right_shift(values.view(np.uint64), _HALF, out=bits)
        bits += np.uint64((kind.low - _EXPONENT) & MASK)
        return
    upper = values.view(np.int32)[1::2]
    if out.dtype.itemsize == 4:
        # Modulo 2**32, as the type of the result.
        np.add(upper.view(np.uint32), np.uint32((kind.low - _EXPONENT) & 0xFFFFFFFF), out=out.view(np.uint32))
    else:
        np.add(upper, np.int32(kind.low - _EXPONENT), out=out, casting="unsafe")


def _few_rows(stream: Stream, kind: Kind, starts: Iterable[int], rows: Any) -> None:
    """Integers of a small range, row by row; rows that are long in parts, short ones several at a time."""
    length = rows.shape[1]
    together = max(1, TOGETHER // length)
    wide = rows.dtype.itemsize == 8
    spare = np.empty(0 if wide else min(TOGETHER, rows.size))
    places = iter(starts)
    for top in range(0, len(rows), together):
        part = rows[top : top + together]
        firsts = [next(places) for _ in part]
        flat = part.reshape(-1)
        for at in range(0, flat.size, TOGETHER):
            out = flat[at : at + TOGETHER]
            values = out.view(_F8) if wide else spare[: out.size]
            if together > 1:
                for first, row in zip(firsts, values.reshape(-1, length), strict=True):
                    run(stream, 0, _uniforms, first, row)
            elif at:
                _uniforms(values)
            else:
                run(stream, 0, _uniforms, firsts[0], values)
            near = of_uniforms(values, kind.most + 1)
            _finished(values, kind, out)
            for k in near:
                row, column = divmod(at + int(k), length)
                index = np.array([firsts[row] + column], np.uint64)
                out[k] = philox.values_at(stream, kind, index)[0]


def _uniforms(out: Any) -> None:
    source.generator.random(out=out)


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


def of_words(words: Any, kind: Kind, out: Any, spare: Any) -> None:
    """Turn words into integers; all of one dimension, `spare` two arrays as long as the words, which are lost."""
    wide = out.dtype.itemsize == 8
    # Of the same size, the bits are the number modulo 2**64 already.
    into = out.view(np.uint64) if wide else spare[0]
    if kind.most & (kind.most + 1):
        _high(words, kind.most + 1, into, spare)
    else:
        np.right_shift(words, np.uint64(64 - kind.most.bit_length()), out=into)
    if low := kind.low & MASK:
        into += np.uint64(low)
    if not wide:
        np.copyto(out, into, casting="unsafe")


def integer_rows(stream: Stream, kind: Kind, starts: Iterable[int], rows: Any) -> None:
    """Integers of neighbours, row by row; the arithmetic of many short rows is done at once."""
    if kind.most < FEW:
        return _few_rows(stream, kind, starts, rows)
    length = rows.shape[1]
    together = max(1, DRAWN // length)
    buffer = np.empty(together * length if together > 1 else 0, np.uint64)
    spare = np.empty((2, min(DRAWN, rows.size)), np.uint64)
    places = iter(starts)
    for top in range(0, len(rows), together):
        part = rows[top : top + together]
        firsts = [next(places) for _ in part]
        for first, drawn in zip(firsts, buffer[: part.size].reshape(-1, length), strict=False):
            run(stream, 0, raw, first, drawn)
        if together > 1:
            of_words(buffer[: part.size], kind, part.reshape(-1), spare[:, : part.size])
            continue
        source.place(stream, 0, firsts[0] // 4)
        if firsts[0] % 4:
            source.bits.random_raw(firsts[0] % 4, output=False)
        for at in range(0, length, DRAWN):
            out = part[0, at : at + DRAWN]
            of_words(source.words(out.size), kind, out, spare[:, : out.size])
    return None
