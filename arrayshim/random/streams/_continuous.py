"""Distributions by inversion, and by formulas over a few uniforms and normals; nothing is rejected."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from arrayshim.random.streams._words import Sampler, Words


def exponential(words: Words) -> Any:
    """Standard exponential, by inversion: up to 36.7, where 2**-53 ends."""
    return -np.log(1.0 - words.random())


def _exponential(words: Words, scale: Any = 1.0) -> Any:
    return exponential(words) * scale


def _lognormal(words: Words, mean: Any, sigma: Any) -> Any:
    return np.exp(words.normal() * sigma + mean)


def _laplace(words: Words, loc: Any, scale: Any) -> Any:
    u = words.open()
    return loc + np.where(u < 0.5, np.log(u + u), -np.log(2.0 - u - u)) * scale


def _logistic(words: Words, loc: Any, scale: Any) -> Any:
    u = words.open()
    return loc + np.log(u / (1.0 - u)) * scale


def _gumbel(words: Words, loc: Any, scale: Any) -> Any:
    return loc - np.log(-np.log(words.open())) * scale


def _pareto(words: Words, a: Any) -> Any:
    return np.expm1(exponential(words) / a)


def _power(words: Words, a: Any) -> Any:
    return np.exp(np.log(words.open()) / a)


def _rayleigh(words: Words, scale: Any) -> Any:
    return np.sqrt(exponential(words) * 2.0) * scale


def _weibull(words: Words, a: Any) -> Any:
    a = words.full(a)
    # a = 0 stands for the limit, as in NumPy.
    return np.where(a == 0, 0.0, np.exp(np.log(-np.log(words.open())) / a))


def _cauchy(words: Words) -> Any:
    return np.tan((words.open() - 0.5) * math.pi)


def _triangular(words: Words, left: Any, mode: Any, right: Any) -> Any:
    u, base = words.random(), right - left
    below, above = (mode - left) * base, (right - mode) * base
    return np.where(u <= (mode - left) / base, left + np.sqrt(u * below), right - np.sqrt((1.0 - u) * above))


def _wald(words: Words, mean: Any, scale: Any) -> Any:
    # J. R. Michael, W. R. Schucany, R. W. Haas, The American Statistician 30 (1976); the smaller root without the
    # difference in which it would get lost.
    normal, u = words.normal(), words.part(1).random()
    half = normal * normal * (mean / (scale * 2.0))
    ratio = 1.0 / (1.0 + half + np.sqrt(half * (half + 2.0)))
    return np.where(u * (1.0 + ratio) <= 1.0, ratio, 1.0 / ratio) * mean


def _geometric(words: Words, p: Any) -> Any:
    return np.maximum(np.ceil(np.log(words.open()) / np.log1p(-words.full(p))), 1.0)


_I8 = np.dtype(np.int64)

SAMPLERS = {
    "standard_exponential": Sampler(_exponential),
    "exponential": Sampler(_exponential),
    "lognormal": Sampler(_lognormal),
    "laplace": Sampler(_laplace),
    "logistic": Sampler(_logistic),
    "gumbel": Sampler(_gumbel),
    "pareto": Sampler(_pareto),
    "power": Sampler(_power),
    "rayleigh": Sampler(_rayleigh),
    "weibull": Sampler(_weibull),
    "standard_cauchy": Sampler(_cauchy),
    "triangular": Sampler(_triangular),
    "wald": Sampler(_wald),
    "geometric": Sampler(_geometric, dtype=_I8),
}
