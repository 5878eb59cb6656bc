"""The row of CuPy for counting in bins: one read of the data, in any layout, with NumPy's edges."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from arrayshim import kernels
from arrayshim.kernels._layout import THREADS, WIDEST
from arrayshim.kernels.cuda import launch
from arrayshim.kernels.cuda.binning import MOST_BINS, copies, exact, program
from arrayshim.kernels.cuda.operations import element
from arrayshim.kernels.cuda.program import OPAQUE, WORDS, plan

_compiled: dict[Any, Any] = {}


def bin_counts(x: Any, edges: Any) -> Any:
    """:func:`arrayshim.kernels.histograms.bin_counts` of a CuPy array; None where CuPy's own function must do it.

    Notes
    -----
    cupy.histogram rounds the edges to float32 where the data are, and moves the last one; here they are compared as
    NumPy does, in float64.
    """
    bins = edges.size - 1
    reads = element(x.dtype)
    if not 1 <= bins <= MOST_BINS or reads is None or not exact(x.dtype) or not exact(edges.dtype):
        return None
    if x.size < launch.SMALLEST or x.data.device_id != cupy.cuda.runtime.getDevice():
        return None
    address = x.data.ptr
    way = plan(x.shape, x.strides, x.itemsize, address % WIDEST, tuple(range(x.ndim)))
    if way is None:
        return None
    stages = launch.compiled(
        _compiled, (way.width, way.large, f"bin_counts<{reads}>"), lambda: program(reads, way), ("stage1",)
    )
    if stages is None:
        return None
    edges = cupy.asarray(edges, dtype=np.float64)
    counts = cupy.zeros(bins, dtype=np.int64)
    words = way.parameter.copy()
    words[WORDS["in"]] = address + way.start
    stages[0](way.first, (THREADS,), (words.view(OPAQUE), edges, np.uint64(bins), np.uint64(copies(bins)), counts))
    return counts


kernels.TABLES["bin_counts"].add(cupy.ndarray, bin_counts)
