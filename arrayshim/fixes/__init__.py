"""The repairs: one file per root cause in dask.array, found by walking this folder. A new one touches no other."""

from __future__ import annotations

import importlib
import pkgutil
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from arrayshim.fix import Fix


@lru_cache(maxsize=1)
def collect() -> Mapping[str, Fix]:
    """Every fix by id, each after the ones that it names in `after`."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__))
    found = {name: _load(name) for name in names}
    ordered: dict[str, Fix] = {}

    def place(fix: Fix) -> None:
        for earlier in fix.after:
            place(found[earlier])
        ordered.setdefault(fix.id, fix)

    for fix in found.values():
        place(fix)
    return MappingProxyType(ordered)


def _load(name: str) -> Fix:
    from arrayshim.fix import Fix

    module = f"{__name__}.{name}"
    try:
        fix: Fix = importlib.import_module(module).FIX
    except (ImportError, AttributeError) as error:
        # A dask that lacks a name which the file leans on costs the user one repair, not the import.
        return Fix(module, title="cannot be imported on this dask", broken=f"{type(error).__name__}: {error}")
    return fix
