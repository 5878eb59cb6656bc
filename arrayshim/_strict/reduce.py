"""CuPy's reductions on host values; each takes unwrapped arrays and has CuPy's parameters.

They differ from NumPy's in the dtypes they compute in, in what they do with nothing (NaN without a warning, -1 for the
place of no number) and in the keywords they lack.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from .memory import contiguous

np: Any = numpy


def normalize_axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes as a tuple of non-negative numbers; None is all of them."""
    given = tuple(range(ndim)) if axis is None else axis
    return tuple(np.lib.array_utils.normalize_axis_tuple(given, ndim))


def finish(result: Any, out: Any = None, dtype: Any = None) -> Any:
    """`result` in C order and in `dtype`, or written into `out`, which must have its shape."""
    result = np.asarray(result)
    if dtype is not None:
        result = result.astype(dtype, copy=False)
    if out is None:
        return contiguous(result)
    if out.shape != result.shape:
        raise ValueError("Out shape is mismatched")
    np.copyto(out, result, casting="unsafe")
    return out


def _fold(ufunc: Any, a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    if dtype is None and a.dtype.kind in "biu":
        dtype = np.uint64 if a.dtype.kind == "u" else np.int64
    final = np.dtype(dtype if dtype is not None else a.dtype)
    # half precision is accumulated in single precision
    working = np.dtype(np.float32) if final == np.float16 else final
    result = ufunc.reduce(a, axis=normalize_axes(axis, a.ndim), dtype=working, keepdims=keepdims)
    return finish(result, out, final)


def sum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.sum``."""
    return _fold(np.add, a, axis, dtype, out, keepdims)


def prod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.prod``."""
    return _fold(np.multiply, a, axis, dtype, out, keepdims)


def max(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.max``."""
    return finish(np.maximum.reduce(a, axis=normalize_axes(axis, a.ndim), keepdims=keepdims), out)


def min(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.min``."""
    return finish(np.minimum.reduce(a, axis=normalize_axes(axis, a.ndim), keepdims=keepdims), out)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.ptp``."""
    high, low = max(a, axis, None, keepdims), min(a, axis, None, keepdims)
    if a.dtype.kind == "b":
        raise TypeError("boolean subtract found: CuPy has no subtraction of booleans -> cast to an integer type first")
    return finish(high - low, out)


def all(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.all``."""
    return finish(np.logical_and.reduce(a, axis=normalize_axes(axis, a.ndim), keepdims=keepdims), out)


def any(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.any``."""
    return finish(np.logical_or.reduce(a, axis=normalize_axes(axis, a.ndim), keepdims=keepdims), out)


def count_nonzero(a: Any, axis: Any = None) -> Any:
    """``cupy.count_nonzero``; always an int64 array."""
    return finish(np.count_nonzero(a, axis=normalize_axes(axis, a.ndim)), None, np.int64)


def locate(function: Callable[..., Any], a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    """The positions that `function` finds along any number of axes."""
    axes = normalize_axes(axis, a.ndim)
    if len(axes) == a.ndim:
        result = np.asarray(function(a, axis=None)).reshape((1,) * a.ndim if keepdims else ())
    elif len(axes) == 1:
        result = function(a, axis=axes[0], keepdims=keepdims)
    else:
        rest = tuple(i for i in range(a.ndim) if i not in axes)
        moved = a.transpose(rest + axes).reshape(*(a.shape[i] for i in rest), -1)
        result = function(moved, axis=-1)
        result = np.expand_dims(result, axes) if keepdims else result
    return finish(result, out, dtype if dtype is not None else np.int64)


def argmax(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.argmax``."""
    return locate(np.argmax, a, axis, dtype, out, keepdims)


def argmin(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.argmin``."""
    return locate(np.argmin, a, axis, dtype, out, keepdims)


def mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False) -> Any:
    """``cupy.mean``; integers through float64, also when an integer dtype is asked for."""
    axes = normalize_axes(axis, a.ndim)
    final = np.dtype(dtype if dtype is not None else np.float64 if a.dtype.kind in "biu" else a.dtype)
    working = {"e": np.dtype(np.float32)}.get(final.char, np.dtype(np.float64) if final.kind in "biu" else final)
    total = np.add.reduce(a, axis=axes, dtype=working, keepdims=keepdims)
    count = int(np.prod([a.shape[i] for i in axes]))
    return finish(np.divide(total, count).astype(working), out, None if out is not None else final)


def _variance(a: Any, axis: Any, dtype: Any, ddof: float, keepdims: bool) -> Any:
    axes = normalize_axes(axis, a.ndim)
    final = (
        np.dtype(dtype)
        if dtype is not None
        else np.dtype(np.float64 if a.dtype.kind in "biu" else a.dtype.char.lower() if a.dtype.kind == "c" else a.dtype)
    )
    count = int(np.prod([a.shape[i] for i in axes])) - ddof
    # with a dtype CuPy takes the mean in the type of the data: truncated for integers
    centre = mean(a, axes, a.dtype if dtype is not None or a.dtype.kind not in "biu" else np.float64, None, True)
    difference = a.astype(np.float64 if a.dtype.kind in "biu" else np.float32 if a.dtype == np.float16 else a.dtype)
    difference = difference - centre
    squares = (difference * difference.conj()).real
    working = final if final.char in "fd" else np.dtype(np.float32) if final.char == "e" else np.dtype(np.float64)
    total = np.add.reduce(squares, axis=axes, dtype=working, keepdims=keepdims)
    result = total * working.type(1.0 / count if count > 0 else np.nan)
    return result, final if final.char in "ef" else np.dtype(np.float64)


def var(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False) -> Any:
    """``cupy.var``; real for complex data, NaN without a warning where no degree of freedom is left."""
    result, final = _variance(a, axis, dtype, ddof, keepdims)
    return finish(result, out, None if out is not None else final)


def std(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: float = 0, keepdims: bool = False) -> Any:
    """``cupy.std``."""
    result, final = _variance(a, axis, dtype, ddof, keepdims)
    return finish(np.sqrt(result), out, None if out is not None else final)


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """``cupy.cumsum``."""
    return finish(np.cumsum(a, axis=axis, dtype=dtype), out)


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
    """``cupy.cumprod``."""
    return finish(np.cumprod(a, axis=axis, dtype=dtype), out)
