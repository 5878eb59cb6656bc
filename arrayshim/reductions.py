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
from arrayshim._reduction_docs import defaults, docstring, signature
from arrayshim._reductions_dask import approximated, over_whole_axes, own_way, weights_beside
from arrayshim.kernels.quantiles import check_range

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

Prepare = Callable[[Any, dict[str, Any]], None]

#: Functions that look at attributes of the data, which a sequence has not.
_NEED_ARRAY = frozenset({"moment", "average", "nanmedian", "quantile", "nanquantile", "percentile"})


def _reduction(name: str, parameters: str, summary: str, *, notes: str = "", prepare: Prepare | None = None) -> Any:
    """The public function `name`: binds arguments to names, and sends them where the data are.

    Parameters after a ``*`` are keyword-only; `prepare` may refuse or replace keywords.
    """
    positional = tuple(parameters.partition("*")[0].split())
    names = tuple(parameters.replace("*", "").split())
    implied = defaults(names)
    table = kernels.TABLES[name]

    def function(a: Any, *args: Any, **kwargs: Any) -> Any:
        if args:
            _bind(name, positional, args, kwargs)
        # What says nothing is not passed on: libraries know fewer arguments, or other defaults (`where=None`).
        kwargs = {key: value for key, value in kwargs.items() if key not in implied or not _same(value, implied[key])}
        a = lifted(a)
        if name in _NEED_ARRAY and not kernels.generic.has_nep18(a) and not hasattr(a, "tocsr"):
            a = np.asanyarray(a)
        if prepare is not None:
            prepare(a, kwargs)
        if isinstance(a, da.Array):
            # dask approximates it from its chunks, by a chunk function that has its own table.
            if name == "percentile" and a.ndim == 1:
                return approximated(a, **kwargs)
            return over_whole_axes(name, a, **kwargs) if own_way(name, a) else getattr(da, name)(a, **kwargs)
        return table(a, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__module__ = __name__
    function.__doc__ = docstring(name, names, summary, notes)
    function.__signature__ = signature(names, len(positional))  # type: ignore[attr-defined]
    return function


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)


def _bind(name: str, names: tuple[str, ...], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if len(args) > len(names):
        raise TypeError(f"{name}() takes at most {len(names) + 1} positional arguments, {len(args) + 1} were given")
    for key, value in zip(names, args, strict=False):
        if key in kwargs:
            raise TypeError(f"{name}() got multiple values for argument {key!r}")
        kwargs[key] = value


def _within(top: int) -> Prepare:
    """Refuse quantiles out of range, as NumPy does; those on a device are looked at only beside eager data."""

    def prepare(a: Any, kwargs: dict[str, Any]) -> None:
        q = kwargs.get("q")
        lazy = isinstance(a, da.Array)
        if q is None or isinstance(q, da.Array) or type(a) is np.ndarray:
            return
        check_range(q, top, on_device=not lazy)
        weights = kwargs.get("weights")
        if weights is not None and not lazy:
            _check_weights(weights)

    return prepare


def _check_weights(weights: Any) -> None:
    weights = weights if hasattr(weights, "dtype") else np.asarray(weights)
    if bool((weights < 0).any()):
        raise ValueError("Weights must be non-negative.")
    if not bool(np.isfinite(weights).all()) or not bool((weights != 0).any()):
        raise ValueError("Weights included NaN, inf or were all zero.")


_PARTS = "axis dtype out keepdims"
_TOTAL = f"{_PARTS} initial where * split_every"
_EXTREME = "axis out keepdims initial where * split_every"
_SPREAD = "axis dtype out ddof keepdims * where mean correction split_every"
_TRUTH = "axis out keepdims * where split_every"
_ARG = "axis out * keepdims split_every"
_MIDDLE = "axis out overwrite_input keepdims"
_QUANTILE = "q axis out overwrite_input method keepdims * weights"
_SCAN = "axis dtype out method"

_NAN_ON_DEVICE = (
    "On a device, NumPy's warning and error about slices that are all NaN are not given: to know it, a result would "
    "have to leave the device."
)
_METHODS = (
    "All 13 methods of NumPy, on every kind of array. Quantiles given as an array on a device are checked, which costs "
    "one synchronisation; beside a dask array they are not, since each chunk would have to wait."
)
_AXIS_OF_DASK = "A dask array wants `axis`, and gets the axes in one chunk."

sum = _reduction("sum", _TOTAL, "Sum over axes.")
prod = _reduction("prod", _TOTAL, "Product over axes.")
mean = _reduction("mean", f"{_PARTS} * where split_every", "Arithmetic mean over axes.")
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
any = _reduction("any", _TRUTH, "Whether any element is true, over axes.")
all = _reduction("all", _TRUTH, "Whether all elements are true, over axes.")
argmin = _reduction("argmin", _ARG, "Index of the first minimum along an axis.")
argmax = _reduction("argmax", _ARG, "Index of the first maximum along an axis.")
nansum = _reduction("nansum", _TOTAL, "Sum over axes, NaN counting as 0.")
nanprod = _reduction("nanprod", _TOTAL, "Product over axes, NaN counting as 1.")
nanmean = _reduction("nanmean", f"{_PARTS} * where split_every", "Mean of what is not NaN.", notes=_NAN_ON_DEVICE)
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
    prepare=_within(1),
)
nanquantile = _reduction(
    "nanquantile",
    _QUANTILE,
    "Quantiles of what is not NaN.",
    notes=f"{_METHODS} {_AXIS_OF_DASK} {_NAN_ON_DEVICE}",
    prepare=_within(1),
)
percentile = _reduction(
    "percentile",
    _QUANTILE,
    "Percentiles over axes.",
    notes=f"{_METHODS} A 1-d dask array gets dask's approximation from its chunks.",
    prepare=_within(100),
)
cumsum = _reduction("cumsum", _SCAN, "Cumulative sum along an axis.")
cumprod = _reduction("cumprod", _SCAN, "Cumulative product along an axis.")
average = _reduction("average", "axis weights returned * keepdims", "Weighted mean over axes.", prepare=weights_beside)
