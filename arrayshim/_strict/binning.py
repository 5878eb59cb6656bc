"""CuPy's counting and looking up in bins, on host values."""

from __future__ import annotations

from typing import Any

import numpy

np: Any = numpy


def histogram(x: Any, bins: Any = 10, range: Any = None, density: bool = False, weights: Any = None) -> Any:
    """``cupy.histogram``."""
    if isinstance(bins, str):
        raise NotImplementedError("only integer and array bins are implemented")
    if x.dtype.kind == "c":
        raise NotImplementedError("complex number is not supported")
    if weights is not None and weights.shape != x.shape:
        raise ValueError("weights should have the same shape as a.")
    counts, edges = np.histogram(x, bins, range, density, weights)
    final = np.int64
    if density or (weights is not None and weights.dtype.kind == "f"):
        final = np.float64
    elif weights is not None and weights.dtype.kind == "c":
        final = np.complex128
    return counts.astype(final), edges


def histogramdd(sample: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: bool = False) -> Any:
    """``cupy.histogramdd``."""
    counts, edges = np.histogramdd(sample, bins, range, density, weights)
    return counts, list(edges)


def histogram2d(x: Any, y: Any, bins: Any = 10, range: Any = None, weights: Any = None, density: Any = None) -> Any:
    """``cupy.histogram2d``."""
    return np.histogram2d(x, y, bins, range, density, weights)


def bincount(x: Any, weights: Any = None, minlength: Any = None) -> Any:
    """``cupy.bincount``."""
    if x.ndim != 1:
        raise ValueError("object too deep for desired array" if x.ndim else "object of too small depth")
    if x.dtype.kind == "f":
        raise TypeError("x must be int array")
    if weights is not None and x.shape != weights.shape:
        raise ValueError("The weights and list don't have the same length.")
    if x.size == 0:
        return np.zeros(minlength or 0, np.intp)
    return np.bincount(x.astype(np.int64), weights, minlength or 0)


def digitize(x: Any, bins: Any, right: bool = False) -> Any:
    """``cupy.digitize``."""
    if x.dtype.kind == "c":
        raise TypeError("x may not be complex")
    return np.digitize(x, bins, right)


def searchsorted(a: Any, v: Any, side: Any = "left", sorter: Any = None) -> Any:
    """``cupy.searchsorted``."""
    return np.searchsorted(a, v, side, sorter)


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None) -> Any:
    """``cupy.interp``."""
    if xp.ndim != 1 or fp.ndim != 1:
        raise ValueError("xp and fp must be 1D arrays")
    if not x.flags.c_contiguous:
        raise NotImplementedError("Non-C-contiguous x is currently not supported")
    return np.interp(x, xp, fp, left, right, period)
