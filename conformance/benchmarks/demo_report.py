"""The demo's report: one table, one JSON file, one picture of bars."""

from __future__ import annotations

import datetime
import json
import math
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arrayshim.conformance.benchmarks import machine
from arrayshim.conformance.benchmarks.records import Report, Row

PLOT_FORMATS = (".png", ".svg")
_COST = "2 TB cost"
_STACKED = (
    ("leg", "chunk type"),
    ("workers", "op"),
    ("elements", "seconds"),
    ("GB/s", "speed-up"),
    ("2 TB in", _COST),
    ("result", "expected ± stderr"),
    ("verdict",),
)
_COLUMNS = (
    *("leg", "workers", "op", "elements", "chunk type", "seconds", "GB/s", "2 TB in", "speed-up"),
    *(_COST, "result", "expected ± stderr", "verdict"),
)
_STYLES = {"ok": "green", "WRONG": "bold red", "error": "bold red", "skipped": "dim"}


def duration(seconds: float) -> str:
    """Seconds in the unit that suits them, as in "1 h 32 min"."""
    if seconds < 99.95:
        return f"{seconds:.3g} s"
    if seconds < 3600:
        return "{} min {} s".format(*divmod(round(seconds), 60))
    return "{:,} h {} min".format(*divmod(round(seconds / 60), 60))


def rounded(value: float) -> str:
    """Three digits, or all before the point."""
    return f"{value:.3g}" if abs(value) < 999.5 else f"{value:,.0f}"


def to_precision(value: float, stderr: float) -> str:
    """`value` with as many decimals as show two digits of `stderr`."""
    if not stderr > 0:
        return f"{value:.8g}"
    decimals = min(12, max(0, 1 - math.floor(math.log10(stderr))))
    return f"{value:,.{decimals}f}"


def _expectation(row: Row) -> str:
    if row.expected is None or row.stderr is None:
        return "-"
    return f"{to_precision(row.expected, row.stderr)} ± {to_precision(row.stderr, row.stderr)}"


def _cell(value: float | None, form: Callable[[float], str] = rounded) -> str:
    return "-" if value is None else form(value)


def _cells(row: Row, priced: bool) -> list[str]:
    stderr = row.stderr or 0.0
    return [
        row.leg,
        f"{row.workers} x {row.threads}",
        row.op,
        "-" if row.n is None else f"{row.n:,}²",
        row.chunk_type or "-",
        _cell(row.seconds),
        _cell(row.gb_per_s),
        _cell(row.estimate_2tb_s, duration),
        _cell(row.speedup, lambda number: f"{rounded(number)} x"),
        *([_cell(row.cost_2tb)] if priced else []),
        _cell(row.value, lambda number: to_precision(number, stderr)),
        _expectation(row),
        row.verdict if row.message is None else f"{row.verdict}: {row.message}",
    ]


def table(report: Report, width: int) -> Any:
    """A rich table: a line for each measured operation, then one for each skipped leg with its reason.

    Parameters
    ----------
    report : Report
    width : int
        Columns of the screen. Where they do not suffice, cells that belong together are stacked; none is cut.
    """
    from rich import box
    from rich.table import Table
    from rich.text import Text

    priced = bool(report.request.prices)
    columns = [name for name in _COLUMNS if priced or name != _COST]
    lines = [_cells(row, priced) for row in report.rows]
    lines += [[leg, *["-"] * (len(columns) - 2), f"skipped: {reason}"] for leg, reason in report.skipped]
    widths = [max(len(cell) for cell in column) + 2 for column in zip(columns, *lines, strict=True)]
    roomy = sum(widths[:-1]) + 20 <= width
    groups = [(name,) for name in columns] if roomy else _STACKED
    made = Table(box=box.SIMPLE_HEAD, show_edge=roomy, pad_edge=False, padding=(0, int(roomy), 0, 0))
    for group in groups:
        made.add_column(
            "\n".join(name for name in group if name in columns),
            justify="left" if group[0] in ("leg", "op", "chunk type", "verdict") else "right",
            overflow="fold",
            no_wrap=roomy and group[0] != "verdict",
        )
    for number, line in enumerate(lines):
        if number and line[0] != lines[number - 1][0] and number <= len(report.rows):
            made.add_section()
        cells = dict(zip(columns, line, strict=True))
        style = _STYLES.get(line[-1].partition(":")[0], "")
        texts = ["\n".join(cells[name] for name in group if name in cells) for group in groups]
        made.add_row(*map(Text, texts[:-1]), Text(texts[-1], style=style))
    return made


def show(report: Report) -> None:
    """Print the table and the notes to standard output, whole lines wherever that is not a terminal."""
    from rich.console import Console

    with suppress(AttributeError):  # a stream that cannot spell ± shows something else in its place
        sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    console = Console()
    if not console.is_terminal:
        console = Console(width=1000)
    console.print(table(report, console.width))
    for note in report.notes:
        console.print(note, highlight=False, markup=False)
    if report.interrupted:
        console.print("interrupted: the rows above are complete, the others were not measured", markup=False)


def document(report: Report) -> dict[str, Any]:
    """The report as plain data for JSON."""
    request = report.request
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": machine.versions(),
        "hardware": machine.hardware(),
        "request": {**asdict(request), "prices": dict(request.prices)},
        "rows": [asdict(row) for row in report.rows],
        "skipped": [{"leg": leg, "reason": reason} for leg, reason in report.skipped],
        "notes": list(report.notes),
        "interrupted": report.interrupted,
        "exit_code": report.exit_code,
        "peak_rss_bytes": machine.peak_rss(),
    }


def unwritable(path: Path) -> str | None:
    """None where a file can be put at `path`, else why not."""
    if path.is_dir():
        return f"'{path}' is a folder, a file was expected"
    if not path.parent.is_dir():
        return f"folder '{path.parent}' does not exist"
    return None if takes_files(path.parent) else f"folder '{path.parent}' is not writable"


def takes_files(folder: Path) -> bool:
    """Whether a file can be made in a folder: tried, since permissions do not say it all."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _atomically(path: Path, write: Callable[[Path], object]) -> None:
    """Write beside `path`, then replace it: nobody ever sees half a file."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        write(part)
        os.replace(part, path)
    finally:
        part.unlink(missing_ok=True)


def write_json(path: Path, data: Any) -> None:
    """Write `data` to `path` as JSON, all of it or nothing."""
    _write(path, json.dumps(data, indent=2, allow_nan=False, ensure_ascii=False))


def write_compact(path: Path, data: Mapping[str, Any], ways: Sequence[str]) -> None:
    """Write a document of rows with `seconds` by way as :func:`write_json` does, each row a list on a line of its own.

    The names of the columns are under `columns`; seconds have four digits.
    """
    names = [name for name in data["rows"][0] if name != "seconds"] if data["rows"] else []
    lines = []
    for row in data["rows"]:
        times = [row["seconds"].get(way) for way in ways]
        rounded = [None if time is None else float(f"{time:.4g}") for time in times]
        lines.append(json.dumps([*(row[name] for name in names), *rounded], allow_nan=False))
    rest = {name: value for name, value in data.items() if name != "rows"}
    document = {**rest, "columns": [*names, *ways], "rows": []}
    head = json.dumps(document, indent=2, allow_nan=False, ensure_ascii=False).removesuffix("[]\n}")
    _write(path, head + "[\n    " + ",\n    ".join(lines) + "\n  ]\n}")


def _write(path: Path, text: str) -> None:
    _atomically(path, lambda part: part.write_text(text + "\n", encoding="utf-8"))


def write_plot(path: Path, report: Report) -> None:
    """Draw GB/s as bars, a group for each leg, a colour for each operation; PNG or SVG by the suffix of `path`."""
    from matplotlib.figure import Figure

    rows = [row for row in report.rows if row.gb_per_s is not None]
    legs = list(dict.fromkeys(row.leg for row in rows))
    ops = list(dict.fromkeys(row.op for row in rows))
    rates = {(row.leg, row.op): row.gb_per_s for row in rows}
    figure = Figure(figsize=(2.5 + 2 * len(legs), 4.5), layout="constrained")
    axes = figure.add_subplot()
    width = 0.8 / max(1, len(ops))
    for number, op in enumerate(ops):
        have = [place for place, leg in enumerate(legs) if (leg, op) in rates]
        left = (number - (len(ops) - 1) / 2) * width
        axes.bar([place + left for place in have], [rates[legs[place], op] for place in have], width, label=op)
    axes.set_xticks(range(len(legs)), legs)
    axes.set_ylabel("GB/s generated and reduced")
    axes.set_title("(x + 1)[::2, ::2], then a reduction")
    if rows:
        axes.set_yscale("log")
        axes.legend(ncols=2, fontsize="small")
    _atomically(path, lambda part: figure.savefig(part, format=path.suffix.lower().lstrip(".")))
