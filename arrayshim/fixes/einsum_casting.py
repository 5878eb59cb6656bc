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
    from dask.array.core import einsum_lookup

    from arrayshim import strict
    from arrayshim.probes import unregistered

    # The row itself is asked: `cold_tables` applies the rule of casting before it.
    x = strict.asarray(np.array([1, 2, 3]), kind=unregistered())
    try:
        einsum_lookup.dispatch(type(x))("i->i", x, dtype="f4", casting="unsafe")
    except TypeError as error:
        return str(error)
    return None


FIX.registers("einsum", object)(kernels.einsum)
