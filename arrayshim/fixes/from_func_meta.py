"""An array made by calling a function on a device array says that it is NumPy's: `from_func` knows a dtype alone.

    >>> x = da.core.from_func(abs, (6,), "f8", args=(cupy.arange(6.0),))
    >>> type(x._meta), type(x.compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

Where an argument is an array that knows its own kind, the function is tried on one of size 0, as for any other meta.
"""

from __future__ import annotations

from typing import Any

from arrayshim import meta as metas
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="from_func of device arrays keeps their type",
    affects=">=2025.1",
    array_expr=False,
)

FROM_FUNC = "dask.array.core.from_func"


@FIX.probe
def faulty() -> str | None:
    from dask.array.core import from_func

    from arrayshim.strict import StrictArray, asarray

    found = from_func(abs, (1,), "f8", name="from_func_meta", args=(asarray([1.0]),))._meta
    return None if type(found) is StrictArray else f"meta is {type(found).__name__}, the chunk is StrictArray"


@FIX.replaces(FROM_FUNC)
def from_func(func: Any, shape: Any, dtype: Any = None, name: Any = None, args: Any = (), kwargs: Any = None) -> Any:
    made = original(FROM_FUNC)(func, shape, dtype, name, args, kwargs)
    if any(map(metas.knows_itself, (*args, *(kwargs or {}).values()))):
        found = metas.probe_call(func, (), args, kwargs, dtype=made.dtype)
        if metas.knows_itself(found):
            made._meta = metas.like(found, ndim=made.ndim, dtype=made.dtype)
    return made
