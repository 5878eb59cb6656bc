"""`apply_gufunc` makes NumPy arrays of what it gives to the function: of a scalar, and with `vectorize` of everything.

    >>> x = da.from_array(cupy.ones((4, 3)), chunks=(2, 3))
    >>> da.apply_gufunc(lambda row: row.sum(), "(i)->()", x, vectorize=True, output_dtypes=float).compute()
    TypeError: Implicit conversion to a NumPy array is not allowed. ...
    >>> da.apply_gufunc(np.add, "(),()->()", x, 2.0).compute()
    TypeError: Unsupported type <class 'numpy.ndarray'>

`numpy.vectorize` converts its arguments and fills NumPy arrays with the results. Here the loop over the leading axes
cuts the chunks where they are, a scalar stays the scalar that was passed, and where any argument is on a device, so is
the result. A NumPy ufunc is given all its operands in one place, a user's function what the user passed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arrayshim import meta as metas
from arrayshim._moves import SCALARS
from arrayshim.fix import Fix, original
from arrayshim.kernels.looping import Looped
from arrayshim.residency import is_device, together

FIX = Fix(
    __name__,
    title="apply_gufunc of device chunks loops where they are, and keeps scalars scalars",
    issue="https://github.com/dask/dask/issues/9714",
    affects=">=2025.1",
    after=("mixed_operands",),
    array_expr=False,
)

APPLY = "dask.array.gufunc.apply_gufunc"


@FIX.probe
def faulty() -> str | None:
    from dask.array.gufunc import apply_gufunc

    from arrayshim.probes import dask_array

    x = dask_array([1.0, 5.0])
    try:
        doubled = apply_gufunc(lambda item: item * 2, "()->()", x, vectorize=True, output_dtypes=float)
        found = doubled.compute(scheduler="sync").get().tolist()
    except TypeError as error:
        return f"apply_gufunc(vectorize=True) of device chunks: {str(error).partition('.')[0]}"
    return None if found == [2.0, 10.0] else f"twice 1 and 5 is {found}"


@dataclass(frozen=True, slots=True)
class WithScalars:
    """A function some of whose operands are scalars, whatever a graph makes of them on the way."""

    function: Callable[..., Any]
    scalars: tuple[tuple[int, Any], ...]

    @property
    def __name__(self) -> str:
        return str(getattr(self.function, "__name__", "function")).strip("<>")

    def __call__(self, *operands: Any, **kwargs: Any) -> Any:
        values = list(operands)
        for place, scalar in self.scalars:
            values[place] = scalar
        return self.function(*values, **kwargs)


@FIX.replaces(APPLY)
def apply_gufunc(
    func: Any,
    signature: Any,
    *args: Any,
    axes: Any = None,
    axis: Any = None,
    keepdims: bool = False,
    output_dtypes: Any = None,
    output_sizes: Any = None,
    vectorize: Any = None,
    allow_rechunk: bool = False,
    meta: Any = None,
    **kwargs: Any,
) -> Any:
    device = next(filter(is_device, args), None)
    both = meta is not None and output_dtypes is not None
    if device is None or both or not isinstance(signature, str):
        settled = {"vectorize": vectorize, "output_dtypes": output_dtypes, "meta": meta}
    else:
        if isinstance(func, np.ufunc):
            args = tuple(together(args, f"apply_gufunc({func.__name__})"))
        func, meta = _settled(func, signature, args, kwargs, device, (output_dtypes, vectorize, meta))
        settled = {"meta": meta}
    return original(APPLY)(
        func,
        signature,
        *args,
        axes=axes,
        axis=axis,
        keepdims=keepdims,
        output_sizes=output_sizes,
        allow_rechunk=allow_rechunk,
        **settled,
        **kwargs,
    )


def _settled(func: Any, signature: str, args: Any, kwargs: Any, device: Any, given: Any) -> tuple[Any, Any]:
    """The function that the tasks call, and the meta of its results."""
    from dask.array.core import apply_infer_dtype
    from dask.array.gufunc import _parse_gufunc_signature
    from dask.array.utils import meta_from_array

    output_dtypes, vectorize, meta = given
    inputs, outputs = _parse_gufunc_signature(signature)
    several = isinstance(outputs, list)
    scalars = tuple((place, x) for place, x in enumerate(args) if isinstance(x, SCALARS))
    in_tasks = called = WithScalars(func, scalars) if scalars else func
    looped = (tuple(inputs), tuple(outputs) if several else (outputs,))
    if vectorize:
        called = Looped(func, *looped)
        called = WithScalars(called, scalars) if scalars else called
    if meta is None:
        if output_dtypes is None:
            nout = len(outputs) if several else None
            output_dtypes = apply_infer_dtype(called, args, kwargs, "apply_gufunc", "output_dtypes", nout)
        listed = output_dtypes if isinstance(output_dtypes, list | tuple) else (output_dtypes,)
        meta = tuple(metas.like(device, dtype=np.dtype(dtype)) for dtype in listed)
        meta = meta if several else meta[0]  # of more dtypes than results dask takes the first too
    if vectorize:
        dtypes = tuple(meta_from_array(x).dtype for x in (meta if isinstance(meta, list | tuple) else (meta,)))
        in_tasks = Looped(func, *looped, dtypes)
        in_tasks = WithScalars(in_tasks, scalars) if scalars else in_tasks
    return in_tasks, meta
