"""Grids of indices and coordinates, and arrays from a function of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from dask.array.core import normalize_chunks

from arrayshim import _creation_lazy as _lazy
from arrayshim._creation_common import eager, from_vectors, target
from arrayshim._creation_data import asarray, is_elsewhere
from arrayshim._nested import lifted
from arrayshim.backends import NUMPY


def indices(dimensions: Any, dtype: Any = int, sparse: bool = False, *, chunks: Any = None, like: Any = None) -> Any:
    """The grid of indices of an array of these dimensions.

    Parameters
    ----------
    dimensions : sequence of int
    dtype : dtype
    sparse : bool
        One array per axis that broadcasts, in place of one full array.
    chunks : int, tuple or str, optional
        Along the dimensions; makes the result a dask array.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be.

    Returns
    -------
    array, shape ``(len(dimensions), *dimensions)``, or a tuple of arrays if `sparse`

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    dimensions = tuple(dimensions)
    backend, chunks = target(like, chunks)
    if chunks is None:
        if not sparse:
            return eager("indices", backend, dimensions, dtype=dtype)
        return _open([eager("arange", backend, 0, n, 1, dtype=dtype) for n in dimensions])
    if not sparse and not _lazy.native(backend):
        return _lazy.moved(_lazy.stock("indices", dimensions, dtype=dtype, chunks=chunks), backend)
    chunks = normalize_chunks(chunks, dimensions, dtype=dtype)
    axes = [_lazy.arange(backend, 0, n, 1, dtype, (c,)) for n, c in zip(dimensions, chunks, strict=True)]
    if sparse:
        return _open(axes)
    if not axes:
        return _lazy.fill("empty", backend, (0,), dtype=dtype, chunks=-1)
    return da.stack([da.broadcast_to(x, dimensions, chunks=chunks) for x in _open(axes)])


def _open(axes: list[Any]) -> tuple[Any, ...]:
    """Vectors as a grid that broadcasts, each along an axis of its own."""
    rank = len(axes)
    return tuple(x.reshape(tuple(-1 if i == j else 1 for j in range(rank))) for i, x in enumerate(axes))


def meshgrid(
    *xi: Any, copy: bool = True, sparse: bool = False, indexing: Any = "xy", chunks: Any = None, like: Any = None
) -> tuple[Any, ...]:
    """Coordinate matrices from coordinate vectors.

    Parameters
    ----------
    *xi : array_like, array or dask array, 1-d
        Host data follow `like`, or the first that is an array elsewhere.
    copy, sparse, indexing
        As in :func:`numpy.meshgrid`; dask arrays are never copied.
    chunks : int, tuple or str, optional
        Of each vector; makes the results dask arrays.
    like : array, array type, dask array or str, optional

    Returns
    -------
    tuple of array

    Raises
    ------
    UnsupportedError
        If a vector would have to leave a device.
    """
    xi = tuple(map(lifted, xi))
    options = {"sparse": sparse, "indexing": indexing}
    if like is None:
        metas = [x._meta if isinstance(x, da.Array) else x for x in xi]
        like = next((meta for meta in metas if is_elsewhere(meta)), None)
    if chunks is None and not any(isinstance(x, da.Array) for x in (like, *xi)):
        if any(is_elsewhere(x) for x in xi):
            return tuple(np.meshgrid(*(asarray(x, like=like) for x in xi), copy=copy, **options))
        return tuple(from_vectors("meshgrid", target(like, None)[0], *map(np.asarray, xi), copy=copy, **options))
    backend, chunks = target(like, "auto" if chunks is None else chunks)
    # Vectors are less to move than grids, where dask can broadcast them at their destination.
    where = backend if _lazy.native(backend) else NUMPY
    vectors = [_lazy.moved(x, where) if isinstance(x, da.Array) else asarray(x, chunks=chunks, like=where) for x in xi]
    return tuple(_lazy.moved(x, backend) for x in _lazy.stock("meshgrid", *vectors, **options))


def fromfunction(
    function: Callable[..., Any], shape: Any, *, dtype: Any = float, chunks: Any = None, like: Any = None, **kwargs: Any
) -> Any:
    """An array from a function of its indices.

    Parameters
    ----------
    function : callable
        Called with one NumPy index array per dimension, for the whole array or for each chunk; what it returns
        is moved where `like` says, as CuPy does.
    shape : tuple of int
    dtype : dtype
        Of the index arrays.
    chunks : int, tuple or str, optional
        Makes the result a dask array.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be.
    **kwargs
        For `function`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    backend, chunks = target(like, chunks)
    if chunks is None:
        made = np.fromfunction(function, shape, dtype=dtype, **kwargs)
        return made if np.ndarray in backend.chunk_types else backend.to_device(np.asarray(made))
    made = _lazy.stock("fromfunction", partial(function, **kwargs) if kwargs else function, chunks, shape, dtype)
    return _lazy.moved(made, backend)
