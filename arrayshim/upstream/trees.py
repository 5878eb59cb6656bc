"""A dask in a git repository of its own, to which patches are applied, and processes that run on it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from arrayshim.upstream.patches import Patch, UpstreamError

#: The folder that holds arrayshim; None where it is installed, and is found without being told.
HOME = next((p for p in [Path(__file__).resolve().parents[2]] if "site-packages" not in p.parts), None)

#: Variables that say how this process runs, and must not say so of others.
_OURS = ("PYTEST_", "DASK_", "COV_", "ARRAYSHIM_", "GIT_")


def environment(*first: Path, **more: str) -> dict[str, str]:
    """Variables for a process that imports from some folders first, and then arrayshim, with every repair off."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    path = os.pathsep.join(map(str, [*first, *([HOME] if HOME else [])]))
    return {**kept, "PYTHONPATH": path, "ARRAYSHIM_DISABLE": "all", "PYTHONDONTWRITEBYTECODE": "1", **more}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a dask is, and what runs on it, with every repair of arrayshim off.

    Parameters
    ----------
    folder : pathlib.Path
        It holds `dask/` and its metadata.
    executable : pathlib.Path, optional
        The Python of the environment that it is installed in; left out, this Python runs with the folder on its path.
    """

    folder: Path
    executable: Path | None = None

    @property
    def command(self) -> str:
        """The Python."""
        return str(self.executable or sys.executable)

    def environment(self, *first: Path, **more: str) -> dict[str, str]:
        """Variables for a process of that Python, which imports from some folders first."""
        return environment(*first, *([] if self.executable else [self.folder]), **more)

    def python(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run that Python."""
        command, variables = [self.command, *arguments], self.environment(**(env or {}))
        return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def git_environment(folder: Path) -> dict[str, str]:
    """Nobody's settings, no repository above a folder; one author and time, so that equal series are equal files."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    who = {"NAME": "arrayshim developers", "EMAIL": "arrayshim@example.invalid", "DATE": "2026-01-01T00:00:00+00:00"}
    named = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER") for what, value in who.items()}
    return {**kept, **named, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_EDITOR": "true"} | {
        "GIT_CEILING_DIRECTORIES": str(folder.parent)
    }


@dataclass(frozen=True, slots=True)
class Tree:
    """A dask under git.

    Parameters
    ----------
    folder : pathlib.Path
        It holds `dask/` and its metadata.
    """

    folder: Path

    @classmethod
    def of(cls, folder: Path) -> Tree:
        """Put what is in a folder under git, as one commit.

        Raises
        ------
        UpstreamError
            There is no git.
        """
        if shutil.which("git") is None:
            raise UpstreamError("git is not installed, and the patches are made for it; install git")
        tree = cls(folder)
        for command in (("init", "-q"), ("add", "-A", "-f"), ("commit", "-q", "-m", "dask, as it was released")):
            tree.git(*command)
        return tree

    def git(self, *arguments: str) -> str:
        """Run git in the folder, and nowhere above it; gives what it wrote.

        Raises
        ------
        UpstreamError
            With what git said.
        """
        settings = ("-c", "core.autocrlf=false", "-c", "gc.auto=0", "-c", f"safe.directory={self.folder}")
        done = subprocess.run(
            ["git", *settings, *arguments],
            cwd=self.folder,
            env=git_environment(self.folder),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )
        if done.returncode:
            # Advice is about a working tree that will be gone.
            lines = [line for line in (done.stderr or done.stdout).splitlines() if not line.startswith("hint:")]
            said = " ".join(" ".join(lines).split())
            raise UpstreamError(f"git {arguments[0]}: {said[:600]}")
        return done.stdout

    def beside(self, folder: Path) -> Tree:
        """Another working tree of the first commit, in a folder that is made here."""
        first = self.git("rev-list", "--max-parents=0", "HEAD").split()[0]
        self.git("worktree", "add", "-q", "--detach", str(folder), first)
        return Tree(folder)

    def am(self, patch: Patch) -> None:
        """Commit a patch on top.

        Raises
        ------
        UpstreamError
            It does not apply; nothing of it is left.
        """
        try:
            self.git("am", "-q", "-3", "--whitespace=error", str(patch.path))
        except UpstreamError as refusal:
            self.git("am", "--abort")
            raise UpstreamError(f"{patch.path.name} does not apply: {refusal}") from None

    def apply(self, patch: Patch, *options: str) -> None:
        """Apply a patch, or the part of it that `options` of `git apply` select, without a commit.

        Raises
        ------
        UpstreamError
            It does not apply.
        """
        try:
            self.git("apply", "--whitespace=error", *options, str(patch.path))
        except UpstreamError as refusal:
            raise UpstreamError(f"{patch.path.name} does not apply: {refusal}") from None

    def formatted(self, commit: str = "HEAD") -> str:
        """A commit as `git am` takes it, the same in every repository."""
        options = ("--stdout", "--zero-commit", "--no-signature", "--no-numbered", "--abbrev=10")
        return self.git("format-patch", *options, "-1", commit)

    def python(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
        """Run Python on this dask, with every repair of arrayshim off."""
        return self.place.python(*arguments, env=env)

    @property
    def place(self) -> Place:
        """This dask where it is, on the path of a process."""
        return Place(self.folder)
