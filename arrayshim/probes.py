"""What probes share: dask arrays with chunks of a strict type, and a backend that exists for the length of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


def dask_array(values: Any, *, cls: type | None = None, chunks: Any = 2) -> Any:
    """A dask array of `values` with chunks of type `cls` (default `StrictArray`), its meta right and no table asked.

    Parameters
    ----------
    values : array_like
        Copied.
    cls : type, optional
        A type made by `arrayshim.strict.fresh_type`.
    chunks : int or tuple
        As in `dask.array.from_array`.
    """
    import dask.array as da

    from arrayshim.strict import StrictArray

    kind = StrictArray if cls is None else cls
    return da.from_array(kind._wrap(np.array(values)), chunks=chunks, name=False, asarray=False)


@contextmanager
def array_backend(name: str) -> Iterator[None]:
    """A backend of dask called `name`, whose chunks are StrictArrays, until the block is left."""
    from dask.array.backends import ArrayBackendEntrypoint, array_creation_dispatch

    from arrayshim.strict import to_device

    class Entrypoint(ArrayBackendEntrypoint):  # type: ignore[misc]
        @classmethod
        def to_backend(cls, data: Any, **kwargs: Any) -> Any:
            return data.map_blocks(to_device, **kwargs)

    array_creation_dispatch._lookup[name] = Entrypoint()
    try:
        yield
    finally:
        del array_creation_dispatch._lookup[name]
