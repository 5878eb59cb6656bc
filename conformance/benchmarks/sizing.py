"""How large an array a leg gets: by memory (a rule) and by time (short runs of growing size)."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from arrayshim.conformance.benchmarks.workload import ITEMSIZE, ORIGINAL_SIZE
from arrayshim.errors import ArrayshimError

TARGET_SECONDS = 10.0
SETTLED_SECONDS = 1.2  # a run this long is no longer mostly overhead
CHUNKS_PER_THREAD = 3  # x, x + 1, and what the reduction needs
MAX_CHUNKS = 250_000
FLOOR_CHUNK = 500
LARGEST_CHUNK = 10_000


class PlanError(ArrayshimError, ValueError):
    """Options that cannot be run here; the message begins with the option to change."""


@dataclass(frozen=True, slots=True)
class Slots:
    """Workers of a leg, and threads of each."""

    workers: int
    threads: int

    @property
    def total(self) -> int:
        """Chunks in work at the same time."""
        return self.workers * self.threads

    def __str__(self) -> str:
        return f"{self.workers} x {self.threads}"


def cluster_slots(cores: int) -> Slots:
    """How a local cluster divides `cores`: processes up to four cores, beyond that about as many threads in each."""
    threads = 1 if cores <= 4 else math.isqrt(cores)
    return Slots(cores // threads, threads)


def needed_bytes(slots: int, chunk: int) -> int:
    """Memory in use at the worst moment: `slots` tasks, each holding three square chunks of float64."""
    return int(slots * CHUNKS_PER_THREAD * ITEMSIZE * chunk * chunk)


def largest_chunk(free: int, slots: int) -> int:
    """Largest side of a chunk with which `slots` tasks stay under half of `free` bytes; at least 1."""
    room = (free + 1) // 2 - 1
    return max(1, math.isqrt(max(0, room) // needed_bytes(slots, 1)))


def fit(slots: Slots, free: int, chunk: int) -> Slots | None:
    """As many workers and threads as `chunk` allows under half of `free` bytes.

    Threads are given up first, workers after them.

    Parameters
    ----------
    slots : Slots
        The most that the machine offers.
    free : int
        Bytes.
    chunk : int
        Side of a square chunk.

    Returns
    -------
    Slots or None
        None when even a single thread needs too much.
    """
    most = ((free + 1) // 2 - 1) // needed_bytes(1, chunk)
    if most < 1:
        return None
    workers = min(slots.workers, most)
    return Slots(workers, min(slots.threads, most // workers))


def default_chunk(n: int, *, least: int, slots: int) -> int:
    """Side of the chunks for an array of side `n`.

    Parameters
    ----------
    n : int
    least : int
        What suits the hardware: 1,000 (8 MB, near the caches of a CPU) or 10,000 (800 MB, fills a GPU).
    slots : int
        Tasks at the same time; each shall get at least four chunks.

    Returns
    -------
    int
        `least` up to 50 chunks a side, then thousands up to 10,000 (the chunk of 2019), beyond that 10,000.
    """
    by_count = math.ceil(n / 50 / 1000) * 1000
    chunk = min(max(by_count, least), LARGEST_CHUNK)
    chunk = min(chunk, math.ceil(n / math.ceil(math.sqrt(4 * slots))))
    return chunk if chunk < 200 else chunk - chunk % 100


def check_chunk_count(n: int, chunk: int, option: str) -> None:
    """Refuse a graph that would itself fill the memory.

    Raises
    ------
    PlanError
        More than 250,000 chunks.
    """
    count = math.ceil(n / chunk) ** 2
    if count > MAX_CHUNKS:
        least = math.ceil(n / math.isqrt(MAX_CHUNKS))
        raise PlanError(
            f"{option}: size {n} in chunks of {chunk} makes {count:,} chunks, at most {MAX_CHUNKS:,} are accepted; "
            f"use --chunks {least} or more, or a smaller --size"
        )


def automatic_size(
    measure: Callable[[int], float],
    *,
    start: int,
    enough: int | None = None,
    limit: int = ORIGINAL_SIZE,
    target: float = TARGET_SECONDS,
    settled: float = SETTLED_SECONDS,
) -> int:
    """The side of the array with which a leg takes about `target` seconds, found by short runs.

    Runs grow until one lasts a while. Time is then taken to be a fixed part, which a cluster has for each operation,
    and a part that grows with the area; the last two runs tell them apart.

    Parameters
    ----------
    measure : callable
        From a side to the seconds that all operations of the leg take together.
    start : int
        Side of the first run.
    enough : int, optional
        Stop as soon as this side is known to take less than `target`.
    limit : int
        Never more than this.
    target : float
        Seconds.
    settled : float
        Seconds that a run must last before it is believed.

    Returns
    -------
    int
        Between 1 and `limit`.
    """
    n, before = min(start, limit), (0, 0.0)
    while True:
        seconds = max(measure(n), 1e-6)
        side = partial(_side_for, before, (n, seconds))
        estimate = min(limit, max(1, side(target)))
        if seconds >= settled * (1 if before[0] else 4) or n >= limit or (enough or limit + 1) <= estimate:
            return estimate
        before = (n, seconds)
        n = min(limit, max(n + n // 2 + 1, min(4 * n, side(1.5 * settled))))


def _side_for(before: tuple[int, float], last: tuple[int, float], seconds: float) -> int:
    """The side that takes so many seconds, by the line through two (side, seconds) runs in area and time."""
    (n0, t0), (n1, t1) = before, last
    slope = (t1 - t0) / (n1 * n1 - n0 * n0)
    if slope <= 0:  # the first run was slow for another reason; believe the last alone
        n0, t0, slope = 0, 0.0, t1 / (n1 * n1)
    return math.isqrt(max(0, round((seconds - t0) / slope) + n0 * n0))


def round_down(n: int, chunk: int) -> int:
    """Whole chunks only, at least one: all workers then end together."""
    return max(chunk, n // chunk * chunk)
