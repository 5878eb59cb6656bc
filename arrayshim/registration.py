"""Enable and disable the repairs. Everything that changes in dask changes through here, under one lock, in ledgers."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from arrayshim import compat, hooks, tables
from arrayshim.applying import Session, applied, refused, take_back
from arrayshim.errors import ArrayshimWarning, ForeignPatchWarning, UntestedDaskWarning
from arrayshim.fix import Fix, State
from arrayshim.fixes import collect
from arrayshim.ledger import Ledger
from arrayshim.selection import known, select
from arrayshim.tables import LOCK

#: Versions of dask that nobody has tested and of which that has been said; once in a process.
_told: set[str] = set()
#: Ids that were asked for by the last `enable()`; None while dask is stock.
_wanted: list[str] | None = None


@dataclass(slots=True)
class _Addition:
    """What a backend adds to dask at every `enable()`, and its ledger while it is there."""

    install: Callable[[Ledger], None]
    ledger: Ledger | None = None

    def put(self) -> None:
        """Install it, if it is not installed; all of it, or nothing."""
        if self.ledger is None:
            self.ledger = Ledger()
            try:
                self.install(self.ledger)
            except BaseException:
                self.take_back()
                raise

    def take_back(self) -> list[str]:
        """Undo it; the names of what was left to others."""
        left = tables.undo(self.ledger) if self.ledger is not None else []
        self.ledger = None
        return left


_additions: list[_Addition] = []


def enable(*, only: Iterable[str] | None = None, skip: Iterable[str] = ()) -> None:
    """Apply exactly the selected repairs; those applied before and not selected are undone.

    Idempotent and thread-safe. `import arrayshim` calls it once.

    Parameters
    ----------
    only : iterable of str, optional
        Ids to apply, with those that they lean on, whatever the settings say. Default: every fix, less those that
        `ARRAYSHIM_DISABLE` or dask's `arrayshim.disable` leave out.
    skip : iterable of str, optional
        Ids to leave out, with those that lean on them.

    Raises
    ------
    UnknownFixError
        An id that names no fix; nothing has changed then.
    """
    with LOCK:
        _bring(select(only, skip))


def wanted() -> tuple[str, ...]:
    """Ids that were asked for last; none while dask is stock."""
    return tuple(_wanted or ())


def _bring(selected: list[str]) -> None:
    """Have exactly the selected fixes applied; where that is interrupted, those that were before."""
    before = _wanted
    try:
        warned = _change(selected)
    except BaseException:  # Ctrl-C in the middle
        _retire(list(applied))
        _close()
        _change(before or [])
        raise
    # Only now: a warning may be an error, and all is in order.
    for category, message in warned:
        warnings.warn(message, category, stacklevel=3)


_Warned = list[tuple[type[ArrayshimWarning], str]]


def _change(selected: list[str]) -> _Warned:
    global _wanted
    warned = _retire([fix_id for fix_id in applied if fix_id not in selected])
    refused.clear()
    if not selected:
        warned += _close()
        _wanted = None
        return warned
    _wanted = selected
    hooks.settle()
    fixes = [fix for fix in collect().values() if fix.id in selected and fix.id not in applied]
    if fixes:
        warned += _apply(fixes)
    for addition in _additions:
        try:
            addition.put()
        except Exception as error:
            warned.append((ArrayshimWarning, f"{addition.install}: {type(error).__name__}: {error}"))
    return warned


def _apply(fixes: list[Fix]) -> _Warned:
    session = Session(fixes)
    for fix in fixes:
        try:
            state, detail = _missing_support(fix) or session.apply(fix)
        except Exception as error:  # one repair that fails must not cost the user the others
            state, detail = "failed", f"{type(error).__name__}: {error}; nothing of it was left in dask"
        if state != "applied":
            refused[fix.id] = (state, detail)
    asked = session.verdicts.news
    session.verdicts.save()
    return _untested(fixes, asked) if not compat.is_tested() else []


def _untested(fixes: list[Fix], asked: bool) -> _Warned:
    """What was done on a dask that nobody has tested, where a probe was asked or something is amiss."""
    states = {fix.id: refused.get(fix.id, ("applied", ""))[0] for fix in fixes}
    amiss = [f"{fix_id} ({state})" for fix_id, state in states.items() if state in ("drifted", "failed", "unknown")]
    if not (asked or amiss) or compat.dask_version() in _told:
        return []
    _told.add(compat.dask_version())
    healthy = [fix_id for fix_id, state in states.items() if state == "healthy"]
    parts = [f"{sum(state == 'applied' for state in states.values())} repairs are applied"]
    parts += [f"not needed: {', '.join(healthy)}"] * bool(healthy) + [f"left out: {', '.join(amiss)}"] * bool(amiss)
    found = "; ".join(parts)
    message = f"dask {compat.dask_version()} is none that arrayshim was tested with, so its probes decided: {found}"
    return [(UntestedDaskWarning, f"{message}; `arrayshim status` says why")]


def _missing_support(fix: Fix) -> tuple[State, str] | None:
    """State of a fix that leans on one which could not be applied though it is needed."""
    for earlier in fix.after:
        state = refused.get(earlier, ("healthy", ""))[0]
        if state not in ("healthy", "bypassed"):
            return state, f"it leans on {earlier}, which is {state}"
    return None


def _retire(ids: list[str]) -> _Warned:
    """Undo fixes, newest first."""
    left = take_back([collect()[fix_id] for fix_id in reversed(ids)]) if ids else {}
    return [warning for fix_id, names in left.items() for warning in _foreign(fix_id, names)]


def _close() -> _Warned:
    """Undo what no fix owns: the additions of backends, and the hooks of the tables."""
    left = [name for addition in reversed(_additions) for name in addition.take_back()]
    return _foreign("arrayshim", left + hooks.unsettle())


def _foreign(what: str, left: list[str]) -> _Warned:
    if not left:
        return []
    found = ", ".join(left)
    message = f"{what}: {found} was replaced by somebody else since arrayshim did; it is left as it is"
    return [(ForeignPatchWarning, message)]


def disable(*ids: str) -> None:
    """Undo the repairs, newest first; dask is then, object by object, what it was.

    Parameters
    ----------
    *ids : str
        Fixes to undo, with those that lean on them, of which `status` says so. Default: all of them, and what backends
        have registered.

    Raises
    ------
    UnknownFixError
        An id that names no fix; nothing has changed then.

    Warns
    -----
    ForeignPatchWarning
        Where somebody else has replaced what arrayshim had replaced. That is left alone.
    """
    with LOCK:
        gone = known(ids)
        kept = [fix_id for fix_id in _wanted or () if ids and fix_id not in gone]
        _bring(select(kept, gone))


@contextmanager
def scope(*, only: Iterable[str] | None = None, skip: Iterable[str] = ()) -> Iterator[None]:
    """`enable(only=..., skip=...)` for a block, and what was applied before after it.

    Process-wide: every thread sees it.

    Parameters
    ----------
    only, skip : iterable of str, optional
        As for `enable`. `scope(only=())` is stock dask.

    Raises
    ------
    UnknownFixError
        An id that names no fix; nothing has changed then.
    """
    with LOCK:
        before = _wanted
        _bring(select(only, skip))
    try:
        yield
    finally:
        with LOCK:
            _bring(before or [])


def attach(install: Callable[[Ledger], None]) -> None:
    """Run `install(ledger)` now, if repairs are enabled, and at every later `enable()`; undo it at `disable()`.

    Parameters
    ----------
    install : callable
        Makes its changes in dask through the `Ledger` it is given. If it raises, its changes are undone and it is not
        attached.
    """
    with LOCK:
        addition = _Addition(install)
        if _wanted is not None:
            addition.put()
        _additions.append(addition)
