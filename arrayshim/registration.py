"""Enable and disable the repairs. Everything that changes in dask changes through here, under one lock, in ledgers."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from arrayshim import compat, config, tables
from arrayshim.applying import applied, apply, refused, unswap
from arrayshim.errors import ArrayshimWarning, ForeignPatchWarning, UnknownFixError
from arrayshim.fixes import collect
from arrayshim.ledger import Ledger
from arrayshim.tables import LOCK

#: What backends add to dask, run at every enable(), and their ledgers while enabled.
_attached: list[Callable[[Ledger], None]] = []
_attached_ledgers: list[Ledger] = []
_enabled = False


def known(ids: Iterable[str]) -> list[str]:
    """Check ids, and return them as a list.

    Raises
    ------
    UnknownFixError
        Naming the first unknown id and the nearest known one.
    """
    fixes = collect()
    given = [ids] if isinstance(ids, str) else list(ids)
    for name in given:
        if name not in fixes:
            near = difflib.get_close_matches(str(name), fixes, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"the ids are: {', '.join(fixes)}"
            raise UnknownFixError(f"no fix is called {name!r}; {hint}")
    return given


def _left_out_by_settings() -> set[str]:
    """Ids that environment and configuration leave out; unknown ones are warned of."""
    named = config.disabled()
    if config.ALL in named:
        return set(collect())
    for name in sorted(named):
        try:
            known([name])
        except UnknownFixError as error:
            warnings.warn(f"arrayshim.disable: {error}", ArrayshimWarning, stacklevel=5)
    return set(named) & set(collect())


def _select(only: Iterable[str] | None, skip: Iterable[str]) -> list[str]:
    fixes = collect()
    skipped = set(known(skip))
    if only is None:
        wanted = set(fixes) - _left_out_by_settings()
    else:
        wanted = set(known(only))
        for fix in reversed(list(fixes.values())):
            if fix.id in wanted:
                wanted.update(fix.after)
    selected: list[str] = []
    for fix in fixes.values():
        # A fix that leans on one which is left out is left out too.
        if fix.id in wanted - skipped and all(earlier in selected for earlier in fix.after):
            selected.append(fix.id)
    return selected


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
    global _enabled
    with LOCK:
        selected = _select(only, skip)
        _retire([fix_id for fix_id in applied if fix_id not in selected])
        refused.clear()
        if not selected:
            _close()
            return
        tables.settle()
        _enabled = True
        new = [fix_id for fix_id in selected if fix_id not in applied]
        try:
            _apply_each(new)
        except BaseException:  # Ctrl-C in the middle: not one of the new ones stays
            _retire([fix_id for fix_id in new if fix_id in applied])
            raise
        if not _attached_ledgers:
            for install in _attached:
                _run(install)


def _apply_each(ids: list[str]) -> None:
    fixes = collect()
    verdicts = compat.Verdicts(fixes.values())
    for fix_id in ids:
        try:
            state, detail = apply(fixes[fix_id], verdicts)
        except Exception as error:  # one repair that fails must not cost the user the others
            state, detail = "failed", f"{type(error).__name__}: {error}; nothing of it was left in dask"
        if state != "applied":
            refused[fix_id] = (state, detail)
    verdicts.save()


def _run(install: Callable[[Ledger], None]) -> None:
    ledger = Ledger()
    try:
        install(ledger)
    except BaseException:
        ledger.undo()
        raise
    _attached_ledgers.append(ledger)


def _retire(ids: list[str]) -> None:
    for fix_id in reversed(ids):
        _warn_of(fix_id, unswap(collect()[fix_id], applied.pop(fix_id)))


def _close() -> None:
    """Undo what no fix owns: the additions of backends, and the hooks of the tables."""
    global _enabled
    left: list[str] = []
    while _attached_ledgers:
        left += _attached_ledgers.pop().undo()
    _warn_of("arrayshim", left + tables.unsettle())
    _enabled = False


def _warn_of(what: str, left: list[str]) -> None:
    if left:
        found = ", ".join(left)
        message = f"{what}: {found} was replaced by somebody else since arrayshim did; it is left as it is"
        warnings.warn(message, ForeignPatchWarning, stacklevel=5)


def disable(*ids: str) -> None:
    """Undo the repairs, newest first; dask is then, object by object, what it was.

    Parameters
    ----------
    *ids : str
        Fixes to undo, with those that lean on them. Default: all of them, and what backends have registered.

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
        gone = set(known(ids))
        enable(only=[fix_id for fix_id in applied if ids and fix_id not in gone], skip=ids)


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
        before = list(applied)
        enable(only=only, skip=skip)
    try:
        yield
    finally:
        enable(only=before)


def attach(install: Callable[[Ledger], None]) -> None:
    """Run `install(ledger)` now, if repairs are enabled, and at every later `enable()`; undo it at `disable()`.

    Parameters
    ----------
    install : callable
        Makes its changes in dask through the `Ledger` it is given. If it raises, its changes are undone and it is not
        attached.
    """
    with LOCK:
        if _enabled:
            _run(install)
        _attached.append(install)
