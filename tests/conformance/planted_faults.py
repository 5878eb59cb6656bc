"""A catalogue with one fault of every kind in it, and the same calls without."""

from __future__ import annotations

import os
import signal
import time
from typing import Any

import numpy as np

from arrayshim.conformance.case import Case
from arrayshim.strict import StrictArray, to_device, to_host


def is_part(chunk: Any) -> bool:
    """Whether this is a chunk of the strict type, and not the whole array by itself."""
    return isinstance(chunk, StrictArray) and chunk.shape[0] < 13


def honest(chunk: Any) -> Any:
    """What every one of the others should have done."""
    return chunk * 2


def to_numpy(chunk: Any) -> Any:
    """Comes back as a host array."""
    return to_host(chunk * 2) if is_part(chunk) else chunk * 2


def there_and_back(chunk: Any) -> Any:
    """A hidden copy to the host."""
    return to_device(chunk.get()) * 2 if is_part(chunk) else chunk * 2


def off_by_a_little(chunk: Any) -> Any:
    """Wrong in the fourth digit."""
    return chunk * 2 + (1e-3 if is_part(chunk) else 0)


def half_as_wide(chunk: Any) -> Any:
    """Loses half of its bits."""
    return (chunk * 2).astype("f4") if is_part(chunk) else chunk * 2


def shorter(chunk: Any) -> Any:
    """Loses a row."""
    return (chunk * 2)[:-1] if is_part(chunk) else chunk * 2


def refused(chunk: Any) -> Any:
    """An error that the backend does not raise on its own."""
    if is_part(chunk):
        raise ValueError("no <b>chunks</b> here")
    return chunk * 2


def lacking(x: Any) -> Any:
    """What the backend itself cannot do."""
    if not type(x).__module__.startswith(("numpy", "dask")) or type(getattr(x, "_meta", None)) is StrictArray:
        raise NotImplementedError("the library has no such function")
    return x * 2


def eager(x: Any) -> Any:
    """Computes while the graph is built."""
    if type(getattr(x, "_meta", None)) is StrictArray:
        x.sum().compute()
    return x * 2


def unlike_itself(x: Any) -> Any:
    """Another graph each time."""
    is_strict = type(getattr(x, "_meta", None)) is StrictArray
    return x.map_blocks(honest, token=os.urandom(8).hex()) if is_strict else x * 2


def killed(x: Any) -> Any:
    """Kills its process."""
    if type(getattr(x, "_meta", None)) is StrictArray:
        os.kill(os.getpid(), signal.SIGSEGV)
    return x * 2


def gone(x: Any) -> Any:
    """Ends its process without a word."""
    if type(getattr(x, "_meta", None)) is StrictArray:
        os._exit(3)
    return x * 2


def greedy(x: Any) -> Any:
    """Runs out of memory."""
    if type(getattr(x, "_meta", None)) is StrictArray:
        raise MemoryError("no room for 8 EiB")
    return x * 2


def asleep(x: Any) -> Any:
    """Never comes back."""
    while type(getattr(x, "_meta", None)) is StrictArray:
        time.sleep(60)
    return x * 2


def mapped(x: Any, function: Any, **options: Any) -> Any:
    """`map_blocks`, or the function itself where NumPy runs."""
    return x.map_blocks(function, meta=x._meta, **options) if hasattr(x, "map_blocks") else function(x)


def lying(x: Any) -> Any:
    """A meta of another type than the chunks."""
    return x.map_blocks(honest, meta=np.empty((0, 0))) if hasattr(x, "map_blocks") else x * 2


CASES = (
    Case(name="honest", names=("mean",), call=lambda da, b: mapped(b.x, honest)),
    Case(name="to_numpy", call=lambda da, b: mapped(b.x, to_numpy)),
    Case(name="there_and_back", call=lambda da, b: mapped(b.x, there_and_back)),
    Case(name="off_by_a_little", call=lambda da, b: mapped(b.x, off_by_a_little)),
    Case(name="half_as_wide", call=lambda da, b: mapped(b.x, half_as_wide)),
    Case(name="wide meta", call=lambda da, b: b.x.map_blocks(honest, meta=b.x._meta.astype("f4")), numpy=False),
    Case(name="shorter", call=lambda da, b: mapped(b.x, shorter)),
    Case(name="refused", call=lambda da, b: mapped(b.x, refused)),
    Case(name="lacking", call=lambda da, b: lacking(b.x)),
    Case(name="eager", call=lambda da, b: eager(b.x), numpy=False),
    Case(name="unlike_itself", call=lambda da, b: unlike_itself(b.x)),
    Case(name="lying", call=lambda da, b: lying(b.x)),
    Case(name="killed", call=lambda da, b: killed(b.x)),
    Case(name="gone", call=lambda da, b: gone(b.x)),
    Case(name="greedy", call=lambda da, b: greedy(b.x)),
    Case(name="asleep", call=lambda da, b: asleep(b.x)),
    Case(name="stands on sand", call=lambda da, b: b.x * 2, builds_on=("planted_faults/killed",)),
    Case(name="wants more", call=lambda da, b: b.x * 2, requires=("no_such_module",)),
    Case(name="wide", call=lambda da, b: b.x * 2, requires=("dtype:f16",)),
    Case(name="eager after a cluster", call=lambda da, b: eager(b.x), numpy=False),
    Case(name="after all that", call=lambda da, b: da.sum(b.x, axis=0)),
)
