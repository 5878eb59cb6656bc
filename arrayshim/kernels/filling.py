"""Filling what is missing, on any array that can be sorted and indexed."""

from __future__ import annotations

from typing import Any

import numpy as np


def push(a: Any, axis: int) -> Any:
    """The last value that is not NaN, up to each place along an axis; NaN before the first.

    Parameters
    ----------
    a : array
    axis : int

    Returns
    -------
    array of the type, shape and dtype of `a`
    """
    if a.dtype.kind not in "fc" or not a.size:
        return a.copy()
    missing = np.isnan(a)
    # False sorts before True, and stably: what is there comes first, in its order, and a count tells which is last.
    packed = np.take_along_axis(a, np.argsort(missing.astype(np.int8), axis=axis, kind="stable"), axis=axis)
    count = np.cumsum(~missing, axis=axis, dtype=np.intp)
    found = np.take_along_axis(packed, np.maximum(count - 1, 0), axis=axis)
    return np.where(count > 0, found, a)
