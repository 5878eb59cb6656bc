"""Counts what moves between host and devices at the hands of arrayshim."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

_lock = threading.Lock()
_watching: list[Transfers] = []


@dataclass(slots=True)
class Transfers:
    """What has moved so far.

    Attributes
    ----------
    number, bytes : int
        Arrays that moved, in either direction, and their size.
    by_operation : dict
        Operation -> (number, bytes).
    to_host, to_device : int
        The number, by direction.
    """

    number: int = 0
    bytes: int = 0
    by_operation: dict[str, tuple[int, int]] = field(default_factory=dict)
    to_host: int = 0
    to_device: int = 0


@contextmanager
def transfers() -> Iterator[Transfers]:
    """Count what arrayshim moves between host and devices while a block runs, in all threads of the process.

    What a library moves by itself, as ``float(x)`` does, and what other processes move, is not seen.

    Yields
    ------
    Transfers
        With `number`, `bytes` and `by_operation`; it goes on counting until the block ends.

    Examples
    --------
    >>> with arrayshim.transfers() as moved:
    ...     (device_backed + numpy_array).compute()
    >>> moved.by_operation
    {'add': (4, 832)}
    """
    found = Transfers()
    with _lock:
        _watching.append(found)
    try:
        yield found
    finally:
        with _lock:
            # By identity: two counters may be equal.
            _watching[:] = [other for other in _watching if other is not found]


def count(array: Any, operation: str, *, to_host: bool) -> None:
    """Note that `array` moves."""
    if not _watching:
        return
    size = int(getattr(array, "nbytes", 0))
    with _lock:
        for found in _watching:
            number, total = found.by_operation.get(operation, (0, 0))
            found.by_operation[operation] = number + 1, total + size
            found.number += 1
            found.bytes += size
            found.to_host += to_host
            found.to_device += not to_host
