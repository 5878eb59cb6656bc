"""array, asarray, asanyarray: the creation functions that are given data."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from arrayshim import _creation_lazy as _lazy
from arrayshim import kernels
from arrayshim._creation_common import config_backend, given
from arrayshim._moving import is_own, no_mask, no_way
from arrayshim._nested import lifted
from arrayshim.backends import backend_of


def is_elsewhere(x: Any) -> bool:
    """Whether `x` is an array that is not NumPy's."""
    return hasattr(x, "dtype") and hasattr(x, "shape") and not isinstance(x, np.ndarray | np.generic | da.Array)


def to_backend_meta(x: da.Array, like: Any) -> da.Array:
    """Move the chunks of a host-backed dask array to the device of `like`, lazily.

    Parameters
    ----------
    x : dask array
        Chunks that are of the asked type already stay as they are, and `x` is returned.
    like : array, array type, dask array, str or Backend

    Returns
    -------
    dask array

    Raises
    ------
    UnsupportedError
        If the chunks are on another device, which they would have to leave, or masked.
    """
    return _lazy.moved(x, backend_of(like))


def chunked(x: Any, chunks: Any) -> da.Array:
    """A dask array of `x` and a name that does not depend on a copy of device data to the host."""
    return da.core.from_array(x, chunks=chunks, name=False if is_elsewhere(x) else None, asarray=False)


def _convert(function: str, a: Any, like: Any, chunks: Any, options: dict[str, Any]) -> Any:
    a = lifted(a)
    if isinstance(a, da.Array):
        return _convert_dask(a, like, chunks, options)
    numpy_function = getattr(np, function)
    if is_elsewhere(a):
        if like is not None and not is_own(backend := backend_of(like), type(a)):
            raise no_way(type(a), backend.name)
        made = numpy_function(a, like=a, **options) if kernels.generic.has_nep18(a) else a
    else:
        backend = config_backend() if like is None else backend_of(like)
        if isinstance(a, np.ma.MaskedArray) and not is_own(backend, type(a)) and np.ndarray not in backend.chunk_types:
            raise no_mask(backend.name)
        made = numpy_function(a, **options)
        if np.ndarray not in backend.chunk_types:
            made = backend.to_device(made)
    if chunks is None and not isinstance(like, da.Array):
        return made
    return chunked(made, "auto" if chunks is None else chunks)


def _convert_dask(a: da.Array, like: Any, chunks: Any, options: dict[str, Any]) -> da.Array:
    if like is not None:
        a = to_backend_meta(a, like)
    if (dtype := options.get("dtype")) is not None:
        a = a.astype(dtype)
    if (missing := options.get("ndmin", 0) - a.ndim) > 0:
        a = a[(None,) * missing]
    return a if chunks is None else a.rechunk(chunks)


def array(
    a: Any,
    dtype: Any = None,
    *,
    copy: bool | None = None,
    order: str | None = None,
    ndmin: int = 0,
    chunks: Any = None,
    like: Any = None,
) -> Any:
    """An array from data, with a copy of its own.

    Parameters
    ----------
    a : array_like, array or dask array
        Sequences may hold device scalars or dask arrays. Host data follow `like`; an array of the asked type
        stays where it is.
    dtype : dtype, optional
    copy : bool, optional
        As in :func:`numpy.array`.
    order : {"C", "F", "A", "K"}, optional
        Dask arrays keep their own.
    ndmin : int
    chunks : int, tuple or str, optional
        Makes the result a dask array, or chunks one anew.
    like : array, array type, dask array or str, optional

    Returns
    -------
    array

    Raises
    ------
    UnsupportedError
        If the data would have to leave a device.
    """
    return _convert("array", a, like, chunks, given(dtype=dtype, copy=copy, order=order, ndmin=ndmin or None))


def asarray(a: Any, dtype: Any = None, order: str | None = None, *, chunks: Any = None, like: Any = None) -> Any:
    """An array from data, which is not copied where it is one already; parameters as in :func:`array`.

    Returns
    -------
    array

    Raises
    ------
    UnsupportedError
        If the data would have to leave a device.
    """
    return _convert("asarray", a, like, chunks, given(dtype=dtype, order=order))


def asanyarray(a: Any, dtype: Any = None, order: str | None = None, *, chunks: Any = None, like: Any = None) -> Any:
    """:func:`asarray` that lets subclasses of ndarray through.

    Returns
    -------
    array

    Raises
    ------
    UnsupportedError
        If the data would have to leave a device.
    """
    return _convert("asanyarray", a, like, chunks, given(dtype=dtype, order=order))
