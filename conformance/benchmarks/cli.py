"""`arrayshim bench`: the benchmarks of the suite that are no demonstration."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from arrayshim.conformance.benchmarks import random as drawing
from arrayshim.conformance.benchmarks import reductions as benchmark
from arrayshim.conformance.benchmarks.demo_report import unwritable, write_compact, write_json
from arrayshim.conformance.benchmarks.machine import gpu_missing, missing


@click.group()
def bench() -> None:
    """Measure parts of arrayshim, and of what it replaces."""


def _some(known: Iterable[str]) -> Callable[[click.Context, click.Parameter, str | None], tuple[str, ...]]:
    """A callback for a comma-separated list of some of the names; all of them where the option is not given."""
    names = tuple(known)

    def parse(context: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
        asked = [name.strip() for name in value.split(",")] if value is not None else names
        for name in asked:
            if name not in names:
                raise click.BadParameter(f"'{name}' is not one of {', '.join(names)}", context, option)
        return tuple(name for name in names if name in asked)

    return parse


def _output(context: click.Context, option: click.Parameter, path: Path | None) -> Path | None:
    if path is not None and (reason := unwritable(path)):
        raise click.BadParameter(reason, context, option)
    return path


@bench.command()
@click.option("--device", is_flag=True, help="On a CUDA device, with CuPy; default: on the host, with NumPy.")
@click.option(
    "--mb",
    "megabytes",
    type=click.FloatRange(min=0.001),
    metavar="N",
    help="Size of the array, in 10^6 bytes; default: 800 on a device, 80 on the host.",
)
@click.option("--ops", callback=_some(benchmark.OPS), metavar="OP,OP", help=", ".join(benchmark.OPS))
@click.option(
    "--dtypes",
    default="float32,float64",
    show_default=True,
    callback=_some(benchmark.DTYPES),
    metavar="T,T",
    help=", ".join(benchmark.DTYPES),
)
@click.option(
    "--layouts",
    default="contiguous,view",
    show_default=True,
    callback=_some(benchmark.LAYOUTS),
    metavar="L,L",
    help=", ".join(benchmark.LAYOUTS),
)
@click.option("--axes", callback=_some(benchmark.AXES), metavar="A,A", help=", ".join(benchmark.AXES))
@click.option("--ways", callback=_some(benchmark.WAYS), metavar="W,W", help=", ".join(benchmark.WAYS))
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    callback=_output,
    metavar="FILE",
    help="Also write all of it there.",
)
@click.option("--compact", is_flag=True, help="Write a list for each row, its columns named once.")
@click.option(
    "--seconds",
    default=0.02,
    show_default=True,
    type=click.FloatRange(min=0, min_open=True),
    metavar="S",
    help="Least time that a cell is measured for.",
)
@click.option(
    "--warm",
    default=0,
    type=click.IntRange(min=0),
    metavar="N",
    help="First call each cell once, with little data, in N processes: so many kernels are compiled at a time.",
)
def reductions(device: bool, megabytes: float | None, json_file: Path | None, compact: bool, **options: Any) -> None:
    """Reductions, and what is like them, by the library, by stock dask, by arrayshim, and by dask with arrayshim.

    Each cell is GB/s of the bytes that must be read, and its ratio to the bandwidth of a copy (bytes read plus bytes
    written) of the same size in the same run. dask gets the array in 4 x 4 chunks and is timed as a whole compute.
    """
    if device and (reason := gpu_missing()):
        raise click.UsageError(f"--device needs a CUDA device and CuPy: {reason}; leave --device out to use the host")
    request = benchmark.Request(device=device, megabytes=megabytes or (800 if device else 80), **options)
    bandwidths: list[float] = []

    def show(row: benchmark.Row, bandwidth: float) -> None:
        if not bandwidths:
            bandwidths.append(bandwidth)
            click.echo(f"copy {bandwidth / 1e9:.4g} GB/s\n{benchmark.heading(request.ways)}")
        click.echo(benchmark.line(row, bandwidth, request.ways))

    document = benchmark.run(request, show)
    if json_file is not None and compact:
        write_compact(json_file, document, request.ways)
    elif json_file is not None:
        write_json(json_file, document)


@bench.command()
@click.option("--device", is_flag=True, help="On a CUDA device, with CuPy; default: on the host, with NumPy.")
@click.option(
    "--mb",
    "megabytes",
    type=click.FloatRange(min=0.001),
    metavar="N",
    help="Size of the array, in 10^6 bytes; default: 800 on a device, 80 on the host.",
)
@click.option("--dists", "distributions", callback=_some(drawing.DISTRIBUTIONS), metavar="D,D")
@click.option("--dtypes", callback=_some(drawing.DTYPES), metavar="T,T", help=", ".join(drawing.DTYPES))
@click.option("--ways", callback=_some(drawing.WAYS), metavar="W,W", help=", ".join(drawing.WAYS))
@click.option("--bits", is_flag=True, help="Also test the bits: 2^32 bytes on a device, 2^24 on the host.")
@click.option(
    "--json",
    "json_file",
    type=click.Path(path_type=Path),
    callback=_output,
    metavar="FILE",
    help="Also write all of it there.",
)
@click.pass_context
def random(
    context: click.Context, /, device: bool, megabytes: float | None, bits: bool, json_file: Path | None, **options: Any
) -> None:
    """Random numbers by the library, by stock dask, by arrayshim, and by dask with arrayshim.

    Each cell is 10^9 values per second, and the ratio of the bytes written to the bandwidth of setting memory to a
    constant in the same run. dask makes the array in 4 x 4 chunks and is timed as a whole run. With --bits the exit
    code is 1 where a test of the bits fails.
    """
    if device and (reason := gpu_missing()):
        raise click.UsageError(f"--device needs a CUDA device and CuPy: {reason}; leave --device out to use the host")
    if bits and (reason := missing("scipy", "SciPy")):
        raise click.UsageError(f"--bits needs SciPy for its p-values: {reason}; install it or leave --bits out")
    request = drawing.Request(device=device, megabytes=megabytes or (800 if device else 80), **options)
    bandwidths: list[float] = []

    def show(row: drawing.Row, bandwidth: float) -> None:
        if not bandwidths:
            bandwidths.append(bandwidth)
            click.echo(f"write {bandwidth / 1e9:.4g} GB/s\n{drawing.heading(request.ways)}")
        click.echo(drawing.line(row, bandwidth, request.ways))

    document = drawing.run(request, show)
    for way, seconds in document["opening_seconds"].items():
        click.echo(f"open {way}: {seconds * 1e6:.4g} us")
    bad = False
    if bits:
        document["bits"] = drawing.test_bits(
            2**32 if device else 2**24,
            device=device,
            show=lambda name, outcomes: click.echo(drawing.verdict(name, outcomes)),
        )
        bad = any(found["suspicious"] for found in document["bits"].values())
    if json_file is not None:
        write_json(json_file, document)
    context.exit(int(bad))
