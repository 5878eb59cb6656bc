"""A picture of everything in dask that arrayshim may touch, object by object; and what differs between two pictures."""

from __future__ import annotations

import sys
from types import FunctionType, ModuleType
from typing import Any

from dask.utils import Dispatch

#: Bookkeeping of Python and dask that any use of dask changes.
CHANGES_BY_ITSELF = (
    "active",
    "__builtins__",
    "__cached__",
    "__abstractmethods__",
    "_abc_impl",
    "__doc__",
    "__annotations__",
    "__slotnames__",  # copyreg's, kept in a class when its first instance is pickled
    "__warningregistry__",  # Python's, kept in a module that has warned
)


def take() -> dict[str, Any]:
    """Path -> object, for all that modules and classes of dask hold: attributes, items, defaults, table entries."""
    found: dict[str, Any] = {}
    seen: set[int] = set()
    for name, module in sorted(sys.modules.items()):
        if isinstance(module, ModuleType) and (name == "dask" or name.startswith("dask.")):
            _hold(found, seen, name, module)
    return found


def _hold(found: dict[str, Any], seen: set[int], path: str, owner: Any) -> None:
    seen.add(id(owner))
    for key, value in sorted(vars(owner).items()):
        if key in CHANGES_BY_ITSELF:
            continue
        place = f"{path}.{key}"
        found[place] = value
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, type) and value.__module__.startswith("dask"):
            _hold(found, seen, place, value)
        elif isinstance(value, Dispatch):
            found.update({f"{place}[{cls.__module__}.{cls.__name__}]": f for cls, f in value._lookup.items()})
            found.update({f"{place} lazy {root}": hook for root, hook in value._lazy.items()})
        elif type(value) is dict:
            found.update({f"{place}[{item!r}]": held for item, held in value.items()})
        elif type(value) in (list, set):
            found.update({f"{place}{{{held!r}}}": held for held in value})
        elif type(value).__name__ in ("CreationDispatch", "ForOneThread"):
            found.update({f"{place}.{item}": held for item, held in vars(value).items()})
            found.update({f"{place}[{item!r}]": held for item, held in value._lookup.items()})
            found[f"type of {place}"] = type(value)
        else:
            _function(found, place, getattr(value, "__func__", value))


def _function(found: dict[str, Any], place: str, function: Any) -> None:
    while isinstance(function, FunctionType):
        found[f"code of {place}"] = function.__code__
        found.update({f"default {i} of {place}": held for i, held in enumerate(function.__defaults__ or ())})
        found.update({f"default {key} of {place}": held for key, held in (function.__kwdefaults__ or {}).items()})
        found.update({f"cell {i} of {place}": _content(cell) for i, cell in enumerate(function.__closure__ or ())})
        found.update({f"{place}.{key}": held for key, held in vars(function).items()})
        function, place = vars(function).get("__wrapped__"), f"{place}.__wrapped__"


def _content(cell: Any) -> Any:
    try:
        return cell.cell_contents
    except ValueError:
        return None


def differences(before: dict[str, Any], after: dict[str, Any]) -> list[str]:
    """Places whose object is another one, has gone, or is new."""
    absent = object()
    places = sorted({*before, *after})
    return [place for place in places if before.get(place, absent) is not after.get(place, absent)]
