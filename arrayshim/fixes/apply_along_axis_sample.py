"""`apply_along_axis` finds out dtype and shape by giving the function a NumPy array, whatever the chunks are.

    >>> x = da.from_array(cupy.ones((4, 4)), chunks=2)
    >>> da.apply_along_axis(lambda row: cupy.cumsum(row), 1, x)
    TypeError: unsupported type <class 'numpy.ndarray'>

The sample is of the type of the chunks. `apply_over_axes` goes the same way.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import meta
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="apply_along_axis tries its function on an array of the chunks' type",
    affects=">=2025.1",
    array_expr=False,
)

ALONG = "dask.array.routines.apply_along_axis"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import apply_along_axis

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    seen: list[type] = []

    def note(row: Any) -> Any:
        seen.append(type(row))
        return row

    apply_along_axis(note, 0, dask_array([1.0, 5.0]))
    return None if set(seen) == {StrictArray} else f"the function was called with {seen[0].__name__}"


@FIX.replaces(ALONG)
def apply_along_axis(
    func1d: Any, axis: Any, arr: Any, *args: Any, dtype: Any = None, shape: Any = None, **kwargs: Any
) -> Any:
    if meta.knows_itself(arr) and (dtype is None or shape is None):
        sample = np.ones_like(meta.like(arr), shape=(1,))
        found = func1d(sample, *args, **kwargs)
        if not hasattr(found, "dtype"):
            found = np.array(found)
        dtype = found.dtype if dtype is None else dtype
        shape = found.shape if shape is None else shape
    return original(ALONG)(func1d, axis, arr, *args, dtype=dtype, shape=shape, **kwargs)
