"""Kernels for any array with NEP-18: right wherever the data lie, and never a conversion to NumPy."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

_NUMPY_DEFAULTS = {"order": "K", "casting": "safe"}


def has_nep18(x: Any) -> bool:
    """Whether the type of `x` takes part in ``__array_function__``."""
    return hasattr(type(x), "__array_function__")


def beside(x: Any, like: Any) -> Any:
    """Put `x` where `like` is.

    Parameters
    ----------
    x : array_like
        Host data (scalar, sequence, ndarray), or an array of the type of `like`, which is returned as it is.
    like : array
        Any array. With NEP-18 the library makes its own array (NEP-35); an ndarray subclass views the data;
        a type without NEP-18, such as a scipy.sparse matrix, is called with the data.

    Returns
    -------
    array of the type of `like`
    """
    kind = type(like)
    if isinstance(x, kind):
        return x
    if isinstance(like, np.ndarray):
        return np.asarray(x) if kind is np.ndarray else np.asarray(x).view(kind)
    if has_nep18(like):
        return np.asarray(x, like=like)
    return kind(x)


def numel(
    x: Any, *, axis: int | Sequence[int] | None = None, keepdims: bool | None = False, dtype: Any = np.float64
) -> Any:
    """Count elements along axes.

    Parameters
    ----------
    x : array
        Only its shape and its type are looked at.
    axis : int, sequence of int or None
        Axes to count over; None means all.
    keepdims : bool
        Whether the counted axes stay with length one.
    dtype : dtype
        Of the result.

    Returns
    -------
    array of the type of `x`, filled with one number; an ndarray where `x` has no NEP-18 (as dask has it for
    scipy.sparse); a NumPy scalar for ``axis=None, keepdims=False``
    """
    return _count(x, axis, keepdims, dtype, on_device=has_nep18(x))


def numel_host(
    x: Any, *, axis: int | Sequence[int] | None = None, keepdims: bool | None = False, dtype: Any = np.float64
) -> Any:
    """:func:`numel` whose result is an ndarray whatever the type of `x`."""
    return _count(x, axis, keepdims, dtype, on_device=False)


def _count(x: Any, axis: Any, keepdims: bool | None, dtype: Any, *, on_device: bool) -> Any:
    shape = x.shape
    if axis is None and not keepdims:
        return np.prod(shape, dtype=dtype)
    axes = normalize_axis_tuple(range(len(shape)) if axis is None else axis, len(shape))
    count = math.prod(shape[i] for i in axes)
    if keepdims:
        left = tuple(1 if i in axes else n for i, n in enumerate(shape))
    else:
        left = tuple(n for i, n in enumerate(shape) if i not in axes)
    if on_device:
        return np.full_like(x, count, shape=left, dtype=dtype)
    return np.broadcast_to(np.array(count, dtype=dtype), left)


def running_sum(x: Any) -> Any:
    """Sums of the first elements of a 1-d array, added up from left to right in its dtype; as the library has it."""
    return np.cumsum(x)


def divide(a: Any, b: Any, dtype: Any = None) -> Any:
    """``a / b`` by the arrays' own ufunc, in `dtype` if given."""
    return np.divide(a, b) if dtype is None else np.divide(a, b, dtype=dtype)


def einsum(subscripts: str, *operands: Any, dtype: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    """Einstein summation by the operands' own library.

    Parameters
    ----------
    subscripts : str
    *operands : array
    dtype : dtype, optional
    optimize : bool or str or list
        As in :func:`numpy.einsum`.
    **kwargs
        ``casting`` is applied here and not passed on, since no library but NumPy's einsum has it. ``order`` is passed
        on only when it differs from NumPy's default.

    Raises
    ------
    TypeError
        An operand cannot be cast to `dtype` by the rule `casting` (by default ``safe``).
    """
    given = {key: value for key, value in kwargs.items() if _NUMPY_DEFAULTS.get(key, ...) != value}
    casting = given.pop("casting", _NUMPY_DEFAULTS["casting"])
    if dtype is not None:
        given["dtype"] = dtype
        operands = cast_operands(operands, dtype, casting)
    return np.einsum(subscripts, *operands, optimize=optimize, **given)


def cast_operands(operands: Iterable[Any], dtype: Any, casting: Any) -> tuple[Any, ...]:
    """Operands of einsum in a dtype, as far as the rule lets them; else the TypeError of :func:`einsum`."""
    return tuple(_cast(operand, dtype, casting) for operand in operands)


def _cast(operand: Any, dtype: Any, casting: Any) -> Any:
    found = getattr(operand, "dtype", None)
    if found is None or found == dtype:
        return operand
    if not np.can_cast(found, dtype, casting):
        raise TypeError(f"einsum cannot cast an operand from {found} to {np.dtype(dtype)} by the rule {casting!r}")
    return operand.astype(dtype)


def empty(shape: Any, dtype: Any = float, *, like: Any) -> Any:
    """An uninitialised array of the type of `like`.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype
    like : array or array type
        A type is called as ``like(shape=..., dtype=...)``, as dask does.
    """
    if isinstance(like, type):
        return like(shape=(shape,) if isinstance(shape, int) else tuple(shape), dtype=dtype)
    if has_nep18(like) and not isinstance(like, np.ndarray):
        return np.empty(shape, dtype=dtype, like=like)
    return beside(np.empty(shape, dtype=dtype), like)


def take(a: Any, indices: Any, axis: int | None = None, **kwargs: Any) -> Any:
    """``np.take`` with the indices put beside the data."""
    return np.take(a, beside(indices, a) if has_nep18(a) else indices, axis=axis, **kwargs)


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """``np.tensordot`` by the operands' own library."""
    return np.tensordot(a, b, axes=axes)


def average(a: Any, axis: Any = None, weights: Any = None, **kwargs: Any) -> Any:
    """``np.average`` with the weights put beside the data."""
    if weights is not None:
        kwargs["weights"] = beside(weights, a)
    return np.average(a, axis=axis, **kwargs)


def moment(a: Any, order: int, axis: Any = None, dtype: Any = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """Central moment, as dask defines it.

    Parameters
    ----------
    a : array
    order : int
        At least 0; the moments of order 0 and 1 are 1 and 0 by definition, in float64.
    axis : int, tuple of int or None
    dtype : dtype, optional
        To compute in; that of ``np.var`` if not given.
    keepdims : bool
    ddof : float
        The divisor is the number of elements less `ddof`; NaN where that is negative.

    Returns
    -------
    array

    Raises
    ------
    ValueError
        If `order` is no integer or negative, as in dask.

    Notes
    -----
    Two passes: the mean first, then powers of the differences from it (Chan, Golub & LeVeque 1983, "Algorithms
    for computing the sample variance"; for arbitrary order Pebay 2008, SAND2008-6212). Complex data give the
    moments of the absolute differences, as in dask.
    """
    from arrayshim import kernels

    if not isinstance(order, Integral) or order < 0:
        raise ValueError(f"Order must be an integer >= 0, got {order!r}")
    if order < 2:
        like = np.sum(a, axis=axis, keepdims=keepdims)
        return np.full_like(like, 1.0 if order == 0 else 0.0, dtype=np.float64)
    dt = np.var(np.ones(1, dtype=a.dtype)).dtype if dtype is None else np.dtype(dtype)
    implicit = dtype is None and a.dtype.kind == "c"
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    n = kernels.TABLES["numel"](a, axis=axes, keepdims=True, dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        d = a - np.sum(a, axis=axes, dtype=None if implicit else dt, keepdims=True) / n
        if a.dtype.kind == "c":
            d = abs(d)
        total = np.sum(d**order, axis=axes, dtype=dt, keepdims=True)
        divisor = n - ddof
        result = kernels.TABLES["divide"](total, np.where(divisor < 0, np.nan, divisor), dtype=dt)
    return result if keepdims else result.reshape(tuple(n for i, n in enumerate(a.shape) if i not in axes))
