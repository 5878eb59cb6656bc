"""Counting in bins: which dtypes and how many bins, and the source. Text and numbers; no device."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.kernels.cuda.operations import element
from arrayshim.kernels.cuda.program import SOURCE, Plan

_TEXT = (Path(__file__).parent / "histogram.cu").read_text()

#: As in the source: most bins, and counters that a block has room for; of numbers that are bins, most of these.
MOST_BINS, _ROOM, MOST_VALUES = 1024, 4096, 8192


def exact(dtype: np.dtype[Any]) -> bool:
    """Whether numbers of a dtype are compared in float64 as NumPy compares them with edges."""
    return dtype.kind in "iuf" and element(dtype) is not None and (dtype.kind == "f" or dtype.itemsize < 8)


def copies(bins: int, room: int = _ROOM) -> int:
    """How many copies of the bins a block counts in, a power of two."""
    return min(256, 1 << (room // bins).bit_length() - 1)


def program(reads: str, way: Plan, *, values: bool = False) -> str:
    """The CUDA source for a dtype (in the words of the source) and a plan without kept axes.

    With `values` numbers are bins themselves; else bins lie between edges.
    """
    index, unroll = "u64" if way.large else "u32", 4 if way.width > 1 else 8
    return (
        f"#define INDEX {index}\n#define UNROLL {unroll}\n{SOURCE}\n{_TEXT}\n"
        'extern "C" __global__ void __launch_bounds__(256) stage1(\n'
        "    const P p, const double* edges, u64 bins, u64 copies, u64* counts) {\n"
        f"    {'valued' if values else 'binned'}<{reads}, {way.width}>(p, edges, (u32)bins, (u32)copies, counts);\n}}\n"
    )
