"""Samplers that reject: an attempt has a block of words of its own, whose counter holds the attempt's number."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.kernels.philox import polar, uniform
from arrayshim.random.streams._words import Chosen, Sampler, Words, opened

#: Of rejections in a row that parameters in their range do not have.
_MOST_ATTEMPTS = 1000


def rejected(words: Words | Chosen, propose: Callable[..., Any], *parameters: Any) -> Any:
    """Values that a proposal accepts.

    Parameters
    ----------
    words : Words, Chosen, or Element of `arrayshim.kernels.cuda.formula`
    propose : callable
        ``propose(block, *parameters) -> (values, accepted)``.
    *parameters : array
        A value per element.

    Returns
    -------
    array of float64

    Raises
    ------
    ValueError
        If a thousand attempts in a row fail.
    """
    if hasattr(words, "rejected"):  # one element, to be written down
        return words.rejected(propose, *parameters)
    values, accepted = propose(words.block(1), *parameters)
    left = np.flatnonzero(~accepted)
    attempt = 1
    while left.size:
        attempt += 1
        if attempt > _MOST_ATTEMPTS:
            raise ValueError(
                f"{left.size} values were rejected {_MOST_ATTEMPTS} times; "
                "the parameters must be in the range that NumPy's method of that name demands"
            )
        found, accepted = propose(words.block(attempt, left), *(x[left] for x in parameters))
        values[left] = found
        left = left[~accepted]
    return values


def _log_gamma_proposal(block: Any, a: Any) -> Any:
    # G. Marsaglia, W. W. Tsang: A simple method for generating gamma variables. ACM TOMS 26 (2000).
    below = a < 1.0
    d = np.where(below, a + 1.0, a) - 1.0 / 3.0
    radius, angle = polar(uniform(block[0]), uniform(block[1]))
    x = radius * np.cos(angle)
    root = 1.0 + x / np.sqrt(d * 9.0)
    v = root * root * root
    positive = v > 0.0
    log_v = np.log(np.where(positive, v, 1.0))
    accepted = positive & (np.log(opened(block[2])) < 0.5 * x * x + d - d * v + d * log_v)
    return np.log(d) + log_v + np.where(below, np.log(opened(block[3])) / np.where(below, a, 1.0), 0.0), accepted


def log_gamma(words: Words, a: Any) -> Any:
    """Logarithms of standard gamma values, which do not vanish where those do; of NaN and infinity the parameter."""
    a = words.full(a)
    # No proposal for these is ever accepted.
    known = np.isfinite(a)
    return np.where(known, rejected(words, _log_gamma_proposal, np.where(known, a, 1.0)), a)


def gamma(words: Words, a: Any) -> Any:
    """Standard gamma values; 0 for the parameter 0."""
    return np.exp(log_gamma(words, a))


def _gamma(words: Words, a: Any, scale: Any = 1.0) -> Any:
    return gamma(words, a) * scale


def _beta(words: Words, a: Any, b: Any) -> Any:
    above, below = log_gamma(words.part(1), a), log_gamma(words.part(2), b)
    # As in NumPy, where this is a ratio of gamma values.
    return np.where(np.isinf(words.full(a)), np.nan, 1.0 / (1.0 + np.exp(below - above)))


def chisquare(words: Words, df: Any) -> Any:
    """Chi-square values."""
    return gamma(words, words.full(df) * 0.5) * 2.0


def _f(words: Words, dfnum: Any, dfden: Any) -> Any:
    return chisquare(words.part(1), dfnum) * dfden / (chisquare(words.part(2), dfden) * dfnum)


def _t(words: Words, df: Any) -> Any:
    half = words.full(df) * 0.5
    return words.normal() * np.sqrt(half / gamma(words.part(1), half))


def _vonmises_proposal(block: Any, kappa: Any) -> Any:
    # D. J. Best, N. I. Fisher: Efficient simulation of the von Mises distribution. Applied Statistics 28 (1979).
    r = 1.0 + np.sqrt(1.0 + 4.0 * kappa * kappa)
    rho = (r - np.sqrt(2.0 * r)) / (2.0 * kappa)
    s = np.where(kappa < 1e-5, 1.0 / kappa + kappa, (1.0 + rho * rho) / (2.0 * rho))
    z = np.cos(uniform(block[0]) * math.pi)
    w = (1.0 + s * z) / (s + z)
    y, v = kappa * (s - w), opened(block[1])
    accepted = (y * (2.0 - y) - v >= 0.0) | (np.log(y / v) + 1.0 - y >= 0.0)
    angle = np.arccos(np.minimum(np.maximum(w, -1.0), 1.0))
    return np.where(uniform(block[2]) < 0.5, -angle, angle), accepted


def _vonmises(words: Words, mu: Any, kappa: Any) -> Any:
    kappa = words.full(kappa)
    flat, sharp = kappa < 1e-8, kappa > 1e6
    # As NumPy: uniform below that, and a normal above.
    turned = rejected(words, _vonmises_proposal, np.where((kappa >= 1e-8) & (kappa <= 1e6), kappa, 1.0))
    even = (words.part(1).random() * 2.0 - 1.0) * math.pi
    angle = mu + np.where(flat, even, np.where(sharp, words.part(2).normal() / np.sqrt(kappa), turned))
    wound = np.fmod(np.abs(angle) + math.pi, 2.0 * math.pi) - math.pi
    return np.where(np.isnan(kappa), kappa, np.where(flat, angle, np.where(angle < 0.0, -wound, wound)))


SAMPLERS = {
    "standard_gamma": Sampler(_gamma),
    "gamma": Sampler(_gamma),
    "beta": Sampler(_beta),
    "chisquare": Sampler(chisquare),
    "f": Sampler(_f),
    "standard_t": Sampler(_t),
    "vonmises": Sampler(_vonmises),
}
