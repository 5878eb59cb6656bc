"""Parameters of a draw: NumPy's errors for wrong ones, numbers apart from arrays, the shape of the result."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.array.core import broadcast_shapes

from arrayshim import residency

#: Host arrays of more elements are not looked through while the graph is built.
CHECKED = 1 << 20


def check(name: str, /, *values: Any, **options: Any) -> None:
    """Raise what NumPy raises for these parameters; those on a device or in tasks are not looked at."""
    if any(is_array(x) and (not isinstance(x, np.ndarray) or x.size > CHECKED) for x in values):
        return
    getattr(np.random.Generator(np.random.Philox(0)), name)(*values, **options)


def is_array(x: Any) -> bool:
    """Whether a parameter has a value per element."""
    return hasattr(x, "shape") and x.shape != ()


def host(x: Any) -> Any:
    """A parameter with sequences as arrays, and anything of no dimensions that is at hand as a number."""
    if isinstance(x, list | tuple):
        x = residency.gathered(x)
    if isinstance(x, list | tuple):
        x = np.asarray(x)
    return x.item() if isinstance(x, np.generic) or (isinstance(x, np.ndarray) and x.ndim == 0) else x


def shape_of(size: Any, values: Any) -> tuple[int, ...]:
    """The shape that a size and the parameters broadcast to."""
    shapes = [tuple(x.shape) for x in values if is_array(x)]
    if size is not None:
        shapes.append(tuple(map(int, size)) if isinstance(size, tuple | list) else (int(size),))
    if any(n < 0 for n in shapes[-1]) if shapes else False:
        raise ValueError("negative dimensions are not allowed")
    return tuple(map(int, broadcast_shapes(*shapes))) if shapes else ()


def spread(x: Any, shape: tuple[int, ...], chunks: Any, meta: Any, method: str) -> Any:
    """An array parameter as a dask array of the result's shape and chunks, beside the result's chunks."""
    x = residency.follow(x, meta, method)
    if not isinstance(x, da.Array):
        x = da.from_array(x, chunks=-1, name=False if residency.is_device(x) else None, asarray=False)
    return da.broadcast_to(x, shape).rechunk(chunks)
