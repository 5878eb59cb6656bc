"""Device-backed dask arrays in host memory: asked for, chunk by chunk, and counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arrayshim import residency


@dataclass(frozen=True, slots=True)
class ToHost:
    """Task that copies one chunk to the host; one that is there already stays."""

    operation: str

    __name__: ClassVar[str] = "to-host"

    def __call__(self, chunk: Any) -> Any:
        return residency.to_host(chunk, self.operation)

    def __dask_tokenize__(self) -> tuple[str, str]:
        return "arrayshim.ToHost", self.operation


def on_host(x: Any, operation: str) -> Any:
    """The dask array whose chunks are those of `x` in host memory, whatever its meta says of them."""
    return x.map_blocks(ToHost(operation), dtype=x.dtype, meta=np.empty((0,) * x.ndim, dtype=x.dtype))


def to_numpy(x: Any, **kwargs: Any) -> Any:
    """Compute a dask array and copy the result to the host, chunk by chunk.

    Each chunk is copied as soon as it is computed, so a device never holds the whole result.

    Parameters
    ----------
    x : dask array or array
        With chunks of any type that has a row in dask's ``to_numpy_dispatch`` or belongs to a registered backend.
    **kwargs
        As of ``x.compute``, for instance ``scheduler=``; a dask array only.

    Returns
    -------
    numpy.ndarray
        Of the shape and dtype of `x`; a masked array stays one.

    Raises
    ------
    UnsupportedError
        If nobody has said how the type of the chunks becomes an ndarray.

    See Also
    --------
    transfers : counts what moves.

    Examples
    --------
    >>> arrayshim.to_numpy(x.mean(axis=0))
    array([...])
    """
    if not hasattr(x, "__dask_graph__"):
        return np.asanyarray(residency.to_host(x, "to_numpy") if hasattr(x, "dtype") else x)
    return np.asanyarray(on_host(x, "to_numpy").compute(**kwargs))
