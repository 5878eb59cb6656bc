"""Order statistics on a device, from values by rank and arithmetic: the 13 quantile methods of NumPy.

The positions are those of Hyndman & Fan 1996 ("Sample quantiles in statistical packages", The American
Statistician 50, 361-365) in the arithmetic of ``numpy.quantile``, so that values are equal to NumPy's. They are
worked out where the sample size is known: on the host for one size, on the device when each slice has lost
another number of elements.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from arrayshim import kernels
from arrayshim.kernels.generic import beside


@dataclass(frozen=True, slots=True)
class Method:
    """Where a quantile lies among `n` sorted values, and how its two neighbours are weighted."""

    position: Callable[[Any, Any], Any]
    weight: Callable[[Any, Any], Any] | None  # None: the position is an index, nothing is interpolated


def _fraction(gamma: Any, position: Any) -> Any:
    return gamma


def _continuous(alpha: float, beta: float) -> Method:
    return Method(lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1, _fraction)


def _to_boundary(position: Any, stay: Callable[[Any, Any], Any]) -> Any:
    below = np.floor(position)
    index = np.where(stay(position - below, below), below, below + 1).astype(np.intp)
    return np.where(index < 0, 0, index)


METHODS: dict[str, Method] = {
    "inverted_cdf": Method(lambda n, q: _to_boundary(n * q - 1, lambda gamma, _: gamma == 0), None),
    "averaged_inverted_cdf": Method(lambda n, q: n * q - 1, lambda gamma, _: np.where(gamma == 0, 0.5, 1.0)),
    "closest_observation": Method(
        lambda n, q: _to_boundary(n * q - 1 - 0.5, lambda gamma, below: (gamma == 0) & (below % 2 == 1)), None
    ),
    "interpolated_inverted_cdf": _continuous(0, 1),
    "hazen": _continuous(0.5, 0.5),
    "weibull": _continuous(0, 0),
    "linear": Method(lambda n, q: (n - 1) * q, _fraction),
    "median_unbiased": _continuous(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _continuous(3 / 8.0, 3 / 8.0),
    "lower": Method(lambda n, q: np.floor((n - 1) * q).astype(np.intp), None),
    "higher": Method(lambda n, q: np.ceil((n - 1) * q).astype(np.intp), None),
    "midpoint": Method(
        lambda n, q: 0.5 * (np.floor((n - 1) * q) + np.ceil((n - 1) * q)),
        lambda _, position: np.where(position % 1 == 0, 0.0, 0.5),
    ),
    "nearest": Method(lambda n, q: np.around((n - 1) * q).astype(np.intp), None),
}


def reduce_axes(
    a: Any,
    q: Any,
    axis: Any,
    method: str,
    keepdims: bool,
    weights: Any,
    *,
    weak: bool,
    absent: Any = None,
) -> Any:
    """Quantiles over axes.

    Parameters
    ----------
    a : array
        Real data.
    q : array or NumPy scalar
        In [0, 1].
    axis : int, tuple of int or None
    method : str
        A key of :data:`METHODS`.
    keepdims : bool
    weights : array_like or None
        Only with "inverted_cdf".
    weak : bool
        Whether `q` was a Python number, which has no say in the dtype of the result.
    absent : array of bool, optional
        Of the shape of `a`: what does not count. It must sort to the end.

    Returns
    -------
    array of the type of `a`, shape ``q.shape`` + the axes left
    """
    if a.dtype.kind == "c":
        raise TypeError("a must be an array of real numbers")
    if q.ndim > 2:
        raise ValueError("q must be a scalar or 1d")
    if method not in METHODS:
        raise ValueError(f"{method!r} is not a valid method. Use one of: {METHODS.keys()}")
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    left = tuple(n for i, n in enumerate(a.shape) if i not in axes)
    sample = merge_axes(a, axes, left)
    gone = None if absent is None else merge_axes(absent, axes, left)
    if not len(sample) and math.prod(q.shape + left):
        raise IndexError("cannot do a non-empty take from an empty axes.")
    if weights is None:
        result = _select(sample, q, METHODS[method], gone, weak=weak)
    elif method != "inverted_cdf":
        raise ValueError(f"Only method 'inverted_cdf' supports weights. Got: {method}.")
    else:
        wide = merge_axes(_broadcast_weights(beside(weights, a), a, None if axis is None else axes), axes, left)
        result = _select_weighted(sample, wide if gone is None else np.where(gone, 0, wide), q)
    result = result.reshape(q.shape + left)
    if a.dtype.kind == "f" and len(sample):
        if gone is None:
            spoilt = kernels.TABLES["nannumel"](sample, axis=0) < len(sample)
        else:
            spoilt = kernels.TABLES["any"](np.isnan(sample) & ~gone, axis=0)
        result = np.where(spoilt, np.nan, result).astype(result.dtype)
    if keepdims:
        result = result.reshape(q.shape + tuple(1 if i in axes else n for i, n in enumerate(a.shape)))
    return result


def merge_axes(a: Any, axes: tuple[int, ...], left: tuple[int, ...]) -> Any:
    """The array with `axes` as one axis, in front of the others, whose lengths are `left`."""
    return np.moveaxis(a, axes, range(len(axes))).reshape((math.prod(a.shape[i] for i in axes),) + left)


def _select(sample: Any, q: Any, rule: Method, gone: Any, *, weak: bool) -> Any:
    n: Any = len(sample)
    if gone is not None:
        q = beside(q, sample).reshape(q.shape + (1,) * (sample.ndim - 1))
        n = (n - kernels.TABLES["sum"](gone, axis=0)).astype(q.dtype)
    position = rule.position(n, q)
    if rule.weight is None or (rule is METHODS["linear"] and position.dtype.kind in "iu"):
        return _gather(sample, (position,), n)[0]
    below = np.floor(position)
    weight = rule.weight(position - below, position).astype(position.dtype)
    low, high = _gather(sample, (below, below + 1), n)
    return _interpolate(low, high, weight, n, weak=weak)


def _gather(sample: Any, indices: tuple[Any, ...], n: Any) -> list[Any]:
    """What lies at ranks, held within the first `n`; each of shape ``q.shape + sample.shape[1:]``."""
    held = [_held(index, n, sample.shape[1:]) for index in indices]
    found: list[Any] = kernels.TABLES["at_ranks"](sample, held, each=not isinstance(n, int))
    return found


def _held(index: Any, n: Any, rest: tuple[int, ...]) -> Any:
    last = n - 1
    if isinstance(index, np.ndarray | np.generic) and index.ndim == 0 and isinstance(n, int):
        return max(min(int(index), last), 0)
    index = np.where(index > last, last, index).astype(np.intp)
    index = np.where(index < 0, 0, index)
    return index if isinstance(n, int) else np.broadcast_to(index, index.shape[: index.ndim - len(rest)] + rest)


def _interpolate(low: Any, high: Any, weight: Any, n: Any, *, weak: bool) -> Any:
    step, right = high - low, 1 - weight
    if isinstance(weight, np.ndarray | np.generic) and weight.ndim == 0 and weak:
        return high - step * float(right) if float(weight) >= 0.5 else low + step * float(weight)
    if isinstance(n, int):
        shape = weight.shape + (1,) * (low.ndim - weight.ndim)
        weight, right = (beside(w.reshape(shape), low) for w in (weight, right))
    elif weak and low.dtype.kind == "f":
        weight, right = weight.astype(low.dtype), right.astype(low.dtype)
    return np.where(weight >= 0.5, high - step * right, low + step * weight)


def _broadcast_weights(weights: Any, a: Any, axes: tuple[int, ...] | None) -> Any:
    """Weights in the shape of the data, with the errors of ``numpy.quantile``."""
    if weights.shape == a.shape:
        return weights
    if axes is None:
        raise TypeError("Axis must be specified when shapes of a and weights differ.")
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError("Shape of weights must be consistent with shape of a along specified axis.")
    order = sorted(range(len(axes)), key=axes.__getitem__)
    wide = weights.transpose(order).reshape(tuple(n if i in axes else 1 for i, n in enumerate(a.shape)))
    return np.broadcast_to(wide, a.shape)


def _select_weighted(sample: Any, weights: Any, q: Any) -> Any:
    order = np.argsort(sample, axis=0)
    ranked, weights = np.take_along_axis(sample, order, axis=0), np.take_along_axis(weights, order, axis=0)
    cdf = np.cumsum(weights, axis=0, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        cdf = cdf / cdf[-1]
    if q.dtype.kind == "f":
        cdf = cdf.astype(q.dtype)
    # Leading zero weights must not be found by q = 0.
    cdf = np.where(cdf == 0, -1, cdf)
    found = []
    for each in q.reshape(-1):
        # The number of smaller ones is where numpy.searchsorted would insert it.
        index = (cdf < (each.item() if isinstance(each, np.generic) else each)).sum(axis=0, keepdims=True)
        last = len(ranked) - 1
        found.append(np.take_along_axis(ranked, np.where(index > last, last, index), axis=0)[0])
    return np.stack(found)
