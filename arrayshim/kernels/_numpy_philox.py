"""NumPy's own Philox, put where a run of elements begins."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

from arrayshim.kernels._places import MASK, Kind, Stream

#: Words that are drawn at a time: the call costs what a thousand words do.
DRAWN = 16384


class Source(threading.local):
    """A Philox generator of this thread, put where a run begins."""

    def __init__(self) -> None:
        self.bits = np.random.Philox(key=np.zeros(2, np.uint64))
        self.generator = np.random.Generator(self.bits)
        self._state: Any = dict(self.bits.state, buffer_pos=4, has_uint32=0, uinteger=0)
        self._counter = self._state["state"]["counter"]
        self._at: tuple[Stream, int] | None = None

    def place(self, stream: Stream, attempt: int, block: int) -> None:
        """Make the next word the first of a block."""
        # NumPy counts before it makes a block.
        if block and self._at == (stream, attempt):
            self._counter[0] = block - 1
        else:
            second, third, fourth = stream.counter(attempt)
            before = (block | second << 64 | third << 128 | fourth << 192) - 1
            self._counter[:] = [before >> 64 * k & MASK for k in range(4)]
            self._state["state"]["key"][:] = stream.key
            self._at = (stream, attempt) if block else None
        self.bits.state = self._state

    def words(self, count: int) -> Any:
        """The next words; where they are many, other threads run meanwhile, as during ``random_raw`` they do not."""
        if count < DRAWN // 4:
            return self.bits.random_raw(count)
        return self.generator.integers(0, MASK, count, np.uint64, True)

    def taken(self) -> int:
        """Number of the next word."""
        state = self.bits.state
        return 4 * int(state["state"]["counter"][0]) + int(state["buffer_pos"])


source = Source()


def lanes_of(stream: Stream, attempt: int, first: int, count: int, bits: int, piece: int) -> Iterator[tuple[int, Any]]:
    """The lanes of a run of elements, at most `piece` at a time, each time with the position of the first of them.

    Parameters
    ----------
    stream : Stream
    attempt : int
    first : int
        Element that the run begins with.
    count : int
    bits : int
        Width of a lane.
    piece : int
        A multiple of the lanes of a block.

    Yields
    ------
    int
    array of unsigned integers
        Of its own, and contiguous.
    """
    per_block = 256 // bits
    source.place(stream, attempt, first // per_block)
    # Lanes of the first block that belong to elements before the run: to leave them out takes no call.
    at, before = 0, first % per_block
    while at < count:
        wanted = min(piece - before, count - at)
        words = source.words(-(-(before + wanted) * bits // 64))
        yield at, words.astype("<u8", copy=False).view(f"<u{bits // 8}")[before : before + wanted]
        at, before = at + wanted, 0


def multiplied(stream: Stream, first: int, count: int, span: int) -> Any:
    """The upper halves of words times `span`, as NumPy makes integers.

    Parameters
    ----------
    stream : Stream
    first, count : int
        Elements.
    span : int
        More than 2**32, since NumPy takes halves of words for fewer.

    Returns
    -------
    array of uint64, or None
        None where NumPy has rejected a word: what it made of those behind it belongs to elements before them.
    """
    if not _multiplies():
        return None
    block, before = divmod(first, 4)
    source.place(stream, 0, block)
    values = source.generator.integers(0, span - 1, before + count, np.uint64, True)
    return values[before:] if (source.taken() - first - count) % (1 << 66) == 0 else None


@cache
def _multiplies() -> bool:
    """Whether this NumPy makes integers so; no promise of its own keeps it from another way."""
    stream, span = Stream((1, 2)), 5**17
    source.place(stream, 0, 0)
    expected = [int(word) * span >> 64 for word in source.bits.random_raw(32)]
    source.place(stream, 0, 0)
    return bool(source.generator.integers(0, span - 1, 32, np.uint64, True).tolist() == expected)


def raw(stream: Stream, attempt: int, first: int, out: Any) -> None:
    """Fill with the lanes of a run of elements."""
    bits = 8 * out.itemsize
    for at, lanes in lanes_of(stream, attempt, first, out.size, bits, DRAWN * 64 // bits):
        out[at : at + lanes.size] = lanes


def random(kind: Kind, out: Any) -> None:
    """Fill with uniforms, scaled while they are in the cache."""
    piece = out.size if kind.scale == 1.0 and kind.shift == 0.0 else DRAWN
    for at in range(0, out.size, max(1, piece)):
        part = out[at : at + piece]
        source.generator.random(out=part, dtype=part.dtype)
        scaled(part, kind)


def random_run(stream: Stream, kind: Kind, first: int, out: Any) -> None:
    """Fill with uniforms of a run of elements."""
    block, before = divmod(first, kind.per_block)
    source.place(stream, 0, block)
    if before and out.size <= DRAWN:  # to copy so few is sooner done than another call
        drawn = np.empty(before + out.size, out.dtype)
        random(kind, drawn)
        out[...] = drawn[before:]
        return
    if before:
        random(kind, np.empty(before, out.dtype))
    random(kind, out)


def scaled(values: Any, kind: Kind) -> None:
    """Scale and shift in place."""
    if kind.scale != 1.0:
        values *= kind.scale
    if kind.shift != 0.0:
        values += kind.shift
