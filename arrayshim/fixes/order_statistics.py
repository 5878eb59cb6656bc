"""Medians and quantiles go to NumPy's names, and there to functions that a device library lacks, or has otherwise.

    >>> x = da.from_array(cupy.array([[1.0, cupy.nan, 3.0]]), chunks=-1)
    >>> da.nanquantile(x, 0.5, axis=1).compute()
    TypeError: no implementation found for 'numpy.nanquantile' on types that implement __array_function__
    >>> da.quantile(x, 0.5, axis=1).compute()          # NumPy: nan
    array([3.])

CuPy has five of the thirteen methods, no weights and no `nanquantile`; its `quantile` takes NaN for a large number, and
on some layouts reads memory that is not its own; its `nanmedian` takes infinity for NaN. Here such chunks get kernels
that sort, pick and interpolate, which every library with arrays can do, at once for all slices.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from arrayshim.fix import Fix, original
from arrayshim.kernels.quantiles import check_range
from arrayshim.residency import follow, is_device

FIX = Fix(
    __name__,
    title="medians and quantiles of device chunks, by all of NumPy's methods",
    affects=">=2025.1",
    array_expr=False,
    forwarded="not-needed",
    reason="quantiles that a library of arrays does not have are the business of that library, not of dask",
)

MEDIAN = "dask.array.reductions.median"
NANMEDIAN = "dask.array.reductions.nanmedian"
QUANTILE = "dask.array.reductions.quantile"
NANQUANTILE = "dask.array.reductions.nanquantile"


@FIX.probe
def faulty() -> str | None:
    from dask.array import reductions

    from arrayshim.probes import dask_array

    x = dask_array([[1.0, 2.0, 4.0]], chunks=-1)
    for call in (reductions.nanquantile, reductions.quantile):
        try:
            found = call(x, 0.5, axis=1, method="weibull").compute(scheduler="sync").get().tolist()
        except (TypeError, ValueError) as error:
            return f"{call.__name__} of a device array: {error}"
        if found != [2.0]:
            return f"the middle one of 1, 2 and 4 is {found[0]}"
    return None


def _is_ours(a: Any) -> bool:
    from dask.array.core import Array

    return isinstance(a, Array) and is_device(a)


@FIX.replaces(MEDIAN)
def median(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    return _median("median", MEDIAN, a, axis, keepdims, out)


@FIX.replaces(NANMEDIAN)
def nanmedian(a: Any, axis: Any = None, keepdims: bool = False, out: Any = None) -> Any:
    return _median("nanmedian", NANMEDIAN, a, axis, keepdims, out)


def _median(name: str, target: str, a: Any, axis: Any, keepdims: bool, out: Any) -> Any:
    from arrayshim._reductions_dask import over_whole_axes

    if axis is None or not _is_ours(a):
        return original(target)(a, axis=axis, keepdims=keepdims, out=out)
    return over_whole_axes(name, a, axis=axis, keepdims=keepdims, out=out)


def _of_name(name: str, target: str) -> Any:
    def quantile(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
        *,
        weights: Any = None,
        interpolation: Any = None,
    ) -> Any:
        given = {"method": method, "keepdims": keepdims, "weights": weights, "interpolation": interpolation}
        return _quantile(name, target, a, q, axis, out, overwrite_input, **given)

    quantile.__name__ = quantile.__qualname__ = name
    return quantile


quantile = FIX.replaces(QUANTILE)(_of_name("quantile", QUANTILE))
nanquantile = FIX.replaces(NANQUANTILE)(_of_name("nanquantile", NANQUANTILE))


def _renamed(name: str, method: str, interpolation: str) -> str:
    """dask's own words, on the line of the caller."""
    warnings.warn(
        f"The `interpolation` argument to {name} was renamed to `method`.", category=FutureWarning, stacklevel=4
    )
    if method != "linear":
        raise TypeError("Cannot pass interpolation and method keywords!")
    return interpolation


def _quantile(
    name: str, target: str, a: Any, q: Any, axis: Any, out: Any, overwrite_input: bool, *, weights: Any, **given: Any
) -> Any:
    from arrayshim._reductions_dask import over_whole_axes

    if overwrite_input or hasattr(q, "__dask_graph__") or not _is_ours(a):
        return original(target)(a, q, axis, out, overwrite_input, weights=weights, **given)
    interpolation = given.pop("interpolation")
    if interpolation is not None:
        given["method"] = _renamed(name, given["method"], interpolation)
    # An array even of one number, as dask has it: float64 quantiles of float32 data are float64.
    q = q if is_device(q) else np.asarray(q)
    check_range(q, 1)
    if weights is not None:
        weights = _weights(follow(weights, a, name), a, axis)
    return over_whole_axes(name, a, q=q, axis=axis, out=out, weights=weights, **given)


def _weights(weights: Any, a: Any, axis: Any) -> Any:
    """Weights of a dask array that run along `axis` only, in the shape of the data; others as they are."""
    from dask.array.core import broadcast_to

    if not hasattr(weights, "__dask_graph__") or weights.shape == a.shape or axis is None:
        return weights
    axes = normalize_axis_tuple(axis, a.ndim)
    if weights.shape != tuple(a.shape[i] for i in axes):
        raise ValueError(
            f"weights have the shape {weights.shape}; expected that of the data, {a.shape}, or of axis {axis} alone"
        )
    wide = weights.transpose(sorted(range(len(axes)), key=axes.__getitem__))
    return broadcast_to(wide[tuple(slice(None) if i in axes else None for i in range(a.ndim))], a.shape)
