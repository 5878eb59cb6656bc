"""dask's expression mode: what it does not implement is told apart from what is wrong there, and that is known."""

from __future__ import annotations

import pytest
from run_records import record, run_of

from arrayshim.conformance import catalogue, known, matrix, modes, report, runner

CHOSEN = (
    r"^(operators/__add__\[scalar\]|unary/sin|reductions/(sum|argmin)|linalg/tsqr|dispatch/ones\[backend\]"
    r"|overlap/overlap)$"
)


@pytest.mark.parametrize("stock", [False, True], ids=["repaired", "stock"])
def test_the_mode_ends_as_known(stock: bool) -> None:
    found = runner.run("strict", stock=stock, array_expr=True, only=CHOSEN, timeout=60.0)
    held = known.load(known.path_of("strict", stock=stock, array_expr=True))
    assert held.surprises(found, catalogue=[item.name for item in catalogue.items()]) == []
    told = {record["case"]: record["outcome"] for record in found}
    assert told["unary/sin"] == told["reductions/sum"] == "pass"
    assert told["operators/__add__[scalar]"] == "error"
    assert told["overlap/overlap"] == "meta lies"
    assert told["dispatch/ones[backend]"] == ("skip" if stock else "wrong chunk type")
    # the mode has no argmin and no tsqr, and nothing of it is wrong
    assert matrix.lacking(found) == {"linalg": ["tsqr"], "reductions": ["argmin"]}
    assert dict(matrix.skipped(found))[modes.LACKING] == 2


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        ("dask 2026.8.0 in expression mode has no linalg.tsqr", modes.LACKING),
        ("dask 2026.8.0 has no linalg.tsqr", "dask 2026.8.0 has no linalg.tsqr"),
        ("NumPy-backed dask in expression mode=NotImplementedError: , expected a result [f(x)]", modes.LACKING),
        ("NumPy-backed dask in expression mode=AttributeError: 'Array' object has no attribute 'x'", modes.LACKING),
        ("NumPy-backed dask in expression mode=AttributeError: 'int' object has no attribute 'expr'", modes.FAILING),
        ("NumPy-backed dask in expression mode=IndexError: tuple index out of range", modes.FAILING),
        ("scipy is not installed", "scipy is not installed"),
    ],
)
def test_why_a_case_was_skipped(message: str, reason: str) -> None:
    assert modes.reason(message) == reason


def test_markdown_names_what_the_mode_lacks() -> None:
    run = run_of([record("linalg/tsqr", "skip", "dask 2026.8.0 in expression mode has no linalg.tsqr")])
    assert "| linalg | 1 | tsqr |" in report.markdown(run, known.Known())
