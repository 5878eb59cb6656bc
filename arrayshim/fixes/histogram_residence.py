"""`histogram` takes its counts for NumPy's, whatever the chunks are, and leaves edges, widths and weights on the host.

    >>> x = da.from_array(cupy.arange(5.0), chunks=2)
    >>> counts, edges = da.histogram(x, bins=2, range=(0, 4))
    >>> type(counts._meta), type(counts.compute()), type(edges)
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>, <class 'numpy.ndarray'>)
    >>> da.histogram(x, bins=2, range=(0, 4), density=True)[0].compute()
    TypeError: Unsupported type <class 'numpy.ndarray'>

The counts are built from a dtype alone, and `density` divides them by the widths of edges that were made with NumPy.
"""

from __future__ import annotations

from operator import index
from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original
from arrayshim.meta import like, take_after

FIX = Fix(
    __name__,
    title="histogram: counts, edges, widths and weights are where the data are",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

HISTOGRAM = "dask.array.routines.histogram"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import histogram

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    counts, edges = histogram(dask_array([1.0, 5.0]), 2, (0, 6))
    found = {type(counts._meta): "the meta of the counts", type(edges): "the array of edges"}
    found.pop(StrictArray, None)
    return next((f"{what} is {kind.__name__}, chunks are StrictArray" for kind, what in found.items()), None)


def _density(counts: Any, edges: Any, a: Any) -> Any:
    from dask.array.core import asarray

    widths = asarray(np.diff(edges).astype(float), chunks=counts.chunks)
    return counts / residency.follow(widths, a, "histogram") / counts.sum()


def _number(bins: Any) -> Any:
    """How many bins, for the host, which makes arrays of that length: the one number is read."""
    if not hasattr(bins, "__dask_graph__"):
        return index(bins.item())
    from dask.delayed import delayed

    return delayed(_number, pure=True)(bins)


def _refuse_uncountable(a: Any) -> None:
    """Complex numbers, which NumPy counts in bins and hardly another library does: tried on one, not assumed."""
    if getattr(a.dtype, "kind", "") != "c":
        return
    sample: Any = np.ones_like(like(a), shape=(1,))
    try:
        np.histogram(sample, 1, (0, 2))
    except (TypeError, NotImplementedError, ValueError) as error:
        raise UnsupportedError(
            f"histogram of {a.dtype} on {residency.home(a).__name__} chunks: their library says {str(error)!r}; "
            'count x.real or abs(x), or go to the host first, with x.to_backend("numpy")'
        ) from error


@FIX.replaces(HISTOGRAM)
def histogram(
    a: Any, bins: Any = None, range: Any = None, normed: Any = False, weights: Any = None, density: Any = None
) -> Any:
    stock = original(HISTOGRAM)
    if not residency.is_device(a):
        for parameter in (bins, weights):
            if residency.is_device(parameter):
                residency.follow(parameter, a, "histogram")  # raises
        return stock(a, bins, range, normed, weights, density)
    _refuse_uncountable(a)
    if residency.is_device(bins) and bins.ndim == 0:
        bins = _number(bins)
    if density:
        stock(a, bins, range, normed, weights, density)  # refuses what it refuses
    if weights is not None and weights.chunks == a.chunks:
        weights = residency.follow(weights, a, "histogram")
    counts, edges = stock(a, bins, range, normed, weights, None)
    counts = take_after(counts, a)
    if density:
        counts = _density(counts, edges, a)
    if residency.is_device(bins) and not hasattr(bins, "__dask_graph__"):
        return counts, bins  # as an ndarray comes back as it is
    return counts, residency.follow(edges, a, "histogram")
