"""Workers are lost, replaced and stopped without the run losing a case."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arrayshim.conformance import catalogue, loading, measure, runner
from arrayshim.conformance.case import Case
from arrayshim.conformance.lane import Lane, Late, Lost, Refused
from arrayshim.conformance.layouts import Variation
from arrayshim.conformance.session import Session
from arrayshim.conformance.worker import Settings

LIBRARY = """
import os
import numpy as np
from arrayshim import strict
from arrayshim.conformance.case import Case

print("a library that talks")  # must not get among the messages
LOST = []

class backend:
    name, namespace, chunk_types = "poisoned", strict.namespace, (strict.StrictArray,)
    to_device, to_host = staticmethod(strict.to_device), staticmethod(strict.to_host)
    dtypes = ("f8",)

    @staticmethod
    def synchronize():
        if LOST:
            raise RuntimeError("the device is lost")

    @staticmethod
    def register():
        os.environ["REGISTERED_STOCK"] = "yes"


def poison(x):
    if type(getattr(x, "_meta", None)) is strict.StrictArray:
        LOST.append(x)
        raise RuntimeError("illegal address")
    return x


def loud(x):
    print("a case that talks")
    os.write(1, b"and one that writes")
    return x * 2


CASES = (
    Case(name="before", call=lambda da, b: b.x * 2),
    Case(name="poison", call=lambda da, b: poison(b.x)),
    Case(name="after", call=lambda da, b: b.x * 2),
    Case(name="loud", call=lambda da, b: loud(b.x)),
    Case(name="wide", call=lambda da, b: b.x * 2, requires=("dtype:c16",)),
    Case(name="registered", call=lambda da, b: 1 // ("REGISTERED_STOCK" in os.environ or not hasattr(b.v, "chunks")
         or type(b.v._meta).__name__ == "ndarray"), numpy=False, result="other"),
)
"""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A backend whose device can be lost, with a catalogue that loses it."""
    folder = tmp_path_factory.mktemp("library")
    (folder / "library_that_is_lost.py").write_text(LIBRARY)
    sys.path.insert(0, str(folder))
    yield "library_that_is_lost"
    sys.path.remove(str(folder))
    sys.modules.pop("library_that_is_lost", None)


@pytest.fixture(scope="module")
def records(library: str) -> dict[str, dict[str, Any]]:
    found = runner.run(f"{library}:backend", stock=True, package=library, timeout=60.0)
    return {record["case"].partition("/")[2]: record for record in found}


def test_lost_device_is_a_crash_and_the_next_case_runs(records: dict[str, dict[str, Any]]) -> None:
    assert {name: record["outcome"] for name, record in records.items()} == {
        "before": "pass",
        "poison": "crash",
        "after": "pass",
        "loud": "pass",
        "wide": "skip",
        "registered": "pass",
    }
    assert records["poison"]["message"] == "synchronize=RuntimeError: the device is lost [poison(x)]"
    assert records["wide"]["message"] == "the backend has no c16"


def test_records_have_the_fields_of_the_contract(records: dict[str, dict[str, Any]]) -> None:
    for record in records.values():
        assert list(record) == [
            "case",
            "family",
            "names",
            "outcome",
            "message",
            "seconds",
            "transfers",
            "reproducer",
            "fix",
            "checks",
        ]
        assert list(record["checks"]) == ["token", "pickle", "threads", "distributed"]
        assert bool(record["reproducer"]) == (record["outcome"] == "crash")


@pytest.fixture
def lane() -> Iterator[Lane]:
    made = Lane(Settings(backend="numpy"))
    yield made
    made.close()


def test_worker_that_ended_is_replaced_at_the_next_request(lane: Lane) -> None:
    assert lane.ask("target", timeout=60.0)["kind"] == "cpu"
    process = lane._process
    assert process is not None
    process.kill()
    process.wait()
    with pytest.raises(Lost, match="SIGKILL"):
        lane.ask("target", timeout=60.0)
    assert lane.ask("target", timeout=60.0)["kind"] == "cpu"
    with pytest.raises(Refused, match="no case is called 'nothing'"):
        lane.ask("oracle", "nothing", timeout=60.0)


def test_worker_that_is_late_is_ended(lane: Lane) -> None:
    lane.start()
    process = lane._process
    assert process is not None
    os.kill(process.pid, signal.SIGSTOP)
    with pytest.raises(Late, match=r"0\.2 s"):
        lane.ask("target", timeout=0.2)
    assert process.returncode is not None


def test_oracle_is_refused_after_the_repairs(lane: Lane) -> None:
    oracle = lane.ask("oracle", "reductions/mean", timeout=60.0)
    assert lane.ask("subject", "reductions/mean", oracle, timeout=60.0)["outcome"] == "pass"
    with pytest.raises(Refused, match="left stock dask already"):
        lane.ask("oracle", "reductions/mean", timeout=60.0)


def test_stages_follow_what_builds_on_what() -> None:
    def item(name: str, *bases: str) -> catalogue.Item:
        return catalogue.Item(Case(name=name, family="f", call=lambda da, b: b.x, builds_on=bases))

    items = [item("c", "f/b"), item("a"), item("b", "f/a"), item("d", "f/not chosen")]
    assert [[i.name for i in stage] for stage in runner._stages(items)] == [["f/a", "f/d"], ["f/b"], ["f/c"]]
    with pytest.raises(catalogue.CatalogueError, match="in a circle: f/a, f/b"):
        runner._stages([item("a", "f/b"), item("b", "f/a")])


def test_what_the_listener_raises_ends_the_run(library: str) -> None:
    class Enough(Exception):
        pass

    def listen(record: dict[str, Any]) -> None:
        raise Enough(record["case"])

    with pytest.raises(Enough, match="library_that_is_lost/before"):
        runner.run(f"{library}:backend", package=library, only="before|after", on_record=listen)


def test_user_setting_of_disabled_repairs_reaches_the_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARRAYSHIM_DISABLE", "all")
    assert Session("numpy").settings.disable == "all"
    monkeypatch.delenv("ARRAYSHIM_DISABLE")
    assert Session("numpy").settings.disable is None


@pytest.mark.skipif(os.name != "posix", reason="signals to a process")
def test_ctrl_c_ends_the_run_and_its_workers(tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import os, signal, sys, threading
        from arrayshim.conformance import runner
        from arrayshim.conformance.lane import Lane
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background ignores it
        pids = []
        start = Lane.start
        def started(self):
            start(self)
            pids.append(self._process.pid)
        Lane.start = started
        def record(found):
            os.kill(os.getpid(), signal.SIGINT)
        try:
            runner.run("numpy", only="^reductions/(mean|sum)", on_record=record)
        except KeyboardInterrupt:
            print("INTERRUPTED")
        for pid in set(pids):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                print("GONE")
        """
    )
    done = subprocess.run([sys.executable, "-c", script], text=True, capture_output=True, cwd=tmp_path, timeout=120)
    assert done.stdout.split() == ["INTERRUPTED", "GONE"], done.stderr


def test_expression_mode_tells_what_it_lacks_from_faults() -> None:
    found = runner.run("numpy", array_expr=True, only=r"^(reductions/(sum|argmin)|linalg/tsqr)$", timeout=60.0)
    told = {record["case"]: (record["outcome"], record["message"]) for record in found}
    assert told["reductions/sum"] == ("pass", "")
    assert told["reductions/argmin"][0] == "skip"
    assert told["reductions/argmin"][1].startswith("NumPy-backed dask in expression mode=NotImplementedError")
    assert told["linalg/tsqr"][0] == "skip"
    assert "in expression mode has no linalg.tsqr" in told["linalg/tsqr"][1]


def test_where_dask_is_unlike_numpy_either_is_right() -> None:
    row = catalogue.Item(catalogue.find("reductions/mean").case, Variation("f4", "zero"), like_numpy=False)
    found = measure.oracle(row)
    assert found.plain is not None
    odd = replace(found, plain=[(path, value + 1) for path, value in found.plain])
    numpy = loading.load("numpy")
    assert measure.subject(row, numpy, odd)["outcome"] == "pass"
    assert measure.subject(replace(row, like_numpy=True), numpy, odd)["outcome"] == "wrong value"
    odd.stock.parts[0].value += 2
    assert measure.subject(row, numpy, odd)["outcome"] == "wrong value"
