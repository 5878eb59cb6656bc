"""What `arrayshim upstream check` is asked for, held against what there is before anything is fetched or run."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from arrayshim.upstream import sources, suite
from arrayshim.upstream.patches import MADE_FOR, PARTS, UpstreamError, chosen

#: What processes of the check import, besides what arrayshim does, and the parts that do so; the probes are always run.
NEEDED = {"pytest": {"patches", "series", "suite"}, "scipy": {*PARTS}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What was asked for on the command line; see there."""

    dask: str = MADE_FOR
    only: tuple[str, ...] = ()
    parts: tuple[str, ...] = PARTS
    cases: str = ""
    shard: tuple[int, int] = (1, 1)
    jobs: int = 1
    json_file: Path | None = None
    record: bool = False


def early(request: Request) -> None:
    """Refuse what can be seen to be wrong before a dask is fetched.

    Raises
    ------
    UpstreamError
        A repair has no patch; no such dask; no case; something that is needed is not installed.
    UnknownFixError
        An id that names no repair.
    """
    chosen(request.only)
    if sources.is_version(request.dask):
        _of_version(request, request.dask)
    else:
        sources.look(request.dask)
    missing = missing_of(name for name, parts in NEEDED.items() if parts & set(request.parts))
    if missing:
        raise UpstreamError(f"check needs {' and '.join(missing)}, not installed here; pip install {' '.join(missing)}")
    if request.cases and "cases" in request.parts:
        _some_case(request.cases)
    if request.json_file is not None:
        _writable(request.json_file)


def missing_of(names: Iterable[str]) -> list[str]:
    """Those of some modules that are not installed."""
    return [name for name in names if find_spec(name) is None]


def late(request: Request, version: str, folder: Path) -> None:
    """Refuse what only the dask that was fetched shows to be wrong.

    Raises
    ------
    UpstreamError
        A part or an option that this version has not; a part of its tests that has none.
    """
    _of_version(request, version)
    if "suite" in request.parts and not suite.files_of(folder, request.shard):
        number = len(suite.files_of(folder))
        hint = f"it has {number}; give I/N with N <= {number}" if number else "it came without; leave the part out"
        raise UpstreamError(f"--shard {'/'.join(map(str, request.shard))} has no test file of this dask: {hint}")


def _of_version(request: Request, version: str) -> None:
    if version == MADE_FOR:
        if request.record:
            raise UpstreamError(f"--record is for another dask than {MADE_FOR}; .ci/matrix records its columns")
        if shutil.which("git") is None:
            raise UpstreamError("git is not installed, and the patches are made for it; install git")
        return
    if request.only:
        raise UpstreamError(
            f"--only chooses patches, which are made for dask {MADE_FOR}; of dask {version} all is looked at, "
            "so leave it out"
        )
    if not {"cases", "suite"} & set(request.parts):
        raise UpstreamError(
            f"--part {request.parts[0]} is of the patches, which are made for dask {MADE_FOR}; for dask {version} "
            "there are cases and suite"
        )


def _some_case(pattern: str) -> None:
    from arrayshim.conformance import catalogue

    if not any(re.search(pattern, item.name) for item in catalogue.items()):
        raise UpstreamError(
            f"--cases {pattern!r} is found in no case; the names stand in the results of `arrayshim conformance`"
        )


def _writable(path: Path) -> None:
    before = path.exists()
    try:
        with path.open("a", encoding="utf-8"):
            pass
        if not before:
            path.unlink()
    except OSError as error:
        raise UpstreamError(f"{path} cannot be written: {error.strerror or error}") from None
