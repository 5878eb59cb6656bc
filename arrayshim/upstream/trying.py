"""Run tests of dask, and a probe, on a dask that is not the one of this process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from subprocess import CompletedProcess
from xml.etree import ElementTree

from arrayshim.upstream.trees import Place

# The fakes of the patches' tests stand in for CuPy, so a real one must not be found.
_HIDE_CUPY = "sys.modules.update(cupy=None, cupyx=None)"

# dask's own marks are many, and of no concern here.
PYTEST_INI = """\
[pytest]
filterwarnings =
    error
    ignore::pytest.PytestUnknownMarkWarning
xfail_strict = true
"""

# The probe comes last: the tests are dask's own and must not see that arrayshim is imported.
_EXAMINE = """
import pathlib, pytest

fix_id, report, sentence, *tests = sys.argv[1:]
options = ["--noconftest", "--assert=plain", "--tb=short", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
status = pytest.main([*options, *tests]) if tests else 0

from arrayshim.fixes import collect

pathlib.Path(sentence).write_text(collect()[fix_id].diagnose() or "", encoding="utf-8")
sys.exit(status)
"""


@dataclass(frozen=True, slots=True)
class Finding:
    """What a dask was found to do.

    Parameters
    ----------
    outcomes : dict
        For each test function that ran, by node id, which of `passed`, `failed` and `skipped` its cases were.
    fault : str
        What the probe says; empty when it finds nothing wrong.
    output : str
        What pytest wrote.
    """

    outcomes: dict[str, set[str]]
    fault: str
    output: str

    def passed(self, tests: Iterable[str]) -> bool:
        """Whether every one of some test functions ran, and every case of it passed."""
        return all(self.outcomes.get(test) == {"passed"} for test in tests)


def examine(place: Place, fix_id: str, tests: Iterable[str], *, hide_cupy: bool = True) -> Finding:
    """Run test functions of a dask, then the probe of a fix, with every repair off.

    Raises
    ------
    AssertionError
        The process ended before the probe had answered; with what it wrote.
    """
    report, sentence = place.folder / "report.xml", place.folder / "probe.txt"
    for file in (report, sentence):
        file.unlink(missing_ok=True)
    (place.folder / "pytest.ini").write_text(PYTEST_INI, encoding="utf-8")
    done = run(place, _EXAMINE, fix_id, str(report), str(sentence), *tests, hide_cupy=hide_cupy)
    output = done.stdout + done.stderr
    if not sentence.is_file():
        raise AssertionError(output)
    outcomes: dict[str, set[str]] = {}
    for test, outcome in cases(report):
        outcomes.setdefault(test.partition("[")[0], set()).add(outcome)
    return Finding(outcomes, sentence.read_text(encoding="utf-8"), output)


def run(place: Place, code: str, *arguments: str, hide_cupy: bool = True) -> CompletedProcess[str]:
    """Run Python code in a process that has the dask of a place, and makes sure of it."""
    folder = str(place.folder)
    prelude = f"import os, sys; os.chdir({folder!r}); {_HIDE_CUPY if hide_cupy else ''}\n"
    prelude += f"import dask; assert dask.__file__.startswith({folder!r}), dask.__file__\n"
    return place.python("-c", prelude + code, *arguments, env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})


def cases(report: Path) -> Iterator[tuple[str, str]]:
    """Node id, parameters included, and outcome, of each case in a JUnit report; nothing where there is none."""
    if not report.is_file():
        return
    names = {"failure": "failed", "error": "failed", "skipped": "skipped"}
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.attrib["classname"].replace(".", "/") + ".py"
        outcome = next((names[child.tag] for child in case if child.tag in names), "passed")
        yield f"{file}::{case.attrib['name']}", outcome
