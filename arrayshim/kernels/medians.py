"""The median, also of nothing, and that of what is not NaN, from two values by rank."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from arrayshim import kernels
from arrayshim.kernels.order_statistics import merge_axes


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """``numpy.median`` of the array's own library, and NaN where it would look for the middle of nothing.

    Parameters
    ----------
    a : array
    axis : int, tuple of int or None
    out : array, optional
    overwrite_input : bool
        Makes no difference.
    keepdims : bool

    Returns
    -------
    array of the type of `a`
    """
    of_some = np.median if getattr(a, "size", 1) else np.mean
    return of_some(a, axis=axis, out=out, keepdims=keepdims)


def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """``numpy.nanmedian`` for any array that can be sorted and indexed.

    Parameters as of :func:`median`.

    Returns
    -------
    array of the type of `a`
        NaN, without NumPy's warning, where nothing is left: to know it, a result would have to leave the device.
    """
    if a.dtype.kind not in "fc":
        return median(a, axis=axis, out=out, keepdims=keepdims)
    if not a.size:
        return np.nanmean(a, axis=axis, out=out, keepdims=keepdims)
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    left = tuple(n for i, n in enumerate(a.shape) if i not in axes)
    sample = merge_axes(a, axes, left)
    count = kernels.TABLES["nannumel"](sample, axis=0)
    low, high = kernels.TABLES["at_ranks"](sample, (np.maximum(count - 1, 0) // 2, count // 2), each=True)
    # As the mean of one number is that number, however large; of two halves it is wider, as in NumPy.
    wide = np.dtype(np.float32) if a.dtype == np.float16 else a.dtype
    between = (low.astype(wide) + high.astype(wide)) / wide.type(2)
    result = np.where(count % 2 == 1, low, between.astype(a.dtype))
    result = result.reshape(tuple(1 if i in axes else n for i, n in enumerate(a.shape)) if keepdims else left)
    if out is None:
        return result
    out[...] = result
    return out
