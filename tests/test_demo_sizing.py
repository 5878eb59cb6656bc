"""Sizes by memory and by time: pure arithmetic."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arrayshim.conformance.benchmarks import sizing
from arrayshim.conformance.benchmarks.sizing import PlanError, Slots

GB = 10**9


def test_needed_bytes_by_hand():
    # A chunk of 10,000 x 10,000 float64 is 800 MB; two tasks hold three each.
    assert sizing.needed_bytes(2, 10_000) == 2 * 3 * 800_000_000


@given(free=st.integers(100, 10**13), slots=st.integers(1, 512))
def test_largest_chunk_is_the_largest_under_half(free, slots):
    chunk = sizing.largest_chunk(free, slots)
    assert 2 * slots * 3 * 8 * (chunk + 1) ** 2 >= free
    assert chunk == 1 or 2 * slots * 3 * 8 * chunk**2 < free


@given(
    free=st.integers(0, 10**13),
    chunk=st.integers(1, 50_000),
    offered=st.builds(Slots, st.integers(1, 64), st.integers(1, 64)),
)
def test_fit_keeps_half_the_memory_free(free, chunk, offered):
    slots = sizing.fit(offered, free, chunk)
    if slots is None:
        assert 2 * 3 * 8 * chunk**2 >= free
        return
    assert 2 * slots.workers * slots.threads * 3 * 8 * chunk**2 < free
    assert 1 <= slots.workers <= offered.workers
    assert 1 <= slots.threads <= offered.threads
    more = Slots(slots.workers, slots.threads + 1) if slots.threads < offered.threads else None
    assert more is None or 2 * more.total * 3 * 8 * chunk**2 >= free
    if slots.workers < offered.workers:  # threads go first
        assert slots.threads == 1


@pytest.mark.parametrize(
    ("free", "slots"),
    [
        (1000 * GB, Slots(4, 2)),
        (39 * GB, Slots(4, 2)),  # 8 tasks of 2.4 GB are 19.2 GB
        (38 * GB, Slots(4, 1)),
        (19 * GB, Slots(3, 1)),
        (5 * GB, Slots(1, 1)),
        (4 * GB, None),
    ],
)
def test_fit_by_hand(free, slots):
    assert sizing.fit(Slots(4, 2), free, 10_000) == slots


@pytest.mark.parametrize(
    ("cores", "slots"),
    [(1, Slots(1, 1)), (2, Slots(2, 1)), (4, Slots(4, 1)), (5, Slots(2, 2)), (16, Slots(4, 4)), (64, Slots(8, 8))],
)
def test_cluster_slots(cores, slots):
    assert sizing.cluster_slots(cores) == slots


@pytest.mark.parametrize(
    ("n", "least", "slots", "chunk"),
    [
        (500_000, 1_000, 64, 10_000),
        (500_000, 10_000, 1, 10_000),
        (100_000, 1_000, 2, 2_000),
        (100_000, 10_000, 1, 10_000),
        (12_000, 1_000, 2, 1_000),
        (20_000, 10_000, 1, 10_000),
        (400, 1_000, 1, 200),
        (2, 1_000, 16, 1),
    ],
)
def test_default_chunk(n, least, slots, chunk):
    assert sizing.default_chunk(n, least=least, slots=slots) == chunk


@given(n=st.integers(1, 500_000), slots=st.integers(1, 512), least=st.sampled_from([1_000, 10_000]))
def test_default_chunks_are_enough_for_all_and_not_too_many(n, slots, least):
    chunk = sizing.default_chunk(n, least=least, slots=slots)
    assert 1 <= chunk <= min(n, 10_000)
    count = math.ceil(n / chunk) ** 2
    assert count >= min(4 * slots, n)
    sizing.check_chunk_count(n, chunk, "--size")


def test_too_many_chunks():
    sizing.check_chunk_count(500, 1, "--chunks")
    with pytest.raises(PlanError, match=r"^--chunks: size 501 in chunks of 1 makes 251,001 chunks.*--chunks 2 or more"):
        sizing.check_chunk_count(501, 1, "--chunks")


@pytest.mark.parametrize("overhead", [0.0, 0.05, 0.8])
@pytest.mark.parametrize("per_element", [1e-6, 1e-8, 1e-9, 1e-11])
def test_automatic_size_takes_ten_seconds(overhead, per_element):
    sides = []

    def measure(n):
        sides.append(n)
        return overhead + per_element * n * n

    n = sizing.automatic_size(measure, start=1_000)
    if n == 500_000:
        assert overhead + per_element * n * n < 10
    else:
        assert overhead + per_element * n * n == pytest.approx(10, rel=0.05)
    assert sides == sorted(set(sides))
    assert sum(overhead + per_element * side**2 for side in sides) < 6  # the search is short beside the run


def test_a_slow_first_run_is_not_believed():
    # The first run compiles for a second; then 1e-8 seconds an element: 10 s are 31,623 a side.
    def measure(n):
        return 1.0 if n == 1_000 else 1e-8 * n * n

    assert sizing.automatic_size(measure, start=1_000) == pytest.approx(31_623, rel=0.02)


def test_a_machine_too_slow_for_the_first_run():
    assert sizing.automatic_size(lambda n: 40.0, start=1_000) == 500


def test_enough_is_enough():
    sides = []

    def measure(n):
        sides.append(n)
        return 1e-9 * n * n

    assert sizing.automatic_size(measure, start=1_000, enough=4_000) >= 4_000
    assert sides == [1_000]


def test_automatic_size_is_limited():
    assert sizing.automatic_size(lambda n: 0.0, start=1_000) == 500_000
    assert sizing.automatic_size(lambda n: 0.0, start=1_000, limit=700) == 700


@pytest.mark.parametrize(("n", "chunk", "down"), [(11_837, 1_000, 11_000), (999, 1_000, 1_000), (12, 4, 12)])
def test_round_down(n, chunk, down):
    assert sizing.round_down(n, chunk) == down
