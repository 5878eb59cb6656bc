"""Moving chunks between host and devices, and the errors for what must not move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from dask.array.dispatch import to_numpy_dispatch

from arrayshim.errors import UnsupportedError

#: Name -> the backend that was registered under it.
registered: dict[str, Any] = {}


@dataclass(frozen=True, slots=True)
class ToDevice:
    """Task that puts a host chunk on a device. A chunk of another device moves only if `through_host` says so."""

    name: str
    to_device: Callable[[Any], Any]
    chunk_types: tuple[type, ...]
    through_host: bool = False

    __name__: ClassVar[str] = "to-device"

    @classmethod
    def of(cls, backend: Any, *, through_host: bool = False) -> ToDevice:
        """The task for a backend."""
        return cls(backend.name, backend.to_device, tuple(backend.chunk_types), through_host)

    def __call__(self, chunk: Any) -> Any:
        if is_own(self, type(chunk)):
            return chunk
        if isinstance(chunk, np.ma.MaskedArray):
            raise no_mask(self.name)
        if not isinstance(chunk, np.ndarray | np.generic):
            if not self.through_host:
                raise no_way(type(chunk), self.name)
            chunk = to_host(chunk)
        return self.to_device(np.asarray(chunk))

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return "arrayshim.ToDevice", self.name, [f"{t.__module__}.{t.__qualname__}" for t in self.chunk_types]


def is_own(backend: Any, cls: type) -> bool:
    """Whether arrays of type `cls` are a backend's own; NumPy's are ndarrays proper, not their subclasses."""
    return cls in backend.chunk_types or any(t is not np.ndarray and issubclass(cls, t) for t in backend.chunk_types)


def no_way(cls: type, name: str) -> UnsupportedError:
    """The error for data that would have to leave a device unasked."""
    return UnsupportedError(
        f"{cls.__name__} data would have to leave their device to become {name!r} arrays, which nothing does unasked; "
        'bring them to the host first, with x.to_backend("numpy") of a dask array or by the library\'s own means'
    )


def no_mask(name: str) -> UnsupportedError:
    """The error for data that would silently lose their mask."""
    return UnsupportedError(
        f"masked arrays cannot become {name!r} arrays, which have no mask; fill them first, with da.ma.filled"
    )


def to_host(x: Any) -> Any:
    """Copy an array to the host by what its backend, dask's ``to_numpy_dispatch`` or its own ``__array__`` says.

    Raises
    ------
    UnsupportedError
        If none of them does.
    """
    for backend in registered.values():
        if is_own(backend, type(x)):
            return backend.to_host(x)
    try:
        return to_numpy_dispatch(x)
    except TypeError:
        pass
    try:
        # Some types convert when asked; one without `__array__` would become an array of objects.
        return type(x).__array__(x)
    except Exception:
        raise UnsupportedError(
            f"nobody has said how {type(x).__name__} becomes an ndarray; "
            "say it with arrayshim.register_backend(...) or dask's to_numpy_dispatch.register(type, function)"
        ) from None


def meta_of(backend: Any, ndim: int = 1, dtype: Any = float) -> Any:
    """A size-0 array of a backend."""
    return backend.to_device(np.empty((0,) * ndim, dtype=dtype))
