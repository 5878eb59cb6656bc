"""A ufunc that the library of the chunks does not have is found missing in a worker, one chunk after the other.

    >>> da.spacing(x).compute()                             # x of CuPy chunks
    TypeError: operand type(s) all returned NotImplemented from __array_ufunc__ ...
    >>> da.frompyfunc(math.gcd, 2, 1)(x, 6).compute()
    TypeError: operand type(s) all returned NotImplemented from __array_ufunc__ ...

`spacing` can be computed from what libraries have, and so can the truth of complex numbers, of which the logical ufuncs
of CuPy know nothing. The others are refused while the graph is built: a Python function
of elements would have to bring each of them to the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original
from arrayshim.kernels.ufuncs import COMPLEX, MISSING, is_complex
from arrayshim.residency import home, is_device

FIX = Fix(
    __name__,
    title="spacing, and logical ufuncs of complex numbers, where a library lacks them; others are refused at once",
    affects=">=2025.1",
    after=("ufunc_where",),
    array_expr=False,
)

CALL = "dask.array.ufunc.ufunc.__call__"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    try:
        da.spacing(dask_array([1.0])).compute(scheduler="sync")
    except TypeError:
        return "spacing of device chunks fails in a task"
    return None


@FIX.probe
def faulty_complex() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    try:
        da.logical_not(dask_array([1j])).compute(scheduler="sync")
    except TypeError:
        return "logical_not of complex device chunks fails in a task"
    return None


@FIX.replaces(CALL)
def __call__(self: Any, *args: Any, **kwargs: Any) -> Any:
    device = next((x for x in args if hasattr(x, "_elemwise") and is_device(x)), None)
    if device is None:
        return original(CALL)(self, *args, **kwargs)
    of_numpy = getattr(self._ufunc, "_ufunc", self._ufunc)
    if of_numpy in COMPLEX and any(map(is_complex, args)):
        return device._elemwise(COMPLEX[of_numpy], *args, **kwargs)
    if not _lacks(device._meta, self._ufunc):
        return original(CALL)(self, *args, **kwargs)
    instead = MISSING.get(of_numpy)
    if instead is None:
        raise UnsupportedError(_refusal(home(device).__name__, self._ufunc))
    return device._elemwise(instead, *args, **kwargs)


def _lacks(meta: Any, ufunc: Any) -> bool:
    """Whether a type says that it does not know a ufunc; not of this dtype is another matter."""
    of_numpy = getattr(ufunc, "_ufunc", ufunc)
    try:
        return meta.__array_ufunc__(of_numpy, "__call__", *[meta] * of_numpy.nin) is NotImplemented
    except Exception:
        return False


def _refusal(kind: str, ufunc: Any) -> str:
    remedy = 'or go to the host first, with x.to_backend("numpy")'
    if isinstance(ufunc, np.ufunc):
        return f"{kind} chunks have no ufunc {ufunc.__name__!r}; compute it from others that they have, {remedy}"
    return (
        f"{ufunc!r} calls a Python function for each element, and elements of {kind} chunks cannot come to it; "
        f"write it with functions of arrays and use x.map_blocks(function), {remedy}"
    )
