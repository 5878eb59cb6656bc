"""`bincount` of a dask array whose chunks have a kernel for it: dask's graph of two steps with that in the first.

dask writes `numpy.bincount` itself into the tasks. The graph is that of ``dask.array.routines.bincount`` (Copyright (c)
2014, Anaconda, Inc. and contributors, BSD 3-Clause License) without weights.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arrayshim import kernels


def has_kernel(x: Any) -> bool:
    """Whether `x` is a 1-d dask array of chunks whose type has a kernel."""
    table = kernels.TABLES["bincount"]
    return hasattr(x, "_meta") and x.ndim == 1 and table.dispatch(type(x._meta)) is not table.dispatch(object)


def counted(x: Any, minlength: int, split_every: Any) -> Any:
    """How often each number from 0 on occurs; of unknown length where `minlength` is 0."""
    from dask.array.core import blockwise
    from dask.array.reductions import _tree_reduce
    from dask.array.routines import _bincount_agg

    meta = np.zeros_like(x._meta, shape=(0,), dtype=np.intp)
    kernel = partial(kernels.TABLES["bincount"], minlength=minlength)
    counts = blockwise(kernel, "i", x, "i", name=None, dtype=meta.dtype, meta=meta)
    length = (minlength or np.nan,)
    counts._chunks = (length * len(counts.chunks[0]),)
    result = _tree_reduce(
        counts,
        aggregate=partial(_bincount_agg, dtype=meta.dtype),
        axis=(0,),
        keepdims=True,
        dtype=meta.dtype,
        split_every=split_every,
        concatenate=False,
    )
    result._chunks = (length,)
    result._meta = meta
    return result
