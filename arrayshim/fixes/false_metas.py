"""Where a meta is false, or was never given, host and device chunks meet in a task, and fail in a library's words.

    >>> x = da.from_array(cupy.arange(4.0), chunks=2)
    >>> y = da.from_delayed(delayed(cupy.arange)(4.0), (4,), dtype="f8")        # a NumPy array, by its meta
    >>> da.concatenate([da.ones(4), y]).compute()
    TypeError: Implicit conversion to a NumPy array is not allowed. ...

Nothing could be said while the graph was built. So the first task that has both before it says what is wrong, and names
the operation and `meta=`. Nearly all functions of several chunks become tasks by `blockwise`, where the functions of
dask and NumPy are wrapped; a user's function gets what the user passed, and its errors are its own. A function that is
chosen for host chunks alone says so of the first that is none.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from dask.utils import funcname

from arrayshim._moves import Meeting, Promised
from arrayshim.fix import Fix, original
from arrayshim.residency import devices_seen

FIX = Fix(
    __name__,
    title="the first task in which host and device chunks meet against their metas says so",
    affects=">=2025.1",
    array_expr=False,
    forwarded="not-needed",
    reason="which chunks cannot meet is decided by arrayshim.residency; dask has no rule for two sides",
)

BLOCKWISE = "dask.array.blockwise.core_blockwise"
CONCATENATE = "dask.array.core.concatenate3"
CONCATENATE_AXES = "dask.array.core._concatenate2"
SHUFFLE = "dask.array._shuffle.concatenate_arrays"
VINDEX = "dask.array.core._vindex_merge"
CONVERTED = "dask.array.utils._array_like_safe"
UNIQUE = "dask.array.routines._unique_internal"
POSITIONS = "dask.array.chunk.argtopk_aggregate"
NUMBERS = "dask.array.routines._bincount_agg"
PRODUCTS = "dask.array.routines._chunk_sum"

#: Whose functions are no user's: NumPy's, dask's and ours.
LIBRARIES = ("numpy", "dask", __name__.partition(".")[0])
#: Functions of chunks whose names say little to those who call the operation.
OPERATIONS = {
    "getitem_variadic": "getitem",
    "slice_with_int_dask_array": "getitem",
    "slice_with_int_dask_array_aggregate": "getitem",
    "isin_kernel": "isin",
    "chunk_einsum": "einsum",
    "int_piecewise": "piecewise",
    "variadic_choose": "choose",
    "searchsorted_block": "searchsorted",
    "unique_internal": "unique",
    "ravel_multi_index_kernel": "ravel_multi_index",
}
#: Functions of dask that call another, and the keywords in which they get it.
WRAPPERS = ("elemwise_handle_where", "enforce_dtype")
WRAPPED = ("elemwise_where_function", "enforce_dtype_function")


@FIX.probe
def faulty() -> str | None:
    from dask.array.core import concatenate3

    from arrayshim.strict import asarray

    try:
        concatenate3([np.array([1.0]), asarray([2.0])])
    except TypeError as error:
        return None if "meta=" in str(error) else f"a host chunk joined to a device chunk: {str(error)[:50]}"
    return None


def _of_library(function: Any) -> bool:
    """Whether a function is NumPy's, one of dask's, or one of those that took their place."""
    while isinstance(function, partial):
        function = function.func
    module = getattr(function, "__module__", None) or ""
    return isinstance(function, np.ufunc) or module.partition(".")[0] in LIBRARIES


def _of_the_host(function: Any) -> bool:
    """Whether it calls a Python function for each element, which is refused of arrays that say they are on a device."""
    from dask.array.ufunc import da_frompyfunc

    return isinstance(function, da_frompyfunc)


def _operation(function: Any, kwargs: Any) -> str:
    """What is called the operation of a function of chunks; of one that calls another, what that is called."""
    names = [funcname(f).strip("_") for f in (function, *map(kwargs.get, WRAPPED)) if f is not None]
    name = next((name for name in names if name not in WRAPPERS), names[0])
    return str(OPERATIONS.get(name, name))


@FIX.replaces(BLOCKWISE, everywhere=False)
def core_blockwise(func: Any, output: Any, output_indices: Any, *arrind_pairs: Any, **kwargs: Any) -> Any:
    if devices_seen() and not isinstance(func, Meeting) and _of_library(func):
        if _of_the_host(func):
            func = Promised(func, _operation(func, kwargs))
        elif sum(index is not None for index in arrind_pairs[1::2]) > 1:
            func = Meeting(func, _operation(func, kwargs))
    return original(BLOCKWISE)(func, output, output_indices, *arrind_pairs, **kwargs)


@FIX.replaces(CONCATENATE)
def concatenate3(arrays: Any) -> Any:
    return Meeting(original(CONCATENATE), "concatenate")(arrays)


@FIX.replaces(CONCATENATE_AXES)
def _concatenate2(arrays: Any, axes: Any = None) -> Any:
    return Meeting(original(CONCATENATE_AXES), "concatenate")(arrays, axes=axes)


@FIX.replaces(SHUFFLE)
def concatenate_arrays(arrs: Any, sorter: Any, axis: Any) -> Any:
    return Meeting(partial(original(SHUFFLE), sorter=sorter, axis=axis), "getitem")(arrs)


@FIX.replaces(VINDEX)
def _vindex_merge(locations: Any, values: Any) -> Any:
    return Meeting(partial(original(VINDEX), locations), "vindex")(values)


@FIX.replaces(CONVERTED)
def _array_like_safe(np_func: Any, da_func: Any, a: Any, like: Any, **kwargs: Any) -> Any:
    return Meeting(partial(original(CONVERTED), np_func, da_func, **kwargs), "asarray")(a, like)


@FIX.replaces(UNIQUE)
def _unique_internal(ar: Any, indices: Any, counts: Any, return_inverse: bool = False) -> Any:
    return Promised(original(UNIQUE), "unique")(ar, indices, counts, return_inverse=return_inverse)


@FIX.replaces(POSITIONS)
def argtopk_aggregate(a_plus_idx: Any, k: Any, axis: Any, keepdims: Any) -> Any:
    return Meeting(original(POSITIONS), "argtopk")(a_plus_idx, k, axis, keepdims)


@FIX.replaces(NUMBERS)
def _bincount_agg(bincounts: Any, dtype: Any, **kwargs: Any) -> Any:
    return Meeting(original(NUMBERS), "bincount")(bincounts, dtype, **kwargs)


@FIX.replaces(PRODUCTS)
def _chunk_sum(a: Any, axis: Any = None, dtype: Any = None, keepdims: Any = None) -> Any:
    return Meeting(original(PRODUCTS), "matmul")(a, axis=axis, dtype=dtype, keepdims=keepdims)
