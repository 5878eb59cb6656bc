"""`histogramdd` and `histogram2d` make edges with NumPy, count device chunks in them, and call the counts NumPy's.

    >>> x = da.from_array(cupy.arange(5.0), chunks=2)
    >>> da.histogram2d(x, x, bins=[[0, 2, 4], [0, 2, 4]])[0].compute()
    ValueError: array-like bins not supported
    >>> counts, edges, _ = da.histogram2d(x, x, bins=2, range=((0, 4), (0, 4)))
    >>> type(counts._meta), type(edges._meta)
    (<class 'numpy.ndarray'>, <class 'numpy.ndarray'>)

The edges follow the data, in the tasks; the counts are theirs in kind; the widths of `density` are beside them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from operator import mul
from typing import Any

import numpy as np

from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.kernels.histograms import equal_bins, grid_counts
from arrayshim.meta import take_after
from arrayshim.residency import follow, is_device, together

FIX = Fix(
    __name__,
    title="histogramdd and histogram2d: counts, edges, widths and weights are where the data are",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

HISTOGRAMDD = "dask.array.routines.histogramdd"
BLOCK = "dask.array.routines._block_histogramdd_rect"
BLOCKS = "dask.array.routines._block_histogramdd_multiarg"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import histogramdd

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    x = dask_array([1.0, 5.0])
    counts, edges = histogramdd((x, x), bins=(2, 1), range=((0, 6), (0, 6)))
    found = {type(counts._meta): "the meta of the counts", type(edges[0]._meta): "the meta of the edges"}
    found.pop(StrictArray, None)
    return next((f"{what} is {kind.__name__}, chunks are StrictArray" for kind, what in found.items()), None)


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """Edges on a device, on their way through a function that asks NumPy for their number."""

    edges: Any

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        return np.zeros(self.edges.shape)

    def __dask_tokenize__(self) -> Any:
        from dask.base import normalize_token

        return "arrayshim.Held", normalize_token(self.edges)


def _given(bins: Any, ranges: Any) -> Any:
    """The bins, those on a device held."""
    if isinstance(bins, int) and is_device(ranges):
        bins = (bins,) * len(ranges)
    if not isinstance(bins, list | tuple):
        return bins
    if is_device(ranges):
        bins = [np.linspace(r[0], r[1], b + 1) if isinstance(b, int) else b for b, r in zip(bins, ranges, strict=False)]
    return [Held(b) if is_device(b) and not hasattr(b, "__dask_graph__") else b for b in bins]


def _refuse_device(parameters: Any, sample: Any) -> None:
    for parameter in parameters:
        if is_device(parameter):
            follow(parameter, sample, "histogramdd")  # raises


@FIX.replaces(HISTOGRAMDD)
def histogramdd(
    sample: Any, bins: Any, range: Any = None, normed: Any = None, weights: Any = None, density: Any = None
) -> Any:
    stock = original(HISTOGRAMDD)
    if isinstance(sample, list | tuple):
        sample = tuple(together(sample, "histogramdd"))
    first = sample[0] if isinstance(sample, tuple) and sample else sample
    if not is_device(first):
        _refuse_device([weights, range, *(bins if isinstance(bins, list | tuple) else [bins])], first)
        return stock(sample, bins, range, normed, weights, density)
    if normed is not None and density is not None:
        return stock(sample, bins, range, normed, weights, density)  # raises
    bins, range = _given(bins, range), None if is_device(range) else range
    weights = None if weights is None else follow(weights, first, "histogramdd")
    counts, edges = stock(sample, bins, range, None, weights, None)
    counts = take_after(counts, first)
    if normed or density:
        # Not lazy then, as in dask.
        edges = stock(sample, bins, range, None, weights, True)[1]
    held = bins if isinstance(bins, list | tuple) else [None] * len(edges)
    if normed or density:
        widths = [b.edges if isinstance(b, Held) else e for e, b in zip(edges, held, strict=True)]
        counts = counts / _areas(widths, first) / counts.sum()
    return counts, [_placed(e, b, first) for e, b in zip(edges, held, strict=True)]


def _placed(edges: Any, given: Any, like: Any) -> Any:
    from dask.array.core import asarray

    if not isinstance(given, Held):
        return follow(edges, like, "histogramdd")
    return asarray(given.edges) if hasattr(edges, "__dask_graph__") else given.edges


def _areas(edges: list[Any], like: Any) -> Any:
    """What each cell covers, lazily; of host edges named there, where no number has to be read for it."""
    from dask.array.core import asarray

    widths = []
    for i, e in enumerate(edges):
        shape = tuple(-1 if i == j else 1 for j, _ in enumerate(edges))
        widths.append(follow(asarray(np.diff(e).astype(float).reshape(shape)), like, "histogramdd"))
    return reduce(mul, widths)


def _edges(bins: Any, ranges: Any, coordinates: list[Any]) -> Iterator[Any]:
    """The edges along each axis as NumPy makes them; those on a device as they are."""
    each = bins if isinstance(bins, list | tuple) else (bins,) * len(coordinates)
    for i, (b, x) in enumerate(zip(each, coordinates, strict=True)):
        limits: Any = None if ranges is None else ranges[i]
        if isinstance(b, Held):
            yield b.edges
        elif limits is None and np.ndim(b) == 0 and b > 0 and len(x):
            yield equal_bins(x, b)
        else:
            yield np.histogramdd(np.empty((0, 1)), [b], range=[limits])[1][0]


@FIX.replaces(BLOCK)
def _block_histogramdd_rect(sample: Any, bins: Any, range: Any, weights: Any) -> Any:
    if not is_device(sample):
        return original(BLOCK)(sample, bins, range, weights)
    columns = list(sample.T)
    return _grid_counts(columns, list(_edges(bins, range, columns)), weights)[None]


@FIX.replaces(BLOCKS)
def _block_histogramdd_multiarg(*args: Any) -> Any:
    *sample, bins, range, weights = args
    if not is_device(sample[0]):
        stock = original(BLOCKS)
        return Meeting(lambda sample, weights: stock(*sample, bins, range, weights), "histogramdd")(sample, weights)
    return _grid_counts(sample, list(_edges(bins, range, sample)), weights)[None]


def _grid_counts(sample: Any, edges: Any, weights: Any) -> Any:
    return Meeting(lambda sample, weights: grid_counts(sample, edges, weights), "histogramdd")(sample, weights)
