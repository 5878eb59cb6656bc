"""The largest of a chunk are found by NumPy's names, and there by functions that a device library has, however slow.

>>> da.topk(cupy_array, 10).compute()    # 800 MB of float64: 67 ms a chunk on an H200

`cupy.partition` is a sort of everything. Here the table of kernels is asked first.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="topk and argtopk of CuPy chunks by selection",
    affects=">=2025.1",
    forwarded="not-needed",
    reason="the kernel is CUDA code, which is no business of dask",
)

TOPK = "dask.array.chunk.topk"
ARGTOPK = "dask.array.chunk.argtopk"


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


@FIX.replaces(TOPK)
def topk(a: Any, k: int, axis: Any, keepdims: bool) -> Any:
    found = _found(a, k, axis, places=False)
    return original(TOPK)(a, k, axis, keepdims) if found is None else found


@FIX.replaces(ARGTOPK)
def argtopk(a_plus_idx: Any, k: int, axis: Any, keepdims: bool) -> Any:
    # A list is what chunks have left, which is little.
    a, idx = a_plus_idx if isinstance(a_plus_idx, tuple) else (None, None)
    found = None if a is None else _found(a, k, axis, places=True)
    if found is None:
        return original(ARGTOPK)(a_plus_idx, k, axis, keepdims)
    return np.take_along_axis(a, found, axis[0]), np.take_along_axis(idx, found, axis[0])


def _found(a: Any, k: int, axis: Any, *, places: bool) -> Any:
    """What a kernel finds; None where all of the axis is asked for, and where there is no kernel."""
    return None if abs(k) >= a.shape[axis[0]] else kernels.top(a, k, axis[0], places=places)
