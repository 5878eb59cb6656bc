"""dask's dispatch tables: write rows that nobody else owns, and take them back with all that dask remembered of them.

`dask.utils.Dispatch` memoises what it found, so a type that reached a table too early keeps the `object` fallback,
which is NumPy's function. A new fallback therefore displaces the memos of the old one. A row that somebody has
registered on purpose with the very function that is the fallback looks like a memo, and is the one case in which a
row of others is set aside while the repairs are enabled.

dask reads the tables in the threads that compute, without a lock. So every write here is one step, and whoever loops
over a table loops over a copy. The lazy hooks of the tables are the business of `arrayshim.hooks`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from threading import RLock
from typing import Any

import numpy as np

from arrayshim.ledger import ABSENT, Ledger, is_ours

#: dask's tables: our short name, and the attribute of dask.array.dispatch.
NAMES = {
    "concatenate": "concatenate_lookup",
    "take": "take_lookup",
    "tensordot": "tensordot_lookup",
    "einsum": "einsum_lookup",
    "empty": "empty_lookup",
    "divide": "divide_lookup",
    "percentile": "percentile_lookup",
    "numel": "numel_lookup",
    "nannumel": "nannumel_lookup",
    "to_numpy": "to_numpy_dispatch",
    "to_cupy": "to_cupy_dispatch",
}

#: Libraries for whose types dask has rows of its own.
LIBRARIES = ("cupy", "cupyx", "sparse", "scipy")

#: Held while anything in dask changes hands.
LOCK = RLock()
if hasattr(os, "register_at_fork"):
    # A child that is forked while another thread holds the lock would wait for it forever.
    os.register_at_fork(before=LOCK.acquire, after_in_parent=LOCK.release, after_in_child=LOCK.release)


def get(name: str) -> Any:
    """The `Dispatch` object of dask called `name` here (a key of `NAMES`)."""
    return getattr(import_module("dask.array.dispatch"), NAMES[name])


def root(item: Any) -> str:
    """Name of the top-level module in which an object was defined."""
    return str(getattr(item, "__module__", "")).partition(".")[0]


def entry(table: Any, cls: type) -> Any:
    """What stands in a table for exactly this type; ABSENT too where that is the fallback, which dask memoises."""
    found = table._lookup.get(cls, ABSENT)
    return ABSENT if cls is not object and found is table._lookup.get(object) else found


def replaceable(table_name: str, cls: type) -> bool:
    """Whether a row of ours may stand there: nothing does, or ours, or what dask has put there itself."""
    present = entry(get(table_name), cls)
    if present is ABSENT or is_ours(present):
        return True
    return root(cls) in ("builtins", "numpy", *LIBRARIES) and root(present) in ("dask", "numpy")


def write(ledger: Ledger, table_name: str, cls: type, function: Callable[..., Any], *, volatile: bool = False) -> bool:
    """Make `function` the entry of a table for `cls`, unless somebody else has put one there.

    `volatile` is passed on to the ledger.

    Returns
    -------
    bool
        False when the entry is somebody else's and was left alone.
    """
    if not replaceable(table_name, cls):
        return False
    entries = get(table_name)._lookup
    before = entries.get(cls, ABSENT)
    ledger.set_item(entries, cls, function, volatile=volatile)
    if cls is object:
        # Types that fell back to the old row must meet the new one. What a library's hook wrote on purpose is not among
        # them: `settle` has dropped it, and the hook, which hangs on the table again, will bring it back.
        for memoised, found in list(entries.items()):
            if found is before and memoised is not object and not issubclass(memoised, np.ndarray):
                ledger.drop_item(entries, memoised)
    return True


def undo(ledger: Ledger) -> list[str]:
    """Undo a ledger that may have rows, and forget what dask has memoised from them for subclasses.

    Returns
    -------
    list of str
        Names of what was left to others, as from `Ledger.undo`.
    """
    written = {id(change.new): change.new for change in ledger.changes if change.new is not ABSENT}
    left = ledger.undo()
    for name in NAMES:
        entries = get(name)._lookup
        for cls, found in list(entries.items()):
            if id(found) in written:
                del entries[cls]
    return left


@contextmanager
def untouched() -> Iterator[None]:
    """For probes: forget what the tables have memoised for the types of arrayshim, which is all that a probe adds."""
    with LOCK:
        before = {name: frozenset(get(name)._lookup) for name in NAMES}
        try:
            yield
        finally:
            for name, known in before.items():
                entries = get(name)._lookup
                for cls in [cls for cls in list(entries) if is_ours(cls) and cls not in known]:
                    del entries[cls]
