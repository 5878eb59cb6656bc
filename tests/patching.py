"""What the proof of the upstream patches needs: a copy of the installed dask, `git apply`, processes that run on it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from importlib.metadata import distribution
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parents[1]
PATCHES = sorted((ROOT / "arrayshim" / "fixes").glob("*.patch"))

#: The dask that every patch is made for. It must apply there; elsewhere it may not.
MADE_FOR = "2026.8.0"

# The fakes of the patches' tests stand in for CuPy, so a real one must not be found.
HIDE_CUPY = "sys.modules.update(cupy=None, cupyx=None)"

# dask's own marks are many, and of no concern here.
PYTEST_INI = """\
[pytest]
filterwarnings =
    error
    ignore::pytest.PytestUnknownMarkWarning
xfail_strict = true
"""

# The probe comes last: the tests are dask's own and must not see that arrayshim is imported.
EXAMINE = """
import pathlib, pytest

fix_id, report, sentence, *tests = sys.argv[1:]
options = ["--noconftest", "--assert=plain", "--tb=short", "-q", "-p", "no:cacheprovider", f"--junitxml={report}"]
status = pytest.main([*options, *tests])

from arrayshim.fixes import collect

pathlib.Path(sentence).write_text(collect()[fix_id].diagnose() or "", encoding="utf-8")
sys.exit(status)
"""


class DoesNotApplyError(Exception):
    """`git apply` refused; the message is its own."""


@dataclass(frozen=True, slots=True)
class Patch:
    """A patch file, read.

    Parameters
    ----------
    path : pathlib.Path
        The file.
    text : str
        Its content.
    """

    path: Path
    text: str

    @classmethod
    def read(cls, path: Path) -> Patch:
        """Read a file written by `git format-patch`."""
        return cls(path, path.read_text(encoding="utf-8"))

    @property
    def header(self) -> Message:
        """Sender, date and subject; the payload is the body."""
        return message_from_string(self.text.partition("\n")[2])

    @property
    def fields(self) -> dict[str, str]:
        """The DEP-3 fields: the last paragraph of the description."""
        paragraph = self.text.partition("\n---\n")[0].rstrip().rpartition("\n\n")[2]
        pairs = (line.partition(": ") for line in paragraph.splitlines())
        return {name: value for name, _, value in pairs}

    @property
    def files(self) -> list[str]:
        """Every path that the patch writes, relative to the root of dask's repository."""
        return re.findall(r"^\+\+\+ b/(.+)$", self.text, flags=re.MULTILINE)

    def added_tests(self, *, gpu: bool) -> list[str]:
        """Node ids of the test functions that the patch adds: those that need a GPU, or those that do not."""
        return [test for test in self._tests("+") if is_for_gpu(test) == gpu and test not in self._tests("-")]

    def changed_tests(self) -> list[str]:
        """Node ids of the test functions that the patch gives another signature."""
        return [test for test in self._tests("+") if not is_for_gpu(test) and test in self._tests("-")]

    def _tests(self, sign: str) -> list[str]:
        found: list[str] = []
        for part in re.split(r"^diff --git a/", self.text, flags=re.MULTILINE)[1:]:
            file = part.partition(" ")[0]
            found += [f"{file}::{name}" for name in re.findall(rf"^[{sign}]def (test_\w+)", part, flags=re.MULTILINE)]
        return found


def is_for_gpu(test: str) -> bool:
    """Whether a test of dask is in a file that needs CuPy."""
    return "/test_cupy_" in test


@dataclass(frozen=True, slots=True)
class Finding:
    """What a copy of dask was found to do.

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


@dataclass(frozen=True, slots=True)
class DaskCopy:
    """A copy of the installed dask that may be changed.

    Parameters
    ----------
    folder : pathlib.Path
        What goes into `PYTHONPATH`: it holds `dask/` and its metadata.
    """

    folder: Path

    @classmethod
    def into(cls, folder: Path) -> DaskCopy:
        """Copy the package with its tests, and its metadata, so that versions and entry points are found."""
        installed = distribution("dask")
        metadata = {file.parts[0] for file in installed.files or () if file.parts[0].endswith(".dist-info")}
        for name in ("dask", *metadata):
            shutil.copytree(str(installed.locate_file(name)), folder / name)
        (folder / "pytest.ini").write_text(PYTEST_INI, encoding="utf-8")
        return cls(folder)

    def apply(self, patch: Patch, *options: str) -> None:
        """Apply a patch, or the part of it that `options` of `git apply` select.

        Raises
        ------
        DoesNotApplyError
            When it does not fit.
        """
        # The folder may lie in somebody's repository; neither that nor anybody's settings are to matter.
        environment = os.environ | {
            "GIT_CEILING_DIRECTORIES": str(self.folder.parent),
            "GIT_CONFIG_GLOBAL": os.devnull,
            "GIT_CONFIG_NOSYSTEM": "1",
        }
        done = subprocess.run(
            ["git", "apply", "--whitespace=error", *options, str(patch.path)],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise DoesNotApplyError(f"{patch.path.name}: {done.stderr.strip()}")

    def run(self, code: str, *arguments: str, hide_cupy: bool = True) -> subprocess.CompletedProcess[str]:
        """Run Python code in a process of its own that has this dask, and no repair of arrayshim."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "DASK_", "COV_"))}
        environment = kept | {
            "PYTHONPATH": os.pathsep.join([str(self.folder), str(ROOT)]),
            "ARRAYSHIM_DISABLE": "all",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }
        prelude = f"import sys; {HIDE_CUPY if hide_cupy else ''}\n"
        prelude += f"import dask; assert dask.__file__.startswith({str(self.folder)!r}), dask.__file__\n"
        return subprocess.run(
            [sys.executable, "-c", prelude + code, *arguments],
            cwd=self.folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )

    def examine(self, fix_id: str, tests: Iterable[str], *, hide_cupy: bool = True) -> Finding:
        """Run test functions of dask, then the probe of a fix."""
        report, sentence = self.folder / "report.xml", self.folder / "probe.txt"
        for file in (report, sentence):
            file.unlink(missing_ok=True)
        done = self.run(EXAMINE, fix_id, str(report), str(sentence), *tests, hide_cupy=hide_cupy)
        output = done.stdout + done.stderr
        assert sentence.is_file(), output
        outcomes: dict[str, set[str]] = {}
        for test, outcome in _outcomes(report):
            outcomes.setdefault(test, set()).add(outcome)
        return Finding(outcomes, sentence.read_text(encoding="utf-8"), output)


def _outcomes(report: Path) -> Iterator[tuple[str, str]]:
    """Node id without parameters, and outcome, of each case in a JUnit report."""
    names = {"failure": "failed", "error": "failed", "skipped": "skipped"}
    for case in ElementTree.parse(report).iter("testcase"):
        file = case.attrib["classname"].replace(".", "/") + ".py"
        outcome = next((names[child.tag] for child in case if child.tag in names), "passed")
        yield f"{file}::{case.attrib['name'].partition('[')[0]}", outcome
