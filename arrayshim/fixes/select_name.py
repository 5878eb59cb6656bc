"""Every result of `da.select` is called "select", so two of them in one graph are taken for one: silently wrong values.

    >>> a = da.select([x > 1], [x], 0)
    >>> b = da.select([x > 1], [x * 10], 5)
    >>> (a + b).compute() == a.compute() + b.compute()      # all of it comes out as b + b
    array([False, False, False, False])

Conditions and choices on different sides meet on the device here too. What is there is selected as NumPy does it:
libraries take the dtype of the choices for that of the result, and a default that does not fit is refused.

    >>> np.select([x > 1], [x > 2], 3).dtype, cupy.select([y > 1], [y > 2], 3)
    (dtype('int64'), TypeError: Cannot cast scalar from dtype('int64') to dtype('bool') ...)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import meta as metas
from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original
from arrayshim.kernels import choosing
from arrayshim.residency import home, is_device, together

FIX = Fix(
    __name__,
    title="two results of select in one graph are two, and on a device it has the dtype that NumPy gives it",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
    changes_numpy=True,
)

SELECT = "dask.array.routines.select"
CHUNK = "dask.array.routines._select"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    x = da.from_array(np.arange(2), chunks=1)
    first, second = (da.select([x > 0], [x * i], i).name for i in (1, 2))
    return f"two different results of select have one name, {first!r}" if first == second else None


@FIX.probe
def faulty_dtype() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    x = dask_array([1.0, 5.0])
    try:
        found = da.select([x > 2], [x > 3], 3).compute(scheduler="sync").get().tolist()
    except TypeError as error:
        return f"select of device bools with the default 3: {error}"
    return None if found == [3, 1] else f"select([1, 5] > 2, [1, 5] > 3, 3) is {found}"


@FIX.replaces(CHUNK)
def _select(*args: Any, **kwargs: Any) -> Any:
    count = len(args) // 2
    conditions, choices = args[:count], args[count:]
    if not any(map(is_device, choices)):
        return original(CHUNK)(*args, **kwargs)
    return choosing.select(conditions, choices, **kwargs)


def _on_device(device: Any, ndim: int, choices: Any, default: Any) -> dict[str, Any]:
    """The dtype and meta of what is selected on a device, where dask leaves the default out of account."""
    dtype = choosing.selected_dtype([x._meta for x in choices], getattr(default, "_meta", default))
    try:
        return {"dtype": dtype, "meta": metas.like(device, ndim=ndim, dtype=dtype)}
    except (TypeError, ValueError) as error:
        kind = home(device).__name__
        raise UnsupportedError(
            f"select: with the default {default!r} the result is of dtype {dtype}, which {kind} chunks cannot have; "
            'give another default, or go to the host first, with x.to_backend("numpy")'
        ) from error


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
    described = {"dtype": made.dtype, "meta": made._meta}
    device = next(filter(is_device, choices), None)
    if device is not None:
        described = _on_device(device, made.ndim, choices, default)
    return blockwise(routines._select, axes, *pairs, token="select", default=default, **described)
