"""`blockwise` without `concatenate=True` gives a function lists of blocks, and infers its meta by giving it one block.

    >>> x = da.from_array(cupy.ones((4, 4)), chunks=2)
    >>> y = da.blockwise(lambda blocks: sum(b.sum(axis=1) for b in blocks), "i", x, "ij", dtype="f8")
    >>> type(y._meta), type(y.compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

The sum over the rows of an array without rows is the integer 0. Called as the tasks call it, the function tells.
"""

from __future__ import annotations

from typing import Any

from arrayshim import meta as metas
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="the meta of blockwise over lists of blocks is inferred on lists of blocks",
    affects=">=2025.1",
    array_expr=False,
)

BLOCKWISE = "dask.array.blockwise.blockwise"


@FIX.probe
def faulty() -> str | None:
    from dask.array.blockwise import blockwise

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    x = dask_array([[1.0, 5.0]], chunks=1)
    found = blockwise(lambda blocks: sum(b.sum(axis=1) for b in blocks), "i", x, "ij", dtype="f8")._meta
    return None if type(found) is StrictArray else f"meta is {type(found).__name__}, chunks are StrictArray"


@FIX.replaces(BLOCKWISE)
def blockwise(
    func: Any,
    out_ind: Any,
    *args: Any,
    name: Any = None,
    token: Any = None,
    dtype: Any = None,
    adjust_chunks: Any = None,
    new_axes: Any = None,
    align_arrays: Any = True,
    concatenate: Any = None,
    meta: Any = None,
    **kwargs: Any,
) -> Any:
    result = original(BLOCKWISE)(
        func,
        out_ind,
        *args,
        name=name,
        token=token,
        dtype=dtype,
        adjust_chunks=adjust_chunks,
        new_axes=new_axes,
        align_arrays=align_arrays,
        concatenate=concatenate,
        meta=meta,
        **kwargs,
    )
    if meta is None and not concatenate and hasattr(result, "_meta"):
        found = _of_lists(func, out_ind, args, kwargs, dtype)
        if found is not None:
            result._meta = metas.like(found, ndim=result.ndim, dtype=dtype)
    return result


def _of_lists(func: Any, out_ind: Any, args: Any, kwargs: Any, dtype: Any) -> Any:
    """The meta of a function that gets lists; None where it gets none, or none of blocks that are not NumPy's."""
    pairs = list(zip(args[::2], args[1::2], strict=True))
    depths = [len({*ind} - {*out_ind}) if ind is not None else 0 for _, ind in pairs]
    if not any(depths) or not any(metas.knows_itself(x) for x, _ in pairs):
        return None
    operands = []
    for (x, _), depth in zip(pairs, depths, strict=True):
        for _ in range(depth):
            x = metas.Blocks([x])
        operands.append(x)
    found = metas.probe_call(func, operands, kwargs=kwargs, dtype=dtype)
    return found if hasattr(found, "dtype") else None
