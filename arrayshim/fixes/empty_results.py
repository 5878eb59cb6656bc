"""An array without elements is made anew when it is rechunked or tiled no times, and comes out with NumPy chunks.

    >>> x = da.from_array(cupy.ones((4, 4)), chunks=2)
    >>> type(da.tile(x, 0).compute()), type(x[:0].rechunk(4).compute())
    (<class 'numpy.ndarray'>, <class 'numpy.ndarray'>)

`empty` is called with a shape and a dtype where `empty_like` is meant. A reshape, and whatever else rechunks on its
way, inherits it.
"""

from __future__ import annotations

from typing import Any

from arrayshim import meta
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="arrays of size 0 keep their chunk type when they are rechunked or tiled",
    affects=">=2025.1",
    array_expr=False,
)

TILE = "dask.array.creation.tile"
RECHUNK = "dask.array.rechunk._compute_rechunk"


@FIX.probe
def faulty() -> str | None:
    from dask.array.creation import tile

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    x = dask_array([[1.0, 5.0]], chunks=1)
    found = {type(tile(x, 0)._meta), type(x[:0].rechunk(2)._meta)} - {StrictArray}
    return f"meta is {found.pop().__name__}, chunks were StrictArray" if found else None


def _empty_like(result: Any, x: Any) -> Any:
    """The array of size 0 that dask made, with chunks of the kind of `x`."""
    if 0 in result.shape and meta.knows_itself(x) and not meta.knows_itself(result):
        from dask.array.creation import empty_like

        return empty_like(x, shape=result.shape, chunks=result.chunks)
    return result


@FIX.replaces(TILE)
def tile(A: Any, reps: Any) -> Any:
    return _empty_like(original(TILE)(A, reps), A)


@FIX.replaces(RECHUNK)
def _compute_rechunk(x: Any, chunks: Any) -> Any:
    return _empty_like(original(RECHUNK)(x, chunks), x)
