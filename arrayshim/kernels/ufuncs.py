"""What NumPy's ufuncs take or do, for arrays whose own ufuncs do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

import numpy as np

from arrayshim.kernels.generic import beside


def selected(function: Callable[..., Any], args: tuple[Any, ...], *, where: Any, out: Any, **kwargs: Any) -> Any:
    """``function(*args, where=where, out=out)`` for a ufunc that has neither keyword.

    Parameters
    ----------
    function : callable
        A ufunc of one output, or what stands in for one.
    args : tuple
        Its operands.
    where : array of bool
        Which elements are wanted.
    out : array or None
        Gives the elements that are not wanted, and the dtype. It is read, not written to. Without it these elements
        are whatever `function` makes of the operands: NumPy leaves them uninitialised.
    **kwargs
        Further keywords of `function`.

    Returns
    -------
    array
        Of the type of `where`.

    Raises
    ------
    TypeError
        As NumPy: `where` is not boolean, or the result cannot be cast to the dtype of `out` by the rule "same_kind".
    """
    if not np.can_cast(where.dtype, bool):
        raise TypeError(f"Cannot cast array data from {where.dtype!r} to dtype('bool') according to the rule 'safe'")
    # Who says which elements are wanted wants no warnings of the others.
    with np.errstate(all="ignore"):
        result = beside(function(*args, **kwargs), where)
    if out is None:
        shape = np.broadcast_shapes(result.shape, where.shape)
        return result if shape == result.shape else np.where(where, result, result)
    if not np.can_cast(result.dtype, out.dtype, casting="same_kind"):
        raise TypeError(
            f"Cannot cast ufunc {function.__name__!r} output from {result.dtype!r} to {out.dtype!r} "
            "with casting rule 'same_kind'"
        )
    return np.where(where, result if result.dtype == out.dtype else result.astype(out.dtype), out)


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
        with np.errstate(invalid="ignore"):
            found = np.maximum((np.nextafter(wide, np.inf) - wide) * 2.0**13, 2.0**-24)
        found = np.where(wide == float(np.finfo(dtype).max), np.inf, found)
    else:
        wide = x if x.dtype == dtype else x.astype(dtype)
        size = np.abs(wide)
        with np.errstate(invalid="ignore"):  # of infinities, which NumPy's own does not warn of
            found = np.nextafter(size, np.inf) - size
        found = np.where(wide < 0, -found, found)
    return np.where(np.isinf(wide), np.nan, found).astype(dtype)


#: Ufuncs that array libraries lack, and what computes them from those that they have.
MISSING: Mapping[Any, Callable[..., Any]] = MappingProxyType({np.spacing: spacing})


def is_complex(x: Any) -> bool:
    """Whether a number or array is of complex numbers."""
    return isinstance(x, complex) or getattr(getattr(x, "dtype", None), "kind", "") == "c"


def _truth(x: Any) -> Any:
    return x != 0 if is_complex(x) else x


def logical_and(a: Any, b: Any, **kwargs: Any) -> Any:
    """``np.logical_and`` where a library takes no complex numbers for truths; NaN is one, as in NumPy."""
    return np.logical_and(_truth(a), _truth(b), **kwargs)


def logical_or(a: Any, b: Any, **kwargs: Any) -> Any:
    """As `logical_and`."""
    return np.logical_or(_truth(a), _truth(b), **kwargs)


def logical_xor(a: Any, b: Any, **kwargs: Any) -> Any:
    """As `logical_and`."""
    return np.logical_xor(_truth(a), _truth(b), **kwargs)


def logical_not(a: Any, **kwargs: Any) -> Any:
    """As `logical_and`."""
    return np.logical_not(_truth(a), **kwargs)


#: Ufuncs that array libraries have, but not for complex numbers, and what takes these too.
COMPLEX: Mapping[Any, Callable[..., Any]] = MappingProxyType(
    {
        np.logical_and: logical_and,
        np.logical_or: logical_or,
        np.logical_xor: logical_xor,
        np.logical_not: logical_not,
    }
)
