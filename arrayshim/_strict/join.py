"""CuPy's joining, splitting and broadcasting of strict arrays."""

from __future__ import annotations

from typing import Any

import numpy

from . import create

np: Any = numpy


def concatenate(
    kind: Any, tup: Any, axis: int | None = 0, out: Any = None, *, dtype: Any = None, casting: str = "same_kind"
) -> Any:
    """``cupy.concatenate``: strict arrays only."""
    arrays = [m.ravel() for m in tup] if axis is None else list(tup)
    if not arrays:
        raise ValueError("Cannot concatenate from empty tuple")
    if not all(isinstance(a, kind) for a in arrays):
        raise TypeError("Only cupy arrays can be concatenated")
    if any(a.ndim == 0 for a in arrays):
        raise TypeError("zero-dimensional arrays cannot be concatenated")
    if out is not None and not isinstance(out, kind):
        raise TypeError(f"Argument 'out' has incorrect type (expected {kind.__name__}, got {type(out).__name__})")
    if out is not None and dtype is not None:
        raise TypeError("concatenate() only takes `out` or `dtype` as an argument, but both were provided.")
    options = {"dtype": dtype} if out is None else {"out": out._host}
    result = np.concatenate([a._host for a in arrays], axis=axis or 0, casting=casting, **options)
    return kind._wrap(result) if out is None else out


def _atleast(kind: Any, n: int, arys: Any) -> list[Any]:
    function = {1: np.atleast_1d, 2: np.atleast_2d, 3: np.atleast_3d}[n]
    arrays = [create.asarray(kind, a) for a in arys]
    return [a if a.ndim >= n else a._view(function(a._host)) for a in arrays]


def _one_or_list(arrays: list[Any]) -> Any:
    return arrays[0] if len(arrays) == 1 else arrays


def atleast_1d(kind: Any, *arys: Any) -> Any:
    """``cupy.atleast_1d``: one array, or a list of several; host arrays are copied to the device."""
    return _one_or_list(_atleast(kind, 1, arys))


def atleast_2d(kind: Any, *arys: Any) -> Any:
    """``cupy.atleast_2d``."""
    return _one_or_list(_atleast(kind, 2, arys))


def atleast_3d(kind: Any, *arys: Any) -> Any:
    """``cupy.atleast_3d``."""
    return _one_or_list(_atleast(kind, 3, arys))


def hstack(kind: Any, tup: Any, **options: Any) -> Any:
    """``cupy.hstack``; unlike `concatenate` it copies host arrays to the device."""
    arrays = _atleast(kind, 1, tup)
    return concatenate(kind, arrays, 0 if arrays[0].ndim == 1 else 1, **options)


def vstack(kind: Any, tup: Any, **options: Any) -> Any:
    """``cupy.vstack``."""
    return concatenate(kind, _atleast(kind, 2, tup), 0, **options)


def dstack(kind: Any, tup: Any) -> Any:
    """``cupy.dstack``."""
    return concatenate(kind, _atleast(kind, 3, tup), 2)


def stack(kind: Any, tup: Any, axis: int = 0, out: Any = None, **options: Any) -> Any:
    """``cupy.stack``: strict arrays only."""
    arrays = list(tup)
    for a in arrays:
        if not isinstance(a, kind):
            raise TypeError(f"Argument 'a' has incorrect type (expected {kind.__name__}, got {type(a).__name__})")
    return concatenate(kind, [a._view(np.expand_dims(a._host, axis)) for a in arrays], axis, out=out, **options)


def column_stack(kind: Any, tup: Any) -> Any:
    """``cupy.column_stack``."""
    if not all(isinstance(a, kind) for a in tup):
        raise TypeError("Only cupy arrays can be column stacked")
    if any(a.ndim not in (1, 2) for a in tup):
        raise ValueError("Only 1 or 2 dimensional arrays can be column stacked")
    return concatenate(kind, [a if a.ndim == 2 else a._view(a._host[:, None]) for a in tup], 1)


def append(kind: Any, arr: Any, values: Any, axis: int | None = None) -> Any:
    """``cupy.append``; takes host arrays and lists."""
    return concatenate(kind, (create.asarray(kind, arr), create.asarray(kind, values)), axis)


def broadcast_arrays(kind: Any, *args: Any) -> Any:
    """``cupy.broadcast_arrays``: what is not a strict array is returned as it came."""
    shape = np.broadcast_shapes(*(a.shape for a in args if isinstance(a, kind)))
    return tuple(broadcast_to(kind, a, shape) if isinstance(a, kind) else a for a in args)


def broadcast_to(kind: Any, array: Any, shape: Any) -> Any:
    """``cupy.broadcast_to``; the view is writeable."""
    if not isinstance(array, kind):
        raise TypeError(f"Argument 'array' has incorrect type (expected {kind.__name__}, got {type(array).__name__})")
    view = np.broadcast_to(array._host, shape)
    if view.size and not view.flags.writeable:
        view = np.lib.stride_tricks.as_strided(array._host, view.shape, view.strides)
    return array._view(view)


def array_split(kind: Any, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """``cupy.array_split``."""
    if not -ary.ndim <= axis < ary.ndim:
        raise IndexError("Axis exceeds ndim")
    return [ary._view(part) for part in np.array_split(ary._host, indices_or_sections, axis)]


def split(kind: Any, ary: Any, indices_or_sections: Any, axis: int = 0) -> Any:
    """``cupy.split``."""
    if ary.ndim <= axis:
        raise IndexError("Axis exceeds ndim")
    if np.isscalar(indices_or_sections) and ary.shape[axis] % indices_or_sections:
        raise ValueError("indices_or_sections must divide the size along the axes.")
    return array_split(kind, ary, indices_or_sections, axis)
