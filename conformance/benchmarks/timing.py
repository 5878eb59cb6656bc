"""What the benchmarks of functions share: the clock, the cells of a table, and the document around the rows."""

from __future__ import annotations

import datetime
import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any, Protocol, TypeVar

from arrayshim.conformance.benchmarks import machine


class Timed(Protocol):
    """A row of a benchmark, which is a dataclass."""

    @property
    def seconds(self) -> Mapping[str, float | None]: ...


R = TypeVar("R", bound=Timed)


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


def cell(speed: float | None, ratio: float) -> str:
    """A speed and its ratio to that of the memory; a dash where there is none."""
    return f"{'-':>17}" if speed is None else f"{speed:>10.4g} ({ratio:4.2f})"


def heading(names: str, ways: Sequence[str]) -> str:
    """The line above such cells; `names`: what stands above the names of a row."""
    return names + " ".join(f"{way:>17}" for way in ways)


def document(
    request: Any, rows: Iterable[R], bandwidth: tuple[str, float], show: Callable[[R, float], None]
) -> dict[str, Any]:
    """Measure the rows; plain data for JSON.

    Parameters
    ----------
    request : dataclass
    rows : iterable of dataclass
        With a member `seconds`, by way.
    bandwidth : tuple of str and float
        What it is called in the document, and bytes per second.
    show : callable
        Gets each row when it is measured, and the bandwidth.
    """
    name, value = bandwidth
    measured = []
    for row in rows:
        show(row, value)
        measured.append(row)
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "versions": machine.versions(),
        "hardware": machine.hardware(),
        "request": asdict(request),
        name: value,
        "rows": [{**asdict(row), "seconds": dict(row.seconds)} for row in measured],  # type: ignore[call-overload]
    }
