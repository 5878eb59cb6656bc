"""Every kind of fault, planted, is found and called by its name; and nothing is found where there is none."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arrayshim.conformance import runner

HERE = str(Path(__file__).parent)
EXPECTED = {
    "honest": ("pass", ""),
    "to_numpy": ("wrong chunk type", "type(chunk[0, 0])=ndarray, expected StrictArray [mapped(x, to_numpy)]"),
    "there_and_back": ("pass", "transfers=8, expected 0 [mapped(x, there_and_back)]"),
    "off_by_a_little": ("wrong value", "value["),
    "half_as_wide": ("meta lies", "_meta.dtype=float64, expected float32 [mapped(x, half_as_wide)]"),
    "shorter": ("wrong shape", "shape=(9, 8), expected (13, 8) [mapped(x, shorter)]"),
    "refused": ("error", "compute=ValueError: no <b>chunks</b> here, expected a result [mapped(x, refused)]"),
    "lacking": ("not implemented by the backend", "backend alone=NotImplementedError: the library has no such"),
    "eager": ("computed early", "computes=1, expected 0 while the graph is built [eager(x)]"),
    "eager after a cluster": ("computed early", "computes=1, expected 0 while the graph is built [eager(x)]"),
    "unlike_itself": ("error", "token=another, expected the same when built twice [unlike_itself(x)]"),
    "lying": ("meta lies", "type(_meta)=ndarray, expected StrictArray [lying(x)]"),
    "killed": ("crash", "worker=SIGSEGV (Fatal Python error: Segmentation fault), expected a result [killed(x)]"),
    "gone": ("crash", "worker=exit 3, expected a result [gone(x)]"),
    "greedy": ("crash", "worker=MemoryError: no room for 8 EiB, expected a result [greedy(x)]"),
    "asleep": ("timeout", "seconds=over 4 s, expected a result [asleep(x)]"),
    "stands on sand": ("blocked", "builds on=planted_faults/killed, which failed, expected to pass [x * 2]"),
    "wants more": ("skip", "no_such_module is not installed"),
    "after all that": ("pass", ""),
}
#: No fault of the chunks: NumPy-backed dask is told the same untruth.
FINE_ANYWAY = {"wide meta": "pass", "wide": "pass"}


@pytest.fixture(scope="module")
def importable() -> Iterator[None]:
    """The planted catalogue can be imported, here and in the workers."""
    sys.path.insert(0, HERE)
    yield
    sys.path.remove(HERE)


@pytest.fixture(scope="module")
def records(importable: None) -> dict[str, dict[str, Any]]:
    found = runner.run("strict", jobs=2, timeout=4.0, package="planted_faults")
    return {record["case"].partition("/")[2]: record for record in found}


@pytest.mark.parametrize("name", EXPECTED)
def test_fault_is_found_and_named(records: dict[str, dict[str, Any]], name: str) -> None:
    outcome, message = EXPECTED[name]
    assert records[name]["outcome"] == outcome
    assert records[name]["message"].startswith(message)
    assert bool(records[name]["message"]) == bool(message)


@pytest.mark.parametrize("name", FINE_ANYWAY)
def test_no_fault_of_the_chunks(records: dict[str, dict[str, Any]], name: str) -> None:
    assert records[name]["outcome"] == FINE_ANYWAY[name]


def test_a_wrong_value_is_shown_beside_the_right_one(records: dict[str, dict[str, Any]]) -> None:
    found = re.fullmatch(
        r"value\[\d+, \d\]=([-.\d]+), expected ([-.\d]+) \[mapped\(x, off_by_a_little\)\]",
        records["off_by_a_little"]["message"],
    )
    assert found is not None
    assert float(found[1]) - float(found[2]) == pytest.approx(1e-3)


def test_run_goes_on_after_every_loss(records: dict[str, dict[str, Any]]) -> None:
    assert [*records] == [case.name for case in sys.modules["planted_faults"].CASES]


def test_hidden_copies_are_counted(records: dict[str, dict[str, Any]]) -> None:
    assert records["there_and_back"]["transfers"] == 8  # one for each of 4 x 2 chunks
    assert records["honest"]["transfers"] == 0


def test_checks_of_a_pass(records: dict[str, dict[str, Any]]) -> None:
    # level full: the first case of a name runs on a cluster too
    assert records["honest"]["checks"] == {"token": True, "pickle": True, "threads": True, "distributed": True}


def test_computing_early_is_seen_when_a_cluster_is_there(importable: None) -> None:
    # one worker: the first case has it start a client
    found = runner.run("strict", package="planted_faults", only="honest|eager")
    assert [r["outcome"] for r in found] == ["pass", "computed early", "computed early"]


@pytest.mark.parametrize("name", ["to_numpy", "lying", "refused", "gone"])
def test_failure_carries_a_script(records: dict[str, dict[str, Any]], name: str, tmp_path: Path) -> None:
    script = records[name]["reproducer"]
    assert "conformance" not in script.replace("arrayshim.conformance.case", "")
    options: dict[str, Any] = {"text": True, "capture_output": True, "cwd": tmp_path, "timeout": 120}
    done = subprocess.run([sys.executable, "-"], input=script, **options)
    shown = done.stdout + done.stderr
    wanted = {
        "to_numpy": "chunks:   [\"<class 'numpy.ndarray'>\"]",
        "lying": "promised: <class 'numpy.ndarray'>",
        "refused": "ValueError: no <b>chunks</b> here",
        "gone": "",
    }
    assert wanted[name] in shown
    assert done.returncode == {"refused": 1, "gone": 3}.get(name, 0)


def test_numpy_passes_twice_with_the_same_records(importable: None) -> None:
    first, second = (runner.run("numpy", jobs=1, timeout=60.0, package="planted_faults") for _ in range(2))
    assert {r["outcome"] for r in first} == {"pass", "skip"}
    assert [r["case"] for r in first if r["outcome"] == "skip"] == ["planted_faults/wants more"]
    assert [{**r, "seconds": 0} for r in first] == [{**r, "seconds": 0} for r in second]


def test_fail_fast_stops(importable: None) -> None:
    found = runner.run("strict", package="planted_faults", only="honest|numpy|little", fail_fast=True)
    assert [r["outcome"] for r in found] == ["pass", "wrong chunk type"]
