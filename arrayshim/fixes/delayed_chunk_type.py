"""A chunk that becomes a `Delayed` and an array again has lost its type on the way: `from_delayed` knows a dtype alone.

    >>> x = da.from_array(cupy.arange(6.0), chunks=3)
    >>> y = da.from_delayed(x.to_delayed()[0], (3,), dtype=x.dtype)
    >>> type(y._meta), type(y.compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

What `to_delayed` makes of chunks that are not NumPy's remembers their meta, for a `from_delayed` without one. Nothing
is known of a `Delayed` that comes from elsewhere; there `meta=` is the user's to give.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from dask.delayed import Delayed

from arrayshim import meta as metas
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="from_delayed(x.to_delayed()[i], ...) keeps the chunk type",
    affects=">=2025.1",
    array_expr=False,
)

OUT = "dask.array.core.Array.to_delayed"
BACK = "dask.array.core.from_delayed"


@FIX.probe
def faulty() -> str | None:
    from dask.array.core import from_delayed

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = from_delayed(dask_array([1.0, 5.0]).to_delayed()[0], (2,), dtype="f8")._meta
    return None if type(found) is StrictArray else f"meta is {type(found).__name__}, the chunk was StrictArray"


class DelayedChunk(Delayed):  # type: ignore[misc]
    """A `Delayed` that knows what kind of array it will be."""

    __slots__ = ("_array_meta",)

    def __init__(self, key: Any, dsk: Any, length: Any = None, layer: Any = None, *, array_meta: Any = None) -> None:
        super().__init__(key, dsk, length, layer)
        self._array_meta = array_meta


@FIX.replaces(OUT)
def to_delayed(self: Any, optimize_graph: bool = True) -> Any:
    stock = original(OUT)(self, optimize_graph)
    if not metas.knows_itself(self):
        return stock
    chunks = np.empty(stock.shape, dtype=object)
    for index, chunk in np.ndenumerate(stock):
        chunks[index] = DelayedChunk(chunk.key, chunk.dask, layer=chunk.__dask_layers__()[0], array_meta=self._meta)
    return chunks


@FIX.replaces(BACK)
def from_delayed(value: Any, shape: Any, dtype: Any = None, meta: Any = None, name: Any = None) -> Any:
    known = value._array_meta if meta is None and isinstance(value, DelayedChunk) else None
    if known is None:
        return original(BACK)(value, shape, dtype, meta, name)
    result = original(BACK)(value, shape, known.dtype if dtype is None else dtype, None, name)
    result._meta = metas.like(known, ndim=result.ndim, dtype=result.dtype)
    return result
