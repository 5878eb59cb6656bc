"""`unravel_index` passes NumPy's keyword `shape` to arrays whose library calls it something else.

    >>> da.unravel_index(da.from_array(cupy.array([3]), chunks=1), (2, 2))[0].compute()
    TypeError: unravel_index() missing a required argument: 'dims'

Without elements, or without axes, the result is made from scratch, and is NumPy's whatever the indices are.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="unravel_index of indices that are not NumPy's",
    affects=">=2025.1",
    array_expr=False,
)

KERNEL = "dask.array.routines._unravel_index_kernel"
UNRAVEL = "dask.array.routines.unravel_index"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import _unravel_index_kernel

    from arrayshim import strict

    try:
        _unravel_index_kernel(strict.asarray(np.array([3])), {"shape": (2, 2), "order": "C"})
    except TypeError as error:
        return f"unravel_index of a StrictArray: {error}"
    return None


@FIX.replaces(KERNEL)
def _unravel_index_kernel(indices: Any, func_kwargs: Any) -> Any:
    return np.stack(np.unravel_index(indices, func_kwargs["shape"], func_kwargs["order"]))


@FIX.replaces(UNRAVEL)
def unravel_index(indices: Any, shape: Any, order: Any = "C") -> Any:
    if (shape and indices.size) or not residency.is_device(indices):
        return original(UNRAVEL)(indices, shape, order)
    from arrayshim.creation import empty

    return tuple(empty((0,), dtype=np.intp, chunks=1, like=indices) for _ in shape)
