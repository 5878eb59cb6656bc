"""Creation of dask arrays whose chunks are those of a backend."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.array.core import normalize_chunks

from arrayshim._moving import ToDevice, is_own, meta_of, no_mask, no_way
from arrayshim.kernels.generic import has_nep18


def on_device(function: str, place: ToDevice, *args: Any, **kwargs: Any) -> Any:
    """``numpy.<function>`` with NEP-35's ``like=``, on the host and moved where the library has no such function.

    Parameters
    ----------
    function : str
        A NumPy function that takes ``like=``.
    place : ToDevice
    *args, **kwargs
        For the function.
    """
    like = place.to_device(np.empty((0,)))
    numpy_function = getattr(np, function)
    if has_nep18(like) and not isinstance(like, np.ndarray):
        try:
            return numpy_function(*args, like=like, **kwargs)
        except TypeError:
            pass  # no such function there, or wrong arguments, which NumPy refuses in its own words below
    return place(numpy_function(*args, **kwargs))


def moved(x: da.Array, backend: Any) -> da.Array:
    """Move the chunks of a host-backed dask array to a backend, lazily.

    Raises
    ------
    UnsupportedError
        If the chunks are on another device, or masked.
    """
    cls = type(x._meta)
    if is_own(backend, cls):
        return x
    if isinstance(x._meta, np.ndarray) and np.ndarray in backend.chunk_types:
        return x
    if not isinstance(x._meta, np.ndarray):
        raise no_way(cls, backend.name)
    if isinstance(x._meta, np.ma.MaskedArray):
        raise no_mask(backend.name)
    meta = meta_of(backend, x.ndim, x.dtype)
    return x.map_blocks(ToDevice.of(backend), meta=meta, dtype=meta.dtype)


def stock(function: Callable[..., Any] | str, *args: Any, **kwargs: Any) -> Any:
    """A dask function as it is for NumPy, whatever `array.backend` says."""
    with dask.config.set({"array.backend": "numpy"}):
        return (getattr(da, function) if isinstance(function, str) else function)(*args, **kwargs)


@lru_cache
def _fills(cls: type, to_device: Callable[[Any], Any]) -> bool:
    # dask makes one element with np.ones_like(meta, shape=1) and broadcasts it, which masked arrays and
    # scipy.sparse do not survive.
    try:
        return type(np.broadcast_to(np.zeros_like(to_device(np.empty((0,))), shape=1), (2,))) is cls
    except (TypeError, ValueError):
        return False


def native(backend: Any) -> bool:
    """Whether dask can make and broadcast chunks of a backend where they belong."""
    cls: Any = type(meta_of(backend))
    return bool(_fills(cls, backend.to_device))


def fill(function: str, backend: Any, *args: Any, **kwargs: Any) -> Any:
    """``dask.array.<function>`` for ones, zeros, empty and full, with chunks of a backend."""
    if np.ndarray in backend.chunk_types:
        return stock(function, *args, **kwargs)
    if native(backend):
        return stock(function, *args, meta=meta_of(backend), **kwargs)
    return moved(stock(function, *args, **kwargs), backend)


def arange(backend: Any, start: Any, stop: Any, step: Any, dtype: Any, chunks: Any) -> Any:
    """``dask.array.arange`` with chunks of a backend, the same values and a name of its own.

    The name is why it is not ``da.arange(..., like=)``: that one gives arrays of different chunk types one key.
    """
    if start != 0 and not np.isclose(start + step - start, step, atol=0):
        # As dask: a step lost beside a large start is added afterwards.
        return arange(backend, 0, stop - start, step, dtype, chunks) + start
    count = int(max(np.ceil((stop - start) / step), 0))
    dtype = np.arange(type(start)(0), type(stop)(0), step).dtype if dtype is None else np.dtype(dtype)
    chunks = normalize_chunks(chunks, (count,), dtype=dtype)
    sizes = np.array(chunks[0])
    offsets, sizes = (da.core.from_array(x, chunks=1) for x in (np.cumsum(sizes) - sizes, sizes))
    return da.map_blocks(
        _arange_block,
        offsets,
        sizes,
        place=ToDevice.of(backend),
        start=start,
        step=step,
        kind=dtype,
        chunks=chunks,
        dtype=dtype,
        meta=meta_of(backend, 1, dtype),
    )


def _arange_block(offsets: Any, sizes: Any, *, place: ToDevice, start: Any, step: Any, kind: Any) -> Any:
    first, size = int(offsets[0]), int(sizes[0])
    made = on_device("arange", place, start + first * step, start + (first + size) * step, step, dtype=kind)
    return made[:size]


def diagonals(backend: Any, rows: int, columns: int, chunks: Any, dtype: Any, compare: Callable[[Any], Any]) -> Any:
    """A matrix from ``compare(column index - row index)``."""
    chunks = normalize_chunks(chunks, (rows, columns), dtype=dtype)
    down = arange(backend, 0, rows, 1, np.dtype(np.int64), (chunks[0],))
    right = arange(backend, 0, columns, 1, np.dtype(np.int64), (chunks[1],))
    return compare(right[None, :] - down[:, None]).astype(dtype)
