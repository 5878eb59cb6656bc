"""What probes share: dask arrays with chunks of a strict type, and a backend that exists for one thread only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from threading import get_ident
from typing import Any

import numpy as np


@lru_cache(maxsize=1)
def unregistered() -> type:
    """An array type like `StrictArray` that no table has a row for; `Fix.diagnose` makes the tables forget it."""
    from arrayshim.strict import fresh_type

    return fresh_type("Unregistered")


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

    from arrayshim import strict

    return da.from_array(strict.asarray(np.array(values), kind=cls), chunks=chunks, name=False, asarray=False)


@contextmanager
def array_backend() -> Iterator[None]:
    """Inside the block, for this thread, `array.backend` is one that makes StrictArrays.

    Not by `dask.config.set`: other threads would make StrictArrays too, and those that set the backend themselves
    meanwhile would keep this one.
    """
    from dask.array.backends import ArrayBackendEntrypoint, array_creation_dispatch

    from arrayshim.strict import to_device

    name, thread = "arrayshim-probe", get_ident()
    stock: Any = type(array_creation_dispatch)

    class Entrypoint(ArrayBackendEntrypoint):  # type: ignore[misc]
        @classmethod
        def to_backend(cls, data: Any, **kwargs: Any) -> Any:
            return data.map_blocks(to_device, **kwargs)

    class ForOneThread(stock):  # type: ignore[misc]
        @property
        def backend(self) -> str:
            return name if get_ident() == thread else str(super().backend)

    array_creation_dispatch._lookup[name] = Entrypoint()
    array_creation_dispatch.__class__ = ForOneThread
    try:
        yield
    finally:
        array_creation_dispatch.__class__ = stock
        del array_creation_dispatch._lookup[name]
