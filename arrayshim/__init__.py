"""Makes dask.array right, and fast, for chunks that are not NumPy.

Importing this package registers the repairs with dask; `arrayshim.disable()` undoes them. Import it first: a name bound
before (`from dask.array import std`) is yours and stays stock.
"""

from __future__ import annotations

from pathlib import Path as _Path

if not (_Path(__file__).parent / "conformance").is_dir():
    # In a clone the suite lies beside the package; installed, it lies inside.
    __path__.append(str(_Path(__file__).parent.parent))

from arrayshim import random
from arrayshim._version import __version__
from arrayshim.backends import Backend, register_backend
from arrayshim.creation import (
    arange,
    array,
    asanyarray,
    asarray,
    diag,
    empty,
    empty_like,
    eye,
    fromfunction,
    full,
    full_like,
    identity,
    indices,
    linspace,
    meshgrid,
    ones,
    ones_like,
    tri,
    zeros,
    zeros_like,
)
from arrayshim.fix import Fix, Status, original
from arrayshim.reductions import (
    all,
    any,
    argmax,
    argmin,
    average,
    cumprod,
    cumsum,
    max,
    mean,
    median,
    min,
    moment,
    nanargmax,
    nanargmin,
    nanmax,
    nanmean,
    nanmedian,
    nanmin,
    nanprod,
    nanquantile,
    nanstd,
    nansum,
    nanvar,
    percentile,
    prod,
    ptp,
    quantile,
    std,
    sum,
    var,
)
from arrayshim.registration import attach, disable, enable, scope
from arrayshim.report import explain, status

__all__ = [
    "Backend",
    "Fix",
    "Status",
    "__version__",
    "all",
    "any",
    "arange",
    "argmax",
    "argmin",
    "array",
    "asanyarray",
    "asarray",
    "attach",
    "average",
    "cumprod",
    "cumsum",
    "diag",
    "disable",
    "empty",
    "empty_like",
    "enable",
    "explain",
    "eye",
    "fromfunction",
    "full",
    "full_like",
    "identity",
    "indices",
    "linspace",
    "max",
    "mean",
    "median",
    "meshgrid",
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
    "ones",
    "ones_like",
    "original",
    "percentile",
    "prod",
    "ptp",
    "quantile",
    "random",
    "register_backend",
    "scope",
    "status",
    "std",
    "sum",
    "tri",
    "var",
    "zeros",
    "zeros_like",
]

enable()
