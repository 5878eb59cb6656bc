"""NumPy's own Philox, put where a run of elements begins."""

from __future__ import annotations

import threading
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


source = Source()


def raw(out: Any) -> None:
    """Fill with words."""
    for at in range(0, out.size, DRAWN):
        part = out[at : at + DRAWN]
        part[...] = source.words(part.size)


def random(kind: Kind, out: Any) -> None:
    """Fill with uniforms, scaled while they are in the cache."""
    piece = out.size if kind.scale == 1.0 and kind.shift == 0.0 else DRAWN
    for at in range(0, out.size, max(1, piece)):
        part = out[at : at + piece]
        source.generator.random(out=part, dtype=part.dtype)
        scaled(part, kind)


def run(stream: Stream, attempt: int, draw: Any, first: int, out: Any, per_block: int = 4) -> None:
    """Fill `out` with what `draw` makes of the words from number `first` on."""
    source.place(stream, attempt, first // per_block)
    if first % per_block:
        if per_block == 4:
            source.bits.random_raw(first % 4, output=False)
        else:
            draw(np.empty(first % per_block, out.dtype))
    draw(out)


def scaled(values: Any, kind: Kind) -> None:
    """Scale and shift in place."""
    if kind.scale != 1.0:
        values *= kind.scale
    if kind.shift != 0.0:
        values += kind.shift
