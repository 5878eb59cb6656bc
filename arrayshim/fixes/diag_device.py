"""`diag` of a bare array is for `numpy.ndarray` only, although all that it does to it goes through NEP-18.

>>> da.diag(cupy.arange(3))
TypeError: v must be a dask array or numpy array, got <class 'cupy.ndarray'>
"""

from __future__ import annotations

from typing import Any

from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="diag takes arrays on a device",
    affects=">=2025.1",
    after=("array_backend_reach",),
    array_expr=False,
)

DIAG = "dask.array.creation.diag"


@FIX.probe
def faulty() -> str | None:
    from dask.array import creation

    from arrayshim.strict import asarray

    try:
        creation.diag(asarray([1, 2]))
    except TypeError as error:
        return f"diag of a device array: {error}"
    return None


# The public name, and whoever looks it up by name, come here through that fix.
@FIX.replaces(DIAG, everywhere=False)
def diag(v: Any, k: int = 0) -> Any:
    if is_device(v) and not hasattr(v, "__dask_graph__"):
        from dask.array import from_array

        v = from_array(v, chunks=-1)
    return original(DIAG)(v, k)
