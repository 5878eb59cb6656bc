"""The lazy hooks of dask's dispatch tables, made to leave the rows of others alone.

A lazy hook (`register_cupy`) hangs on several tables and rewrites the rows of *all* of them each time one fires.
`settle` hangs each one on the tables wrapped in a `Hook`, which fires once and then writes our rows, and drops the
fallbacks that dask has memoised for the types of its libraries.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from arrayshim import holders, tables
from arrayshim.fix import Row
from arrayshim.ledger import ABSENT, Ledger
from arrayshim.tables import LOCK, NAMES, get, root

#: Libraries for which dask has a hook, and the name of that hook in dask.array.backends.
STOCK_HOOKS = {
    "cupy": "register_cupy",
    "cupyx": "register_cupyx",
    "sparse": "register_sparse",
    "scipy": "register_scipy_sparse",
}

#: Where the hooks have names. The second, imported late or never, calls one each time a CupyBackendEntrypoint is built.
HOOK_OWNERS = ("dask.array.backends", "dask.array.cupy_entry_point")


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
        tables.write(ledger, row.table, row.cls, row.function)
        return
    _library_rows.append((row, ledger))
    hook = _hooks.get(row.cls.partition(".")[0])
    if hook is not None and hook.fired:
        _write_library_row(ledger, row)


def _write_library_row(ledger: Ledger, row: Row) -> None:
    cls = _resolve(str(row.cls))
    if cls is not None:
        tables.write(ledger, row.table, cls, row.function)


def undo(ledger: Ledger) -> list[str]:
    """`tables.undo`, after forgetting the rows that the ledger keeps for a library."""
    _library_rows[:] = [kept for kept in _library_rows if kept[1] is not ledger]
    return tables.undo(ledger)


class Hook:
    """A stock hook that fires once, after which the rows of others stand as before, and ours are written."""

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
                if str(row.cls).partition(".")[0] == self.library:
                    _write_library_row(ledger, row)


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
        # Not `from dask.array import backends`, which is a function there in expression mode.
        _hooks[library] = Hook(library, getattr(import_module("dask.array.backends"), STOCK_HOOKS[library]))
    return _hooks[library]


def hang(ledger: Ledger, table_name: str, library: str, *, on: str | None = None) -> None:
    """Hang the hook of a library on a table that lacks it; `on`: root module that sets it off, if another."""
    ledger.set_item(get(table_name)._lazy, on or library, hook_of(library), volatile=True)


def settle() -> None:
    """Wrap the stock hooks, hang them again on tables where they have fired, and drop memoised fallbacks."""
    if len(_settled):
        return
    for library, stock_name in STOCK_HOOKS.items():
        if stock_name not in vars(import_module("dask.array.backends")):
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
            if found is fallback and not STOCK_HOOKS.keys().isdisjoint(map(root, cls.__mro__)):
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
