"""Making strict arrays: CuPy's ``array`` (what may cross from host to device, and how) and the ``*_like`` family."""

from __future__ import annotations

import math
from typing import Any

import numpy

from .rules import native_dtype

np: Any = numpy


def _common_shape(kind: Any, item: Any) -> tuple[tuple[int, ...], type] | None:
    """(shape, array type) of nested sequences of equal arrays, None when they hold anything else."""
    if isinstance(item, (np.ndarray, kind)):
        return tuple(item.shape), np.ndarray if isinstance(item, np.ndarray) else kind
    if not isinstance(item, (list, tuple)) or not item:
        return None
    found = [_common_shape(kind, part) for part in item]
    if found[0] is None or any(f != found[0] for f in found):
        return None
    return (len(item), *found[0][0]), found[0][1]


def _unwrapped(kind: Any, item: Any) -> Any:
    return [_unwrapped(kind, part) for part in item] if isinstance(item, (list, tuple)) else item._host


def from_data(kind: Any, obj: Any, dtype: Any = None, *, ndmin: int = 0, order: str | None = None) -> Any:
    """Host copy of anything that ``cupy.array`` accepts.

    Strict arrays, NumPy arrays, scalars, nested sequences of scalars, nested sequences of equally shaped strict
    arrays. A sequence that mixes strict arrays with anything else fails in NumPy, for want of ``__array__``.
    """
    if isinstance(obj, kind):
        host = obj._host
        return np.array(host, dtype=dtype, ndmin=ndmin, order=order or "K")
    common = _common_shape(kind, obj)
    if common is not None and common[1] is kind and isinstance(obj, (list, tuple)):
        obj = _unwrapped(kind, obj)
    found = np.array(obj, dtype=dtype, ndmin=ndmin, order=order or "K")
    wanted = found.dtype if found.dtype.isnative else found.dtype.newbyteorder("=")
    return found.astype(native_dtype(wanted), copy=False)


def array(
    kind: Any,
    obj: Any,
    dtype: Any = None,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
    *,
    blocking: bool = False,
) -> Any:
    """``cupy.array``."""
    if subok:
        raise NotImplementedError("subok=True found: strict arrays are made without subclasses -> leave subok out")
    if isinstance(obj, kind):
        result = astype(obj, obj.dtype if dtype is None else dtype, order="K" if order is None else order, copy=copy)
        if ndmin > result.ndim:
            result = result._view(result._host.reshape((1,) * (ndmin - result.ndim) + result.shape))
        return result
    host = from_data(kind, obj, dtype, ndmin=ndmin, order=order)
    return kind._wrap(host)


def asarray(
    kind: Any, a: Any, dtype: Any = None, order: str | None = None, *, copy: bool | None = None, blocking: bool = False
) -> Any:
    """``cupy.asarray``."""
    return array(kind, a, dtype, copy, order)


def astype(
    self: Any, dtype: Any, order: str | None = "K", casting: Any = None, subok: Any = None, copy: bool | None = True
) -> Any:
    """``ndarray.astype``: unsafe casts, and no choice of casting. ``copy=None`` copies where needed, False never."""
    for name, given in (("casting", casting), ("subok", subok)):
        if given is not None:
            raise TypeError(f"{name} is not supported yet")
    dtype, order, host = native_dtype(dtype), (order or "K")[:1].upper(), self._host
    laid_out = {"K": True, "A": host.flags.forc, "C": host.flags.c_contiguous, "F": host.flags.f_contiguous}
    if order not in laid_out:
        raise TypeError(f"order not understood: {order}")
    if dtype == host.dtype and not copy and laid_out[order]:
        return self
    if copy is False:
        raise ValueError("Unable to avoid copy while creating an array as requested.")
    with np.errstate(all="ignore"):
        return self._kind._wrap(host.astype(dtype, order=order, copy=True))


def contiguous_like(kind: Any, a: Any, dtype: Any, order: str) -> Any:
    """``ascontiguousarray`` and ``asfortranarray``: strict arrays only, at least 1-d."""
    if not isinstance(a, kind):
        raise TypeError(f"Argument 'a' has incorrect type (expected {kind.__name__}, got {type(a).__name__})")
    host = np.atleast_1d(a._host) if order == "C" else a._host
    result = np.array(host, dtype=dtype, order=order, copy=None)
    return a if result is a._host else kind._wrap(result)


def _like_layout(prototype: Any, order: str, shape: Any) -> tuple[Any, str]:
    order = order.upper()
    if order not in ("C", "F", "K", "A"):
        raise ValueError(f"order not understood: {order}")
    if np.isscalar(shape):
        shape = (shape,)
    if order == "K" and shape is not None and len(shape) != prototype.ndim:
        order = "C"
    return shape, order


def empty_like(
    kind: Any, prototype: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> Any:
    """``cupy.empty_like``; like CuPy's it takes the prototype's shape when `shape` is ``()`` or 0."""
    if subok is not None:
        raise TypeError("subok is not supported yet")
    dtype = native_dtype(prototype.dtype if dtype is None else dtype)
    spec, order = _like_layout(prototype, order, shape)
    wanted = spec if shape else prototype.shape
    host = prototype._host if isinstance(prototype, kind) else np.asarray(prototype)
    if math.prod(wanted) == 0 or host.ndim != len(wanted):
        return kind._wrap(np.zeros(wanted, dtype, order="F" if order == "F" else "C"))
    return kind._wrap(np.zeros_like(host, dtype=dtype, order=order, shape=wanted, subok=False))


def full_like(kind: Any, a: Any, fill_value: Any, *args: Any, **kwargs: Any) -> Any:
    """``cupy.full_like``."""
    result = empty_like(kind, a, *args, **kwargs)
    copyto(kind, result, fill_value, casting="unsafe")
    return result


def ones_like(kind: Any, a: Any, *args: Any, **kwargs: Any) -> Any:
    """``cupy.ones_like``."""
    result = empty_like(kind, a, *args, **kwargs)
    result._host.fill(1)
    return result


def full(kind: Any, shape: Any, fill_value: Any, dtype: Any = None, order: str = "C") -> Any:
    """``cupy.full``."""
    if dtype is None:
        dtype = fill_value.dtype if isinstance(fill_value, kind) else np.array(fill_value).dtype
    result = kind(shape, dtype, order=order)
    copyto(kind, result, fill_value, casting="unsafe")
    return result


def copyto(kind: Any, dst: Any, src: Any, casting: str = "same_kind", where: Any = None) -> None:
    """``cupy.copyto``: from a strict array, a scalar, or a NumPy array of one element."""
    if isinstance(src, kind):
        given = src._host
        given = given.reshape(given.shape[next((i for i, n in enumerate(given.shape) if n != 1), given.ndim) :])
        allowed = np.can_cast(given.dtype, dst.dtype, casting)
    elif type(src) in (bool, int, float, complex):
        given = src
        np.copyto(np.empty((), dst.dtype), src, casting=casting)
        allowed = True
    else:
        if isinstance(src, np.ndarray) and src.size != 1:
            raise ValueError("non-scalar numpy.ndarray cannot be used for copyto")
        if not isinstance(src, (np.ndarray, np.generic)):
            raise AttributeError(f"{type(src).__name__!r} object has no attribute 'dtype'")
        given = src.squeeze()[()] if isinstance(src, np.ndarray) else src
        allowed = np.can_cast(src.dtype, dst.dtype, casting)
    if not allowed:
        raise TypeError(f"Cannot cast {src.dtype} to {dst.dtype} in {casting} casting mode")
    if isinstance(where, np.ndarray):
        raise TypeError(f"Unsupported type {type(where)}")
    mask = where._host if isinstance(where, kind) else (True if where is None else bool(where))
    if isinstance(where, kind) and where.dtype != bool:
        raise TypeError(
            f"Cannot cast array data from {where.dtype!r} to {np.dtype(bool)!r} according to the rule 'safe'"
        )
    np.copyto(dst._host, given, casting="unsafe", where=mask)
