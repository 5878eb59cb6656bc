"""CuPy functions that look at the arrays themselves: they are given strict arrays, not host values."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from . import calling, choosing, create, join, ufunc
from .rules import public_functions

np: Any = numpy


def clip(kind: Any, a: Any, a_min: Any, a_max: Any, out: Any = None) -> Any:
    """``cupy.clip``; a bound that is None is the end of the type's range."""
    limits = {"f": lambda d: (d.type(-np.inf), d.type(np.inf)), "i": np.iinfo, "u": np.iinfo}.get(a.dtype.kind)
    if limits is not None:
        ends = limits(a.dtype)
        low, high = ends if isinstance(ends, tuple) else (int(ends.min), int(ends.max))
        a_min, a_max = low if a_min is None else a_min, high if a_max is None else a_max
    return ufunc.call(kind, "_clip", (a, a_min, a_max), {"out": out})


def around(kind: Any, a: Any, decimals: int = 0, out: Any = None) -> Any:
    """``cupy.around``."""
    a = create.array(kind, a, copy=None)
    if decimals < 0 and a.dtype.kind in "iu":
        return ufunc.call(kind, "_round_negative", (a, -decimals), {"out": out})
    return ufunc.call(kind, "_round", (a, decimals), {"out": out})


def angle(kind: Any, z: Any, deg: bool = False) -> Any:
    """``cupy.angle``."""
    return ufunc.call(kind, "_angle_deg" if deg else "_angle", (z,), {})


def real(kind: Any, val: Any) -> Any:
    """``cupy.real``."""
    return create.array(kind, val, copy=None).real


def imag(kind: Any, val: Any) -> Any:
    """``cupy.imag``."""
    return create.array(kind, val, copy=None).imag


def isclose(kind: Any, a: Any, b: Any, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """``cupy.isclose``."""
    a, b = create.asarray(kind, a), create.asarray(kind, b)
    name = "_is_close_complex" if "c" in (a.dtype.kind, b.dtype.kind) else "_is_close"
    return ufunc.call(kind, name, (a, b, rtol, atol, equal_nan), {})


def allclose(kind: Any, a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
    """``cupy.allclose``: a 0-d array, not a bool."""
    return isclose(kind, a, b, *args, **kwargs).all()


def array_equal(kind: Any, a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    """``cupy.array_equal``: a 0-d array, not a bool."""
    if a1.shape != a2.shape:
        return kind._wrap(np.array(False))
    if not equal_nan:
        return (a1 == a2).all()
    nans = ufunc.call(kind, "isnan", (a1,), {}), ufunc.call(kind, "isnan", (a2,), {})
    if not (nans[0] == nans[1])._host.all():
        return kind._wrap(np.array(False))
    return (a1[~nans[0]] == a2[~nans[0]]).all()


def array_equiv(kind: Any, a1: Any, a2: Any) -> Any:
    """``cupy.array_equiv``: a 0-d array, not a bool."""
    shapes = [v.shape for v in (a1, a2) if isinstance(v, kind)]
    try:
        np.broadcast_shapes(*shapes)
    except ValueError:
        return kind._wrap(np.array(False))
    return (a1 == a2).all()


def nan_to_num(kind: Any, x: Any, copy: bool = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """``cupy.nan_to_num``."""
    out = create.empty_like(kind, x) if isinstance(x, kind) and copy else x
    if not isinstance(x, kind):
        out = create.full(kind, (), x)
    dtype = np.dtype(out.dtype.char.lower() if out.dtype.kind == "c" else out.dtype)
    ends = (np.finfo(dtype).max, np.finfo(dtype).min) if dtype.kind == "f" else (0, 0)
    given = (nan, ends[0] if posinf is None else posinf, ends[1] if neginf is None else neginf)
    fill = [create.asarray(kind, v if dtype.kind == "f" else 0, dtype) for v in given]
    return ufunc.call(kind, "_nan_to_num", (x, *fill), {"out": out})


def meshgrid(kind: Any, *xi: Any, indexing: str = "xy", copy: bool = True, sparse: bool = False) -> Any:
    """``cupy.meshgrid``."""
    if indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    for x in xi:
        if x.ndim != 1:
            raise ValueError("input has to be 1d")
        if not isinstance(x, kind):
            raise ValueError("input has to be cupy.ndarray")
    if len(xi) <= 1:
        return tuple(xi)
    made = np.meshgrid(*(x._host for x in xi), indexing=indexing, copy=copy, sparse=sparse)
    return tuple(kind._wrap(m) for m in made)


def average(
    kind: Any, a: Any, axis: Any = None, weights: Any = None, returned: bool = False, *, keepdims: bool = False
) -> Any:
    """``cupy.average``; host arrays are copied to the device, and a scalar sum of weights stays on the host."""
    a = create.asarray(kind, a)
    if weights is None:
        mean = a.mean(axis=axis, keepdims=keepdims)
        count = mean.dtype.type(a.size / mean.size if mean.size else 0)
        if returned and mean.shape:
            return mean, kind._wrap(np.full(mean.shape, count))
        return (mean, count) if returned else mean
    host = create.asarray(kind, weights)._host
    with np.errstate(all="ignore"):
        found = np.average(a._host, axis, host, returned, keepdims=keepdims)
    return tuple(kind._wrap(np.asarray(f)) for f in found) if returned else kind._wrap(np.asarray(found))


def result_type(kind: Any, *arrays_and_dtypes: Any) -> Any:
    """``cupy.result_type``."""
    return np.result_type(*(a.dtype if isinstance(a, kind) else a for a in arrays_and_dtypes))


def can_cast(kind: Any, from_: Any, to: Any, casting: Any = "safe") -> bool:
    """``cupy.can_cast``."""
    return bool(np.can_cast(from_.dtype if isinstance(from_, kind) else from_, to, casting=casting))


def common_type(kind: Any, *arrays: Any) -> Any:
    """``cupy.common_type``."""
    if any(a.dtype.kind == "b" for a in arrays):
        raise TypeError("can't get common type for non-numeric array")
    dtypes = [np.dtype(np.float64) if a.dtype.kind in "iu" else a.dtype for a in arrays]
    return np.result_type(*dtypes).type if dtypes else np.float16


def min_scalar_type(kind: Any, a: Any) -> Any:
    """``cupy.min_scalar_type``."""
    return a.dtype if isinstance(a, kind) else np.min_scalar_type(a)


def _text(function: Any) -> Any:
    def printed(kind: Any, a: Any, *args: Any, **kwargs: Any) -> str:
        return str(function(a.get() if isinstance(a, kind) else a, *args, **kwargs))

    return printed


def asnumpy(kind: Any, a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True) -> Any:
    """``cupy.asnumpy``: the explicit copy to the host."""
    if isinstance(a, kind):
        return a.get(stream, order, out, blocking)
    found = np.asarray(a, order=order)
    if out is None:
        return found
    out[...] = found
    return out


def fromfunction(kind: Any, *args: Any, **kwargs: Any) -> Any:
    """``cupy.fromfunction``: the function is evaluated on the host."""
    return create.asarray(kind, np.fromfunction(*args, **kwargs))


def _from_host(name: str) -> Any:
    def read(kind: Any, *args: Any, **kwargs: Any) -> Any:
        return create.asarray(kind, getattr(np, name)(*args, **kwargs))

    return read


def _shaped(value: int) -> Any:
    def make(kind: Any, shape: Any, dtype: Any = float, order: str = "C") -> Any:
        result = kind(shape, dtype, order=order)
        result._host.fill(value)
        return result

    return make


NATIVE: dict[str, Any] = {
    **public_functions(sys.modules[__name__]),
    **public_functions(calling),
    **public_functions(choosing),
    **public_functions(join),
    **{
        name: _from_host(name) for name in ("frombuffer", "fromfile", "fromiter", "fromstring", "genfromtxt", "loadtxt")
    },
    "array": create.array,
    "array2string": _text(np.array2string),
    "array_repr": _text(np.array_repr),
    "array_str": _text(np.array_str),
    "asanyarray": create.asarray,
    "asarray": create.asarray,
    "ascontiguousarray": lambda kind, a, dtype=None: create.contiguous_like(kind, a, dtype, "C"),
    "asfortranarray": lambda kind, a, dtype=None: create.contiguous_like(kind, a, dtype, "F"),
    "astype": lambda kind, x, dtype, *, copy=True: create.astype(x, dtype, copy=True if copy else None),
    "concat": join.concatenate,
    "copy": lambda kind, a, order="K": a.copy(order=order),
    "copyto": create.copyto,
    "empty": _shaped(0),
    "empty_like": create.empty_like,
    "full": create.full,
    "full_like": create.full_like,
    "ones": _shaped(1),
    "ones_like": create.ones_like,
    "round": around,
    "row_stack": join.vstack,
    "zeros": _shaped(0),
    "zeros_like": create.empty_like,
}
