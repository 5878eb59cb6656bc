"""The largest of a chunk are found by NumPy's names, and there by functions that a device library has, however slow.

>>> da.topk(cupy_array, 10).compute()    # 800 MB of float64: 67 ms a chunk on an H200

`cupy.partition` is a sort of everything. Here the table of kernels is asked first. `argtopk` numbers all elements in
host memory, which takes longer than the search: beside chunks that have a kernel they are numbered where these are.

The graph of `argtopk` is that of ``dask.array.reductions.argtopk`` (Copyright (c) 2014, Anaconda, Inc. and
contributors, BSD 3-Clause License).
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim.fix import Fix, original
from arrayshim.kernels.picking import no_top

FIX = Fix(
    __name__,
    title="topk and argtopk of CuPy chunks by selection",
    affects=">=2025.1",
    forwarded="not-needed",
    reason="the kernel is CUDA code, which is no business of dask",
)

ARGTOPK = "dask.array.reductions.argtopk"
TOPK_OF_CHUNK = "dask.array.chunk.topk"
ARGTOPK_OF_CHUNK = "dask.array.chunk.argtopk"


@FIX.probe
def faulty() -> str | None:
    from dask.array import chunk

    class Sample:
        """A chunk type for which a kernel exists."""

        shape = (5,)

    kernels.top.add(Sample, lambda a, k, axis, *, places: "the kernel")
    try:
        found = chunk.topk(Sample(), 2, axis=(0,), keepdims=True)
    except (TypeError, ValueError):
        found = None
    finally:
        kernels.top.remove(Sample)
    return None if found == "the kernel" else "the largest of a chunk that has a kernel are found by NumPy's name"


@FIX.replaces(TOPK_OF_CHUNK)
def topk(a: Any, k: int, axis: Any, keepdims: bool) -> Any:
    found = _found(a, k, axis, places=False)
    return original(TOPK_OF_CHUNK)(a, k, axis, keepdims) if found is None else found


@FIX.replaces(ARGTOPK_OF_CHUNK)
def argtopk_of_chunk(a_plus_idx: Any, k: int, axis: Any, keepdims: bool) -> Any:
    # A list is what chunks have left, which is little.
    a, idx = a_plus_idx if isinstance(a_plus_idx, tuple) else (None, None)
    found = None if a is None else _found(a, k, axis, places=True)
    if found is None:
        return original(ARGTOPK_OF_CHUNK)(a_plus_idx, k, axis, keepdims)
    return np.take_along_axis(a, found, axis[0]), np.take_along_axis(idx, found, axis[0])


@FIX.replaces(ARGTOPK)
def argtopk(a: Any, k: int, axis: int = -1, split_every: Any = None) -> Any:
    kernel = kernels.top.dispatch(type(getattr(a, "_meta", None)))
    if kernel is no_top:
        return original(ARGTOPK)(a, k, axis=axis, split_every=split_every)
    from dask.array import chunk
    from dask.array.creation import arange
    from dask.array.reductions import reduction
    from dask.array.utils import validate_axis

    axis = validate_axis(axis, a.ndim)
    numbers = arange(a.shape[axis], chunks=(a.chunks[axis],), dtype=np.intp, like=a._meta)
    numbers = numbers[tuple(slice(None) if i == axis else np.newaxis for i in range(a.ndim))]
    step = partial(chunk.argtopk, k=k)
    return reduction(
        a.map_blocks(chunk.argtopk_preprocess, numbers, dtype=object),
        chunk=step,
        combine=step,
        aggregate=partial(chunk.argtopk_aggregate, k=k),
        axis=axis,
        keepdims=True,
        dtype=np.intp,
        split_every=split_every,
        concatenate=False,
        output_size=abs(k),
        meta=a._meta.astype(np.intp),
    )


def _found(a: Any, k: int, axis: Any, *, places: bool) -> Any:
    """What a kernel finds; None where all of the axis is asked for, and where there is no kernel."""
    return None if abs(k) >= a.shape[axis[0]] else kernels.top(a, k, axis[0], places=places)
