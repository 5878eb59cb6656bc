"""The rows of CuPy for counting in bins: one read of the data, in any layout, with NumPy's edges."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from arrayshim import kernels
from arrayshim.kernels._layout import THREADS, WIDEST
from arrayshim.kernels.cuda import launch
from arrayshim.kernels.cuda.binning import MOST_BINS, MOST_VALUES, copies, exact, program
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
    return _counted(x, bins, copies(bins), edges)


def bincount(x: Any, weights: Any = None, minlength: int = 0) -> Any:
    """:func:`numpy.bincount` of a CuPy array: two reads, the first for the largest number, for which the host waits.

    Notes
    -----
    The length of the result depends on the data, so CuPy's waits too, twice. Weights are left to it: their sums would
    depend on the order of adding.
    """
    stock = kernels.TABLES["bincount"].rows()[(object,)]
    reads = x.dtype.kind in "iu" and x.ndim == 1 and weights is None and isinstance(minlength, int)
    if not reads or minlength < 0 or minlength > MOST_VALUES or x.size < launch.SMALLEST:
        return stock(x, weights, minlength)
    # A negative number is a large one, without its sign.
    largest = launch.reduce(x.view(f"u{x.itemsize}"), "max", (0,))
    bins = MOST_VALUES + 1 if largest is None else max(int(largest[0]) + 1, minlength)
    found = _counted(x, bins, copies(bins, MOST_VALUES)) if bins <= MOST_VALUES else None
    return stock(x, weights, minlength) if found is None else found


def _counted(x: Any, bins: int, of_each: int, edges: Any = None) -> Any:
    """Counts in bins between edges, or of numbers that are bins; None where the kernels cannot."""
    address, reads = x.data.ptr, element(x.dtype)
    way = plan(x.shape, x.strides, x.itemsize, address % WIDEST, tuple(range(x.ndim)))
    if way is None or reads is None:
        return None
    name = "bincount" if edges is None else "bin_counts"
    stages = launch.compiled(
        _compiled,
        (way.width, way.large, f"{name}<{reads}>"),
        lambda: program(reads, way, values=edges is None),
        ("stage1",),
    )
    if stages is None:
        return None
    given = np.uint64(0) if edges is None else cupy.asarray(edges, dtype=np.float64)
    counts = cupy.zeros(bins, dtype=np.int64)
    words = way.parameter.copy()
    words[WORDS["in"]] = address + way.start
    stages[0](way.first, (THREADS,), (words.view(OPAQUE), given, np.uint64(bins), np.uint64(of_each), counts))
    return counts


kernels.TABLES["bincount"].add(cupy.ndarray, bincount)
kernels.TABLES["bin_counts"].add(cupy.ndarray, bin_counts)
