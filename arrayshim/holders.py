"""Every place inside dask that holds an object by name: module and class attributes, module-level dicts, defaults.

`from dask.array.blockwise import blockwise` binds the function once more in ten modules, and `chunk.sum` is a default
argument of five functions. A swap that misses one of them repairs half of dask. One walk finds the places of all
objects.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import FunctionType, ModuleType
from typing import Any

from arrayshim.ledger import Ledger

#: `place(ledger, new)` writes `new` in one place.
Place = Callable[[Ledger, Any], None]


def _inside_dask(name: Any) -> bool:
    return isinstance(name, str) and (name == "dask" or name.startswith("dask."))


def _set_attr(owner: Any, name: str, ledger: Ledger, value: Any) -> None:
    ledger.set_attr(owner, name, value)


def _set_item(mapping: dict[Any, Any], key: Any, ledger: Ledger, value: Any) -> None:
    ledger.set_item(mapping, key, value)


def _set_default(function: FunctionType, index: int, ledger: Ledger, value: Any) -> None:
    ledger.set_default(function, index, value)


def _owners() -> Iterator[Any]:
    """The modules of dask and the classes that they define, each once."""
    seen = set()
    for name, module in list(sys.modules.items()):
        if not _inside_dask(name) or module is None:
            continue
        yield module
        for value in list(vars(module).values()):
            if isinstance(value, type) and id(value) not in seen and _inside_dask(value.__module__):
                seen.add(id(value))
                yield value


def _functions(value: Any) -> Iterator[FunctionType]:
    """The functions of dask behind a function: itself, and what its decorators wrap."""
    while isinstance(value, FunctionType):
        # Not __module__, which functools.wraps copies from what is wrapped.
        if _inside_dask(value.__globals__.get("__name__")):
            yield value
        value = value.__dict__.get("__wrapped__")


def _defaults(function: FunctionType) -> Iterator[tuple[Any, Place]]:
    for index, default in enumerate(function.__defaults__ or ()):
        yield default, partial(_set_default, function, index)
    keywords = function.__kwdefaults__ or {}
    for key, default in keywords.items():
        yield default, partial(_set_item, keywords, key)


def find(objects: Mapping[int, Any]) -> dict[int, list[Place]]:
    """Where dask holds objects, by their identity.

    Parameters
    ----------
    objects : mapping of int to object
        The objects by their `id`; the mapping keeps them alive.
    """
    places: dict[int, list[Place]] = {key: [] for key in objects}
    functions: dict[int, FunctionType] = {}
    for owner in _owners():
        is_module = isinstance(owner, ModuleType)
        for name, value in list(vars(owner).items()):
            if id(value) in places:
                places[id(value)].append(partial(_set_attr, owner, name))
            kind = type(value)
            if kind is FunctionType:
                functions[id(value)] = value
            elif kind is staticmethod or kind is classmethod:
                functions[id(value.__func__)] = value.__func__
            elif kind is dict and is_module and name != "__builtins__":
                for key, held in list(value.items()):
                    if id(held) in places:
                        places[id(held)].append(partial(_set_item, value, key))
    inner = {id(inner): inner for function in functions.values() for inner in _functions(function)}
    for function in inner.values():
        if function.__defaults__ or function.__kwdefaults__:
            for default, place in _defaults(function):
                if id(default) in places:
                    places[id(default)].append(place)
    return places
