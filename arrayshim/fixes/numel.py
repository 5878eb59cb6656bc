"""The number of elements of a chunk of unknown type is counted in NumPy, so means and variances mix two kinds of array.

    >>> da.from_array(device_array, chunks=2).mean(axis=0).compute()
    TypeError: unsupported operand type(s) for /: device array and 'numpy.ndarray'

`numel_lookup` has rows for NumPy, CuPy and sparse; the `object` row, which is meant for NumPy, takes every other type
that has NEP-18.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.array import chunk

from arrayshim import kernels, tables
from arrayshim.fix import Fix, original
from arrayshim.kernels import fused

FIX = Fix(
    __name__,
    title="mean, var and std of chunks of a type that nobody registered",
    affects=">=2025.1",
)

NUMEL = "dask.array.reductions.numel"
MEAN_CHUNK = "dask.array.reductions.mean_chunk"
MOMENT_CHUNK = "dask.array.reductions.moment_chunk"

for _cls in (np.ndarray, np.ma.MaskedArray):
    kernels.numel.add(_cls, tables.get("numel").dispatch(_cls))


@FIX.probe
def faulty() -> str | None:
    from dask.array.dispatch import numel_lookup

    from arrayshim.probes import unregistered

    cls = unregistered()
    count = numel_lookup(cls((2, 2), dtype="f8"), axis=(0,), keepdims=True)
    return None if type(count) is cls else f"numel of an unknown device array is a {type(count).__name__}"


FIX.registers("numel", object)(kernels.numel)


# A table does not travel with a graph: these three consult it in a task, and must be recognisably ours there, so that a
# worker without arrayshim refuses the graph instead of running stock code.
@FIX.replaces(NUMEL)
def numel(x: Any, **kwargs: Any) -> Any:
    return original(NUMEL)(x, **kwargs)


@FIX.replaces(MEAN_CHUNK)
def mean_chunk(x: Any, *args: Any, **kwargs: Any) -> Any:
    parts = None if args else fused.mean_chunk(x, **kwargs)
    return original(MEAN_CHUNK)(x, *args, **kwargs) if parts is None else parts


@FIX.replaces(MOMENT_CHUNK)
def moment_chunk(A: Any, *args: Any, **kwargs: Any) -> Any:
    parts = None if args else fused.moment_chunk(A, **kwargs)
    if parts is None and not args:
        kwargs.setdefault("sum", chunk.sum)  # the live one: the default was bound when dask was imported
    return original(MOMENT_CHUNK)(A, *args, **kwargs) if parts is None else parts
