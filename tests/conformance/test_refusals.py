"""A call that must raise passes where it raises what it should, when it should; every other way is found and named."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arrayshim.conformance import catalogue, refusals, runner, sources
from arrayshim.conformance.case import Case

HERE = str(Path(__file__).parent)
BUILT = "while the graph is built"
EXPECTED = {
    "refuses": ("pass", ""),
    "silent": ("wrong value", f"result=StrictArray, expected ValueError {BUILT} [silent(x)]"),
    "another": ("error", f"build=KeyError: 'you cannot mean that', expected ValueError {BUILT} [another(x)]"),
    "one of two": ("pass", ""),
    "related": ("pass", ""),  # AxisError is an IndexError, and a ValueError, which NumPy-backed dask raises here
    "unrelated": ("error", f"build=IndexError: you cannot mean that, expected ValueError {BUILT} [related(x)]"),
    "late": ("error", f"compute=ValueError: you cannot mean that, expected ValueError {BUILT} [late(x)]"),
    "soon": ("pass", ""),
    "costly": ("computed early", f"computes=1, expected 0 {BUILT} [costly(x)]"),
    "unchecked": (
        "not implemented by the backend",
        f"backend alone=no error, expected ValueError {BUILT} [unchecked(x)]",
    ),
    "unchecked, dask's own": ("wrong value", f"result=StrictArray, expected ValueError {BUILT} [unchecked(x)]"),
    "no mistake": ("skip", "NumPy-backed dask=a result, expected ValueError [x * 2]"),
    "no mistake to NumPy": ("error", "NumPy=a result, expected ValueError [welcome(x)]"),
    "blind": ("blocked", "builds on=planted_mistakes/helpless, which failed, expected to pass"),
    "clear": ("pass", ""),
    "unclear": ("error", f"build=UnsupportedError: no, expected UnsupportedError about ma.count {BUILT} ["),
    "uncalled for": ("wrong value", f"result=StrictArray, expected UnsupportedError about ma.count {BUILT} ["),
    "skipped": ("skip", "the backend has no masked arrays"),
}


@pytest.fixture(scope="module")
def records() -> Iterator[dict[str, dict[str, Any]]]:
    sys.path.insert(0, HERE)
    found = runner.run("strict", jobs=1, timeout=60.0, package="planted_mistakes")
    yield {record["case"].partition("/")[2]: record for record in found}
    sys.path.remove(HERE)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_fault_is_found_and_named(records: dict[str, dict[str, Any]], name: str) -> None:
    outcome, message = EXPECTED[name]
    assert (records[name]["outcome"], records[name]["message"][: len(message)]) == (outcome, message)
    assert bool(records[name]["message"]) == bool(message)


def test_nothing_is_left_out(records: dict[str, dict[str, Any]]) -> None:
    assert set(records) == {*EXPECTED, "helpless"}


def test_the_script_says_what_must_be_raised(records: dict[str, dict[str, Any]], tmp_path: Path) -> None:
    script = records["silent"]["reproducer"]
    assert "# must raise ValueError\nresult = silent(x)" in script
    options: dict[str, Any] = {"text": True, "capture_output": True, "cwd": tmp_path, "timeout": 120}
    done = subprocess.run([sys.executable, "-"], input=script, **options)
    assert done.returncode == 0, done.stderr
    assert "chunks:   [\"<class 'arrayshim.strict.StrictArray'>\"]" in done.stdout


def test_numpy_passes(records: dict[str, dict[str, Any]]) -> None:
    found = runner.run("numpy", package="planted_mistakes", only="refuses|silent|another|late|costly|unchecked|blind")
    assert {record["outcome"] for record in found} == {"pass"}


def test_an_exception_of_numpy_is_what_it_derives_from() -> None:
    case = Case(name="f", call=lambda da, b: b.x, raises=np.exceptions.AxisError)
    assert set(refusals.kinds(case)) == {np.exceptions.AxisError, ValueError, IndexError}
    assert refusals.named(case) == "AxisError"
    assert refusals.kinds(replace(case, raises=(KeyError, np.linalg.LinAlgError))) == (
        KeyError,
        np.linalg.LinAlgError,
        ValueError,
    )


def test_functions_of_a_call() -> None:
    assert sources.functions(lambda da, b: da.ma.filled(da.ma.masked_less(b.x, 1).sum(), b.y)) == (
        "ma.filled",
        "ma.masked_less",
    )


def test_a_mistake_covers_no_name_and_is_not_crossed() -> None:
    mistakes = [case for case in catalogue.cases() if case.raises]
    assert len(mistakes) >= 240
    assert not [case.full_name for case in mistakes if case.accepts]
    assert not [case.full_name for case in mistakes if "bad" not in case.name]
    assert not {case.full_name for case in mistakes} & catalogue.firsts()


def test_a_mistake_in_type_builds_on_the_right_call() -> None:
    found = {case.full_name: case for case in catalogue.cases()}
    assert found["unary/invert[bad float]"].builds_on == ("unary/invert",)
    blind = [case for case in found.values() if TypeError in refusals.told(case)]
    assert blind
    assert not [case.full_name for case in blind if not case.builds_on]


def test_digest_sees_another_exception(monkeypatch: pytest.MonkeyPatch) -> None:
    before = catalogue.digest()
    items = list(catalogue.items())
    place = next(i for i, item in enumerate(items) if item.case.raises)
    items[place] = replace(items[place], case=replace(items[place].case, raises=OSError))
    monkeypatch.setattr(catalogue, "items", lambda package=catalogue.DEFAULT: tuple(items))
    assert catalogue.digest() != before


def test_a_family_is_in_one_piece() -> None:
    families = [item.case.family for item in catalogue.items()]
    assert sum(a != b for a, b in pairwise(families)) == len(set(families)) - 1
