"""`da.ma` hands chunks that have no masks to `numpy.ma`, which makes them NumPy's, or fails when it is too late.

    >>> x = da.from_array(cupy.arange(5.0), chunks=2)
    >>> da.ma.masked_greater(x, 3).sum().compute()
    TypeError: Implicit conversion to a NumPy array is not allowed. ...
    >>> da.ma.getmaskarray(x).compute()
    array([False, False, False, False, False])      # on the host

No array library of a device has masks (https://github.com/cupy/cupy/issues/2225). NaN says the same to `where` and to
the functions named `nan...`, so each refusal names what to call instead, while the graph is built.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original
from arrayshim.residency import home, is_device

FIX = Fix(
    __name__,
    title="da.ma of device chunks says at once what to call instead",
    issue="https://github.com/cupy/cupy/issues/2225",
    affects=">=2025.1",
    array_expr=False,
    forwarded="not-needed",
    reason="dask has no notion of a chunk type without masks; to tell which arrays NumPy's cannot meet is arrayshim's",
)

#: What to call instead, with the parameters' own names; NaN stands where numpy.ma would mask.
INSTEAD = {
    "average": "da.nanmean(a, axis=axis), or da.average(a, axis=axis, weights=weights) where nothing is NaN",
    "count": "(~da.isnan(a)).sum(axis=axis)",
    "empty_like": "da.empty_like(a)",
    "filled": "da.where(da.isnan(a), fill_value, a)",
    "fix_invalid": "da.where(da.isfinite(a), a, fill_value)",
    "getdata": "a, which is its own data",
    "getmaskarray": "da.isnan(a)",
    "masked_array": "da.where(mask, np.nan, data)",
    "masked_equal": "da.where(a == value, np.nan, a)",
    "masked_greater": "da.where(a > value, np.nan, a)",
    "masked_greater_equal": "da.where(a >= value, np.nan, a)",
    "masked_inside": "da.where((x >= v1) & (x <= v2), np.nan, x)",
    "masked_invalid": "da.where(da.isfinite(a), a, np.nan)",
    "masked_less": "da.where(a < value, np.nan, a)",
    "masked_less_equal": "da.where(a <= value, np.nan, a)",
    "masked_not_equal": "da.where(a != value, np.nan, a)",
    "masked_outside": "da.where((x < v1) | (x > v2), np.nan, x)",
    "masked_values": "da.where(da.isclose(x, value, rtol=rtol, atol=atol), np.nan, x)",
    "masked_where": "da.where(condition, np.nan, a)",
    "nonzero": "da.nonzero(da.nan_to_num(a))",
    "ones_like": "da.ones_like(a)",
    "set_fill_value": "da.where(da.isnan(a), fill_value, a), where the value is needed",
    "where": "da.where(condition, x, y)",
    "zeros_like": "da.zeros_like(a)",
}


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    try:
        da.ma.masked_greater(dask_array([1.0, 5.0]), 3.0)
    except NotImplementedError:
        return None
    return "a mask is put on chunks whose type has none"


def _refusing(name: str) -> Callable[..., Any]:
    target = f"dask.array.ma.{name}"

    def function(*args: Any, **kwargs: Any) -> Any:
        device = next((x for x in (*args, *kwargs.values()) if is_device(x)), None)
        if device is None:
            return original(target)(*args, **kwargs)
        raise UnsupportedError(
            f"da.ma.{name}: {home(device).__name__} chunks have no masks, and NumPy or masked chunks are expected; "
            f'use {INSTEAD[name]}, or move the data first, with x.to_backend("numpy")'
        )

    function.__name__ = function.__qualname__ = name
    return function


for _name in INSTEAD:
    FIX.replaces(f"dask.array.ma.{_name}")(_refusing(_name))
