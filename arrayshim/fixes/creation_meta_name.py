"""An array made with `meta=` is named by what happens to stand in the memory of that meta.

    >>> meta = cupy.empty(())                               # uninitialised, as under array.backend = "cupy"
    >>> da.ones(3, meta=meta).name == da.ones(3, meta=cupy.empty(())).name
    False

So the same call twice makes two arrays, which dask computes twice. A meta says type and dtype; its values mean nothing.
NumPy's word for such a sample is `like=`, which goes unread into the tasks, where each makes a function in place of a
chunk:

    >>> da.ones(3, like=cupy.empty(0)).compute()
    <function dask.array.wrap._broadcast_trick_inner>

Here it is a meta, and so is a fill value that is on a device, where nothing else says where the result shall be.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.base import tokenize
from dask.utils import funcname

from arrayshim import meta as metas
from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="ones, zeros, empty and full take like=, and with meta= are named by its type and dtype, not by its values",
    affects=">=2025.1",
    array_expr=False,
)

PARSE = "dask.array.wrap._parse_wrap_args"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.strict import asarray

    one, other = (da.ones(2, chunks=2, meta=asarray(float(value))).name for value in range(2))
    return None if one == other else "two metas of one type give two names"


@FIX.probe
def faulty_like() -> str | None:
    import dask.array as da

    from arrayshim.strict import StrictArray, asarray

    found = type(da.ones(2, chunks=2, like=asarray([0.0]))._meta)
    return None if found is StrictArray else f"like= is a StrictArray, the meta of ones is {found.__name__}"


def _sample(given: Any, fill: Any) -> Any:
    """What is to be the meta, of what was given for it; None if nothing says."""
    if given is None and is_device(fill):
        given = fill
    return None if given is None else metas.like(given)


@FIX.replaces(PARSE)
def _parse_wrap_args(func: Any, args: Any, kwargs: Any, shape: Any) -> Any:
    kwargs = dict(kwargs)
    sample = _sample(kwargs.pop("like", None), None if "meta" in kwargs else kwargs.get("fill_value"))
    if sample is not None:
        kwargs["meta"] = sample
    meta = kwargs.get("meta")
    if meta is None or isinstance(meta, np.ndarray | np.generic) or kwargs.get("name"):
        return original(PARSE)(func, args, kwargs, shape)
    parsed = original(PARSE)(func, args, {**kwargs, "name": "of-no-consequence"}, shape)
    kind = type(meta)
    described = f"{kind.__module__}.{kind.__qualname__}", getattr(meta, "dtype", None), getattr(meta, "ndim", None)
    token = tokenize(
        func, parsed["shape"], parsed["chunks"], parsed["dtype"], args, {**parsed["kwargs"], "meta": described}
    )
    return {**parsed, "name": f"{funcname(func)}-{token}"}
