"""A histogram of a chunk goes to NumPy's name, and there to a function that a device library has, however slow.

>>> da.histogram(cupy_array, bins=10, range=(-4, 4))[0].compute()    # 800 MB of float32: 5 ms a chunk on an H200

Here the table of kernels is asked for the counts first, where the edges are given and there are no weights.
"""

from __future__ import annotations

from functools import partial
from numbers import Integral
from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.kernels.histograms import bin_counts as no_counts
from arrayshim.residency import is_device

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
    import dask.array as da

    from arrayshim import strict
    from arrayshim.probes import dask_array

    kind = strict.fresh_type("Bins")
    asked: list[Any] = []

    def row(x: Any, edges: Any) -> Any:
        asked.append(edges)
        return np.zeros_like(x, shape=1, dtype=np.intp)

    kernels.bin_counts.add(kind, row)
    try:
        da.histogram(dask_array([1.0], cls=kind), bins=np.array([0.0, 2.0]))[0].compute(scheduler="sync")
    except TypeError:
        asked.clear()
    finally:
        kernels.bin_counts.remove(kind)
    return None if asked else "the histogram of a chunk that has a kernel is done by NumPy's name"


@FIX.replaces(BLOCK, dask=">=2026")
def _block_hist(x: Any, bins_range: Any, weights: Any = None) -> Any:
    bins, limits = bins_range
    found = _counted(x, bins, limits, weights)
    return _binned(partial(original(BLOCK), x, bins_range, weights), x, bins, weights) if found is None else found


@FIX.replaces(BLOCK, dask="<2026")
def _block_hist_of_four(x: Any, bins: Any, range: Any = None, weights: Any = None) -> Any:
    found = _counted(x, bins, range, weights)
    return _binned(partial(original(BLOCK), x, bins, range, weights), x, bins, weights) if found is None else found


def _binned(stock: Any, x: Any, bins: Any, weights: Any) -> Any:
    """dask's counts. For `false_metas`: a target is replaced once."""
    # Edges in host memory are no chunk; those on a device were lazy, and are where the data are said to be.
    edges = bins if is_device(bins) else None
    return Meeting(lambda *_: stock(), "histogram")(x, weights, edges)


def _counted(x: Any, bins: Any, limits: Any, weights: Any) -> Any:
    """The counts by a kernel, as dask stacks them; None where there is none for the chunk, its edges or weights."""
    kernel = kernels.bin_counts.dispatch(type(x)) if weights is None else no_counts
    edges = None if kernel is no_counts else _edges(x, bins, limits)
    found = None if edges is None else kernel(x, edges)
    return None if found is None else found[np.newaxis]


def _edges(x: Any, bins: Any, limits: Any) -> Any:
    """NumPy's edges for a chunk, which round to the dtype of the chunk where they are made of two limits, or None.

    None also for host edges that do not increase, which NumPy's name refuses; a kernel finds bins in any.
    """
    if isinstance(bins, Integral):
        return None if limits is None else np.histogram_bin_edges(np.empty(0, x.dtype), int(bins), limits)
    edges = np.asarray(bins) if isinstance(bins, list | tuple) else bins
    if getattr(edges, "ndim", 0) != 1 or not edges.size:
        return None
    return None if isinstance(edges, np.ndarray) and not (edges[:-1] <= edges[1:]).all() else edges
