"""Owner of dask's dispatch tables: settle their lazy hooks, write rows, restore.

Two habits of `dask.utils.Dispatch` stand in the way of a registration that lasts. A lazy hook (`register_cupy`) hangs on
several tables and rewrites the rows of *all* of them each time one fires; and `dispatch` memoises what it found, so a type
that reached a table too early keeps the `object` fallback, which is NumPy's function. `settle` therefore hangs each stock
hook on the tables wrapped in a `Hook` that fires once and then writes our rows, and drops memoised fallbacks. Rows that
somebody else registered are never overwritten, neither by us nor, from then on, by a hook.

dask reads the tables in the threads that compute, without a lock. So every write here is one step, and whoever loops over
a table loops over a copy.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

import numpy as np

from arrayshim import holders
from arrayshim.fix import Row
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

#: Libraries for which dask has a hook, and the name of that hook in dask.array.backends.
STOCK_HOOKS = {
    "cupy": "register_cupy",
    "cupyx": "register_cupyx",
    "sparse": "register_sparse",
    "scipy": "register_scipy_sparse",
}

#: Where the hooks have names. The second, imported late or never, calls one each time a CupyBackendEntrypoint is built.
HOOK_OWNERS = ("dask.array.backends", "dask.array.cupy_entry_point")

#: Held while anything in dask changes hands.
LOCK = RLock()


def get(name: str) -> Any:
    """The `Dispatch` object of dask called `name` here (a key of `NAMES`)."""
    from dask.array import dispatch

    return getattr(dispatch, NAMES[name])


def root(item: Any) -> str:
    """Name of the top-level module in which an object was defined."""
    return str(getattr(item, "__module__", "")).partition(".")[0]


def entry(table: Any, cls: type) -> Any:
    """What stands in a table for exactly this type; ABSENT too where that is the fallback, which dask memoises."""
    found = table._lookup.get(cls, ABSENT)
    return ABSENT if cls is not object and found is table._lookup.get(object) else found


def _replaceable(table: Any, cls: type) -> bool:
    """Whether a row of ours may stand there: nothing does, or ours, or what dask has put there itself."""
    present = entry(table, cls)
    if present is ABSENT or is_ours(present):
        return True
    return root(cls) in ("builtins", "numpy", *STOCK_HOOKS) and root(present) in ("dask", "numpy")


def write(
    ledger: Ledger, table_name: str, cls: type, function: Callable[..., Any], *, volatile: bool = False
) -> bool:
    """Make `function` the entry of a table for `cls`, unless somebody else has put one there; `volatile` as in a ledger.

    Returns
    -------
    bool
        False when the entry is somebody else's and was left alone.
    """
    table = get(table_name)
    if not _replaceable(table, cls):
        return False
    entries = table._lookup
    before = entries.get(cls, ABSENT)
    ledger.set_item(entries, cls, function, volatile=volatile)
    if cls is object:
        # Types that fell back to the old row must meet the new one. What a library's hook wrote on purpose is not among
        # them: `settle` has dropped it, and the hook, which hangs on the table again, will bring it back.
        for memoised, found in list(entries.items()):
            if found is before and memoised is not object and not issubclass(memoised, np.ndarray):
                ledger.drop_item(entries, memoised)
    return True


def _resolve(name: str) -> type | None:
    """The type called `library.Name`, or None while the library is not imported."""
    module, _, attribute = name.rpartition(".")
    found = getattr(sys.modules.get(module), attribute, None)
    return found if isinstance(found, type) else None


#: Rows of enabled fixes for libraries, each with the ledger that it is written to when the library's hook has fired.
_library_rows: list[tuple[Row, Ledger]] = []


def add_row(ledger: Ledger, row: Row) -> None:
    """Write a row now, or keep it until its library's first chunk."""
    if isinstance(row.cls, type):
        write(ledger, row.table, row.cls, row.function)
        return
    _library_rows.append((row, ledger))
    hook = _hooks.get(row.cls.partition(".")[0])
    if hook is not None and hook.fired:
        _write_library_row(row, ledger)


def _write_library_row(row: Row, ledger: Ledger) -> None:
    cls = row.cls if isinstance(row.cls, type) else _resolve(row.cls)
    if cls is not None:
        write(ledger, row.table, cls, row.function)


def undo(ledger: Ledger) -> list[str]:
    """Undo a ledger that may have rows; forget those kept for a library, and what dask memoised for subclasses.

    Returns
    -------
    list of str
        Names of what was left to others, as from `Ledger.undo`.
    """
    _library_rows[:] = [kept for kept in _library_rows if kept[1] is not ledger]
    written = {id(change.new): change.new for change in ledger.changes if change.new is not ABSENT}
    left = ledger.undo()
    for name in NAMES:
        entries = get(name)._lookup
        for cls, found in list(entries.items()):
            if id(found) in written:
                del entries[cls]
    return left


class Hook:
    """A stock registration hook that fires once, after which the rows of others stand as before, and ours are written."""

    def __init__(self, library: str, stock: Callable[[], None]) -> None:
        self.library = library
        self.stock = stock
        self.fired = False

    def __repr__(self) -> str:
        return f"<{self.stock.__name__}, then arrayshim's rows for {self.library}>"

    def __reduce__(self) -> tuple[Any, ...]:
        # A Dispatch inside a graph travels by value, its hooks included: the worker's own hook is the right one.
        return hook_of, (self.library,)

    def __call__(self) -> None:
        with LOCK:
            if self.fired:
                return
            before = {name: dict(get(name)._lookup) for name in NAMES}
            try:
                self.stock()
            finally:  # a library that fails half-way leaves what it has written as a matter of ours to undo
                for name, entries in before.items():
                    _keep_others(get(name)._lookup, entries)
            self.fired = True
            for row, ledger in _library_rows:
                if not isinstance(row.cls, type) and row.cls.partition(".")[0] == self.library:
                    _write_library_row(row, ledger)


def _keep_others(entries: dict[type, Any], before: dict[type, Any]) -> None:
    """After a stock hook: give back the rows of others that it has overwritten, and note its own for `unsettle`."""
    for cls, written in list(entries.items()):
        earlier = before.get(cls, ABSENT)
        if written is earlier:
            continue
        if earlier is before.get(object, ABSENT):
            earlier = ABSENT  # a memo: nothing to give back
        if earlier is ABSENT or _same(earlier, written):
            _hook_ledger.note_item(entries, cls, earlier)
        else:
            entries[cls] = earlier


def _same(one: Any, other: Any) -> bool:
    """Whether two functions come from one `def`, as those do that a hook makes anew each time it fires."""
    return getattr(one, "__code__", one) is getattr(other, "__code__", other)


_hooks: dict[str, Hook] = {}
_hook_ledger = Ledger()
_settled = Ledger()


def hook_of(library: str) -> Hook:
    """The hook of a library (a key of `STOCK_HOOKS`)."""
    if library not in _hooks:
        from dask.array import backends

        _hooks[library] = Hook(library, getattr(backends, STOCK_HOOKS[library]))
    return _hooks[library]


def hang(ledger: Ledger, table_name: str, library: str, *, on: str | None = None) -> None:
    """Hang the hook of a library on a table that lacks it; `on`: root module of the types that set it off, if another."""
    ledger.set_item(get(table_name)._lazy, on or library, hook_of(library), volatile=True)


def settle() -> None:
    """Wrap the stock hooks, hang them again on tables where they have fired, and drop memoised fallbacks."""
    if len(_settled):
        return
    from dask.array import backends

    for library, stock_name in STOCK_HOOKS.items():
        if stock_name not in vars(backends):
            continue
        hook = hook_of(library)
        for name in NAMES:
            table = get(name)
            fired = library not in table._lazy and any(root(cls) == library for cls in list(table._lookup))
            if fired or table._lazy.get(library) is hook.stock:
                _settled.set_item(table._lazy, library, hook, volatile=True)
        for module in filter(None, map(sys.modules.get, HOOK_OWNERS)):
            if vars(module).get(stock_name) is hook.stock:
                _settled.set_attr(module, stock_name, hook)
    for name in NAMES:
        entries = get(name)._lookup
        fallback = entries.get(object, ABSENT)
        for cls, found in list(entries.items()):
            if found is fallback and root(cls) in STOCK_HOOKS:
                _settled.drop_item(entries, cls)


def unsettle() -> list[str]:
    """Give the tables back as they were before `settle`; return the names of what was left to others."""
    _hook_ledger.undo()  # dask's own rows: somebody who has replaced one since has not touched anything of ours
    left = _settled.undo()
    hooks = {id(hook): hook for hook in _hooks.values()}
    for hook in hooks.values():
        hook.fired = False
    # Modules of dask that were imported meanwhile have bound ours.
    for key, places in holders.find(hooks).items():
        for place in places:
            place(Ledger(), hooks[key].stock)
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
