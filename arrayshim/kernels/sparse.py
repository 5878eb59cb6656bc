"""sparse arrays."""

from __future__ import annotations

import sparse

from arrayshim import kernels
from arrayshim.kernels.generic import numel_host

# A count has no zeros, and as a sparse array would have a fill value of its own: https://github.com/dask/dask/issues/7169
kernels.numel.add(sparse.SparseArray, numel_host)
