"""The repairs: one file per root cause in dask.array, found by walking this folder. A new one touches no shared code."""

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
    found: dict[str, Fix] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda module: module.name):
        fix = importlib.import_module(f"{__name__}.{module.name}").FIX
        found[fix.id] = fix
    ordered: dict[str, Fix] = {}

    def place(fix: Fix) -> None:
        for earlier in fix.after:
            if earlier not in ordered:
                place(found[earlier])
        ordered.setdefault(fix.id, fix)

    for fix in found.values():
        place(fix)
    return MappingProxyType(ordered)
