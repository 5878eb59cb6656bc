"""What each fix is now: `status()` and `explain()` look at live objects, never at what was once done."""

from __future__ import annotations

import inspect
import sys

from arrayshim.applying import BYPASSED, applied, array_expr, probe_failed, refused
from arrayshim.compat import dask_version, in_range, is_tested
from arrayshim.fix import Fix, State, Status
from arrayshim.fixes import collect
from arrayshim.selection import known
from arrayshim.tables import LOCK


def _state(fix: Fix) -> tuple[State, str]:
    ledger = applied.get(fix.id)
    if ledger is not None:
        foreign = ledger.foreign()
        return ("foreign", f"no longer arrayshim's: {', '.join(foreign)}") if foreign else ("applied", "")
    if fix.broken:
        return "drifted", fix.broken
    if not fix.array_expr and array_expr():
        return "bypassed", BYPASSED
    if fix.id in refused and refused[fix.id][0] != "healthy":
        return refused[fix.id]
    try:
        fault = fix.diagnose()
    except Exception as error:
        return "unknown", probe_failed(error)
    return ("healthy", "") if fault is None else ("faulty", fault + _left_out(fix))


def _left_out(fix: Fix) -> str:
    """Why a fix that nobody named is not applied: those that it leans on, and that are left out."""
    from arrayshim.registration import wanted

    asked = wanted()
    missing = [earlier for earlier in fix.after if asked and earlier not in asked]
    return f"; left out with {', '.join(missing)}, on which it leans" if missing else ""


def _status_of(fix: Fix) -> Status:
    state, detail = _state(fix)
    return Status(fix.id, state, fix.title, fix.issue, detail, fix.forwarded, fix.applied_upstream)


def status() -> tuple[Status, ...]:
    """What each fix is now; the probe runs for each one that is not applied.

    Returns
    -------
    tuple of Status
        One record per fix, in the order of application.
    """
    with LOCK:
        return tuple(_status_of(fix) for fix in collect().values())


def explain(fix_id: str) -> str:
    """What a fix repairs and why, where, and its state here.

    Parameters
    ----------
    fix_id : str
        As `status()` prints it.

    Returns
    -------
    str
        Several lines of plain text.

    Raises
    ------
    UnknownFixError
        An id that names no fix.
    """
    (name,) = known([fix_id])
    fix = collect()[name]
    with LOCK:
        now = _status_of(fix)
    fit = "in" if in_range(fix.affects) else "not in"
    version = f"dask {dask_version()}, {'tested' if is_tested() else 'not tested'}, {fit} the affected range"
    patch = fix.patch.name if fix.patch else f"none: {fix.reason or 'not written'}"
    targets = [*fix.targets, *(f"{row.table}[{getattr(row.cls, '__name__', row.cls)}]" for row in fix.rows)]
    targets += [f"{hang.table}: hook of {hang.library}" for hang in fix.hangs]
    lines = [
        f"{fix.id}: {fix.title}",
        "",
        inspect.cleandoc(getattr(sys.modules.get(fix.module), "__doc__", None) or ""),
        "",
        f"state     {now.state}{f' ({now.detail})' if now.detail else ''}",
        f"here      {version} ({fix.affects or 'every version'})",
        f"upstream  {fix.issue or 'no issue is known'}",
        f"patch     {patch}",
        f"forwarded {fix.forwarded}; applied upstream: {fix.applied_upstream}",
        f"after     {', '.join(fix.after) or 'nothing'}",
        "targets   " + "\n          ".join(targets or ["none"]),
    ]
    if fix.changes_numpy:
        lines.insert(2, "This repair changes a wrong value on NumPy or masked chunks.")
    return "\n".join(lines)
