"""The distributions of ``numpy.random``: their parameters, and what NumPy refuses of these.

NumPy looks at every parameter before it draws; CuPy at few. Here NumPy itself is asked, while a graph is built, about
the values that are in host memory.
"""

from __future__ import annotations

import operator
from collections.abc import Collection, Mapping
from typing import Any

import numpy as np

#: Distribution -> its parameters in order, each with a value that every library takes; an int counts something.
PARAMETERS: dict[str, dict[str, float]] = {
    "beta": {"a": 1.0, "b": 1.0},
    "binomial": {"n": 1, "p": 0.5},
    "chisquare": {"df": 1.0},
    "exponential": {"scale": 1.0},
    "f": {"dfnum": 1.0, "dfden": 1.0},
    "gamma": {"shape": 1.0, "scale": 1.0},
    "geometric": {"p": 0.5},
    "gumbel": {"loc": 0.0, "scale": 1.0},
    "hypergeometric": {"ngood": 1, "nbad": 1, "nsample": 1},
    "laplace": {"loc": 0.0, "scale": 1.0},
    "logistic": {"loc": 0.0, "scale": 1.0},
    "lognormal": {"mean": 0.0, "sigma": 1.0},
    "logseries": {"p": 0.5},
    "negative_binomial": {"n": 1.0, "p": 0.5},
    "noncentral_chisquare": {"df": 1.0, "nonc": 1.0},
    "noncentral_f": {"dfnum": 1.0, "dfden": 1.0, "nonc": 1.0},
    "normal": {"loc": 0.0, "scale": 1.0},
    "pareto": {"a": 1.0},
    "poisson": {"lam": 1.0},
    "power": {"a": 1.0},
    "rayleigh": {"scale": 1.0},
    "standard_gamma": {"shape": 1.0},
    "standard_t": {"df": 1.0},
    "triangular": {"left": 0.0, "mode": 0.5, "right": 1.0},
    "uniform": {"low": 0.0, "high": 1.0},
    "vonmises": {"mu": 0.0, "kappa": 1.0},
    "wald": {"mean": 1.0, "scale": 1.0},
    "weibull": {"a": 1.0},
    "zipf": {"a": 2.0},
    "integers": {"low": 1, "high": 2},
    "randint": {"low": 1, "high": 2},
    "multinomial": {"n": 1, "pvals": 1.0},
    "multivariate_hypergeometric": {"colors": 1, "nsample": 1},
}

#: Parameters that are vectors; a vector of them belongs to each number drawn.
VECTORS = {"multinomial": "pvals", "multivariate_hypergeometric": "colors"}

#: Distributions of which one parameter says nothing without the others.
_JOINT = frozenset(("triangular", "uniform", "hypergeometric", "integers", "randint", "multivariate_hypergeometric"))

#: Up to as many numbers NumPy draws to check arrays of parameters against each other.
_MOST = 2**20


def sized(size: Any) -> tuple[int, ...]:
    """A size as a tuple.

    Raises
    ------
    TypeError
        NumPy's, where it is no integer and no sequence of integers.
    """
    try:
        return (operator.index(size),)
    except TypeError:
        pass
    try:
        return tuple(map(operator.index, size))
    except TypeError:
        np.empty(size)
        raise


def nothing(size: Any) -> dict[str, int]:
    """The size 0 for :func:`refuse`, if so few numbers are asked for: of none NumPy refuses less."""
    return {"size": 0} if size is not None and 0 in sized(size) else {}


def refuse(
    name: str, given: Mapping[str, Any], elsewhere: Collection[str] = (), *, legacy: bool = False, **options: Any
) -> None:
    """Raise what NumPy raises of these parameters.

    Parameters
    ----------
    name : str
        Method of NumPy's generators.
    given : dict
        Parameters in host memory by name: scalars, sequences, ndarrays.
    elsewhere : collection of str
        Those that are not; their place is taken by a value that is never wrong.
    legacy : bool
        Whether in the words of ``RandomState``, not of ``Generator``.
    **options
        What else the method gets, as `dtype`, `endpoint` and :func:`nothing`.

    Raises
    ------
    ValueError, TypeError, OverflowError
        NumPy's own.

    Notes
    -----
    NumPy draws for it, one number for each set of parameters, and they are forgotten. Where arrays would broadcast to
    more than 2**20 numbers each is looked at alone.
    """
    draw = getattr(np.random.RandomState(0) if legacy else np.random.Generator(np.random.PCG64(0)), name, None)
    if draw is None or (elsewhere and name in _JOINT):
        return
    samples = PARAMETERS.get(name, {})
    rest = {key: (samples[key],) if VECTORS.get(name) == key else samples[key] for key in elsewhere}
    arrays = {key: value for key, value in given.items() if np.ndim(value) and VECTORS.get(name) != key}
    if any(np.size(value) == 0 for value in arrays.values()):
        return
    together = np.broadcast_shapes(*(np.shape(value) for value in arrays.values()))
    if len(arrays) < 2 or int(np.prod(together, dtype=np.int64)) <= _MOST:
        draw(**given, **rest, **options)
        return
    for key, value in arrays.items():
        draw(**{**samples, key: value}, **options)
