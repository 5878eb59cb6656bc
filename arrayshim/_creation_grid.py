"""arange, linspace, and matrices that a diagonal makes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np

from arrayshim import _creation_lazy as _lazy
from arrayshim._creation_common import eager, from_vectors, given, target
from arrayshim._creation_data import asarray, chunked, is_elsewhere
from arrayshim._nested import lifted
from arrayshim.backends import NUMPY
from arrayshim.errors import UnsupportedError


def arange(
    start: Any = None,
    /,
    stop: Any = None,
    step: Any = 1,
    *,
    dtype: Any = None,
    chunks: Any = None,
    like: Any = None,
) -> Any:
    """Evenly spaced values from `start` (or 0) up to, and without, `stop`.

    Parameters
    ----------
    start, stop, step : number
        As in :func:`numpy.arange`.
    dtype : dtype, optional
    chunks : int, tuple or str, optional
        Makes the result a dask array.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be.

    Returns
    -------
    array, 1-d

    Raises
    ------
    TypeError
        If there is no `stop`.
    BackendError
        If `like` names no backend, or is no array.
    """
    if start is None and stop is None:
        raise TypeError("arange() requires stop to be specified.")
    if start is None or stop is None:
        start, stop = 0, start if stop is None else stop
    backend, chunks = target(like, chunks)
    if chunks is None:
        return eager("arange", backend, start, stop, step, **given(dtype=dtype))
    if np.ndarray in backend.chunk_types:
        return _lazy.stock("arange", start, stop, step, chunks=chunks, dtype=dtype)
    return _lazy.arange(backend, start, stop, step, dtype, chunks)


def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    dtype: Any = None,
    axis: int = 0,
    *,
    chunks: Any = None,
    like: Any = None,
) -> Any:
    """`num` evenly spaced values from `start` to `stop`.

    Parameters
    ----------
    start, stop : number
    num, endpoint, retstep, dtype, axis
        As in :func:`numpy.linspace`; a dask array has one axis.
    chunks : int, tuple or str, optional
        Makes the result a dask array.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be.

    Returns
    -------
    array, or (array, step) with `retstep`

    Raises
    ------
    UnsupportedError
        With `chunks`, if `start` or `stop` is not a scalar, or `axis` is not 0.
    BackendError
        If `like` names no backend, or is no array.
    """
    backend, chunks = target(like, chunks)
    if chunks is None:
        made = eager("linspace", backend, start, stop, num, endpoint, dtype=dtype, axis=axis)
        return (made, np.linspace(start, stop, num, endpoint, retstep=True)[1]) if retstep else made
    if np.ndim(start) or np.ndim(stop):
        raise UnsupportedError(
            "linspace with chunks= takes scalars, got an array as start or stop; call it without chunks="
        )
    if axis not in (0, -1):
        raise UnsupportedError(f"linspace with chunks= makes one axis, number 0, got axis={axis!r}; leave it out")
    made = _lazy.stock("linspace", start, stop, num, endpoint, retstep, chunks=chunks, dtype=dtype)
    return (_lazy.moved(made[0], backend), made[1]) if retstep else _lazy.moved(made, backend)


def eye(N: int, M: int | None = None, k: int = 0, dtype: Any = float, *, chunks: Any = None, like: Any = None) -> Any:
    """Ones on the `k`-th diagonal of an `N` by `M` matrix, zeros elsewhere.

    Parameters
    ----------
    N, M : int
        `M` is `N` if not given.
    k : int
        Positive above the main diagonal.
    dtype : dtype
    chunks : int, tuple or str, optional
        Makes the result a dask array.
    like : array, array type, dask array or str, optional
        What the result, or its chunks, shall be.

    Returns
    -------
    array, shape (N, M)

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _diagonals("eye", N, M, k, dtype, chunks, like, lambda distance: distance == k)


def identity(n: int, dtype: Any = None, *, chunks: Any = None, like: Any = None) -> Any:
    """The `n` by `n` identity matrix; parameters as in :func:`eye`.

    Returns
    -------
    array, shape (n, n)

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return eye(n, dtype=float if dtype is None else dtype, chunks=chunks, like=like)


def tri(N: int, M: int | None = None, k: int = 0, dtype: Any = float, *, chunks: Any = None, like: Any = None) -> Any:
    """Ones on and below the `k`-th diagonal, zeros above it; parameters as in :func:`eye`.

    Returns
    -------
    array, shape (N, M)

    Raises
    ------
    BackendError
        If `like` names no backend, or is no array.
    """
    return _diagonals("tri", N, M, k, dtype, chunks, like, lambda distance: distance <= k)


def _diagonals(
    function: str, N: int, M: int | None, k: int, dtype: Any, chunks: Any, like: Any, compare: Callable[[Any], Any]
) -> Any:
    M = N if M is None else M
    backend, chunks = target(like, chunks)
    if chunks is None:
        return eager(function, backend, N, M, k, dtype=dtype)
    if _lazy.native(backend):
        return _lazy.diagonals(backend, N, M, chunks, dtype, compare)
    return _lazy.moved(_lazy.diagonals(NUMPY, N, M, chunks, dtype, compare), backend)


def diag(v: Any, k: int = 0, *, chunks: Any = None, like: Any = None) -> Any:
    """A matrix from its `k`-th diagonal, or the diagonal of a matrix.

    Parameters
    ----------
    v : array_like, array or dask array, 1-d or 2-d
        Host data follow `like`; arrays elsewhere keep their type.
    k : int
    chunks : int, tuple or str, optional
        Makes the result a dask array; the chunks of `v` then.
    like : array, array type, dask array or str, optional

    Returns
    -------
    array

    Raises
    ------
    UnsupportedError
        If `v` would have to leave a device.
    """
    v = lifted(v)
    if isinstance(v, da.Array) or is_elsewhere(v):
        v = asarray(v, chunks=chunks, like=like)
        return _lazy.stock("diag", v, k) if isinstance(v, da.Array) else np.diag(v, k)
    backend, chunks = target(like, chunks)
    if chunks is None:
        return from_vectors("diag", backend, np.asarray(v), k=k)
    return _lazy.moved(_lazy.stock("diag", chunked(np.asarray(v), chunks), k), backend)
