"""Distributions of counts that are searched for or rejected."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.kernels.philox import uniform
from arrayshim.random.streams._rejected import chisquare, gamma, rejected
from arrayshim.random.streams._words import Chosen, Sampler, Words, opened

_HALF_LOG_2PI = 0.5 * math.log(2.0 * math.pi)


def tail(x: Any) -> Any:
    """What Stirling's formula ``(x - 1/2) log x - x + log(2 pi)/2`` lacks of ``log gamma(x)``, for x >= 1."""
    small = x < 8.0
    y = np.where(small, x + 8.0, x)
    z = 1.0 / (y * y)
    series = (((((-691.0 / 360360.0 * z + 1.0 / 1188.0) * z - 1.0 / 1680.0) * z + 1.0 / 1260.0) * z) - 1.0 / 360.0) * z
    series = (series + 1.0 / 12.0) / y
    product = x
    for k in range(1, 8):
        product = product * (x + k)
    # gamma(x) = gamma(x + 8) / (x (x + 1) ... (x + 7))
    shifted = (y - 0.5) * np.log(y) - 8.0 - (x - 0.5) * np.log(x) - np.log(np.where(small, product, 1.0))
    return np.where(small, series + shifted, series)


def log_factorial(k: Any) -> Any:
    """``log k!``."""
    x = k + 1.0
    return (x - 0.5) * np.log(x) - x + _HALF_LOG_2PI + tail(x)


def _searched(words: Words | Chosen, first: Any, ratio: Callable[[Any], Any], most: int) -> Any:
    """The first k whose sum of probabilities reaches a uniform; ``ratio(k)`` is that of those of k and k - 1."""
    u = uniform(words.block(1)[0])
    if hasattr(words, "searched"):  # one element, to be written down
        return words.searched(u, first, ratio, most)
    chance, total, count = first, first + 0.0, u * 0.0
    for k in range(1, most):
        above = u > total
        if not bool(above.any()):
            break
        count = count + above
        chance = chance * ratio(float(k))
        total = total + chance
    return count


def _poisson_proposal(block: Any, lam: Any) -> Any:
    # W. Hoermann: The transformed rejection method for generating Poisson random variables. Insurance: Mathematics
    # and Economics 12 (1993), PTRS.
    b = 0.931 + 2.53 * np.sqrt(lam)
    a = -0.059 + 0.02483 * b
    u, v = opened(block[0]) - 0.5, opened(block[1])
    us = 0.5 - np.abs(u)
    k = np.floor((2.0 * a / us + b) * u + lam + 0.43)
    inside = (k >= 0.0) & ((us >= 0.013) | (v <= us))
    known = np.where(inside, k, 0.0)
    chance = known * np.log(lam) - lam - log_factorial(known)
    within = np.log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (us * us) + b)) <= chance
    return k, ((us >= 0.07) & (v <= 0.9277 - 3.6224 / (b - 2.0))) | (inside & within)


def _few_poisson(words: Words | Chosen, lam: Any) -> Any:
    return _searched(words, np.exp(-lam), lambda k: lam / k, 100)


def _many_poisson(words: Words | Chosen, lam: Any) -> Any:
    return rejected(words, _poisson_proposal, lam)


def poisson(words: Words, lam: Any) -> Any:
    """Poisson counts, by search below 10."""
    lam = words.full(lam)
    return words.either(lam >= 10.0, _many_poisson, _few_poisson, lam)


def _binomial_proposal(block: Any, n: Any, p: Any) -> Any:
    # W. Hoermann: The generation of binomial random variates. J. Stat. Comput. Simul. 46 (1993), BTRS.
    q = 1.0 - p
    deviation = np.sqrt(n * p * q)
    b = 1.15 + 2.53 * deviation
    a = -0.0873 + 0.0248 * b + 0.01 * p
    u, v = opened(block[0]) - 0.5, opened(block[1])
    us = 0.5 - np.abs(u)
    k = np.floor((2.0 * a / us + b) * u + n * p + 0.5)
    inside = (k >= 0.0) & (k <= n)
    m, r, x = np.floor((n + 1.0) * p), p / q, np.where(inside, k, 0.0)
    chance = (
        (m + 0.5) * np.log((m + 1.0) / (r * (n - m + 1.0)))
        + (n + 1.0) * np.log((n - m + 1.0) / (n - x + 1.0))
        + (x + 0.5) * np.log(r * (n - x + 1.0) / (x + 1.0))
        + (tail(m + 1.0) + tail(n - m + 1.0) - tail(x + 1.0) - tail(n - x + 1.0))
    )
    within = np.log(v * (2.83 + 5.1 / b) * deviation / (a / (us * us) + b)) <= chance
    return k, inside & (((us >= 0.07) & (v <= 0.92 - 4.2 / b)) | within)


def _few_binomial(words: Words | Chosen, n: Any, p: Any) -> Any:
    found = _searched(words, np.exp(n * np.log1p(-p)), lambda k: p / (1.0 - p) * ((n + 1.0 - k) / k), 150)
    return np.minimum(found, n)


def _many_binomial(words: Words | Chosen, n: Any, p: Any) -> Any:
    return rejected(words, _binomial_proposal, n, p)


def binomial(words: Words, n: Any, p: Any) -> Any:
    """Binomial counts, by search where fewer than 10 are expected of the rarer outcome."""
    n, p = words.full(n), words.full(p)
    rare = np.where(p > 0.5, 1.0 - p, p)
    values = words.either(n * rare >= 10.0, _many_binomial, _few_binomial, n, rare)
    return np.where(p > 0.5, n - values, values)


def _negative_binomial(words: Words, n: Any, p: Any) -> Any:
    p = words.full(p)
    return poisson(words.part(2), gamma(words.part(1), n) * ((1.0 - p) / p))


def _noncentral_chisquare(words: Words, df: Any, nonc: Any) -> Any:
    df, nonc = words.full(df), words.full(nonc)
    normal, known = words.normal() + np.sqrt(nonc), np.isfinite(nonc)
    more = poisson(words.part(2), np.where((df > 1.0) | ~known, 0.0, nonc * 0.5)) * 2.0
    values = chisquare(words.part(1), np.where(df > 1.0, df - 1.0, df + more))
    return np.where(known, np.where(df > 1.0, values + normal * normal, values), nonc)


def _noncentral_f(words: Words, dfnum: Any, dfden: Any, nonc: Any) -> Any:
    above = _noncentral_chisquare(words.part(1), dfnum, nonc)
    return above * dfden / (chisquare(words.part(2), dfden) * dfnum)


def _zipf_proposal(block: Any, a: Any) -> Any:
    # L. Devroye: Non-Uniform Random Variate Generation (1986), X.6.1.
    less = a - 1.0
    b = np.exp2(less)
    x = np.floor(np.exp(-np.log(opened(block[0])) / less))
    inside = x < 2.0**63
    x = np.where(inside, x, 1.0)
    t = np.exp(np.log1p(1.0 / x) * less)
    return x, inside & (uniform(block[1]) * x * (t - 1.0) / (b - 1.0) <= t / b)


def _zipf(words: Words, a: Any) -> Any:
    return rejected(words, _zipf_proposal, np.minimum(words.full(a), 1000.0))


def _logseries(words: Words, p: Any) -> Any:
    # A. W. Kemp: Efficient generation of logarithmically distributed pseudo-random variables. Applied Statistics 30
    # (1981), LK.
    v, u = words.open(), words.part(1).open()
    q = -np.expm1(np.log1p(-words.full(p)) * u)
    large = np.floor(1.0 + np.log(v) / np.log(q))
    return np.where(v <= q * q, np.maximum(large, 1.0), np.where(v <= q, 2.0, 1.0))


_I8 = np.dtype(np.int64)

SAMPLERS = {
    "poisson": Sampler(poisson, dtype=_I8),
    "binomial": Sampler(binomial, dtype=_I8),
    "negative_binomial": Sampler(_negative_binomial, dtype=_I8),
    "noncentral_chisquare": Sampler(_noncentral_chisquare),
    "noncentral_f": Sampler(_noncentral_f),
    "zipf": Sampler(_zipf, dtype=_I8),
    "logseries": Sampler(_logseries, dtype=_I8),
}
