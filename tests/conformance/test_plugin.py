"""The cases as pytest items, collected from a folder that has nothing to do with the suite."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

PLUGINS = ("arrayshim.conformance.plugin", "no:cacheprovider", "no:randomly", "no:xdist")
COMMAND = [option for plugin in PLUGINS for option in ("-p", plugin)]
COMMAND += ["-c", "/dev/null", "--rootdir", ".", "-q", "--pyargs", "arrayshim.conformance"]
STOCK = ("--shim-backend", "strict", "--shim-stock", "--shim-level", "quick")


def run(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Pytest in a folder of its own."""
    command = [sys.executable, "-m", "pytest", *COMMAND, *options]
    return subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=300)


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    done = run(tmp_path_factory.mktemp("elsewhere"), "--shim-backend", "numpy", "--collect-only")
    assert done.returncode == 0, done.stdout + done.stderr
    return [line for line in done.stdout.splitlines() if "::" in line]


def test_all_cases_are_items(collected: list[str]) -> None:
    from arrayshim.conformance import catalogue

    assert len(collected) == len(catalogue.items())
    assert any(line.endswith("reductions.py::mean") for line in collected)


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Of a few items on stock dask with strict chunks: kind and text, by name."""
    folder = tmp_path_factory.mktemp("stock")
    chosen = "reductions.py and (mean or average) and not nan and not moment"
    done = run(folder, *STOCK, "-k", chosen, "--junit-xml=out.xml")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found = {}
    for case in ElementTree.parse(folder / "out.xml").iter("testcase"):
        child = next((c for c in case if c.tag in ("failure", "skipped", "error")), None)
        found[case.get("name")] = ("passed", "") if child is None else (child.tag, child.text or "")
    return found


def test_a_case_that_passes_is_an_item_that_passes(outcomes: dict[str, Any]) -> None:
    assert outcomes["mean"] == ("passed", "")


def test_a_time_limit_that_no_clock_has_is_told(tmp_path: Path) -> None:
    done = run(tmp_path, "--shim-backend", "numpy", "--shim-timeout", "nan")
    assert done.returncode == 4
    assert "--shim-timeout: nan seconds, expected more than 0" in done.stdout + done.stderr


def test_backend_must_be_named(tmp_path: Path) -> None:
    done = run(tmp_path)
    assert done.returncode == 4
    assert "--shim-backend is missing" in done.stdout + done.stderr


def test_unknown_backend_is_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, "--shim-backend", "nothing")
    assert done.returncode == 4
    assert "backend 'nothing'" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


KNOWN = """
[[expected]]
cases = ["sets/unique"]
outcome = "error"
reason = "unique asks for a structured array"
link = "https://example.org/1"

[[expected]]
cases = ["reductions/mean"]
outcome = "error"
reason = "is cured"
link = "https://example.org/2"

[[expected]]
cases = ["sorting/argtopk"]
outcome = "wrong value"
reason = "is another fault"
link = "https://example.org/3"
"""


@pytest.fixture(scope="module")
def held_against_known(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Output of a run with known failures of our own making."""
    folder = tmp_path_factory.mktemp("known")
    (folder / "known.toml").write_text(KNOWN)
    (folder / "with_known.py").write_text(
        "from pathlib import Path\n"
        "from arrayshim.conformance import known\n"
        "known.path_of = lambda *args, **kwargs: Path('known.toml').absolute()\n"
    )
    chosen = "(sets.py and unique) or (sorting.py and argtopk and not Array) or (reductions.py and mean and not nan)"
    return run(folder, "-p", "with_known", *STOCK, "-k", chosen, "-rA").stdout


def test_known_failure_is_an_expected_one(held_against_known: str) -> None:
    assert "sets.py::unique - unique asks for a structured array (https://example.org/1)" in held_against_known
    assert "FAILED" in held_against_known


def test_known_failure_that_passes_fails(held_against_known: str) -> None:
    assert "[XPASS(strict)] is cured (https://example.org/2)" in held_against_known


def test_known_failure_that_fails_otherwise_fails_with_its_script(held_against_known: str) -> None:
    assert "It can be reproduced so:" in held_against_known
    assert "result = da.argtopk(" in held_against_known


def test_known_failures_of_ones_own(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(KNOWN)
    done = run(tmp_path, *STOCK, "--shim-known", "mine.toml", "-k", "sets.py and unique and not union", "-rA")
    assert "sets.py::unique - unique asks for a structured array (https://example.org/1)" in done.stdout


def test_known_failures_that_are_not_there_are_one_line(tmp_path: Path) -> None:
    done = run(tmp_path, *STOCK, "--shim-known", "none.toml")
    assert done.returncode == 4
    assert "none.toml" in done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr
