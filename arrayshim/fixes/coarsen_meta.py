"""`coarsen` finds out what a reduction returns by giving it a NumPy array, whatever the chunks are.

    >>> y = da.coarsen(np.sum, da.from_array(cupy.ones((4, 4)), chunks=2), {0: 2})
    >>> type(y._meta), type(y.compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

A reduction that only takes device arrays, such as `cupy.sum`, fails there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import meta as metas
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="coarsen tries its reduction on an array of the chunks' type",
    affects=">=2025.1",
    array_expr=False,
)

COARSEN = "dask.array.routines.coarsen"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import coarsen

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = coarsen(np.sum, dask_array([1.0, 5.0]), {0: 2})._meta
    return None if type(found) is StrictArray else f"meta is {type(found).__name__}, chunks are StrictArray"


# dask.array.routines.coarsen, restated but for its last step: Copyright (c) 2014, Anaconda, Inc. and contributors,
# BSD 3-Clause License. The stock function calls the reduction on an ndarray, and cannot be kept from it.
@FIX.replaces(COARSEN)
def coarsen(reduction: Any, x: Any, axes: Any, trim_excess: bool = False, **kwargs: Any) -> Any:
    if not metas.knows_itself(x):
        return original(COARSEN)(reduction, x, axes, trim_excess, **kwargs)

    from dask.array import chunk
    from dask.array.core import Array, flatten
    from dask.array.routines import aligned_coarsen_chunks
    from dask.base import tokenize
    from dask.highlevelgraph import HighLevelGraph
    from dask.utils import apply

    if not trim_excess and not all(x.shape[i] % div == 0 for i, div in axes.items()):
        raise ValueError(f"Coarsening factors {axes} do not align with array shape {x.shape}.")
    if reduction.__module__.startswith("dask."):
        reduction = getattr(np, reduction.__name__)

    aligned = {i: aligned_coarsen_chunks(x.chunks[i], div) for i, div in axes.items()}
    x = x.rechunk({i: c for i, c in aligned.items() if c != x.chunks[i]})
    name = "coarsen-" + tokenize(reduction, x, axes, trim_excess, kwargs)
    tasks = {
        (name, *key[1:]): (apply, chunk.coarsen, [reduction, key, dict(axes), trim_excess], kwargs)
        for key in flatten(x.__dask_keys__())
    }
    chunks = tuple(tuple(n // axes.get(i, 1) for n in c if n >= axes.get(i, 1)) for i, c in enumerate(x.chunks))
    kwargs_of_chunk = {**kwargs, "axis": tuple(range(1, x.ndim * 2, 2))}
    meta = metas.probe_call(reduction, [metas.like(x, ndim=2 * x.ndim)], kwargs=kwargs_of_chunk)
    if meta is None:
        meta = reduction(x._meta, **kwargs)  # says what is wrong with it
    return Array(HighLevelGraph.from_collections(name, tasks, dependencies=[x]), name, chunks, meta=meta)
