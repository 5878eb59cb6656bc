"""An index array that is on a device keeps its negative numbers, which then are no element of any chunk's.

    >>> x = da.from_array(cupy.arange(1., 10.), chunks=3)
    >>> x[cupy.array([-1])].compute()        # 9.0 is the last; CuPy wraps what is out of range around
    array([1.])

`posify_index` asks for `numpy.ndarray`. The graph cannot be built without the numbers of the index, so all that plans
with it reads it piecemeal, and the chunks get a host array in the end. Here it is read once, counted, before anything
looks at it.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim._indexing import on_host
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


@FIX.replaces(NORMALIZE)
def normalize_index(idx: Any, shape: Any) -> Any:
    items = idx if isinstance(idx, tuple) else (idx,)
    return original(NORMALIZE)(tuple(on_host(item, "getitem") for item in items), shape)
