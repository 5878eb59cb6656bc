"""`to_dask_dataframe` gives device chunks to pandas, which takes none; no other library may be there for them.

    >>> x.to_dask_dataframe()                               # x of CuPy chunks, without cuDF
    TypeError: No dispatch for <class 'cupy.ndarray'>

A pandas frame is host memory asked for, so each chunk is copied as its partition is made. Where dask knows a dataframe
library for the chunks, they stay on the device and go to that.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from dask.utils import Dispatch

from arrayshim._hosting import on_host
from arrayshim.fix import Fix
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="to_dask_dataframe copies device chunks to the host where pandas is to have them",
    affects=">=2025.1",
    array_expr=False,
)

METHOD = "dask.array.core.Array.to_dask_dataframe"


@FIX.probe
def faulty() -> str | None:
    from dask.array.core import Array

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    x = dask_array([1.0, 2.0])
    given = type(_given(Array.to_dask_dataframe, x)._meta)
    return f"pandas is given {given.__name__} chunks" if given is StrictArray else None


def _given(method: Any, x: Any) -> Any:
    """What a method hands to `from_dask_array`, without dask.dataframe, which takes a second to import."""
    lookup = Dispatch("meta_lib_from_array")
    lookup.register(np.ndarray, lambda array: np)
    library = SimpleNamespace(from_dask_array=lambda x, **_: x, meta_lib_from_array=lookup)

    def importer(name: str, *args: Any) -> Any:
        return library if name.startswith("dask.dataframe") else builtins.__import__(name, *args)

    scope = {**method.__globals__, "__builtins__": {**vars(builtins), "__import__": importer}}
    return FunctionType(method.__code__, scope, argdefs=method.__defaults__)(x)


# The two lines of the stock method stand here again: the probe sees what they are given, and imports no dataframe.
@FIX.replaces(METHOD)
def to_dask_dataframe(self: Any, columns: Any = None, index: Any = None, meta: Any = None) -> Any:
    from dask.dataframe import from_dask_array
    from dask.dataframe.dispatch import meta_lib_from_array

    x = on_host(self, "to_dask_dataframe") if is_device(self) and _for_host(self, meta, meta_lib_from_array) else self
    return from_dask_array(x, columns=columns, index=index, meta=meta)


def _for_host(x: Any, meta: Any, library_of: Callable[[Any], Any]) -> bool:
    """Whether the frame is of the library that is for ndarrays."""
    try:
        name = library_of(x._meta).__name__ if meta is None else type(meta).__module__.partition(".")[0]
    except TypeError:
        return True
    return bool(name == library_of(np.empty(0)).__name__)
