"""One call of `arrayshim conformance`: run, show, hold against what is known, write."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from arrayshim.conformance import catalogue, known, loading, matrix, names, report, runner, skeleton
from arrayshim.conformance.benchmarks import machine
from arrayshim.conformance.compare import Change, compare
from arrayshim.conformance.document import document, execution_target, run_name
from arrayshim.conformance.interrupting import only_once
from arrayshim.conformance.known import FINE, Known, Surprise
from arrayshim.conformance.live import Live, coloured, in_words
from arrayshim.conformance.page import Run

#: How much of what is not as known the terminal gets; the files have all of it.
MOST_LINES = 40
MOST_SCRIPTS = 3
MOST_REASONS = 6
INTERRUPTED = 130


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What was asked for on the command line; see there."""

    backend: str
    stock: bool = False
    both: bool = False
    level: str = "full"
    only: str | None = None
    family: tuple[str, ...] = ()
    fail_fast: bool = False
    shard: tuple[int, int] | None = None
    jobs: int | None = None
    timeout: float = 60
    array_expr: bool = False
    out: Path | None = None
    known_file: Path | None = None
    write_known: Path | None = None


class _Enough(Exception):
    """Raised through the runner to stop it; carries nothing."""


def run(settings: Settings) -> int:
    """Run the suite as asked, and print what a person at a terminal wants to know.

    Returns
    -------
    int
        0 where every outcome is as known; 1 where one is not, or all cases were skipped; 130 where Ctrl-C ended it.

    Raises
    ------
    ArrayshimError
        Where the backend, the known failures, the selection or the folder cannot be used.
    """
    from rich.console import Console

    # A stream that cannot spell a character shows something else in its place.
    getattr(sys.stdout, "reconfigure", dict)(errors="replace")
    console = Console()
    if not console.is_terminal:
        console = Console(width=1000)
    backend = loading.load(settings.backend)
    modes = (True, False) if settings.both else (settings.stock,)
    expected = [_known(settings, backend, stock=stock) for stock in modes]
    execution_target(backend)  # asked again when the run is over, which would be too late for a mistake in it
    runs: list[Run] = []
    surprises: list[Surprise] = []
    idle = False
    for stock, held in zip(modes, expected, strict=True):
        with only_once():
            made, surprising = _one(settings, backend, stock, held, console)
        if made.document["settings"].get("incomplete"):
            return INTERRUPTED
        runs.append(made)
        surprises += surprising
        idle |= all(case["outcome"] == "skip" for case in made.document["cases"])
        if settings.fail_fast and surprising:
            break
    if len(runs) == 2:
        _difference(console, runs)
        if settings.out is not None:
            name = run_name(backend.name, stock=True, array_expr=settings.array_expr).replace("-stock", "-both")
            _say(console, f"wrote {report.write_page(settings.out / f'{name}.html', runs)}")
    return int(bool(surprises) or idle)


def _known(settings: Settings, backend: Any, *, stock: bool) -> Known:
    asked = settings.known_file
    path = asked or known.path_of(backend.name, stock=stock, array_expr=settings.array_expr)
    held = known.load(path) if asked or path.is_file() else Known()
    new = settings.write_known
    if new is not None and new.exists() and not (path.is_file() and path.samefile(new)):
        # It may be reviewed, and only what was read is kept.
        raise known.KnownError(
            f"{new} is there already; --known {new} keeps what was reviewed in it, or name another file to be written"
        )
    return held


def _one(settings: Settings, backend: Any, stock: bool, held: Known, console: Any) -> tuple[Run, list[Surprise]]:
    name = run_name(backend.name, stock=stock, array_expr=settings.array_expr)
    selection = {key: getattr(settings, key) for key in ("level", "only", "family", "shard")}
    records: dict[str, dict[str, Any]] = {}
    interrupted = False
    items = catalogue.select(**selection)
    if not items:
        raise catalogue.CatalogueError("no case is left by --only, --family, --level and --shard; widen them")
    with Live(console, name, len(items)) as live:

        def take(record: dict[str, Any]) -> None:
            records[record["case"]] = record
            live(record)
            if settings.fail_fast and not held.holds(record):
                raise _Enough

        try:
            found: Sequence[dict[str, Any]] = runner.run(
                settings.backend,
                stock=stock,
                **selection,
                jobs=settings.jobs or machine.cores(),
                timeout=settings.timeout,
                fail_fast=False,  # the runner knows nothing of known failures
                array_expr=settings.array_expr,
                on_record=take,
            )
        except _Enough:
            found = [records[item.name] for item in items if item.name in records]
        except KeyboardInterrupt:
            interrupted = True
            found = [records[item.name] for item in items if item.name in records]
    if interrupted:
        return _unfinished(settings, backend, stock, held, found, len(items), console), []
    made = Run(document=_document(settings, backend, stock, found), known=held)
    _show_counts(console, made)
    if new := names.added(names.derive()):
        _say(console, f"new in dask {metadata.version('dask')}, not required of the suite yet: {', '.join(new)}")
    known_cases = [item.name for item in (*catalogue.items(), *items)]
    surprises = held.surprises(found, catalogue=set(known_cases))
    if all(record["outcome"] == "skip" for record in found):
        _say(console, f"Nothing was tried: all {len(found)} cases were skipped.", style="bold red")
    else:
        _show(console, surprises, records)
    if settings.write_known is not None:
        entries = skeleton.entries(found, held, docs=getattr(backend, "docs", ""), catalogue=known_cases)
        text = skeleton.toml(entries, name=name, date=made.document["timestamp"][:10])
        _say(console, f"wrote {report.put(settings.write_known, text)}; look through its reasons and links")
    if settings.out is not None:
        files = report.write(settings.out, made)
        _say(console, "wrote " + ", ".join(str(file) for file in files))
    return made, surprises


def _unfinished(
    settings: Settings,
    backend: Any,
    stock: bool,
    held: Known,
    found: Sequence[dict[str, Any]],
    total: int,
    console: Any,
) -> Run:
    """What Ctrl-C left of a run: a line of it, and its files beside those of a whole one."""
    document = _document(settings, backend, stock, found, incomplete=f"{len(found)} of {total} cases")
    document["name"] += "-incomplete"
    made = Run(document=document, known=held)
    told = f"interrupted after {len(found)} of {total} cases: {in_words(document['data']['counts'])}"
    if settings.out is not None and found:
        told += "; wrote " + ", ".join(str(file) for file in report.write(settings.out, made))
    _say(console, told, style="bold red")
    return made


def _document(
    settings: Settings, backend: Any, stock: bool, found: Sequence[dict[str, Any]], **more: str
) -> dict[str, Any]:
    asked = asdict(settings)
    kept = {key: asked[key] for key in ("only", "family", "shard", "timeout", "fail_fast")} | more
    made: dict[str, Any] = document(
        found,
        backend=backend,
        stock=stock,
        catalogue=catalogue.digest(),
        level=settings.level,
        array_expr=settings.array_expr,
        **kept,
    )
    return made


def _say(console: Any, text: object, **style: Any) -> None:
    console.print(str(text), highlight=False, markup=False, soft_wrap=True, **style)


def _show_counts(console: Any, made: Run) -> None:
    run = made.document
    console.print(f"{run['name']}, {run['data']['cases']} cases: ", end="", highlight=False, markup=False)
    console.print(coloured(run["data"]["counts"]), soft_wrap=True)
    reasons = matrix.skipped(run["cases"])
    for reason, number in reasons[:MOST_REASONS]:
        _say(console, f"  {number} skipped: {' '.join(reason.split())}", style="dim")
    if len(reasons) > MOST_REASONS:
        _say(console, f"  ... and for {len(reasons) - MOST_REASONS} more reasons", style="dim")
    failed = sum(case["outcome"] not in FINE for case in run["cases"])
    if failed:
        expected = sum(made.known.holds(case) for case in run["cases"] if case["outcome"] not in FINE)
        _say(console, f"{failed} did not pass, {expected} of these as known.")


def _show(console: Any, surprises: Sequence[Surprise], records: dict[str, dict[str, Any]]) -> None:
    if not surprises:
        _say(console, "All is as known.", style="green")
        return
    _say(console, f"{len(surprises)} not as known:", style="bold red")
    for surprise in surprises[:MOST_LINES]:
        _say(console, "  " + " ".join(str(surprise).split()))
    if len(surprises) > MOST_LINES:
        _say(console, f"  ... and {len(surprises) - MOST_LINES} more; --out DIR writes them all")
    scripts = [(it.case, records[it.case].get("reproducer")) for it in surprises if it.case in records]
    scripts = [(case, script) for case, script in scripts if script]
    for case, script in scripts[:MOST_SCRIPTS]:
        _say(console, f"\n# {case}: this script reproduces it", style="bold")
        _say(console, script)
    if len(scripts) > MOST_SCRIPTS:
        _say(console, f"# ... and {len(scripts) - MOST_SCRIPTS} more scripts; --out DIR writes them all")


def _difference(console: Any, runs: Sequence[Run]) -> None:
    changes: list[Change] = compare(runs[0].document, runs[1].document)
    worse = [change for change in changes if change.kind == "worse"]
    better = sum(change.kind == "better" for change in changes)
    names = " -> ".join(run.document["name"] for run in runs)
    _say(console, f"{names}: {better} better, {len(worse)} worse")
    for change in worse:
        _say(console, "  " + " ".join(str(change).split()))
