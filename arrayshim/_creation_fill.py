"""empty, ones, zeros, full and their ``_like`` forms."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np

from arrayshim import _creation_lazy as _lazy
from arrayshim._creation_common import eager, given, target
from arrayshim._creation_data import asarray
from arrayshim._moving import is_own
from arrayshim._nested import lifted
from arrayshim.backends import backend_of
from arrayshim.kernels.generic import has_nep18


def _fill(function: str, shape: Any, *value: Any, dtype: Any, order: str | None, chunks: Any, like: Any) -> Any:
    backend, chunks = target(like, chunks)
    options = given(dtype=dtype, order=order)
    if chunks is None:
        return eager(function, backend, shape, *value, **options)
    return _lazy.fill(function, backend, shape, *value, chunks=chunks, **options)


def empty(shape: Any, dtype: Any = None, order: str | None = None, *, chunks: Any = None, like: Any = None) -> Any:
    """Uninitialised array.

    Parameters
    ----------
    shape : int or tuple of int
    dtype : dtype, optional
        Default float64.
    order : {"C", "F"}, optional
    chunks : int, tuple or str, optional
        As in dask; makes the result a dask array.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill("empty", shape, dtype=dtype, order=order, chunks=chunks, like=like)


def ones(shape: Any, dtype: Any = None, order: str | None = None, *, chunks: Any = None, like: Any = None) -> Any:
    """Array of ones; parameters as in :func:`empty`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill("ones", shape, dtype=dtype, order=order, chunks=chunks, like=like)


def zeros(shape: Any, dtype: Any = None, order: str | None = None, *, chunks: Any = None, like: Any = None) -> Any:
    """Array of zeros; parameters as in :func:`empty`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill("zeros", shape, dtype=dtype, order=order, chunks=chunks, like=like)


def full(
    shape: Any, fill_value: Any, dtype: Any = None, order: str | None = None, *, chunks: Any = None, like: Any = None
) -> Any:
    """Array of one value, a scalar, whose dtype is the default; other parameters as in :func:`empty`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill("full", shape, fill_value, dtype=dtype, order=order, chunks=chunks, like=like)


def _fill_like(
    function: str, a: Any, *value: Any, dtype: Any, order: str | None, shape: Any, chunks: Any, like: Any
) -> Any:
    a = lifted(a)
    if not hasattr(a, "dtype"):
        a = np.asarray(a) if like is not None else asarray(a)
    options = given(dtype=dtype, order=order, shape=shape)
    # Without NEP-18 (scipy.sparse) numpy.ones_like makes an array of one object, and dask NumPy chunks.
    served = has_nep18(a._meta if isinstance(a, da.Array) else a)
    if served and isinstance(a, da.Array) and (like is None or is_own(backend_of(like), type(a._meta))):
        return _lazy.stock(f"{function}_like", a, *value, **options, **given(chunks=chunks))
    if served and like is None and chunks is None and not isinstance(a, da.Array):
        return getattr(np, f"{function}_like")(a, *value, **options)
    if isinstance(a, da.Array) and chunks is None and shape is None:
        chunks = a.chunks
    return _fill(
        function,
        a.shape if shape is None else shape,
        *value,
        dtype=a.dtype if dtype is None else dtype,
        order=None if order in ("A", "K") else order,
        chunks=chunks,
        like=a if like is None else like,
    )


def empty_like(
    a: Any, dtype: Any = None, order: str | None = None, *, shape: Any = None, chunks: Any = None, like: Any = None
) -> Any:
    """Uninitialised array of the shape, dtype and type of another.

    Parameters
    ----------
    a : array, dask array or array_like
    dtype : dtype, optional
    order : {"C", "F", "A", "K"}, optional
    shape : int or tuple of int, optional
    chunks : int, tuple or str, optional
        Makes the result a dask array; a dask array `a` gives its own.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be in place of the type of `a`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill_like("empty", a, dtype=dtype, order=order, shape=shape, chunks=chunks, like=like)


def ones_like(
    a: Any, dtype: Any = None, order: str | None = None, *, shape: Any = None, chunks: Any = None, like: Any = None
) -> Any:
    """Ones in the shape, dtype and type of another array; parameters as in :func:`empty_like`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill_like("ones", a, dtype=dtype, order=order, shape=shape, chunks=chunks, like=like)


def zeros_like(
    a: Any, dtype: Any = None, order: str | None = None, *, shape: Any = None, chunks: Any = None, like: Any = None
) -> Any:
    """Zeros in the shape, dtype and type of another array; parameters as in :func:`empty_like`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill_like("zeros", a, dtype=dtype, order=order, shape=shape, chunks=chunks, like=like)


def full_like(
    a: Any,
    fill_value: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    shape: Any = None,
    chunks: Any = None,
    like: Any = None,
) -> Any:
    """One value in the shape, dtype and type of another array; other parameters as in :func:`empty_like`.

    Returns
    -------
    array

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _fill_like("full", a, fill_value, dtype=dtype, order=order, shape=shape, chunks=chunks, like=like)
