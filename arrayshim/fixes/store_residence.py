"""`store` assigns chunks to targets as they are, but host memory takes no device arrays, nor a device host arrays.

    >>> x.store(numpy_array)                  # x of CuPy chunks
    TypeError: Implicit conversion to a NumPy array is not allowed. ...
    >>> y.store(cupy_array)                   # y of NumPy chunks
    ValueError: non-scalar numpy.ndarray cannot be used for fill

Who stores into host memory, a file included, asks for a copy there. Each task copies its own chunk. `to_zarr`,
`to_hdf5` and `to_tiledb` go through `store`; `to_npy_stack` writes by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from inspect import signature
from typing import Any
from uuid import uuid4

import numpy as np

from arrayshim._hosting import on_host
from arrayshim.fix import Fix, original
from arrayshim.residency import is_device, moved, to_host

FIX = Fix(
    __name__,
    title="store and to_npy_stack copy device chunks to host targets, and host chunks to device targets",
    affects=">=2025.1",
    array_expr=False,
)

CHUNK = "dask.array.core.load_store_chunk"
STORE = "dask.array.core.store"
NPY = "dask.array.core.to_npy_stack"


@FIX.probe
def faulty() -> str | None:
    from dask.array.dispatch import to_numpy_dispatch

    from arrayshim.probes import dask_array, unregistered

    to_numpy_dispatch.register(unregistered(), lambda x: x.get())
    target = np.zeros(2)
    try:
        dask_array([1.0, 2.0], cls=unregistered()).store(target, scheduler="sync")
    except TypeError:
        return "device chunks cannot be stored into an ndarray"
    return None if target.tolist() == [1.0, 2.0] else f"[1, 2] stored as {target}"


@dataclass(frozen=True, slots=True)
class Target:
    """A device array in a graph, where dask would copy it to the host to make a name of its values."""

    array: Any

    def __dask_tokenize__(self) -> tuple[str, str]:
        # Each store is one of its own, as it is for what it changes.
        return "arrayshim.Target", uuid4().hex


@FIX.replaces(CHUNK)
def load_store_chunk(x: Any, out: Any, *args: Any, **kwargs: Any) -> Any:
    write = original(CHUNK)
    if isinstance(out, Target):
        out = out.array
    if is_device(out):
        return write(x if x is None else moved(x, out, "store"), out, *args, **kwargs)
    try:
        # Some stores take device arrays, and then the bytes need not pass through the host.
        return write(x, out, *args, **kwargs)
    except TypeError:
        if not is_device(x):
            raise
    return write(to_host(x, "store"), out, *args, **kwargs)


# By its two names: `Array.store` keeps the stock function as what it is documented after, and calls it by name.
@FIX.replaces(STORE, everywhere=False)
@FIX.replaces("dask.array.store", everywhere=False)
def store(sources: Any, targets: Any, *args: Any, **kwargs: Any) -> Any:
    if hasattr(sources, "__dask_graph__"):
        sources, targets = [sources], [targets]
    given = [Target(target) if is_device(target) else target for target in targets]
    stock = original(STORE)
    stored = stock(sources, given, *args, **kwargs)
    if signature(stock).bind(sources, given, *args, **kwargs).arguments.get("return_stored"):
        # What is read back is where it was stored, not where it came from.
        for array, source, target in zip(_several(stored), sources, targets, strict=True):
            if is_device(target) or is_device(source):
                array._meta = _kind(target, array)
    return stored


def _several(stored: Any) -> tuple[Any, ...]:
    return stored if isinstance(stored, tuple) else (stored,)


def _kind(target: Any, array: Any) -> Any:
    like = target if is_device(target) else np.empty(0)
    return np.empty_like(like, shape=(0,) * array.ndim, dtype=array.dtype)


@FIX.replaces(NPY)
def to_npy_stack(dirname: Any, x: Any, axis: int = 0) -> None:
    original(NPY)(dirname, on_host(x, "to_npy_stack") if is_device(x) else x, axis=axis)
