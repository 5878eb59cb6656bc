"""Array creation that knows where: NumPy's and dask's creation functions with ``like=``.

``like=`` is an array, an array type, a dask array, or the name of a backend ("cupy"). The result is a dask array where
`like` is one or ``chunks=`` is given, else an array of the type of `like`. Without `like`, host data follow dask's
setting `array.backend`, and arrays stay what they are. Nothing leaves a device: data that would have to are refused.
"""

from __future__ import annotations

from arrayshim._creation_data import array, asanyarray, asarray, to_backend_meta
from arrayshim._creation_fill import (
    empty,
    empty_like,
    full,
    full_like,
    ones,
    ones_like,
    zeros,
    zeros_like,
)
from arrayshim._creation_grid import (
    arange,
    diag,
    eye,
    identity,
    linspace,
    tri,
)
from arrayshim._creation_mesh import fromfunction, indices, meshgrid

__all__ = [
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
    "to_backend_meta",
    "tri",
    "zeros",
    "zeros_like",
]
