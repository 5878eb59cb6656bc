"""`percentile` knows NumPy and CuPy by name: any other chunk type meets a table without a row, and NumPy's `empty`.

>>> da.percentile(da.from_array(device_array, chunks=2), 50).compute()
TypeError: No dispatch for <class 'DeviceArray'>

Chunks on a device are merged by a kernel: dask adds up how many elements lie below each value by the `cumsum` of their
library, and where that adds in another order than NumPy's, the last percentile is not found at 100.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.kernels.order_statistics import METHODS
from arrayshim.kernels.percentiles import MERGED, check_merged, merge
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="percentile of chunks of a type that nobody registered",
    affects=">=2025.1",
    after=("cold_tables",),
    array_expr=False,
)

PERCENTILE = "dask.array.percentile.percentile"
MERGE = "dask.array.percentile.merge_percentiles"

# What `method` was the name of once: dask warns.
_INTERNAL = ("default", "dask", "tdigest")


@FIX.probe
def faulty() -> str | None:
    from dask.array import percentile

    from arrayshim.probes import dask_array, unregistered

    cls = unregistered()
    try:
        middle = percentile(dask_array([1.0, 2.0, 4.0], cls=cls), 50).compute(scheduler="sync")
    except TypeError as error:
        return str(error)
    return None if type(middle) is cls else f"percentile of an unknown device array is a {type(middle).__name__}"


FIX.registers("percentile", object)(kernels.chunk_percentile)


def _know_empty(array: Any) -> None:
    """Give the type of an array its row in the table of `empty`, which is asked with a type and no instance."""
    cls = type(array)
    if hasattr(cls, "__array_function__") and not isinstance(array, np.ndarray):
        FIX.learn("empty", cls, partial(kernels.empty, like=array[(slice(0),) * array.ndim]))


@FIX.replaces(PERCENTILE)
def percentile(a: Any, q: Any, method: str = "linear", *args: Any, **kwargs: Any) -> Any:
    _know_empty(a._meta)
    if not isinstance(a._meta, np.ndarray):
        # In a task q lies on the device, where looking at it costs a synchronisation.
        q = list(q) if isinstance(q, Iterator) else q
        kernels.quantiles.check_range(q, 100)
        # What is no number gets the nearest, whatever the method.
        numbers = np.issubdtype(a.dtype, np.number)
        if a.ndim == 1 and is_device(a) and numbers and method not in (*MERGED, *_INTERNAL):
            return _of_one_chunk(a, q, method)
    return original(PERCENTILE)(a, q, method, *args, **kwargs)


def _of_one_chunk(a: Any, q: Any, method: str) -> Any:
    """By a method that dask's merging of chunks does not know."""
    from arrayshim._reductions_dask import over_whole_axes

    if a.npartitions > 1 or method not in METHODS:
        check_merged(method)
    return over_whole_axes("percentile", a, q=q if is_device(q) else np.asarray(q), axis=0, method=method)


@FIX.replaces(MERGE)
def merge_percentiles(
    finalq: Any, qs: Any, vals: Any, method: str = "lower", Ns: Any = None, raise_on_nan: bool = True
) -> Any:
    # For `false_metas`: a target is replaced once.
    return Meeting(_merged, "percentile")(finalq, list(qs), list(vals), method, Ns, raise_on_nan)


def _merged(finalq: Any, qs: Any, vals: Any, method: str, Ns: Any, raise_on_nan: bool) -> Any:
    if Ns is None and is_device(finalq):
        return merge(finalq, qs, vals, method, kernels.running_sum)
    _know_empty(finalq)
    return original(MERGE)(finalq, qs, vals, method, Ns, raise_on_nan)
