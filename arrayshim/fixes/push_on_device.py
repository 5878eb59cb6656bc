"""`push` fills what is missing by bottleneck, which takes NumPy arrays only.

    >>> x = da.from_array(cupy.array([1.0, cupy.nan, cupy.nan]), chunks=2)
    >>> da.push(x, None, 0).compute()
    TypeError: a must be an ndarray

On device chunks the last value is found by sorting and counting what is there, and nobody needs bottleneck. A limit is
counted in places along the axis, in float64, which holds them all.

The graph of `push` is that of dask.array.overlap.push (Copyright (c) 2014, Anaconda, Inc. and contributors, BSD
3-Clause License).
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from arrayshim.fix import Fix, original
from arrayshim.kernels import filling
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="push of device chunks, with bottleneck or without",
    affects=">=2025.1",
    array_expr=False,
    forwarded="not-needed",
    reason="dask leaves filling to bottleneck; what does it on another library's arrays is not for dask to have",
)

PUSH = "dask.array.overlap.push"
CHUNK = "dask.array.overlap._push"


@FIX.probe
def faulty() -> str | None:
    from dask.array.overlap import push

    from arrayshim.probes import dask_array

    try:
        found = push(dask_array([5.0, np.nan]), None, 0).compute(scheduler="sync").get().tolist()
    except (ImportError, TypeError, AttributeError) as error:
        return f"push of device chunks: {type(error).__name__}: {str(error).partition('.')[0]}"
    return None if found == [5.0, 5.0] else f"5 pushed on is {found}"


@FIX.replaces(CHUNK)
def _push(array: Any, n: int | None = None, axis: int = -1) -> Any:
    if not is_device(array):
        return original(CHUNK)(array, n, axis)
    return filling.push(array, axis)


@FIX.replaces(PUSH)
def push(array: Any, n: Any, axis: Any) -> Any:
    if not is_device(array):
        return original(PUSH)(array, n, axis)
    from dask.array import where
    from dask.array.ufunc import isnan

    filled = _last_values(array, axis)
    if n is None or not 0 < n < array.shape[axis] - 1:
        return filled
    place = _places(array, normalize_axis_index(axis, array.ndim))
    near = place - _last_values(where(isnan(array), np.nan, place), axis) <= n
    return where(near, filled, np.nan)


def _last_values(array: Any, axis: Any) -> Any:
    if array.dtype.kind not in "fc":
        return array
    from dask.array import overlap
    from dask.array.reductions import cumreduction

    return cumreduction(
        func=overlap._push, binop=overlap._fill_with_last_one, ident=np.nan, x=array, axis=axis, dtype=array.dtype
    )


def _places(array: Any, axis: int) -> Any:
    """Where each element is along the axis, beside it and in its chunks."""
    from arrayshim import creation

    line = creation.arange(array.shape[axis], chunks=(array.chunks[axis],), dtype=np.float64, like=array)
    return line[tuple(slice(None) if i == axis else None for i in range(array.ndim))]
