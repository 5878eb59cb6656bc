"""Array types that nobody has registered, and backends that live for one test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

import dask.array as da
import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from arrayshim import Backend, _moving, register_backend, registration, strict


class Duck(NDArrayOperatorsMixin):
    """A plain array with NEP-13, NEP-18 and NEP-35 that never turns into NumPy by itself."""

    def __init__(self, shape: Any = None, dtype: Any = float, *, data: Any = None) -> None:
        self.data = np.empty(shape, dtype=dtype) if data is None else np.asarray(data)

    shape = property(lambda self: self.data.shape)
    dtype = property(lambda self: self.data.dtype)
    ndim = property(lambda self: self.data.ndim)
    size = property(lambda self: self.data.size)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise TypeError("a Duck is no NumPy array")

    def __len__(self) -> int:
        return len(self.data)

    def __bool__(self) -> bool:
        return bool(self.data)

    def __getitem__(self, key: Any) -> Any:
        key = tuple(map(_bare, key)) if isinstance(key, tuple) else _bare(key)
        return _wrapped(self.data[key])

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[_bare(key)] = _bare(value)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "data":
            raise AttributeError(name)
        method = getattr(self.data, name)
        return (lambda *a, **k: _wrapped(method(*a, **k))) if callable(method) else method

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if any(isinstance(x, np.ndarray) for x in inputs):
            return NotImplemented
        return _wrapped(getattr(ufunc, method)(*map(_bare, inputs), **kwargs))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if func is np.nanquantile or any(issubclass(t, np.ndarray) for t in types):
            return NotImplemented
        return _wrapped(func(*_deep(args), **{key: _deep(value) for key, value in kwargs.items()}))


def _bare(x: Any) -> Any:
    return x.data if isinstance(x, Duck) else x


def _deep(x: Any) -> Any:
    return type(x)(map(_deep, x)) if isinstance(x, list | tuple) else _bare(x)


def _wrapped(x: Any) -> Any:
    return Duck(data=x) if isinstance(x, np.ndarray | np.generic) else x


def strict_backend(name: str, **options: Any) -> Backend:
    """A backend whose type, a strict one, no table has seen."""
    kind = strict.fresh_type("Fresh")
    namespace = strict.namespace_of(kind)
    return Backend(
        name=name,
        namespace=namespace,
        to_device=namespace.asarray,
        to_host=lambda x: x.get(),
        chunk_types=(kind,),
        **options,
    )


@contextmanager
def registered(backend: Any) -> Iterator[Any]:
    """Register a backend for a block."""
    before = len(registration._additions)
    register_backend(backend)
    try:
        yield backend
    finally:
        _moving.registered.pop(backend.name)
        # dask keeps the state behind its functions by the name of the backend.
        da.random._cached_states.pop(backend.name, None)
        for addition in registration._additions[before:]:
            addition.take_back()
        del registration._additions[before:]


def as_duck(x: Any) -> Duck:
    """A Duck of host data."""
    return Duck(data=np.array(x))


like_duck = partial(Duck, data=np.empty(0))


def on_host(x: Any) -> Any:
    """The ndarray in an array of any of the types that the tests use."""
    return x.get() if hasattr(x, "get") else getattr(x, "data", x)
