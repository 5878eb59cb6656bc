"""The rows of CuPy for values by rank: found digit by digit in a few reads, where CuPy sorts.

Along an axis whose elements do not lie one behind the other, slices are copied so that they do, as CuPy's sort does.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from arrayshim import kernels
from arrayshim.kernels import medians, picking
from arrayshim.kernels._layout import THREADS, WIDEST
from arrayshim.kernels.cuda import launch
from arrayshim.kernels.cuda.operations import element
from arrayshim.kernels.cuda.program import OPAQUE, PARAMETER
from arrayshim.kernels.cuda.selecting import RANKS, Selection, known, plan, program, top_program
from arrayshim.kernels.order_statistics import merge_axes

# What an H200 sorts as fast as it selects, of 200 MB of float32 and float64:
#: Slices of fewer elements, by the bytes of these.
SHORTEST = {1: 512, 2: 512, 4: 512, 8: 1536}
#: A single slice of fewer bytes, for a few ranks, and of fewer elements, for the top.
SINGLE, SINGLE_TOP = 1 << 26, 1 << 19
#: More ranks than these, of a single slice and of several.
MOST_OF_ONE, MOST = 8, 16

_compiled: dict[Any, Any] = {}


def _fits(x: Any, length: int, least: int) -> bool:
    """Whether slices of some length are long enough, and a single one has the `least` elements."""
    if not known(x.dtype) or length < SHORTEST[x.itemsize]:
        return False
    enough: bool = x.size >= (least if length == x.size else launch.SMALLEST)
    return enough and bool(x.data.device_id == cupy.cuda.runtime.getDevice())


def _planned(x: Any, axis: int) -> tuple[Any, Selection | None]:
    """The array, or a copy of it, with the plan for one of its axes."""
    if x.strides[axis] != x.itemsize:
        x, axis = cupy.ascontiguousarray(cupy.moveaxis(x, axis, -1)), x.ndim - 1
    return x, plan(x.shape, x.strides, x.itemsize, x.data.ptr % WIDEST, axis)


def ranked(x: Any, axis: int, ranks: Any, each: bool) -> Any:
    """Values at ranks of the slices along an axis; None where a sort must find them.

    Parameters
    ----------
    x : cupy.ndarray
    axis : int
        Normalised.
    ranks : cupy.ndarray of int64, shape (R,) or, where `each`, (R, ...)
        With the axes that are left of `x`; without gaps.
    each : bool

    Returns
    -------
    cupy.ndarray, shape (R, ...)
    """
    left = tuple(n for i, n in enumerate(x.shape) if i != axis)
    x, way = _planned(x, axis)
    if way is None:
        return None
    values = cupy.empty((len(ranks), *left), x.dtype)
    for first in range(0, len(ranks), RANKS):
        asked, found = ranks[first : first + RANKS], values[first : first + RANKS]
        # Three are two and one.
        for few in (slice(0, 2), slice(2, 3)) if len(asked) == 3 else (slice(0, RANKS),):
            if not _narrowed(x, way, asked[few], found[few], each):
                return None
    return values


def _narrowed(x: Any, way: Selection, ranks: Any, values: Any, each: bool) -> bool:
    reads, count = str(element(x.dtype)), len(ranks)
    stages = launch.compiled(
        _compiled, (way.width, count, f"ranks<{reads}>"), lambda: program(reads, way.width, count), ("stage1",)
    )
    if stages is None:
        return False
    scratch = cupy.zeros(way.scratch(count) // 4, np.uint32)
    words = way.narrowing.copy()
    entry = words.view(PARAMETER)[0]
    entry["in"], entry["part"], entry["out0"] = x.data.ptr + way.start, scratch.data.ptr, values.data.ptr
    entry["out2"], entry["settling"] = ranks.data.ptr, way.outputs if each else 1
    given = (words.view(OPAQUE),)
    for _ in range(way.passes):
        stages[0]((way.outputs, way.parts), (THREADS,), given)
    return True


def at_ranks(sample: Any, indices: Sequence[Any], *, each: bool = False) -> list[Any]:
    """:func:`arrayshim.kernels.picking.at_ranks` of a CuPy array: all slices at once, in a few reads."""
    rest = sample.shape[1:]
    shapes = [np.shape(index) for index in indices]
    sizes = [prod(shape[: len(shape) - len(rest)] if each else shape) for shape in shapes]
    found = None
    most = MOST_OF_ONE if len(sample) == sample.size else MOST
    if 0 < sum(sizes) <= most and _fits(sample, len(sample), SINGLE // sample.itemsize):
        own = rest if each else ()
        if all(isinstance(index, int | np.integer | np.ndarray) for index in indices):
            ranks = cupy.asarray(np.concatenate([np.reshape(index, (-1, *own)) for index in indices]).astype(np.int64))
        else:
            ranks = cupy.concatenate([cupy.asarray(index).reshape((-1, *own)) for index in indices]).astype(np.int64)
        found = ranked(sample, 0, ranks, each)
    if found is None:
        return picking.at_ranks(sample, indices, each=each)
    results, first = [], 0
    for shape, size in zip(shapes, sizes, strict=True):
        results.append(found[first : first + size].reshape(shape if each else shape + rest))
        first += size
    return results


def top(a: Any, k: int, axis: int, *, places: bool) -> Any:
    """:func:`arrayshim.kernels.picking.no_top` of a CuPy array; None where CuPy's own function must do it.

    Returns
    -------
    cupy.ndarray
        The values, or where they are: of equal ones at the limit the first, in the order of their places.
    """
    axis = normalize_axis_index(axis, a.ndim)
    if not 0 < abs(k) < a.shape[axis] or not _fits(a, a.shape[axis], SINGLE_TOP):
        return None
    left = tuple(n for i, n in enumerate(a.shape) if i != axis)
    x, way = _planned(a, axis)
    if way is None:
        return None
    reads = str(element(x.dtype))
    stages = launch.compiled(
        _compiled,
        (way.width, k > 0, f"top<{reads}>"),
        lambda: top_program(reads, way.width, k > 0),
        ("stage1", "stage2", "stage3"),
    )
    if stages is None:
        return None
    result = cupy.empty((*left, abs(k)), np.int64 if places else x.dtype)
    scratch = cupy.zeros(way.scratch(1) // 4, np.uint32)
    tiles = cupy.empty(way.outputs * way.tiles, np.uint64)
    for stage, parameter in ((0, way.narrowing), (1, way.taking), (2, way.taking)):
        words = parameter.copy()
        entry = words.view(PARAMETER)[0]
        entry["in"], entry["part"], entry["out2"] = x.data.ptr + way.start, scratch.data.ptr, tiles.data.ptr
        entry["lanes"], entry["out1" if places else "out0"] = abs(k) - 1, result.data.ptr
        for _ in range(1 if stage else way.passes):
            stages[stage]((way.outputs, way.tiles if stage else way.parts), (THREADS,), (words.view(OPAQUE),))
    return cupy.moveaxis(result, -1, axis)


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False) -> Any:
    """:func:`numpy.median` from the two values in the middle, NaN where one of the values is NaN."""
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    length = prod(a.shape[i] for i in axes)
    if out is not None or not length or not _fits(a, length, SINGLE // a.itemsize):
        return medians.median(a, axis=axis, out=out, keepdims=keepdims)
    left = tuple(n for i, n in enumerate(a.shape) if i not in axes)
    sample = merge_axes(a, axes, left)
    low, high = at_ranks(sample, ((length - 1) // 2, length // 2))
    # As the mean of the two, or of the one: of numbers of two bytes in four, of integers in eight.
    wide = np.dtype(np.float64 if a.dtype.kind in "biu" else np.float32 if a.dtype == np.float16 else a.dtype)
    kind = wide if a.dtype.kind in "biu" else a.dtype
    if length % 2:
        result = low.astype(kind)
    else:
        result = ((low.astype(wide) + high.astype(wide)) / wide.type(2)).astype(kind)
    if a.dtype.kind == "f":
        result = cupy.where(kernels.TABLES["nannumel"](sample, axis=0) < length, kind.type(np.nan), result)
    return result.reshape(tuple(1 if i in axes else n for i, n in enumerate(a.shape)) if keepdims else left)


for _func in (at_ranks, top, median):
    kernels.TABLES[_func.__name__].add(cupy.ndarray, _func)
