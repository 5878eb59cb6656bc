"""What the creation functions share: where the result goes, and how one array is made there."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.array.backends import array_creation_dispatch

from arrayshim import _creation_lazy as _lazy
from arrayshim._moving import ToDevice
from arrayshim.backends import backend_of


def config_backend() -> Any:
    """The backend that dask's `array.backend` names."""
    return backend_of(array_creation_dispatch.backend)


def target(like: Any, chunks: Any) -> tuple[Any, Any]:
    """The backend of ``like=``, and the chunks; None where the result is to be eager."""
    lazy = isinstance(like, da.Array)
    return config_backend() if like is None else backend_of(like), "auto" if lazy and chunks is None else chunks


def eager(function: str, backend: Any, *args: Any, **kwargs: Any) -> Any:
    """``numpy.<function>`` made where the arrays of a backend are, on the host and moved if the library lacks it."""
    if np.ndarray in backend.chunk_types:
        return getattr(np, function)(*args, **kwargs)
    if function in _NEP35:
        return _lazy.on_device(function, ToDevice.of(backend), *args, **kwargs)
    made = getattr(backend.namespace, function, getattr(np, function))(*args, **kwargs)
    return placed(made, backend)


def placed(made: Any, backend: Any) -> Any:
    """Results of a creation function, one or several, moved if they were made on the host."""
    place = ToDevice.of(backend)
    return tuple(map(place, made)) if isinstance(made, tuple | list) else place(made)


def from_vectors(function: str, backend: Any, *vectors: Any, **kwargs: Any) -> Any:
    """``numpy.<function>`` of host arrays, which move first if the library has the function too."""
    native = getattr(backend.namespace, function, None)
    if native is None or np.ndarray in backend.chunk_types:
        made = getattr(np, function)(*vectors, **kwargs)
    else:
        made = native(*map(backend.to_device, vectors), **kwargs)
    return placed(made, backend)


_NEP35 = frozenset(["empty", "ones", "zeros", "full", "arange", "eye", "identity", "tri", "fromfunction"])


def given(**kwargs: Any) -> dict[str, Any]:
    """The keywords that are not None: narrower signatures than NumPy's are met with what the user gave."""
    return {name: value for name, value in kwargs.items() if value is not None}
