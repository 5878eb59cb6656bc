"""CuPy's functions on single elements, on host values: index arrays wrap around instead of raising."""

from __future__ import annotations

from typing import Any

import numpy

from .reduce import finish

np: Any = numpy


def _axis(axis: int, ndim: int) -> int:
    return int(np.lib.array_utils.normalize_axis_index(axis, ndim))


def take(a: Any, indices: Any, axis: Any = None, out: Any = None) -> Any:
    """``cupy.take``: wraps around, truncates floats given on the host."""
    if axis is not None:
        axis = _axis(axis, max(a.ndim, 1))
    if not isinstance(indices, np.ndarray) and not np.isscalar(indices):
        indices = np.array(indices, dtype=int)
    result = np.take(a, np.asarray(indices).astype(np.int64, copy=False), axis=axis, mode="wrap")
    if out is not None and out.dtype != a.dtype:
        raise TypeError("Output dtype mismatch")
    return finish(result, out)


def _along(a: Any, indices: Any, axis: Any) -> Any:
    if indices.dtype.kind not in "iu":
        raise IndexError("`indices` must be an integer array")
    if a.ndim != indices.ndim:
        raise ValueError("`indices` and `a` must have the same number of dimensions")
    size = a.shape[axis]
    return indices.astype(np.int64) % size if size else indices


def take_along_axis(a: Any, indices: Any, axis: Any) -> Any:
    """``cupy.take_along_axis``: wraps around."""
    a, axis = (a.ravel(), 0) if axis is None else (a, _axis(axis, a.ndim))
    return np.take_along_axis(a, _along(a, indices, axis), axis)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """``cupy.put_along_axis``: wraps around."""
    if axis is None:
        if indices.ndim != 1:
            raise NotImplementedError("Tuple setitem isn't supported for flatiter.")
        put(arr, indices, values)
    else:
        axis = _axis(axis, arr.ndim)
        np.put_along_axis(arr, _along(arr, indices, axis), np.asarray(values, dtype=arr.dtype), axis)


def put(a: Any, ind: Any, v: Any, mode: str = "wrap") -> None:
    """``cupy.put``."""
    if mode not in ("raise", "wrap", "clip"):
        raise ValueError("clipmode not understood")
    np.put(a, np.asarray(ind).ravel(), np.asarray(v, dtype=a.dtype), mode=mode)


def putmask(a: Any, mask: Any, values: Any) -> None:
    """``cupy.putmask``."""
    if a.shape != mask.shape:
        raise ValueError("mask and data must be the same size")
    if isinstance(values, np.ndarray) and not np.can_cast(values.dtype, a.dtype):
        raise TypeError(f"Cannot cast array data from {values.dtype} to {a.dtype} according to the rule 'safe'")
    np.putmask(a, mask.astype(bool), values)


def compress(condition: Any, a: Any, axis: Any = None, out: Any = None) -> Any:
    """``cupy.compress``."""
    if np.isscalar(condition):
        raise ValueError("condition must be a 1-d array")
    condition = condition if isinstance(condition, np.ndarray) else np.array(condition, dtype=int)
    if condition.ndim < 1:
        raise ValueError("condition must be a 1-d array")
    return take(a, np.nonzero(condition)[0], axis, out)


def extract(condition: Any, a: Any) -> Any:
    """``cupy.extract``."""
    return take(a.ravel(), np.flatnonzero(condition))


def choose(a: Any, choices: Any, out: Any = None, mode: str = "raise") -> Any:
    """``cupy.choose``: `choices` is one array."""
    result = np.choose(a, list(choices), mode=mode)
    return finish(result, out)


def delete(arr: Any, indices: Any, axis: Any = None) -> Any:
    """``cupy.delete``: index arrays wrap around."""
    arr, axis = (arr.ravel(), 0) if axis is None else (arr, _axis(axis, arr.ndim))
    size = arr.shape[axis]
    keep = np.ones(size, dtype=bool)
    if not isinstance(indices, (slice, int, np.integer)) or isinstance(indices, bool):
        indices = np.asarray(indices)
        if indices.dtype.kind == "b":
            if indices.shape != (size,):
                raise ValueError(
                    "boolean array argument indices to delete must be one dimensional and match the axis length of "
                    f"{size}"
                )
        elif indices.size == 0:
            indices = np.zeros(0, np.intp)
        else:
            indices = indices % size
    keep[indices] = False
    return np.compress(keep, arr, axis=axis)


def _check_kind(kind: Any) -> None:
    if kind is not None and kind != "stable":
        raise ValueError("kind can only be None or 'stable'")


def sort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    """``cupy.sort``: always stable."""
    _check_kind(kind)
    return np.sort(a, axis, kind="stable")


def argsort(a: Any, axis: Any = -1, kind: Any = None) -> Any:
    """``cupy.argsort``; of a 0-d array it is 1-d."""
    _check_kind(kind)
    return np.argsort(np.atleast_1d(a), axis, kind="stable")


def partition(a: Any, kth: Any, axis: Any = -1) -> Any:
    """``cupy.partition``: short axes are sorted whole, so a sorted array is what both agree on."""
    np.partition(a, kth, axis)  # for its errors
    return np.sort(a, axis, kind="stable")


def argpartition(a: Any, kth: Any, axis: Any = -1) -> Any:
    """``cupy.argpartition``."""
    np.argpartition(a, kth, axis)
    return np.argsort(a, axis, kind="stable")


def unique(
    ar: Any,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: Any = None,
    *,
    equal_nan: bool = True,
) -> Any:
    """``cupy.unique``."""
    return np.unique(ar, return_index, return_inverse, return_counts, axis, equal_nan=equal_nan)


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "wrap", order: str = "C") -> Any:
    """``cupy.ravel_multi_index``: wraps by default."""
    if len(multi_index) != len(dims):
        raise ValueError(f"parameter multi_index must be a sequence of length {len(dims)}")
    return np.ravel_multi_index(tuple(multi_index), tuple(dims), mode, order)


def unravel_index(indices: Any, dims: Any, order: str = "C") -> Any:
    """``cupy.unravel_index``."""
    if not np.can_cast(indices.dtype, np.int64, "same_kind"):
        raise TypeError(f"Iterator operand 0 dtype could not be cast from {indices.dtype!r} to dtype('int64')")
    return np.unravel_index(indices, dims, order)
