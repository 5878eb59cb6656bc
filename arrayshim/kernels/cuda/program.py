"""From an operation, a dtype and a layout to two kernels and their one parameter. Text and numbers; no device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.kernels._layout import (
    MOST_AXES,
    THREADS,
    WIDEST,
    Axis,
    Split,
    Walk,
    magic,
    settling,
    split,
    steps_of,
    walk,
)

#: The text before the kernels of one operation, from what numbers are to how blocks work.
SOURCE = "\n".join(
    (Path(__file__).parent / f"{part}.cu").read_text() for part in ("numbers", "operations", "moments", "stages")
)

#: Bytes that are set aside for what one block knows of one result; no `Acc` of the source is larger.
SCRATCH = 48

_AXES = np.dtype(
    [
        ("size", "u8", MOST_AXES),
        ("stride", "i8", MOST_AXES),
        ("mate", "i8", MOST_AXES),
        ("magic", "u4", MOST_AXES),
        ("shift", "u4", MOST_AXES),
    ]
)

#: The struct P of the source.
PARAMETER = np.dtype(
    [
        *((name, _AXES) for name in ("kept", "red")),
        *((name, "u8") for name in ("outputs", "reductions", "length")),
        *((name, "i8") for name in ("home", "first")),
        ("ddof", "f8"),
        *((name, "u8") for name in ("in", "part", "out0", "out1", "out2")),
        *((name, "u4") for name in ("nkept", "nred", "segments", "lanes", "settling", "inner", "monotone")),
    ],
    align=True,
)

#: Where the members that a call fills in are, counted in words of 64 bits.
WORDS = {
    name: int(place) // 8
    for name, (_, place, *_) in dict(PARAMETER.fields or {}).items()
    if name in ("ddof", "in", "part", "out0", "out1", "out2")
}
#: The struct as one opaque value: NumPy describes every member of a structured one when its address is asked for.
OPAQUE = np.dtype((np.void, PARAMETER.itemsize))


@dataclass(frozen=True, slots=True)
class Plan:
    """All about a launch that the layout decides.

    Attributes
    ----------
    parameter : ndarray of uint64
        The words of one `PARAMETER`, without pointers and numbers of the call.
    start : int
        Bytes from the array's first element to the first of the walk.
    width : int
        Elements of a load.
    across : bool
        Whether the elements of a load belong to as many results.
    large : bool
        Whether places need 64 bits.
    outputs : int
        Number of results.
    first, second : tuple of int
        Blocks of the two stages; the second is ``(0,)`` where one stage is enough.
    scratch : int
        Bytes for what the first stage hands on.
    """

    parameter: Any
    start: int
    width: int
    across: bool
    large: bool
    outputs: int
    first: tuple[int, ...]
    second: tuple[int, ...]
    scratch: int


def program(operation: str, element: str, width: int, *, across: bool, large: bool) -> str:
    """The CUDA source of an operation, with the kernels `stage1` and `stage2`.

    Parameters
    ----------
    operation : str
        A type of the source, such as ``"Total<f32, f32, f32, false, false>"``.
    element : str
        What lies in memory, such as ``"f32"``.
    width : int
        Elements of a load.
    across, large : bool, keyword-only
        As the fields of `Plan`.
    """
    kernel = 'extern "C" __global__ void __launch_bounds__(256)'
    return (
        f"#define INDEX {'u64' if large else 'u32'}\n#define UNROLL {4 if width > 1 else 8}\n{SOURCE}\n"
        f"typedef {operation} Op;\n"
        f"{kernel} stage1(const P p) {{ {'across' if across else 'first'}<Op, {element}, {width}>(p); }}\n"
        f"{kernel} stage2(const P p) {{ second<Op>(p); }}\n"
    )


@lru_cache(maxsize=1024)
def plan(
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    itemsize: int,
    address: int,
    axes: tuple[int, ...],
    index: tuple[int, ...] | None = None,
    first: int = 0,
) -> Plan | None:
    """The plan of a reduction, or None for a layout that the kernels cannot take.

    Parameters
    ----------
    shape, strides : tuple of int
        Of the array, strides in bytes; no size is 0.
    itemsize : int
        Bytes of an element.
    address : int
        Of the first element, modulo `WIDEST`.
    axes : tuple of int
        The axes to reduce, normalised.
    index, first
        As in `arrayshim.kernels._layout.walk`.
    """
    steps = steps_of(shape, strides, itemsize, address)
    if steps is None:
        return None
    way = walk(shape, steps, axes, index=index, first=first)
    if max(len(way.kept), len(way.reduced)) > MOST_AXES:
        return None
    work = split(way, itemsize, (address + way.start * itemsize) % WIDEST)
    outputs = way.outputs
    lanes = settling(outputs, work.parts)
    per_block = THREADS >> lanes
    return Plan(
        parameter(way, work, lanes),
        start=way.start * itemsize,
        width=work.width,
        across=not work.inner and work.width > 1,
        large=large(way, work),
        outputs=outputs,
        first=(work.blocks, work.parts),
        second=(-(-outputs // per_block) if work.parts > 1 else 0,),
        scratch=SCRATCH * outputs * work.parts if work.parts > 1 else 0,
    )


def large(way: Walk, work: Split) -> bool:
    """Whether numbers of results or of elements need 64 bits."""
    return max(way.outputs + work.width * THREADS, work.parts * work.length) >= 2**31


def parameter(way: Walk, work: Split, lanes: int = 0) -> Any:
    """The words of one `PARAMETER`, without pointers and numbers of the call; `lanes`: of the second stage."""
    found = np.zeros(1, PARAMETER)
    entry = found[0]
    for name, number, sequence in (("kept", "nkept", way.kept), ("red", "nred", way.reduced)):
        entry[number] = max(1, len(sequence))
        _fill(entry[name], sequence or (Axis(1, 0, 0),))
    entry["outputs"], entry["reductions"], entry["length"] = way.outputs, way.reductions, work.length
    entry["home"], entry["first"] = way.home, way.first
    entry["segments"], entry["lanes"], entry["settling"] = work.parts, work.lanes, lanes
    entry["inner"], entry["monotone"] = work.inner, way.monotone
    return found.view(np.uint64)


def _fill(entry: Any, axes: Sequence[Axis]) -> None:
    for k, axis in enumerate(axes):
        entry["size"][k], entry["stride"][k], entry["mate"][k] = axis.size, axis.stride, axis.mate
        if axis.size < 2**31:
            entry["magic"][k], entry["shift"][k] = magic(axis.size)
