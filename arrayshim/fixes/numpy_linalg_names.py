"""What `np.linalg` has under names of its own since NumPy 2, dask hands to the chunks' library, which may not have it.

    >>> x = da.from_array(cupy.ones((4, 6)), chunks=2)
    >>> np.linalg.vector_norm(x, axis=1)
    TypeError: no implementation found for 'numpy.linalg.vector_norm'

They are the norms, products and views that dask has under older names. On other chunks than NumPy's these are taken,
and nothing is computed; on NumPy's the function is called at once, with a warning, as it always was.

So are all functions that dask lacks, such as `np.array_equal`, with operands as they are: where one is in host memory
it goes to the device of the others, and where their library lacks the function too, the error says what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_tuple

from arrayshim import meta
from arrayshim._lacking import OnDevice, lacks, operands
from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="the newer names of np.linalg lead to what dask has; what it lacks is called in one place",
    affects=">=2025.1",
    array_expr=False,
)

ARRAY_FUNCTION = "dask.array.core.Array.__array_function__"


@FIX.probe
def faulty() -> str | None:
    import warnings

    from arrayshim.probes import dask_array

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        try:
            norm: Any = np.linalg.vector_norm(dask_array([3.0, 4.0]))
            found = float(norm.compute(scheduler="sync"))
        except TypeError as error:
            return f"np.linalg.vector_norm of device chunks: {error}"
    return None if found == 5.0 else f"the norm of [3, 4] is {found}"


def _floating(x: Any) -> Any:
    return x if x.dtype.kind in "fc" else x.astype(np.float64)


def _norm(x: Any, order: Any, axis: Any, keepdims: bool) -> Any:
    from dask.array.linalg import norm

    return norm(_floating(x), order, axis, keepdims)


def vector_norm(x: Any, /, *, axis: Any = None, keepdims: bool = False, ord: Any = 2) -> Any:
    axes = normalize_axis_tuple(range(x.ndim) if axis is None else axis, x.ndim)
    if len(axes) == 1:
        return _norm(x, ord, axes[0], keepdims)
    if any(np.isnan(x.shape[i]) for i in axes):
        return _norm_of_norms(x, axes, keepdims, ord)
    left = tuple(i for i in range(x.ndim) if i not in axes)
    shape = tuple(x.shape[i] for i in left)
    flat = x.transpose((*left, *axes)).reshape((*shape, prod(x.shape[i] for i in axes)))
    found = _norm(flat, ord, len(left), False)
    return found.reshape(tuple(1 if i in axes else n for i, n in enumerate(x.shape))) if keepdims else found


def _norm_of_norms(x: Any, axes: tuple[int, ...], keepdims: bool, order: Any) -> Any:
    """The norm over axes of unknown lengths, which cannot become one: axis by axis, a count being a sum."""
    found = _floating(x)
    found = (found != 0).astype(found.real.dtype) if order == 0 else found
    for axis in axes:
        found = _norm(found, order or 1, axis, True)
    return found if keepdims else found[tuple(0 if i in axes else slice(None) for i in range(x.ndim))]


def matrix_norm(x: Any, /, *, keepdims: bool = False, ord: Any = "fro") -> Any:
    return _norm(x, ord, (x.ndim - 2, x.ndim - 1), keepdims)


def vecdot(x1: Any, x2: Any, /, *, axis: int = -1) -> Any:
    import dask.array as da

    product = da.multiply(da.conj(x1), x2)
    return product.sum(axis=axis, dtype=product.dtype)


def outer(x1: Any, x2: Any, /) -> Any:
    import dask.array as da

    if x1.ndim != 1 or x2.ndim != 1:
        raise ValueError(f"Input arrays must be one-dimensional, but they are {x1.ndim=} and {x2.ndim=}.")
    return da.outer(x1, x2)


def svdvals(x: Any, /) -> Any:
    from dask.array.linalg import svd

    return svd(x)[1]


def diagonal(x: Any, /, *, offset: int = 0) -> Any:
    import dask.array as da

    return da.diagonal(x, offset, x.ndim - 2, x.ndim - 1)


def trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return diagonal(x, offset=offset).sum(axis=-1, dtype=dtype)


def tensordot(x1: Any, x2: Any, /, *, axes: Any = 2) -> Any:
    import dask.array as da

    return da.tensordot(x1, x2, axes=axes)


def matmul(x1: Any, x2: Any, /) -> Any:
    import dask.array as da

    # dask's own sums integers up to wider ones.
    return da.matmul(x1, x2).astype(da.result_type(x1, x2))


def matrix_transpose(x: Any, /) -> Any:
    return x.swapaxes(-2, -1)


_OWN = (vector_norm, matrix_norm, vecdot, outer, svdvals, diagonal, trace, tensordot, matmul, matrix_transpose)

#: NumPy's function -> ours, which is lazy.
LAZY: Mapping[Any, Callable[..., Any]] = MappingProxyType({getattr(np.linalg, f.__name__): f for f in _OWN})


@FIX.replaces(ARRAY_FUNCTION)
def __array_function__(self: Any, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
    ours = LAZY.get(func)
    if ours is not None and any(hasattr(x, "__dask_graph__") and meta.knows_itself(x) for x in args):
        return ours(*args, **kwargs)
    if lacks(func) and any(hasattr(x, "__dask_graph__") and is_device(x) for x in operands(args, kwargs)):
        func = OnDevice(func)
    return original(ARRAY_FUNCTION)(self, func, types, args, kwargs)
