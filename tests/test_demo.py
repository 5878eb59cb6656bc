"""The demo itself: legs, rows, memory, failures and interruption."""

from __future__ import annotations

import sys
import threading
import types
import weakref
from contextlib import contextmanager
from dataclasses import replace

import dask.array as da
import numpy as np
import pytest

from arrayshim.conformance.benchmarks import demo, sizing, workload
from arrayshim.conformance.benchmarks.legs import LEGS
from arrayshim.conformance.benchmarks.records import Report, Request
from arrayshim.conformance.benchmarks.sizing import PlanError, Slots

ALL = ("sum", "mean", "std", "var", "argmax", "nanmean")
LOCAL = ("cpu-single", "cpu-threads")


def ran(**options):
    report = Report(Request(**options))
    demo.run(report)
    return report


def test_local_legs_measure_every_operation():
    report = ran(size=60, chunks=20, ops=ALL, legs=LOCAL)
    assert [(row.leg, row.op) for row in report.rows] == [(leg, op) for leg in LOCAL for op in ALL]
    assert report.exit_code == 0
    assert report.skipped == report.notes == []
    for row in report.rows:
        assert (row.n, row.chunk, row.elements, row.chunk_type) == (60, 20, 3600, "numpy.ndarray")
        assert row.verdict == "ok"
        assert row.gb_per_s == pytest.approx(3600 * 8 / row.seconds / 1e9)
        assert row.estimate_2tb_s == pytest.approx(2e12 / (3600 * 8) * row.seconds)
        base = next(other for other in report.rows if (other.leg, other.op) == ("cpu-single", row.op))
        assert row.speedup == pytest.approx(base.seconds / row.seconds)


def test_value_is_that_of_numpy():
    (row,) = ran(size=9, chunks=4, ops=("var",), legs=("cpu-single",), seed=7).rows
    x = da.random.RandomState(7).normal(10, 1, size=(9, 9), chunks=4).compute()
    assert row.value == pytest.approx((x + 1)[::2, ::2].var(), rel=1e-12)


def test_seeds_differ():
    rows = [ran(size=40, chunks=40, ops=("sum",), legs=("cpu-single",), seed=seed).rows[0] for seed in (1, 1, 2)]
    assert rows[0].value == rows[1].value != rows[2].value


def test_no_speed_up_without_the_single_leg():
    assert ran(size=40, ops=("sum",), legs=("cpu-threads",)).rows[0].speedup is None


def test_cost_of_two_terabytes():
    report = ran(size=40, ops=("sum",), legs=LOCAL, prices={"": 3600.0, "cpu-threads": 7200.0})
    single, threads = report.rows
    assert single.cost_2tb == pytest.approx(single.estimate_2tb_s)
    assert threads.cost_2tb == pytest.approx(2 * threads.estimate_2tb_s)


def test_a_wrong_value_is_found(monkeypatch):
    class Shifted(np.random.RandomState):
        def normal(self, loc, scale, size):
            return super().normal(loc + 0.5, scale, size)

    monkeypatch.setattr(workload, "random_state", lambda seed, like: da.random.RandomState(seed, RandomState=Shifted))
    report = ran(size=200, ops=("sum", "var"), legs=("cpu-single",))
    assert [row.verdict for row in report.rows] == ["WRONG", "ok"]  # the variance does not notice
    assert report.exit_code == 1


def test_nan_is_wrong_and_has_no_number(monkeypatch):
    monkeypatch.setitem(workload.OPS, "sum", workload.Op("sum", lambda y: y.sum() * np.nan, lambda m: (0.0, 1.0)))
    (row,) = ran(size=20, ops=("sum",), legs=("cpu-single",)).rows
    assert (row.verdict, row.value, row.message) == ("WRONG", None, "the result is nan")


def test_an_operation_that_raises_is_a_row(monkeypatch):
    def raises(y):
        raise TypeError("mean of what?\nat length")

    monkeypatch.setitem(workload.OPS, "mean", workload.Op("mean", raises, lambda m: (0.0, 1.0)))
    report = ran(size=20, legs=("cpu-single",))
    assert [row.verdict for row in report.rows] == ["ok", "error", "ok", "ok", "ok", "ok"]
    assert report.rows[1].message == "TypeError: mean of what?"
    assert report.rows[1].seconds is None
    assert report.exit_code == 1


def test_a_leg_that_does_not_start_is_a_row(monkeypatch):
    def broken(slots):
        raise OSError("no ports left")

    monkeypatch.setitem(LEGS, "cpu-single", replace(LEGS["cpu-single"], open=broken))
    report = ran(size=20, ops=("sum",), legs=LOCAL)
    assert [(row.leg, row.op, row.verdict) for row in report.rows] == [
        ("cpu-single", "start", "error"),
        ("cpu-threads", "sum", "ok"),
    ]
    assert report.rows[0].message == "OSError: no ports left"
    assert report.exit_code == 1


def test_interruption_keeps_the_rows(monkeypatch):
    @contextmanager
    def interrupted(slots):
        raise KeyboardInterrupt
        yield

    monkeypatch.setitem(LEGS, "cpu-threads", replace(LEGS["cpu-threads"], open=interrupted))
    report = Report(Request(size=20, ops=("sum",), legs=LOCAL))
    with pytest.raises(KeyboardInterrupt):
        demo.run(report)
    assert [(row.leg, row.verdict) for row in report.rows] == [("cpu-single", "ok")]


def test_above_the_automatic_size_sum_only(monkeypatch):
    def as_on_a_slow_machine(measure, *, start, enough=None, settled=None):
        assert measure(start) > 0
        return 100

    monkeypatch.setattr(sizing, "automatic_size", as_on_a_slow_machine)
    monkeypatch.setitem(LEGS, "cpu-single", replace(LEGS["cpu-single"], start=90))
    report = ran(size=120, legs=("cpu-single",))
    assert [row.op for row in report.rows] == ["sum"]
    assert "cpu-single: 120 is above its automatic size of 100" in report.notes[0]
    assert [row.op for row in ran(size=100, legs=("cpu-single",)).rows] == list(ALL)
    assert [row.op for row in ran(size=120, legs=("cpu-single",), ops=("var", "std")).rows] == ["var", "std"]
    (row,) = ran(legs=("cpu-single",), ops=("sum",), chunks=30).rows
    assert (row.n, row.chunk) == (90, 30)  # whole chunks


def test_memory_takes_threads_then_refuses(monkeypatch):
    # A chunk of 100 x 100 is 80 kB, a task 240 kB: 1.2 MB free allow two of the four threads.
    threads = replace(LEGS["cpu-threads"], slots=lambda: Slots(1, 4), free=lambda: 1_200_000)
    monkeypatch.setitem(LEGS, "cpu-threads", threads)
    report = ran(size=200, chunks=100, ops=("sum",), legs=("cpu-threads",))
    assert (report.rows[0].workers, report.rows[0].threads) == (1, 2)
    assert report.notes == ["cpu-threads: 1 x 2 workers x threads instead of 1 x 4, to keep half the memory free"]
    report = Report(Request(size=400, chunks=200, ops=("sum",), legs=LOCAL))
    with pytest.raises(PlanError, match=r"^--chunks: 200 needs 0.00096 GB .* use --chunks 158 or less"):
        demo.run(report)
    assert report.rows == []  # the leg that would have fitted has not run either


def test_chunks_shrink_by_themselves(monkeypatch):
    small = replace(LEGS["cpu-single"], free=lambda: 100_000)  # 2 * 24 * 45**2 = 97,200
    monkeypatch.setitem(LEGS, "cpu-single", small)
    (row,) = ran(size=400, ops=("sum",), legs=("cpu-single",)).rows
    assert (row.chunk, row.verdict) == (45, "ok")


def test_chunks_beyond_the_size_are_clamped():
    (row,) = ran(size=20, chunks=10**9, ops=("sum",), legs=("cpu-single",)).rows
    assert row.chunk == 20


def test_no_leg_can_run(monkeypatch):
    monkeypatch.setitem(LEGS, "gpu", replace(LEGS["gpu"], reason=lambda: "no card"))
    with pytest.raises(PlanError, match=r"^--legs: none can run here; gpu: no card$"):
        ran(legs=("gpu",))


def test_a_missing_leg_is_skipped_with_its_reason(monkeypatch):
    monkeypatch.setitem(LEGS, "gpu", replace(LEGS["gpu"], reason=lambda: "no card"))
    report = ran(size=20, ops=("sum",), legs=("cpu-single", "gpu"))
    assert report.skipped == [("gpu", "no card")]
    assert report.exit_code == 0


def test_gpu_leg_draws_with_cupy_and_gives_its_memory_back(monkeypatch):
    released = []
    cupy = types.ModuleType("cupy")
    pool = types.SimpleNamespace(free_all_blocks=lambda: released.append(True))
    cupy.get_default_memory_pool = lambda: pool
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    drawn = []

    def state(seed, like):
        drawn.append(like)
        return da.random.RandomState(seed)

    monkeypatch.setattr(workload, "random_state", state)
    gpu = replace(LEGS["gpu"], reason=lambda: None, slots=lambda: Slots(1, 1), free=lambda: 10**9)
    monkeypatch.setitem(LEGS, "gpu", gpu)
    report = ran(size=20, ops=("sum",), legs=("cpu-single", "gpu"))
    assert set(drawn[: len(drawn) // 2]) == {"numpy"}
    assert set(drawn[len(drawn) // 2 :]) == {"cupy"}
    assert report.rows[1].chunk_type == "numpy.ndarray"  # what was seen, not what was expected
    assert released == [True]


@pytest.mark.parametrize("leg", LOCAL)
def test_few_chunks_are_alive_at_a_time(leg, monkeypatch):
    lock, alive, peak, made = threading.Lock(), set(), 0, 0

    class Counting(np.random.RandomState):
        def normal(self, *args, **kwargs):
            nonlocal peak, made
            chunk = super().normal(*args, **kwargs)
            with lock:
                number = made = made + 1
                alive.add(number)
                peak = max(peak, len(alive))
            weakref.finalize(chunk, alive.discard, number)
            return chunk

    monkeypatch.setattr(workload, "random_state", lambda seed, like: da.random.RandomState(seed, RandomState=Counting))
    slots = Slots(1, 1 if leg == "cpu-single" else 3)
    with LEGS[leg].open(slots) as session:
        for op in ALL:
            result = workload.OPS[op].build(workload.thinned(workload.random_state(1, "numpy"), 360, 30))
            made, shown = 0, []  # building the graph draws an empty array
            session.compute(result, lambda done, total: shown.append((done, total)))  # noqa: B023
            assert made == 144
            done, total = shown[-1]
            assert done == total == len(shown) >= 144
    assert peak <= slots.total
    assert not alive
