"""Values by rank along an axis without sorting: the layouts, the split and the source. Text and numbers; no device."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.kernels._layout import MOST_AXES, THREADS, WIDEST, Split, lines, parts_of, steps_of, widest
from arrayshim.kernels.cuda.operations import element
from arrayshim.kernels.cuda.program import parameter

_HERE = Path(__file__).parent
_SOURCE = "\n".join((_HERE / f"{part}.cu").read_text() for part in ("numbers", "selection"))

#: Most bits of a digit, ranks that are looked for at once, and bytes of what is known of a slice, as in the source.
DIGIT, RANKS, STATE = 11, 4, 56
#: Slices of more elements, and arrays whose slices have more together, are left to the library: counts have 32 bits.
MOST = 2**31 - 1
#: Slices of fewer elements have one block each, as have those that are as many as a device can have at work.
_SHORT, _SLICES = 1 << 16, 264
#: Blocks of all slices together; fewest elements of each; parts in which a slice is searched for what is taken.
_BLOCKS, _LEAST, _TILES, _TILE = 1056, 1 << 13, 4096, 1 << 12


@dataclass(frozen=True, slots=True)
class Selection:
    """All about the launches that the layout decides.

    Attributes
    ----------
    narrowing, taking : ndarray of uint64
        The words of two `PARAMETER`, without pointers and numbers of the call.
    start : int
        Bytes from the array's first element to the first of the walk.
    width : int
        Elements of a load.
    outputs : int
        Number of slices.
    parts, tiles : int
        Blocks of a slice, where the rank is looked for and where those before it are taken.
    passes : int
        Launches until all digits are found.
    bins : int
        Values of a digit.
    """

    narrowing: Any
    taking: Any
    start: int
    width: int
    outputs: int
    parts: int
    tiles: int
    passes: int
    bins: int

    def scratch(self, ranks: int) -> int:
        """Bytes, 0 at first, of what is known of the slices, and of the counts that their blocks add up."""
        return self.outputs * (STATE + (4 * ranks * self.bins if self.parts > 1 else 0))


def known(dtype: np.dtype[Any]) -> bool:
    """Whether a dtype has an order that the kernels know."""
    return dtype.kind in "biuf" and element(dtype) is not None


def digits(itemsize: int) -> tuple[int, int]:
    """How many digits a number has, and how many values a digit."""
    passes = math.ceil(8 * itemsize / DIGIT)
    return passes, 1 << math.ceil(8 * itemsize / passes)


@lru_cache(maxsize=1024)
def plan(shape: tuple[int, ...], strides: tuple[int, ...], itemsize: int, address: int, axis: int) -> Selection | None:
    """The plan of a selection along an axis, or None for a layout that the kernels cannot take.

    Parameters
    ----------
    shape, strides : tuple of int
        Of the array, strides in bytes; no size is 0.
    itemsize : int
        Bytes of an element.
    address : int
        Of the first element, modulo `WIDEST`.
    axis : int
        Normalised; its elements must lie one behind the other.
    """
    size = shape[axis]
    steps = steps_of(shape, strides, itemsize, address)
    if steps is None or math.prod(shape) > MOST or (size > 1 and strides[axis] != itemsize):
        return None
    steps[axis] = 1
    way = lines(shape, steps, axis, apart=True)
    if len(way.kept) > MOST_AXES:
        return None
    width = widest(way.reduced[0], way.kept, itemsize, (address + way.start * itemsize) % WIDEST, WIDEST)
    step = THREADS * width
    wanted = 1 if size < _SHORT or way.outputs >= _SLICES else min(-(-_BLOCKS // way.outputs), size // _LEAST)
    parts, length = parts_of(size, wanted, step)
    tiles, tile = parts_of(size, min(_TILES, -(-size // _TILE)), step)
    passes, bins = digits(itemsize)

    def words(parts: int, length: int) -> Any:
        return parameter(way, Split(True, 0, width, parts, length, way.outputs))

    return Selection(
        words(parts, length),
        words(tiles, tile),
        start=way.start * itemsize,
        width=width,
        outputs=way.outputs,
        parts=parts,
        tiles=tiles,
        passes=passes if parts > 1 else 1,
        bins=bins,
    )


def program(reads: str, width: int, ranks: int) -> str:
    """The CUDA source that looks for 1, 2 or 4 ranks, with the kernel `stage1`.

    Parameters
    ----------
    reads : str
        What lies in memory, in the words of the source.
    width : int
        Elements of a load.
    ranks : int
    """
    return f"{_head(width)}{_KERNEL} stage1(const P p) {{ narrow<{reads}, {width}, {ranks}, false, false>(p); }}\n"


def top_program(reads: str, width: int, most: bool) -> str:
    """The CUDA source that takes the least or the `most`, with the kernels `stage1`, `stage2` and `stage3`."""
    flip = str(most).lower()
    return (
        f"{_head(width)}"
        f"{_KERNEL} stage1(const P p) {{ narrow<{reads}, {width}, 1, true, {flip}>(p); }}\n"
        f"{_KERNEL} stage2(const P p) {{ tally<{reads}, {width}, {flip}>(p); }}\n"
        f"{_KERNEL} stage3(const P p) {{ collect<{reads}, {flip}>(p); }}\n"
    )


_KERNEL = 'extern "C" __global__ void __launch_bounds__(256)'


def _head(width: int) -> str:
    return f"#define INDEX u32\n#define UNROLL {2 if width > 8 else 4}\n#define DIGIT {DIGIT}\n{_SOURCE}\n"
