"""The steps that dask's trees take on a chunk, in one read of it; None where a type has no such kernel.

The tables `mean_parts`, `moment_parts`, `arg_parts`, `token` and `element_formula` have an `object` row that says None;
those who ask them go on with dask's own function then, or with ufuncs.
"""

from __future__ import annotations

from typing import Any

#: Whether NaN is left out, by the name of the function that adds a chunk up.
_SKIPS = {"sum": False, "nansum": True}


def no_parts(x: Any, *args: Any, **kwargs: Any) -> None:
    """No type but those of a library with kernels of its own does it in one read."""
    return


def _skip(add: Any) -> bool | None:
    return False if add is None else _SKIPS.get(getattr(add, "__name__", ""))


def mean_chunk(
    x: Any,
    *,
    sum: Any = None,
    numel: Any = None,
    dtype: Any = "f8",
    computing_meta: bool = False,
    axis: Any = None,
    keepdims: bool = False,
) -> dict[str, Any] | None:
    """`dask.array.reductions.mean_chunk` by one kernel.

    Parameters
    ----------
    x : array
    sum, numel : callable, optional
        Whose name says whether NaN counts.
    dtype, computing_meta, axis, keepdims
        As dask passes them.

    Returns
    -------
    dict or None
        `n` and `total`.
    """
    from arrayshim import kernels

    skip = _skip(sum)
    if computing_meta or skip is None:
        return None
    parts = kernels.TABLES["mean_parts"](x, skip=skip, dtype=dtype, axis=axis, keepdims=keepdims)
    return parts if parts is None else {"n": parts[0], "total": parts[1]}


def moment_chunk(
    x: Any,
    *,
    order: int = 2,
    sum: Any = None,
    numel: Any = None,
    dtype: Any = "f8",
    computing_meta: bool = False,
    implicit_complex_dtype: bool = False,
    axis: Any = None,
    keepdims: bool = False,
) -> dict[str, Any] | None:
    """`dask.array.reductions.moment_chunk` by one kernel.

    Parameters
    ----------
    x : array
    order : int
    sum, numel : callable, optional
        Whose name says whether NaN counts.
    dtype, computing_meta, implicit_complex_dtype, axis, keepdims
        As dask passes them.

    Returns
    -------
    dict or None
        `total`, `n` and `M`, whose last axis has the orders from 2.
    """
    from arrayshim import kernels

    skip = _skip(sum)
    if computing_meta or skip is None or (x.dtype.kind == "c") != implicit_complex_dtype:
        return None
    parts = kernels.TABLES["moment_parts"](x, order=order, skip=skip, dtype=dtype, axis=axis, keepdims=keepdims)
    return parts if parts is None else {"total": parts[0], "n": parts[1], "M": parts[2]}
