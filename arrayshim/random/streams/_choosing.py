"""The methods that choose, permute, and draw vectors."""

from __future__ import annotations

import math
from numbers import Integral
from typing import Any

import dask.array as da
import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from arrayshim import residency
from arrayshim.random.streams import _parameters
from arrayshim.random.streams._methods import Standard
from arrayshim.random.streams._orders import cumulated
from arrayshim.random.streams._words import Fixed


class Choosing(Standard):
    """Permutations, choices, and vectors."""

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """As NumPy. Of a number: lazy and sliceable, the same for any chunks; of an array: its order is made at once.

        A permutation depends on the seed, the draw and the length alone. Up to 65536 it is the order of random words;
        longer ones are a Feistel network with random keys, which reaches not all orders but any place from any other.
        """
        if isinstance(x, Integral):
            if x < 0:
                raise ValueError("negative dimensions are not allowed")
            return self._draw("permutation", int(x), size=int(x), chunks="auto")
        x = da.asarray(x)
        axis = normalize_axis_index(axis, x.ndim)
        order = self._on_host("permutation", x.shape[axis])
        return x[(slice(None),) * axis + (order,)]

    def _on_host(self, name: str, n: int) -> Any:
        raise NotImplementedError

    def choice(
        self,
        a: Any,
        size: Any = None,
        replace: bool = True,
        p: Any = None,
        axis: int = 0,
        shuffle: bool = True,
        chunks: Any = "auto",
    ) -> Any:
        """As NumPy, from a number or an array of one dimension; chunks may be several without replacement, too."""
        shape = _parameters.shape_of(size, ())
        count = math.prod(shape)
        if count and not hasattr(a, "shape") and (np.ndim(a) == 0 or np.size(a) == 0):
            _parameters.check("choice", a)
        population = None if isinstance(a, Integral) else _row(a, "a")
        n = int(a) if population is None else int(population.shape[0])
        if axis != 0:
            raise ValueError("axis must be 0 since a is one dimensional")
        lazy = isinstance(p, da.Array)
        if p is not None and not lazy:
            p = np.asarray(p, dtype=np.float64)
        if n <= 0 and count:
            np.random.default_rng(0).choice(n)
        if p is not None and not lazy:
            _parameters.check("choice", n, p=p)
        if not replace and count > n:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        index = self._positions(n, size, bool(replace), p, chunks)
        return index if population is None else _taken(population, index)

    def _positions(self, n: int, size: Any, replace: bool, p: Any, chunks: Any) -> Any:
        if p is None:
            if replace:
                return self._draw("integers", 0, max(n - 1, 0), size=size, chunks=chunks)
            return self._draw("permutation", n, size=size, chunks=chunks)
        if isinstance(p, da.Array):
            if not replace:
                raise NotImplementedError(
                    "p is a dask array and replace is False; draw with p in memory, p.compute(), or with replacement"
                )
            u = self._draw("random", size=size, chunks=chunks)
            axes = tuple(range(u.ndim))
            p = residency.follow(p, u._meta, "choice")
            meta = u._meta.astype(np.int64)
            return da.blockwise(
                _searched, axes, u, axes, p, (u.ndim,), dtype=np.int64, meta=meta, concatenate=True, align_arrays=False
            )
        if replace:
            return self._draw("choice", cumulated(p), size=size, chunks=chunks)
        if np.count_nonzero(p) < math.prod(_parameters.shape_of(size, ())):
            raise ValueError("Fewer non-zero entries in p than size")
        return self._draw("choice_without", Fixed(p), size=size, chunks=chunks)

    def multinomial(self, n: Any, pvals: Any, size: Any = None, chunks: Any = "auto") -> Any:
        """As NumPy, for one list of probabilities: binomials of what the categories before have left."""
        pvals = _at_hand(pvals)
        _parameters.check("multinomial", n, pvals)
        pvals = _row(pvals, "pvals", at_hand=True)
        return self._draw("multinomial", n, pvals, size=size, chunks=chunks, vector=len(pvals))

    def dirichlet(self, alpha: Any, size: Any = None, chunks: Any = "auto") -> Any:
        """As NumPy: gamma values, by their logarithms, over their sum."""
        alpha = _at_hand(alpha)
        _parameters.check("dirichlet", alpha)
        alpha = _row(alpha, "alpha", at_hand=True)
        return self._draw("dirichlet", alpha, size=size, chunks=chunks, vector=len(alpha))

    def multivariate_hypergeometric(
        self, colors: Any, nsample: Any, size: Any = None, method: str = "marginals", chunks: Any = "auto"
    ) -> Any:
        """As NumPy, by hypergeometric counts of one colour after the other, whatever `method` is."""
        colors = _at_hand(colors)
        _parameters.check("multivariate_hypergeometric", colors, nsample, method=method)
        colors = _row(colors, "colors", at_hand=True)
        return self._draw("multivariate_hypergeometric", colors, nsample, size=size, chunks=chunks, vector=len(colors))


def _row(x: Any, name: str, *, at_hand: bool = False) -> Any:
    """A population as an array, or parameters at hand as a tuple."""
    if at_hand or not hasattr(x, "shape"):
        x = np.asarray(x)
    if x.ndim != 1:
        raise ValueError(f"{name} must be one dimensional")
    return tuple(x.tolist()) if at_hand else x


def _at_hand(x: Any) -> Any:
    """A vector of parameters as NumPy can check it."""
    return np.asarray(x) if hasattr(x, "shape") else x


def _searched(u: Any, p: Any) -> Any:
    total = np.cumsum(p)
    return np.minimum(np.searchsorted(total / total[-1], u, side="right"), p.size - 1).astype(np.int64)


def _take(population: Any, index: Any) -> Any:
    return np.take(population, index)


def _taken(population: Any, index: Any) -> Any:
    population = residency.follow(population, index._meta, "choice")
    if not isinstance(population, da.Array):
        population = da.from_array(
            population, chunks=-1, name=False if residency.is_device(population) else None, asarray=False
        )
    axes = tuple(range(index.ndim))
    return da.blockwise(
        _take,
        axes,
        population,
        (index.ndim,),
        index,
        axes,
        dtype=population.dtype,
        meta=index._meta.astype(population.dtype),
        concatenate=True,
        align_arrays=False,
    )
