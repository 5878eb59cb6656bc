"""A diagonal beside the matrix has no elements, and `diagonal` makes those by `np.empty`; it knows CuPy by name only.

>>> x = da.diagonal(y, offset=100)                      # y of sparse chunks
>>> type(x._meta), type(x.compute())
(<class 'sparse.COO'>, <class 'numpy.ndarray'>)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim.fix import Fix, original
from arrayshim.kernels.generic import has_nep18

FIX = Fix(
    __name__,
    title="a diagonal without elements keeps the chunk type",
    affects=">=2025.1",
    array_expr=False,
)

DIAGONAL = "dask.array.creation.diagonal"


@FIX.probe
def faulty() -> str | None:
    from dask.array import creation

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = type(creation.diagonal(dask_array([[1.0]]), offset=2).compute(scheduler="sync"))
    return None if found is StrictArray else f"chunks are {found.__name__}, meta is StrictArray"


@FIX.replaces(DIAGONAL)
def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    found = original(DIAGONAL)(a, offset, axis1, axis2)
    meta = found._meta
    if found.shape[-1] == 0 and has_nep18(meta) and not isinstance(meta, np.ndarray):
        return found.map_blocks(kernels.beside, like=meta, meta=meta)
    return found
