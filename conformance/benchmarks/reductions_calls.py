"""What `arrayshim bench reductions` calls, by operation and way."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import dask.array as da
import numpy as np
from dask.array import chunk

import arrayshim
from arrayshim import kernels

REDUCTIONS = (
    *("sum", "prod", "mean", "var", "std", "min", "max", "ptp", "any", "all", "argmin", "argmax"),
    *("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "nanargmin", "nanargmax"),
)

TOP = 10
"""How many are asked of `topk` and `argtopk`."""
QUANTILE = 0.9
BINS, LIMITS = 100, (1.0, 2.0)
"""Of `histogram`; the data are between 1 and 2."""
VALUES = 50
"""How many different numbers `bincount` counts."""


@dataclass(frozen=True, slots=True)
class Special:
    """An operation that has arguments, or another shape of data.

    Attributes
    ----------
    library : callable
        Of the library's namespace, an array and an axis.
    ours, dask : callable
        Of an array, or a dask array, and an axis.
    axes : tuple of str
        Where it exists.
    flat : bool
        Whether ``"all"`` is over the array in one dimension, and left out where that is a copy.
    stock : bool
        Whether stock dask can be asked on a device.
    integral : bool
        Whether it gets integers of the size of the data instead.
    """

    library: Callable[[Any, Any, int], Any]
    ours: Callable[[Any, int], Any]
    dask: Callable[[Any, int], Any]
    axes: tuple[str, ...] = ("all", "0", "1")
    flat: bool = True
    stock: bool = True
    integral: bool = False


def _places(x: Any, axis: int) -> Any:
    found = kernels.top(x, TOP, axis, places=True)
    return np.argpartition(x, -TOP, axis=axis).take(range(-TOP, 0), axis) if found is None else found


def _bin_counts(x: Any, axis: int) -> Any:
    found = kernels.bin_counts(x, np.linspace(*LIMITS, BINS + 1))
    return np.histogram(x, bins=BINS, range=LIMITS)[0] if found is None else found


# Of arrayshim the functions of a chunk, where it has no public one.
SPECIAL: Mapping[str, Special] = MappingProxyType(
    {
        "topk": Special(
            lambda xp, x, axis: xp.partition(x, -TOP, axis=axis),
            lambda x, axis: chunk.topk(x, TOP, (axis,), True),
            lambda x, axis: da.topk(x, TOP, axis=axis),
        ),
        "argtopk": Special(
            lambda xp, x, axis: xp.argpartition(x, -TOP, axis=axis),
            _places,
            lambda x, axis: da.argtopk(x, TOP, axis=axis),
        ),
        "median": Special(
            lambda xp, x, axis: xp.median(x, axis=axis),
            lambda x, axis: arrayshim.median(x, axis=axis),
            lambda x, axis: da.median(x, axis=axis),
        ),
        "quantile": Special(
            lambda xp, x, axis: xp.quantile(x, QUANTILE, axis=axis),
            lambda x, axis: arrayshim.quantile(x, QUANTILE, axis=axis),
            lambda x, axis: da.quantile(x, QUANTILE, axis=axis),
            # CuPy's function reads host memory as that of the device there, after which the device does nothing more.
            stock=False,
        ),
        "cumsum": Special(
            lambda xp, x, axis: xp.cumsum(x, axis=axis),
            lambda x, axis: arrayshim.cumsum(x, axis=axis),
            lambda x, axis: da.cumsum(x, axis=axis),
        ),
        "histogram": Special(
            lambda xp, x, axis: xp.histogram(x, bins=BINS, range=LIMITS)[0],
            _bin_counts,
            lambda x, axis: da.histogram(x, bins=BINS, range=LIMITS)[0],
            axes=("all",),
            flat=False,
        ),
        "bincount": Special(
            lambda xp, x, axis: xp.bincount(x),
            lambda x, axis: kernels.bincount(x),
            lambda x, axis: da.bincount(x),
            axes=("all",),
            integral=True,
        ),
    }
)

OPS = (*REDUCTIONS, *SPECIAL, "tokenize")
"""Operations; `tokenize` is the naming of an array by dask, for which there are two ways only."""

Calls = dict[str, Callable[[], Any]]


def prepared(op: str, x: Any, axis: str) -> Any:
    """The array that an operation gets along an axis; None where it is not measured."""
    special = SPECIAL.get(op)
    if special is None:
        return x if op != "tokenize" or axis == "all" else None
    flat = special.flat and axis == "all"
    if axis not in special.axes or (flat and not x.flags.c_contiguous):
        return None
    if not special.integral:
        return x.ravel() if flat else x
    if x.dtype.itemsize < 4 or x.dtype.kind not in "fiu":
        return None
    return ((x.ravel() * VALUES) % VALUES).astype(f"i{x.dtype.itemsize}")


def calls(op: str, x: Any, namespace: Any, axis: str) -> Calls:
    """What is to be timed, by way, of an array that `prepared` has made."""
    if op == "tokenize":
        from dask.base import tokenize

        return {"stock dask": lambda: tokenize(x), "dask": lambda: tokenize(x)}
    parts = 4 if x.ndim > 1 else 16
    lazy = da.from_array(x, chunks=tuple(-(-n // parts) for n in x.shape), name=False, asarray=False)
    if op in SPECIAL:
        special, number = SPECIAL[op], 0 if axis == "all" else int(axis)

        def whole() -> Any:
            return special.dask(lazy, number).compute(scheduler="sync")

        found: Calls = {
            "library": lambda: special.library(namespace, x, number),
            "arrayshim": lambda: special.ours(x, number),
            "dask": whole,
        }
        return {**found, "stock dask": whole} if special.stock or namespace is np else found
    along = None if axis == "all" else int(axis)

    def of_dask() -> Any:
        return getattr(da, op)(lazy, axis=along).compute(scheduler="sync")

    plain: Calls = {"stock dask": of_dask, "dask": of_dask}
    if hasattr(namespace, op):
        plain["library"] = lambda: getattr(namespace, op)(x, axis=along)
    if hasattr(arrayshim, op):
        plain["arrayshim"] = lambda: getattr(arrayshim, op)(x, axis=along)
    return plain
