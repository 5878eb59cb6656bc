"""Running totals along an axis: the walk, the split and the source. Text and numbers; no device."""

from __future__ import annotations

import math
from functools import lru_cache
from pathlib import Path

from arrayshim.kernels._layout import (
    FILL,
    MOST_AXES,
    THREADS,
    WIDEST,
    Axis,
    Split,
    Walk,
    lines,
    parts_of,
    steps_of,
    widest,
)
from arrayshim.kernels.cuda.operations import Operation
from arrayshim.kernels.cuda.program import SCRATCH, SOURCE, Plan, large, parameter

_TEXT = (Path(__file__).parent / "scan.cu").read_text()

#: Operation -> whose totals run.
TOTALS = {"cumsum": "sum", "cumprod": "prod", "nancumsum": "nansum", "nancumprod": "nanprod"}
#: Elements that a thread of a row takes at a time.
_EACH = 8
#: Blocks that are enough for rows, and most parts of a column: each adds up those before it.
_ROWS, _PARTS = 1024, 64
#: Shorter axes are left to the library.
_SHORTEST = 256


def _split(way: Walk, itemsize: int, address: int) -> Split | None:
    (axis,) = way.reduced
    others = tuple(Axis(a.size, math.gcd(a.stride, a.mate), 0) for a in way.kept)
    if axis.stride == axis.mate == 1 and axis.size >= _SHORTEST:
        width = widest(axis, others, itemsize, address, _EACH)
        wanted = min(math.ceil(_ROWS / way.outputs), axis.size // (4 * THREADS * _EACH))
        parts, length = parts_of(axis.size, wanted, THREADS * _EACH)
        return Split(True, 8, width, parts, length, way.outputs)
    if way.kept and way.kept[0].stride == way.kept[0].mate == 1 and way.kept[0].size >= THREADS // 8:
        steps = (*others[1:], Axis(axis.size, math.gcd(axis.stride, axis.mate), 0))
        width = widest(way.kept[0], steps, itemsize, address, 4)
        groups = way.outputs // width
        parts, length = parts_of(axis.size, min(_PARTS, FILL // groups, axis.size // 32), 1)
        return Split(False, 0, width, parts, length, math.ceil(groups / THREADS))
    return None


@lru_cache(maxsize=1024)
def plan(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, address: int, axis: int) -> Plan | None:
    """The plan of running totals in C order, or None for a layout that the kernels cannot take.

    Parameters
    ----------
    shape, strides : tuple of int
        Of the array, strides in bytes; no size is 0.
    itemsize : int
        Bytes of an element.
    address : int
        Of the first element, modulo `WIDEST`.
    axis : int
        Normalised.
    """
    steps = None if shape[axis] == 1 else steps_of(shape, strides, itemsize, address)
    if steps is None:
        return None
    way = lines(shape, steps, axis, apart=False)
    work = _split(way, itemsize, (address + way.start * itemsize) % WIDEST) if len(way.kept) <= MOST_AXES else None
    if work is None:
        return None
    return Plan(
        parameter(way, work),
        start=way.start * itemsize,
        width=work.width,
        across=not work.inner and work.width > 1,
        large=large(way, work),
        outputs=way.outputs,
        first=(work.blocks, work.parts) if work.parts > 1 else (0,),
        second=(work.blocks, work.parts),
        scratch=SCRATCH * way.outputs * work.parts if work.parts > 1 else 0,
    )


def program(found: Operation, way: Plan, result: str, inner: bool) -> str:
    """The CUDA source: `stage1`, the totals of parts, and `stage2`, the running ones.

    Parameters
    ----------
    found : Operation
    way : Plan
    result : str
        What is written, in the words of the source.
    inner : bool
        Whether the axis is the innermost.
    """
    kernel = 'extern "C" __global__ void __launch_bounds__(256)'
    first, scan = "across" if way.across else "first", "scan_rows" if inner else "scan_columns"
    return (
        f"#define INDEX {'u64' if way.large else 'u32'}\n#define UNROLL 8\n{SOURCE}\n{_TEXT}\n"
        f"typedef {found.code} Op;\n"
        f"{kernel} stage1(const P p) {{ {first}<Op, {found.reads}, {way.width}>(p); }}\n"
        f"{kernel} stage2(const P p) {{ {scan}<Op, {found.reads}, {result}, {way.width}>(p); }}\n"
    )
