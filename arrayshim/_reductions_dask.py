"""Medians and quantiles of dask arrays whose chunks are not NumPy's, by the kernels, with an honest meta.

dask applies NumPy's function to chunks; that one overlooks masks, and the one that a device library has in its place
knows fewer methods, or does not exist.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask.array.core import handle_out
from dask.array.utils import meta_from_array
from numpy.lib.array_utils import normalize_axis_tuple

from arrayshim import kernels
from arrayshim._creation_lazy import moved
from arrayshim._nested import lifted
from arrayshim.backends import backend_of

#: Functions that need all of an axis in one chunk.
WHOLE_AXIS = frozenset({"median", "nanmedian", "quantile", "nanquantile", "percentile"})


def own_way(name: str, a: da.Array) -> bool:
    """Whether a reduction of a dask array is done here rather than by dask."""
    return name in WHOLE_AXIS and type(a._meta) is not np.ndarray


def approximated(a: da.Array, *, axis: Any = None, **options: Any) -> da.Array:
    """``da.percentile`` of a 1-d dask array, which has one axis and no parameter of that name.

    Raises
    ------
    UnsupportedError
        If the chunks are of a type that has no percentile.
    """
    if axis is not None:
        normalize_axis_tuple(axis, a.ndim)
    if type(a._meta) is not np.ndarray:
        # Of an array without elements nothing is computed; a type that is refused is refused here.
        kernels.TABLES["chunk_percentile"](a._meta, ())
    return da.percentile(a, **options)


def weights_beside(a: Any, kwargs: dict[str, Any]) -> None:
    """Put host `weights` beside the device chunks of a dask array, lazily."""
    weights = kwargs.get("weights")
    if weights is None or not isinstance(a, da.Array):
        return
    if isinstance(a._meta, np.ndarray) or not kernels.generic.has_nep18(a._meta):
        return
    weights = lifted(weights)
    if not isinstance(weights, da.Array):
        if hasattr(weights, "dtype") and not isinstance(weights, np.ndarray | np.generic):
            return
        weights = da.core.from_array(np.asarray(weights))
    kwargs["weights"] = moved(weights, backend_of(a._meta)) if isinstance(weights._meta, np.ndarray) else weights


def over_whole_axes(
    name: str,
    a: da.Array,
    *,
    q: Any = None,
    axis: Any = None,
    out: Any = None,
    overwrite_input: bool = False,
    keepdims: bool = False,
    weights: Any = None,
    **options: Any,
) -> da.Array:
    """Apply a kernel to whole axes.

    Parameters
    ----------
    name : str
        One of `WHOLE_AXIS`.
    a : dask array
    q, axis, out, overwrite_input, keepdims, weights, **options
        As of the public function; arrays that nobody else holds are read-only here, so `overwrite_input` is moot.

    Returns
    -------
    dask array

    Raises
    ------
    NotImplementedError
        For ``axis=None`` of more than one chunk, as in dask.
    """
    if axis is None and any(n > 1 for n in a.numblocks):
        raise NotImplementedError(
            f"{name} of a dask array of many chunks only works along an axis; give axis=, or rechunk to one chunk first"
        )
    axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
    if any(a.numblocks[i] > 1 for i in axes):
        a = a.rechunk({i: -1 if i in axes else "auto" for i in range(a.ndim)})
    if q is not None:
        options["q"] = q if type(q) in (int, float) or hasattr(q, "dtype") else np.asarray(q)
    ahead = np.shape(q) if not hasattr(q, "shape") else q.shape
    if q is None:
        ahead = ()
    kernel = partial(kernels.TABLES[name], axis=axes, keepdims=keepdims, **options)
    rest = [(1,) * len(c) if i in axes else c for i, c in enumerate(a.chunks) if keepdims or i not in axes]
    sample = np.ones((1,) * a.ndim, dtype=a.dtype)
    like = options if q is None else {**options, "q": _on_host(options["q"])}
    dtype = kernels.TABLES[name](sample, axis=axes, keepdims=keepdims, **like).dtype
    operands = [a]
    if weights is not None:
        if not hasattr(weights, "shape"):
            weights = np.asarray(weights)
        if weights.shape == a.shape:
            lazy = isinstance(weights, da.Array)
            operands.append(weights.rechunk(a.chunks) if lazy else da.core.from_array(weights, chunks=a.chunks))
            kernel = partial(_weighted, kernel)
        else:
            kernel = partial(kernel, weights=weights)
    meta = meta_from_array(a._meta, len(ahead) + len(rest), dtype)
    result = da.map_blocks(
        kernel,
        *operands,
        drop_axis=[] if keepdims else list(axes),
        new_axis=list(range(len(ahead))) or None,
        chunks=tuple((n,) for n in ahead) + tuple(rest),
        dtype=dtype,
        # dask makes a name of it too, and for that would read the one number of a meta without axes.
        meta=meta if meta.ndim else meta_from_array(a._meta, 1, dtype),
        name=None,
    )
    result._meta = meta
    return handle_out(out, result)


def _weighted(kernel: Any, a: Any, weights: Any) -> Any:
    return kernel(a, weights=weights)


def _on_host(q: Any) -> Any:
    """Quantiles of the same kind and shape that can be computed with here; their values are of no account."""
    return q if isinstance(q, int | float | np.ndarray | np.generic) else np.zeros(q.shape, dtype=q.dtype)
