"""Reductions, selections and counts in four ways, in GB/s of what must be read: `arrayshim bench reductions`.

The library's own function, stock dask over it, arrayshim's function on one array, dask with arrayshim over chunks. Dask
gets the same array in 4 x 4 chunks, which are strided views of it (of one dimension: in 16), and is timed as a whole
`compute`; the functions on one array are timed by the device's own clock, several calls between two events, so that the
time a processor takes to start them counts only where it is the longer.
"""

from __future__ import annotations

import math
import multiprocessing
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

import numpy as np

import arrayshim
from arrayshim.conformance import backends
from arrayshim.conformance.benchmarks import timing
from arrayshim.conformance.benchmarks.reductions_calls import OPS as OPS
from arrayshim.conformance.benchmarks.reductions_calls import Calls, calls, prepared
from arrayshim.conformance.benchmarks.timing import Clock, cell, document

DTYPES = ("float32", "float64", "float16", "int8", "int32", "int64", "bool", "complex64", "complex128")


def _whole(x: Any, xp: Any) -> Any:
    return x[:, : x.shape[1] // 2].copy()


def _part(x: Any, xp: Any) -> Any:
    return x[:, : x.shape[1] // 2]


LAYOUTS: Mapping[str, Callable[[Any, Any], Any]] = MappingProxyType(
    {
        "contiguous": _whole,
        "view": _part,
        "fortran": lambda x, xp: xp.asfortranarray(_part(x, xp)),
        "reversed": lambda x, xp: _part(x, xp)[::-1],
        "transposed": lambda x, xp: _part(x, xp).T,
    }
)
"""Layouts of the array, made of one of twice its width."""

AXES = ("all", "0", "1")
WARMING = 4_000_000
"""Bytes that are enough for any kernel to be asked."""
WAYS = ("library", "stock dask", "arrayshim", "dask")
"""The columns: on one array, and by dask over chunks of it, without arrayshim and with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to measure.

    Attributes
    ----------
    device : bool
        On a CUDA device; else on the host.
    megabytes : float
        Size of the array that is reduced.
    ops, dtypes, layouts, axes, ways : tuple of str
    seconds : float
        Least time that a cell is measured for.
    warm : int
        Processes that call each cell once before, with little data, so that all of them compile at a time.
    """

    device: bool
    megabytes: float
    ops: tuple[str, ...]
    dtypes: tuple[str, ...]
    layouts: tuple[str, ...]
    axes: tuple[str, ...]
    ways: tuple[str, ...]
    seconds: float = 0.02
    warm: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """An operation on one layout: seconds by way, None where that way does not exist or raises."""

    op: str
    dtype: str
    layout: str
    axis: str
    bytes: int
    seconds: Mapping[str, float | None]


def copy_bandwidth(namespace: Any, size: int, clock: Clock) -> float:
    """Bytes per second, read plus written, of a copy of `size` bytes."""
    source = namespace.random.random(size // 8)
    target = namespace.empty_like(source)

    def copy() -> None:
        target[...] = source

    return float(2 * source.nbytes / clock.device(copy))


def _data(namespace: Any, dtype: str, size: int) -> Any:
    """Random numbers between 1 and 2 (of bool: 0 or 1), in two columns blocks, twice `size` bytes."""
    kind = np.dtype(dtype)
    columns = max(16, int(math.sqrt(size / kind.itemsize)) // 16 * 16)
    rows = max(4, size // kind.itemsize // columns)
    rng = namespace.random.RandomState(7)
    values = namespace.empty((rows, 2 * columns), dtype=kind)
    step = max(1, 2**24 // columns)
    for start in range(0, rows, step):
        block = values[start : start + step]
        drawn = rng.random_sample(block.shape)
        block[...] = drawn > 0.5 if kind.kind == "b" else (drawn * 100 if kind.kind in "iu" else drawn + 1)
    return values


def _measure(way: str, call: Callable[[], Any], clock: Clock) -> float | None:
    try:
        if way == "stock dask":
            with arrayshim.scope(only=()):
                return float(clock.host(call))
        return float(clock.host(call) if way == "dask" else clock.device(call))
    except Exception:  # a library lacks the function, or refuses the dtype
        return None


def _cells(request: Request, namespace: Any, dtype: str, size: int) -> Iterator[tuple[str, str, str, Any, Calls]]:
    """Operation, layout, axis, array and the calls of each cell of a dtype."""
    data = _data(namespace, dtype, size)
    for layout in request.layouts:
        x = LAYOUTS[layout](data, namespace)
        for op in request.ops:
            for axis in request.axes:
                given = prepared(op, x, axis)
                if given is not None:
                    known = calls(op, given, namespace, axis)
                    yield op, layout, axis, given, {way: known[way] for way in request.ways if way in known}
                    del given, known
        del x


def rows(request: Request, clock: Clock, namespace: Any) -> Iterator[Row]:
    """Measure, a row at a time."""
    for dtype in request.dtypes:
        for op, layout, axis, given, known in _cells(request, namespace, dtype, int(request.megabytes * 1e6)):
            seconds = {way: _measure(way, call, clock) for way, call in known.items()}
            yield Row(op, str(given.dtype), layout, axis, given.nbytes, seconds)
            del given, known


def warm(request: Request) -> None:
    """Call each cell once, in processes that share the cells; a library keeps on disk what it compiled for that."""
    jobs = [replace(request, ops=(op,), dtypes=(dtype,)) for op in request.ops for dtype in request.dtypes]
    context = multiprocessing.get_context("spawn")  # a device is no business of a fork
    with ProcessPoolExecutor(request.warm, mp_context=context) as pool:
        list(pool.map(_call_once, jobs))


def _call_once(request: Request) -> None:
    namespace = backends.get("cupy" if request.device else "numpy").namespace
    clock = Clock(namespace, 0.0)
    for dtype in request.dtypes:
        for _, _, _, _, known in _cells(request, namespace, dtype, int(min(request.megabytes * 1e6, WARMING))):
            for way, call in known.items():
                _measure(way, call, clock)


def run(request: Request, show: Callable[[Row, float], None]) -> dict[str, Any]:
    """Measure all of it.

    Parameters
    ----------
    request : Request
    show : callable
        Gets each row when it is measured, and the copy bandwidth.

    Returns
    -------
    dict
        Plain data for JSON.
    """
    namespace = backends.get("cupy" if request.device else "numpy").namespace
    clock = Clock(namespace, request.seconds)
    bandwidth = copy_bandwidth(namespace, int(request.megabytes * 1e6), clock)
    if request.warm:
        warm(request)
    found: dict[str, Any] = document(
        request, rows(request, clock, namespace), ("copy_bytes_per_second", bandwidth), show
    )
    return found


def line(row: Row, bandwidth: float, ways: Sequence[str]) -> str:
    """A row as text: GB/s by way, and the ratio of each to the copy bandwidth."""
    cells = []
    for way in ways:
        seconds = row.seconds.get(way)
        speed = row.bytes / seconds if seconds else None
        cells.append(cell(speed and speed / 1e9, (speed or 0.0) / bandwidth))
    return f"{row.op:<10} {row.dtype:<10} {row.layout:<10} {row.axis:<4}" + " ".join(cells)


def heading(ways: Sequence[str]) -> str:
    """The line above the rows."""
    return str(timing.heading(f"{'op':<10} {'dtype':<10} {'layout':<10} {'axis':<4}", ways))
