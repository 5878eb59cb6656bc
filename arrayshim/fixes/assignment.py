"""`x[mask] = value` with a lazy mask is `numpy.where`, which loses every mask of a masked array, and masks nothing.

    >>> x = da.from_array(np.ma.array([1, 2, 9], mask=[1, 0, 0]), chunks=3)
    >>> x[x > 5] = np.ma.masked
    >>> x.compute()
    array([1, 2, 4608218])      # the mask is gone, and 9 became what the memory of a masked scalar held

With it, assignment takes key and value for NumPy's: on a device a mask has no place, and a key or a value of the other
side fails in a worker. They follow the data; what would have to leave a device is an error while the graph is built.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import kernels, residency
from arrayshim._indexing import lazy, on_host
from arrayshim._nested import lifted
from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="assignment keeps masks, and its key and value follow the data",
    affects=">=2025.1",
    array_expr=False,
    changes_numpy=True,
)

SETITEM = "dask.array.core.Array.__setitem__"


@FIX.probe
def faulty() -> str | None:
    from dask.array.core import from_array

    x = from_array(np.ma.array([1, 2, 9], mask=[True, False, False]), chunks=3, name=False)
    x[x > 5] = np.ma.masked
    found = np.ma.getmaskarray(x.compute(scheduler="sync")).tolist()
    return None if found == [True, False, True] else f"elements 0 and 2 should be masked, the mask is {found}"


def _masked(x: Any) -> bool:
    return issubclass(residency.home(x), np.ma.MaskedArray)


def assigned_through(mask: Any, value: Any, x: Any) -> Any:
    """Chunk function: a masked copy of `x` with one value, which may be masked, where `mask` is true."""
    result = np.ma.array(x, copy=True)
    result[mask] = np.ma.masked if np.ma.getmaskarray(value).any() else value
    return result


def _value(self: Any, value: Any) -> Any:
    if value is np.ma.masked:
        # dask's own stand-in is memory that nobody wrote to, which gets another name each time
        value = np.ma.array(np.zeros((), dtype=self.dtype), mask=True)
    if _masked(value) and residency.is_device(self):
        raise UnsupportedError(
            f"setitem: the value is masked, and arrays of type {residency.home(self).__name__} have no masks; "
            "assign NaN, or keep the mask as an array of its own and use it with da.where"
        )
    if isinstance(value, list | tuple):
        value = lifted(value)
    if lazy(value) or residency.is_device(value):
        return residency.follow(value, self, "setitem")
    return _moved(value, self) if residency.is_device(self) and not hasattr(value, "__dask_graph__") else value


def _refused(value: Any, dtype: Any) -> bool:
    """Whether dask refuses these values, which integers cannot hold."""
    return dtype.kind in "iu" and bool((np.isnan(value) | np.isinf(value)).any())


def _moved(value: Any, x: Any) -> Any:
    """A value in host memory beside the data: an array in tasks, a number at once and named by what it is."""
    from dask.array.core import from_array
    from dask.base import tokenize

    if _refused(value, x.dtype):
        return value
    host = np.asarray(value, dtype=x.dtype)
    if host.ndim:
        return residency.follow(from_array(host), x, "setitem")
    # Named by what it is on the host: dask would copy it back for a name.
    name = f"value-{tokenize(host, residency.home(x))}"
    return from_array(kernels.beside(host, x._meta), chunks=-1, name=name, asarray=False)


def _key(self: Any, key: Any) -> Any:
    if isinstance(key, tuple):
        return tuple(_key(self, item) for item in key)
    return residency.follow(key, self, "setitem") if lazy(key) else on_host(key, "setitem")


def _is_mask_of(x: Any, key: Any) -> bool:
    if not lazy(key) or key.dtype != bool or key.ndim != x.ndim:
        return False
    return all(np.isnan(m) or np.isnan(n) or m == n for m, n in zip(key.shape, x.shape, strict=True))


@FIX.replaces(SETITEM)
def __setitem__(self: Any, key: Any, value: Any) -> None:
    from dask.array.core import asanyarray, elemwise

    value, key = _value(self, value), _key(self, key)
    keeps = (
        (_masked(self) or _masked(value))
        and _is_mask_of(self, key)
        and (value.size if lazy(value) else np.size(value)) == 1
    )
    if keeps and not lazy(value):
        # What dask refuses it shall refuse itself.
        keeps = bool(np.ma.getmaskarray(value).any()) or not _refused(value, self.dtype)
        value = np.asanyarray(value, dtype=self.dtype) if keeps else value
    if not keeps:
        original(SETITEM)(self, key, value)
        return
    y = elemwise(assigned_through, key, asanyarray(value, dtype=self.dtype).reshape(()), self, dtype=self.dtype)
    self._meta, self.dask, self._name, self._chunks = y._meta, y.dask, y.name, y.chunks
