"""The records: what a fix is, what it replaces, and what is reported of it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, TypeVar

from arrayshim.errors import UnknownTargetError

F = TypeVar("F", bound=Callable[..., Any])
Probe = Callable[[], "str | None"]

State = Literal["healthy", "faulty", "applied", "drifted", "failed", "foreign", "bypassed", "unknown"]

#: Stock objects by target, remembered when a target is first swapped.
_originals: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a target lives: the module or class that owns it, its name there, and the live object."""

    owner: Any
    name: str
    value: Any


def locate(target: str) -> Place:
    """Find a dotted name such as `dask.array.core.Array.sum`.

    Raises
    ------
    UnknownTargetError
        When no module of dask, or no attribute on the way, has that name.
    """
    parts = target.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        module_name = ".".join(parts[:cut])
        try:
            owner: Any = sys.modules.get(module_name) or importlib.import_module(module_name)
        except ModuleNotFoundError:
            continue
        try:
            for part in parts[cut:-1]:
                owner = vars(owner)[part]
            return Place(owner, parts[-1], vars(owner)[parts[-1]])
        except KeyError as missing:
            raise UnknownTargetError(f"{target}: {module_name} has no {missing}; this dask lacks the target") from None
    raise UnknownTargetError(f"{target}: no such module; a target is written module.name or module.Class.name")


def original(target: str) -> Any:
    """The object that dask had under `target` before arrayshim swapped it.

    Parameters
    ----------
    target : str
        Dotted name, for instance `"dask.array.reductions.mean_chunk"`.

    Returns
    -------
    object
        The stock object; the live one where the target was never swapped.

    Raises
    ------
    UnknownTargetError
        When dask has no such name.
    """
    try:
        return _originals[target]
    except KeyError:
        return locate(target).value


def remember(target: str, value: Any) -> None:
    """Keep the stock object of a target for `original`."""
    _originals[target] = value


@dataclass(frozen=True, slots=True)
class Replacement:
    """A function of ours for one target, in the versions of dask that the specifier names (all when empty).

    `everywhere`: whether it takes the place of the object in all of dask, or of that one name only.
    `late`: whether its module is one that dask does not import itself; nothing is swapped there until somebody has.
    """

    target: str
    function: Callable[..., Any]
    dask: str = ""
    everywhere: bool = True
    late: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """An entry for one of dask's dispatch tables.

    `cls` is a type, or `"library.Name"` for a library that may not be imported: such a row enters with the library's
    first chunk.
    """

    table: str
    cls: type | str
    function: Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Hang:
    """A library's stock hook, to be hung on a table that lacks it; `on`: root module that sets it off, if another."""

    table: str
    library: str
    on: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Fix:
    """One root cause in dask.array.

    Parameters
    ----------
    module : str
        `__name__` of the file that holds the record; its last part is the id.
    title : str
        What is repaired, in one clause.
    issue : str or None
        Upstream issue, a URL.
    affects : str
        Version specifier of dask. It informs; the probe decides.
    after : tuple of str
        Ids of fixes that must be applied before this one.
    array_expr : bool
        Whether the repair reaches dask's expression mode (`array.query-planning`).
    changes_numpy : bool
        Whether it cures a wrong value on NumPy or masked chunks.
    forwarded : str
        DEP-3: `"no"`, a URL, or `"not-needed"` where the repair cannot live upstream.
    reason : str
        Why, where `forwarded` is `"not-needed"`.
    applied_upstream : str
        DEP-3: `"no"`, or the URL of the commit with which dask took the patch.
    broken : str
        Why the file could not be imported on this dask; `fixes.collect` fills it.
    """

    module: str
    title: str
    issue: str | None = None
    affects: str = ""
    after: tuple[str, ...] = ()
    array_expr: bool = True
    changes_numpy: bool = False
    forwarded: str = "no"
    reason: str = ""
    applied_upstream: str = "no"
    broken: str = ""
    replacements: list[Replacement] = field(default_factory=list, repr=False)
    rows: list[Row] = field(default_factory=list, repr=False)
    hangs: list[Hang] = field(default_factory=list, repr=False)
    _probes: list[Probe] = field(default_factory=list, repr=False)

    @property
    def id(self) -> str:
        """The file name without its suffix."""
        return self.module.rpartition(".")[2]

    @property
    def patch(self) -> Path | None:
        """The upstream patch beside the file, where there is one."""
        file = getattr(sys.modules.get(self.module), "__file__", None)
        path = Path(file).with_suffix(".patch") if file else None
        return path if path and path.is_file() else None

    @property
    def targets(self) -> tuple[str, ...]:
        """Dotted names that are replaced."""
        return tuple(dict.fromkeys(replacement.target for replacement in self.replacements))

    def probe(self, function: Probe) -> Probe:
        """Decorator: `function()` is None on a healthy dask, else a sentence; fast, on a CPU, without a trace."""
        self._probes.append(function)
        return function

    def replaces(self, target: str, *, dask: str = "", everywhere: bool = True, late: bool = False) -> Callable[[F], F]:
        """Decorator: the function takes the place of `target` wherever dask holds it, or only under that name.

        `late`: only once the module of `target`, which dask does not import by itself, has been imported; `arrived`.
        """

        def bind(function: F) -> F:
            self.replacements.append(Replacement(target, function, dask, everywhere, late))
            return function

        return bind

    def arrived(self) -> None:
        """Swap what is `late`, where its module has been imported since; nothing if the fix is undone."""
        from arrayshim import applying, tables

        with tables.LOCK:
            if self.id in applying.applied:
                applying.swap_late(self)

    def registers(self, table: str, *types: type | str) -> Callable[[F], F]:
        """Decorator: the function becomes the entry of dask's dispatch `table` for each of `types`."""

        def bind(function: F) -> F:
            self.rows.extend(Row(table, cls, function) for cls in types)
            return function

        return bind

    def hang(self, library: str, *tables: str, on: str | None = None) -> None:
        """Hang the stock hook of a library on tables that lack it; `on`: root module that sets it off, if another."""
        self.hangs.extend(Hang(table, library, on) for table in tables)

    def learn(self, table: str, cls: type, function: Callable[..., Any]) -> None:
        """Register a type that turns up in the course of the work, until the fix is undone; nothing if it is undone."""
        from arrayshim import applying, tables
        from arrayshim.ledger import ABSENT

        with tables.LOCK:
            ledger = applying.applied.get(self.id)
            if ledger is not None and tables.entry(tables.get(table), cls) is ABSENT:
                tables.write(ledger, table, cls, function, volatile=True)

    def diagnose(self) -> str | None:
        """Run the probe in saved and restored tables.

        Returns
        -------
        str or None
            None when this dask, as it is now, does not have the fault; else a sentence that says what was seen.
        """
        from arrayshim import tables

        with tables.untouched():
            return next((fault for probe in self._probes if (fault := probe()) is not None), None)


@dataclass(frozen=True, slots=True)
class Status:
    """What is known of a fix by looking at the live objects.

    Attributes
    ----------
    id, title, issue, forwarded, applied_upstream
        As in the record.
    state : str
        `healthy`, `faulty`, `applied`, `drifted`, `failed`, `foreign`, `bypassed` or `unknown`.
    detail : str
        Why, in one line; empty for `applied` and `healthy`.
    """

    id: str
    state: State
    title: str
    issue: str | None
    detail: str = ""
    forwarded: str = "no"
    applied_upstream: str = "no"
