"""What the repairs of indexing and assignment share: which items of a key are lazy, and how one in memory is read."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.errors import UnsupportedError


def lazy(item: Any) -> bool:
    """Whether an item of a key, or a value, is a dask array."""
    return hasattr(item, "__dask_graph__") and hasattr(item, "_meta")


def on_host(item: Any, operation: str, *, masks: bool = False) -> Any:
    """A device array that is an index, copied to the host; a mask of several axes only with `masks`.

    A graph is built from the numbers of an index, whatever the data are.
    """
    if isinstance(item, np.ndarray) or not hasattr(item, "dtype") or hasattr(item, "__dask_graph__"):
        return item
    if (item.dtype == bool and item.ndim > 1 and not masks) or not residency.is_device(item):
        return item
    try:
        return residency.to_host(item, operation)
    except UnsupportedError:  # nobody has said how; dask itself would ask for a list
        return np.array(item.tolist(), dtype=item.dtype)
