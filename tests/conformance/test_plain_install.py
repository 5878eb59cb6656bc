"""The suite where only what arrayshim depends on is installed: nothing that dask or a case may use besides."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

#: As `sitecustomize`, it hides libraries from every process of a run, workers among them.
WITHOUT = """
import importlib.machinery

HIDDEN = {"scipy", "pandas", "sparse", "distributed", "h5py", "zarr", "numba"}
find_spec = importlib.machinery.PathFinder.find_spec
importlib.machinery.PathFinder.find_spec = lambda name, path=None, target=None: (
    None if name.partition(".")[0] in HIDDEN else find_spec(name, path, target)
)
"""
NAMES = """
from arrayshim.conformance import names

found = names.derive()
assert set(found) == set(names.baseline()["names"]), set(found) ^ set(names.baseline()["names"])
assert not names.added(found)
"""


def run(folder: Path, *command: str) -> str:
    """What a Python prints that finds none of these libraries."""
    (folder / "sitecustomize.py").write_text(WITHOUT)
    path = os.pathsep.join([str(folder), *filter(None, sys.path)])
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_names_are_the_same_without_scipy(tmp_path: Path) -> None:
    # dask.array.stats cannot be imported there
    run(tmp_path, "-W", "ignore", "-c", NAMES)


def test_a_run_ends_as_known_and_says_what_is_missing(tmp_path: Path) -> None:
    # one that passes, one that needs SciPy, one that needs it too and is known to fail with it
    chosen = r"^(reductions/mean|stats/skew|linalg/inv\[bad singular\])$"
    command = ["-m", "arrayshim", "conformance", "--backend", "strict", "--only", chosen, "--jobs", "1"]
    said = run(tmp_path, *command)
    assert "3 cases: 1 pass, 2 skip" in said
    assert "2 skipped: scipy is not installed" in said
    assert "All is as known." in said
