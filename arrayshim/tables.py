"""Owner of dask's dispatch tables: settle their lazy hooks, write rows, restore.

Two habits of `dask.utils.Dispatch` stand in the way of a registration that lasts. A lazy hook (`register_cupy`) hangs on
several tables and rewrites the rows of *all* of them each time one fires; and `dispatch` memoises what it found, so a type
that reached a table too early keeps the `object` fallback, which is NumPy's function. `settle` therefore hangs each stock
hook on the tables wrapped in a `Hook` that fires once and then writes our rows, and drops memoised fallbacks. Rows that
somebody else registered are never overwritten, neither by us nor, from then on, by a hook.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import RLock
from typing import Any

from arrayshim.fix import Row
from arrayshim.ledger import ABSENT, Change, Ledger, is_ours

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

#: Held while anything in dask changes hands.
LOCK = RLock()


def get(name: str) -> Any:
    """The `Dispatch` object of dask called `name` here (a key of `NAMES`)."""
    from dask.array import dispatch

    return getattr(dispatch, NAMES[name])


def _root(item: Any) -> str:
    return str(getattr(item, "__module__", "")).partition(".")[0]


def _is_stock(table: Any, cls: type, function: Any) -> bool:
    """Whether dask would have put this entry there: its own row, or a memoised fallback."""
    if function is ABSENT or function is table._lookup.get(object, ABSENT):
        return True
    owner = _root(cls)
    return (owner in STOCK_HOOKS or owner in ("builtins", "numpy")) and _root(function) in ("dask", "numpy", owner)


def write(ledger: Ledger, table_name: str, cls: type, function: Callable[..., Any]) -> bool:
    """Make `function` the entry of a table for `cls`, unless somebody else has put one there.

    Returns
    -------
    bool
        False when the entry is somebody else's and was left alone.
    """
    table = get(table_name)
    entries = table._lookup
    present = entries.get(cls, ABSENT)
    if not (_is_stock(table, cls, present) or is_ours(present)):
        return False
    if cls is object:
        # Types that fell back to the old row must meet the new one. What a library's hook wrote on purpose is not among
        # them: `settle` has dropped it, and the hook, which hangs on the table again, will bring it back.
        for memoised in [c for c, f in entries.items() if f is present and _root(c) not in ("builtins", "numpy")]:
            ledger.drop_item(entries, memoised)
    ledger.set_item(entries, cls, function)
    return True


def write_once(table_name: str, cls: type, function: Callable[..., Any]) -> None:
    """Give a type that reaches a table for the first time its entry, until the repairs are disabled."""
    with LOCK:
        table = get(table_name)
        if table._lookup.get(cls, ABSENT) in (ABSENT, table._lookup.get(object)):
            write(_hook_ledger, table_name, cls, function)


def _resolve(name: str) -> type | None:
    """The type called `library.Name`, or None while the library is not imported."""
    module, _, attribute = name.rpartition(".")
    found = getattr(sys.modules.get(module), attribute, None)
    return found if isinstance(found, type) else None


#: Rows of enabled fixes for libraries, each with the ledger that it is written to when the library's hook has fired.
_library_rows: list[tuple[Row, Ledger]] = []


def add_row(ledger: Ledger, row: Row) -> bool:
    """Write a row now, or keep it until its library's first chunk; False when the entry is somebody else's."""
    if isinstance(row.cls, type):
        return write(ledger, row.table, row.cls, row.function)
    _library_rows.append((row, ledger))
    hook = _hooks.get(row.cls.partition(".")[0])
    return hook is None or not hook.fired or hook.write_row(row, ledger)


def drop_row(row: Row) -> None:
    """Forget a row kept for a library, and what dask memoised from the row for subclasses; its ledger undoes the rest."""
    _library_rows[:] = [kept for kept in _library_rows if kept[0] is not row]
    entries = get(row.table)._lookup
    registered = row.cls if isinstance(row.cls, type) else _resolve(row.cls)
    for cls in [c for c, f in entries.items() if f is row.function and c is not registered]:
        del entries[cls]


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
            self.stock()
            for name, entries in before.items():
                table = get(name)
                for cls, function in list(table._lookup.items()):
                    earlier = entries.get(cls, ABSENT)
                    if function is earlier:
                        continue
                    if not _is_stock(table, cls, earlier):
                        table._lookup[cls] = earlier
                    else:
                        _hook_ledger.changes.append(_entry(table._lookup, cls, earlier, function))
            self.fired = True
            for row, ledger in _library_rows:
                if str(row.cls).partition(".")[0] == self.library:
                    self.write_row(row, ledger)

    def write_row(self, row: Row, ledger: Ledger) -> bool:
        """Write a row of ours over the stock one."""
        cls = _resolve(str(row.cls))
        return cls is None or write(ledger, row.table, cls, row.function)


def _entry(entries: dict[type, Any], cls: type, old: Any, new: Any) -> Change:
    """A change that somebody else has made already, for a ledger to undo."""

    def put(value: Any) -> None:
        if value is ABSENT:
            entries.pop(cls, None)
        else:
            entries[cls] = value

    return Change(f"entry {cls!r}", lambda: entries.get(cls, ABSENT), put, old, new)


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
    from dask.array import backends, cupy_entry_point

    for library, stock_name in STOCK_HOOKS.items():
        stock = vars(backends).get(stock_name)
        if stock is None:
            continue
        hook = hook_of(library)
        for name in NAMES:
            table = get(name)
            fired = library not in table._lazy and any(_root(cls) == library for cls in table._lookup)
            if fired or table._lazy.get(library) is stock:
                _settled.set_item(table._lazy, library, hook, volatile=True)
        for module in (backends, cupy_entry_point):
            # Building a CupyBackendEntrypoint calls the hook by name.
            if vars(module).get(stock_name) is stock:
                _settled.set_attr(module, stock_name, hook)
    for name in NAMES:
        entries = get(name)._lookup
        fallback = entries.get(object)
        for cls in [c for c, f in entries.items() if f is fallback and _root(c) in STOCK_HOOKS]:
            _settled.drop_item(entries, cls)


def unsettle() -> list[str]:
    """Give the tables back as they were before `settle`; return the names of what was left to others."""
    left = _hook_ledger.undo() + _settled.undo()
    for hook in _hooks.values():
        hook.fired = False
    return left


@contextmanager
def untouched() -> Iterator[None]:
    """Leave every table, entries and hooks, as it was found: for probes, whose types must leave no memo."""
    with LOCK:
        found = [
            (mapping, dict(mapping)) for name in NAMES for mapping in (get(name)._lookup, get(name)._lazy)
        ]
        try:
            yield
        finally:
            for mapping, saved in found:
                for key in [key for key in mapping if key not in saved]:
                    del mapping[key]
                mapping.update({key: value for key, value in saved.items() if mapping.get(key) is not value})
