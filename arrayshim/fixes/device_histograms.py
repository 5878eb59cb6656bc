"""A histogram of a chunk goes to NumPy's name, and there to a function that a device library has, however slow.

>>> da.histogram(cupy_array, bins=10, range=(-4, 4))[0].compute()    # 800 MB of float32: 5 ms a chunk on an H200

Here the table of kernels is asked for the counts first, where the edges are given and there are no weights.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.kernels.histograms import bin_counts as no_counts

FIX = Fix(
    __name__,
    title="histograms of CuPy chunks in one read",
    affects=">=2025.1",
    forwarded="not-needed",
    reason="the kernel is CUDA code, which is no business of dask",
)

BLOCK = "dask.array.routines._block_hist"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import _block_hist

    from arrayshim import strict

    kind = strict.fresh_type("Bins")
    x = strict.asarray([1.0], kind=kind)
    asked: list[Any] = []

    def row(x: Any, edges: Any) -> Any:
        asked.append(edges)
        return x

    kernels.bin_counts.add(kind, row)
    try:
        _block_hist(x, (np.array([0.0, 2.0]), None))
    finally:
        kernels.bin_counts.remove(kind)
    return None if asked else "the histogram of a chunk that has a kernel is done by NumPy's name"


@FIX.replaces(BLOCK)
def _block_hist(x: Any, bins_range: Any, weights: Any = None) -> Any:
    kernel = kernels.bin_counts.dispatch(type(x)) if weights is None else no_counts
    edges = None if kernel is no_counts else _edges(x, *bins_range)
    found = None if edges is None else kernel(x, edges)
    if found is not None:
        return found[np.newaxis]
    # For `false_metas`: a target is replaced once. Edges in host memory are no chunk.
    stock = original(BLOCK)
    return Meeting(lambda x, weights: stock(x, bins_range, weights), "histogram")(x, weights)


def _edges(x: Any, bins: Any, limits: Any) -> Any:
    """NumPy's edges for a chunk, which round to the dtype of the chunk where they are made of two limits, or None."""
    if isinstance(bins, Integral):
        return None if limits is None else np.histogram_bin_edges(np.empty(0, x.dtype), int(bins), limits)
    edges = np.asarray(bins) if isinstance(bins, list | tuple) else bins
    return edges if getattr(edges, "ndim", 0) == 1 and edges.size else None
