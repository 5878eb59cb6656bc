"""sparse arrays: what they lack is refused in one line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sparse

from arrayshim import kernels
from arrayshim.errors import UnsupportedError
from arrayshim.kernels.generic import numel_host

# A count has no zeros, and as a sparse array would have a fill value of its own: https://github.com/dask/dask/issues/7169
kernels.numel.add(sparse.SparseArray, numel_host)


def _refusal(name: str) -> Callable[..., Any]:
    operation = name.removeprefix("chunk_")

    def refuse(x: Any, *args: Any, **kwargs: Any) -> Any:
        raise UnsupportedError(f"sparse has no {operation} for {type(x).__name__}; use x.todense()")

    return refuse


for _name in ("average", "chunk_percentile", "median", "nanmedian", "nanquantile", "nanpercentile"):
    kernels.TABLES[_name].add(sparse.SparseArray, _refusal(_name))
