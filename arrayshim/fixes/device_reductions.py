"""Reductions of a chunk go to NumPy's names, and there to functions that a device library has, however slow they are.

>>> da.from_array(cupy_array, chunks=10_000).sum().compute()    # chunks are strided views: 8 GB/s on an H200

`dask.array.chunk.sum` is `numpy.sum`; what NEP-18 finds for a CuPy array uses one block of threads for a strided view.
Here the chunk functions ask the table of kernels for the type of the chunk; the row for NumPy's is `numpy.sum`.
"""

from __future__ import annotations

import warnings
from typing import Any

from arrayshim import kernels
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="reductions of CuPy chunks at the speed of the memory",
    affects=">=2025.1",
    forwarded="not-needed",
    reason="the kernels are CUDA code, which is no business of dask",
)

_REDUCTIONS = "dask.array.reductions."
CHUNK_MIN = f"{_REDUCTIONS}chunk_min"
CHUNK_MAX = f"{_REDUCTIONS}chunk_max"
NANMIN = f"{_REDUCTIONS}_nanmin_skip"
NANMAX = f"{_REDUCTIONS}_nanmax_skip"
ARG_CHUNK = f"{_REDUCTIONS}arg_chunk"
_FINDERS = {
    "argmin": "argmin",
    "argmax": "argmax",
    "_nanargmin": "nanargmin",
    "_nanargmax": "nanargmax",
}


@FIX.probe
def faulty() -> str | None:
    from dask.array import chunk

    class Sample:
        """A chunk type for which a kernel exists."""

        def sum(self, **kwargs: Any) -> str:
            return "its own function"

    kernels.sum.add(Sample, lambda a, **kwargs: "the kernel")
    try:
        found = chunk.sum(Sample())
    finally:
        kernels.sum.remove(Sample)
    return None if found == "the kernel" else f"the sum of a chunk that has a kernel is done by {found}"


# Under the names of dask.array.chunk alone: the objects are NumPy's, and dask holds them elsewhere for other ends.
@FIX.replaces("dask.array.chunk.sum", everywhere=False)
def sum(a: Any, *args: Any, **kwargs: Any) -> Any:
    return kernels.sum.dispatch(type(a))(a, *args, **kwargs)


@FIX.replaces("dask.array.chunk.prod", everywhere=False)
def prod(a: Any, *args: Any, **kwargs: Any) -> Any:
    return kernels.prod.dispatch(type(a))(a, *args, **kwargs)


@FIX.replaces("dask.array.chunk.any", everywhere=False)
def any(a: Any, *args: Any, **kwargs: Any) -> Any:
    return kernels.any.dispatch(type(a))(a, *args, **kwargs)


@FIX.replaces("dask.array.chunk.all", everywhere=False)
def all(a: Any, *args: Any, **kwargs: Any) -> Any:
    return kernels.all.dispatch(type(a))(a, *args, **kwargs)


@FIX.replaces("dask.array.chunk.nansum", everywhere=False)
def nansum(a: Any, *args: Any, **kwargs: Any) -> Any:
    return kernels.nansum.dispatch(type(a))(a, *args, **kwargs)


@FIX.replaces("dask.array.chunk.nanprod", everywhere=False)
def nanprod(a: Any, *args: Any, **kwargs: Any) -> Any:
    return kernels.nanprod.dispatch(type(a))(a, *args, **kwargs)


@FIX.replaces(CHUNK_MIN)
def chunk_min(x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    return _extreme("min", CHUNK_MIN, x, axis, keepdims)


@FIX.replaces(CHUNK_MAX)
def chunk_max(x: Any, axis: Any = None, keepdims: Any = None) -> Any:
    return _extreme("max", CHUNK_MAX, x, axis, keepdims)


@FIX.replaces(NANMIN)
def _nanmin_skip(x_chunk: Any, axis: Any, keepdims: Any) -> Any:
    return _extreme("nanmin", NANMIN, x_chunk, axis, keepdims)


@FIX.replaces(NANMAX)
def _nanmax_skip(x_chunk: Any, axis: Any, keepdims: Any) -> Any:
    return _extreme("nanmax", NANMAX, x_chunk, axis, keepdims)


def _extreme(name: str, target: str, x: Any, axis: Any, keepdims: Any) -> Any:
    """A kernel where the type of the chunk has one, else dask's function, which knows what to do with empty chunks."""
    table = kernels.TABLES[name]
    kernel = table.dispatch(type(x))
    if not x.size:
        return _nothing(original(target), x, axis, keepdims)
    if kernel is table.dispatch(object):
        return original(target)(x, axis=axis, keepdims=keepdims)
    with warnings.catch_warnings():
        # As dask does: a chunk that is all NaN says nothing of the whole.
        warnings.filterwarnings("ignore", "All-NaN slice encountered", RuntimeWarning)
        return kernel(x, axis=axis, keepdims=keepdims)


def _nothing(stock: Any, x: Any, axis: Any, keepdims: Any) -> Any:
    """What dask makes of an empty chunk; of a library that makes no array of an empty list (sparse), the like of it."""
    try:
        return stock(x, axis=axis, keepdims=keepdims)
    except TypeError:
        return x.reshape((1,) * (x.ndim - 1) + (0,))


@FIX.replaces(ARG_CHUNK)
def arg_chunk(func: Any, argfunc: Any, x: Any, axis: Any, offset_info: Any) -> Any:
    name = _FINDERS.get(getattr(argfunc, "__name__", ""))
    if name is not None:
        flat = isinstance(offset_info, tuple)
        found = kernels.arg_parts(
            x,
            name=name,
            axis=None if flat else axis[0],
            offset=offset_info[0] if flat else offset_info,
            total_shape=offset_info[1] if flat else None,
        )
        if found is not None:
            # As dask has it for arrays that cannot be structured.
            return dict(zip(("vals", "arg"), found, strict=True))
    return original(ARG_CHUNK)(func, argfunc, x, axis, offset_info)
