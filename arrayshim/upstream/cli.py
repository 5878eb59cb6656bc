"""`arrayshim upstream`: the repairs as patches that dask can take.

Exit status: 0 proved (or done), 1 something was disproved, 2 bad arguments or something is missing, 130 interrupted.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import click

from arrayshim.upstream.patches import MADE_FOR, PARTS

_SHOW_HELP = "Only ID,ID, with those that they lean on; may be repeated."


def _ids(context: click.Context, option: click.Parameter, values: tuple[str, ...]) -> list[str]:
    return [name.strip() for value in values for name in value.split(",") if name.strip()]


_only = click.option("--only", multiple=True, callback=_ids, metavar="ID,ID", help=_SHOW_HELP)


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
def upstream() -> None:
    """The repairs as patches that dask can take, and the proof of them.

    Nothing is ever sent. dask's maintainers close what a machine has written unread, and they are right to: a pull
    request says that a person stands behind it. What helps that person is here: a small patch that applies, a test
    that fails without it on a CPU, and facts. The words are the person's own.
    """


@upstream.command("list")
@click.option("--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Also write it there.")
def list_(json_file: Path | None) -> None:
    """List the repairs, with what dask knows of each."""
    from arrayshim.upstream import table

    rows = table.rows()
    if json_file is not None:
        _write(json_file, [dict(zip(table.COLUMNS, row, strict=True)) for row in rows])
    table.show(rows)


@upstream.command()
@click.argument("fix_id", metavar="ID")
def show(fix_id: str) -> None:
    """Print the patch of the repair ID, as it lies beside it."""
    from arrayshim.upstream.patches import chosen, patch_of

    fix = next(fix for fix in chosen([fix_id]) if fix.id == fix_id)
    click.echo(patch_of(fix).text, nl=False)


@upstream.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="DIR")
@_only
@click.option(
    "--dask",
    default=MADE_FOR,
    show_default=True,
    metavar="VERSION|PATH",
    help="What the series is made against. A PATH is a source distribution or a folder with dask/ in it.",
)
@click.option("--replace", is_flag=True, help="Replace the series that is in DIR.")
def export(folder: Path, only: list[str], dask: str, replace: bool) -> None:
    """Write a series for `git am` to DIR, with a sheet of facts for each patch.

    DIR/NNNN-<slug>.patch is one commit: code and test. DIR/series lists them in order; DIR/NNNN-<slug>.md says what is
    wrong, shows the smallest call with its output before and after, and since when dask is affected. The calls are run
    for it. There is no text for a pull request and nothing is sent: that is for the person who takes a patch upstream.

    For a VERSION, the installed dask is read where it is that version and unchanged; else pip downloads its source
    distribution. For a PATH nothing is downloaded.
    """
    from arrayshim.upstream import series

    made = series.export(folder, only, dask=dask, replace=replace, say=lambda text: click.echo(text, err=True))
    click.echo(f"{len(made)} patches, their sheets and `series` are in {folder}")


def _write(path: Path, data: Any) -> None:
    from arrayshim.upstream.patches import UpstreamError
    from arrayshim.upstream.series import as_json

    try:
        path.write_text(as_json(data), encoding="utf-8")
    except OSError as error:
        raise UpstreamError(f"{path} cannot be written: {error.strerror or error}") from None


def _shard(context: click.Context, option: click.Parameter, value: str) -> tuple[int, int]:
    given = re.fullmatch(r"([0-9]{1,6})/([0-9]{1,6})", value)
    index, parts = given.groups() if given else ("0", "0")
    if not 1 <= int(index) <= int(parts):
        raise click.BadParameter(f"'{value}' is no part; give I/N with 1 <= I <= N, as 1/4", context, option)
    return int(index), int(parts)


def _regex(context: click.Context, option: click.Parameter, value: str) -> str:
    try:
        re.compile(value)
    except re.error as error:
        raise click.BadParameter(f"'{value}' is not a regular expression: {error}", context, option) from None
    return value


@upstream.command()
@click.option(
    "--dask",
    default=MADE_FOR,
    show_default=True,
    metavar="VERSION|PATH",
    help="A VERSION is downloaded by pip. A PATH is a source distribution or a folder with dask/ in it.",
)
@_only
@click.option(
    "--part", "parts", multiple=True, type=click.Choice(PARTS), help="Only that; may be repeated. Default: all of it."
)
@click.option("--cases", default="", callback=_regex, metavar="REGEX", help="Only the cases it is found in.")
@click.option("--shard", default="1/1", callback=_shard, metavar="I/N", help="The I-th of N parts of dask's tests.")
@click.option("--jobs", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: one for each core]")
@click.option(
    "--json", "json_file", type=click.Path(path_type=Path), metavar="FILE", help="Also write all of it there."
)
@click.option("--record", is_flag=True, help="Of another dask: put the column into the matrix of this clone.")
@click.pass_context
def check(
    context: click.Context,
    /,
    dask: str,
    only: list[str],
    parts: tuple[str, ...],
    cases: str,
    shard: tuple[int, int],
    jobs: int | None,
    json_file: Path | None,
    record: bool,
) -> None:
    """Prove the patches on a pristine dask; about an hour on two cores, less with --part.

    Each dask that is looked at is installed by pip into a temporary environment, from a wheel of its tree; nothing but
    the source distribution is downloaded, and not even that where --dask is a PATH.

    patches: each applies with those that it leans on; its test fails before and passes after; its probe is healthy
    after, with arrayshim disabled. series: all of them apply in order with `git am -3`, every probe is healthy, ruff
    finds nothing new, and the tests that dask runs with `array.query-planning` on have no new failure. cases: on the
    stand-in for a device array, the conformance suite gives the same outcomes, values, dtypes and types case by case
    for the patched dask with arrayshim disabled as for stock dask with arrayshim; what differs must need a repair that
    has no patch, and is listed with it. suite: dask/array/tests have no new failure.

    The patches are for one version. Of any other dask this gives a column of the matrix of versions: probes, records
    and `arrayshim status` agree; the suite on strict is as known; dask's own tests have the same outcomes with
    arrayshim.

    Exit status: 0 all of it holds, 1 something does not, 2 bad arguments or something is missing, 130 interrupted.
    """
    from arrayshim.upstream import columns, shown
    from arrayshim.upstream.asked import Request
    from arrayshim.upstream.check import check as prove
    from arrayshim.upstream.check import cores

    request = Request(
        dask=dask,
        only=tuple(only),
        parts=parts or PARTS,
        cases=cases,
        shard=shard,
        jobs=jobs or cores(),
        json_file=json_file,
        record=record,
    )
    with shown.live() as say:
        answer = prove(request, say)
    shown.table(answer)
    if json_file is not None:
        _write(json_file, shown.as_data(answer))
    if record and "column" in answer.data:
        columns.record(answer.data["column"])
        click.echo(f"recorded: {columns.key(answer.data['column'])}")
    context.exit(0 if answer.held else 1)
