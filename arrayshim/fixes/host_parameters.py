"""Weights, bins, tables and test elements in host memory stay there while the data are on a device.

    >>> x = da.from_array(cupy.arange(4.0), chunks=2)
    >>> da.isin(x, [1, 3]).compute()
    TypeError: Unsupported type <class 'numpy.ndarray'>
    >>> da.average(x, weights=[1, 2, 3, 4], returned=True)[1]
    dask.array<..., chunktype=numpy.ndarray>

They describe what is done with the data, and follow them, in tasks.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arrayshim._bincount_dask import counted, has_kernel
from arrayshim._moves import Promised
from arrayshim.fix import Fix, original
from arrayshim.residency import devices_seen, follow, is_device, moved, together

FIX = Fix(
    __name__,
    title="isin, searchsorted, digitize, bincount and average of device chunks with host parameters",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

ISIN = "dask.array.routines.isin"
SEARCHSORTED = "dask.array.routines.searchsorted"
DIGITIZE = "dask.array.routines.digitize"
BINCOUNT = "dask.array.routines.bincount"
AVERAGE = "dask.array.routines._average"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    try:
        found = da.isin(dask_array([1.0, 5.0]), [5.0, 7.0]).compute(scheduler="sync").get().tolist()
    except (AttributeError, TypeError) as error:
        return f"isin of a device array and a list: {error}"
    return None if found == [False, True] else f"isin([1, 5], [5, 7]) is {found}"


def _array(x: Any) -> Any:
    from dask.array.core import asanyarray

    return asanyarray(x)


@FIX.replaces(ISIN)
def isin(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    element = _array(element)
    tests = follow(_array(test_elements), element, "isin")
    return original(ISIN)(element, tests, assume_unique=assume_unique, invert=invert)


@FIX.replaces(SEARCHSORTED)
def searchsorted(a: Any, v: Any, side: str = "left", sorter: Any = None) -> Any:
    if is_device(a) or is_device(v):
        # Some libraries take any word but one for the other.
        np.searchsorted([0.0], 0.0, side=side)  # type: ignore[call-overload]
    return original(SEARCHSORTED)(*together([a, v], "searchsorted"), side=side, sorter=sorter)


def _digitize(x: Any, *, bins: Any, right: bool) -> Any:
    return np.digitize(x, moved(bins, x, "digitize"), right=right)


@FIX.replaces(DIGITIZE)
def digitize(a: Any, bins: Any, right: bool = False) -> Any:
    if is_device(bins):
        follow(bins, a, "digitize")  # raises where the data are not there
    if is_device(a) and hasattr(bins, "__dask_graph__"):
        edges = follow(bins, a, "digitize")
        meta = np.empty_like(a._meta, dtype=np.intp)
        return a.map_blocks(_digitize, bins=edges, right=right, dtype=meta.dtype, meta=meta)
    if devices_seen() and isinstance(getattr(a, "_meta", None), np.ndarray):
        # As dask has it, for `false_metas`.
        edges = np.asarray(bins)
        dtype = np.digitize(np.asarray([0]), edges, right=False).dtype
        return a.map_blocks(Promised(np.digitize, "digitize"), dtype=dtype, bins=edges, right=right)
    if not is_device(a) or not isinstance(bins, list | tuple | np.ndarray):
        return original(DIGITIZE)(a, bins, right=right)
    # The edges move in the tasks: on the device already, they would be copied back for the name of the graph.
    edges = np.asarray(bins)
    dtype = np.digitize([0], edges, right=right).dtype
    meta = np.empty_like(a._meta, dtype=dtype)
    return a.map_blocks(partial(_digitize, bins=edges, right=right), dtype=dtype, meta=meta)


@FIX.replaces(BINCOUNT)
def bincount(x: Any, weights: Any = None, minlength: int = 0, split_every: Any = None) -> Any:
    if weights is not None and (is_device(x) or is_device(weights)):
        weights = follow(weights, x, "bincount")
    if weights is None and has_kernel(x):
        return counted(x, minlength, split_every)
    return original(BINCOUNT)(x, weights=weights, minlength=minlength, split_every=split_every)


@FIX.replaces(AVERAGE)
def _average(a: Any, axis: Any = None, weights: Any = None, returned: bool = False, **options: Any) -> Any:
    a = _array(a)
    if weights is not None and (is_device(a) or is_device(weights)):
        weights = follow(_array(weights), a, "average")
    found = original(AVERAGE)(a, axis, weights, returned, **options)
    if returned and is_device(a):
        average, total = found
        return average, follow(total, average, "average")
    return found
