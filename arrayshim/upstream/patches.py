"""The patches beside the repairs: what is in a file, and in what order the files follow one another."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from email import message_from_string
from email.message import Message
from pathlib import Path

from arrayshim.errors import ArrayshimError
from arrayshim.fix import Fix
from arrayshim.fixes import collect
from arrayshim.selection import known

#: The dask that every patch is made for. It must apply there; elsewhere it may not.
MADE_FOR = "2026.8.0"

#: What a check consists of, in the order in which it is done.
PARTS = ("patches", "series", "cases", "suite")


class UpstreamError(ArrayshimError):
    """Something that the upstream kit needs and does not find, or a patch that does not fit."""


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


def patched() -> list[Fix]:
    """The repairs that have a patch, each after those that it leans on."""
    return [fix for fix in collect().values() if fix.patch is not None]


def patch_of(fix: Fix) -> Patch:
    """The patch of a repair that has one."""
    assert fix.patch is not None
    return Patch.read(fix.patch)


def needed_by(fix_id: str) -> list[str]:
    """Ids of the repairs that one leans on, and of those that these lean on, in order."""
    fixes = collect()
    needed: set[str] = set()
    waiting = [*fixes[fix_id].after]
    while waiting:
        earlier = waiting.pop()
        needed.add(earlier)
        waiting += fixes[earlier].after
    return [name for name in fixes if name in needed]


def chosen(only: Iterable[str]) -> list[Fix]:
    """The repairs of a series: the named ones with those that they lean on, in order; every one if none is named.

    Raises
    ------
    UpstreamError
        A repair that has no patch was named.
    UnknownFixError
        An id that names no repair.
    """
    names = known(only)
    for name in names:
        fix = collect()[name]
        if fix.patch is None:
            raise UpstreamError(f"{name} has no patch: {fix.reason or 'none was written'}; leave it out")
    wanted = {*names, *(earlier for name in names for earlier in needed_by(name))}
    return [fix for fix in patched() if not names or fix.id in wanted]
