"""How a reduction walks through a strided array, and how that walk is split over blocks of threads. Plain arithmetic.

`walk` turns shape, strides and axes into two short lists of axes, kept and reduced, in which neighbours that lie one
behind the other are one axis, the smallest stride comes first and no stride is negative. `split` decides how many
threads share an output, how many parts a reduction is cut into, and whether loads may be wide. Nothing here knows a
device: the same array gives the same plan, so the same tree of additions, on every one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

#: Threads of a block.
THREADS = 256
#: Most axes that the kernels have room for.
MOST_AXES = 8
#: As many blocks as keep a large device busy to the end; a constant, for results that no device changes.
BLOCKS = 1024
#: As many threads as keep a large device busy; results that have more than one each get no more than that.
FILL = 1 << 19
#: Most neighbouring results of one thread.
_ACROSS = 4
#: Fewest elements for each thread before a reduction is cut into more parts.
PER_THREAD = 16
#: Bytes of the widest load.
WIDEST = 16
#: Bytes that neighbouring threads should read together.
LINE = 128
_MOST_PARTS = 32768


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis of the walk.

    Attributes
    ----------
    size : int
    stride : int
        In elements of the array.
    mate : int
        What a step adds to the place of the result (kept axes) or to the index (reduced axes).
    """

    size: int
    stride: int
    mate: int


@dataclass(frozen=True, slots=True)
class Walk:
    """A reduction of a strided array.

    Attributes
    ----------
    kept, reduced : tuple of Axis
        The first is the innermost; none where nothing is kept or reduced.
    start : int
        Place of the first element of the walk, in elements from the array's own first.
    home : int
        Place of the result of the first row.
    first : int
        Index of the first element.
    """

    kept: tuple[Axis, ...]
    reduced: tuple[Axis, ...]
    start: int = 0
    home: int = 0
    first: int = 0

    @property
    def outputs(self) -> int:
        """Number of results."""
        return math.prod(axis.size for axis in self.kept)

    @property
    def reductions(self) -> int:
        """Number of elements that make one result."""
        return math.prod(axis.size for axis in self.reduced)

    @property
    def monotone(self) -> bool:
        """Whether the index grows with every element of the walk."""
        reach = 0
        for axis in self.reduced:
            if axis.mate <= reach:
                return False
            reach += axis.mate * (axis.size - 1)
        return True


@dataclass(frozen=True, slots=True)
class Split:
    """The work of blocks.

    Attributes
    ----------
    inner : bool
        Whether neighbouring threads take neighbouring elements of one reduction, or neighbouring results.
    lanes : int
        Base 2 logarithm of the threads that share a result.
    width : int
        Elements of a load, along the reduced axes where `inner`, else along the kept ones.
    parts : int
        Number of blocks that share a result.
    length : int
        Elements of a part.
    blocks : int
        Number of blocks that a part of all results takes.
    """

    inner: bool
    lanes: int
    width: int
    parts: int
    length: int
    blocks: int


def walk(
    shape: Sequence[int],
    strides: Sequence[int],
    axes: Sequence[int],
    *,
    index: Sequence[int] | None = None,
    first: int = 0,
) -> Walk:
    """The walk of a reduction.

    Parameters
    ----------
    shape, strides : sequence of int
        Of the array, strides in elements; no size is 0.
    axes : sequence of int
        The axes to reduce, normalised.
    index : sequence of int, optional, keyword-only
        For each axis of the array, what a step along it adds to the index; 0 for kept axes. Without it indices do not
        matter, and more axes can be merged.
    first : int, keyword-only
        Index of the array's first element.
    """
    place = 1
    kept, reduced = [], []
    for i in reversed(range(len(shape))):
        if i in axes:
            reduced.append(Axis(shape[i], strides[i], index[i] if index else 0))
        else:
            kept.append(Axis(shape[i], strides[i], place))
            place *= shape[i]
    start, (kept, home), (reduced, reached) = 0, forward(kept), forward(reduced)
    for i, n in enumerate(shape):
        start += min(0, strides[i] * (n - 1))
    return Walk(merged(kept), merged(reduced), start, home, first + reached)


def steps_of(shape: Sequence[int], strides: Sequence[int], itemsize: int, address: int) -> list[int] | None:
    """Strides in elements, 0 along axes of one; None where elements are not in whole steps from address 0."""
    if address % itemsize or any(step % itemsize for step, n in zip(strides, shape, strict=True) if n > 1):
        return None
    return [step // itemsize if n > 1 else 0 for step, n in zip(strides, shape, strict=True)]


def lines(shape: Sequence[int], strides: Sequence[int], axis: int, *, apart: bool) -> Walk:
    """The walk along one axis, which is taken as it lies: neither turned round nor left out where it has one element.

    Parameters
    ----------
    shape, strides : sequence of int
        As of :func:`walk`.
    axis : int
        Normalised.
    apart : bool, keyword-only
        Whether results are laid out by the other axes alone; else results have all of the axes.
    """
    place, start, kept, along = 1, 0, [], Axis(1, 0, 0)
    for i in reversed(range(len(shape))):
        found = Axis(shape[i], strides[i], place)
        if i == axis:
            along = Axis(shape[i], strides[i], 1) if apart else found
        else:
            kept.append(found)
            start += min(0, strides[i] * (shape[i] - 1))
        place *= 1 if apart and i == axis else shape[i]
    turned, home = forward(kept)
    return Walk(merged(turned), (along,), start, home)


def forward(axes: list[Axis]) -> tuple[list[Axis], int]:
    """Axes longer than one, none of them backwards, and the sum of mates that lies before the first element now."""
    turned, before = [], 0
    for axis in axes:
        if axis.size == 1:
            continue
        if axis.stride < 0:
            before += axis.mate * (axis.size - 1)
            axis = Axis(axis.size, -axis.stride, -axis.mate)
        turned.append(axis)
    return turned, before


def merged(axes: list[Axis]) -> tuple[Axis, ...]:
    """The axes by stride, smallest first and those of a broadcast last, neighbours made one where they can be."""
    found: list[Axis] = []
    for axis in sorted(axes, key=lambda axis: (axis.stride == 0, axis.stride, abs(axis.mate))):
        inner = found[-1] if found else None
        if inner and axis.stride == inner.stride * inner.size and axis.mate == inner.mate * inner.size:
            found[-1] = Axis(inner.size * axis.size, inner.stride, inner.mate)
        else:
            found.append(axis)
    return tuple(found)


def _power(n: int) -> int:
    """Base 2 logarithm of the least power of two that is no less than n."""
    return max(0, n - 1).bit_length()


def widest(run: Axis, others: Sequence[Axis], itemsize: int, address: int, most: int) -> int:
    """Elements of a load along an axis."""
    width = min(most, max(1, WIDEST // itemsize))
    if run.stride != 1:
        return 1
    while width > 1 and (
        address % (width * itemsize) or run.size % width or any(axis.stride % width for axis in others)
    ):
        width //= 2
    return width


def split(way: Walk, itemsize: int, address: int = 0, *, blocks: int = BLOCKS) -> Split:
    """The split of a walk.

    Parameters
    ----------
    way : Walk
    itemsize : int
        Bytes of an element.
    address : int
        Of the first element of the walk, or that modulo `WIDEST`.
    blocks : int, keyword-only
        As many blocks as the device should have.
    """
    outputs, reductions = way.outputs, way.reductions
    inner = not way.kept or (bool(way.reduced) and _before(way.reduced[0], way.kept[0]))
    most, width = _power(THREADS), 1
    if inner:
        if way.reduced:
            width = widest(way.reduced[0], (*way.reduced[1:], *way.kept), itemsize, address, WIDEST)
        loads = max(1, reductions // width)
        together = min(_power(loads), _power(max(1, LINE // (width * itemsize))))
        # No more threads to a result than there are enough loads for, and than a device has left to give.
        lanes = min(most, max(together, min(_power(max(1, loads // 8)), _power(math.ceil(FILL / outputs)))))
        groups, along = outputs, width
    else:
        width = widest(way.kept[0], (*way.kept[1:], *way.reduced), itemsize, address, _ACROSS)
        lanes = most - min(most, _power(min(way.kept[0].size // width, THREADS)))
        # Rows of results longer than a warp leave threads to share a result where there is enough to share.
        lanes = max(lanes, min(3, _power(max(1, reductions // PER_THREAD))))
        # Rows are shorter than a page of memory here, so more blocks at a time pay.
        groups, along, blocks = outputs // width, 1, 2 * blocks
    taken = 2**lanes
    each = math.ceil(groups / (THREADS // taken))
    step = taken * along
    parts = min(math.ceil(blocks / each), max(1, reductions // (step * PER_THREAD)), _MOST_PARTS)
    length = math.ceil(math.ceil(reductions / parts) / step) * step
    return Split(inner, lanes, width, math.ceil(reductions / length), length, each)


def parts_of(length: int, parts: int, step: int) -> tuple[int, int]:
    """How many parts, at most `parts`, and of how many elements, a multiple of `step`."""
    each = math.ceil(math.ceil(length / max(1, parts)) / step) * step
    return math.ceil(length / each), each


def settling(outputs: int, parts: int) -> int:
    """Base 2 logarithm of the threads that share a result where the parts of all results are merged."""
    return min(_power(parts), _power(THREADS) - min(_power(outputs), 5))


def _before(one: Axis, other: Axis) -> bool:
    """Whether an axis is further in; a broadcast one is not."""
    return one.stride != 0 and (other.stride == 0 or one.stride < other.stride)


def magic(size: int) -> tuple[int, int]:
    """Multiplier and shift by which 32-bit numbers below 2**31 are divided.

    ``n // size == ((n * multiplier >> 32) + n) >> shift`` (Granlund & Montgomery 1994).
    """
    shift = _power(size)
    return ((1 << 32) * ((1 << shift) - size)) // size + 1, shift
