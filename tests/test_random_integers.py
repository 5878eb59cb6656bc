"""Integers of element streams: their definition in exact integers, in every layout and for every range."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arrayshim
from arrayshim import kernels, strict
from arrayshim.kernels import _numpy_integers, _numpy_philox, philox
from arrayshim.kernels._places import LANES, MASK, Kind, Places, Stream, lane_of

STREAM = Stream((5, MASK - 2), 7, 1, 2)
#: Ranges with each lane: powers of two, lanes seldom and often rejected (8,167: one in 330; 42,619,672: in 130).
SPANS = {
    8: [1, 2, 128, 256],
    16: [3, 6, 255, 257, 8167, 65535, 65536],
    32: [1000, 10**6, 2**24, 2**24 + 1, 42_619_672, 2**32 - 1, 2**32],
    64: [10**8, 2**28 + 7, 2**31 + 1, 2**32 + 1, 10**12, 3 * 2**52, 2**62 + 1, 2**63, 2**64 - 1, 2**64],
}
every = pytest.mark.parametrize("span", [span for spans in SPANS.values() for span in spans])


def defined(stream, span, number):
    """The integer of an element: the upper half of its lane times the range, or of a word of its own."""
    bits = lane_of(span - 1)
    block, lane = divmod(number, 256 // bits)
    whole = sum(word << 64 * k for k, word in enumerate(philox.philox(stream, 0, block)))
    product = (whole >> bits * lane) % 2**bits * span
    if bits < 64 and product % 2**bits < 2**bits % span:
        return philox.philox(stream, 1, number)[0] * span >> 64
    return product >> bits


def number(span):
    dtype = np.dtype("i8" if span <= 2**63 else "u8")
    return Kind("integers", dtype, most=span - 1)


def places_of(shape, gap=0):
    return Places(5, (shape[-1] + gap, 1)[-len(shape) :], shape)


def test_the_lane_is_the_narrowest_that_rejects_few():
    for bits, spans in SPANS.items():
        assert [lane_of(span - 1) for span in spans] == [bits] * len(spans)
    for bits, rejected in ((16, 200), (32, 2**32 - 100 * 42_619_672)):
        assert rejected << 12 < bits << bits
        assert Kind("integers", np.dtype("i8"), most=SPANS[bits][4] - 1).rejected == rejected


@every
@pytest.mark.parametrize("like", [np.empty(0), strict.asarray(np.empty(0))], ids=["numpy", "ufuncs"])
def test_each_is_its_lane_times_the_range(span, like):
    got = kernels.element_values(like, STREAM, number(span), places_of((2000,)))
    got = strict.to_host(got) if isinstance(got, strict.StrictArray) else got
    assert got.tolist() == [defined(STREAM, span, 5 + k) for k in range(2000)]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_every_type_and_layout(data):
    dtype = np.dtype(data.draw(st.sampled_from(["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8"])))
    least, last = (0, 1) if dtype.kind == "b" else (int(np.iinfo(dtype).min), int(np.iinfo(dtype).max))
    low, high = sorted(data.draw(st.tuples(*[st.integers(least, last)] * 2)))
    if data.draw(st.booleans()):
        high = min(last, low + data.draw(st.sampled_from([1, 5, 99, 8166, 10**6, 42_619_671])))
    kind = Kind("integers", dtype, low=low, most=high - low)
    shape = data.draw(st.sampled_from([(1,), (300,), (7, 50), (2, 3, 40), (3000,)]))
    steps = [data.draw(st.sampled_from([1, 1, 2, 3, 17, -1, -2]))]
    for n in shape[:0:-1]:
        steps.append(steps[-1] * n + data.draw(st.integers(0, 9)))
    places = Places(data.draw(st.integers(10**6, 2**63)), tuple(reversed(steps)), shape)
    got = kernels.element_values(np.empty(0), STREAM, kind, places)
    assert got.shape == shape
    assert got.dtype == dtype
    numbers = places.linear(np.empty(0)).tolist()
    for k in {0, len(numbers) // 2, len(numbers) - 1}:
        assert int(got.reshape(-1)[k]) == low + defined(STREAM, high - low + 1, numbers[k])
    np.testing.assert_array_equal(got, philox.element_values(np.empty(0), STREAM, kind, places))


@every
@pytest.mark.parametrize("shape", [(50_001,), (2, 20_000), (40, 999), (700, 60)], ids=str)
@pytest.mark.parametrize("together", [1 << 17, 4096], ids=["all at once", "in pieces"])
def test_runs_of_lanes_are_what_ufuncs_make(span, shape, together, monkeypatch):
    monkeypatch.setattr(_numpy_integers, "DRAWN", together)
    monkeypatch.setattr(_numpy_integers, "ANEW", 50)
    for kind in (number(span), Kind("integers", np.dtype("i2"), low=-9, most=span - 1)):
        places = places_of(shape, 3)
        expected = philox.element_values(np.empty(0), STREAM, kind, places)
        np.testing.assert_array_equal(kernels.element_values(np.empty(0), STREAM, kind, places), expected)


def exact(words, span):
    return [int(word) * span >> 64 for word in words]


@pytest.mark.parametrize("span", [2**32 + 1, 10**12, 3 * 2**52, 2**63 + 5])
def test_words_next_to_a_carry(span):
    steps = [number * 2**64 // span for number in range(1, 2000)]
    near = sorted({step + d & MASK for step in (0, *steps) for d in (-1, 0, 1, 2)} | {2**32 - 1, 2**63})
    for dtype in ("i8", "u8", "i4", "u1"):
        out, spare = np.empty(len(near), dtype), np.empty((2, len(near)), "u8")
        kind = Kind("integers", np.dtype(dtype), low=-5, most=span - 1)
        assert len(_numpy_integers.of_lanes(np.array(near, "u8"), kind, out, spare)) == 0
        expected = np.array([value - 5 & MASK for value in exact(near, span)], "u8").astype(dtype)
        np.testing.assert_array_equal(out, expected)


@pytest.mark.parametrize("bits", LANES[:-1])
def test_every_lane_next_to_a_rejection(bits):
    """As many lanes make each integer when those that are rejected are left out."""
    for span in {8: (3, 5, 200), 16: (3, 100, 8167), 32: (10**6, 2**31 + 1)}[bits]:
        lanes = np.arange(2**bits, dtype=f"u{bits // 8}") if bits < 32 else np.arange(0, 2**20, dtype="u4") * 4093
        out, spare = np.empty(lanes.size, "i8"), np.empty((2, lanes.size), "u8")
        lower, wide = 2**bits % span, lanes.astype("u8") * np.uint64(span)
        again = _numpy_integers._product(lanes.copy(), span, lower, out.view("u8"), spare)
        np.testing.assert_array_equal(again, np.flatnonzero(wide % np.uint64(2**bits) < lower))
        np.testing.assert_array_equal(out, wide >> np.uint64(bits))
        if bits < 32:
            kept = np.bincount(np.delete(out, again), minlength=span)
            assert (kept == 2**bits // span).all()


@pytest.mark.parametrize("span", [5**17, 10**12, 3 * 2**50, 2**62 + 1])
def test_numpy_multiplies_where_it_rejects_nothing(span):
    """Of 2**62 + 1 it rejects one word in four, which is noticed."""
    words = kernels.element_values(np.empty(0), STREAM, Kind("raw", np.dtype("u8")), places_of((1000,)))
    got = _numpy_philox.multiplied(STREAM, 5, 1000, span)
    assert (got is None) == (span == 2**62 + 1)
    assert got is None or got.tolist() == exact(words, span)


def test_another_numpy_may_make_integers_in_another_way(monkeypatch):
    expected = kernels.element_values(np.empty(0), STREAM, number(10**12), places_of((5000,)))
    monkeypatch.setattr(_numpy_philox, "_multiplies", lambda: False)
    assert _numpy_philox.multiplied(STREAM, 5, 10, 10**12) is None
    got = kernels.element_values(np.empty(0), STREAM, number(10**12), places_of((5000,)))
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("like", ["numpy", strict.StrictArray], ids=["numpy", "strict"])
def test_bounds_in_arrays_are_those_bounds(like):
    spans = np.array([span for bits in SPANS for span in SPANS[bits] if span < 2**63])
    low = np.arange(spans.size) * 3 - 20
    rng = arrayshim.random.default_rng(3, like=like, stream="element")
    got = rng.integers(low, da.from_array(low + spans - 1, chunks=4), (400, spans.size), endpoint=True, chunks=(150, 9))
    stream = Stream(tuple(map(int, np.random.Philox(3).state["state"]["key"])))
    expected = [
        [int(low[j]) + defined(stream, int(spans[j]), i * spans.size + j) for j in range(spans.size)]
        for i in range(400)
    ]
    with strict.conversions() as seen:
        got = got.compute(scheduler="sync")
    assert seen.count == 0
    np.testing.assert_array_equal(strict.to_host(got) if like is strict.StrictArray else got, expected)
