"""Apply one fix, or take it back: decide whether this dask needs it, swap its targets, keep the ledger."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Any

from arrayshim import compat, holders, hooks, tables
from arrayshim.errors import UnknownTargetError
from arrayshim.fix import Fix, Replacement, State, locate, original, remember
from arrayshim.ledger import Ledger

#: Ledgers of the fixes that are applied, in the order of application.
applied: dict[str, Ledger] = {}
#: Why a fix that was asked for is not applied: its state and a sentence.
refused: dict[str, tuple[State, str]] = {}

BYPASSED = "dask's expression mode (array.query-planning) does not run the code that this repairs"

#: Libraries whose decorators and functions dask itself binds under its names.
_STOCK_ROOTS = ("dask", "functools", "tlz", "toolz", "cytoolz", "numpy", "builtins", "")


def array_expr() -> bool:
    """Whether dask.array was imported in its expression mode."""
    import dask.array as da

    return bool(getattr(da, "ARRAY_EXPR_ENABLED", False))


def _dress(function: Any, stock: Any) -> None:
    """Give a replacement, once, the documentation and signature of its target; dask reads signatures."""
    if hasattr(function, "__signature__"):
        return
    function.__doc__ = stock.__doc__
    try:
        function.__signature__ = inspect.signature(stock)
    except (TypeError, ValueError):
        pass  # not a function, and nobody asks it for a signature


def _stock(replacement: Replacement) -> Any:
    """What a replacement displaces: the live object, unless that is ours, put back by somebody who had saved it."""
    live = locate(replacement.target).value
    return original(replacement.target) if live is replacement.function else live


class Session:
    """What the fixes of one `enable()` share: a single walk through dask, and the answers of probes."""

    def __init__(self, fixes: Iterable[Fix]) -> None:
        fixes = list(fixes)
        self.verdicts = compat.Verdicts()
        self._objects: dict[int, Any] = {}  # alive, so that no other object takes their identity
        for replacement in (r for fix in fixes for r in compat.meant_for_here(fix) if r.everywhere):
            try:
                stock = _stock(replacement)
            except UnknownTargetError:
                continue  # `apply` says so
            self._objects[id(stock)] = stock
        self._places = holders.find(self._objects)

    def apply(self, fix: Fix) -> tuple[State, str]:
        """Bring one fix to the state that this dask allows; it is in `applied` while anything of it is in dask."""
        if fix.broken:
            return "drifted", fix.broken
        if not fix.array_expr and array_expr():
            return "bypassed", BYPASSED
        try:
            stranger = _stranger(fix)
        except UnknownTargetError as error:
            return "drifted", str(error)
        if stranger is not None:
            return "foreign", f"{stranger} was replaced by somebody else before; it is left alone"
        if compat.is_tested():
            return self._swap(fix) if compat.in_range(fix.affects) else ("healthy", "")
        return self._swap(fix) if compat.same_source(fix) else self._try(fix)

    def _swap(self, fix: Fix) -> tuple[State, str]:
        """Swap the targets of a fix wherever dask holds them, and write its rows; all of it, or nothing."""
        ledger = applied[fix.id] = Ledger()
        try:
            for replacement in compat.meant_for_here(fix):
                self._replace(replacement, ledger)
            for hang in fix.hangs:
                hooks.hang(ledger, hang.table, hang.library, on=hang.on)
            for row in fix.rows:
                hooks.add_row(ledger, row)
        except Exception:
            take_back([fix])
            raise
        return "applied", ""

    def _replace(self, replacement: Replacement, ledger: Ledger) -> None:
        stock, ours = _stock(replacement), replacement.function
        remember(replacement.target, stock)
        _dress(ours, stock)
        place = locate(replacement.target)
        ledger.set_attr(place.owner, place.name, ours)
        if replacement.everywhere:
            for write in self._places[id(stock)]:
                write(ledger, ours)

    def _try(self, fix: Fix) -> tuple[State, str]:
        """On a dask that nobody has tested: apply where the fault is there and the repair cures it."""
        answers = self.verdicts.answers
        answer = answers.get(fix.id)
        if answer is None:
            try:
                answer = "untried" if fix.diagnose() else "healthy"
            except Exception as error:
                return "unknown", probe_failed(error)
        if answer in ("untried", "cured"):
            self._swap(fix)
            if answer == "untried":
                answer = _remaining_fault(fix)
            if answer != "cured":
                take_back([fix])
        answers[fix.id] = answer
        if answer == "cured":
            return "applied", ""
        if answer == "healthy":
            return "healthy", ""
        return "drifted", f"the source differs from the tested one and the repair does not cure it: {answer}"


def swap_late(fix: Fix) -> None:
    """Swap, for a fix that is applied, the targets in modules that have been imported since."""
    for replacement in compat.meant_for_here(fix):
        place = locate(replacement.target)
        if replacement.late and place.value is not replacement.function:
            remember(replacement.target, place.value)
            _dress(replacement.function, place.value)
            applied[fix.id].set_attr(place.owner, place.name, replacement.function)


def probe_failed(error: Exception) -> str:
    """One line on a probe that raised."""
    return f"the probe itself failed: {type(error).__name__}: {error}"


def _remaining_fault(fix: Fix) -> str:
    try:
        return fix.diagnose() or "cured"
    except Exception as error:
        return probe_failed(error)


def _stranger(fix: Fix) -> str | None:
    """The first target that somebody else has replaced already."""
    for replacement in compat.meant_for_here(fix):
        value = _stock(replacement)
        home = getattr(value, "__globals__", {}).get("__name__") or getattr(value, "__module__", None) or ""
        if str(home).partition(".")[0] not in _STOCK_ROOTS:
            return replacement.target
    for row in fix.rows:
        if isinstance(row.cls, type) and row.table in tables.NAMES and not tables.replaceable(row.table, row.cls):
            return f"{row.table}[{row.cls.__name__}]"
    return None


def take_back(fixes: Iterable[Fix]) -> dict[str, list[str]]:
    """Undo fixes in the order given.

    Returns
    -------
    dict of str to list of str
        By id, the names of what somebody else has replaced since and was left.
    """
    left: dict[str, list[str]] = {}
    stock: dict[int, tuple[Any, Any]] = {}
    for fix in fixes:
        left[fix.id] = hooks.undo(applied[fix.id])
        stock.update({id(r.function): (r.function, original(r.target)) for r in compat.meant_for_here(fix)})
    # Modules of dask that were imported meanwhile have bound ours.
    for key, places in holders.find({key: ours for key, (ours, _) in stock.items()}).items():
        for write in places:
            write(Ledger(), stock[key][1])
    for fix_id in left:
        del applied[fix_id]
    return left
