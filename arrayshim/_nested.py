"""Nested sequences that hold arrays: device scalars in a list, lists of dask arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import dask.array as da
import numpy as np

from arrayshim import kernels


def is_sequence(x: Any) -> bool:
    """Whether `x` is a list or a tuple."""
    return isinstance(x, list | tuple)


def leaves(x: Any) -> Iterator[Any]:
    """What a nested list or tuple holds, or `x` itself."""
    if is_sequence(x):
        for item in x:
            yield from leaves(item)
    else:
        yield x


def _foreign(x: Any) -> bool:
    return kernels.generic.has_nep18(x) and not isinstance(x, np.ndarray)


def lifted(x: Any) -> Any:
    """Turn a sequence that holds dask or device arrays into one such array; leave everything else alone.

    Parameters
    ----------
    x : object
        A list or tuple is searched to its leaves. One dask array among them makes a dask array, else one array
        with NEP-18 that is not NumPy's makes an array of that type, to which host numbers beside it move.

    Returns
    -------
    object
        `x` itself if it is no sequence or holds neither.
    """
    if not is_sequence(x):
        return x
    lazy, device = False, None
    for leaf in leaves(x):
        lazy = lazy or isinstance(leaf, da.Array)
        kind = leaf._meta if isinstance(leaf, da.Array) else leaf
        if device is None and _foreign(kind):
            device = kind
    if lazy:
        return _stacked(x, lambda leaf: _dask(leaf, device), da.stack)
    return x if device is None else _stacked(x, lambda leaf: kernels.beside(leaf, device), np.stack)


def is_hosted(x: Any) -> bool:
    """Whether `x` is an array-like of host memory that no library of arrays takes for one: a column of a table."""
    return is_host_kind(type(x)) and not hasattr(x, "__dask_graph__")


def is_host_kind(kind: type) -> bool:
    """Whether a type converts to ndarrays and is no array itself; scalars of NumPy are none either."""
    convertible = hasattr(kind, "__array__") and not hasattr(kind, "__array_function__")
    return convertible and not issubclass(kind, np.generic)


def gathered(x: Any) -> Any:
    """A sequence as one array, of dask or of a device where it holds such arrays; other array-likes as ndarrays."""
    if not is_sequence(x):
        return np.asarray(x) if is_hosted(x) else x
    found = lifted(x)
    return np.asarray(x) if found is x else found


def _dask(leaf: Any, device: Any) -> Any:
    if isinstance(leaf, da.Array):
        return leaf
    if device is not None:
        leaf = kernels.beside(leaf, device)
    return da.core.from_array(leaf, chunks=-1, name=False) if _foreign(leaf) else da.asarray(leaf)


def _stacked(x: Any, leaf: Any, stack: Any) -> Any:
    return stack([_stacked(item, leaf, stack) for item in x]) if is_sequence(x) else leaf(x)
