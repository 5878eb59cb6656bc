"""`apply_along_axis` finds out dtype and shape by giving the function a NumPy array, whatever the chunks are.

    >>> x = da.from_array(cupy.ones((4, 4)), chunks=2)
    >>> da.apply_along_axis(lambda row: cupy.cumsum(row), 1, x)
    TypeError: unsupported type <class 'numpy.ndarray'>

The sample is of the type of the chunks. `apply_over_axes` goes the same way; but a function of dask's makes a dask
array of each row there, and that is not computed as NumPy computes it, by conversion:

    >>> da.apply_over_axes(da.sum, x, 1).compute()
    ResidenceError: np.asarray of a dask array with ndarray chunks: nothing leaves a device unasked

It is given the dask array itself. What else returns a dask array of a row is computed where the row is.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
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
OVER = "dask.array.routines.apply_over_axes"


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


@dataclass(frozen=True, slots=True)
class Computed:
    """A function of rows that returns dask arrays, as one that returns arrays."""

    function: Callable[..., Any]

    @property
    def __name__(self) -> str:
        return str(getattr(self.function, "__name__", "function"))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.function(*args, **kwargs).compute(scheduler="sync")


@FIX.replaces(ALONG)
def apply_along_axis(
    func1d: Any, axis: Any, arr: Any, *args: Any, dtype: Any = None, shape: Any = None, **kwargs: Any
) -> Any:
    if meta.knows_itself(arr) and (dtype is None or shape is None):
        sample = np.ones_like(meta.like(arr), shape=(1,))
        found = func1d(sample, *args, **kwargs)
        if hasattr(found, "__dask_graph__"):
            func1d = Computed(func1d)
        if not hasattr(found, "dtype"):
            found = np.array(found)
        dtype = found.dtype if dtype is None else dtype
        shape = found.shape if shape is None else shape
    return original(ALONG)(func1d, axis, arr, *args, dtype=dtype, shape=shape, **kwargs)


@FIX.replaces(OVER)
def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    if not meta.knows_itself(a) or not hasattr(a, "__dask_graph__") or not _is_dasks(func):
        return original(OVER)(func, a, axes)
    from dask.array.routines import expand_dims

    result = a
    for axis in axes if np.iterable(axes) else (axes,):
        found = func(result, axis)
        if found.ndim == a.ndim - 1:
            found = expand_dims(found, axis)
        elif found.ndim != a.ndim:
            raise ValueError("func must either preserve dimensionality of the input or reduce it by one.")
        result = found
    return result


def _is_dasks(func: Any) -> bool:
    """Whether a function is one of dask.array's, or in the place of one."""
    module = str(getattr(getattr(func, "func", func), "__module__", ""))
    return module.startswith(("dask.array.", "arrayshim."))
