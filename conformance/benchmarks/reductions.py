"""Reductions, selections and counts in four ways, in GB/s of what must be read: `arrayshim bench reductions`.

The library's own function, stock dask over it, arrayshim's function on one array, dask with arrayshim over chunks. Dask
gets the same array in 4 x 4 chunks, which are strided views of it (of one dimension: in 16), and is timed as a whole
`compute`; the functions on one array are timed by the device's own clock, several calls between two events, so that the
time a processor takes to start them counts only where it is the longer.
"""

from __future__ import annotations

import datetime
import math
import statistics
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import numpy as np

import arrayshim
from arrayshim.conformance import backends
from arrayshim.conformance.benchmarks import machine
from arrayshim.conformance.benchmarks.reductions_calls import OPS as OPS
from arrayshim.conformance.benchmarks.reductions_calls import calls, prepared

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
    """

    device: bool
    megabytes: float
    ops: tuple[str, ...]
    dtypes: tuple[str, ...]
    layouts: tuple[str, ...]
    axes: tuple[str, ...]
    ways: tuple[str, ...]
    seconds: float = 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """An operation on one layout: seconds by way, None where that way does not exist or raises."""

    op: str
    dtype: str
    layout: str
    axis: str
    bytes: int
    seconds: Mapping[str, float | None]


class Clock:
    """Seconds per call, by the device's events or by the host's clock with nothing left to do on the device."""

    def __init__(self, namespace: Any, seconds: float) -> None:
        self._cuda = getattr(namespace, "cuda", None)
        self._seconds = seconds

    def _synchronise(self) -> None:
        if self._cuda is not None:
            self._cuda.get_current_stream().synchronize()

    def host(self, call: Callable[[], Any]) -> float:
        """Median of whole calls, the first left out; of slow ones there are fewer."""
        call()
        self._synchronise()
        taken: list[float] = []
        while not taken or (len(taken) < 50 and sum(taken) < self._seconds * (5 if len(taken) < 3 else 1)):
            start = time.perf_counter()
            call()
            self._synchronise()
            taken.append(time.perf_counter() - start)
        return float(statistics.median(taken))

    def device(self, call: Callable[[], Any]) -> float:
        """Median over series of calls of the time between two events, by call."""
        if self._cuda is None:
            return self.host(call)
        once = self.host(call)
        if once > self._seconds:
            return once
        count = max(1, min(10, int(self._seconds / once)))
        taken = []
        for _ in range(5):
            begin, end = self._cuda.Event(), self._cuda.Event()
            begin.record()
            for _ in range(count):
                call()
            end.record()
            end.synchronize()
            taken.append(self._cuda.get_elapsed_time(begin, end) * 1e-3 / count)
        return float(statistics.median(taken))


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
                return clock.host(call)
        return clock.host(call) if way == "dask" else clock.device(call)
    except Exception:  # a library lacks the function, or refuses the dtype
        return None


def rows(request: Request, clock: Clock, namespace: Any) -> Iterator[Row]:
    """Measure, a row at a time."""
    size = int(request.megabytes * 1e6)
    for dtype in request.dtypes:
        data = _data(namespace, dtype, size)
        for layout in request.layouts:
            x = LAYOUTS[layout](data, namespace)
            for op in request.ops:
                for axis in request.axes:
                    given = prepared(op, x, axis)
                    if given is None:
                        continue
                    known = calls(op, given, namespace, axis)
                    seconds = {way: _measure(way, known[way], clock) for way in request.ways if way in known}
                    yield Row(op, str(given.dtype), layout, axis, given.nbytes, seconds)
                    del given, known
            del x
        del data


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
    measured = []
    for row in rows(request, clock, namespace):
        show(row, bandwidth)
        measured.append(row)
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": machine.versions(),
        "hardware": machine.hardware(),
        "request": asdict(request),
        "copy_bytes_per_second": bandwidth,
        "rows": [{**asdict(row), "seconds": dict(row.seconds)} for row in measured],
    }


def line(row: Row, bandwidth: float, ways: Sequence[str]) -> str:
    """A row as text: GB/s by way, and the ratio of each to the copy bandwidth."""
    cells = []
    for way in ways:
        seconds = row.seconds.get(way)
        speed = row.bytes / seconds if seconds else None
        cells.append(f"{'-':>17}" if speed is None else f"{speed / 1e9:>10.4g} ({speed / bandwidth:4.2f})")
    return f"{row.op:<10} {row.dtype:<10} {row.layout:<10} {row.axis:<4}" + " ".join(cells)


def heading(ways: Sequence[str]) -> str:
    """The line above the rows."""
    return f"{'op':<10} {'dtype':<10} {'layout':<10} {'axis':<4}" + " ".join(f"{way:>17}" for way in ways)
