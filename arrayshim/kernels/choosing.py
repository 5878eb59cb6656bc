"""Choosing among arrays, for any array with NEP-18 whose library does less of it than NumPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from arrayshim.kernels.generic import beside


def choose(a: Any, choices: Sequence[Any]) -> Any:
    """``np.choose(a, choices)`` where a library takes no sequence of choices.

    Parameters
    ----------
    a : array of int or bool
    choices : sequence of array or scalar
        Of shapes that broadcast with that of `a`.

    Returns
    -------
    array

    Raises
    ------
    ValueError
        If an element of `a` names no choice, as in NumPy; one bool comes to the host to know.
    """
    if a.size and bool(np.any((a < 0) | (a >= len(choices)))):
        raise ValueError("invalid entry in choice array")
    small = [np.empty(1, c.dtype) if hasattr(c, "dtype") else c for c in choices]
    dtype = np.choose(np.zeros(1, a.dtype), small).dtype
    shape = np.broadcast_shapes(a.shape, *(getattr(c, "shape", ()) for c in choices))
    result = np.empty_like(a, dtype=dtype, shape=shape)
    for place, choice in enumerate(choices):
        result = np.where(a == place, choice, result)
    return result if result.dtype == dtype else result.astype(dtype)


def select(conditions: Sequence[Any], choices: Sequence[Any], default: Any = 0) -> Any:
    """``np.select`` where a library takes only a scalar for the default, and casts it to the dtype of the choices.

    Parameters
    ----------
    conditions : sequence of array of bool
    choices : sequence of array or scalar
        As many; all shapes broadcast. The first whose condition holds is taken.
    default : scalar or array

    Returns
    -------
    array
        In the dtype that choices and default have in common.

    Raises
    ------
    TypeError
        If a condition is not boolean, as in NumPy.
    """
    for i, condition in enumerate(conditions):
        if _dtype(condition).kind != "b":
            raise TypeError(f"invalid entry {i} in condlist: should be boolean ndarray")
    dtype = common_dtype([*choices, default])
    if isinstance(default, np.ndarray):
        default = beside(default, choices[0])
    result = _cast(default, dtype)
    for condition, choice in zip(reversed(conditions), reversed(choices), strict=True):
        result = np.where(condition, _cast(choice, dtype), result)
    return result


def common_dtype(values: Sequence[Any]) -> np.dtype[Any]:
    """The dtype of arrays and scalars together; Python's numbers have a say in the kind only."""
    return np.result_type(*(x if type(x) in (int, float, complex) else _dtype(x) for x in values))


def _dtype(x: Any) -> Any:
    return x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype


def _cast(x: Any, dtype: Any) -> Any:
    return x.astype(dtype, copy=False) if hasattr(x, "astype") else dtype.type(x)


def piecewise(x: Any, conditions: Sequence[Any], pieces: Sequence[Any], *args: Any, **kwargs: Any) -> Any:
    """``np.piecewise`` where a library takes no functions among the pieces.

    Parameters
    ----------
    x : array
    conditions : sequence of array of bool, of the shape of `x`
    pieces : sequence of callable or scalar
        One more than conditions: the last is for what no condition holds of.
    *args, **kwargs
        For the callables.

    Returns
    -------
    array of the type, shape and dtype of `x`

    Raises
    ------
    ValueError
        If the numbers of conditions and pieces do not fit.
    """
    masks = [np.asarray(c, like=x).astype(bool) for c in conditions]
    n = len(masks)
    if len(pieces) == n + 1:
        held = masks[0]
        for mask in masks[1:]:
            held = held | mask
        masks.append(~held)
    elif len(pieces) != n:
        raise ValueError(f"with {n} condition(s), either {n} or {n + 1} functions are expected")
    result = np.zeros_like(x)
    for mask, piece in zip(masks, pieces, strict=True):
        result[mask] = _values(piece, x[mask], args, kwargs)
    return result


def _values(piece: Any, chosen: Any, args: Any, kwargs: Any) -> Any:
    if not isinstance(piece, Callable):  # type: ignore[arg-type]
        return piece
    return piece(chosen, *args, **kwargs) if chosen.size else chosen


def isnull(x: Any) -> Any:
    """Where a number is missing, as pandas sees it: NaN, in real or imaginary part; False for any other dtype."""
    return np.isnan(x) if x.dtype.kind in "fc" else np.zeros_like(x, dtype=bool)
