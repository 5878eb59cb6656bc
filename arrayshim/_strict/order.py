"""CuPy's medians and quantiles on host values: sorted whole, NaN last."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy

from .reduce import finish, mean, normalize_axes

np: Any = numpy


def _last(a: Any, axes: tuple[int, ...]) -> Any:
    """`a` with the reduced axes merged into one, last."""
    rest = tuple(i for i in range(a.ndim) if i not in axes)
    return a.transpose(rest + axes).reshape(*(a.shape[i] for i in rest), int(np.prod([a.shape[i] for i in axes])))


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """``cupy.median``; NaN is passed on, an empty axis raises."""
    axes = normalize_axes(axis, a.ndim)
    ordered = np.sort(_last(a, axes), axis=-1)
    size = ordered.shape[-1]
    if size == 0:
        raise ValueError("kth(=-1) out of bounds 0")
    middle = ordered[..., size // 2 - 1 + size % 2 : size // 2 + 1]
    result = mean(middle, -1)
    if a.dtype.kind in "fc":
        result = np.where(np.isnan(ordered).any(axis=-1), result.dtype.type(np.nan), result)
    result = np.expand_dims(result, axes) if keepdims else result
    return finish(result, out)


def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """``cupy.nanmedian``; NaN, without a warning, where there is no number. It puts NaN before infinity."""
    if a.dtype.kind in "biu":
        return median(a, axis, out, overwrite_input, keepdims)
    axes = normalize_axes(axis, a.ndim)
    values = _last(a, axes)
    count = np.count_nonzero(~np.isnan(values), axis=-1)
    ordered = np.sort(np.where(np.isnan(values), np.finfo(a.dtype).max, values), axis=-1)
    padded = np.concatenate([ordered, np.full((*ordered.shape[:-1], 1), np.nan, a.dtype)], axis=-1)
    low = np.take_along_axis(padded, np.maximum((count - 1) // 2, 0)[..., None], axis=-1)
    high = np.take_along_axis(padded, (count // 2)[..., None], axis=-1)
    low, high = low[..., 0], high[..., 0]
    result = np.where(count % 2 == 1, low, (low + high) / a.dtype.type(2))
    result = np.where(count > 0, result, a.dtype.type(np.nan))
    result = np.expand_dims(result, axes) if keepdims else result
    return finish(result, out, None if out is not None else a.dtype)


_UNSUPPORTED_METHODS = frozenset(
    ("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf")
    + ("hazen", "weibull", "median_unbiased", "normal_unbiased")
)
_POSITIONS: dict[str, Callable[[Any], Any]] = {
    "linear": lambda p: p,
    "midpoint": lambda p: 0.5 * (np.floor(p) + np.ceil(p)),
    "lower": lambda p: np.floor(p).astype(np.int32),
    "higher": lambda p: np.ceil(p).astype(np.int32),
    "nearest": lambda p: np.around(p).astype(np.int32),
}


def _quantile(a: Any, q: Any, axis: Any, out: Any, method: str, keepdims: bool) -> Any:
    """CuPy's algorithm: sort (NaN last, and not passed on), then interpolate between neighbours."""
    final = np.result_type(a, q)
    places = np.atleast_1d(np.asarray(q))
    if places.ndim > 1:
        raise ValueError(f"Expected q to have a dimension of 1.\nActual: {places.ndim} != 1")
    if method in _UNSUPPORTED_METHODS:
        raise ValueError(f"'{method}' method is not yet supported. Please use any other method.")
    if method not in _POSITIONS:
        raise ValueError(f"Unexpected interpolation method.\nActual: '{method}' not in {tuple(_POSITIONS)}")
    axes = normalize_axes(axis, a.ndim)
    ordered = np.sort(_last(a, axes), axis=-1)
    position = _POSITIONS[method](places * (ordered.shape[-1] - 1.0))
    if position.dtype == np.int32:
        result = np.take(ordered, position, axis=-1, mode="wrap")
    else:
        below = np.floor(position).astype(np.int64)
        weight = (position - below).astype(final)
        low = np.take(ordered, below, axis=-1, mode="clip").astype(final)
        high = np.take(ordered, below + 1, axis=-1, mode="clip").astype(final)
        result = np.where(weight < 0.5, low + (high - low) * weight, high - (high - low) * (1 - weight)).astype(final)
    result = np.moveaxis(result, -1, 0)
    if keepdims:
        result = result.reshape(-1, *(1 if i in axes else n for i, n in enumerate(a.shape)))
    if np.ndim(q) == 0:
        result = result[0]
    return finish(result, out)


def quantile(
    a: Any,
    q: Any,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    method: str = "linear",
    keepdims: bool = False,
    *,
    interpolation: str | None = None,
) -> Any:
    """``cupy.quantile``."""
    if interpolation is not None:
        warnings.warn("the `interpolation=` argument was renamed to `method=`", DeprecationWarning, stacklevel=3)
        if method != "linear":
            raise TypeError("both `method` and `interpolation` found: one was expected -> give `method` alone")
        method = interpolation
    if isinstance(q, (tuple, list)):
        q = np.asarray(q)
    if not (np.count_nonzero(q >= 0.0) and np.count_nonzero(q <= 1.0)):
        raise ValueError("Quantiles must be in the range [0, 1]")
    return _quantile(a, q, axis, out, method, keepdims)


def percentile(a: Any, q: Any, *args: Any, **kwargs: Any) -> Any:
    """``cupy.percentile``."""
    return quantile(a, (np.asarray(q) if isinstance(q, (tuple, list)) else q) / 100, *args, **kwargs)
