"""Where operands live: parameters follow the data, full operands meet on the device, and what moves is counted.

A *parameter* (bins, weights, fill values, anything 0-d) goes where the data are; *full operands* of different residence
meet as the setting `arrayshim.mixed` says. Residence is read from meta, so what cannot be is said while the graph is
built. Host data move in tasks, chunk by chunk.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from sys import modules
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from arrayshim import _moving, config, kernels
from arrayshim._moves import SCALARS, Move, in_tasks
from arrayshim._nested import gathered, is_host_kind, is_hosted
from arrayshim._transfers import Transfers, count, transfers
from arrayshim.errors import ResidenceError
from arrayshim.kernels.generic import has_nep18

__all__ = [
    "Transfers",
    "devices_seen",
    "follow",
    "gathered",
    "home",
    "is_device",
    "moved",
    "to_host",
    "together",
    "transfers",
]

#: Whether arrays of a type meet ndarrays; what was found out once.
_mixing: WeakKeyDictionary[type, bool] = WeakKeyDictionary()


def _meta(x: Any) -> Any:
    return getattr(x, "_meta", x) if hasattr(x, "__dask_graph__") else x


def home(x: Any) -> type:
    """The type of the chunks of a dask array, by its meta; the type of anything else."""
    return type(_meta(x))


def is_device(x: Any) -> bool:
    """Whether the chunks of `x` (dask array, array or meta) are arrays that NumPy's cannot meet.

    A type with NEP-18 that is no ndarray and whose product with an ndarray fails. Types made to meet NumPy's, as
    sparse arrays and quantities are, are not devices, whatever they think of conversion.
    """
    meta = _meta(x)
    kind = type(meta)
    if issubclass(kind, np.ndarray | np.generic) or not has_nep18(meta):
        return False
    lazy_frame = meta is not x and not hasattr(x, "chunks")
    return hasattr(meta, "dtype") and not lazy_frame and not _mixes(meta)


def devices_seen() -> bool:
    """Whether this process has met an array of a device, or may: a library of such is imported, or registered."""
    # In one step: other threads may meet new types meanwhile.
    known = list(_mixing.data.values())  # type: ignore[attr-defined]
    return False in known or bool({*_moving.registered} - {"numpy"}) or not _libraries().isdisjoint(modules)


@cache
def _libraries() -> frozenset[str]:
    """The root modules of the backends that dask knows without being told."""
    from dask.backends import detect_entrypoints

    return frozenset(detect_entrypoints("dask.array.backends")) - {"numpy"}


def _mixes(meta: Any) -> bool:
    kind = type(meta)
    if kind not in _mixing:
        try:
            # Of size 0: nothing is computed. Multiplied, because a sum would make sparse arrays dense.
            probe = np.zeros_like(meta, shape=(0,), dtype=np.float64)
            _mixing[kind] = np.multiply(probe, np.ones(0)) is not NotImplemented
        except Exception:
            _mixing[kind] = False
    return _mixing[kind]


def _named(x: Any) -> str:
    meta = _meta(x)
    kind = f"dask array of {type(meta).__name__}" if meta is not x else type(x).__name__
    return f"{kind} {tuple(getattr(x, 'shape', ()))}"


def _refuse_masked(x: Any, like: Any, operation: str) -> None:
    if issubclass(home(x), np.ma.MaskedArray):
        raise ResidenceError(
            f"{operation}: {_named(x)} has a mask, which arrays of type {home(like).__name__} have not; "
            "fill it first, with da.ma.filled"
        )


def _two_devices(a: Any, b: Any, operation: str) -> ResidenceError:
    return ResidenceError(
        f"{operation}: {_named(a)} and {_named(b)} are on different devices, between which nothing moves unasked; "
        'bring one to the other\'s side, with x.to_backend("numpy") and then to_backend of the other'
    )


def _same(x: Any, like: Any) -> bool:
    return issubclass(home(x), home(like)) or issubclass(home(like), home(x))


def _of_host(x: Any) -> bool:
    """Whether `x` is an ndarray, or a dask array of ndarrays or of what NumPy makes ndarrays of, as of tables."""
    return issubclass(home(x), np.ndarray) or (hasattr(x, "chunks") and is_host_kind(home(x)))


def _moved_lazily(x: Any, like: Any, operation: str) -> Any:
    """A host-backed dask array whose chunks move in tasks."""
    _refuse_masked(x, like, operation)
    try:
        meta = kernels.beside(np.empty((0,) * x.ndim, dtype=x.dtype), _meta(like))
    except (TypeError, ValueError) as error:
        raise ResidenceError(
            f"{operation}: {_named(x)} of dtype {x.dtype} cannot become {home(like).__name__} ({error}); "
            "convert it to a dtype that the device has, with astype"
        ) from error
    return in_tasks(x, Move.beside(like, operation), meta)


def follow(value: Any, x: Any, operation: str) -> Any:
    """Put a parameter beside the data.

    Parameters
    ----------
    value : object
        Array, list, scalar or dask array that describes what is done with `x`.
    x : dask array, array or meta
        The data.
    operation : str
        Its name, for errors and counts.

    Returns
    -------
    object
        Beside device data: an array of their type from an ndarray or a sequence, at once; from a host-backed dask
        array one whose chunks move in tasks. Scalars, and what is there already, as they came. Beside host data:
        `value`.

    Raises
    ------
    ResidenceError
        If `value` is on a device and `x` is not, both are on different devices, or a mask would be lost.
    """
    if isinstance(value, SCALARS):
        return value
    given, value = value, gathered(value)
    if not is_device(x):
        if is_device(value):
            raise ResidenceError(
                f"{operation}: the data are {_named(x)}, in host memory, and a parameter is {_named(value)}; "
                'move the data with to_backend, or bring the parameter to the host (to_backend("numpy") of a '
                "dask array)"
            )
        return given if is_hosted(given) else value
    if is_device(value):
        if not _same(value, x):
            raise _two_devices(x, value, operation)
        return value
    if hasattr(value, "__dask_graph__"):
        return _moved_lazily(value, x, operation) if _of_host(value) else value
    if isinstance(value, np.ndarray):
        return moved(value, _meta(x), operation)
    return value


def together(operands: Iterable[Any], operation: str) -> list[Any]:
    """Full operands of one operation, all where the device ones are.

    Parameters
    ----------
    operands : iterable
        Dask arrays, arrays, sequences, scalars.
    operation : str
        Its name, for errors and counts.

    Returns
    -------
    list
        As they came where none is on a device. Otherwise host-backed dask arrays have become ones whose chunks move
        in tasks, ndarrays and sequences dask arrays of that kind, and 0-d ndarrays NumPy scalars.

    Raises
    ------
    ResidenceError
        If there are two kinds of device, a mask would be lost, a dtype cannot move, or the setting `arrayshim.mixed`
        is ``"raise"`` and a host operand has one dimension or more.
    """
    operands = list(operands)
    device = next((x for x in operands if is_device(x)), None)
    if device is None:
        return operands
    return [_beside(x, device, operation) for x in operands]


def _beside(x: Any, device: Any, operation: str) -> Any:
    listed, x = x, gathered(x)
    if x is not listed and type(x) is np.ndarray:
        # A list lives nowhere, so nothing of other residence meets.
        return _moved_lazily(_lazy(x), device, operation)
    if is_device(x):
        if not _same(x, device):
            raise _two_devices(device, x, operation)
        return x
    if not _of_host(x):
        return x
    _refuse_masked(x, device, operation)
    lazy = hasattr(x, "__dask_graph__")
    if x.ndim == 0 and not lazy:
        return x[()]
    if x.ndim and config.mixed() == "raise":
        raise ResidenceError(
            f"{operation}: {_named(device)} is on a device and {_named(x)} in host memory, and the setting "
            'arrayshim.mixed is "raise"; move one of them with to_backend, or set arrayshim.mixed to "device"'
        )
    return _moved_lazily(x if lazy else _lazy(x), device, operation)


def _lazy(x: np.ndarray[Any, Any]) -> Any:
    import dask.array as da

    return da.core.from_array(x)


def moved(chunk: Any, like: Any, operation: str) -> Any:
    """Put host data beside the array `like`, counted; for tasks.

    Raises
    ------
    ResidenceError
        If `chunk` is masked, or an array of another device.
    """
    if isinstance(chunk, (type(like), *SCALARS)):
        return chunk
    if is_device(chunk):
        raise _two_devices(like, chunk, operation)
    _refuse_masked(chunk, like, operation)
    if is_device(like):
        count(chunk if isinstance(chunk, np.ndarray) else np.asarray(chunk), operation, to_host=False)
    return kernels.beside(chunk, like)


def to_host(chunk: Any, operation: str) -> Any:
    """Copy a chunk to the host, counted; for tasks. What is there already is returned.

    Raises
    ------
    UnsupportedError
        If nobody has said how its type becomes an ndarray.
    """
    if isinstance(chunk, np.ndarray | np.generic):
        return chunk
    count(chunk, operation, to_host=True)
    return _moving.to_host(chunk)
