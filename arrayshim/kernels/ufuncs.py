"""What NumPy's ufuncs take or do, for arrays whose own ufuncs do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from arrayshim.errors import UnsupportedError
from arrayshim.kernels.generic import beside, has_nep18


def foreign(x: Any) -> bool:
    """Whether `x` is an array of NEP-18 that is not NumPy's."""
    return has_nep18(x) and not isinstance(x, np.ndarray | np.generic)


def selected(function: Callable[..., Any], args: tuple[Any, ...], *, where: Any, out: Any, **kwargs: Any) -> Any:
    """``function(*args, where=where, out=out)`` for a ufunc that has neither keyword.

    Parameters
    ----------
    function : callable
        A ufunc of one output, or what stands in for one.
    args : tuple
        Its operands.
    where : array_like of bool
        Which elements are wanted; host data are put beside the others.
    out : array or None
        Gives the elements that are not wanted, and the dtype. It is read, not written to. Without it these elements
        are whatever `function` makes of the operands: NumPy leaves them uninitialised.
    **kwargs
        Further keywords of `function`.

    Returns
    -------
    array
        New, where the operands are or, if those are NumPy's, where `out` is.

    Raises
    ------
    TypeError
        As NumPy: `where` is not boolean, or the result cannot be cast to the dtype of `out` by the rule "same_kind".
    UnsupportedError
        If only `where` is on a device.
    """
    if not np.can_cast(where_dtype := np.asarray(where).dtype if not hasattr(where, "dtype") else where.dtype, bool):
        raise TypeError(f"Cannot cast array data from {where_dtype!r} to dtype('bool') according to the rule 'safe'")
    like = next((a for a in (*args, out) if foreign(a)), None)
    if like is None:
        raise UnsupportedError(
            f"where= of {function.__name__} is a {type(where).__name__}, its operands are on the host; "
            'give a mask on the host, x.to_backend("numpy"), or move the operands'
        )
    # As an element that is not wanted is, so to speak, not computed, it cannot be warned of.
    with np.errstate(all="ignore"):
        result = beside(function(*args, **kwargs), like)
    mask = beside(where, like)
    if out is None:
        shape = np.broadcast_shapes(result.shape, mask.shape)
        return result if shape == result.shape else np.where(mask, result, result)
    if not np.can_cast(result.dtype, out.dtype, casting="same_kind"):
        raise TypeError(
            f"Cannot cast ufunc {function.__name__!r} output from {result.dtype!r} to {out.dtype!r} "
            "with casting rule 'same_kind'"
        )
    return np.where(mask, result if result.dtype == out.dtype else result.astype(out.dtype), beside(out, like))


def spacing(x: Any) -> Any:
    """``np.spacing`` of what has ``np.nextafter``.

    Parameters
    ----------
    x : array
        Real.

    Returns
    -------
    array
        Of the dtype that NumPy gives: the distance to the next larger magnitude, with the sign of `x`; but for half
        precision the distance to the next larger number, which is positive. NaN for infinities.

    Raises
    ------
    TypeError
        As NumPy, for complex numbers.

    Notes
    -----
    ``npy_spacing`` and ``npy_half_spacing`` of NumPy's `npymath`. Halves are computed in single precision, where their
    spacings are 2**13 times those of the singles: a library may well have no ``nextafter`` of its own for halves.
    """
    dtype = np.spacing(np.empty(0, dtype=x.dtype)).dtype
    if dtype == np.float16:
        wide = x.astype(np.float32)
        found = np.maximum((np.nextafter(wide, np.inf) - wide) * 2.0**13, 2.0**-24)
        found = np.where(wide == float(np.finfo(dtype).max), np.inf, found)
    else:
        wide = x if x.dtype == dtype else x.astype(dtype)
        size = np.abs(wide)
        found = np.nextafter(size, np.inf) - size
        found = np.where(wide < 0, -found, found)
    return np.where(np.isinf(wide), np.nan, found).astype(dtype)


#: Ufuncs that array libraries lack, and what computes them from those that they have.
MISSING: Mapping[Any, Callable[..., Any]] = MappingProxyType({np.spacing: spacing})
