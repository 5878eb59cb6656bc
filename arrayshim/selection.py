"""Which fixes are asked for: arguments, settings, and what leans on what."""

from __future__ import annotations

import difflib
import warnings
from collections.abc import Iterable

from arrayshim import config
from arrayshim.errors import ArrayshimWarning, UnknownFixError
from arrayshim.fixes import collect


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
        if not isinstance(name, str) or name not in fixes:
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
            warnings.warn(f"arrayshim.disable: {error}", ArrayshimWarning, stacklevel=4)
    return set(named) & set(collect())


def select(only: Iterable[str] | None, skip: Iterable[str]) -> list[str]:
    """Ids for `enable(only=..., skip=...)`, in the order of application."""
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
