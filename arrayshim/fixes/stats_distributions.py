"""`da.stats` takes its p-values from SciPy's distributions, which make ndarrays of what they get.

    >>> x = da.from_array(cupy.arange(12.0), chunks=4)
    >>> dask.compute(*da.stats.ttest_1samp(x, 5.0))
    TypeError: Implicit conversion to a NumPy array is not allowed.

What those are made of is in `scipy.special`, whose ufuncs an array library may have of its own (NEP-13): `cupyx` has.
`skewtest` and `kurtosistest` compute their p-value while the graph is built; on other chunks than NumPy's it is lazy.
"""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from arrayshim import kernels, meta
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="p-values of dask.array.stats are computed where the statistics are",
    affects=">=2025.1",
    array_expr=False,
)

STATS = "dask.array.stats"
WRAP = "dask.array.ufunc.wrap_elemwise"


@FIX.probe
def faulty() -> str | None:
    from dask.array import stats

    from arrayshim.probes import dask_array

    try:
        stats.chisquare(dask_array([1.0, 5.0]), dask_array([2.0, 4.0]))[1].compute(scheduler="sync")
    except TypeError as error:
        return f"a p-value of device chunks: TypeError: {error}"
    return None


def sf_chi2(x: Any, df: Any) -> Any:
    return kernels.TABLES["survival_chi2"](x, df)


def sf_norm(x: Any) -> Any:
    return kernels.TABLES["survival_norm"](x)


def sf_t(x: Any, df: Any) -> Any:
    return kernels.TABLES["survival_t"](x, df)


def sf_norm_of_graph(x: Any) -> Any:
    if not hasattr(x, "__dask_graph__") or not meta.knows_itself(x):
        return _scipy("norm", x)
    from dask.delayed import delayed

    return delayed(sf_norm)(x)


def _scipy(name: str, *args: Any) -> Any:
    from scipy.stats import distributions

    return getattr(distributions, name).sf(*args)


class Distributions:
    """What `dask.array.stats` calls `distributions`."""

    t = SimpleNamespace(sf=sf_t)
    chi2 = SimpleNamespace(sf=sf_chi2)
    norm = SimpleNamespace(sf=sf_norm_of_graph)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        from scipy.stats import distributions

        return getattr(distributions, name)


FIX.replaces(f"{STATS}.distributions", everywhere=False, late=True)(Distributions())  # type: ignore[type-var]

for _name in ("chi2", "norm", "t"):
    for _kind in (np.ndarray, np.generic, float, int):
        kernels.TABLES[f"survival_{_name}"].add(_kind, lambda *args, _name=_name: _scipy(_name, *args))


@FIX.replaces(WRAP)
def wrap_elemwise(numpy_ufunc: Any, source: Any = np) -> Any:
    # dask.array.stats wraps two functions when it is imported, after it has bound the distributions.
    if STATS in sys.modules:
        FIX.arrived()
    return original(WRAP)(numpy_ufunc, source=source)
