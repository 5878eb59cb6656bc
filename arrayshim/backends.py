"""Backends: what arrayshim and dask must know of an array library, in one small object."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from dask.array.backends import array_creation_dispatch
from dask.backends import detect_entrypoints
from dask.base import is_dask_collection

from arrayshim import kernels
from arrayshim._entrypoint import Entrypoint, install
from arrayshim._moving import registered, to_host
from arrayshim.errors import BackendError


@dataclass(frozen=True, slots=True, kw_only=True)
class Backend:
    """An array library.

    Parameters
    ----------
    name : str
        As in dask's setting `array.backend` and in ``x.to_backend(name)``.
    namespace : module or object
        Has the library's creation functions under NumPy's names; what it lacks is made on the host and moved.
    to_device : callable
        ``to_device(ndarray) -> array``; a module-level function or a partial of one, since it travels with graphs.
    to_host : callable
        ``to_host(array) -> ndarray``.
    chunk_types : tuple of type
        The types of the library's arrays.
    random_state : callable, optional
        Like ``numpy.random.RandomState``. Without it numbers are drawn by NumPy and moved.
    bit_generator : callable, optional
        Like ``numpy.random.PCG64``, for ``default_rng``; with the same fallback.
    """

    name: str
    namespace: Any
    to_device: Callable[[Any], Any]
    to_host: Callable[[Any], Any]
    chunk_types: tuple[type, ...]
    random_state: Callable[..., Any] | None = None
    bit_generator: Callable[..., Any] | None = None


def _as_it_is(x: Any) -> Any:
    return x


NUMPY = Backend(
    name="numpy",
    namespace=np,
    to_device=np.asarray,
    to_host=_as_it_is,
    chunk_types=(np.ndarray,),
    random_state=np.random.RandomState,
    bit_generator=np.random.PCG64,
)

_REQUIRED = ("name", "namespace", "to_device", "to_host", "chunk_types")


def register_backend(backend: Any = None, **attributes: Any) -> None:
    """Make an array library known to arrayshim and to dask.

    dask's setting `array.backend` and ``x.to_backend`` then know its name, its types count as chunk types, and
    dask's tables `to_numpy` and `empty` have rows for them. What others have registered is never overwritten,
    and ``arrayshim.disable()`` takes all of it out of dask again.

    Parameters
    ----------
    backend : Backend or object
        With the attributes of a :class:`Backend`. Registering the same object again does nothing.

    Raises
    ------
    BackendError
        If an attribute is missing or wrong, another object has the name, or what is given is not one object.
    """
    from arrayshim.registration import attach
    from arrayshim.tables import LOCK

    if attributes or backend is None:
        given = ", ".join(attributes) or "nothing"
        raise BackendError(
            f"register_backend was given {given}; it takes one object: register_backend(Backend("
            f"{', '.join(f'{name}=...' for name in _REQUIRED)}))"
        )
    _check(backend)
    with LOCK:
        known = registered.get(backend.name)
        if known is backend:
            return
        if known is not None:
            raise BackendError(f"another backend is registered as {backend.name!r}; choose another name")
        registered[backend.name] = backend
        try:
            attach(partial(install, backend))
        except BaseException:
            del registered[backend.name]
            raise


def _check(backend: Any) -> None:
    missing = [attribute for attribute in _REQUIRED if not hasattr(backend, attribute)]
    if missing:
        raise BackendError(f"{backend!r} lacks {', '.join(missing)}; a backend has {', '.join(_REQUIRED)}")
    if not isinstance(backend.name, str) or not backend.name:
        raise BackendError(f"name of a backend is {backend.name!r}; it must be a non-empty str")
    for attribute in ("to_device", "to_host"):
        if not callable(getattr(backend, attribute)):
            raise BackendError(f"{attribute} of backend {backend.name!r} is not callable; it must take one array")
    types = backend.chunk_types
    if backend.name == "numpy" and isinstance(types, tuple) and np.ndarray not in types:
        raise BackendError("'numpy' is the name of NumPy's own backend; choose another name")
    if not isinstance(types, tuple) or not types or not all(isinstance(cls, type) for cls in types):
        raise BackendError(f"chunk_types of backend {backend.name!r} is {types!r}; it must be a tuple of array types")


def backend_of(like: Any) -> Any:
    """The backend of whatever a ``like=`` may be.

    Parameters
    ----------
    like : str, array, array type, dask array or Backend
        A name is that of a registered backend or one that dask knows, whose library is imported then. An array
        type that nobody registered is a backend all the same: NEP-35 puts host data beside its arrays.

    Returns
    -------
    Backend
        Or the object that was registered in its place.

    Raises
    ------
    BackendError
        If `like` is none of these, or the library cannot make an array here.
    """
    if isinstance(like, str):
        return _by_name(like)
    if all(hasattr(like, attribute) for attribute in _REQUIRED):
        return like
    if is_dask_collection(like) and hasattr(like, "_meta"):
        like = like._meta
    if isinstance(like, type):
        return _by_type(like, None)
    if hasattr(like, "dtype") and hasattr(like, "shape"):
        return _by_type(type(like), like)
    raise BackendError(f"like={like!r} is no array, array type, dask array or name of a backend")


def _by_name(name: str) -> Any:
    if name in registered:
        return registered[name]
    if name == "numpy":
        return NUMPY
    try:
        entry = array_creation_dispatch.dispatch(name)
    except ValueError:
        names = sorted({*registered, *array_creation_dispatch._lookup, *detect_entrypoints("dask.array.backends")})
        raise BackendError(f"no array backend is called {name!r}; there are {', '.join(names)}") from None
    if isinstance(entry, Entrypoint):
        return entry.backend
    try:
        array = entry.to_backend_dispatch()(np.empty(0))
        return _described(
            name,
            array,
            namespace=sys.modules.get(type(array).__module__.partition(".")[0]),
            random_state=kernels.TABLES["random_state"](array) or entry.RandomState,
            bit_generator=kernels.TABLES["bit_generator"](array) or entry.default_bit_generator,
        )
    except Exception as error:
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BackendError(f"array backend {name!r} cannot make an array here: {reason}") from error


def _by_type(cls: type, array: Any) -> Any:
    if cls is np.ndarray or issubclass(cls, np.generic):
        return registered.get("numpy", NUMPY)
    for base in cls.__mro__:
        if base is np.ndarray:
            break
        for backend in registered.values():
            if base in backend.chunk_types:
                return backend
    root = cls.__module__.partition(".")[0]
    if root != "numpy" and root in detect_entrypoints("dask.array.backends"):
        return _by_name(root)
    if array is None:
        try:
            array = cls(shape=(0,), dtype=np.dtype(float))  # type: ignore[call-arg]
        except Exception as error:
            raise BackendError(
                f"{cls.__name__}(shape=..., dtype=...) does not make an array ({error}); give an array as like= instead"
            ) from None
    return _described(cls.__name__, array[(slice(0),) * array.ndim])


def _described(name: str, array: Any, *, namespace: Any = None, **optional: Any) -> Backend:
    return Backend(
        name=name,
        namespace=namespace,
        to_device=partial(kernels.beside, like=array),
        to_host=to_host,
        chunk_types=(type(array),),
        **optional,
    )
