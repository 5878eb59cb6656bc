"""Survival functions of the distributions that statistical tests are made of, beside their arguments.

SciPy's distributions begin by making ndarrays of everything. SciPy's special functions are ufuncs, so an array type may
have its own (NEP-13), and these are made of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.errors import UnsupportedError


def norm(x: Any) -> Any:
    """Probability that a standard normal variable is larger than `x`.

    Parameters
    ----------
    x : array

    Returns
    -------
    array of the type of `x`, float64

    Raises
    ------
    UnsupportedError
        If the library of `x` has no ``ndtr``.
    """
    return _special("ndtr", x, -_double(x))


def chi2(x: Any, df: Any) -> Any:
    """Probability that a chi-squared variable is larger than `x`.

    Parameters
    ----------
    x : array
    df : float or array of the type of `x`
        Degrees of freedom; NaN results where they are not positive.

    Returns
    -------
    array of the type of `x`, float64

    Raises
    ------
    UnsupportedError
        If the library of `x` has no ``chdtrc``.
    """
    # Libraries do not agree on negative values, of which rounding makes some: all are larger than these.
    return _where_positive(df, _special("chdtrc", x, _double(df), np.maximum(_double(x), 0.0)))


def t(x: Any, df: Any) -> Any:
    """Probability that a variable with Student's distribution is larger than `x`.

    Parameters
    ----------
    x : array
    df : float or array of the type of `x`
        Degrees of freedom; NaN results where they are not positive.

    Returns
    -------
    array of the type of `x`, float64

    Raises
    ------
    UnsupportedError
        If the library of `x` has no ``betainc``.

    Notes
    -----
    Both tails are the incomplete beta function of df / (df + x**2) (Abramowitz & Stegun 26.7.1), and what is between
    them that of x**2 / (df + x**2). The first argument keeps few digits of a small `x`, for a relative error of about
    df / 2 units of the last place; one less the second has an absolute error of one unit. The better is taken.
    Beyond 1e154 the result is 0.
    """
    x, df = _double(x), _double(df)
    square = x * x
    with np.errstate(all="ignore"):
        tails = _special("betainc", x, df / 2, 0.5, df / (df + square))
        rest = 1.0 - _special("betainc", x, 0.5, df / 2, square / (df + square))
        both = np.where(rest > np.minimum(0.5, 2 / df), rest, tails)
    return _where_positive(df, np.where(x < 0, 1.0 - both / 2, both / 2))


def _double(x: Any) -> Any:
    return x.astype(np.float64) if hasattr(x, "astype") else np.float64(x)


def _where_positive(df: Any, found: Any) -> Any:
    positive = df > 0
    if isinstance(positive, (bool, np.bool)):
        return found if positive else np.full_like(found, np.nan)
    return np.where(positive, found, np.nan)


def _special(name: str, x: Any, *args: Any) -> Any:
    """A special function of SciPy's name by the library of the array `x`."""
    import scipy.special

    found, cause = None, None
    try:
        found = getattr(scipy.special, name)(*args)
    except TypeError as error:
        cause = error
    if type(found) is not type(x):
        raise UnsupportedError(
            f"a test of dask.array.stats on chunks of type {type(x).__name__}: their library has no "
            f"scipy.special.{name} of its own; bring the statistic to the host and use scipy.stats, or bring the data "
            'there with to_backend("numpy")'
        ) from cause
    return found
