"""`gradient` hands coordinates to the chunks as they came: on the host, or a list, beside chunks on a device.

    >>> x = da.from_array(cupy.arange(6.0), chunks=3)
    >>> da.gradient(x, [0, 1, 2, 4, 5, 7]).compute()
    AttributeError: 'list' object has no attribute 'dtype'

Each task puts the coordinates of its block beside its chunk.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="gradient: coordinates follow the data",
    affects=">=2025.1",
    array_expr=False,
)

GRADIENT = "dask.array.routines.gradient"
KERNEL = "dask.array.routines._gradient_kernel"


@FIX.probe
def faulty() -> str | None:
    from dask.array import routines

    from arrayshim.strict import StrictArray, asarray

    blocks = (np.array([0]), np.array([3]))
    try:
        found = routines._gradient_kernel(asarray([1.0, 5.0, 2.0]), (0,), [0, 1, 3], 0, blocks, {})
    except AttributeError as error:
        return f"coordinates given as a list beside device data: AttributeError: {error}"
    return None if type(found) is StrictArray else f"the gradient is {type(found).__name__}, the chunk is StrictArray"


@FIX.replaces(KERNEL)
def _gradient_kernel(x: Any, block_id: Any, coord: Any, axis: Any, array_locs: Any, grad_kwargs: Any) -> Any:
    if array_locs is not None and residency.is_device(x):
        block = block_id[axis]
        coord = residency.moved(coord[array_locs[0][block] : array_locs[1][block]], x, "gradient")
        array_locs = None
    return original(KERNEL)(x, block_id, coord, axis, array_locs, grad_kwargs)


@FIX.replaces(GRADIENT)
def gradient(f: Any, *varargs: Any, axis: Any = None, **kwargs: Any) -> Any:
    if not residency.is_device(f):
        for spacing in varargs:
            if residency.is_device(spacing):
                residency.follow(spacing, f, "gradient")  # raises
    return original(GRADIENT)(f, *varargs, axis=axis, **kwargs)
