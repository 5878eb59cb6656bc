"""The command line: what it prints, and its exit status."""

from __future__ import annotations

import errno
import importlib.util
import json
import subprocess
import sys
import types

import click
import dask
import numpy as np
import pytest
from click.testing import CliRunner

import arrayshim
from arrayshim import cli
from arrayshim.conformance.benchmarks import demo, workload
from arrayshim.conformance.benchmarks.records import Row
from arrayshim.errors import BackendError


def run(*args):
    result = CliRunner().invoke(cli.main, args)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args):
    """The one line of a mistake."""
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("arrayshim: ")
    return line


def small(*args):
    return run("demo", "--size", "40", "--ops", "sum", "--legs", "cpu-single", *args)


def test_version():
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.split() == [
        *("arrayshim", arrayshim.__version__, "(dask", f"{dask.__version__},", "numpy", f"{np.__version__})")
    ]


@pytest.mark.parametrize("args", [[], ["--help"], ["-h"]])
def test_help_names_the_commands(args):
    result = run(*args)
    assert result.exit_code == 0
    assert {"demo", "status", "explain"} <= set(result.stdout.split())


@pytest.mark.parametrize("command", ["demo", "status", "explain"])
def test_every_option_has_help(command):
    assert run(command, "--help").exit_code == 0
    for option in cli.main.commands[command].params:
        assert isinstance(option, click.Argument) or option.help


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["nothing"], "nothing"),
        (["--nothing"], "--nothing"),
        (["explain"], "ID"),
        (["status", "extra"], "extra"),
        (["status", "--json", "/no/such/folder/x.json"], "--json"),
        (["demo", "extra"], "extra"),
        (["demo", "--size", "many"], "--size"),
        (["demo", "--size", "1"], "--size"),
        (["demo", "--size", "-4"], "--size"),
        (["demo", "--size", "4.5"], "--size"),
        (["demo", "--chunks", "0"], "--chunks"),
        (["demo", "--size", "500000", "--chunks", "10"], "--chunks"),
        (["demo", "--size", "9999999999"], "--size"),
        (["demo", "--chunks", "9000000"], "--chunks"),
        (["demo", "--seed", "-1"], "--seed"),
        (["demo", "--seed", "4294967296"], "--seed"),
        (["demo", "--ops", "sum,median"], "--ops"),
        (["demo", "--ops", ""], "--ops"),
        (["demo", "--legs", "cpu"], "--legs"),
        (["demo", "--price", "cheap"], "--price"),
        (["demo", "--price", "gpu="], "--price"),
        (["demo", "--price", "card=1"], "--price"),
        (["demo", "--price", "=1"], "--price"),
        (["demo", "--price", "-1"], "--price"),
        (["demo", "--price", "nan"], "--price"),
        (["demo", "--price", "inf"], "--price"),
        (["demo", "--price", "1,"], "--price"),
        (["demo", "--json", "/no/such/folder/x.json"], "--json"),
        (["demo", "--json", "/"], "--json"),
        (["demo", "--plot", "bars.pdf"], "--plot"),
        (["demo", "--plot", "bars"], "--plot"),
        (["demo", "--plot", "/no/such/folder/bars.png"], "--plot"),
    ],
)
def test_a_mistake_is_one_line_that_names_it(args, named, monkeypatch):
    def measured(*args):
        raise AssertionError("something has run")

    monkeypatch.setattr(demo, "_measure_leg", measured)
    assert named in refused(*args)


def test_no_leg_can_run_here(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", None)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert refused("demo", "--legs", "gpu") == "arrayshim: --legs: none can run here; gpu: CuPy is not installed"


def test_plot_without_matplotlib(monkeypatch, tmp_path):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name, *a: None if name == "matplotlib" else find(name, *a))
    assert "pip install 'arrayshim[plot]'" in refused("demo", "--plot", str(tmp_path / "bars.png"))


@pytest.mark.parametrize(
    ("args", "prices"),
    [
        ([], {}),
        (["2.5"], {"": 2.5}),
        (["gpu=2.5,cpu-threads=0.4"], {"gpu": 2.5, "cpu-threads": 0.4}),
        (["gpu=2.5", "cpu-threads = 0"], {"gpu": 2.5, "cpu-threads": 0.0}),
        (["1", "gpu=2.5"], {"": 1.0, "gpu": 2.5}),
        (["1,2"], {"": 2.0}),
    ],
)
def test_prices(args, prices, monkeypatch):
    seen = []
    monkeypatch.setattr(demo, "run", lambda report: seen.append(report.request))
    assert run("demo", *[part for price in args for part in ("--price", price)]).exit_code == 0
    assert seen[0].prices == prices


def test_names_come_in_the_order_of_the_table(monkeypatch):
    seen = []
    monkeypatch.setattr(demo, "run", lambda report: seen.append(report.request))
    run("demo", "--ops", " var, sum,var", "--legs", "gpu,cpu-single", "--size", "10", "--chunks", "5", "--seed", "3")
    (request,) = seen
    assert (request.ops, request.legs) == (("sum", "var"), ("cpu-single", "gpu"))
    assert (request.size, request.chunks, request.seed) == (10, 5, 3)


def test_demo_prints_its_table_and_writes_its_files(tmp_path):
    pytest.importorskip("matplotlib")
    files = tmp_path / "out.json", tmp_path / "bars.svg"
    result = small("--json", str(files[0]), "--plot", str(files[1]), "--price", "2.5")
    assert (result.exit_code, result.stderr) == (0, "")
    (line,) = [line for line in result.stdout.splitlines() if "cpu-single" in line]
    assert line.split()[-1] == "ok"
    (row,) = json.loads(files[0].read_text())["rows"]
    assert (row["op"], row["expected"], row["stderr"]) == ("sum", 4400.0, 20.0)
    assert row["cost_2tb"] == pytest.approx(2.5 * row["estimate_2tb_s"] / 3600)
    assert files[1].stat().st_size > 1000


def test_demo_with_a_wrong_value_exits_1(monkeypatch):
    wrong = types.SimpleNamespace(normal=lambda *args, size, chunks: dask.array.zeros(size, chunks=chunks))
    monkeypatch.setattr(workload, "random_state", lambda seed, like: wrong)
    result = small()
    assert result.exit_code == 1
    assert "WRONG" in result.stdout


def test_interrupted_demo_shows_and_writes_what_it_has(tmp_path, monkeypatch):
    def interrupted(report):
        blank = dict.fromkeys(Row.__slots__, None)
        known = {"leg": "cpu-single", "op": "sum", "workers": 1, "threads": 1, "verdict": "ok"}
        report.rows.append(Row(**blank | known))
        raise KeyboardInterrupt

    monkeypatch.setattr(demo, "run", interrupted)
    file = tmp_path / "out.json"
    result = small("--json", str(file))
    assert result.exit_code == 130
    assert "cpu-single" in result.stdout
    assert "interrupted" in result.stdout
    data = json.loads(file.read_text())
    assert data["interrupted"] is True
    assert [row["op"] for row in data["rows"]] == ["sum"]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError(errno.ENOSPC, "No space left on device"), "No space left on device; make room, or write elsewhere"),
        (EOFError("Compressed file ended early"), "Compressed file ended early; give a whole one"),
        (EOFError(), "a file is cut off; give a whole one"),
    ],
)
def test_a_full_disk_and_a_file_that_is_cut_off_are_one_line(monkeypatch, error, told):
    def fails():
        raise error

    monkeypatch.setattr(arrayshim, "status", fails)
    result = run("status")
    assert result.exit_code == 2
    assert [line for line in result.stderr.splitlines() if line] == [f"arrayshim: {told}"]


def test_interruption_elsewhere_is_130_without_a_traceback(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(arrayshim, "status", interrupted)
    result = run("status")
    assert result.exit_code == 130
    assert result.stderr.strip() == ""


def test_our_errors_are_one_line(monkeypatch):
    def broken():
        raise BackendError("found x\nexpected y")

    monkeypatch.setattr(arrayshim, "status", broken)
    assert refused("status") == "arrayshim: found x expected y"


def test_status_lists_every_repair(tmp_path):
    file = tmp_path / "status.json"
    result = run("status", "--json", str(file))
    assert (result.exit_code, result.stderr) == (0, "")
    data = json.loads(file.read_text())
    found = arrayshim.status()
    assert [item["id"] for item in data] == [item.id for item in found]
    assert len(found) >= 1
    for item in found:
        (line,) = [line for line in result.stdout.splitlines() if line.split()[:1] == [item.id]]
        assert item.title in line
        assert item.state in line
        assert (item.issue or " - ") in line


def test_explain():
    known = arrayshim.status()[0].id
    result = run("explain", known)
    assert result.exit_code == 0
    assert result.stdout == arrayshim.explain(known) + "\n"
    assert "nosuch" in refused("explain", "nosuch")


def test_a_wrong_id_is_told_the_nearest():
    line = refused("explain", "einsum_cast")
    assert "no fix is called 'einsum_cast'; the nearest are einsum_casting, " in line
    assert line.endswith("; `arrayshim status` lists all")
    assert line.count(", ") == 2
    assert len(refused("explain", "nope")) < 160


def test_status_fits_a_terminal(monkeypatch):
    from rich import console

    monkeypatch.setattr(console.Console, "is_terminal", True)
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    lines = run("status").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    words = [line.split()[0] for line in lines if line.strip()]
    assert {item.id for item in arrayshim.status()} <= set(words)


def test_the_command_line_imports_little():
    heavy = {"rich", "distributed", "matplotlib", "cupy", "scipy", "arrayshim.conformance"}
    loaded = []
    for module in ("arrayshim.cli", "dask.array"):
        code = f"import sys, {module}; print(*{heavy} & set(sys.modules))"
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        loaded.append(set(done.stdout.split()))
    assert loaded[0] <= loaded[1]


def test_module_is_the_command():
    done = subprocess.run([sys.executable, "-m", "arrayshim", "explain"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == ["arrayshim: Missing argument 'ID'."]
