"""CuPy arrays: the reductions by kernels of our own where CuPy's are slow, and what CuPy's functions lack.

NumPy warns of slices without elements, of too few degrees of freedom and of slices that are all NaN. The first two are
known from the shape and are warned of here too; the third is known from the values alone, for which a reduction would
have to wait for the device, so all-NaN slices are NaN here without a warning.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from math import prod
from typing import Any

import cupy
import numpy as np
from numpy.lib.array_utils import normalize_axis_index, normalize_axis_tuple

from arrayshim import kernels
from arrayshim.kernels.cuda.launch import reduce
from arrayshim.kernels.generic import einsum


def einsum_without(subscripts: str, *operands: Any, order: Any = None, **kwargs: Any) -> Any:
    """cupy.einsum knows no `order`, which is left out as dask leaves it out."""
    return einsum(subscripts, *operands, **kwargs)


_TYPED = ("axis", "dtype", "out", "keepdims")
_EXTREME = ("axis", "out", "keepdims")
_SPREAD = ("axis", "dtype", "out", "ddof", "keepdims")

#: The positional arguments of NumPy's functions behind the array.
_ARGUMENTS = {
    **dict.fromkeys(("sum", "prod", "mean", "nansum", "nanprod", "nanmean"), _TYPED),
    **dict.fromkeys(("min", "max", "nanmin", "nanmax", "ptp", "any", "all"), _EXTREME),
    **dict.fromkeys(("argmin", "argmax", "nanargmin", "nanargmax"), _EXTREME),
    **dict.fromkeys(("var", "std", "nanvar", "nanstd"), _SPREAD),
    "count_nonzero": ("axis",),
    "nannumel": ("axis",),
}
_OURS = frozenset({"axis", "dtype", "keepdims", "ddof"})


def _options(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any] | None:
    """The arguments of a call that say something; None where they ask for more than the kernels do."""
    names = _ARGUMENTS[name]
    if len(args) > len(names):
        return None
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    said = {key: value for key, value in given.items() if value is not None and value is not np._NoValue}
    return said if said.keys() <= _OURS else None


#: What NumPy says of slices that have too few elements, by operation.
_EMPTY = {
    **dict.fromkeys(("mean", "nanmean"), "Mean of empty slice"),
    **dict.fromkeys(("var", "std", "nanvar", "nanstd"), "Degrees of freedom <= 0 for slice"),
}


def _warn(name: str, elements: int, results: int, ddof: float) -> None:
    """NumPy's warning where the shape says that there is too little to reduce."""
    least = ddof if name in ("var", "std") else 0
    if name in _EMPTY and results and elements // results <= least:
        warnings.warn(_EMPTY[name], RuntimeWarning, stacklevel=3)


def _reduction(name: str, stock: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(a: Any, *args: Any, **kwargs: Any) -> Any:
        options = _options(name, args, kwargs)
        if options is None:
            return stock(a, *args, **kwargs)
        axis, ddof = options.get("axis"), options.get("ddof", 0)
        axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
        if not isinstance(ddof, int | float):
            return stock(a, *args, **kwargs)
        found = reduce(
            a,
            name,
            axes,
            keepdims=bool(options.get("keepdims", False)),
            dtype=options.get("dtype"),
            ddof=float(ddof),
        )
        if name in _EMPTY:
            _warn(name, a.size, prod(n for i, n in enumerate(a.shape) if i not in axes), ddof)
        if name == "nanmean" and not a.size:  # CuPy's refuses them
            return np.mean(a, *args, **kwargs)
        return stock(a, *args, **kwargs) if found is None else found[0]

    return kernel


def _arg_reduction(name: str, stock: Callable[..., Any]) -> Callable[..., Any]:
    def kernel(a: Any, *args: Any, **kwargs: Any) -> Any:
        options = _options(name, args, kwargs)
        found = None
        if options is not None and a.ndim:
            axis = options.get("axis")
            axes, index = _flat(a.shape) if axis is None else _along(normalize_axis_index(axis, a.ndim), a.ndim)
            found = reduce(a, name, axes, keepdims=bool(options.get("keepdims", False)), index=index)
        return stock(a, *args, **kwargs) if found is None else found[0]

    return kernel


def _flat(shape: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """All axes, and what a step along each adds to the index in C order of an array of that shape."""
    steps = [1]
    for n in reversed(shape[1:]):
        steps.append(steps[-1] * n)
    return tuple(range(len(shape))), tuple(reversed(steps))


def _along(axis: int, ndim: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (axis,), tuple(int(i == axis) for i in range(ndim))


def moment(a: Any, order: Any, axis: Any = None, dtype: Any = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """:func:`arrayshim.kernels.generic.moment`, in one read of the data for orders 2 to 4."""
    found = None
    if order in (2, 3, 4) and isinstance(ddof, int | float):
        axes = tuple(range(a.ndim)) if axis is None else normalize_axis_tuple(axis, a.ndim)
        found = reduce(a, f"moment{order}", axes, keepdims=keepdims, dtype=dtype, ddof=float(ddof))
    return kernels.generic.moment(a, order, axis, dtype, keepdims, ddof) if found is None else found[0]


_NORMS = {1: "norm1", 2: "norm2", np.inf: "norm0"}


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """:func:`numpy.linalg.norm`, of vectors in one read: order 1, 2 or infinity along an axis, 2 over everything."""
    name, axes = _NORMS.get(ord if isinstance(ord, int | float) else 0), None
    if ord is None:
        name, axes = "norm2", tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    elif axis is None and x.ndim == 1:
        axes = (0,)
    elif isinstance(axis, int):
        axes = normalize_axis_tuple(axis, x.ndim)
    found = None if name is None or axes is None else reduce(x, name, axes, keepdims=keepdims)
    return kernels.counting.norm(x, ord, axis, keepdims) if found is None else found[0]


def mean_parts(x: Any, *, skip: bool, dtype: Any, axis: Any, keepdims: bool) -> tuple[Any, Any] | None:
    """Number and total of what is to be averaged, as dask's `mean_chunk` has them."""
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    found = reduce(x, "nanmean_parts" if skip else "mean_parts", axes, keepdims=keepdims, dtype=dtype)
    return None if found is None else (found[1], found[0])


def moment_parts(
    x: Any, *, order: int, skip: bool, dtype: Any, axis: Any, keepdims: bool
) -> tuple[Any, Any, Any] | None:
    """Total, number and central moments of orders 2 to `order`, as dask's `moment_chunk` has them."""
    if order not in (2, 3, 4):
        return None
    axes = tuple(range(x.ndim)) if axis is None else normalize_axis_tuple(axis, x.ndim)
    name = f"{'nan' if skip else ''}moment_parts{order}"
    found = reduce(x, name, axes, keepdims=keepdims, dtype=dtype, tails=((), (), (order - 1,)))
    return None if found is None else (found[0], found[1], found[2])


def arg_parts(
    x: Any, *, name: str, axis: int | None, offset: Any, total_shape: tuple[int, ...] | None
) -> tuple[Any, Any] | None:
    """Extremes of a chunk and where they are in the whole array, as dask's `arg_chunk` has them.

    Parameters
    ----------
    x : cupy.ndarray
    name : str
        `argmin`, `argmax`, `nanargmin` or `nanargmax`.
    axis : int or None
        None for the index in the whole array, flattened.
    offset : int or tuple of int
        Where the chunk begins, along `axis` or along every axis.
    total_shape : tuple of int or None
        Of the whole array, where `axis` is None.

    Returns
    -------
    values, indices : cupy.ndarray
        With the reduced axes kept; None where CuPy's functions must do it.
    """
    if not x.ndim:
        return None
    if axis is None:
        axes, index = _flat(total_shape or x.shape)
        first = sum(step * at for step, at in zip(index, offset, strict=True))
    else:
        axes, index = _along(axis, x.ndim)
        first = offset
    # Small chunks too: dask's own way to an index in the whole array waits for the device.
    found = reduce(x, name, axes, keepdims=True, index=index, first=int(first), smallest=1)
    return None if found is None else (found[1], found[0])


def token(x: Any) -> tuple[Any, ...] | None:
    """A name for the content of an array, 128 bits, computed where it lies; 16 bytes travel.

    Equal for equal content, dtype and shape, whatever the strides, in every process and on every device.
    """
    kind = f"{type(x).__module__}.{type(x).__qualname__}"
    if not x.size:
        return kind, x.dtype.str, x.shape, ""
    with x.device:
        axes, index = _flat(x.shape) if x.ndim else ((), ())
        found = reduce(x, "token", axes, index=index, tails=((2,),), smallest=1)
        if found is None:  # a layout for which there is no plan
            found = reduce(x.copy(order="C"), "token", axes, index=index, tails=((2,),), smallest=1)
        return None if found is None else (kind, x.dtype.str, x.shape, found[0].get().tobytes().hex())


# cupy.cumsum adds in the order of a tree, and rounds accordingly. Where the sums must be NumPy's, one thread does it.
_RUNNING_SUM = """
T total = 0;
for (long long k = 0; k < length; ++k) {
    total += x[k];
    y[k] = total;
}
"""


@cache
def _running_sum() -> Any:
    return cupy.ElementwiseKernel("raw T x, int64 length", "raw T y", _RUNNING_SUM, "arrayshim_running_sum")


def running_sum(x: Any) -> Any:
    """:func:`arrayshim.kernels.generic.running_sum` by one thread: for thousands of numbers, not for millions."""
    y = cupy.empty(x.shape, dtype=x.dtype)
    if x.size:
        _running_sum()(x, x.size, y, size=1)
    return y


def random_state(x: Any) -> Any:
    """The class that draws a chunk's numbers in place of ``cupy.random.RandomState``."""
    from arrayshim.kernels.cuda.states import RandomState

    return RandomState


def bit_generator(x: Any) -> Any:
    """The class of the bits behind ``default_rng`` in place of ``cupy.random.XORWOW``."""
    from arrayshim.kernels.cuda.states import Philox4x32

    return Philox4x32


kernels.einsum.add(cupy.ndarray, einsum_without)
# CuPy's own sum, mean, max and argmax of contiguous float32 are up to a fourteenth faster on an H200, for they use CUB.
# They are not asked: a view and its copy would have other bits, and CUB adds float32 up in float32.
for _name in _ARGUMENTS:
    _make = _arg_reduction if _name.removeprefix("nan").startswith("arg") else _reduction
    _table = kernels.TABLES[_name]
    _table.add(cupy.ndarray, _make(_name, _table.rows()[(object,)]))
for _func in (moment, norm, mean_parts, moment_parts, arg_parts, token, running_sum, random_state, bit_generator):
    kernels.TABLES[_func.__name__].add(cupy.ndarray, _func)

# Their rows.
from arrayshim.kernels import _cupy_bins as _cupy_bins  # noqa: E402
from arrayshim.kernels import _cupy_element as _cupy_element  # noqa: E402
from arrayshim.kernels import _cupy_linalg as _cupy_linalg  # noqa: E402
from arrayshim.kernels import _cupy_merges as _cupy_merges  # noqa: E402
from arrayshim.kernels import _cupy_scans as _cupy_scans  # noqa: E402
from arrayshim.kernels import _cupy_selection as _cupy_selection  # noqa: E402
