"""CuPy functions that are NumPy's with a difference; each takes unwrapped host values and has CuPy's parameters."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from . import binning, items, nans, order, products, reduce
from .rules import public_functions

np: Any = numpy


def diff(a: Any, n: int = 1, axis: int = -1, prepend: Any = None, append: Any = None) -> Any:
    """``cupy.diff``."""
    if n == 0:
        return a
    given = {k: v for k, v in (("prepend", prepend), ("append", append)) if v is not None}
    return np.diff(a, n, axis, **given)


def ediff1d(arr: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """``cupy.ediff1d``."""
    return np.ediff1d(arr, to_end, to_begin)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """``cupy.gradient``: an array, or a list of them."""
    if any(isinstance(spacing, (list, tuple)) for spacing in varargs):
        raise AttributeError("'list' object has no attribute 'dtype'")
    result = np.gradient(f, *varargs, axis=axis, edge_order=edge_order)
    return list(result) if isinstance(result, (list, tuple)) else result


def trim_zeros(filt: Any, trim: str = "fb") -> Any:
    """``cupy.trim_zeros``."""
    if filt.ndim > 1:
        raise NotImplementedError("Multi-dimensional trim is not supported")
    return np.trim_zeros(filt, trim) if filt.ndim else filt


def diag(v: Any, k: int = 0) -> Any:
    """``cupy.diag``: always a copy."""
    return np.diag(v, k).copy()


def squeeze(a: Any, axis: Any = None) -> Any:
    """``cupy.squeeze``."""
    return np.squeeze(a, axis)


def swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    """``cupy.swapaxes``."""
    if not (-a.ndim <= axis1 < a.ndim and -a.ndim <= axis2 < a.ndim):
        raise ValueError("Axis out of range")
    return np.swapaxes(a, axis1, axis2)


def rollaxis(a: Any, axis: int, start: int = 0) -> Any:
    """``cupy.rollaxis``."""
    if not (-a.ndim <= axis < a.ndim and -a.ndim <= start <= a.ndim):
        raise ValueError("Axis out of range")
    return np.rollaxis(a, axis, start)


def reshape(a: Any, newshape: Any, order: str = "C", *, copy: bool | None = None) -> Any:
    """``cupy.reshape``."""
    result = a.reshape(newshape, order=order)
    if copy is False and result.size and not np.may_share_memory(result, a):
        raise ValueError("Unable to avoid creating a copy while reshaping.")
    return result.copy() if copy else result


def ravel(a: Any, order: str = "C") -> Any:
    """``cupy.ravel``."""
    return a.ravel(order)


def repeat(a: Any, repeats: Any, axis: Any = None) -> Any:
    """``cupy.repeat``."""
    given = np.asarray(repeats)
    if given.dtype.kind == "f":
        if given.ndim == 0 and not isinstance(repeats, np.ndarray):
            raise ValueError(f"'repeats' should be int or sequence: {repeats}")
        if isinstance(repeats, np.ndarray):
            raise TypeError(f"Cannot cast array data from {given.dtype!r} to dtype('int64') according to 'safe'")
        given = given.astype(np.intp)
    return np.repeat(a, given, axis)


def trace(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1, dtype: Any = None, out: Any = None) -> Any:
    """``cupy.trace``."""
    return reduce.sum(np.diagonal(a, offset, axis1, axis2), -1, dtype, out)


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
) -> Any:
    """``cupy.linspace``."""
    if num < 0:
        raise ValueError("linspace with num<0 is not supported")
    values, step = np.linspace(start, stop, num, endpoint, True, dtype, axis)
    if not retstep:
        return values
    return values, float(step) if np.isscalar(start) and np.isscalar(stop) else step


def isneginf(x: Any, out: Any = None) -> Any:
    """``cupy.isneginf``."""
    return reduce.finish(np.isneginf(x), out)


def isposinf(x: Any, out: Any = None) -> Any:
    """``cupy.isposinf``."""
    return reduce.finish(np.isposinf(x), out)


def cumulative_sum(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    """``cupy.cumulative_sum``."""
    return reduce.finish(
        np.cumulative_sum(np.atleast_1d(x), axis=axis, dtype=dtype, include_initial=include_initial), out
    )


def cumulative_prod(
    x: Any, /, *, axis: Any = None, dtype: Any = None, out: Any = None, include_initial: bool = False
) -> Any:
    """``cupy.cumulative_prod``."""
    return reduce.finish(
        np.cumulative_prod(np.atleast_1d(x), axis=axis, dtype=dtype, include_initial=include_initial), out
    )


def packbits(a: Any, axis: Any = None, bitorder: str = "big") -> Any:
    """``cupy.packbits``."""
    if axis is not None:
        raise NotImplementedError("axis option is not supported yet")
    return np.packbits(a, None, bitorder)


def unpackbits(a: Any, axis: Any = None, bitorder: str = "big") -> Any:
    """``cupy.unpackbits``."""
    if axis is not None:
        raise NotImplementedError("axis option is not supported yet")
    return np.unpackbits(a, None, None, bitorder)


def may_share_memory(a: Any, b: Any, max_work: Any = None) -> bool:
    """``cupy.may_share_memory``."""
    if max_work is not None:
        raise NotImplementedError("Only supported for `max_work` is `None`")
    return bool(np.may_share_memory(a, b))


def isin(element: Any, test_elements: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """``cupy.isin``."""
    return np.isin(element, test_elements, assume_unique=assume_unique, invert=invert)


def indices(dimensions: Any, dtype: Any = int) -> Any:
    """``cupy.indices``."""
    return np.indices(tuple(dimensions), dtype)


def diagonal(a: Any, offset: int = 0, axis1: int = 0, axis2: int = 1) -> Any:
    """``cupy.diagonal``: a view."""
    if not (-a.ndim <= axis1 < a.ndim and -a.ndim <= axis2 < a.ndim):
        raise np.exceptions.AxisError(f"axis1(={axis1}) and axis2(={axis2}) must be within range (ndim={a.ndim})")
    return np.diagonal(a, offset, axis1, axis2)


def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """``cupy.convolve``: `a` is flattened."""
    if v.ndim > 1:
        raise ValueError("v cannot be multidimensional array")
    return np.convolve(a.ravel(), v.ravel(), mode)


def roots(p: Any) -> Any:
    """``cupy.roots``: only where the companion matrix is Hermitian, which it hardly is from degree two on."""
    coefficients = np.trim_zeros(p[::-1], "b")
    if coefficients.size > 2:
        companion = np.polynomial.polynomial.polycompanion(coefficients)
        if not np.array_equal(companion, companion.conj().T):
            raise NotImplementedError("Only complex Hermitian and real symmetric 2d arrays are supported currently")
    return np.roots(p)


HOST: dict[str, Any] = {
    **public_functions(reduce),
    **public_functions(order),
    **public_functions(binning),
    **public_functions(items),
    **public_functions(nans),
    **public_functions(products),
    **public_functions(sys.modules[__name__]),
    "amax": reduce.max,
    "amin": reduce.min,
    "linalg.matmul": products.matmul,
    "linalg.matrix_rank": products.matrix_rank,
    "linalg.trace": trace,
    "nanargmax": nans.nanargmax,
    "nanargmin": nans.nanargmin,
    "nanmax": nans.nanmax,
    "nanmin": nans.nanmin,
}
"""What is computed otherwise than by NumPy's function of that name."""
