"""A lazy integer index has the offsets of the chunks computed on the device and copied back, to build a graph.

    >>> x = da.from_array(cupy.arange(9), chunks=3, name=False)
    >>> x[da.from_array(cupy.array([4]), chunks=1, name=False)]      # asks the device for [0, 3, 6]

They are known without it. The graph gets them as host numbers, one for each block, and a block subtracts its own as a
number.

`slice_with_int_dask_array_on_axis` is dask's, restated (BSD 3-Clause, Copyright (c) 2014, Anaconda, Inc. and
contributors): what differs is where the offsets come from.
"""

from __future__ import annotations

from functools import partial
from itertools import accumulate
from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="a lazy integer index asks the device for nothing while the graph is built",
    affects=">=2025.1",
    array_expr=False,
)

ON_AXIS = "dask.array.slicing.slice_with_int_dask_array_on_axis"
CHUNK = "dask.array.chunk.slice_with_int_dask_array"


@FIX.probe
def faulty() -> str | None:
    from arrayshim import strict
    from arrayshim.probes import dask_array

    x, index = dask_array([1.0, 2.0, 3.0]), dask_array([2])
    with strict.conversions() as copies:
        x[index]
    return f"{copies.count} device-to-host copies while x[index] is built" if copies.count else None


@FIX.replaces(CHUNK)
def slice_with_int_dask_array(x: Any, idx: Any, offset: Any, x_size: Any, axis: Any) -> Any:
    # A NumPy array is no operand for an index on a device; a number is.
    offset = int(offset[0]) if residency.is_device(x) and isinstance(offset, np.ndarray) else offset
    pick = partial(original(CHUNK), offset=offset, x_size=x_size, axis=axis)
    return Meeting(pick, "getitem")(x, idx)


@FIX.replaces(ON_AXIS)
def slice_with_int_dask_array_on_axis(x: Any, idx: Any, axis: Any) -> Any:
    from dask.array import chunk
    from dask.array.core import Array, blockwise, from_array

    if not residency.is_device(x) or np.isnan(x.chunks[axis]).any():
        return original(ON_AXIS)(x, idx, axis)
    starts = from_array(np.array([0, *accumulate(x.chunks[axis][:-1])]), chunks=1)
    # One element for each block, said to be as long as the block, so that blockwise aligns the two.
    offset = Array(starts.dask, starts.name, (x.chunks[axis],), starts.dtype, meta=starts._meta)
    x_axes = tuple(range(x.ndim))
    points = (x.ndim,)
    crossed = x_axes[: axis + 1] + points + x_axes[axis + 1 :]
    told = {"axis": axis, "dtype": x.dtype, "meta": x._meta}
    parts = blockwise(
        *(chunk.slice_with_int_dask_array, crossed, x, x_axes, idx, points, offset, (axis,)),
        x_size=x.shape[axis],
        **told,
    )
    return blockwise(
        *(chunk.slice_with_int_dask_array_aggregate, x_axes[:axis] + points + x_axes[axis + 1 :]),
        *(idx, points, parts, crossed),
        concatenate=True,
        x_chunks=x.chunks[axis],
        **told,
    )
