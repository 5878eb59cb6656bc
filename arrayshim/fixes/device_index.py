"""An index array that is on a device keeps its negative numbers, which the chunks then read from their own ends.

    >>> x = da.from_array(cupy.arange(9.), chunks=3)
    >>> x[cupy.array([-1])].compute()        # 8.0 is the last
    array([2.])

`posify_index` asks for `numpy.ndarray`. The graph cannot be built without the numbers of the index, so all that plans
with it reads it piecemeal, and the chunks get a host array in the end. Here it is read once, counted, before anything
looks at it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="negative numbers in an index array on a device",
    affects=">=2025.1",
    array_expr=False,
)

NORMALIZE = "dask.array.slicing.normalize_index"


@FIX.probe
def faulty() -> str | None:
    from dask.array.slicing import normalize_index

    from arrayshim import strict

    (index,) = normalize_index(strict.asarray(np.array([-1])), (9,))
    found = index.tolist()
    return None if found == [8] else f"index -1 of an axis of 9 becomes {found[0]}"


def on_host(item: Any, operation: str = "index", *, masks: bool = False) -> Any:
    """A device array that is an index, copied to the host; a mask of several axes only with `masks`."""
    if isinstance(item, np.ndarray) or not hasattr(item, "dtype") or hasattr(item, "__dask_graph__"):
        return item
    if (item.dtype == bool and item.ndim > 1 and not masks) or not residency.is_device(item):
        return item
    try:
        return residency.to_host(item, operation)
    except UnsupportedError:  # nobody has said how; dask itself would ask for a list
        return np.array(item.tolist(), dtype=item.dtype)


@FIX.replaces(NORMALIZE)
def normalize_index(idx: Any, shape: Any) -> Any:
    items = idx if isinstance(idx, tuple) else (idx,)
    return original(NORMALIZE)(tuple(map(on_host, items)), shape)
