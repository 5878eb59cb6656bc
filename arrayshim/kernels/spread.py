"""Variance of what is not NaN, where the libraries' own functions differ from NumPy's.

CuPy's ``nanvar`` overlooks `dtype`, takes `ddof` for an integer, and divides by zero where no degree of freedom
is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def _spread(name: str) -> Callable[..., Any]:
    own = getattr(np, name)

    def reduce(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, **kwargs: Any) -> Any:
        # The library's own function is right, and the fastest, where nothing special is asked.
        special = dtype is not None or ddof or not getattr(a, "size", 1)
        if not special or not set(kwargs) <= {"keepdims"} or getattr(a, "dtype", np.dtype(int)).kind not in "fc":
            given = {"dtype": dtype, "out": out, **kwargs}
            return own(a, axis=axis, ddof=ddof, **{key: value for key, value in given.items() if value is not None})
        if dtype is not None:
            if np.dtype(dtype).kind not in "fc":
                raise TypeError("If a is inexact, then dtype must be inexact")
            # Of complex data a real dtype is the precision, not an order to drop the imaginary part.
            a = a.astype(np.result_type(dtype, np.complex64) if a.dtype.kind == "c" else dtype)
        return _written(_exact(a, axis, ddof, kwargs.get("keepdims", False)), out, root=name == "nanstd")

    reduce.__name__ = reduce.__qualname__ = name
    reduce.__doc__ = f"``numpy.{name}``: NaN, without NumPy's warning, where no degree of freedom is left."
    return reduce


def _exact(a: Any, axis: Any, ddof: float, keepdims: bool) -> Any:
    """Two passes, the divisor being the number of values that are not NaN less `ddof`."""
    known = ~np.isnan(a)
    count = known.sum(axis=axis, keepdims=True)
    filled = np.where(known, a, 0).astype(a.dtype)
    with np.errstate(divide="ignore", invalid="ignore"):
        centre = (filled.sum(axis=axis, keepdims=True) / count).astype(a.dtype)
        away = abs(np.where(known, filled - centre, 0))
        freedom = known.sum(axis=axis, keepdims=keepdims) - ddof
        total = (away * away).sum(axis=axis, keepdims=keepdims)
        return np.where(freedom > 0, total / freedom, np.nan).astype(total.dtype)


def _written(result: Any, out: Any, *, root: bool) -> Any:
    result = np.sqrt(result) if root else result
    if out is None:
        return result
    out[...] = result
    return out


nanvar = _spread("nanvar")
nanstd = _spread("nanstd")
