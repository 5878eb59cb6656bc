"""CuPy's reductions that leave NaN out, on host values."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy

from .reduce import argmax, argmin, cumprod, cumsum, finish, locate, mean, normalize_axes, prod, std, sum, var

np: Any = numpy


def _nan_position(best: Any, plain: Callable[..., Any]) -> Callable[..., Any]:
    def find(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        if a.dtype.kind in "biu":
            return plain(a, axis, dtype, out, keepdims)

        def place(values: Any, axis: Any = None, keepdims: bool = False) -> Any:
            number = ~np.isnan(values)
            extreme = best.reduce(values, axis=axis, keepdims=True)
            where = np.argmax(number & (values == extreme), axis=axis, keepdims=True)
            # no number at all: CuPy's index is -1, NumPy raises
            where = np.where(number.any(axis=axis, keepdims=True), where, -1)
            return where if keepdims else np.squeeze(where, axis=axis)

        return locate(place, a, axis, dtype, out, keepdims)

    return find


nanargmax = _nan_position(np.fmax, argmax)
nanargmin = _nan_position(np.fmin, argmin)


def without_nan(a: Any, value: float) -> Any:
    """`a` with NaN replaced; each part of a complex number for itself, as in CuPy."""
    if a.dtype.kind == "c":
        result = np.empty_like(a)
        result.real, result.imag = without_nan(a.real, value), without_nan(a.imag, value)
        return result
    return np.where(np.isnan(a), a.dtype.type(value), a) if a.dtype.kind == "f" else a


def nansum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.nansum``."""
    return sum(without_nan(a, 0), axis, dtype, out, keepdims)


def nanprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.nanprod``."""
    return prod(without_nan(a, 1), axis, dtype, out, keepdims)


def _nan_extreme(ufunc: Any) -> Callable[..., Any]:
    def reduce(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
        result = finish(ufunc.reduce(a, axis=normalize_axes(axis, a.ndim), keepdims=keepdims), out)
        if np.isnan(result).any():
            warnings.warn("All-NaN slice encountered", RuntimeWarning, stacklevel=2)
        return result

    return reduce


nanmax = _nan_extreme(np.fmax)
nanmin = _nan_extreme(np.fmin)


def nanmean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.nanmean``."""
    if a.dtype.kind in "biu":
        return mean(a, axis, dtype, out, keepdims)
    axes = normalize_axes(axis, a.ndim)
    known = ~np.isnan(a)
    final = np.dtype(dtype if dtype is not None else a.dtype)
    working = np.dtype(np.float32) if final == np.float16 else final
    total = np.add.reduce(np.where(known, a, 0), axis=axes, dtype=working, keepdims=keepdims)
    count = np.add.reduce(known, axis=axes, dtype=np.int64, keepdims=keepdims)
    return finish(np.divide(total, count), out, final)


def nanvar(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """``cupy.nanvar``; where the degrees of freedom run out it divides by zero (inf or NaN), NumPy gives NaN."""
    if a.dtype.kind in "biu":
        return var(a, axis, dtype, out, ddof, keepdims)
    axes = normalize_axes(axis, a.ndim)
    known = ~np.isnan(a)
    count = np.add.reduce(known, axis=axes, dtype=np.int64, keepdims=True)
    filled = np.where(known, a, 0)
    working = np.dtype(np.float32) if a.dtype == np.float16 else a.dtype
    centre = np.divide(np.add.reduce(filled, axis=axes, dtype=working, keepdims=True), count)
    difference = np.where(known, filled - centre, 0)
    freedom = np.maximum(count - int(ddof), 0)
    squares = (difference * difference.conj()).real / freedom
    result = np.add.reduce(squares, axis=axes, keepdims=keepdims)
    return finish(result, out, None if out is not None else np.dtype(a.dtype.char.lower()))


def nanstd(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """``cupy.nanstd``."""
    if a.dtype.kind in "biu":
        return std(a, axis, dtype, out, ddof, keepdims)
    return finish(np.sqrt(nanvar(a, axis, dtype, None, ddof, keepdims)), out, None if out is not None else dtype)


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """``cupy.nancumsum``."""
    return cumsum(without_nan(a, 0), axis, dtype, out)


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """``cupy.nancumprod``."""
    return cumprod(without_nan(a, 1), axis, dtype, out)
