"""A histogram of a chunk goes to NumPy's name, and there to a function that a device library has, however slow.

>>> da.histogram(cupy_array, bins=10, range=(-4, 4))[0].compute()    # 800 MB of float32: 5 ms a chunk on an H200

Here the table of kernels is asked for the counts first, where the edges are given and there are no weights.
"""

from __future__ import annotations

import inspect
from functools import cache
from numbers import Integral
from typing import Any

import numpy as np

from arrayshim import kernels
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
        edges = np.array([0.0, 2.0])
        _block_hist(x, *([(edges, None)] if _paired() else [edges, None]))
    finally:
        kernels.bin_counts.remove(kind)
    return None if asked else "the histogram of a chunk that has a kernel is done by NumPy's name"


@cache
def _paired() -> bool:
    """Whether this dask passes bins and range as one argument."""
    return "bins_range" in inspect.signature(original(BLOCK)).parameters


@FIX.replaces(BLOCK)
def _block_hist(x: Any, *args: Any, **kwargs: Any) -> Any:
    given = args[0] if args and _paired() else args[:2]
    weighted = len(args) > (1 if _paired() else 2) and args[-1] is not None
    kernel = no_counts if kwargs or weighted or len(given) != 2 else kernels.bin_counts.dispatch(type(x))
    edges = None if kernel is no_counts else _edges(x, *given)
    found = None if edges is None else kernel(x, edges)
    return original(BLOCK)(x, *args, **kwargs) if found is None else found[np.newaxis]


def _edges(x: Any, bins: Any, limits: Any) -> Any:
    """NumPy's edges for a chunk, which round to the dtype of the chunk where they are made of two limits, or None."""
    if isinstance(bins, Integral):
        return None if limits is None else np.histogram_bin_edges(np.empty(0, x.dtype), int(bins), limits)
    edges = np.asarray(bins) if isinstance(bins, list | tuple) else bins
    return edges if getattr(edges, "ndim", 0) == 1 and edges.size else None
