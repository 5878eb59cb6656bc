"""The row of CuPy in the table `merged`: pieces of arrays made one by a launch, without joining them first."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import cupy
import numpy as np

from arrayshim import kernels
from arrayshim.kernels.cuda import launch
from arrayshim.kernels.cuda.folding import PIECES, QUERY, folding, program, query

_compiled: dict[Any, Any] = {}
#: The struct as one opaque value, as NumPy would describe its members otherwise.
_OPAQUE = np.dtype((np.void, QUERY.itemsize))


def merged(
    first: Any,
    *,
    name: str,
    parts: Sequence[Sequence[Any]],
    axis: Any,
    keepdims: bool,
    dtype: Any = None,
    order: int = 2,
    ddof: float = 0,
) -> list[Any] | None:
    """:func:`arrayshim.kernels.merging.merged` of CuPy arrays of one shape without gaps, up to 32 of them."""
    shape = first.shape
    axes = {i % first.ndim for i in axis} if first.ndim else set()
    if len(parts) > PIECES or not first.size or any(shape[i] != 1 for i in axes):
        return None
    dtypes = tuple(part.dtype for part in parts[0])
    found = folding(name, dtypes, None if dtype is None else np.dtype(dtype), order)
    if found is None:
        return None
    device = cupy.cuda.runtime.getDevice()
    addresses = []
    for piece in parts:
        for part, kind in zip(piece, dtypes, strict=True):
            alike = type(part) is cupy.ndarray and part.dtype == kind and part.shape[: first.ndim] == shape
            if not (alike and part.flags.c_contiguous and part.data.device_id == device):
                return None
        addresses.append([part.data.ptr for part in piece])
    kernel = launch.compiled(_compiled, (found.code,), lambda: program(found.code, found.reads), ("fold",))
    if kernel is None:
        return None
    outer = tuple(1 if i in axes else n for i, n in enumerate(shape) if keepdims or i not in axes)
    tails = [part.shape[first.ndim :] for part in parts[0]] if len(found.results) > 1 else [()]
    results = [cupy.empty(outer + tail, kind) for kind, tail in zip(found.results, tails, strict=False)]
    size = prod(shape)
    words = query(size, float(ddof), addresses, [result.data.ptr for result in results])
    kernel[0]((-(-size // 256),), (256,), (words.view(_OPAQUE),))
    return results


def starts(x: Any) -> bool:
    """Whether this thread is to the device what a new one is, and so may start what that would start."""
    return bool(cupy.cuda.get_current_stream().ptr == 0 and cupy.cuda.runtime.getDevice() == 0)


kernels.TABLES["merged"].add(cupy.ndarray, merged)
kernels.TABLES["starts"].add(cupy.ndarray, starts)
