"""What is asked of the demo, and what it measures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user asked for; None stands for "choose".

    Attributes
    ----------
    size, chunks : int, optional
        Sides of the array and of its chunks.
    ops, legs : tuple of str, optional
    seed : int
    prices : mapping
        Money per hour by name of the leg; the key "" holds for all others.
    """

    size: int | None = None
    chunks: int | None = None
    ops: tuple[str, ...] | None = None
    legs: tuple[str, ...] | None = None
    seed: int = 2019
    prices: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One operation on one leg.

    Numbers that are not known are None. Where the operation raised, `verdict` is "error" and `message` says what; where
    the leg itself did, `op` is "start" or "stop". Rates count the bytes of x, the whole random array. `peak_rss_bytes`
    is that of the working process (of a cluster's largest worker) since its start.
    """

    leg: str
    op: str
    workers: int
    threads: int
    n: int | None
    chunk: int | None
    elements: int | None
    chunk_type: str | None
    seconds: float | None
    gb_per_s: float | None
    estimate_2tb_s: float | None
    speedup: float | None
    cost_2tb: float | None
    value: float | None
    expected: float | None
    stderr: float | None
    verdict: str
    message: str | None = None
    peak_rss_bytes: int | None = None


@dataclass(slots=True)
class Report:
    """What has been measured so far; complete at any moment, so that an interrupted run can be shown."""

    request: Request
    rows: list[Row] = field(default_factory=list)
    skipped: list[tuple[str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    interrupted: bool = False

    @property
    def exit_code(self) -> int:
        """130 interrupted, 1 when a value is wrong or an operation raised, else 0."""
        if self.interrupted:
            return 130
        return int(any(row.verdict != "ok" for row in self.rows))
