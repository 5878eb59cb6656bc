"""Every result of `da.select` is called "select", so two of them in one graph are taken for one: silently wrong values.

    >>> a = da.select([x > 1], [x], 0)
    >>> b = da.select([x > 1], [x * 10], 5)
    >>> (a + b).compute() == a.compute() + b.compute()      # all of it comes out as b + b
    array([False, False, False, False])

Conditions and choices on different sides meet on the device here too.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original
from arrayshim.kernels import choosing
from arrayshim.meta import like
from arrayshim.residency import is_device, together

FIX = Fix(
    __name__,
    title="two results of select in one graph are two",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
    changes_numpy=True,
)

SELECT = "dask.array.routines.select"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    x = da.from_array(np.arange(2), chunks=1)
    first, second = (da.select([x > 0], [x * i], i).name for i in (1, 2))
    return f"two different results of select have one name, {first!r}" if first == second else None


@FIX.replaces(SELECT)
def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    from dask.array import routines
    from dask.array.core import asarray, blockwise

    operands, count = [*condlist, *choicelist], len(condlist)
    operands = together(operands, "select")
    conditions, choices = operands[:count], [asarray(x) for x in operands[count:]]
    # For what it checks and finds out; its graph is the one with the wrong name.
    made = original(SELECT)(conditions, choices, default=default)
    axes = tuple(range(made.ndim))
    pairs = [part for x in (*conditions, *choices) for part in (x, axes)]
    meta = made._meta
    if is_device(made):
        # On NumPy chunks dask goes on to say the dtype of the choices alone.
        meta = like(made, dtype=choosing.common_dtype([meta, default]))
    options = {"dtype": meta.dtype, "meta": meta, "token": "select", "default": default}
    return blockwise(routines._select, axes, *pairs, **options)
