"""Random numbers know parameters that are numbers, or in host memory, only.

    >>> rng = da.random.RandomState(1, RandomState=cupy.random.RandomState)
    >>> rng.normal(cupy_array, 1.0)
    TypeError: ...

A device array is handed whole to every chunk, a NumPy array part by part but in host memory, and a dask array itself,
for the meta. A bit generator is opened for every chunk while the graph is built, 13 MB each on an H200, and the names
are made from these, so that equal seeds give different names.

On NumPy chunks `multivariate_hypergeometric` promises an axis too few, and probabilities in an array are broadcast
against the numbers:

    >>> da.random.default_rng(1).multivariate_hypergeometric([3, 4, 5], 6, size=(4, 2)).shape
    (4, 2)
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="random numbers with parameters of any residence, and equal names for equal seeds",
    affects=">=2025.1",
    array_expr=False,
    changes_numpy=True,
)

WRAP = "dask.array.random._wrap_func"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim import strict

    rng = da.random.RandomState(1, RandomState=strict.RandomState)
    try:
        drawn = rng.normal(strict.asarray([0.0, 5.0]), 1.0, chunks=1)
    except Exception as error:
        return f"a parameter on the device: {type(error).__name__}: {error}"
    return None if drawn.shape == (2,) else f"a parameter of shape (2,) gives numbers of shape {drawn.shape}"


@FIX.replaces(WRAP)
def _wrap_func(
    rng: Any, funcname: str, *args: Any, size: Any = None, chunks: Any = "auto", extra_chunks: Any = (), **kwargs: Any
) -> Any:
    from arrayshim.kernels.distributions import PARAMETERS, VECTORS
    from arrayshim.random._drawn import drawn
    from arrayshim.random._makers import maker_of

    if funcname == "multivariate_hypergeometric" and not extra_chunks:
        extra_chunks = ((len(args[0]),),)
    maker = maker_of(rng, [*args, *kwargs.values()])
    if not maker.numpys:
        return drawn(rng, funcname, args, kwargs, size=size, chunks=chunks, extra=extra_chunks, maker=maker)
    if funcname in VECTORS:
        # One vector for each number, which dask would broadcast against the numbers.
        vector = list(PARAMETERS[funcname]).index(VECTORS[funcname])
        args = tuple(x.tolist() if i == vector and isinstance(x, np.ndarray) else x for i, x in enumerate(args))
    return original(WRAP)(rng, funcname, *args, size=size, chunks=chunks, extra_chunks=extra_chunks, **kwargs)
