"""CuPy functions that choose among elements: where, select and what counts or finds the chosen."""

from __future__ import annotations

from typing import Any

import numpy

from . import create, join, ufunc
from .memory import unwrap

np: Any = numpy


def _missing(value: Any, attribute: str) -> AttributeError:
    return AttributeError(f"{type(value).__name__!r} object has no attribute {attribute!r}")


def where(kind: Any, condition: Any, x: Any = None, y: Any = None) -> Any:
    """``cupy.where``."""
    if (x is None) != (y is None):
        raise ValueError("Must provide both 'x' and 'y' or neither.")
    if x is None:
        return nonzero(kind, condition)
    if not isinstance(condition, (kind, np.ndarray, np.generic)):
        raise _missing(condition, "astype")
    return ufunc.call(kind, "_where", (condition.astype("?", copy=False), x, y), {})


def _check_array(kind: Any, a: Any) -> None:
    if not isinstance(a, kind):
        raise TypeError(f"'a' must be a {kind.__name__} object, not {type(a)}.")


def nonzero(kind: Any, a: Any) -> Any:
    """``cupy.nonzero``."""
    _check_array(kind, a)
    if a.ndim == 0:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use atleast_1d(scalar).nonzero() instead.")
    return tuple(kind._wrap(i) for i in np.nonzero(a._host))


def flatnonzero(kind: Any, a: Any) -> Any:
    """``cupy.flatnonzero``."""
    _check_array(kind, a)
    return kind._wrap(np.flatnonzero(a._host))


def argwhere(kind: Any, a: Any) -> Any:
    """``cupy.argwhere``."""
    _check_array(kind, a)
    return kind._wrap(np.argwhere(a._host))


def select(kind: Any, condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """``cupy.select``."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    if not np.isscalar(default):
        raise TypeError("default only accepts scalar values")
    for choice, cond in zip(choicelist, condlist, strict=True):
        if not isinstance(choice, kind):
            raise TypeError("choicelist only accepts lists of cupy ndarrays")
        if cond.dtype.type is not np.bool_:
            raise ValueError("invalid entry in condlist: should be boolean ndarray")
    dtype = np.result_type(*(c.dtype for c in choicelist))
    shape = np.broadcast_shapes(*(v.shape for v in (*condlist, *choicelist) if isinstance(v, kind)))
    result = kind(shape, dtype)
    create.copyto(kind, result, default)
    for choice, cond in zip(choicelist[::-1], condlist[::-1], strict=True):
        mask = join.broadcast_to(kind, cond, shape) if isinstance(cond, kind) else cond
        create.copyto(kind, result, join.broadcast_to(kind, choice, shape), where=mask)
    return result


def piecewise(kind: Any, x: Any, condlist: Any, funclist: Any) -> Any:
    """``cupy.piecewise``: values, no functions."""
    if np.isscalar(condlist):
        condlist = [condlist]
    n, m = len(condlist), len(funclist)
    if m not in (n, n + 1):
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    if any(callable(f) for f in funclist):
        raise NotImplementedError("Callable functions are not supported currently")
    out = create.full(kind, x.shape, funclist[-1] if m > n else 0, x.dtype)
    for condition, value in zip(condlist, funclist[:n], strict=True):
        if isinstance(condition, np.ndarray):
            raise TypeError(f"Unsupported type {type(condition)}")
        np.copyto(
            out._host, unwrap(kind, value), where=np.asarray(unwrap(kind, condition)).astype(bool), casting="unsafe"
        )
    return out
