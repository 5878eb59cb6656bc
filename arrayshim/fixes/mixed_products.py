"""Products of device chunks and host data fail inside a worker: a chunk of each is handed to one library.

    >>> x = da.from_array(cupy.ones((4, 4)), chunks=2)
    >>> (x @ numpy.ones((4, 2))).compute()
    TypeError: Argument 'b' has incorrect type (expected cupy.ndarray, got numpy.ndarray)

So do `dot`, `vdot`, `tensordot`, `einsum`, `outer`, and the generalised ufuncs of NumPy on a dask array. `add.outer`
and its like leave it to the library, which moves the host chunk unasked for each chunk that it meets, or fails.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.kernels.ufuncs import COMPLEX, MISSING
from arrayshim.residency import is_device, together

FIX = Fix(
    __name__,
    title="products of device chunks and host data",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

TENSORDOT = "dask.array.routines.tensordot"
MATMUL = "dask.array.routines.matmul"
OUTER = "dask.array.routines.outer"
EINSUM = "dask.array.einsumfuncs.einsum"
UFUNC_OUTER = "dask.array.ufunc.ufunc.outer"
STANDING_IN = {**MISSING, **COMPLEX}
ARRAY_UFUNC = "dask.array.core.Array.__array_ufunc__"


@FIX.probe
def faulty() -> str | None:
    from arrayshim.probes import dask_array

    x = dask_array([1.0, 5.0])
    try:
        found = float((x @ np.array([1.0, 2.0])).compute(scheduler="sync"))
    except TypeError as error:
        return f"a device array @ an ndarray: {error}"
    return None if found == 11.0 else f"[1, 5] @ [1, 2] is {found}"


@FIX.replaces(TENSORDOT)
def tensordot(lhs: Any, rhs: Any, axes: Any = 2) -> Any:
    return original(TENSORDOT)(*together([lhs, rhs], "tensordot"), axes=axes)


@FIX.replaces(MATMUL)
def matmul(a: Any, b: Any) -> Any:
    return original(MATMUL)(*together([a, b], "matmul"))


@FIX.replaces(OUTER)
def outer(a: Any, b: Any) -> Any:
    # Flattened, what has no axes is an array all the same.
    given = [_lazy_scalar(x) if is_device(y) else x for x, y in ((a, b), (b, a))]
    return original(OUTER)(*together(given, "outer"))


def _lazy_scalar(x: Any) -> Any:
    if not isinstance(x, np.ndarray | np.generic) or x.ndim:
        return x
    from dask.array.core import from_array

    return from_array(np.asarray(x))


@FIX.replaces(UFUNC_OUTER)
def ufunc_outer(self: Any, A: Any, B: Any, **kwargs: Any) -> Any:
    return original(UFUNC_OUTER)(self, *together([A, B], f"{self.__name__}.outer"), **kwargs)


@FIX.replaces(EINSUM)
def einsum(*operands: Any, **kwargs: Any) -> Any:
    found = list(operands)
    # Either the subscripts and then the arrays, or arrays and lists of their axes in turn.
    spelt = bool(found) and isinstance(found[0], str)
    arrays = slice(1, None) if spelt else slice(0, len(found) // 2 * 2, 2)
    if any(map(is_device, found[arrays])):
        found[arrays] = together(found[arrays], "einsum")
    return original(EINSUM)(*found, **kwargs)


@FIX.replaces(ARRAY_UFUNC)
def __array_ufunc__(self: Any, numpy_ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
    if method == "__call__" and numpy_ufunc.signature is not None:
        inputs = tuple(together(inputs, numpy_ufunc.__name__))
    elif method == "__call__" and numpy_ufunc in STANDING_IN and any(map(is_device, inputs)):
        # dask hands it to the chunks, unlike its own of that name, in whose place another function may be called.
        from dask.array import ufunc

        return getattr(ufunc, numpy_ufunc.__name__)(*inputs, **kwargs)
    return original(ARRAY_UFUNC)(self, numpy_ufunc, method, *inputs, **kwargs)


@FIX.replaces("dask.array.routines._tensordot")
def _tensordot(a: Any, b: Any, *args: Any, **kwargs: Any) -> Any:
    return Meeting(original("dask.array.routines._tensordot"), "tensordot")(a, b, *args, **kwargs)


@FIX.replaces("dask.array.routines._matmul")
def _matmul(a: Any, b: Any) -> Any:
    return Meeting(original("dask.array.routines._matmul"), "matmul")(a, b)
