"""`x.vindex[...]` makes NumPy arrays of its index arrays, which those on a device refuse.

    >>> x = da.from_array(cupy.eye(3), chunks=2)
    >>> x.vindex[cupy.array([0, 2]), cupy.array([1, 2])]
    TypeError: Implicit conversion to a NumPy array is not allowed

The points decide which blocks are read, so they are copied to the host, once and counted. Without any point, the result
is made from scratch, and is NumPy's whatever the array is.
"""

from __future__ import annotations

from typing import Any

from arrayshim import residency
from arrayshim._indexing import on_host
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="vindex with index arrays on a device",
    affects=">=2025.1",
    array_expr=False,
)

VINDEX = "dask.array.core._vindex"


@FIX.probe
def faulty() -> str | None:
    import numpy as np

    from arrayshim import strict
    from arrayshim.probes import dask_array

    try:
        dask_array([1.0, 2.0]).vindex[strict.asarray(np.array([0]))]
    except TypeError as error:
        return f"vindex with a StrictArray: {error}"
    return None


def _points(index: Any) -> Any:
    if isinstance(index, list) and any(map(residency.is_device, index)):
        return [on_host(item, "vindex") for item in index]
    return on_host(index, "vindex")


@FIX.replaces(VINDEX)
def _vindex(x: Any, *indexes: Any) -> Any:
    result = original(VINDEX)(x, *map(_points, indexes))
    if result.size == 0 and residency.is_device(x) and not residency.is_device(result):
        from arrayshim.creation import empty

        return empty(result.shape, dtype=result.dtype, chunks=result.chunks, like=x)
    return result
