"""Quantiles of any array that can be sorted and indexed, with and without NaN, by all 13 methods of NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.kernels.order_statistics import reduce_axes


def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    """``numpy.quantile`` for any array that can be sorted and indexed.

    Parameters
    ----------
    a : array
        Real data.
    q : scalar, sequence or array
        In [0, 1], which is not checked here: to look at a device array costs a transfer.
    axis, out, overwrite_input, method, keepdims, weights
        As in :func:`numpy.quantile`; `weights` may be host data.

    Returns
    -------
    array of the type of `a`, shape ``q.shape`` + the axes left
    """
    return _reduce(a, q, None, axis, out, method, keepdims, weights, skip_nan=False)


def nanquantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    """:func:`quantile` of what is not NaN; NaN where nothing is left (without NumPy's warning)."""
    if a.size == 0:
        return np.nanmean(a, axis=axis, keepdims=keepdims)
    return _reduce(a, q, None, axis, out, method, keepdims, weights, skip_nan=True)


def percentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    """:func:`quantile` with `q` in [0, 100]."""
    return _reduce(a, q, 100, axis, out, method, keepdims, weights, skip_nan=False)


def nanpercentile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    weights: Any = None,
) -> Any:
    """:func:`nanquantile` with `q` in [0, 100]."""
    if a.size == 0:
        return np.nanmean(a, axis=axis, keepdims=keepdims)
    return _reduce(a, q, 100, axis, out, method, keepdims, weights, skip_nan=True)


def chunk_percentile(a: Any, q: Any, method: str = "linear") -> tuple[Any, int]:
    """What dask asks of one chunk of a 1-d array for a percentile over many chunks.

    Parameters
    ----------
    a : array, 1-d
    q : array_like, 1-d
        In [0, 100].
    method : str
        Data that are no numbers get "nearest", as in dask.

    Returns
    -------
    values : array of the type of `a` or None
        None for an empty chunk.
    n : int
        Length of the chunk.
    """
    n = len(a)
    if not n:
        return None, 0
    if a.dtype.kind in "mM":
        values, _ = chunk_percentile(a.view(np.int64), q, method)
        return values.astype(a.dtype), n
    return percentile(a, q, method=method if np.issubdtype(a.dtype, np.number) else "nearest"), n


def prepared(a: Any, q: Any, top: int | None) -> tuple[Any, bool]:
    """`q` as an array in [0, 1], and whether it was a Python number, as ``numpy.quantile`` sees them.

    Parameters
    ----------
    a : array
        The data, whose precision that of a percentile follows.
    q : scalar, sequence or array
    top : int or None
        What `q` is a fraction of; None if of 1.
    """
    weak = type(q) in (int, float)
    if top is not None:
        q = np.true_divide(q, a.dtype.type(top) if a.dtype.kind == "f" else top)
    return (q if hasattr(q, "dtype") else np.asarray(q)), weak


def _reduce(
    a: Any,
    q: Any,
    top: int | None,
    axis: Any,
    out: Any,
    method: str,
    keepdims: bool,
    weights: Any,
    *,
    skip_nan: bool,
) -> Any:
    q, weak = prepared(a, q, top)
    absent = np.isnan(a) if skip_nan and a.dtype.kind == "f" else None
    result = reduce_axes(a, q, axis, method, keepdims, weights, weak=weak, absent=absent)
    if out is None:
        return result
    out[...] = result
    return out
