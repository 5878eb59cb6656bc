"""Every place inside dask that holds an object by name: module and class attributes, module-level dicts, defaults.

`from dask.array.blockwise import blockwise` binds the function once more in ten modules, and `chunk.sum` is a default
argument of five functions. A swap that misses one of them repairs half of dask.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from arrayshim.ledger import Ledger


def _inside_dask(name: Any) -> bool:
    return isinstance(name, str) and (name == "dask" or name.startswith("dask."))


def _functions(namespace: Mapping[str, Any]) -> Iterator[FunctionType]:
    for value in namespace.values():
        inner = getattr(value, "__func__", value)  # classmethod and staticmethod
        if isinstance(inner, FunctionType) and _inside_dask(inner.__module__):
            yield inner


def swap(ledger: Ledger, replacements: Mapping[int, Any]) -> None:
    """Write `replacements[id(old)]` in every place inside dask that holds `old`.

    Parameters
    ----------
    ledger : Ledger
        Takes each change.
    replacements : mapping of int to object
        From the identity of an object, which the caller keeps alive, to what takes its place.
    """
    seen: set[int] = set()
    for name, module in list(sys.modules.items()):
        if not _inside_dask(name) or module is None:
            continue
        namespaces: list[Any] = [module]
        namespaces += [
            value for value in vars(module).values() if isinstance(value, type) and _inside_dask(value.__module__)
        ]
        for owner in namespaces:
            if id(owner) in seen:
                continue
            seen.add(id(owner))
            for key, value in list(vars(owner).items()):
                if id(value) in replacements:
                    ledger.set_attr(owner, key, replacements[id(value)])
                elif owner is module and type(value) is dict and key != "__builtins__":
                    for item, held in list(value.items()):
                        if id(held) in replacements:
                            ledger.set_item(value, item, replacements[id(held)])
            for function in _functions(vars(owner)):
                if id(function) in seen:
                    continue
                seen.add(id(function))
                for index, default in enumerate(function.__defaults__ or ()):
                    if id(default) in replacements:
                        ledger.set_default(function, index, replacements[id(default)])
                for keyword, default in list((function.__kwdefaults__ or {}).items()):
                    if id(default) in replacements:
                        ledger.set_item(function.__kwdefaults__, keyword, replacements[id(default)])
