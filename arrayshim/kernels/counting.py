"""Counts and norms of any array with NEP-18."""

from __future__ import annotations

from typing import Any

import numpy as np


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """How many elements are not zero, over axes; CuPy's function of that name lacks `keepdims`."""
    return np.sum(a != 0, axis=axis, keepdims=keepdims, dtype=np.int64)


def nannumel(x: Any, axis: Any = None, *, keepdims: bool = False, dtype: Any = None) -> Any:
    """How many elements are not NaN, over axes."""
    return np.sum(~np.isnan(x), axis=axis, keepdims=keepdims, dtype=dtype)


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """``numpy.linalg.norm`` of the array's own library."""
    return np.linalg.norm(x, ord=ord, axis=axis, keepdims=keepdims)
