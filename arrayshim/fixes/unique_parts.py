"""`unique` packs what it finds into structured NumPy arrays, and gives up where the chunks cannot be structured.

    >>> x = da.from_array(cupy.array([3, 1, 3]), chunks=2)
    >>> da.unique(x, return_counts=True)
    ValueError: dask.array.unique does not support `return_index`, `return_inverse` or `return_counts` with array
    types that don't support structured arrays.

For such chunks values, positions and counts go side by side. Positions in the distinct values, which dask finds by
comparing each element with each value, are looked up by bisection.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.meta import like
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="unique of device chunks, with index, inverse and counts",
    affects=">=2025.1",
    array_expr=False,
)

UNIQUE = "dask.array.routines.unique"


@FIX.probe
def faulty() -> str | None:
    from dask.array.routines import unique

    from arrayshim.probes import dask_array

    try:
        counts = unique(dask_array([5.0, 1.0, 5.0]), return_counts=True)[1]
        found = counts.compute(scheduler="sync").get().tolist()
    except (TypeError, ValueError) as error:
        return f"counts of the distinct values of a device array: {error}"
    return None if found == [1, 2] else f"1 is once and 5 twice in [5, 1, 5], not {found}"


@dataclass(frozen=True, slots=True)
class Distinct:
    """The distinct values of `size` elements, and where each is first and how often, if that was asked for."""

    values: Any
    size: int
    index: Any = None
    counts: Any = None


def _of_chunk(chunk: Any, *, index: bool, counts: bool) -> Distinct:
    unique: Any = np.unique
    found = unique(chunk.ravel(), return_index=index, return_counts=counts)
    if not (index or counts):
        return Distinct(found, chunk.size)
    return Distinct(found[0], chunk.size, found[1] if index else None, found[-1] if counts else None)


def _of_all(parts: list[Distinct], *, index: bool, counts: bool) -> Distinct:
    values = Meeting(np.concatenate, "unique")([part.values for part in parts])
    size = sum(part.size for part in parts)
    if not (index or counts):
        return Distinct(np.unique(values), size)
    distinct, first, inverse = np.unique(values, return_index=True, return_inverse=True)
    where = number = None
    if index:
        starts = np.cumsum([0, *(part.size for part in parts)]).tolist()
        # The first among the chunks is the first of all.
        where = np.concatenate([part.index + start for part, start in zip(parts, starts, strict=False)])[first]
    if counts:
        # In float64, which is exact for as many elements as an array can have.
        each = np.concatenate([part.counts for part in parts]).astype(np.float64)
        number = np.bincount(inverse.ravel(), each).astype(np.intp)
    return Distinct(distinct, size, where, number)


def _place(chunk: Any, values: Any) -> Any:
    return np.searchsorted(values, chunk).astype(np.intp)


def _pick(distinct: Distinct, *, part: str) -> Any:
    found = getattr(distinct, part)
    return found if part == "values" else found.astype(np.intp)


@FIX.replaces(UNIQUE)
def unique(ar: Any, return_index: bool = False, return_inverse: bool = False, return_counts: bool = False) -> Any:
    if not is_device(ar):
        return original(UNIQUE)(ar, return_index, return_inverse, return_counts)
    index, counts = bool(return_index), bool(return_counts)
    # Only a position depends on the order of the elements.
    found = _distinct(ar.ravel() if index and ar.ndim != 1 else ar, index=index, counts=counts)
    values = _part(found, "values", ar)
    result = [values]
    if index:
        result.append(_part(found, "index", ar))
    if return_inverse:
        result.append(_inverse(ar, values))
    if counts:
        result.append(_part(found, "counts", ar))
    return result[0] if len(result) == 1 else tuple(result)


def _distinct(ar: Any, *, index: bool, counts: bool) -> Any:
    """An array of one chunk that is a `Distinct`."""
    from dask.array.core import Array
    from dask.base import tokenize
    from dask.core import flatten
    from dask.highlevelgraph import HighLevelGraph

    token = tokenize("arrayshim.unique", ar.name, index, counts)
    asked: dict[str, Any] = {"index": index, "counts": counts}
    keys = list(flatten(ar.__dask_keys__()))
    layer: dict[Any, Any] = {(f"unique-chunk-{token}", i): (partial(_of_chunk, **asked), k) for i, k in enumerate(keys)}
    layer[f"unique-{token}", 0] = (partial(_of_all, **asked), list(layer))
    graph = HighLevelGraph.from_collections(f"unique-{token}", layer, dependencies=[ar])
    return Array(graph, f"unique-{token}", ((np.nan,),), meta=like(ar, ndim=1))


def _part(found: Any, part: str, ar: Any) -> Any:
    from dask.array.core import Array
    from dask.highlevelgraph import HighLevelGraph

    name = f"unique-{part}-{found.name}"
    layer = {(name, 0): (partial(_pick, part=part), (found.name, 0))}
    graph = HighLevelGraph.from_collections(name, layer, dependencies=[found])
    meta = like(ar, ndim=1) if part == "values" else _positions(like(ar, ndim=1))
    return Array(graph, name, ((np.nan,),), meta=meta)


def _inverse(ar: Any, values: Any) -> Any:
    from dask.array.blockwise import blockwise

    axes = tuple(range(ar.ndim))
    return blockwise(
        _place,
        axes,
        ar,
        axes,
        values,
        (ar.ndim,),
        concatenate=True,
        align_arrays=False,
        dtype=np.intp,
        meta=_positions(like(ar)),
    )


def _positions(meta: Any) -> Any:
    """A meta of integers of the kind of another, which may be complex and then is not cast."""
    return np.zeros_like(meta, dtype=np.intp)
