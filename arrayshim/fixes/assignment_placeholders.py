"""Assignment through a lazy integer index hits elements that nobody named, unless the index is a NumPy array.

    >>> x = da.zeros(6, chunks=3, like=cupy.empty(0))
    >>> x[da.from_array(cupy.array([0]), chunks=1)] = 1
    >>> x.compute()
    array([1., 0., 0., 1., 0., 0.])

Every block gets the whole index, in which the numbers of other blocks have become the size of the block. `setitem`
takes these out of a `numpy.ndarray` only. CuPy wraps what is out of range around to the first element; other types
raise.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim._moves import REFUSALS, explain
from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="assignment through a lazy integer index hits the named elements only",
    affects=">=2025.1",
    array_expr=False,
)

SETITEM = "dask.array.slicing.setitem"


@FIX.probe
def faulty() -> str | None:
    from dask.array.slicing import setitem

    from arrayshim import strict

    x, value, index = (strict.asarray(np.array(given)) for given in ([0, 0], 1, [2]))
    found = setitem(x, value, [index]).tolist()
    return None if found == [0, 0] else f"element 2 of a block of 2, which is a placeholder, is assigned: {found}"


def _of_this_block(index: Any, size: int) -> Any:
    """An integer index array without its placeholders."""
    kind = getattr(getattr(index, "dtype", None), "kind", "")
    if kind not in "iu" or not kind or not index.ndim or isinstance(index, np.ndarray):
        return index
    return index[index < size]


@FIX.replaces(SETITEM)
def setitem(x: Any, v: Any, indices: Any) -> Any:
    indices = [_of_this_block(index, size) for index, size in zip(indices, x.shape, strict=False)]
    try:
        return original(SETITEM)(x, v, indices)
    except REFUSALS as error:
        # The numbers of a key in memory are host arrays, whatever the data are.
        explain(error, "setitem", x, v, *(index for index in indices if is_device(index)))
        raise
