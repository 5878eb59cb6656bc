"""Philox4x64-10 and what is made of its words, in ufuncs: for any array with NEP-18 that has 64-bit unsigned integers.

J. K. Salmon, M. A. Moraes, R. O. Dror, D. E. Shaw: Parallel random numbers: as easy as 1, 2, 3. SC 2011.
A product of 64 bits is put together from halves of 32, which is all that ufuncs have.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from arrayshim.kernels._places import LANES, MASK, Kind, Places, Stream

MULTIPLIERS = (0xD2E7470EE14C6C93, 0xCA5A826395121157)
WEYL = (0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B)
ROUNDS = 10

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def high(x: Any, y: Any) -> Any:
    """The upper 64 bits of ``x * y``; arrays of uint64, `y` an array or an int."""
    if isinstance(y, int):
        y0, y1 = np.uint64(y & 0xFFFFFFFF), np.uint64(y >> 32)
    else:
        y0, y1 = y & _LOW, y >> _HALF
    x0, x1 = x & _LOW, x >> _HALF
    first = x1 * y0 + (x0 * y0 >> _HALF)
    second = x0 * y1 + (first & _LOW)
    return x1 * y1 + (first >> _HALF) + (second >> _HALF)


def _product(a: int, x: Any) -> tuple[Any, Any]:
    if isinstance(x, int):
        return a * x >> 64, a * x & MASK
    return high(x, a), x * np.uint64(a)


def _xor(*terms: Any) -> Any:
    number, array = 0, None
    for term in terms:
        if isinstance(term, int):
            number ^= term
        else:
            array = term if array is None else array ^ term
    return number if array is None else array ^ np.uint64(number)


def philox(stream: Stream, attempt: int, block: Any) -> tuple[Any, Any, Any, Any]:
    """The four words of each block.

    Parameters
    ----------
    stream : Stream
    attempt : int
    block : array of uint64, of one dimension

    Returns
    -------
    tuple of four arrays of uint64
    """
    k0, k1 = stream.key
    c0: Any = block
    c1: Any
    c1, c2, c3 = stream.counter(attempt)
    for _ in range(ROUNDS):
        (high0, low0), (high1, low1) = _product(MULTIPLIERS[0], c0), _product(MULTIPLIERS[1], c2)
        c0, c1, c2, c3 = _xor(high1, c1, k0), low1, _xor(high0, c3, k1), low0
        k0, k1 = (k0 + WEYL[0]) & MASK, (k1 + WEYL[1]) & MASK
    return c0, c1, c2, c3


def uniform(words: Any) -> Any:
    """Uniform in [0, 1), a multiple of 2**-53, as NumPy makes it of a word."""
    return (words >> np.uint64(11)).astype(np.float64) * 2.0**-53


def polar(first: Any, second: Any) -> tuple[Any, Any]:
    """Radius and angle of a pair of normals by Box and Muller, from two uniforms in [0, 1).

    G. E. P. Box, M. E. Muller: A note on the generation of random normal deviates. Ann. Math. Stat. 29 (1958).
    The radius ends at 8.57, where 2**-53 ends.
    """
    return np.sqrt(np.log(1.0 - first) * -2.0), second * (2.0 * math.pi)


def affine(values: Any, kind: Kind) -> Any:
    """``values * scale + shift``, where they say anything."""
    if kind.scale != 1.0:
        values = values * kind.scale
    return values + kind.shift if kind.shift != 0.0 else values


def bounded(words: Any, low: Any, most: Any) -> Any:
    """``low`` to ``low + most``, as uint64 modulo 2**64: the upper half of ``word * (most + 1)``, no rejection.

    A value is more or less likely than another by 2**-64 at most.
    D. Lemire: Fast random integer generation in an interval. ACM TOMACS 29 (2019), without his rejection.
    """
    if isinstance(low, int):
        low = np.uint64(low & MASK)
    if isinstance(most, int):
        return words + low if most == MASK else high(words, most + 1) + low
    lower = words * most
    return high(words, most) + (lower + words < lower).astype(np.uint64) + low


def _lanes(words: tuple[Any, ...], index: Any, bits: int) -> Any:
    """The lanes of elements, of the words of their blocks."""
    per_word = 64 // bits
    word = index >> np.uint64(per_word.bit_length() - 1)
    odd = (word & np.uint64(1)) != 0
    lane = np.where((word & np.uint64(2)) != 0, np.where(odd, words[3], words[2]), np.where(odd, words[1], words[0]))
    if bits == 64:
        return lane
    return lane >> (index & np.uint64(per_word - 1)) * np.uint64(bits) & np.uint64((1 << bits) - 1)


def of_lanes(lanes: Any, kind: Kind) -> tuple[Any, Any]:
    """Integers from 0 on, the upper halves of lanes times the range, and which of them are rejected.

    D. Lemire: Fast random integer generation in an interval. ACM TOMACS 29 (2019).

    Returns
    -------
    array of uint64
    array of bool, or None
        None where no lane can be rejected.
    """
    bits, few = kind.bits, kind.rejected
    if bits == 64:
        return bounded(lanes, 0, kind.most), None
    product = lanes * np.uint64(kind.most + 1)
    return product >> np.uint64(bits), (product & np.uint64((1 << bits) - 1)) < np.uint64(few) if few else None


def _integers(stream: Stream, kind: Kind, index: Any, lanes: Any) -> Any:
    values, again = of_lanes(lanes, kind)
    if again is not None and isinstance(values, np.ndarray):
        chosen = np.flatnonzero(again)
        values[chosen] = redrawn(stream, index[chosen], kind.most)
    elif again is not None:  # on a device, nothing waits to know which
        values = np.where(again, redrawn(stream, index, kind.most), values)
    return (values + np.uint64(kind.low & MASK)).astype(kind.dtype)


def redrawn(stream: Stream, index: Any, most: Any) -> Any:
    """From 0 to `most`, for elements whose lane was rejected."""
    return bounded(philox(stream, 1, index)[0], 0, most)


def lanes_of(most: Any) -> Iterator[tuple[int, Any, Any]]:
    """The lanes that integers have which are drawn between arrays of bounds, as `_places.lane_of` chooses them.

    Parameters
    ----------
    most : array of uint64

    Yields
    ------
    int
        Width.
    array of bool
        Which elements have it.
    array of uint64
        How many lanes of all that there are would be one too many for an element that has it.
    """
    rest = most >= 0
    span = np.minimum(most, np.uint64(1 << 32)) + np.uint64(1)
    for bits in LANES[:-1]:
        few = np.uint64(1 << bits) % span
        chosen = rest & (most < np.uint64(1 << bits)) & ((few << np.uint64(12)) < np.uint64(bits << bits))
        yield bits, chosen, few
        rest = rest & ~chosen
    yield 64, rest, most < 0


def values_at(stream: Stream, kind: Kind, index: Any) -> Any:
    """The values of elements.

    Parameters
    ----------
    stream : Stream
    kind : Kind
    index : array of uint64, of one dimension
        Linear indices.

    Returns
    -------
    array of the type of `index`
    """
    words = philox(stream, 0, index >> np.uint64(kind.per_block.bit_length() - 1))
    if kind.name == "normal":
        second = (index & np.uint64(2)) != 0
        first = uniform(np.where(second, words[2], words[0]))
        radius, angle = polar(first, uniform(np.where(second, words[3], words[1])))
        odd = (index & np.uint64(1)) != 0
        return affine(radius * np.where(odd, np.sin(angle), np.cos(angle)), kind).astype(kind.dtype)
    lanes = _lanes(words, index, kind.bits)
    if kind.name == "integers":
        return _integers(stream, kind, index, lanes)
    if kind.name == "raw":
        return lanes.astype(kind.dtype, copy=False)
    if kind.bits == 32:
        return (lanes >> np.uint64(8)).astype(np.float32) * np.float32(2.0**-24)
    return affine(uniform(lanes), kind)


def element_values(like: Any, stream: Stream, kind: Kind, places: Places) -> Any:
    """The values of a chunk of an element stream, by ufuncs.

    Parameters
    ----------
    like : array
        Whose library makes them.
    stream : Stream
    kind : Kind
    places : Places

    Returns
    -------
    array of the type of `like`, of ``places.shape``
    """
    return values_at(stream, kind, places.linear(like)).reshape(places.shape)


def element_blocks(like: Any, stream: Stream, attempt: int, index: Any) -> tuple[Any, Any, Any, Any]:
    """The four words that elements have for an attempt, numbered from 1.

    Parameters
    ----------
    like : array
    stream : Stream
    attempt : int
    index : Places or array of uint64
        Linear indices.

    Returns
    -------
    tuple of four flat arrays of uint64 of the type of `like`
    """
    return philox(stream, attempt, index.linear(like) if isinstance(index, Places) else index)
