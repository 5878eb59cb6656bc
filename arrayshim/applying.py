"""Apply one fix, or take it back: decide whether this dask needs it, swap its targets, keep the ledger."""

from __future__ import annotations

import inspect
from typing import Any

from arrayshim import compat, holders, tables
from arrayshim.errors import UnknownTargetError
from arrayshim.fix import Fix, State, locate, original, remember
from arrayshim.ledger import Ledger

#: Ledgers of the fixes that are applied, in the order of application.
applied: dict[str, Ledger] = {}
#: Why a fix that was asked for is not applied: its state and a sentence.
refused: dict[str, tuple[State, str]] = {}

BYPASSED = "dask's expression mode (array.query-planning) does not run the code that this repairs"


def array_expr() -> bool:
    """Whether dask.array was imported in its expression mode."""
    import dask.array as da

    enabled = getattr(da, "array_expr_enabled", None)
    return bool(enabled and enabled())


def _dress(function: Any, stock: Any) -> None:
    """Give a replacement the documentation and signature of its target; dask reads signatures."""
    function.__doc__ = stock.__doc__
    try:
        function.__signature__ = inspect.signature(stock)
    except (TypeError, ValueError):
        pass  # not a function, and nobody asks it for a signature


def swap(fix: Fix) -> Ledger:
    """Swap the targets of a fix wherever dask holds them, and write its rows; all of it, or nothing."""
    ledger = Ledger()
    try:
        new: dict[int, Any] = {}
        kept_alive = []
        for replacement in fix.replacements:
            if not compat.in_range(replacement.dask):
                continue
            place = locate(replacement.target)
            _dress(replacement.function, place.value)
            remember(replacement.target, place.value)
            if replacement.everywhere:
                kept_alive.append(place.value)
                new[id(place.value)] = replacement.function
            else:
                ledger.set_attr(place.owner, place.name, replacement.function)
        holders.swap(ledger, new)
        for hang in fix.hangs:
            tables.hang(ledger, hang.table, hang.library, on=hang.on)
        for row in fix.rows:
            tables.add_row(ledger, row)
    except BaseException:
        unswap(fix, ledger)
        raise
    return ledger


def unswap(fix: Fix, ledger: Ledger) -> list[str]:
    for row in fix.rows:
        tables.drop_row(row)
    left = ledger.undo()
    # Modules of dask that were imported meanwhile have bound ours.
    stock = {
        id(replacement.function): original(replacement.target)
        for replacement in fix.replacements
        if replacement.everywhere and compat.in_range(replacement.dask)
    }
    holders.swap(Ledger(), stock)
    return left


#: Libraries whose decorators dask itself puts around its functions.
_STOCK_ROOTS = ("dask", "functools", "tlz", "toolz", "cytoolz")


def _stranger(fix: Fix) -> str | None:
    """The first target that somebody else has replaced already."""
    for target in fix.targets:
        value = locate(target).value
        defined_in = getattr(value, "__globals__", {}).get("__name__") or getattr(value, "__module__", None) or "dask"
        if str(defined_in).partition(".")[0] not in _STOCK_ROOTS:
            return target
    return None


def apply(fix: Fix, verdicts: compat.Verdicts) -> tuple[State, str]:
    """Bring one fix to the state that this dask allows."""
    if not fix.array_expr and array_expr():
        return "bypassed", BYPASSED
    try:
        stranger = _stranger(fix)
    except UnknownTargetError as error:
        return "drifted", str(error)
    if stranger is not None:
        return "foreign", f"{stranger} was replaced by somebody else before; it is left alone"
    if compat.is_tested():
        if not compat.in_range(fix.affects):
            return "healthy", ""
        applied[fix.id] = swap(fix)
        return "applied", ""
    if compat.same_source(fix):
        applied[fix.id] = swap(fix)
        return "applied", ""
    return _probe_and_swap(fix, verdicts)


def _probe_and_swap(fix: Fix, verdicts: compat.Verdicts) -> tuple[State, str]:
    """On a dask that nobody has tested: apply where the fault is there and the repair cures it."""
    answer = verdicts.answers.get(fix.id)
    if answer is None:
        answer = "healthy" if fix.diagnose() is None else "untried"
    if answer == "healthy":
        verdicts.answers[fix.id] = answer
        return "healthy", ""
    if answer in ("untried", "cured"):
        ledger = swap(fix)
        fault = fix.diagnose() if answer == "untried" else None
        if fault is None:
            verdicts.answers[fix.id] = "cured"
            applied[fix.id] = ledger
            return "applied", ""
        unswap(fix, ledger)
        verdicts.answers[fix.id] = answer = fault
    return "drifted", f"the source differs from the tested one and the repair does not cure it: {answer}"
