"""Graph side: a meta that says what the chunks are, where calling the function on an array of size 0 does not."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from arrayshim.kernels.generic import has_nep18

#: What a call returned that raised.
FAILED: Any = object()


class Blocks(list[Any]):
    """The blocks along an axis that a function sums over, as its tasks get them: a list of one, to find out types."""


def like(x: Any, *, ndim: int | None = None, dtype: Any = None) -> Any:
    """An array of size 0 of the kind of `x`.

    Parameters
    ----------
    x : array, dask array, array type or scalar
        For a dask array its meta counts.
    ndim : int, optional
        That of `x` if not given.
    dtype : dtype, optional
        That of `x` if not given.

    Returns
    -------
    array of the type of `x`, with `ndim` axes of length 0
    """
    from dask.array import utils

    return utils.meta_from_array(x, ndim=ndim, dtype=dtype)


def take_after(result: Any, x: Any) -> Any:
    """`result`, a dask array built from a dtype alone, with a meta of the kind of `x`; as it was for NumPy's kinds."""
    if knows_itself(x) and type(result._meta) is not type(like(x)):
        result._meta = like(x, ndim=result.ndim, dtype=result.dtype)
    return result


def knows_itself(x: Any) -> bool:
    """Whether `x` is an array, or a dask array of chunks, that NEP-18 keeps among its own kind and NumPy did not make.

    Subclasses of ndarray do not count: NumPy works on them, and what dask infers of them is what it always inferred.
    """
    kind = getattr(x, "_meta", x) if _is_dask_array(x) else x
    return _is_array(kind) and not isinstance(kind, np.ndarray | np.generic) and has_nep18(kind)


def probe_call(
    function: Callable[..., Any],
    metas: Iterable[Any],
    args: Iterable[Any] = (),
    kwargs: Mapping[str, Any] | None = None,
    *,
    dtype: Any = None,
) -> Any:
    """The meta of ``function(*metas, *args, **kwargs)``.

    The function is called with arrays of size 0; if that raises, and one of the arrays is not NumPy's, with arrays of
    size 1; if that raises too, the answer is the kind of the arrays themselves, given a `dtype`.

    Parameters
    ----------
    function : callable
    metas : iterable of array
        Arrays, metas or dask arrays.
    args, kwargs
        What follows them. Arrays among these are cut to size 0 or 1 too.
    dtype : dtype, optional
        Of the result; what the function returns if not given.

    Returns
    -------
    array of size 0 (of one element where it has no axes), or whatever else the function returns, or None
    """
    operands, keywords = [*metas, *args], dict(kwargs or {})
    found = call(function, [_small(x, 0) for x in operands], {k: _small(v, 0) for k, v in keywords.items()})
    if found is not FAILED:
        return settled(found, dtype)
    return second_try(function, dtype, operands, keywords)


def second_try(function: Callable[..., Any], dtype: Any, args: Iterable[Any], kwargs: Mapping[str, Any]) -> Any:
    """The meta of a call that raised on arrays of size 0; None where all arrays are NumPy's, or nothing is known.

    An array that has elements is what the function was written for. Where that fails too, the only thing known of the
    result is where its operands live.
    """
    args = list(args)
    kind = next((x for x in map(_inmost, [*args, *kwargs.values()]) if knows_itself(x)), None)
    if kind is None:
        return None
    found = call(function, [_small(x, 1) for x in args], {k: _small(v, 1) for k, v in kwargs.items()})
    if found is not FAILED:
        return settled(found, dtype)
    return None if dtype is None else settled(like(kind), dtype)


def _inmost(x: Any) -> Any:
    return _inmost(x[0]) if isinstance(x, Blocks) else x


def call(function: Callable[..., Any], args: Iterable[Any], kwargs: Mapping[str, Any]) -> Any:
    """Call without a warning; `FAILED` where it raises."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return function(*args, **kwargs)
        except Exception:
            return FAILED


def settled(found: Any, dtype: Any) -> Any:
    """What a call returned as a meta of `dtype`; None where its type cannot have that dtype."""
    if np.isscalar(found):
        found = np.array(found)
    if not _is_array(found):
        return found
    try:
        return like(found, dtype=dtype)
    except (TypeError, ValueError):
        return None


def has_keyword(function: Callable[..., Any], name: str) -> bool:
    """Whether a function takes an argument of that name, as dask finds it out."""
    from dask.utils import has_keyword

    return bool(has_keyword(function, name))


def _is_array(x: Any) -> bool:
    from dask.utils import is_arraylike

    return bool(is_arraylike(x))


def _is_dask_array(x: Any) -> bool:
    from dask.base import is_dask_collection

    return hasattr(x, "_meta") and is_dask_collection(x) and _is_array(x)


def _small(x: Any, size: int) -> Any:
    """An argument for a call that finds out about types: each axis of length `size`, values of `x` where there are."""
    from dask.blockwise import BlockwiseDep

    if isinstance(x, Blocks):
        return [_small(block, size) for block in x]
    if isinstance(x, BlockwiseDep):
        return _of_first_block(x) if size else x
    if not _is_array(x):
        return x
    if size == 0:
        return like(x)
    if not _is_dask_array(x) and 0 not in x.shape:
        return x[(slice(0, 1),) * x.ndim] if x.ndim else x
    meta = like(x)
    return np.ones_like(meta, shape=(1,) * meta.ndim)


def _of_first_block(dep: Any) -> Any:
    """What the tasks of the first block get of an argument that differs from block to block."""
    try:
        return dep[(0,) * len(dep.numblocks)]
    except Exception:
        return dep
