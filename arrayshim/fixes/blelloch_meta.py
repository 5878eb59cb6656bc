"""`cumsum(method="blelloch")` and its kin forget the type of the chunks: the result is built from a dtype alone.

    >>> x = da.from_array(cupy.arange(5), chunks=2)
    >>> y = x.cumsum(axis=0, method="blelloch")
    >>> type(y._meta), type(y.compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

A running value is of the kind of what it runs over, as the sequential method has it.
"""

from __future__ import annotations

from typing import Any

from arrayshim.fix import Fix, original
from arrayshim.meta import take_after

FIX = Fix(
    __name__,
    title='cumulative functions with method="blelloch" keep the chunk type',
    affects=">=2025.1",
    array_expr=False,
)

SCAN = "dask.array.reductions.prefixscan_blelloch"


@FIX.probe
def faulty() -> str | None:
    from arrayshim.probes import dask_array
    from arrayshim.strict import StrictArray

    found = dask_array([1.0, 5.0, 2.0]).cumsum(axis=0, method="blelloch")._meta
    return None if type(found) is StrictArray else f"meta is {type(found).__name__}, chunks are StrictArray"


@FIX.replaces(SCAN)
def prefixscan_blelloch(
    func: Any, preop: Any, binop: Any, x: Any, axis: Any = None, dtype: Any = None, out: Any = None
) -> Any:
    return take_after(original(SCAN)(func, preop, binop, x, axis, dtype, out), x)
