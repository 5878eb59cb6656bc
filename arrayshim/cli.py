"""The command line: `arrayshim demo | status | explain ID | conformance | bench | upstream`.

A user's mistake is answered by one line on standard error and exit status 2, Ctrl-C by 130. Whatever a single command
needs (rich, the benchmark, matplotlib) is imported by that command.
"""

from __future__ import annotations

import errno
import importlib
import importlib.util
import math
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from arrayshim._version import __version__
from arrayshim.errors import ArrayshimError

_JSON_HELP = "Also write all of it there."

#: What stands for a patch that is not upstream; and below how many columns ids may be broken.
_UNSENT = ("no", "not-needed")
_NARROW = 60

#: Commands that are imported when they are asked for, and the modules that have them.
_ELSEWHERE = {
    "bench": "arrayshim.conformance.benchmarks.cli",
    "conformance": "arrayshim.conformance.cli",
    "upstream": "arrayshim.upstream.cli",
}


class _OneLineErrors(click.Group):
    """Click's group, except that an error is one line, Ctrl-C is 130, and the suite is imported when asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *_ELSEWHERE]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(importlib.import_module(_ELSEWHERE[cmd_name]), cmd_name)
        return command

    def main(self, *args: Any, **kwargs: Any) -> NoReturn:
        kwargs["standalone_mode"] = False
        try:
            code = super().main(*args, **kwargs)
        except click.Abort as error:
            if isinstance(error.__cause__, EOFError):  # click takes the end of any file for Ctrl-D
                click.echo(f"arrayshim: {str(error.__cause__) or 'a file is cut off'}; give a whole one", err=True)
                sys.exit(2)
            sys.exit(130)
        except (click.ClickException, ArrayshimError) as error:
            text = error.format_message() if isinstance(error, click.ClickException) else str(error)
            click.echo(f"arrayshim: {' '.join(text.split())}", err=True)
            sys.exit(2)
        except OSError as error:
            if error.errno != errno.ENOSPC:
                raise
            click.echo(f"arrayshim: {error.strerror}; make room, or write elsewhere", err=True)
            sys.exit(2)
        sys.exit(code if isinstance(code, int) else 0)


def _print_version(context: click.Context, option: click.Parameter, value: bool) -> None:
    if value:
        import dask
        import numpy

        click.echo(f"arrayshim {__version__} (dask {dask.__version__}, numpy {numpy.__version__})")
        context.exit()


@click.group(cls=_OneLineErrors, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_print_version, help="Versions.")
@click.pass_context
def main(context: click.Context) -> None:
    """Makes dask.array right, and fast, for chunks that are not NumPy."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _names(table: str) -> Callable[[click.Context, click.Parameter, str | None], tuple[str, ...] | None]:
    """A callback for a comma-separated list of names of the benchmark's table `table`; in the table's order."""

    def parse(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...] | None:
        if value is None:
            return None
        known = _tables()[table]
        asked = {name.strip() for name in value.split(",")}
        for name in sorted(asked.difference(known)):
            raise click.BadParameter(f"'{name}' is not one of {', '.join(known)}", context, option)
        return tuple(name for name in known if name in asked)

    return parse


def _tables() -> Mapping[str, Sequence[str]]:
    from arrayshim.conformance.benchmarks.legs import LEGS
    from arrayshim.conformance.benchmarks.workload import OPS

    return {"ops": tuple(OPS), "legs": tuple(LEGS)}


def _prices(context: click.Context, option: click.Parameter, values: Sequence[str]) -> dict[str, float]:
    prices: dict[str, float] = {}
    for item in ",".join(values).split(",") if values else ():
        leg, equals, number = item.rpartition("=")
        leg = leg.strip()
        if equals and leg not in _tables()["legs"]:
            raise click.BadParameter(f"'{leg}' is not one of {', '.join(_tables()['legs'])}", context, option)
        try:
            price = float(number)
        except ValueError:
            price = math.nan
        if not 0 <= price < math.inf:
            raise click.BadParameter(
                f"'{item.strip()}' is not a price; give money per hour, as 2.5 or gpu=2.5", context, option
            )
        prices[leg] = price
    return prices


def _output(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    from arrayshim.conformance.benchmarks.demo_report import unwritable

    if path is not None and (reason := unwritable(path)):
        raise click.BadParameter(reason, context, option)
    return path


def _picture(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    from arrayshim.conformance.benchmarks.demo_report import PLOT_FORMATS

    if path is None:
        return None
    if path.suffix.lower() not in PLOT_FORMATS:
        raise click.BadParameter(f"'{path}' ends neither in {' nor in '.join(PLOT_FORMATS)}", context, option)
    if importlib.util.find_spec("matplotlib") is None:
        raise click.BadParameter("matplotlib is not installed; pip install 'arrayshim[plot]'", context, option)
    return _output(context, option, path)


@main.command()
@click.option("--size", type=click.IntRange(min=2), metavar="N", help="Side of the square array.")
@click.option("--chunks", type=click.IntRange(min=1), metavar="C", help="Side of its square chunks.")
@click.option("--ops", callback=_names("ops"), metavar="OP,OP", help="sum, mean, std, var, argmax, nanmean.")
@click.option(
    "--legs",
    callback=_names("legs"),
    metavar="LEG,LEG",
    help="cpu-single, cpu-threads, cpu-cluster, gpu, gpu-cluster; default: those that can run here.",
)
@click.option(
    "--seed",
    type=click.IntRange(0, 2**32 - 1),
    default=2019,
    show_default=True,
    metavar="S",
    help="Of the random numbers.",
)
@click.option(
    "--price",
    "prices",
    multiple=True,
    callback=_prices,
    metavar="[LEG=]MONEY",
    help="Money per hour of the machine; adds the cost of 2 TB. For all legs, or leg=price; may be repeated.",
)
@click.option("--json", "json_file", type=click.Path(path_type=Path), callback=_output, metavar="FILE", help=_JSON_HELP)
@click.option(
    "--plot",
    "plot_file",
    type=click.Path(path_type=Path),
    callback=_picture,
    metavar="FILE.png|svg",
    help="Draw GB/s as bars; needs matplotlib.",
)
@click.pass_context
def demo(context: click.Context, /, json_file: Path | None, plot_file: Path | None, **options: Any) -> None:
    """Run the computation of 2019 on every architecture at hand.

    (x + 1)[::2, ::2] of a normal random array, then sum, mean, std, var, argmax and nanmean; each result is held
    against its exact expectation. Sizes are chosen so that a leg takes about 10 seconds; above that, only `sum` runs
    unless --ops says more. The original 2 TB are --size 500000 --chunks 10000.

    Exit status: 0 all values within 6 standard errors, 1 a value is wrong or an operation raised, 2 bad arguments or
    no leg can run here, 130 interrupted.
    """
    from arrayshim.conformance.benchmarks import demo as benchmark
    from arrayshim.conformance.benchmarks import demo_report
    from arrayshim.conformance.benchmarks.records import Report, Request

    report = Report(Request(**options))
    try:
        benchmark.run(report)
    except KeyboardInterrupt:
        report.interrupted = True
    demo_report.show(report)
    if json_file is not None:
        demo_report.write_json(json_file, demo_report.document(report))
    if plot_file is not None:
        demo_report.write_plot(plot_file, report)
    context.exit(report.exit_code)


@main.command()
@click.option("--json", "json_file", type=click.Path(path_type=Path), callback=_output, metavar="FILE", help=_JSON_HELP)
def status(json_file: Path | None) -> None:
    """List every repair, its state, and the upstream issue."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    import arrayshim

    found = arrayshim.status()
    if json_file is not None:
        from arrayshim.conformance.benchmarks.demo_report import write_json

        fields = ("id", "state", "title", "issue", "forwarded", "applied_upstream", "detail")
        write_json(json_file, [{name: getattr(item, name) for name in fields} for item in found])
    console = Console()
    columns: dict[str, Callable[[Any], str]] = {
        "id": lambda item: item.id,
        "state": lambda item: item.state,
        "what it repairs": lambda item: item.title if not item.detail else f"{item.title} ({item.detail})",
        "upstream": lambda item: item.issue or "-",
        "forwarded": lambda item: item.forwarded,
        "applied upstream": lambda item: item.applied_upstream,
    }
    if console.is_terminal:
        # A person looks at it, on so many columns: what says nothing of any repair is left to the file.
        columns["upstream"] = lambda item: (item.issue or "-").removeprefix("https://github.com/")
        for column in ("forwarded", "applied upstream"):
            if all(columns[column](item) in _UNSENT for item in found):
                del columns[column]
    else:
        console = Console(width=1000)
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(column, overflow="fold", no_wrap=column == "id" and console.width >= _NARROW)
    for item in found:
        table.add_row(*(Text(cell(item)) for cell in columns.values()))
    console.print(table)


@main.command()
@click.argument("fix_id", metavar="ID")
def explain(fix_id: str) -> None:
    """Say what the repair ID is about, why, where it reaches into dask, and its upstream issue."""
    import difflib

    import arrayshim
    from arrayshim.errors import UnknownFixError
    from arrayshim.fixes import collect

    if fix_id not in collect():
        near = difflib.get_close_matches(fix_id, collect(), n=3, cutoff=0)
        raise UnknownFixError(
            f"no fix is called {fix_id!r}; the nearest are {', '.join(near)}; `arrayshim status` lists all"
        )
    click.echo(arrayshim.explain(fix_id))
