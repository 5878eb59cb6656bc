"""Reductions of any array: NumPy's, a device's, dask's of either, or a sequence; the result is of the same kind.

Each function takes the arguments of NumPy's function of that name and passes on those that were given. NumPy arrays and
sequences go to NumPy's function itself, dask arrays to dask's (medians and quantiles of chunks that are not NumPy's
excepted), everything else to the table of kernels of that name (:mod:`arrayshim.kernels`), which leaves data and 0-d
results where they are.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np

from arrayshim import kernels
from arrayshim._nested import lifted
from arrayshim._reduction_docs import docstring, signature
from arrayshim._reductions_dask import over_whole_axes, own_way

__all__ = [
    "all",
    "any",
    "argmax",
    "argmin",
    "average",
    "cumprod",
    "cumsum",
    "max",
    "mean",
    "median",
    "min",
    "moment",
    "nanargmax",
    "nanargmin",
    "nanmax",
    "nanmean",
    "nanmedian",
    "nanmin",
    "nanprod",
    "nanquantile",
    "nanstd",
    "nansum",
    "nanvar",
    "percentile",
    "prod",
    "ptp",
    "quantile",
    "std",
    "sum",
    "var",
]

Check = Callable[[Any, dict[str, Any]], None]

#: Functions that look at attributes of the data, which a sequence has not.
_NEED_ARRAY = frozenset({"moment", "average", "quantile", "nanquantile", "percentile"})


def _reduction(name: str, parameters: str, summary: str, *, notes: str = "", check: Check | None = None) -> Any:
    """The public function `name`: binds arguments to names, and sends them where the data are."""
    names = tuple(parameters.split())
    table = kernels.TABLES[name]

    def function(a: Any, *args: Any, **kwargs: Any) -> Any:
        if args:
            _bind(name, names, args, kwargs)
        a = lifted(a)
        if name in _NEED_ARRAY and not kernels.generic.has_nep18(a) and not hasattr(a, "tocsr"):
            a = np.asanyarray(a)
        if check is not None:
            check(a, kwargs)
        if isinstance(a, da.Array):
            return over_whole_axes(name, a, **kwargs) if own_way(name, a) else getattr(da, name)(a, **kwargs)
        return table(a, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = docstring(name, names, summary, notes)
    function.__signature__ = signature(names)  # type: ignore[attr-defined]
    return function


def _bind(name: str, names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if len(args) > len(names):
        raise TypeError(f"{name}() takes at most {len(names) + 1} positional arguments, {len(args) + 1} were given")
    for key, value in zip(names, args, strict=False):
        if key in kwargs:
            raise TypeError(f"{name}() got multiple values for argument {key!r}")
        kwargs[key] = value


def _within(top: int, message: str) -> Check:
    """Refuse quantiles out of range, as NumPy does; those on a device are looked at only beside eager data."""

    def check(a: Any, kwargs: dict[str, Any]) -> None:
        q = kwargs.get("q")
        lazy = isinstance(a, da.Array)
        if q is None or isinstance(q, da.Array) or type(a) is np.ndarray:
            return
        if not hasattr(q, "dtype"):
            q = np.asarray(q)
        if (isinstance(q, np.ndarray | np.generic) or not lazy) and not bool(((q >= 0) & (q <= top)).all()):
            raise ValueError(message)
        weights = kwargs.get("weights")
        if weights is not None and not lazy:
            _check_weights(weights)

    return check


def _check_weights(weights: Any) -> None:
    weights = weights if hasattr(weights, "dtype") else np.asarray(weights)
    if bool((weights < 0).any()):
        raise ValueError("Weights must be non-negative.")
    if not bool(np.isfinite(weights).all()) or not bool((weights != 0).any()):
        raise ValueError("Weights included NaN, inf or were all zero.")


_PARTS = "axis dtype out keepdims"
_EXTREME = "axis out keepdims initial where split_every"
_SPREAD = f"{_PARTS} where mean correction split_every".replace("out", "out ddof")
_ARG = "axis out keepdims split_every"
_MIDDLE = "axis out overwrite_input keepdims"
_QUANTILE = "q axis out overwrite_input method keepdims weights"
_SCAN = "axis dtype out method"

_NAN_ON_DEVICE = (
    "On a device, NumPy's warning and error about slices that are all NaN are not given: to know it, a result would "
    "have to leave the device."
)
_METHODS = (
    "All 13 methods of NumPy, on every kind of array. Quantiles given as an array on a device are checked, which costs "
    "one synchronisation."
)
_AXIS_OF_DASK = "A dask array wants `axis`, and gets the axes in one chunk."

sum = _reduction("sum", f"{_PARTS} initial where split_every", "Sum over axes.")
prod = _reduction("prod", f"{_PARTS} initial where split_every", "Product over axes.")
mean = _reduction("mean", f"{_PARTS} where split_every", "Arithmetic mean over axes.")
std = _reduction("std", _SPREAD, "Standard deviation over axes.")
var = _reduction("var", _SPREAD, "Variance over axes.")
moment = _reduction(
    "moment",
    "order axis dtype keepdims ddof split_every out",
    "Central moment over axes, as dask defines it.",
    notes=(
        "The mean of ``(a - mean)**order`` with the divisor N - `ddof`; the moments of order 0 and 1 are 1 and 0 in "
        "float64. Chunks are merged by the formulas of Chan, Golub & LeVeque 1983 and Pebay 2008 (SAND2008-6212); an "
        "array in one piece takes two passes."
    ),
)
min = _reduction("min", _EXTREME, "Minimum over axes.")
max = _reduction("max", _EXTREME, "Maximum over axes.")
ptp = _reduction("ptp", "axis out keepdims", "Range of the values, maximum less minimum, over axes.")
any = _reduction("any", "axis out keepdims where split_every", "Whether any element is true, over axes.")
all = _reduction("all", "axis out keepdims where split_every", "Whether all elements are true, over axes.")
argmin = _reduction("argmin", _ARG, "Index of the first minimum along an axis.")
argmax = _reduction("argmax", _ARG, "Index of the first maximum along an axis.")
nansum = _reduction("nansum", f"{_PARTS} initial where split_every", "Sum over axes, NaN counting as 0.")
nanprod = _reduction("nanprod", f"{_PARTS} initial where split_every", "Product over axes, NaN counting as 1.")
nanmean = _reduction("nanmean", f"{_PARTS} where split_every", "Mean of what is not NaN.", notes=_NAN_ON_DEVICE)
nanstd = _reduction("nanstd", _SPREAD, "Standard deviation of what is not NaN.", notes=_NAN_ON_DEVICE)
nanvar = _reduction("nanvar", _SPREAD, "Variance of what is not NaN.", notes=_NAN_ON_DEVICE)
nanmin = _reduction("nanmin", _EXTREME, "Minimum of what is not NaN.", notes=_NAN_ON_DEVICE)
nanmax = _reduction("nanmax", _EXTREME, "Maximum of what is not NaN.", notes=_NAN_ON_DEVICE)
nanargmin = _reduction("nanargmin", _ARG, "Index of the first minimum of what is not NaN.", notes=_NAN_ON_DEVICE)
nanargmax = _reduction("nanargmax", _ARG, "Index of the first maximum of what is not NaN.", notes=_NAN_ON_DEVICE)
median = _reduction("median", _MIDDLE, "Median over axes.", notes=_AXIS_OF_DASK)
nanmedian = _reduction("nanmedian", _MIDDLE, "Median of what is not NaN.", notes=f"{_AXIS_OF_DASK} {_NAN_ON_DEVICE}")
quantile = _reduction(
    "quantile",
    _QUANTILE,
    "Quantiles over axes.",
    notes=f"{_METHODS} {_AXIS_OF_DASK}",
    check=_within(1, "Quantiles must be in the range [0, 1]"),
)
nanquantile = _reduction(
    "nanquantile",
    _QUANTILE,
    "Quantiles of what is not NaN.",
    notes=f"{_METHODS} {_AXIS_OF_DASK} {_NAN_ON_DEVICE}",
    check=_within(1, "Quantiles must be in the range [0, 1]"),
)
percentile = _reduction(
    "percentile",
    _QUANTILE,
    "Percentiles over axes.",
    notes=f"{_METHODS} A 1-d dask array gets dask's approximation from its chunks.",
    check=_within(100, "Percentiles must be in the range [0, 100]"),
)
cumsum = _reduction("cumsum", _SCAN, "Cumulative sum along an axis.")
cumprod = _reduction("cumprod", _SCAN, "Cumulative product along an axis.")
average = _reduction("average", "axis weights returned keepdims", "Weighted mean over axes.")
