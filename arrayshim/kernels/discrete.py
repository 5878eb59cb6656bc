"""Discrete distributions, and choices and permutations, for :mod:`arrayshim.kernels.samplers`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.kernels.rejection import accepted, part
from arrayshim.kernels.source import Source

_WORD = 2**64


def negative_binomial(source: Source, size: Any, n: Any, p: Any) -> Any:
    """Poisson with a mean of a gamma distribution (Greenwood & Yule 1920), as NumPy has it."""
    return source.poisson(source.gamma(n, size) * ((1.0 - p) / p), size)


def zipf(source: Source, size: Any, a: Any) -> Any:
    """Rejection from the distribution of a rounded power of a uniform number, cut at the end of int64.

    Devroye 1986, Non-Uniform Random Variate Generation, X.6.1, with the cut that NumPy makes.
    """
    # From there on all numbers are 1, and products of powers would overflow.
    below = np.minimum(a, 501.0) - 1.0
    lowest, b = np.power(2.0**63, -below), np.power(2.0, below)

    def attempt(index: Any, n: int) -> tuple[Any, Any]:
        exponent, least, top = part(below, index), part(lowest, index), part(b, index)
        u = source.uniform(n)
        x = np.floor(np.power(u * least + (1.0 - u), -1.0 / exponent))
        inside = (x >= 1.0) & (x < 2.0**63)
        x = np.where(inside, x, 1.0)
        # (1 + 1/x)**exponent - 1 for a large x
        excess = np.expm1(exponent * np.log1p(1.0 / x))
        taken = inside & (source.uniform(n) * x * excess * top <= (excess + 1.0) * (top - 1.0))
        return x.astype(np.int64), taken

    return accepted(size, attempt, "a <= 1 or a contains NaNs")


def _unsigned(bound: Any, like: Any) -> Any:
    """A bound modulo 2**64, of the shape of `like`."""
    if isinstance(bound, int | np.integer):
        return np.full_like(like, np.uint64(int(bound) % _WORD))
    return np.broadcast_to(bound, like.shape).astype(np.uint64)


def integers(
    source: Source, size: Any, low: Any, high: Any = None, dtype: Any = np.int64, endpoint: bool = False
) -> Any:
    """Integers between bounds, which may be arrays, each with the same probability.

    Of words of 64 bits the remainder, once the first ``2**64 % number`` words are rejected.

    Raises
    ------
    ValueError
        If a lower bound is not below its upper one; the device is waited for.
    """
    low, high = (0, low) if high is None else (low, high)
    words = source.words(size)
    if bool(np.any(low > high if endpoint else low >= high)):
        raise ValueError("low > high" if endpoint else "low >= high")
    first = _unsigned(low, words)
    number = _unsigned(high, words) - first + np.uint64(1 if endpoint else 0)
    whole = number == 0
    divisor = np.where(whole, np.uint64(1), number)
    # (2**64 - m) % m is 2**64 % m
    least = np.where(whole, np.uint64(0), (np.uint64(0) - number) % divisor)

    def attempt(index: Any, n: int) -> tuple[Any, Any]:
        drawn = words.reshape(-1) if index is None else source.words(n)
        rest = np.where(part(whole, index), drawn, drawn % part(divisor, index))
        return part(first, index) + rest, drawn >= part(least, index)

    return accepted(size, attempt).astype(dtype)


def randint(source: Source, size: Any, low: Any, high: Any = None, dtype: Any = np.int64) -> Any:
    """:func:`integers` without their upper bound."""
    return integers(source, size, low, high, dtype)


def multinomial(source: Source, size: Any, n: Any, pvals: Any) -> Any:
    """Binomial numbers, each of what the ones before it left (Davis 1993, Comp. Stat. Data Analysis 16).

    Parameters
    ----------
    n : int or array
        Trials.
    pvals : sequence of float, or array of shape (k,)
        What they lack of one is the probability of the last.

    Returns
    -------
    int64 array of shape ``size + (k,)``
    """
    if isinstance(pvals, list | tuple | np.ndarray):
        p = np.asarray(pvals, dtype=np.float64)
        shares = _shares(p).tolist()
    else:
        shares = list(_shares(pvals.astype(np.float64)))
    return _one_by_one(size, n, shares, lambda share, left: source.binomial(left, share, size), source)


def _shares(p: Any) -> Any:
    """The probability of each of the first k - 1 outcomes, given that none before it came."""
    before = np.cumsum(p) - p
    rest = np.maximum(1.0 - before, np.finfo(np.float64).tiny)
    return np.minimum(np.maximum(p / rest, 0.0), 1.0)[:-1]


def multivariate_hypergeometric(source: Source, size: Any, colors: Any, nsample: Any, method: str = "marginals") -> Any:
    """Hypergeometric numbers, each of what the ones before it left; NumPy's ``method="marginals"``, whatever it says.

    Parameters
    ----------
    colors : sequence of int
    nsample : int or array

    Returns
    -------
    int64 array of shape ``size + (k,)``
    """
    counts = [int(c) for c in colors]
    urns = [(count, sum(counts[i + 1 :])) for i, count in enumerate(counts[:-1])]
    return _one_by_one(size, nsample, urns, lambda urn, left: source.hypergeometric(urn[0], urn[1], left, size), source)


def _one_by_one(size: Any, total: Any, urns: Any, draw: Callable[[Any, Any], Any], source: Source) -> Any:
    # NumPy takes a whole number whatever its type, and counts in integers.
    drawn, left = [], int(total) if isinstance(total, float) else total
    for urn in urns:
        drawn.append(draw(urn, left))
        left = left - drawn[-1]
    if not drawn:
        left = source.uniform(size).astype(np.int64) + left
    return np.stack([*drawn, left], axis=-1)


def permutation(source: Source, n: int) -> Any:
    """The numbers below `n` in a random order: that of random words of 64 bits.

    Returns
    -------
    int64 array of shape (n,)

    Notes
    -----
    Two of n words are the same with a probability below ``n**2 / 2**65``, 3 % for a milliard; their two numbers then
    stand in the order that the sort gives them.
    """
    return np.argsort(source.words((n,))).astype(np.int64)


def choice(source: Source, size: Any, n: int, replace: bool = True, p: Any = None) -> Any:
    """Numbers below `n`, of equal probability or of that in `p`.

    Parameters
    ----------
    size : tuple of int
    n : int
    replace : bool
        Whether a number may come twice.
    p : array of shape (n,), optional
        Beside the generator's own arrays.

    Returns
    -------
    int64 array of shape `size`

    Notes
    -----
    With `p`, uniform numbers are looked up in the cumulative sums. Without replacement the least of random keys are
    taken, exponential numbers over `p` if that is given (Efraimidis & Spirakis 2006, Information Processing Letters
    97), which is one draw after another, each from what is left, as NumPy draws.
    """
    if replace and p is None:
        draw = getattr(source.rng, "integers", None) or source.rng.randint
        # Nothing is chosen from nothing, but the bounds must be bounds.
        return draw(0, max(n, 1), size=size).astype(np.int64)
    if replace:
        sums = np.cumsum(p)
        return np.searchsorted(sums / sums[-1:], source.uniform(size), side="right").astype(np.int64)
    count = int(np.prod(size, dtype=np.int64))
    if p is None:
        return permutation(source, n)[:count].reshape(size)
    possible = p > 0
    keys = np.where(possible, source.exponential((n,)) / np.where(possible, p, 1.0), np.inf)
    return np.argsort(keys)[:count].reshape(size).astype(np.int64)


SAMPLERS: dict[str, Callable[..., Any]] = {
    f.__name__: f for f in (negative_binomial, zipf, integers, randint, multinomial, multivariate_hypergeometric)
}
"""The distributions among these."""
