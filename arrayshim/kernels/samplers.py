"""Distributions that a library's generator lacks, drawn with what it has, where its arrays live.

CuPy's ``Generator`` lacks most of what is here, its ``RandomState`` little. Nothing here copies to the host; only the
loops of rejection methods (:func:`vonmises`, :func:`zipf`, bounds given as arrays) wait for the device, once a round,
to know what is left. Parameters are Python numbers or arrays of the generator's library that broadcast to `size`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.errors import UnsupportedError
from arrayshim.kernels import discrete
from arrayshim.kernels.distributions import PARAMETERS, VECTORS
from arrayshim.kernels.rejection import accepted, part
from arrayshim.kernels.source import Source, filled, is_array


def normal(source: Source, size: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """``loc + scale * N``."""
    return loc + scale * source.normal(size)


def lognormal(source: Source, size: Any, mean: Any = 0.0, sigma: Any = 1.0) -> Any:
    """``exp`` of a normal number."""
    return np.exp(normal(source, size, mean, sigma))


def gumbel(source: Source, size: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """``loc - scale * log(E)``, by inversion: the exponential number E is ``-log`` of a uniform one."""
    return loc - scale * np.log(source.exponential(size))


def laplace(source: Source, size: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """The difference of two exponential numbers, which has the tails that one uniform number cannot reach."""
    return loc + scale * (source.exponential(size) - source.exponential(size))


def logistic(source: Source, size: Any, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    """The logarithm of a ratio of two exponential numbers; tails as in :func:`laplace`."""
    return loc + scale * (np.log(source.exponential(size)) - np.log(source.exponential(size)))


def pareto(source: Source, size: Any, a: Any) -> Any:
    """``exp(E / a) - 1``, by inversion."""
    return np.expm1(source.exponential(size) / a)


def rayleigh(source: Source, size: Any, scale: Any = 1.0) -> Any:
    """``scale * sqrt(2 E)``, by inversion."""
    return scale * np.sqrt(2.0 * source.exponential(size))


def standard_cauchy(source: Source, size: Any) -> Any:
    """A ratio of two normal numbers."""
    return source.normal(size) / source.normal(size)


def standard_t(source: Source, size: Any, df: Any) -> Any:
    """A normal number over the root of a chi-square one by its degrees of freedom."""
    half = df * 0.5
    return source.normal(size) * np.sqrt(half) / np.sqrt(source.gamma(half, size))


def triangular(source: Source, size: Any, left: Any, mode: Any, right: Any) -> Any:
    """By inversion, on both sides of the mode."""
    u, base = source.uniform(size), right - left
    rising = left + np.sqrt(u * (base * (mode - left)))
    falling = right - np.sqrt((1.0 - u) * (base * (right - mode)))
    return np.where(u * base <= mode - left, rising, falling)


def wald(source: Source, size: Any, mean: Any, scale: Any) -> Any:
    """The root of a quadratic equation, or its inverse (Michael, Schucany & Haas 1976, The American Statistician 30).

    The smaller root is written so that nothing cancels: ``mean * 4 s / (4 s + y) / (1 + sqrt(y / (4 s + y)))**2``.
    """
    y = mean * np.square(source.normal(size))
    share = 4.0 * scale / (4.0 * scale + y)
    x = mean * share / np.square(1.0 + np.sqrt(1.0 - share))
    return np.where(source.uniform(size) * (mean + x) <= mean, x, mean * (mean / x))


def weibull(source: Source, size: Any, a: Any) -> Any:
    """``E ** (1 / a)``, by inversion; 0 where `a` is, as in NumPy."""
    e = source.exponential(size)
    if isinstance(a, int | float):
        return e * 0.0 if a == 0 else np.power(e, 1.0 / a)
    return np.where(a == 0, 0.0, np.power(e, 1.0 / np.where(a == 0, 1.0, a)))


def noncentral_chisquare(source: Source, size: Any, df: Any, nonc: Any) -> Any:
    """Chi-square with ``df + 2 i`` degrees of freedom, i of a Poisson distribution of mean ``nonc / 2``.

    Johnson, Kotz & Balakrishnan 1995, Continuous Univariate Distributions 2, section 29.3.
    """
    return 2.0 * source.gamma(df * 0.5 + source.poisson(nonc * 0.5, size), size)


def noncentral_f(source: Source, size: Any, dfnum: Any, dfden: Any, nonc: Any) -> Any:
    """A non-central chi-square number over a central one, each by its degrees of freedom."""
    above = noncentral_chisquare(source, size, dfnum, nonc) / dfnum
    return above * (dfden * 0.5) / source.gamma(dfden * 0.5, size)


def vonmises(source: Source, size: Any, mu: Any, kappa: Any) -> Any:
    """Rejection from a wrapped Cauchy distribution (Best & Fisher 1979, Applied Statistics 28), as NumPy has it.

    At least 66 of 100 proposals are taken. Below a `kappa` of 1e-8 the numbers are uniform; above 1e6 a normal
    distribution is not to be told from this one.
    """
    scalar = isinstance(kappa, int | float)
    k = np.float64(kappa) if scalar else kappa
    inner = np.minimum(np.maximum(k, 1e-8), 1e6)
    r = 1.0 + np.sqrt(1.0 + 4.0 * inner * inner)
    rho = np.maximum((r - np.sqrt(2.0 * r)) / (2.0 * inner), np.finfo(np.float64).tiny)
    # For a small kappa the root above cancels; this is the first term of the series of s.
    s = _choose(k < 1e-5, 1.0 / inner + inner, (1.0 + rho * rho) / (2.0 * rho))

    def attempt(index: Any, n: int) -> tuple[Any, Any]:
        s_i, k_i = part(s, index), part(inner, index)
        z = np.cos(math.pi * source.uniform(n))
        w = (1.0 + s_i * z) / (s_i + z)
        y, v = k_i * (s_i - w), source.open_uniform(n)
        taken = (y * (2.0 - y) >= v) | (np.log(y / v) + 1.0 - y >= 0.0)
        sign = np.where(source.uniform(n) < 0.5, -1.0, 1.0)
        return sign * np.arccos(np.minimum(np.maximum(w, -1.0), 1.0)), taken

    angle = accepted(size, attempt)
    angle = _choose(k < 1e-8, lambda: math.pi * (2.0 * source.uniform(size) - 1.0), angle)
    angle = _choose(k > 1e6, lambda: source.normal(size) * np.sqrt(1.0 / np.maximum(k, 1.0)), angle)
    turned = angle + mu
    return turned - 2.0 * math.pi * np.floor((turned + math.pi) / (2.0 * math.pi))


def _choose(condition: Any, yes: Any, no: Any) -> Any:
    """``np.where``, by a plain branch where the condition is in host memory; callables are called if need be."""
    if isinstance(condition, bool | np.bool_):
        chosen = yes if condition else no
        return chosen() if callable(chosen) else chosen
    return np.where(condition, yes() if callable(yes) else yes, no)


SAMPLERS: dict[str, Callable[..., Any]] = {
    **{
        f.__name__: f
        for f in (normal, lognormal, gumbel, laplace, logistic, pareto, rayleigh, standard_cauchy, standard_t)
    },
    **{f.__name__: f for f in (triangular, wald, weibull, noncentral_chisquare, noncentral_f, vonmises)},
    **discrete.SAMPLERS,
}
"""Name of a method of ``numpy.random.Generator`` or ``RandomState`` -> ``sampler(source, size, **parameters)``."""

#: Methods whose own version takes Python numbers only, or checks nothing of an array.
_NUMBERS_ONLY = frozenset(("integers", "randint"))


def draw(rng: Any, name: str, size: Any, args: Any = (), **options: Any) -> Any:
    """Numbers of a distribution: by the generator's own method, or by ours where it has none.

    Parameters
    ----------
    rng : object
        A ``Generator`` or ``RandomState`` of any library.
    name : str
        Of the method.
    size : tuple of int
    args : sequence
        Parameters in order: Python numbers, or arrays of the library of `rng` that broadcast to `size`.
    **options
        For the method, as `dtype`.

    Returns
    -------
    array of the library of `rng`, of shape `size` (plus one axis for distributions of vectors)

    Raises
    ------
    UnsupportedError
        If neither has the method.
    """
    own = getattr(rng, name, None)
    if name in _NUMBERS_ONLY and 0 in size:
        # Of none, any bounds are good.
        return Source(rng).uniform(size).astype(options.get("dtype", np.int64))
    bounds = name in _NUMBERS_ONLY and any(is_array(x) for x in args)
    if own is not None and not bounds:
        return own(*_typed(name, args, size), size=size, **options)
    if name not in SAMPLERS:
        raise UnsupportedError(
            f"{type(rng).__module__}.{type(rng).__name__} has no {name!r}, and arrayshim has none to lend; "
            "draw with another generator, or with NumPy's and move the numbers with to_backend"
        )
    # Bounds may be more than int64 holds.
    args = args if bounds else _typed(name, args, size)
    return SAMPLERS[name](Source(rng), size, *args, **options)


def _typed(name: str, args: Any, size: Any) -> list[Any]:
    """Parameters as CuPy's kernels read them: numbers, or arrays of float64 or int64 and of full shape."""
    parameters = list(PARAMETERS.get(name, {}).items())
    if len(args) > len(parameters):
        return list(args)
    vector = VECTORS.get(name)
    return [
        x if key == vector or not (isinstance(x, int | float) or hasattr(x, "astype")) else _filled(x, sample, size)
        for x, (key, sample) in zip(args, parameters, strict=False)
    ]


def _filled(x: Any, sample: float, size: Any) -> Any:
    if isinstance(sample, int):
        # A fraction is for the library to refuse.
        return x if isinstance(x, int | float) else filled(x, size, np.int64)
    return filled(x, size, np.float64)
