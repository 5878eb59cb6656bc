"""What was measured once and is kept as data: since when dask has a fault, which cases of the suite a repair cures.

`affected.json` is written by ``.ci/affected``, `cured.json` by ``python -m arrayshim.upstream.cured``.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from packaging.version import Version

FOLDER = Path(__file__).parent
AFFECTED, CURED, MATRIX = (FOLDER / f"{name}.json" for name in ("affected", "cured", "matrix"))

#: How many cases a list names.
MOST = 12


@cache
def read(path: Path) -> dict[str, Any]:
    """A file of data; empty where it has not been written."""
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def since(fix_id: str) -> tuple[str | None, str | None]:
    """The oldest dask that was found to have the fault, and the newest before it that was found without it."""
    faulty: list[Version] = []
    healthy: list[Version] = []
    for version, said in read(AFFECTED).get("versions", {}).items():
        word = said["found"].get(fix_id, "")
        if word in ("faulty", "healthy"):
            (faulty if word == "faulty" else healthy).append(Version(version))
    oldest = min(faulty, default=None)
    before = max((version for version in healthy if oldest is None or version < oldest), default=None)
    return (str(oldest) if oldest else None, str(before) if before else None)


def affected(fix_id: str) -> str:
    """In words, since when dask has the fault, as far as the probe could be asked."""
    oldest, before = since(fix_id)
    if oldest is None:
        return "no version was probed"
    if before is not None:
        return f"since dask {oldest}; {before} does not have the fault"
    blind = sorted((Version(v) for v in read(AFFECTED)["versions"] if Version(v) < Version(oldest)), reverse=True)
    return f"dask {oldest} and newer" + (f"; {blind[0]} and older cannot be probed" if blind else "; none older probed")


def cures(fix_id: str) -> list[str]:
    """Cases of the suite that fail in stock dask, pass with all repairs, and fail without this one."""
    return [case for case, needed in read(CURED).get("cases", {}).items() if fix_id in needed]


def operations(fix_id: str) -> list[str]:
    """The operations that these cases are about; of one without a name, its family."""
    split = (case.partition("@")[0].partition("/") for case in cures(fix_id))
    return list(dict.fromkeys(name.partition("[")[0].strip() or family for family, _, name in split))


def measured(fix_id: str) -> list[str]:
    """Lines on what the conformance suite says of a repair."""
    cases, names = cures(fix_id), operations(fix_id)
    if not read(CURED):
        return ["Which cases of the conformance suite it cures has not been measured."]
    if not cases:
        return ["No case of the conformance suite, on the stand-in, is failed by stock dask and cured by this alone."]
    shown = ", ".join(names[:MOST]) + (f" and {len(names) - MOST} more" if len(names) > MOST else "")
    return [
        f"Of the conformance suite on the stand-in, {len(cases)} cases fail in stock dask, pass with every repair, and "
        "fail",
        f"again without this one: {shown}.",
    ]
