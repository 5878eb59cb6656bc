"""What the proof of the upstream patches needs: a copy of the installed dask, and `git apply`."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.metadata import distribution
from pathlib import Path

from arrayshim.upstream import trying
from arrayshim.upstream.patches import MADE_FOR, Patch
from arrayshim.upstream.trees import Place
from arrayshim.upstream.trying import Finding

__all__ = ["MADE_FOR", "PATCHES", "DaskCopy", "DoesNotApplyError", "Finding", "Patch"]

ROOT = Path(__file__).resolve().parents[1]
PATCHES = sorted((ROOT / "arrayshim" / "fixes").glob("*.patch"))


class DoesNotApplyError(Exception):
    """`git apply` refused; the message is its own."""


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

    def run(self, code: str) -> subprocess.CompletedProcess[str]:
        """Run Python code in a process of its own that has this dask, and no repair of arrayshim."""
        return trying.run(Place(self.folder), code)

    def examine(self, fix_id: str, tests: Iterable[str], *, hide_cupy: bool = True) -> Finding:
        """Run test functions of dask, then the probe of a fix."""
        return trying.examine(Place(self.folder), fix_id, tests, hide_cupy=hide_cupy)
