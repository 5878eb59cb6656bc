"""`where=` of a ufunc goes to the chunks' own ufunc, and few libraries but NumPy have that keyword.

    >>> da.log(x, where=x > 0, out=y).compute()             # x of CuPy chunks
    TypeError: Wrong arguments {'where': ...}

What the keyword means can be said by `np.where`, on any chunk that has NEP-18.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original
from arrayshim.kernels.ufuncs import MISSING, foreign, selected

FIX = Fix(
    __name__,
    title="ufuncs take where= on chunks whose own ufuncs do not",
    issue="https://github.com/dask/dask/issues/7675",
    affects=">=2025.1",
)

HANDLE = "dask.array.core._elemwise_handle_where"


@FIX.probe
def faulty() -> str | None:
    from dask.array import core

    from arrayshim.strict import asarray

    x, where, out = (asarray(np.array(values)) for values in ([1.0, 4.0], [False, True], [7.0, 7.0]))
    try:
        found = core._elemwise_handle_where(x, where, out, elemwise_where_function=np.sqrt)
    except TypeError as error:
        return f"sqrt(where=) of a device array: {str(error).partition(chr(10))[0][:60]}"
    return None if found.get().tolist() == [7.0, 2.0] else f"sqrt([1, 4], where=[False, True]) is {found.get()}"


@FIX.replaces(HANDLE)
def _elemwise_handle_where(*args: Any, **kwargs: Any) -> Any:
    *operands, where, out = args
    function = kwargs["elemwise_where_function"]
    if any(map(foreign, args)) and (isinstance(function, np.ufunc) or function in MISSING.values()):
        kwargs.pop("elemwise_where_function")
        return selected(function, tuple(operands), where=where, out=out, **kwargs)
    return original(HANDLE)(*args, **kwargs)
