"""`where=` of a ufunc goes to the chunks' own ufunc, and few libraries but NumPy have that keyword.

    >>> da.log(x, where=x > 0, out=y).compute()             # x of CuPy chunks
    TypeError: Wrong arguments {'where': ...}

What the keyword means can be said by `np.where`, on any chunk that has NEP-18. For CuPy the keyword is wished for in
https://github.com/cupy/cupy/issues/4583.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim._moves import Meeting, false_meta
from arrayshim.fix import Fix, original
from arrayshim.kernels.generic import has_nep18
from arrayshim.kernels.ufuncs import COMPLEX, MISSING, selected

FIX = Fix(
    __name__,
    title="ufuncs take where= on chunks whose own ufuncs do not",
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
    if not (any(map(_foreign, args)) and _elementwise(function)):
        return original(HANDLE)(*args, **kwargs)
    del kwargs["elemwise_where_function"]
    operation = f"{function.__name__}(where=)"
    like = next(filter(_foreign, (*operands, out)), None)
    if like is None:
        like = where
        if residency.is_device(where):
            # By true metas it would have been refused while the graph was built.
            raise false_meta(where, next((x for x in operands if hasattr(x, "dtype")), np.empty(0)), operation)
    mask = residency.moved(np.asarray(where) if isinstance(where, bool) else where, like, operation)
    kept = None if out is None else residency.moved(out, like, operation)
    return selected(function, tuple(operands), where=mask, out=kept, **kwargs)


def _elementwise(function: Any) -> bool:
    inner = function.function if isinstance(function, Meeting) else function
    return isinstance(inner, np.ufunc) or inner in (*MISSING.values(), *COMPLEX.values())


def _foreign(x: Any) -> bool:
    return has_nep18(x) and not isinstance(x, np.ndarray | np.generic)
