"""Shape, type and memory layout of a strict array, and its flat iterator."""

from __future__ import annotations

from typing import Any

import numpy

from . import create
from .memory import Device, DeviceArray, Flags, Pointer

np: Any = numpy


class Layout(DeviceArray):
    """The attributes that ``cupy.ndarray`` has."""

    __slots__ = ()

    dtype = property(lambda self: self._host.dtype, doc="Data type (numpy.dtype).")
    ndim = property(lambda self: self._host.ndim, doc="Number of dimensions (int).")
    size = property(lambda self: self._host.size, doc="Number of elements (int).")
    nbytes = property(lambda self: self._host.nbytes, doc="Bytes of the elements (int).")
    itemsize = property(lambda self: self._host.itemsize, doc="Bytes of one element (int).")
    strides = property(lambda self: self._host.strides, doc="Bytes to step along each axis (tuple of int).")
    base = property(lambda self: self._base, doc="The array that owns the memory of this view, or None.")
    device = property(lambda self: Device(), doc="The device the array lives on.")
    data = property(lambda self: Pointer(self._host.ctypes.data), doc="Address of the first element.")

    @property
    def flags(self) -> Flags:
        """Layout flags, those that CuPy has."""
        return Flags(self._host.flags.c_contiguous, self._host.flags.f_contiguous, self._base is None)

    @property
    def shape(self) -> tuple[int, ...]:
        """Length of each axis; may be set where no copy is needed."""
        found: tuple[int, ...] = self._host.shape
        return found

    @shape.setter
    def shape(self, newshape: Any) -> None:
        view = self._host.reshape(newshape)
        if view.size and not np.may_share_memory(view, self._host):
            raise AttributeError("Incompatible shape for in-place modification. Use `.reshape()` to make a copy.")
        self._host = view

    @property
    def T(self) -> Any:
        """The axes reversed; below two dimensions the array itself."""
        return self if self.ndim < 2 else self._view(self._host.T)

    @property
    def mT(self) -> Any:
        """The last two axes swapped."""
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return self._view(self._host.swapaxes(-1, -2))

    @property
    def flat(self) -> FlatIterator:
        """The elements in C order."""
        return FlatIterator(self)

    @property
    def real(self) -> Any:
        """The real part: a view of complex data, else the array itself."""
        return self._view(self._host.real) if self._host.dtype.kind == "c" else self

    @real.setter
    def real(self, value: Any) -> None:
        self._host.real = self._assigned(value)

    @property
    def imag(self) -> Any:
        """The imaginary part: a view of complex data, else new zeros."""
        if self._host.dtype.kind == "c":
            return self._view(self._host.imag)
        return type(self)._wrap(np.zeros(self.shape, self.dtype))

    @imag.setter
    def imag(self, value: Any) -> None:
        if self._host.dtype.kind != "c":
            raise TypeError("cupy.ndarray does not have imaginary part to set")
        self._host.imag = self._assigned(value)

    def _assigned(self, value: Any) -> Any:
        if isinstance(value, np.ndarray):
            raise TypeError(f"Unsupported type {type(value)}")
        return value._host if isinstance(value, self._kind) else value


class FlatIterator:
    """``x.flat``: integers and slices only."""

    def __init__(self, array: Any) -> None:
        self.base = array
        self._next = 0

    def _position(self, index: Any) -> Any:
        if isinstance(index, (tuple, bool)) or not (np.isscalar(index) or isinstance(index, slice)):
            raise IndexError("unsupported iterator index")
        return index if isinstance(index, slice) else int(index)

    def __getitem__(self, index: Any) -> Any:
        index = slice(None) if index is Ellipsis else self._position(index)
        return self.base._kind._wrap(np.asarray(self.base._host.flat[index]))

    def __setitem__(self, index: Any, value: Any) -> None:
        index = slice(None) if index is Ellipsis else self._position(index)
        self.base._host.flat[index] = create.from_data(self.base._kind, value, self.base.dtype)

    def __iter__(self) -> FlatIterator:
        return self

    def __next__(self) -> Any:
        if self._next == len(self):
            raise StopIteration
        self._next += 1
        return self[self._next - 1]

    def __len__(self) -> int:
        return int(self.base.size)

    def copy(self) -> Any:
        """A 1-d copy of the elements."""
        return self.base.flatten()
