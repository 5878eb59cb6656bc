"""Makes dask.array right, and fast, for chunks that are not NumPy.

Importing this package registers the repairs with dask; `arrayshim.disable()` undoes them. Import it first: a name bound
before (`from dask.array import std`) is yours and stays stock.
"""

from __future__ import annotations

from pathlib import Path as _Path

if not (_Path(__file__).parent / "conformance").is_dir():
    # In a clone the suite lies beside the package; installed, it lies inside.
    __path__.append(str(_Path(__file__).parent.parent))

from typing import TYPE_CHECKING, Any

from arrayshim._version import __version__
from arrayshim.fix import Fix, Status, original
from arrayshim.registration import attach, disable, enable, scope

if TYPE_CHECKING:
    from arrayshim import random
    from arrayshim._hosting import to_numpy
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
    from arrayshim.report import explain, status
    from arrayshim.residency import transfers

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
    "to_numpy",
    "transfers",
    "tri",
    "var",
    "zeros",
    "zeros_like",
]

#: What the registration does not need is imported at its first use: `import arrayshim` is felt by every process.
_HOMES = {
    "arrayshim._hosting": ("to_numpy",),
    "arrayshim.backends": ("Backend", "register_backend"),
    "arrayshim.creation": (
        "arange",
        "array",
        "asanyarray",
        "asarray",
        "diag",
        "empty",
        "empty_like",
        "eye",
        "fromfunction",
        "full",
        "full_like",
        "identity",
        "indices",
        "linspace",
        "meshgrid",
        "ones",
        "ones_like",
        "tri",
        "zeros",
        "zeros_like",
    ),
    "arrayshim.reductions": (
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
    ),
    "arrayshim.report": ("explain", "status"),
    "arrayshim.residency": ("transfers",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in ("random", "strict", "kernels", "reductions", "creation", "backends", "residency", "conformance"):
        return import_module(f"arrayshim.{name}")
    if name not in _HOME_OF:
        raise AttributeError(f"module 'arrayshim' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(_HOME_OF[name]), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _register() -> None:
    from arrayshim.errors import UntestedDaskWarning

    try:
        enable()
    except UntestedDaskWarning:
        pass  # where warnings are errors, a new dask is still no reason that the import fails


_register()
