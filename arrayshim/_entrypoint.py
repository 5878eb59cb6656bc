"""A backend inside dask: the entry point for `array.backend`, the chunk types, and the rows of the tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from dask.array.backends import ArrayBackendEntrypoint, array_creation_dispatch
from dask.backends import detect_entrypoints

from arrayshim import kernels
from arrayshim._moving import ToDevice, is_own, meta_of
from arrayshim.ledger import Ledger


def install(backend: Any, ledger: Ledger) -> None:
    """Write a backend into dask, through a ledger that can undo it.

    Parameters
    ----------
    backend : Backend
    ledger : Ledger
        Of the caller.
    """
    from dask.array.chunk_types import _HANDLED_CHUNK_TYPES

    from arrayshim import tables

    owned = {*array_creation_dispatch._lookup, *detect_entrypoints("dask.array.backends")}
    if backend.name not in owned:
        ledger.set_item(array_creation_dispatch._lookup, backend.name, Entrypoint(backend))
    for cls in backend.chunk_types:
        ledger.append(_HANDLED_CHUNK_TYPES, cls)
        rows: dict[str, Callable[..., Any]] = {
            "to_numpy": _Row(backend.to_host),
            "empty": partial(_empty_by, backend.to_device),
        }
        for name, function in rows.items():
            present = tables.get(name)._lookup
            if cls not in present or present[cls] is present.get(object):
                tables.write(ledger, name, cls, function)


@dataclass(frozen=True, slots=True)
class _Row:
    """An entry of dask's tables, called with keywords that the function of a backend need not know."""

    function: Callable[[Any], Any]

    def __call__(self, data: Any, **kwargs: Any) -> Any:
        return self.function(data, **kwargs)


def _empty_by(to_device: Callable[[Any], Any], shape: Any, dtype: Any = float, **_: Any) -> Any:
    return kernels.empty(shape, dtype, like=to_device(np.empty((0,), dtype=dtype)))


class Entrypoint(ArrayBackendEntrypoint):  # type: ignore[misc]
    """A backend as dask's `array.backend` wants it."""

    def __init__(self, backend: Any) -> None:
        self.backend = backend

    def __repr__(self) -> str:
        return f"<dask array backend {self.backend.name!r} by arrayshim>"

    @property
    def RandomState(self) -> Any:
        """What makes a chunk's random state."""
        from arrayshim.random import random_state_of

        return random_state_of(self.backend)

    @property
    def default_bit_generator(self) -> Any:
        """What makes a chunk's bit generator."""
        from arrayshim.random import bit_generator_of

        return bit_generator_of(self.backend)

    def to_backend_dispatch(self) -> ToDevice:
        """The task that moves one chunk here."""
        return ToDevice.of(self.backend, through_host=True)

    def to_backend(self, data: Any, **kwargs: Any) -> Any:
        """Move a dask array here, chunk by chunk, lazily."""
        if is_own(self.backend, type(data._meta)):
            return data
        meta = meta_of(self.backend, data.ndim, data.dtype)
        return data.map_blocks(self.to_backend_dispatch(), meta=meta, dtype=meta.dtype, **kwargs)

    def ones(self, *args: Any, **kwargs: Any) -> Any:
        """As ``dask.array.ones``."""
        return self._filled("ones", *args, **kwargs)

    def zeros(self, *args: Any, **kwargs: Any) -> Any:
        """As ``dask.array.zeros``."""
        return self._filled("zeros", *args, **kwargs)

    def empty(self, *args: Any, **kwargs: Any) -> Any:
        """As ``dask.array.empty``."""
        return self._filled("empty", *args, **kwargs)

    def full(self, *args: Any, **kwargs: Any) -> Any:
        """As ``dask.array.full``."""
        return self._filled("full", *args, **kwargs)

    def arange(self, *args: Any, like: Any = None, **kwargs: Any) -> Any:
        """As ``dask.array.arange``."""
        from arrayshim import creation

        kwargs.setdefault("chunks", "auto")
        return creation.arange(*args, like=self.backend if like is None else like, **kwargs)

    def _filled(self, function: str, *args: Any, meta: Any = None, **kwargs: Any) -> Any:
        from arrayshim import _creation_lazy
        from arrayshim.backends import backend_of

        return _creation_lazy.fill(function, self.backend if meta is None else backend_of(meta), *args, **kwargs)
