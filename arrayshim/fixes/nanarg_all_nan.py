"""`nanargmin` and `nanargmax` wait for an error to notice a chunk of NaN alone; CuPy raises none and says -1.

    >>> x = da.from_array(cupy.array([[nan, 1.0], [2.0, nan]]), chunks=(1, 1))
    >>> da.nanargmin(x, axis=0).compute()
    ValueError: invalid entry in index array

NumPy cannot say where the least number is where there is none, and dask then puts infinity for NaN. On chunks that
answer out of range instead, it is put there beforehand: the same answer where there are numbers, and where there are
none a place that another chunk's number beats.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="nanargmin and nanargmax of chunks that are all NaN, on devices",
    affects=">=2025.1",
    array_expr=True,
)

LEAST = "dask.array.reductions._nanargmin"
MOST = "dask.array.reductions._nanargmax"


@FIX.probe
def faulty() -> str | None:
    from dask.array import reductions

    from arrayshim.strict import asarray

    found = int(reductions._nanargmin(asarray([np.nan, np.nan]), axis=0))
    return None if found >= 0 else f"the least of [nan, nan] is said to be at {found}"


def _without_nan(argfunc: Callable[..., Any], fill: float, x: Any, axis: Any, kwargs: Any) -> Any:
    return argfunc(np.where(np.isnan(x), fill, x), axis=axis, **kwargs)


@FIX.replaces(LEAST)
def _nanargmin(x: Any, axis: Any, **kwargs: Any) -> Any:
    if is_device(x) and x.dtype.kind in "fc":
        return _without_nan(np.argmin, np.inf, x, axis, kwargs)
    return original(LEAST)(x, axis, **kwargs)


@FIX.replaces(MOST)
def _nanargmax(x: Any, axis: Any, **kwargs: Any) -> Any:
    if is_device(x) and x.dtype.kind in "fc":
        return _without_nan(np.argmax, -np.inf, x, axis, kwargs)
    return original(MOST)(x, axis, **kwargs)
