"""Comparing two runs: which way each change counts."""

from __future__ import annotations

import pytest
from run_records import record, run_of

from arrayshim.conformance.compare import compare


def changes(before, after):
    return [(it.kind, it.case, it.before, it.after) for it in compare(run_of(before), run_of(after))]


def test_equal_runs_have_no_difference():
    cases = [record("sums/sum"), record("sums/mean", "error", "no")]
    assert changes(cases, cases) == []


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("pass", "error", "worse"),
        ("pass", "skip", "worse"),
        ("error", "wrong value", "worse"),  # what was loud is silent now
        ("meta lies", "error", "worse"),
        ("error", "crash", "worse"),
        ("error", "pass", "better"),
        ("wrong value", "error", "better"),
        ("skip", "pass", "better"),
        ("error", "not implemented by the backend", "better"),
    ],
)
def test_outcomes_have_an_order(before, after, kind):
    assert changes([record("a/b", before)], [record("a/b", after)]) == [(kind, "a/b", before, after)]


def test_more_transfers_are_worse():
    few, many, unknown = (record("a/b", transfers=number) for number in (0, 3, None))
    assert changes([few], [many]) == [("worse", "a/b", "transfers 0", "transfers 3")]
    assert changes([many], [few]) == [("better", "a/b", "transfers 3", "transfers 0")]
    assert changes([few], [unknown]) == []


def test_a_check_that_no_longer_holds_is_worse():
    held, fails, not_run = (record("a/b", checks={"token": value}) for value in (True, False, None))
    assert changes([held], [fails]) == [("worse", "a/b", "token holds", "token fails")]
    assert changes([fails], [held]) == [("better", "a/b", "token fails", "token holds")]
    assert changes([held], [not_run]) == []


def test_seconds_are_no_change():
    assert changes([record("a/b", seconds=1.0)], [record("a/b", seconds=9.0)]) == []


def test_new_and_gone_cases_are_named_and_worse_ones_come_first():
    before = [record("a/gone"), record("a/cured", "error"), record("a/broken")]
    after = [record("a/new", "error", "why"), record("a/cured"), record("a/broken", "error")]
    assert [it[:2] for it in changes(before, after)] == [
        ("worse", "a/broken"),
        ("better", "a/cured"),
        ("new", "a/new"),
        ("gone", "a/gone"),
    ]


def test_a_change_reads_as_one_line():
    (change,) = compare(run_of([record("a/b")]), run_of([record("a/b", "error", "no such axis")]))
    assert str(change) == "worse: a/b: pass -> error (no such axis)"
