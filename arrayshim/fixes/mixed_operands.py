"""An operator or ufunc of device chunks and host data fails inside a worker, although only residence is wrong.

    >>> x = da.from_array(cupy.arange(4.0), chunks=2)
    >>> (x + numpy.ones(4)).compute(), da.where(x > 1, x, numpy.array(0.0)).compute()
    TypeError: Unsupported type <class 'numpy.ndarray'>

Host arrays, lists, host-backed dask arrays and 0-d ndarrays go where the chunks of the others are: in tasks, chunk by
chunk, after the chunks have been aligned. Where a meta is false, so that host and device meet in a task after all, the
task says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.utils import funcname

from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.residency import devices_seen, follow, gathered, is_device, together

FIX = Fix(
    __name__,
    title="operators and ufuncs of device chunks and host data",
    affects=">=2025.1",
    array_expr=False,
)

ELEMWISE = "dask.array.core.elemwise"


@FIX.probe
def faulty() -> str | None:
    from arrayshim.probes import dask_array

    x = dask_array([1.0, 5.0])
    try:
        found = (x + np.array([1.0, 2.0]) * np.array(2.0)).compute(scheduler="sync").get().tolist()
    except TypeError as error:
        return f"a device array + an ndarray: {error}"
    return None if found == [3.0, 9.0] else f"[1, 5] + [1, 2] * 2 is {found}"


def _aligned(operands: list[Any]) -> list[Any]:
    """The operands with chunks that fit each other, so that no more than a chunk has to move at a time."""
    from dask.array.core import broadcast_shapes, is_scalar_for_elemwise, unify_chunks

    arrays = [i for i, x in enumerate(operands) if not is_scalar_for_elemwise(x)]
    # A wrong shape is refused in NumPy's words, not in those of what follows.
    broadcast_shapes(*(operands[i].shape for i in arrays))
    pairs = [part for i in arrays for part in (operands[i], tuple(range(operands[i].ndim))[::-1])]
    for i, x in zip(arrays, unify_chunks(*pairs)[1], strict=True):
        operands[i] = x
    return operands


def _several(operands: Any) -> bool:
    arrays = [x for x in operands if getattr(x, "ndim", 0) or isinstance(x, list | tuple)]
    return len(arrays) > 1


@FIX.replaces(ELEMWISE)
def elemwise(op: Any, *args: Any, out: Any = None, where: Any = True, **kwargs: Any) -> Any:
    from dask.array.core import _elemwise_normalize_out, handle_out

    operation, written = funcname(op), out
    # With where=, what was in `out` before is an operand.
    kept = [] if where is True else [x for x in (_elemwise_normalize_out(out),) if x is not None]
    if any(map(is_device, (*args, *kept))):
        operands = together(_aligned([*map(gathered, args), *kept]), operation)
        if not isinstance(where, bool | None):
            where = follow(where, next(x for x in operands if is_device(x)), operation)
        args = tuple(operands[: len(args)])
        written = operands[-1] if kept else out
    elif is_device(where):
        where = follow(where, args[0], operation)
    if devices_seen() and _several(args):
        op = Meeting(op, operation)
    result = original(ELEMWISE)(op, *args, out=written, where=where, **kwargs)
    return result if written is out or result is NotImplemented else handle_out(out, result)
