"""`linspace` between limits on a device makes device chunks, and describes them by a dtype alone, as NumPy's.

    >>> x = da.linspace(y.min(), y.max(), 5)                # y of CuPy chunks
    >>> type(x._meta), type(x.compute())
    (<class 'numpy.ndarray'>, <class 'cupy.ndarray'>)

The step is computed while the graph is built, on NumPy chunks too; here both limits are, in one go.
"""

from __future__ import annotations

from typing import Any

import dask

from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="linspace follows the limits to their device",
    affects=">=2025.1",
    after=("array_backend_reach",),
    array_expr=False,
)

LINSPACE = "dask.array.creation.linspace"


@FIX.probe
def faulty() -> str | None:
    from dask.array import creation

    from arrayshim.strict import StrictArray, asarray

    found = type(creation.linspace(asarray(0.0), asarray(1.0), 3)._meta)
    return None if found is StrictArray else f"meta is {found.__name__}, limits are StrictArray"


# The public name, and whoever looks it up by name, come here through that fix.
@FIX.replaces(LINSPACE, everywhere=False)
def linspace(
    start: Any,
    stop: Any,
    num: int = 50,
    endpoint: bool = True,
    retstep: bool = False,
    chunks: Any = "auto",
    dtype: Any = None,
) -> Any:
    like = next(filter(is_device, (start, stop)), None)
    if like is None:
        return original(LINSPACE)(start, stop, num, endpoint, retstep, chunks, dtype)
    from arrayshim import creation

    first, last = (x.item() if is_device(x) else x for x in dask.compute(start, stop))
    return creation.linspace(first, last, num, endpoint, retstep, dtype, chunks=chunks, like=like)
