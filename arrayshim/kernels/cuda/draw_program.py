"""From a distribution and a dtype to a kernel that draws, and its parameter. Text and numbers; no device."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal, localcontext
from functools import cache
from pathlib import Path
from types import MappingProxyType

import numpy as np

#: Threads of a block, as in the source.
THREADS = 256

#: The struct P of the source: out, count, block; a, b; low, span; stream and what fills it up; then the keys of rounds.
_PARAMETER = struct.Struct("<3Q2d2Q2I")
#: What is added to the two words of the key before each round, Philox's Weyl sequences.
_STEPS = np.outer(np.arange(10, dtype=np.uint32), np.array([0x9E3779B9, 0xBB67AE85], dtype=np.uint32))
PARAMETER = np.dtype((np.void, _PARAMETER.size + _STEPS.nbytes))


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel of the source.

    Attributes
    ----------
    code : str
        Arguments of the template `fill`.
    each : int
        Values that a block of four words makes.
    """

    code: str
    each: int


def _kernels() -> dict[tuple[str, int], Kernel]:
    found = {("raw", 4): Kernel("Raw, u32", 4)}
    for name in ("normal", "lognormal", "exponential", "uniform"):
        for size, element in ((8, "double"), (4, "float")):
            found[name, size] = Kernel(f"{name.capitalize()}, {element}", 16 // size)
    for size in (1, 2, 4):
        found["integers32", size] = Kernel(f"Integers32, u{8 * size}", 4)
    found["integers64", 8] = Kernel("Integers64, u64", 2)
    return found


KERNELS: Mapping[tuple[str, int], Kernel] = MappingProxyType(_kernels())
"""(Distribution, bytes of a value) -> kernel."""


@cache
def table() -> tuple[float, ...]:
    """128 pairs 1/c and ln c for `minus_log` of the source; the same digits on every machine."""
    found = []
    with localcontext() as context:
        context.prec = 40
        for place in range(128):
            begin, end = _bound(place), _bound(place + 1)
            inverse = 1.0 if begin == 1.0 or end == 1.0 else 2.0 / (begin + end)
            found += [inverse, float(-Decimal(inverse).ln())]
    return tuple(found)


def _bound(place: int) -> float:
    # Places are the upper seven bits of a mantissa, counted from 0.6875 on.
    return 0.6875 + place / 256 if place <= 80 else 1.0 + (place - 80) / 128


@cache
def source() -> str:
    """The source with its table, without kernels."""
    text = (Path(__file__).parent / "draw.cu").read_text()
    return text.replace("{TABLE}", f"{{{', '.join(value.hex() for value in table())}}}")


def program(kernel: Kernel) -> str:
    """The CUDA source of a kernel, called `draw`."""
    head = 'extern "C" __global__ void __launch_bounds__(256)'
    return f"{source()}\n{head} draw(const P p) {{ fill<{kernel.code}>(p); }}\n"


def parameter(
    out: int,
    count: int,
    block: int,
    key: int,
    stream: int,
    a: float = 0.0,
    b: float = 1.0,
    low: int = 0,
    span: int = 0,
) -> bytes:
    """The bytes of one P.

    Parameters
    ----------
    out : int
        Address of the first value, a multiple of 16.
    count : int
        Number of values.
    block : int
        Number of the first block of words; 64 bits, like `key`.
    key, stream : int
        Whose numbers.
    a, b : float
        Loc and scale, or low and width.
    low, span : int
        Least integer and how many there are; modulo 2^64.
    """
    low, span = low & 0xFFFFFFFFFFFFFFFF, span & 0xFFFFFFFFFFFFFFFF
    keys = np.frombuffer(key.to_bytes(8, "little"), "<u4") + _STEPS
    return _PARAMETER.pack(out, count, block, a, b, low, span, stream, 0) + keys.tobytes()


def blocks_of(kernel: Kernel, count: int) -> int:
    """How many blocks of words a draw of `count` values takes."""
    return -(-count // kernel.each)
