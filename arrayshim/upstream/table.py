"""The table of repairs that a maintainer would want: on a terminal, and as the page `conformance/results/REPAIRS.md`.

``python -m arrayshim.upstream.table`` writes the page anew.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from arrayshim.fixes import collect
from arrayshim.upstream import records
from arrayshim.upstream.sheets import fault_of

COLUMNS = (
    "repair",
    "fault",
    "cases cured",
    "operations cured",
    "versions affected",
    "upstream issue",
    "forwarded",
    "applied upstream",
    "patch file",
    "why no patch",
)

Row = tuple[Any, ...]


def rows() -> list[Row]:
    """One row per repair, in the order of application, under `COLUMNS`."""
    return [
        (
            fix.id,
            fault_of(fix),
            len(records.cures(fix.id)),
            records.operations(fix.id),
            records.affected(fix.id),
            fix.issue,
            fix.forwarded,
            fix.applied_upstream,
            fix.patch.name if fix.patch else None,
            fix.reason,
        )
        for fix in collect().values()
    ]


def show(found: Sequence[Row]) -> None:
    """Print the table; what is long is left to the page."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    shown = ("repair", "fault", "cases cured", "upstream issue", "forwarded", "applied upstream", "patch file")
    for column in shown:
        table.add_column(column, overflow="fold", justify="right" if column == "cases cured" else "left")
    for row in found:
        cells = dict(zip(COLUMNS, row, strict=True))
        table.add_row(*(Text("-" if cells[column] is None else str(cells[column])) for column in shown))
    console = Console()
    (console if console.is_terminal else Console(width=1000)).print(table)


_HEAD = """\
# The repairs

Written by `python -m arrayshim.upstream.table`; do not edit. Cases and operations are those of the conformance suite on
the stand-in for a device array (`strict`) that fail in stock dask {dask}, pass with every repair, and fail again
without the one of the row (recorded by `python -m arrayshim.upstream.cured`). Where another repair leans on that one,
only the last of the two is named; a case that any of several repairs would cure is nobody's. Since when dask is
affected was found by running the probes on released versions (`.ci/affected`). The patches are in `arrayshim/fixes/`;
`arrayshim upstream export DIR` writes them as a series.
"""

_FIXED = ("repair", "fault", "operations cured", "versions affected", "upstream issue", "patch file", "forwarded")


def page() -> str:
    """The page, as Markdown."""
    from arrayshim.upstream import columns

    lines = [_HEAD.format(dask=records.read(records.CURED).get("dask", "of no version yet"))]
    lines += ["| " + " | ".join((*_FIXED, "applied upstream")) + " |", "| --- " * (len(_FIXED) + 1) + "|"]
    for row in rows():
        cells = dict(zip(COLUMNS, row, strict=True))
        names, cases = cells["operations cured"], cells["cases cured"]
        most = ", ".join(f"`{name}`" for name in names[: records.MOST])
        more = f" and {len(names) - records.MOST} more" if len(names) > records.MOST else ""
        none = "none alone" if records.read(records.CURED) else "not measured yet"
        cells["operations cured"] = f"{cases} cases: {most}{more}" if cases else none
        cells["repair"] = f"`{cells['repair']}`"
        patch = cells["patch file"]
        link = f"[{patch}](../../arrayshim/fixes/{patch})"
        cells["patch file"] = link if patch else f"none: {cells['why no patch']}"
        cells["upstream issue"] = cells["upstream issue"] or "none known"
        shown = (str(cells[column]).replace("|", "\\|") for column in (*_FIXED, "applied upstream"))
        lines.append("| " + " | ".join(shown) + " |")
    return "\n".join([*lines, "", *columns.page()]) + "\n"


def main(path: Path) -> None:
    """Write the page."""
    path.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else records.FOLDER.parents[1] / "conformance" / "results" / "REPAIRS.md")
