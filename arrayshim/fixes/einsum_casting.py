"""einsum passes `casting` and `order` on to libraries whose einsum has neither; dask spares CuPy that, and nobody else.

    >>> da.einsum("ij->i", x, dtype="f4", casting="unsafe").compute()       # chunks of a type without a row of its own
    TypeError: Did not understand the following kwargs: ['casting']

The fallback row of `einsum_lookup` is `numpy.einsum`, which hands its keywords to the library unread. Ours applies the
rule of casting itself, and then asks the library for what is left. NumPy and its subclasses have a row of their own.
"""

from __future__ import annotations

import numpy as np

from arrayshim import kernels
from arrayshim.fix import Fix

FIX = Fix(
    __name__,
    title="einsum casts for libraries whose einsum knows no casting",
    affects=">=2025.1",
)


@FIX.probe
def faulty() -> str | None:
    from dask.array import einsum

    from arrayshim.probes import dask_array, unregistered

    x = dask_array(np.array([1, 2, 3]), cls=unregistered())
    try:
        einsum("i->i", x, dtype="f4", casting="unsafe").compute(scheduler="sync")
    except TypeError as error:
        return str(error)
    return None


FIX.registers("einsum", object)(kernels.einsum)
