"""The behaviour of a strict array: CuPy's methods, containers and NumPy protocols, over host memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from . import create, functions, ufunc
from . import index as indexing
from .memory import DeviceArray
from .operators import members
from .rules import native_dtype, ufunc_row
from .transfer import Transfer

np: Any = numpy

_UFUNC_METHODS = ("__call__", "outer", "at", "reduce", "accumulate", "reduceat")
_COMPARISONS = frozenset(("greater", "greater_equal", "less", "less_equal", "equal", "not_equal"))


def _rebuild(cls: Any, host: Any) -> Any:
    return cls._wrap(np.array(host, copy=True, order="A"))


class StrictBase(Transfer):
    """Everything a strict array does; see `arrayshim.strict.StrictArray`."""

    __slots__ = ()
    __array_priority__ = 100
    __hash__ = None  # type: ignore[assignment]

    # -- copies, pickles ---------------------------------------------------------------------------------------------
    def __copy__(self) -> Any:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Any:
        return self.copy()

    def __reduce__(self) -> Any:
        return _rebuild, (type(self), self.get(order="A"))

    def __dask_tokenize__(self) -> Any:
        from dask.base import normalize_token

        # as with CuPy, a token needs the values on the host
        return type(self).__module__, type(self).__qualname__, normalize_token(self.get(order="A"))

    def copy(self, order: str = "C") -> Any:
        """A copy on the device."""
        return self._kind._wrap(self._host.copy(order=order))

    def astype(
        self, dtype: Any, order: str | None = "K", casting: Any = None, subok: Any = None, copy: bool = True
    ) -> Any:
        """Cast, without a choice of casting."""
        return create.astype(self, dtype, order, casting, subok, True if copy else None)

    def view(self, dtype: Any = None, type: Any = None) -> Any:
        """A view, of the same bytes read as another type where `dtype` is given."""
        if dtype is None or (isinstance(dtype, _type) and issubclass(dtype, DeviceArray)):
            return self._view(self._host.view())
        return self._view(self._host.view(native_dtype(dtype)))

    def fill(self, value: Any) -> None:
        """Assign one scalar to every element."""
        indexing.fill(self._kind, self._host, value)

    def sort(self, axis: int = -1, kind: Any = None) -> None:
        """Sort in place; contiguous arrays only."""
        if kind is not None and kind != "stable":
            raise ValueError("kind can only be None or 'stable'")
        self._require_sortable()
        self._host.sort(axis=axis, kind="stable")

    def partition(self, kth: Any, axis: int = -1) -> None:
        """Partition in place; contiguous arrays only."""
        self._require_sortable()
        self._host.partition(kth, axis=axis)
        self._host.sort(axis=axis)

    def _require_sortable(self) -> None:
        if self.ndim == 0:
            raise np.exceptions.AxisError("Sorting arrays with the rank of zero is not supported")
        if not self._host.flags.c_contiguous:
            raise NotImplementedError("Sorting non-contiguous array is not supported.")

    def conj(self) -> Any:
        """The complex conjugate; real data is returned itself."""
        return ufunc.call(self._kind, "conjugate", (self,), {}) if self.dtype.kind == "c" else self

    conjugate = conj

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> Any:
        """Another shape; a view where possible."""
        if len(shape) == 1 and not np.isscalar(shape[0]):
            shape = tuple(shape[0])
        return functions.compute(self._kind, "reshape", (self, shape, order), {"copy": copy})

    def transpose(self, *axes: Any) -> Any:
        """The axes permuted; a view."""
        return self._view(self._host.transpose(*axes))

    def flatten(self, order: str = "C") -> Any:
        """A 1-d copy."""
        return self._kind._wrap(self._host.flatten(order))

    def dot(self, b: Any, out: Any = None) -> Any:
        """The dot product."""
        return functions.call(self._kind, "", "dot", (self, b), {"out": out})

    def searchsorted(self, v: Any, side: str = "left", sorter: Any = None) -> Any:
        """Where `v` would be inserted."""
        return functions.call(self._kind, "", "searchsorted", (self, v, side, sorter), {})

    def byteswap(self, inplace: bool = False) -> Any:
        """The bytes of every element swapped."""
        return self._kind._wrap(self._host.byteswap(False)) if not inplace else self._swap()

    def _swap(self) -> Any:
        self._host.byteswap(True)
        return self

    def reduced_view(self) -> Any:
        """A view with as few axes as possible."""
        return self if self.ndim <= 1 or not self._host.flags.c_contiguous else self._view(self._host.reshape(-1))

    # -- containers --------------------------------------------------------------------------------------------------
    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __getitem__(self, key: Any) -> Any:
        return indexing.getitem(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        indexing.setitem(self, key, value)

    # -- protocols ---------------------------------------------------------------------------------------------------
    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        operands: tuple[Any, ...] = inputs
        if "out" in kwargs:
            if len(kwargs["out"]) != 1:
                raise ValueError("The 'out' parameter must have exactly one array value")
            operands += kwargs["out"]
            kwargs["out"] = kwargs["out"][0]
        name = function.__name__
        kind = self._kind
        known = ufunc_row(name) is not None
        if method not in _UFUNC_METHODS or not (known or (method == "__call__" and functions.has("", name))):
            return NotImplemented
        for value in operands:
            if not isinstance(value, (kind, np.ndarray)) and not _is_scalar(value):
                return NotImplemented
        if name in _COMPARISONS:
            inputs = tuple(v.item() if isinstance(v, np.ndarray) and v.ndim == 0 else v for v in inputs)
        if method != "__call__":
            return ufunc.method(kind, name, method, inputs, kwargs)
        if known:
            return ufunc.call(kind, name, inputs, kwargs)
        return functions.call(kind, "", name, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        module, name = function.__module__.partition(".")[2], function.__name__
        if not functions.has(module, name):
            return NotImplemented
        kind = self._kind
        if not all(issubclass(t, (kind, np.ndarray)) for t in types):
            return NotImplemented
        return functions.call(kind, module, name, args, kwargs)


_type = type


def _is_scalar(value: Any) -> bool:
    if type(value) in (int, float, bool, complex):
        return True
    return isinstance(value, np.generic) and value.dtype.char in "?bhilqBHILQefdFD"


for _name, _member in members().items():
    setattr(StrictBase, _name, _member)
