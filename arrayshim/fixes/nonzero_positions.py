"""`nonzero` and its like compress a NumPy grid of indices by a mask that is on the device.

    >>> da.nonzero(da.from_array(cupy.arange(3), chunks=2))[0].compute()
    TypeError: Implicit conversion to a NumPy array is not allowed

`argwhere`, `flatnonzero`, `nonzero` and `where(condition)` are one function. For chunks on a device, each block finds
its own positions there: no grid of indices is made at all.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="nonzero, flatnonzero, argwhere and one-argument where on a device",
    affects=">=2025.1",
    after=("boolean_selection_meta",),
    array_expr=False,
)

ARGWHERE = "dask.array.routines.argwhere"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import argwhere

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = argwhere(dask_array([0, 3, 0, 4], chunks=2))
    if type(found._meta) is not StrictArray:
        return f"the positions in a StrictArray are of type {type(found._meta).__name__}"
    # Where an index may follow the data, the grid does, whole.
    with residency.transfers() as moved:
        found.compute(scheduler="sync")
    return f"the positions in a StrictArray cost {moved.number} transfers" if moved.number else None


def positions(block: Any, start: Any, *, shape: tuple[int, ...]) -> Any:
    """Where a block of a flattened array is true, in the coordinates of the whole; shape (true elements, axes)."""
    flat = np.flatnonzero(block) + int(start[0])
    columns = []
    for size in reversed(shape[1:]):
        flat, column = flat // size, flat % size
        columns.append(column)
    return np.stack([flat, *reversed(columns)], axis=1)


@FIX.replaces(ARGWHERE)
def argwhere(a: Any) -> Any:
    from dask.array.core import asarray, from_array, map_blocks
    from dask.array.routines import isnonzero
    from dask.array.utils import meta_from_array

    a = asarray(a)
    if not residency.is_device(a) or not a.ndim or np.isnan(a.shape).any():
        return original(ARGWHERE)(a)
    mask = isnonzero(a).flatten()
    ends = np.cumsum(mask.chunks[0])
    found = map_blocks(
        positions,
        mask,
        from_array(ends - mask.chunks[0], chunks=1),  # stays on the host, where the task reads it
        shape=a.shape,
        new_axis=1,
        chunks=((np.nan,) * mask.npartitions, (a.ndim,)),
        dtype=np.intp,
        meta=meta_from_array(a._meta, ndim=2, dtype=np.intp),
    )
    # A column to a block, as dask has them.
    return found if a.ndim == 1 else found.rechunk({1: 1})
