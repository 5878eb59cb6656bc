"""When a function fails on arrays of size 0, dask takes its result for NumPy's, whatever its operands are.

    >>> x = da.from_array(cupy.eye(4), chunks=(2, 4))
    >>> type(da.fft.fft(x)._meta), type(da.fft.fft(x).compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

`compute_meta` calls the function on arrays of size 0 and swallows the error of those that have no answer for nothing
(FFTs, medians, `lambda c: c[0]`); the array is then made from a dtype alone. A second call, on arrays of one element,
tells what the function returns, which may be host data on purpose. Where that fails too, the kind of the operands is
the better guess. Operands that NumPy works on are not tried again.
"""

from __future__ import annotations

from typing import Any

from arrayshim import meta
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="a meta that cannot be inferred on size 0 follows the operands",
    affects=">=2025.1",
    array_expr=False,
)

INFER = "dask.array.utils.compute_meta"


@FIX.probe
def faulty() -> str | None:
    from dask.array.utils import compute_meta

    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = compute_meta(lambda chunk: chunk[0], "f8", dask_array([[1.0, 5.0]]))
    if type(found) is StrictArray:
        return None
    return f"a function that fails on size 0 is taken to return {type(found).__name__}, it returns StrictArray"


@FIX.replaces(INFER)
def compute_meta(func: Any, _dtype: Any, *args: Any, **kwargs: Any) -> Any:
    found = original(INFER)(func, _dtype, *args, **kwargs)
    if found is None:
        if meta.has_keyword(func, "computing_meta"):
            kwargs["computing_meta"] = True
        found = meta.second_try(func, _dtype, args, kwargs)
    if meta.knows_itself(found) and found.ndim == 0:
        # Names are made of metas, and the one element of this one would be copied from its device for that. The array
        # that it becomes the meta of knows its dimensions by its chunks.
        return meta.like(found, ndim=1)
    return found
