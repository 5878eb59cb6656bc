"""`casting=` of `astype` is held to while the graph is built, and then given to chunks whose `astype` lacks it.

>>> x.astype("f8", casting="safe").compute()            # x of CuPy chunks
TypeError: casting is not supported yet
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="astype takes casting= on chunks whose own astype does not",
    affects=">=2025.1",
)

ASTYPE = "dask.array.chunk.astype"


@FIX.probe
def faulty() -> str | None:
    from dask.array import chunk

    from arrayshim.strict import asarray

    try:
        chunk.astype(asarray(np.arange(2)), np.dtype("f8"), casting="safe")
    except TypeError as error:
        return f"astype(casting=) of a device chunk: {error}"
    return None


@FIX.replaces(ASTYPE)
def astype(x: Any, astype_dtype: Any = None, **kwargs: Any) -> Any:
    if "casting" in kwargs and not isinstance(x, np.ndarray | np.generic) and hasattr(x, "dtype"):
        casting = kwargs.pop("casting")
        if not np.can_cast(x.dtype, astype_dtype, casting=casting):
            raise TypeError(
                f"Cannot cast array data from {x.dtype!r} to {astype_dtype!r} according to the rule {casting!r}"
            )
    return original(ASTYPE)(x, astype_dtype, **kwargs)
