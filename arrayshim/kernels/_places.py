"""Which values of an element stream a chunk holds. Plain numbers; no arrays, no device.

Element *i* of an array is the *i*-th in C order of the whole array, and its numbers come from the blocks of
Philox4x64-10 whose counter is ``(block, part and attempt, stream number, jumps)``. With attempt 0, the 256 bits of a
block are lanes, from the lowest bits of the first word on, one for each of as many neighbours: of 64 bits, or as few as
the kind of number needs. With attempt 1 and above, block *i* is all that element *i* has for that attempt.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

MASK = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class Stream:
    """One stream of numbers.

    Attributes
    ----------
    key : tuple of two int
        From the seed.
    number : int
        Of the draw, counted by the generator.
    jump : int
        How often the generator had jumped.
    part : int
        Which of the independent draws that one call needs.
    """

    key: tuple[int, int]
    number: int = 0
    jump: int = 0
    part: int = 0

    def of(self, part: int) -> Stream:
        """The stream of another part, numbered from 1, of the same call."""
        return replace(self, part=self.part * 8 + part)

    def column(self, number: int) -> Stream:
        """The stream of a column of vectors, numbered from 0."""
        return replace(self, part=(1 << 24) + number)

    def counter(self, attempt: int) -> tuple[int, int, int]:
        """The words of the counter behind the block."""
        return (self.part << 32) | attempt, self.number, self.jump


@dataclass(frozen=True, slots=True)
class Places:
    """Linear indices ``offset + sum(stride * j)`` of the elements ``j`` of a chunk of `shape`."""

    offset: int
    strides: tuple[int, ...]
    shape: tuple[int, ...]

    @classmethod
    def whole(cls, shape: tuple[int, ...]) -> Places:
        """All elements of an array, in C order.

        Raises
        ------
        ValueError
            If there are 2**64 elements or more.
        """
        if math.prod(shape) > MASK:
            raise ValueError(
                f"size {shape} has {math.prod(shape)} elements, and an element stream numbers them with 64 bits, "
                "so it holds fewer than 2**64; draw several arrays"
            )
        strides, step = [], 1
        for n in reversed(shape):
            strides.append(step)
            step *= n
        return cls(0, tuple(reversed(strides)), tuple(shape))

    @property
    def size(self) -> int:
        """Number of elements."""
        return math.prod(self.shape)

    def block(self, slices: tuple[slice, ...]) -> Places:
        """The part that slices with a start and a stop, one per axis, cut out."""
        offset = self.offset + sum(s.start * step for s, step in zip(slices, self.strides, strict=True))
        return Places(offset, self.strides, tuple(s.stop - s.start for s in slices))

    def merged(self) -> tuple[tuple[int, int], ...]:
        """``(length, stride)`` of each axis, outermost first, neighbours that are one walk made one axis."""
        axes: list[tuple[int, int]] = []
        for n, step in zip(self.shape, self.strides, strict=True):
            if n == 1:
                continue
            if axes and axes[-1][1] == n * step:
                axes[-1] = axes[-1][0] * n, step
            else:
                axes.append((n, step))
        return tuple(axes) or ((1, 1),)

    def pieces(self, limit: int) -> Iterator[tuple[tuple[slice, ...], Places]]:
        """Parts of at most `limit` elements, with the slices that cut them out."""
        yield from self._pieces(limit, (), 0)

    def _pieces(self, limit: int, done: tuple[slice, ...], axis: int) -> Iterator[tuple[tuple[slice, ...], Places]]:
        inner = math.prod(self.shape[axis + 1 :])
        if axis == len(self.shape):
            yield done, self
        elif inner > limit:
            for j in range(self.shape[axis]):
                yield from self._piece(slice(j, j + 1), axis)._pieces(limit, (*done, slice(j, j + 1)), axis + 1)
        else:
            rest = tuple(slice(0, n) for n in self.shape[axis + 1 :])
            step = max(1, limit // max(1, inner))
            for j in range(0, self.shape[axis], step):
                cut = slice(j, min(j + step, self.shape[axis]))
                yield (*done, cut, *rest), self._piece(cut, axis)

    def _piece(self, cut: slice, axis: int) -> Places:
        shape = (*self.shape[:axis], cut.stop - cut.start, *self.shape[axis + 1 :])
        return Places(self.offset + cut.start * self.strides[axis], self.strides, shape)

    def linear(self, like: Any) -> Any:
        """The indices as a flat array of uint64 beside `like`."""
        total: Any = np.full_like(like, np.uint64(self.offset & MASK), shape=1, dtype=np.uint64)
        for n, step in zip(self.shape, self.strides, strict=True):
            steps = np.arange(n, dtype=np.uint64, **_beside(like)) * np.uint64(step & MASK)
            total = (total[:, None] + steps[None, :]).reshape(-1)
        return total


def _beside(like: Any) -> dict[str, Any]:
    return {} if isinstance(like, np.ndarray) else {"like": like}


@dataclass(frozen=True, slots=True)
class Kind:
    """What is made of the words.

    Attributes
    ----------
    name : str
        ``raw`` (unsigned integers: the lanes), ``random`` (uniform in [0, 1)), ``normal`` or ``integers``.
    dtype : dtype
        Of the result.
    scale, shift : float
        Of ``random`` and ``normal`` in float64: the result is ``value * scale + shift``, rounded twice.
    low, most : int
        Of ``integers``: the result is from ``low`` to ``low + most``, both included.
    """

    name: str
    dtype: np.dtype[Any]
    scale: float = 1.0
    shift: float = 0.0
    low: int = 0
    most: int = 0

    @property
    def bits(self) -> int:
        """Width of a lane."""
        if self.name == "raw":
            return 8 * self.dtype.itemsize
        if self.name == "integers":
            return lane_of(self.most)
        return 32 if self.name == "random" and self.dtype.char == "f" else 64

    @property
    def per_block(self) -> int:
        """How many elements share a block."""
        return 256 // self.bits

    @property
    def rejected(self) -> int:
        """Of ``integers``: how many lanes of all that there are would be one too many, and are rejected."""
        return (1 << self.bits) % (self.most + 1) if self.bits < 64 else 0


#: Lanes that integers may have.
LANES = (8, 16, 32, 64)


def lane_of(most: int) -> int:
    """The lane for an integer from 0 to `most`: the narrowest of which rejecting costs less than twice the width does.

    An element that is rejected needs a block of its own, which is as dear as 64 words of a run (4096 bits).
    """
    span = most + 1
    for bits in LANES[:-1]:
        if span <= 1 << bits and ((1 << bits) % span) << 12 < bits << bits:
            return bits
    return 64
