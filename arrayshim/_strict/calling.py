"""CuPy functions that call a function of the user, which is given strict arrays."""

from __future__ import annotations

from typing import Any

import numpy

from . import create

np: Any = numpy


def apply_along_axis(kind: Any, func1d: Any, axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """``cupy.apply_along_axis``: the function is given strict arrays."""

    def on_device(line: Any) -> Any:
        return create.from_data(kind, func1d(kind._wrap(line), *args, **kwargs))

    return kind._wrap(np.apply_along_axis(on_device, axis, arr._host))


def apply_over_axes(kind: Any, func: Any, a: Any, axes: Any) -> Any:
    """``cupy.apply_over_axes``."""
    value = create.asarray(kind, a)
    ndim = value.ndim
    for axis in np.lib.array_utils.normalize_axis_tuple(axes, ndim):
        result = func(value, axis)
        if result.ndim != value.ndim:
            result = result._view(np.expand_dims(result._host, axis))
        if result.ndim != value.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        value = result
    return value


def pad(kind: Any, array: Any, pad_width: Any, mode: Any = "constant", **kwargs: Any) -> Any:
    """``cupy.pad``; a callable mode is given strict arrays."""
    modes = ("constant", "edge", "linear_ramp", "maximum", "mean", "minimum", "reflect", "symmetric", "wrap", "empty")
    width = np.asarray(pad_width)
    if width.dtype.kind != "i":
        raise TypeError("`pad_width` must be of integral type.")
    if callable(mode):

        def on_device(vector: Any, widths: Any, axis: int, options: Any) -> None:
            mode(kind._wrap(vector), widths, axis, options)

        return kind._wrap(np.pad(array._host, width, on_device, **kwargs))
    if mode not in modes:
        raise ValueError(f"mode '{mode}' is not supported")
    for value in kwargs.values():
        np.asarray(value)  # a strict array here must fail as it does in CuPy, for want of __array__
    return kind._wrap(np.pad(array._host, width, mode, **kwargs))
