"""Counting in the cells of a grid, on any array that can be searched and counted."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from arrayshim.kernels.generic import beside


def bin_counts(x: Any, edges: Any) -> None:
    """How many values lie between neighbours of 1-d `edges`, shape ``(len(edges) - 1,)``, int64.

    Edges must increase, which is not looked at: on a device it costs a transfer. This row says None, no counts: only a
    library with kernels of its own does it in one read.
    """
    return


def grid_counts(coordinates: Sequence[Any], edges: Sequence[Any], weights: Any = None) -> Any:
    """How many points, or what weight of points, lie in each cell of a grid; ``numpy.histogramdd`` without its edges.

    Parameters
    ----------
    coordinates : sequence of D arrays, shape (N,)
        Real numbers.
    edges : sequence of D array_like
        Increasing, which is checked of host data only: to look at others costs a transfer. Host edges are put beside
        the points.
    weights : array, shape (N,), optional
        Real numbers; they are summed in float64.

    Returns
    -------
    array of the type of the points, float64, shape ``tuple(len(e) - 1 for e in edges)``
        A point on an edge counts above it; on the last one, below.

    Raises
    ------
    ValueError
        If host edges do not increase.
    """
    if weights is not None:
        if weights.dtype.kind == "c":
            raise TypeError("weights are complex; a histogram wants real ones: give the real and imaginary parts apart")
        weights = weights.astype(np.float64)
    shape = tuple(len(e) + 1 for e in edges)  # with what lies below and above
    cell: Any = 0
    for i, (x, e) in enumerate(zip(coordinates, edges, strict=True)):
        check_edges(e, i)
        e = beside(e, x)
        place = np.searchsorted(*_comparable(e, x), side="right")
        cell = cell * shape[i] + np.where(x == e[-1], place - 1, place)
    counts = np.bincount(cell, weights, math.prod(shape)).reshape(shape)
    return counts[(slice(1, -1),) * len(shape)].astype(np.float64)


def equal_bins(x: Any, number: int) -> Any:
    """Edges of so many equal bins from the smallest to the largest of some points, beside them, as NumPy makes them.

    Parameters
    ----------
    x : array, shape (N,)
        Real numbers, at least one.
    number : int

    Returns
    -------
    array of the type of `x`, float64, shape (number + 1,)
    """
    low, high = x.min(), x.max()
    half = np.where(low == high, 0.5, 0.0)
    return np.linspace(low - half, high + half, number + 1)


def _comparable(edges: Any, x: Any) -> tuple[Any, Any]:
    """Compiled code takes a negative number for a large one where it meets unsigned ones."""
    if edges.dtype.kind + x.dtype.kind in ("iu", "ui"):
        common = np.result_type(edges.dtype, x.dtype)
        return edges.astype(common), x.astype(common)
    return edges, x


def check_edges(edges: Any, i: int) -> None:
    """Refuse host edges that do not increase, in NumPy's words.

    Raises
    ------
    ValueError
        If an edge is smaller than the one before.
    """
    if isinstance(edges, list | tuple):
        edges = np.asarray(edges)
    if isinstance(edges, np.ndarray) and bool((edges[:-1] > edges[1:]).any()):
        raise ValueError(f"`bins[{i}]` must be monotonically increasing, when an array")
