"""`tril_indices_from` and `triu_indices_from` take the shape of the array, and not its kind: their indices are NumPy's.

>>> x = da.ones((3, 3), like=cupy.empty(0))
>>> type(da.tril_indices_from(x)[0].compute())
<class 'numpy.ndarray'>
"""

from __future__ import annotations

from typing import Any

from arrayshim import residency
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="tril_indices_from and triu_indices_from give indices beside the array",
    affects=">=2025.1",
    after=("nonzero_positions",),
    array_expr=False,
)

LOWER = "dask.array.routines.tril_indices_from"
UPPER = "dask.array.routines.triu_indices_from"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import tril_indices_from

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = type(tril_indices_from(dask_array([[1]]))[0]._meta)
    return None if found is StrictArray else f"the indices of a StrictArray are of type {found.__name__}"


def _below(arr: Any, k: int) -> Any:
    from arrayshim.creation import tri

    rows, columns = arr.shape
    return tri(rows, columns, k, bool, chunks=arr.chunks, like=arr._meta)


@FIX.replaces(LOWER)
def tril_indices_from(arr: Any, k: Any = 0) -> Any:
    from dask.array.routines import nonzero

    if arr.ndim != 2 or not residency.is_device(arr):
        return original(LOWER)(arr, k)
    return nonzero(_below(arr, k))


@FIX.replaces(UPPER)
def triu_indices_from(arr: Any, k: Any = 0) -> Any:
    from dask.array.routines import nonzero

    if arr.ndim != 2 or not residency.is_device(arr):
        return original(UPPER)(arr, k)
    return nonzero(~_below(arr, k - 1))
