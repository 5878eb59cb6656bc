"""Masked arrays, where NumPy's functions of the same name look under the mask."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim.kernels.order_statistics import reduce_axes
from arrayshim.kernels.quantiles import Reduce, like_numpys, prepared


def numel(x: Any, **kwargs: Any) -> Any:
    """Count what is not masked, as dask does."""
    return np.sum(np.ones_like(x), **kwargs)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """Range of what is not masked; ``np.ptp`` takes the masked values in."""
    result = np.max(a, axis=axis, keepdims=keepdims) - np.min(a, axis=axis, keepdims=keepdims)
    return _written(result, out)


def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """Median of what is neither masked nor NaN."""
    return np.ma.median(np.ma.masked_invalid(a), axis=axis, out=out, keepdims=keepdims)  # type: ignore[no-untyped-call]


def _written(result: Any, out: Any) -> Any:
    if out is None:
        return result
    out[...] = result
    return out


def _reducer(top: int, *, skip_nan: bool) -> Reduce:
    def reduce(a: Any, q: Any, axis: Any, out: Any, method: str, keepdims: bool, weights: Any) -> Any:
        q, weak = prepared(a, q, top)
        data, absent = np.ma.getdata(a), np.ma.getmaskarray(a)
        if data.dtype.kind == "f":
            last: Any = np.nan
            absent = absent | np.isnan(data) if skip_nan else absent
        else:
            last = True if data.dtype.kind == "b" else np.iinfo(data.dtype).max
        data = np.where(absent, np.asarray(last, dtype=data.dtype), data)
        weights = None if weights is None else np.ma.getdata(weights)
        result = reduce_axes(data, q, axis, method, keepdims, weights, weak=weak, absent=absent)
        empty = np.broadcast_to(absent.all(axis=axis, keepdims=keepdims), result.shape)
        if result.ndim == 0:
            return _written(np.ma.masked if empty else result[()], out)
        return _written(np.ma.array(result, mask=empty), out)

    return reduce


_ROWS: dict[str, Any] = {
    "numel": numel,
    "ptp": ptp,
    "average": np.ma.average,
    "median": np.ma.median,
    "nanmedian": nanmedian,
    "quantile": like_numpys("quantile", _reducer(1, skip_nan=False)),
    "nanquantile": like_numpys("nanquantile", _reducer(1, skip_nan=True)),
    "percentile": like_numpys("percentile", _reducer(100, skip_nan=False)),
    "nanpercentile": like_numpys("nanpercentile", _reducer(100, skip_nan=True)),
}

for _name, _func in _ROWS.items():
    kernels.TABLES[_name].add(np.ma.MaskedArray, _func)
