"""The rows of CuPy for running totals: along an axis in two reads and a write, as fast for columns as for rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from arrayshim import kernels
from arrayshim.kernels._layout import THREADS, WIDEST
from arrayshim.kernels.cuda import launch
from arrayshim.kernels.cuda.operations import element, operation
from arrayshim.kernels.cuda.program import OPAQUE, PARAMETER, WORDS
from arrayshim.kernels.cuda.scanning import TOTALS, plan, program

#: Fewest columns that are worth it: a thread walks down each.
COLUMNS = 1024

_compiled: dict[Any, Any] = {}


def scanned(x: Any, name: str, axis: int, dtype: Any) -> Any:
    """Running totals of a CuPy array; None where CuPy's own function must do it."""
    found = operation(TOTALS[name], x.dtype, None if dtype is None else np.dtype(dtype))
    if found is None or x.size < launch.SMALLEST or x.data.device_id != cupy.cuda.runtime.getDevice():
        return None
    address = x.data.ptr
    way = plan(x.shape, x.strides, x.itemsize, address % WIDEST, axis)
    result = element(found.results[0])
    if way is None or result is None:
        return None
    inner = bool(way.parameter.view(PARAMETER)[0]["inner"])
    if not inner and way.outputs < COLUMNS:
        return None
    stages = launch.compiled(
        _compiled,
        (way.width, way.across, way.large, inner, found.code),
        lambda: program(found, way, result, inner),
        ("stage1", "stage2"),
    )
    if stages is None:
        return None
    y = cupy.empty(x.shape, found.results[0])
    words = way.parameter.copy()
    words[WORDS["in"]], words[WORDS["out0"]] = address + way.start, y.data.ptr
    if way.scratch:
        scratch = cupy.cuda.alloc(way.scratch)
        words[WORDS["part"]] = scratch.ptr
        stages[0](way.first, (THREADS,), (words.view(OPAQUE),))
    stages[1](way.second, (THREADS,), (words.view(OPAQUE),))
    return y


def _row(name: str, stock: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> Any:
        found = None
        if out is None and type(a) is cupy.ndarray and a.ndim:
            if axis is not None:
                found = scanned(a, name, normalize_axis_index(axis, a.ndim), dtype)
            elif a.flags.c_contiguous:
                found = scanned(a.ravel(), name, 0, dtype)
        return stock(a, axis=axis, dtype=dtype, out=out) if found is None else found

    return kernel


for _name in TOTALS:
    _table = kernels.TABLES[_name]
    _table.add(cupy.ndarray, _row(_name, _table.rows()[(object,)]))
