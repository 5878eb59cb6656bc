"""Joining device chunks with host data fails while the graph is built: dask asks one library to join both.

    >>> x = da.from_array(cupy.arange(4.0), chunks=2)
    >>> da.concatenate([x, numpy.ones(2)])
    TypeError: Only cupy arrays can be concatenated

With it fail `append`, `insert`, `block`, `ediff1d`, `cov` of two arrays, `union1d` and whatever else joins. `diff` and
`insert` turn what they join into arrays in ways of their own, which fail for dask arrays and for lists.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original
from arrayshim.residency import follow, gathered, is_device, together

FIX = Fix(
    __name__,
    title="concatenate, stack, diff and insert of device chunks and host data",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

CONCATENATE = "dask.array.core.concatenate"
STACK = "dask.array.core.stack"
DIFF = "dask.array.routines.diff"
INSERT = "dask.array.routines.insert"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    x = dask_array([1.0, 5.0])
    try:
        found = da.concatenate([x, np.array([2.0])]).compute(scheduler="sync").get().tolist()
    except TypeError as error:
        return f"a device array joined with an ndarray: {error}"
    return None if found == [1.0, 5.0, 2.0] else f"[1, 5] joined with [2] is {found}"


def _joinable(seq: Any, operation: str, allow_unknown_chunksizes: bool) -> list[Any]:
    import dask.array.core as core

    arrays = list(seq)
    if not any(map(is_device, arrays)):
        return arrays
    # Arrays even of scalars, which have nothing to be joined along but may be stacked.
    made = [core.asarray(x, allow_unknown_chunksizes=allow_unknown_chunksizes) for x in arrays]
    return together(made, operation)


@FIX.replaces(CONCATENATE)
def concatenate(seq: Any, axis: Any = 0, allow_unknown_chunksizes: bool = False) -> Any:
    arrays = _joinable(seq, "concatenate", allow_unknown_chunksizes)
    if any(map(is_device, arrays)) and axis is not None:
        # What cannot be joined is refused in NumPy's words, not in those of the library.
        np.concatenate([np.empty((0,) * x.ndim) for x in arrays], axis=axis)
    return original(CONCATENATE)(arrays, axis=axis, allow_unknown_chunksizes=allow_unknown_chunksizes)


@FIX.replaces(STACK)
def stack(seq: Any, axis: Any = 0, allow_unknown_chunksizes: bool = False) -> Any:
    arrays = _joinable(seq, "stack", allow_unknown_chunksizes)
    return original(STACK)(arrays, axis=axis, allow_unknown_chunksizes=allow_unknown_chunksizes)


@FIX.replaces(DIFF)
def diff(a: Any, n: Any = 1, axis: Any = -1, prepend: Any = None, append: Any = None) -> Any:
    if not any(map(is_device, (a, prepend, append))) or int(n) < 1 or prepend is append is None:
        return original(DIFF)(a, n, axis, prepend, append)
    import dask.array.core as core

    a = core.asarray(a)
    shape = tuple(1 if i == int(axis) % a.ndim else size for i, size in enumerate(a.shape))
    ends = [None if x is None else core.asarray(x) for x in (prepend, append)]
    before, after = ([] if x is None else [x if x.ndim else core.broadcast_to(x, shape)] for x in ends)
    return original(DIFF)(core.concatenate([*before, a, *after], axis=int(axis)), n, axis)


@FIX.replaces(INSERT)
def insert(arr: Any, obj: Any, values: Any, axis: Any) -> Any:
    point = hasattr(values, "__dask_graph__") and values.ndim == 0
    if is_device(arr) and (point or isinstance(values, list | tuple)):
        import dask.array.core as core
        from dask.array.utils import validate_axis

        axis = validate_axis(axis, arr.ndim)
        places = np.arange(*obj.indices(arr.shape[axis])) if isinstance(obj, slice) else np.atleast_1d(obj)
        shape = tuple(len(places) if i == axis else size for i, size in enumerate(arr.shape))
        values = follow(values, arr, "insert") if point else core.asarray(gathered(values))
        obj, values = places, core.broadcast_to(values, shape)
    return original(INSERT)(arr, obj, values, axis)
