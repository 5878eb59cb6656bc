"""Integers of element streams on NumPy chunks: the upper half of ``word * range``, from runs of NumPy's Philox."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

import numpy as np

from arrayshim.kernels import philox
from arrayshim.kernels._numpy_philox import raw, run, source
from arrayshim.kernels._places import MASK, Kind, Stream

_LOW, _HALF = np.uint64(0xFFFFFFFF), np.uint64(32)
#: Where a word, seen as two halves, has them.
_LOWER, _UPPER = (0, 1) if sys.byteorder == "little" else (1, 0)

#: Words that are drawn at a time: with what is made of them they stay in the cache.
DRAWN = 16384
#: Up to this range the upper half of a word decides, for all but one element in 2**16.
FEW = 1 << 16


def of_halves(words: Any, span: int) -> Any:
    """The upper halves of words times a range, in place: the integers are then the upper halves of the products.

    Parameters
    ----------
    words : array of uint64
        Contiguous.
    span : int
        The range, `FEW` at most.

    Returns
    -------
    array of int
        Positions of those that the lower half of the word could change: it adds less than `span` to the lower half of
        the product.
    """
    words >>= _HALF
    words *= np.uint64(span)
    lower = words.view(np.uint32)[_LOWER::2]
    last = np.uint32(2**32 - span)
    return np.flatnonzero(lower > last) if lower.max() > last else ()


def _finished(products: Any, kind: Kind, out: Any) -> None:
    """Bring the integers that `of_halves` made into `out`."""
    upper = products.view(np.uint32)[_UPPER::2]
    if out.dtype.itemsize == 8:
        bits = out.view(np.uint64)
        np.right_shift(products, _HALF, out=bits)
        if kind.low:
            bits += np.uint64(kind.low & MASK)
    elif out.dtype.itemsize == 4:
        # Modulo 2**32, as the type of the result.
        np.add(upper, np.uint32(kind.low & 0xFFFFFFFF), out=out.view(np.uint32))
    else:
        np.add(upper, np.uint32(kind.low & 0xFFFFFFFF), out=out, casting="unsafe")


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


def of_words(words: Any, kind: Kind, out: Any, spare: Any) -> Any:
    """Turn words into integers.

    Parameters
    ----------
    words : array of uint64
        Contiguous, of one dimension; lost.
    kind : Kind
    out : array
        Of the kind's dtype, as long as the words.
    spare : array of uint64
        Two arrays, each as long as the words.

    Returns
    -------
    array of int
        Positions of elements that are to be made anew.
    """
    span = kind.most + 1
    if kind.most & span and span <= FEW:
        near = of_halves(words, span)
        _finished(words, kind, out)
        return near
    wide = out.dtype.itemsize == 8
    # Of the same size, the bits are the number modulo 2**64 already.
    into = out.view(np.uint64) if wide else spare[0]
    if kind.most & span:
        _high(words, span, into, spare)
    else:
        np.right_shift(words, np.uint64(64 - kind.most.bit_length()), out=into)
    if low := kind.low & MASK:
        into += np.uint64(low)
    if not wide:
        np.copyto(out, into, casting="unsafe")
    return ()


def integer_rows(stream: Stream, kind: Kind, starts: Iterable[int], rows: Any) -> None:
    """Integers of neighbours, row by row; the arithmetic of many short rows is done at once."""
    length = rows.shape[1]
    together = max(1, DRAWN // length)
    buffer = np.empty(together * length if together > 1 else 0, np.uint64)
    spare = np.empty((2, min(DRAWN, rows.size)), np.uint64)
    flat = rows.reshape(-1)
    #: By position in `flat`, the numbers of the elements that are to be made anew, all at once.
    again: dict[int, int] = {}
    places = iter(starts)
    for top in range(0, len(rows), together):
        part = rows[top : top + together]
        firsts = [next(places) for _ in part]
        begin = top * length
        if together > 1:
            for first, drawn in zip(firsts, buffer[: part.size].reshape(-1, length), strict=False):
                run(stream, 0, raw, first, drawn)
            near = of_words(buffer[: part.size], kind, part.reshape(-1), spare[:, : part.size])
            again.update((begin + int(k), firsts[k // length] + int(k) % length) for k in near)
            continue
        source.place(stream, 0, firsts[0] // 4)
        if firsts[0] % 4:
            source.bits.random_raw(firsts[0] % 4, output=False)
        for at in range(0, length, DRAWN):
            out = part[0, at : at + DRAWN]
            near = of_words(source.words(out.size), kind, out, spare[:, : out.size])
            again.update((begin + at + int(k), firsts[0] + at + int(k)) for k in near)
    if again:
        numbers = np.array([number & MASK for number in again.values()], np.uint64)
        flat[list(again)] = philox.values_at(stream, kind, numbers)
