"""The demo on a local cluster: in a process of its own, interrupted, and with operations that raise."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import dask.array as da
import pytest

from arrayshim.conformance.benchmarks import workload
from arrayshim.conformance.benchmarks.legs import LEGS
from arrayshim.conformance.benchmarks.sizing import Slots

pytest.importorskip("distributed")

INTERRUPTED = """
import os, signal, threading
from arrayshim.cli import main
from arrayshim.conformance.benchmarks.progress import LegBar

def tasks(bar, done, total):
    # Only a cluster reports from another thread than the main one. Ctrl-C reaches the whole process group.
    if done == 1 and threading.current_thread() is not threading.main_thread():
        os.killpg(os.getpgrp(), signal.SIGINT)

LegBar.tasks = tasks
main(ARGUMENTS)
"""


def test_all_cpu_legs_in_a_process_of_their_own(tmp_path):
    file = tmp_path / "out.json"
    command = [sys.executable, "-m", "arrayshim", "demo", "--size", "400", "--ops", "sum,argmax", "--json", str(file)]
    command += ["--legs", "cpu-single,cpu-threads,cpu-cluster"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    data = json.loads(file.read_text())
    assert [(row["leg"], row["op"], row["verdict"]) for row in data["rows"]] == [
        (leg, op, "ok") for leg in ("cpu-single", "cpu-threads", "cpu-cluster") for op in ("sum", "argmax")
    ]
    for row in data["rows"]:
        assert row["chunk_type"] == "numpy.ndarray"
        assert row["seconds"] > 0
        assert row["peak_rss_bytes"] > 2**20
    table = done.stdout.splitlines()
    assert len([line for line in table if line.split()[-1:] == ["ok"]]) == 6


def test_a_cluster_counts_its_tasks_and_passes_errors_on(capfd):
    pytest.importorskip("distributed")
    shown = []
    with LEGS["cpu-cluster"].open(Slots(1, 2)) as session:
        session.warm_up(["sum"], 1, 16)
        y = workload.thinned(workload.random_state(1, "numpy"), 80, 20)
        value = session.compute(y.sum(), lambda done, total: shown.append((done, total)))
        assert float(value) == pytest.approx(float(y.sum().compute(scheduler="synchronous")))
        done, total = shown[-1]
        assert done == total == len(shown) >= 16
        with pytest.raises(ZeroDivisionError):
            session.compute(da.ones(3, chunks=3).map_blocks(lambda chunk: 1 // 0, dtype=float), shown.append)
        assert session.peak_rss() > 2**20
    assert capfd.readouterr().err == ""


@pytest.mark.skipif(not hasattr(os, "killpg") or not hasattr(signal, "pthread_sigmask"), reason="needs POSIX signals")
def test_ctrl_c_during_the_cluster_leg_keeps_the_rows_and_is_quiet(tmp_path):
    file = tmp_path / "out.json"
    arguments = ["demo", "--size", "400", "--ops", "sum", "--legs", "cpu-single,cpu-cluster", "--json", str(file)]
    code = INTERRUPTED.replace("ARGUMENTS", repr(arguments))
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
        start_new_session=True,
    )
    assert (done.returncode, done.stderr) == (130, "")
    assert "interrupted" in done.stdout
    data = json.loads(file.read_text())
    assert data["interrupted"] is True
    assert [(row["leg"], row["op"], row["verdict"]) for row in data["rows"]] == [("cpu-single", "sum", "ok")]
