"""The memory of a strict array: where its values are kept, and the count of what is copied to the host."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeVar

import numpy

from .rules import native_dtype

np: Any = numpy

_lock = threading.Lock()
_counters: list[Conversions] = []
T = TypeVar("T")


@dataclass(slots=True)
class Conversions:
    """What was copied from device to host while it was counted.

    Attributes
    ----------
    count : int
        Copies made by any thread. A copy of no elements is none, as in CuPy.
    bytes : int
        Bytes of those copies.
    """

    count: int = 0
    bytes: int = 0


@contextmanager
def conversions() -> Iterator[Conversions]:
    """Count the device-to-host copies of every thread of the process.

    Yields
    ------
    Conversions
        Grows while the block runs and stands still afterwards. Blocks may be nested and may run in several threads;
        each counts everything that happens while it is open.
    """
    counter = Conversions()
    with _lock:
        _counters.append(counter)
    try:
        yield counter
    finally:
        with _lock:
            # by identity: counters that happen to be equal must not be taken for one another
            _counters[:] = [c for c in _counters if c is not counter]


def count_copy(nbytes: int) -> None:
    """Note one device-to-host copy."""
    if not nbytes:
        return
    with _lock:
        for counter in _counters:
            counter.count += 1
            counter.bytes += nbytes


class Flags:
    """Layout flags, those that CuPy has: ``c_contiguous``, ``f_contiguous``, ``owndata``, ``fnc``, ``forc``."""

    __slots__ = ("c_contiguous", "f_contiguous", "owndata")

    def __init__(self, c_contiguous: bool, f_contiguous: bool, owndata: bool) -> None:
        self.c_contiguous, self.f_contiguous, self.owndata = c_contiguous, f_contiguous, owndata

    @property
    def fnc(self) -> bool:
        """Fortran order and not C order."""
        return self.f_contiguous and not self.c_contiguous

    @property
    def forc(self) -> bool:
        """Fortran or C order."""
        return self.f_contiguous or self.c_contiguous

    def __getitem__(self, name: str) -> bool:
        if name not in ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA"):
            raise KeyError(f"{name} is not defined for the flags of a strict array")
        value: bool = getattr(self, name.lower())
        return value

    def __repr__(self) -> str:
        return "\n".join(f"  {name} : {self[name]}" for name in ("C_CONTIGUOUS", "F_CONTIGUOUS", "OWNDATA"))


@dataclass(frozen=True, slots=True)
class Device:
    """The one device that strict arrays live on."""

    id: int = 0


@dataclass(frozen=True, slots=True)
class Pointer:
    """Address of an array's first element; two views of one array have comparable addresses."""

    ptr: int
    device_id: int = 0
    device: Device = field(default_factory=Device)


class DeviceArray:
    """Memory and layout of a strict array, without any operation.

    A *kind* is a class made with the keyword ``kind=True`` and its subclasses; arrays of two kinds know nothing of
    each other, as the arrays of two device libraries do.
    """

    __slots__ = ("__weakref__", "_base", "_host")

    _kind: ClassVar[Any]
    _base: Any
    _host: Any

    def __init_subclass__(cls, *, kind: bool = False) -> None:
        super().__init_subclass__()
        if kind:
            cls._kind = cls

    def __new__(
        cls, shape: Any, dtype: Any = float, memptr: Any = None, strides: Any = None, order: str | None = "C"
    ) -> Any:
        if memptr is not None:
            raise TypeError("memptr given: a strict array owns its memory -> leave memptr out, or take a view")
        dtype = native_dtype(dtype)
        if strides is None:
            return cls._wrap(np.zeros(shape, dtype, order="F" if order in ("F", "f") else "C"))
        size = int(np.prod(shape))
        return cls._wrap(np.ndarray(shape, dtype, np.zeros(size, dtype), 0, strides))

    @classmethod
    def _wrap(cls, host: Any, base: Any = None) -> Any:
        self = object.__new__(cls)
        self._host, self._base = host, base
        return self

    def _view(self, host: Any) -> Any:
        """A view that shares memory: same class, and the owner remembered."""
        return type(self)._wrap(host, self if self._base is None else self._base)

    def _to_host(self) -> Any:
        """A host copy, counted."""
        count_copy(self._host.nbytes)
        return self._host.copy(order="C")


def unwrap(kind: Any, value: Any) -> Any:
    """The host values behind `value`, arrays inside lists, tuples, dicts and slices included."""
    if isinstance(value, kind):
        return value._host
    if isinstance(value, (list, tuple)):
        return type(value)(unwrap(kind, v) for v in value) if type(value) in (list, tuple) else value
    if isinstance(value, dict):
        return {k: unwrap(kind, v) for k, v in value.items()}
    return value


def contiguous(host: Any) -> Any:
    """`host` in C order; unlike ``np.ascontiguousarray`` a 0-d array stays 0-d."""
    return host if host.flags.c_contiguous else host.copy(order="C")


def flatten_arrays(value: Any, accept: Callable[[Any], bool]) -> Iterator[Any]:
    """Every leaf of nested lists and tuples that `accept` takes."""
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from flatten_arrays(item, accept)
    elif accept(value):
        yield value
