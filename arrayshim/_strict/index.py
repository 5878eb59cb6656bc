"""CuPy's indexing: index arrays wrap around instead of raising, and only a few kinds of values may be assigned."""

from __future__ import annotations

import operator
from dataclasses import dataclass
from typing import Any

import numpy

from .memory import contiguous

np: Any = numpy


@dataclass(frozen=True, slots=True)
class Index:
    """A NumPy key with every array wrapped into range.

    Attributes
    ----------
    key : tuple
        What NumPy is given.
    advanced : bool
        Whether an array is among it, so that the result is a copy.
    mask : bool
        Whether the only array is boolean.
    """

    key: tuple[Any, ...]
    advanced: bool
    mask: bool


def _bound(value: Any) -> int | None:
    # CuPy takes int() of whatever has no __index__: a 0-d array, copied to the host for it, and a float too
    return None if value is None else operator.index(value) if hasattr(value, "__index__") else int(value)


def _as_index(kind: Any, item: Any) -> Any:
    """One item of a key: host array, or the item itself when it is None, Ellipsis, a slice or a scalar."""
    from .create import from_data

    if item is None or item is Ellipsis:
        return item
    if isinstance(item, slice):
        return slice(_bound(item.start), _bound(item.stop), _bound(item.step))
    if isinstance(item, kind):
        return item._host
    sequence = isinstance(item, (list, tuple))
    if not sequence and np.isscalar(item) and not isinstance(item, (bool, np.bool_)):
        return item
    try:
        found = from_data(kind, item)
    except ValueError as error:
        if isinstance(item, np.ndarray) and item.dtype.kind in "biu":
            raise
        if not isinstance(item, np.ndarray):
            try:
                np.asarray(item)
            except Exception:
                raise error from None
        raise IndexError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean arrays "
            "are valid indices"
        ) from None
    # an empty list means no indices, not an empty mask
    return found.astype(np.int32) if sequence and found.size == 0 else found


def _width(item: Any) -> int:
    """How many axes an item consumes."""
    if item is None or item is Ellipsis:
        return 0
    if isinstance(item, np.ndarray):
        if item.dtype.kind == "b":
            return int(item.ndim)
        if item.dtype.kind not in "iu":
            raise IndexError(f"arrays used as indices must be of integer or boolean type. (actual: {item.dtype.type})")
    return 1


def _check_mask(mask: Any, shape: tuple[int, ...], axis: int) -> None:
    for i, m in enumerate(mask.shape):
        if m not in (0, shape[axis + i]):
            raise IndexError(
                f"boolean index did not match indexed array along dimension {axis + i}; dimension is "
                f"{shape[axis + i]} but corresponding boolean dimension is {m}"
            )


def _scalar(item: Any, size: int, axis: int) -> int:
    # CuPy takes int() of any scalar: 1.7 is element 1, a string raises ValueError
    index: int = int(item)
    if not -size <= index < size:
        raise IndexError(f"Index {item} is out of bounds for axis {axis} with size {size}")
    return index


def prepare_index(kind: Any, host: Any, key: Any) -> Index:
    """Translate a CuPy key on an array of `host`'s shape.

    Raises
    ------
    IndexError
        More than one Ellipsis, too many indices, arrays neither integer nor boolean, masks of another shape, scalars
        out of bounds. Index *arrays* out of bounds wrap around silently.
    """
    items = [_as_index(kind, item) for item in (key if isinstance(key, tuple) else (key,))]
    if sum(1 for item in items if item is Ellipsis) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    used = sum(_width(item) for item in items)
    if used > host.ndim:
        raise IndexError(f"too many indices for array: array is {host.ndim}-dimensional, but {used} were indexed")
    arrays = [item for item in items if isinstance(item, np.ndarray)]
    found: list[Any] = []
    axis = 0
    for item in items:
        width = _width(item)
        if item is Ellipsis:
            width = host.ndim - used
            found.append(item)
        elif isinstance(item, np.ndarray):
            found.extend(_wrapped(item, host.shape, axis))
        elif width and not isinstance(item, slice):
            found.append(_scalar(item, host.shape[axis], axis))
        else:
            found.append(item)
        axis += width
    return Index(tuple(found), bool(arrays), len(arrays) == 1 and arrays[0].dtype.kind == "b")


def _wrapped(array: Any, shape: tuple[int, ...], axis: int) -> list[Any]:
    if array.dtype.kind == "b":
        _check_mask(array, shape, axis)
        if array.shape != shape[axis : axis + array.ndim]:  # a mask of size 0 selects nothing, whatever its shape
            return [np.zeros(0, np.intp)] * array.ndim
        return [array]
    size = shape[axis]
    return [np.asarray(array.astype(np.int64) % size) if size else array.astype(np.int64)]


def getitem(self: Any, key: Any) -> Any:
    """``self[key]``: a view for basic keys, else a copy in C order."""
    kind, host = self._kind, self._host
    if host.dtype.fields is not None and _is_field(key):
        if isinstance(key, str) and key not in host.dtype.fields:
            raise ValueError(f"no field name of {key}")
        return self._view(host[key])
    index = prepare_index(kind, host, key)
    if not index.advanced:
        return self._view(host[whole_key(index.key)])
    try:
        found = host[index.key]
    except IndexError as error:
        if host.size == 0:
            raise IndexError("cannot do a non-empty take from an empty axes.") from None
        raise ValueError(str(error)) from None
    return kind._wrap(contiguous(np.asarray(found)))


def _is_field(key: Any) -> bool:
    return isinstance(key, str) or (isinstance(key, list) and bool(key) and all(isinstance(k, str) for k in key))


def _assigned(kind: Any, value: Any, dtype: Any) -> Any:
    """The value of an assignment through arrays: anything that becomes a device array."""
    from .create import from_data

    if isinstance(value, kind):
        host = value._host
        leading = next((i for i, n in enumerate(host.shape) if n != 1), host.ndim)
        return host.reshape(host.shape[leading:])
    return from_data(kind, value, dtype)


def setitem(self: Any, key: Any, value: Any) -> None:
    """``self[key] = value``.

    Basic keys take a strict array or a scalar, a NumPy array only of shape (); keys with arrays take anything that
    can be copied to the device.
    """
    kind, host = self._kind, self._host
    if host.dtype.fields is not None and _is_field(key):
        host, key = host[key], Ellipsis
    index = prepare_index(kind, host, key)
    if index.advanced:
        scatter(kind, host, index, value, None)
    elif isinstance(value, kind):
        write(host[whole_key(index.key)], _assigned(kind, value, host.dtype))
    else:
        fill(kind, host[whole_key(index.key)], value)


def whole_key(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """`key` with an Ellipsis, without which NumPy gives a scalar, no view, where all axes are indexed."""
    return key if any(k is Ellipsis for k in key) else (*key, Ellipsis)


def write(target: Any, source: Any) -> None:
    """Copy with broadcasting, any type into any type."""
    try:
        shape = np.broadcast_shapes(target.shape, source.shape)
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with shapes {source.shape} {target.shape}"
        ) from None
    if shape != target.shape:
        raise ValueError("Out shape is mismatched")
    np.copyto(target, source, casting="unsafe")


def fill(kind: Any, target: Any, value: Any) -> None:
    """``ndarray.fill``: scalars and 0-d arrays only."""
    if isinstance(value, kind):
        if value.shape != ():
            raise ValueError("non-scalar cupy.ndarray cannot be used for fill")
        scalar = value._host.astype(target.dtype)
    else:
        scalar = np.asarray(value, dtype=target.dtype)
        if scalar.shape != ():
            raise ValueError("non-scalar numpy.ndarray cannot be used for fill")
    target[...] = scalar


def scatter(kind: Any, host: Any, index: Index, value: Any, ufunc: Any) -> None:
    """Assign (or combine by `ufunc`) through an index with arrays; which of two values for one place wins is open."""
    try:
        selected = host[index.key].shape
    except IndexError as error:
        if host.size == 0 and index.mask is False:
            return
        raise ValueError(str(error)) from None
    if index.mask and 0 in selected:
        return
    source = _assigned(kind, value, host.dtype)
    try:
        source = np.broadcast_to(source, selected)
    except ValueError:
        raise ValueError(
            f"operands could not be broadcast together with shape {source.shape} and requested shape {selected}"
        ) from None
    source = source.astype(host.dtype, copy=False)
    if ufunc is None:
        host[index.key] = source
    else:
        ufunc.at(host, index.key, source)
