"""A lazy index or mask meets chunks of another side in a worker, where one of the two refuses the other.

    >>> x = da.arange(9, chunks=3)
    >>> x[da.from_array(cupy.arange(9), chunks=3) > 4].compute()
    TypeError: Implicit conversion to a NumPy array is not allowed

An index is a parameter: one from the host follows the data to the device, chunk by chunk. Nothing leaves a device
unasked, so with an index from there it is the data that move to it, or an error comes while the graph is built, as the
setting `arrayshim.mixed` says.
"""

from __future__ import annotations

from typing import Any

from arrayshim import residency
from arrayshim._indexing import lazy, on_host
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="a lazy index and the data it picks from meet on one side",
    affects=">=2025.1",
    after=("device_index",),
    array_expr=False,
    forwarded="not-needed",
    reason="which side moves, and whether one may, is a setting of arrayshim; dask has no rule for two sides",
)

GETITEM = "dask.array.core.Array.__getitem__"
VINDEX = "dask.array.core.Array._vindex"
TAKE = "dask.array.routines.take"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da
    import numpy as np

    from arrayshim.probes import dask_array

    x = da.from_array(np.arange(2), chunks=2, name=False)
    try:
        x[dask_array([1, 0])].compute(scheduler="sync")
    except TypeError as error:
        return f"NumPy chunks by an index of StrictArrays: {error}"
    return None


def _whole_mask(item: Any, x: Any) -> bool:
    """Whether this is a mask of all axes, in memory, which dask makes a lazy one, and either is on a device."""
    if not hasattr(item, "dtype") or lazy(item) or item.dtype != bool or item.ndim < 2 or item.shape != x.shape:
        return False
    return residency.is_device(x) or residency.is_device(item)


def meeting(x: Any, items: tuple[Any, ...], operation: str) -> tuple[Any, tuple[Any, ...]]:
    """An array and the items of a key for it, all where `x` is, or else where the lazy ones are."""
    from dask.array.core import from_array

    if not residency.is_device(x):
        items = tuple(on_host(item, operation, masks=True) for item in items)
        there = next((item for item in items if lazy(item) and residency.is_device(item)), None)
        if there is None:
            return x, items
        x, _ = residency.together([x, there], operation)
    items = tuple(from_array(item) if _whole_mask(item, x) else item for item in items)
    return x, tuple(residency.follow(item, x, operation) if lazy(item) else item for item in items)


@FIX.replaces(GETITEM)
def __getitem__(self: Any, index: Any) -> Any:
    items = index if isinstance(index, tuple) else (index,)
    if any(lazy(item) or _whole_mask(item, self) for item in items):
        self, index = meeting(self, items, "getitem")
    return original(GETITEM)(self, index)


@FIX.replaces(VINDEX)
def _vindex(self: Any, key: Any) -> Any:
    items = key if isinstance(key, tuple) else (key,)
    if any(map(lazy, items)):
        self, key = meeting(self, items, "vindex")
    return original(VINDEX)(self, key)


@FIX.replaces(TAKE)
def take(a: Any, indices: Any, axis: Any = 0) -> Any:
    """As dask's; an array in memory that is not where the lazy indices are becomes a dask array, and meets them."""
    from dask.array.core import asarray

    if lazy(indices) and not lazy(a) and (residency.is_device(a) or residency.is_device(indices)):
        a = asarray(a)
    return original(TAKE)(a, indices, axis)
