"""`x[x > 3]` forgets the type of its chunks: the result is built from a dtype alone, so its meta is NumPy.

    >>> x = da.from_array(cupy.arange(5), chunks=2)
    >>> type(x[x > 3]._meta), type(x[x > 3].compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

Everything that follows a selection (reductions, reshape, concatenate, `compute_chunk_sizes`) then works for NumPy on
chunks that are not.
"""

from __future__ import annotations

from typing import Any

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="boolean selection keeps the chunk type",
    issue="https://github.com/dask/dask/issues/4888",
    affects=">=2025.1",
    array_expr=False,
)

SELECT = "dask.array.slicing.slice_with_bool_dask_array"
JOIN = "dask.array.slicing.concatenate_array_chunks"


@FIX.probe
def faulty() -> str | None:
    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    x = dask_array([1.0, 5.0])
    found = {type(x[x > 3]._meta), type(dask_array([[1.0, 5.0]])[:, dask_array([True, False])]._meta)} - {StrictArray}
    return f"meta is {found.pop().__name__}, chunks are StrictArray" if found else None


def _with_meta_of(result: Any, x: Any) -> Any:
    from dask.array.utils import meta_from_array

    if type(result._meta) is not type(x._meta):
        meta = meta_from_array(x._meta, ndim=result.ndim, dtype=result.dtype)
        # A matrix of one dimension cannot exist: such chunks turn into something else when they are selected from.
        if type(meta) is type(x._meta) and meta.ndim == result.ndim:
            result._meta = meta
    return result


@FIX.replaces(SELECT)
def slice_with_bool_dask_array(x: Any, index: Any) -> Any:
    result, rest = original(SELECT)(x, index)
    return _with_meta_of(result, x), rest


@FIX.replaces(JOIN)
def concatenate_array_chunks(x: Any) -> Any:
    return _with_meta_of(original(JOIN)(x), x)
