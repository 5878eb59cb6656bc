"""`arrayshim conformance`: run the suite, compare two runs, put several runs on one page.

Exit status: 0 as known, 1 something is not as known (or worse, for `compare`) or nothing was tried, 2 bad arguments,
130 interrupted.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

LEVELS = ("quick", "full", "fuzz")


def _regex(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    try:
        re.compile(value or "")
    except re.error as error:
        raise click.BadParameter(f"'{value}' is not a regular expression: {error}", context, option) from None
    return value


def _shard(context: click.Context, option: click.Parameter, value: str | None) -> tuple[int, int] | None:
    if value is None:
        return None
    found = re.fullmatch(r"(\d+)/(\d+)", value)
    if found is None or not 1 <= int(found[1]) <= int(found[2]):
        raise click.BadParameter(f"'{value}' is no part; give I/N with 1 <= I <= N, as 1/4", context, option)
    return int(found[1]), int(found[2])


def _families(context: click.Context, option: click.Parameter, values: Sequence[str]) -> tuple[str, ...]:
    return tuple(name.strip() for value in values for name in value.split(","))


def _folder(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and path.exists() and not path.is_dir():
        raise click.BadParameter(f"'{path}' is a file, a folder was expected", context, option)
    if path is not None:
        from arrayshim.conformance.benchmarks.demo_report import takes_files

        # Before the run, which may be long, and not after it.
        there = next((folder for folder in (path, *path.absolute().parents) if folder.exists()), path)
        if not takes_files(there):
            raise click.BadParameter(f"nothing can be written to '{there}'", context, option)
    return path


def _writable(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is None:
        return None
    if path.is_dir():
        raise click.BadParameter(f"'{path}' is a folder, a file was expected", context, option)
    _folder(context, option, path.parent)
    return path


def _seconds(context: click.Context, option: click.Parameter, value: float) -> float:
    # No lock can wait longer; `inf` and `nan` are numbers to click.
    if not 0 < value <= threading.TIMEOUT_MAX:
        raise click.BadParameter(
            f"{value} seconds, expected more than 0 and a number that a clock has", context, option
        )
    return value


_FILE = click.Path(path_type=Path)


@click.group(invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--backend", metavar="NAME", help="numpy, strict, cupy, ...; module:object; or an entry point's name.")
@click.option("--stock", is_flag=True, help="Without the repairs.")
@click.option("--both", is_flag=True, help="Without and with them, and the difference.")
@click.option("--level", type=click.Choice(LEVELS), default="full", show_default=True, help="quick: every name once.")
@click.option("--only", metavar="REGEX", callback=_regex, help="Cases whose full name it is found in.")
@click.option("--family", multiple=True, callback=_families, metavar="FAMILY", help="May be repeated.")
@click.option("--fail-fast", is_flag=True, help="Stop at the first case that is not as known.")
@click.option("--shard", callback=_shard, metavar="I/N", help="The I-th of N parts.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Worker processes.  [default: one for each core]")
@click.option("--timeout", type=float, callback=_seconds, default=60, show_default=True, metavar="SECONDS")
@click.option("--array-expr", is_flag=True, help="In dask's expression mode.")
@click.option(
    "--out", type=_FILE, callback=_folder, metavar="DIR", help="Write <backend>-<stock|repaired>.json, .xml, ..."
)
@click.option(
    "--known",
    "known_file",
    type=_FILE,
    is_eager=True,
    metavar="FILE",
    help="Known failures, instead of the suite's own.",
)
@click.option(
    "--write-known",
    type=_FILE,
    callback=_writable,
    metavar="FILE",
    help="Write a first file of known failures, to be filled in.",
)
@click.pass_context
def conformance(context: click.Context, /, **options: Any) -> None:
    """Run every operation of dask.array on chunks of a backend, and check the results.

    Exit status: 0 all outcomes are as known, 1 some are not or all cases were skipped, 2 bad arguments,
    130 interrupted. What Ctrl-C leaves of a run is written too, as <backend>-<stock|repaired>-incomplete.json, ...
    """
    if context.invoked_subcommand is not None:
        return
    if options["backend"] is None:
        raise click.UsageError("--backend is missing; give numpy, strict, cupy, sparse, ... or your own")
    if options["stock"] and options["both"]:
        raise click.UsageError("--stock and --both exclude each other; --both runs stock too")
    if options["both"] and (options["known_file"] or options["write_known"]):
        raise click.UsageError("--known and --write-known are for one run; --both makes two")
    from arrayshim.conformance.execute import Settings, run

    context.exit(run(Settings(**options)))


@conformance.command()
@click.argument("before", type=_FILE, metavar="A.json")
@click.argument("after", type=_FILE, metavar="B.json")
@click.pass_context
def compare(context: click.Context, before: Path, after: Path) -> None:
    """List what changed from run A to run B.

    Exit status: 0 nothing got worse, 1 something did, 2 bad arguments.
    """
    from arrayshim.conformance.compare import KINDS
    from arrayshim.conformance.compare import compare as changes_of
    from arrayshim.conformance.document import load

    first, second = load(before), load(after)
    changes = changes_of(first, second)
    if first["test_suite"]["catalogue"] != second["test_suite"]["catalogue"]:
        click.echo("The two runs are of different catalogues: a case of the same name may be another call.")
    for change in changes:
        click.echo(_line(str(change)))
    counts = {kind: sum(change.kind == kind for change in changes) for kind in KINDS}
    click.echo(f"{first['name']} -> {second['name']}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items()))
    context.exit(int(counts["worse"] > 0))


@conformance.command()
@click.argument("files", type=_FILE, nargs=-1, required=True, metavar="A.json [B.json ...]")
@click.option("--out", type=_FILE, required=True, metavar="FILE.html")
def page(files: Sequence[Path], out: Path) -> None:
    """Put several runs on one HTML page."""
    from arrayshim.conformance import known
    from arrayshim.conformance.document import load
    from arrayshim.conformance.page import Run
    from arrayshim.conformance.report import write_page

    documents = [load(file) for file in files]
    runs = [Run(document=document, known=known.of(document)) for document in documents]
    click.echo(write_page(out, runs))


def _line(text: str) -> str:
    return " ".join(text.split())
