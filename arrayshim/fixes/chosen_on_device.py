"""`choose`, `select`, `piecewise` and `isnull` hand a chunk to what only NumPy and pandas do with it.

    >>> x = da.from_array(cupy.arange(4.0), chunks=2)
    >>> da.choose(x.astype(int) % 2, [x, -x]).compute()
    AttributeError: 'list' object has no attribute 'ndim'
    >>> da.isnull(x).compute(), da.piecewise(x, [x > 1], [lambda t: -t]).compute()
    TypeError: Implicit conversion to a NumPy array is not allowed

Other libraries take no sequence of choices, no functions among the pieces, no array for the default of `select`, nor
one that the choices must be widened for; and pandas takes no array of theirs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original
from arrayshim.kernels import choosing
from arrayshim.residency import is_device, together

FIX = Fix(
    __name__,
    title="choose, select, piecewise and isnull of device chunks",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

CHOOSE = "dask.array.routines.variadic_choose"
PIECEWISE = "dask.array.routines.piecewise"
PIECEWISE_CHUNK = "dask.array.routines._int_piecewise"
ISNULL_CHUNK = "dask.array.routines._asarray_isnull"
SELECT_CHUNK = "dask.array.routines._select"
WHERE = "dask.array.routines.where"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    x = dask_array([1.0, 5.0])
    try:
        found = da.choose(x > 2, [x, x * 2]).compute(scheduler="sync").get().tolist()
    except (AttributeError, TypeError) as error:
        return f"choose among device arrays: {error}"
    return None if found == [1.0, 10.0] else f"choose of 1, 5 * 2 is {found}"


@FIX.replaces(CHOOSE)
def variadic_choose(a: Any, *choices: Any) -> Any:
    return choosing.choose(a, choices) if is_device(a) else original(CHOOSE)(a, *choices)


@FIX.replaces(SELECT_CHUNK)
def _select(*args: Any, **kwargs: Any) -> Any:
    if not any(map(is_device, args)):
        return original(SELECT_CHUNK)(*args, **kwargs)
    half = len(args) // 2
    return choosing.select(args[:half], args[half:], **kwargs)


@FIX.replaces(ISNULL_CHUNK)
def _asarray_isnull(values: Any) -> Any:
    return choosing.isnull(values) if is_device(values) else original(ISNULL_CHUNK)(values)


@FIX.replaces(PIECEWISE_CHUNK)
def _int_piecewise(x: Any, *condlist: Any, **kwargs: Any) -> Any:
    pieces = kwargs["funclist"]
    if not is_device(x) or not any(map(callable, pieces)):
        return original(PIECEWISE_CHUNK)(x, *condlist, **kwargs)
    return choosing.piecewise(x, condlist, pieces, *kwargs["func_args"], **kwargs["func_kw"])


@FIX.replaces(PIECEWISE)
def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    if isinstance(condlist, list | tuple):
        x, *condlist = together([x, *condlist], "piecewise")
    return original(PIECEWISE)(x, condlist, funclist, *args, **kw)


@FIX.replaces(WHERE)
def where(condition: Any, x: Any = None, y: Any = None) -> Any:
    if np.isscalar(condition) and x is not None and y is not None:
        # One of the two is the result: it is on the device, if the other is.
        x, y = together([x, y], "where")
    return original(WHERE)(condition, x, y)
