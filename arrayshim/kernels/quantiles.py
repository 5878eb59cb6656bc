"""Quantiles of any array that can be sorted and indexed, with and without NaN, by all 13 methods of NumPy."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from arrayshim.kernels.order_statistics import reduce_axes

_OUT_OF_RANGE = {
    1: "Quantiles must be in the range [0, 1]",
    100: "Percentiles must be in the range [0, 100]",
}


Reduce = Callable[[Any, Any, Any, Any, str, bool, Any], Any]


def like_numpys(name: str, reduce: Reduce, doc: str | None = None) -> Callable[..., Any]:
    """A kernel with the signature of :func:`numpy.quantile`.

    Parameters
    ----------
    name : str
        Of the kernel.
    reduce : callable
        Called with a, q, axis, out, method, keepdims, weights.
    doc : str, optional
    """

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
        return reduce(a, q, axis, out, method, keepdims, weights)

    quantile.__name__ = quantile.__qualname__ = name
    quantile.__module__ = reduce.__module__
    quantile.__doc__ = doc
    return quantile


def _reducer(top: int, *, skip_nan: bool) -> Reduce:
    def reduce(a: Any, q: Any, axis: Any, out: Any, method: str, keepdims: bool, weights: Any) -> Any:
        q, weak = prepared(a, q, top)
        if skip_nan and a.size == 0:
            return np.nanmean(a, axis=axis, keepdims=keepdims)
        absent = np.isnan(a) if skip_nan and a.dtype.kind == "f" else None
        result = reduce_axes(a, q, axis, method, keepdims, weights, weak=weak, absent=absent)
        if out is None:
            return result
        out[...] = result
        return out

    return reduce


quantile: Callable[..., Any] = like_numpys(
    "quantile",
    _reducer(1, skip_nan=False),
    """``numpy.quantile`` for any array that can be sorted and indexed.

    Parameters
    ----------
    a : array
        Real data.
    q : scalar, sequence or array
        In [0, 1]. Host data are checked; an array on a device is not, since to look at it costs a transfer.
    axis, out, overwrite_input, method, keepdims, weights
        As in :func:`numpy.quantile`; `weights` may be host data.

    Returns
    -------
    array of the type of `a`, shape ``q.shape`` + the axes left

    Raises
    ------
    ValueError
        If host `q` is out of range or NaN, or the method unknown.
    """,
)
nanquantile: Callable[..., Any] = like_numpys(
    "nanquantile",
    _reducer(1, skip_nan=True),
    """:func:`quantile` of what is not NaN; NaN where nothing is left (without NumPy's warning).""",
)
percentile: Callable[..., Any] = like_numpys(
    "percentile", _reducer(100, skip_nan=False), """:func:`quantile` with `q` in [0, 100]."""
)
nanpercentile: Callable[..., Any] = like_numpys(
    "nanpercentile", _reducer(100, skip_nan=True), """:func:`nanquantile` with `q` in [0, 100]."""
)


def chunk_percentile(a: Any, q: Any, method: str = "linear") -> tuple[Any, int]:
    """What dask asks of one chunk of a 1-d array for a percentile over many chunks.

    Parameters
    ----------
    a : array, 1-d
    q : array_like, 1-d
        In [0, 100]. Host data are checked; an array on a device, as dask sends it to each chunk, is not, since
        to look at it costs a transfer per chunk.
    method : str
        Data that are no numbers get "nearest", as in dask.

    Returns
    -------
    values : array of the type of `a` or None
        None for an empty chunk.
    n : int
        Length of the chunk.

    Raises
    ------
    ValueError
        If host `q` is out of range or NaN.
    """
    n = len(a)
    if not n:
        return None, 0
    if a.dtype.kind in "mM":
        values, _ = chunk_percentile(a.view(np.int64), q, method)
        return values.astype(a.dtype), n
    return percentile(a, q, method=method if np.issubdtype(a.dtype, np.number) else "nearest"), n


def check_range(q: Any, top: int, *, on_device: bool = False) -> None:
    """Refuse quantiles that are out of range or NaN, in NumPy's words.

    Parameters
    ----------
    q : scalar, sequence or array
    top : int
        1 or 100.
    on_device : bool
        Whether to look at arrays that are not NumPy's too, which costs a synchronisation.

    Raises
    ------
    ValueError
        If an element is not in [0, top].
    """
    if not hasattr(q, "dtype"):
        q = np.asarray(q)
    if (on_device or isinstance(q, np.ndarray | np.generic)) and not bool(((q >= 0) & (q <= top)).all()):
        raise ValueError(_OUT_OF_RANGE[top])


@cache
def _asks_the_data() -> bool:
    """Whether this NumPy divides by 100 in the precision of the data, as it did once, or in that of `q`."""
    # In float32 a tenth is not quite a tenth.
    return bool(np.percentile(np.array([0.0, 1e8]), np.array([10], dtype=np.float32))[0] == 1e7)


def prepared(a: Any, q: Any, top: int) -> tuple[Any, bool]:
    """`q` as an array in [0, 1], and whether it was a Python number, as ``numpy.quantile`` sees them.

    Parameters
    ----------
    a : array
        The data, whose precision that of a percentile follows.
    q : scalar, sequence or array
    top : int
        What `q` is a fraction of: 1 or 100.

    Raises
    ------
    ValueError
        If host `q` is out of range.
    """
    check_range(q, top)
    weak = type(q) in (int, float)
    if top != 1:
        return np.true_divide(q, a.dtype.type(top) if a.dtype.kind == "f" and _asks_the_data() else top), weak
    q = q if hasattr(q, "dtype") else np.asarray(q)
    # As an index, and as the dtype of a count, a bool would be something else than the number.
    return (q.astype(np.intp) if q.dtype.kind == "b" else q), weak
