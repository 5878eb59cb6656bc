"""What runs on one chunk: one table of kernels per operation, chosen by the types of the arrays.

``kernels.mean`` is the table of "mean": call it, add rows to it (``kernels.mean.add(MyArray, function)``), ask it
(``kernels.mean.dispatch(type(x))``). This package knows arrays and never imports dask; the row for NumPy of an
operation that dask has too is dask's own function, put there by the repair that uses the table. The rows of a
library enter when the first of its arrays reaches any table (:data:`arrayshim.kernels.table.LIBRARIES`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.kernels import (
    _numpy_element,
    counting,
    factors,
    fused,
    generators,
    generic,
    histograms,
    medians,
    merging,
    philox,
    picking,
    quantiles,
    spread,
    starting,
    survival,
)
from arrayshim.kernels.generic import beside, empty
from arrayshim.kernels.table import LIBRARIES, Table, load_rows

__all__ = ["LIBRARIES", "REDUCTIONS", "TABLES", "Table", "beside", "empty", "load_rows"]

_THROUGH_NEP18 = (
    *("sum", "prod", "mean", "std", "var", "min", "max", "ptp", "any", "all", "argmin", "argmax"),
    *("nansum", "nanprod", "nanmean", "nanmin", "nanmax", "nanargmin", "nanargmax"),
    *("median", "cumsum", "cumprod"),
)

_OWN: dict[str, Any] = {
    "moment": generic.moment,
    "average": generic.average,
    "nanvar": spread.nanvar,
    "nanstd": spread.nanstd,
    "median": medians.median,
    "nanmedian": medians.nanmedian,
    "quantile": quantiles.quantile,
    "nanquantile": quantiles.nanquantile,
    "percentile": quantiles.percentile,
    "nanpercentile": quantiles.nanpercentile,
    "numel": generic.numel,
    "running_sum": generic.running_sum,
    "chunk_percentile": quantiles.chunk_percentile,
    "count_nonzero": counting.count_nonzero,
    "nannumel": counting.nannumel,
    "norm": counting.norm,
    "lu": factors.lu,
    "solve_triangular": factors.solve_triangular,
    "survival_chi2": survival.chi2,
    "survival_norm": survival.norm,
    "survival_t": survival.t,
    "element_values": philox.element_values,
    "element_blocks": philox.element_blocks,
    "nancumsum": np.nancumsum,
    "nancumprod": np.nancumprod,
    **dict.fromkeys(("mean_parts", "moment_parts", "arg_parts", "token", "element_formula"), fused.no_parts),
    **dict.fromkeys(("random_state", "bit_generator"), generators.librarys_own),
    "merged": merging.no_merge,
    "starts": starting.waits,
    "bin_counts": histograms.bin_counts,
    "at_ranks": picking.at_ranks,
    "top": picking.no_top,
    "bincount": np.bincount,
}

_OF_TWO: dict[str, tuple[Any, int]] = {
    "divide": (generic.divide, 0),
    "take": (generic.take, 0),
    "tensordot": (generic.tensordot, 0),
    "einsum": (generic.einsum, 1),
}

#: The operations that take values to fewer values, or to running ones.
REDUCTIONS = (
    *_THROUGH_NEP18,
    "moment",
    "average",
    "nanvar",
    "nanstd",
    "nanmedian",
    "quantile",
    "nanquantile",
    "percentile",
    "nanpercentile",
)

# An ndarray goes to NumPy's own function, bit for bit.
_NUMPY = (
    *("average", "nanvar", "nanstd", "median", "nanmedian", "quantile", "nanquantile", "percentile", "nanpercentile"),
    *("take", "tensordot"),
)

TABLES: dict[str, Table] = {
    name: Table(name, arrays=2 if name in _OF_TWO else 1, first=_OF_TWO[name][1] if name in _OF_TWO else 0)
    for name in [*_THROUGH_NEP18, *_OWN, *_OF_TWO]
}
"""Name of the operation -> its table; each is an attribute of this module too."""

for _name, _table in TABLES.items():
    _func = _OWN.get(_name) or (_OF_TWO[_name][0] if _name in _OF_TWO else getattr(np, _name))
    _table.add((object,) * _table.arrays, _func)
    if _name in _NUMPY:
        _table.add((np.ndarray,) * _table.arrays, getattr(np, _name))

for _name in ("element_values", "element_blocks"):
    TABLES[_name].add(np.ndarray, getattr(_numpy_element, _name))


def __getattr__(name: str) -> Table:
    try:
        return TABLES[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None


def __dir__() -> list[str]:
    return sorted([*globals(), *TABLES])
