"""The methods of a generator that are a distribution and its parameters, made from one table."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.random.streams import _parameters

_NONE = inspect.Parameter.empty

#: Method -> parameters and their defaults, those of ``numpy.random.Generator``.
PARAMETERS: dict[str, dict[str, Any]] = {
    "beta": {"a": _NONE, "b": _NONE},
    "binomial": {"n": _NONE, "p": _NONE},
    "chisquare": {"df": _NONE},
    "exponential": {"scale": 1.0},
    "f": {"dfnum": _NONE, "dfden": _NONE},
    "gamma": {"shape": _NONE, "scale": 1.0},
    "geometric": {"p": _NONE},
    "gumbel": {"loc": 0.0, "scale": 1.0},
    "hypergeometric": {"ngood": _NONE, "nbad": _NONE, "nsample": _NONE},
    "laplace": {"loc": 0.0, "scale": 1.0},
    "logistic": {"loc": 0.0, "scale": 1.0},
    "lognormal": {"mean": 0.0, "sigma": 1.0},
    "logseries": {"p": _NONE},
    "negative_binomial": {"n": _NONE, "p": _NONE},
    "noncentral_chisquare": {"df": _NONE, "nonc": _NONE},
    "noncentral_f": {"dfnum": _NONE, "dfden": _NONE, "nonc": _NONE},
    "normal": {"loc": 0.0, "scale": 1.0},
    "pareto": {"a": _NONE},
    "poisson": {"lam": 1.0},
    "power": {"a": _NONE},
    "rayleigh": {"scale": 1.0},
    "standard_cauchy": {},
    "standard_t": {"df": _NONE},
    "triangular": {"left": _NONE, "mode": _NONE, "right": _NONE},
    "uniform": {"low": 0.0, "high": 1.0},
    "vonmises": {"mu": _NONE, "kappa": _NONE},
    "wald": {"mean": _NONE, "scale": _NONE},
    "weibull": {"a": _NONE},
    "zipf": {"a": _NONE},
}

#: What there is to know of some.
NOTES = {
    "normal": "``loc + scale * standard_normal``.",
    "uniform": "``low + (high - low) * random``, the same bits on every device.",
    "gamma": "Rejection of Marsaglia and Tsang (ACM TOMS 26, 2000).",
    "poisson": "Search below 10, Hoermann's transformed rejection (PTRS, 1993) above.",
    "binomial": "Search where fewer than 10 of the rarer outcome are expected, Hoermann's BTRS (1993) above.",
    "hypergeometric": "Stadlober's ratio of uniforms (HRUA, 1990), and one draw after the other for samples below 10.",
    "vonmises": "Rejection of Best and Fisher (Applied Statistics 28, 1979).",
    "zipf": "Rejection of Devroye (1986); values end at 2**63 - 1024.",
}


class Drawn:
    """Where the methods find what draws."""

    def _draw(self, method: str, *values: Any, size: Any, chunks: Any, dtype: Any = None, vector: int = 0) -> Any:
        raise NotImplementedError


def method(name: str) -> Callable[..., Any]:
    """A method of a generator for a name of `PARAMETERS`."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    given = {"self": _NONE, **PARAMETERS[name], "size": None, "chunks": "auto"}
    signature = inspect.Signature([inspect.Parameter(key, kind, default=value) for key, value in given.items()])

    def draw(*args: Any, **kwargs: Any) -> Any:
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        rng, *values, size, chunks = bound.arguments.values()
        _parameters.check(name, *values)
        return rng._draw(name, *values, size=size, chunks=chunks)

    draw.__name__, draw.__qualname__ = name, f"ElementGenerator.{name}"
    draw.__signature__ = signature  # type: ignore[attr-defined]
    draw.__doc__ = f"As ``numpy.random.Generator.{name}``. {NOTES.get(name, '')}".rstrip()
    return draw


class Distributions(Drawn):
    """A method per distribution."""


for _name in PARAMETERS:
    setattr(Distributions, _name, method(_name))


class Standard(Distributions):
    """Methods that know dtypes; float32 values are the float64 ones, rounded."""

    def standard_exponential(
        self, size: Any = None, dtype: Any = np.float64, method: str = "inv", out: Any = None, chunks: Any = "auto"
    ) -> Any:
        """As NumPy, always by inversion: `method` is accepted and says nothing."""
        _refuse(out)
        _parameters.check("standard_exponential", dtype=dtype, method=method)
        return self._draw("standard_exponential", size=size, chunks=chunks, dtype=dtype)

    def standard_gamma(
        self, shape: Any, size: Any = None, dtype: Any = np.float64, out: Any = None, chunks: Any = "auto"
    ) -> Any:
        """As NumPy, by rejection of Marsaglia and Tsang (ACM TOMS 26, 2000)."""
        _refuse(out)
        _parameters.check("standard_gamma", shape, dtype=dtype)
        return self._draw("standard_gamma", shape, size=size, chunks=chunks, dtype=dtype)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None, chunks: Any = "auto") -> Any:
        """Uniform in [0, 1): multiples of 2**-53 from a word each, float32 ones of 2**-24 from half a word each."""
        _refuse(out)
        _parameters.check("random", dtype=dtype)
        return self._draw("random", size=size, chunks=chunks, dtype=dtype)

    def standard_normal(self, size: Any = None, dtype: Any = np.float64, out: Any = None, chunks: Any = "auto") -> Any:
        """By Box and Muller: elements 2k and 2k + 1 are a pair and share two words; float32 is float64, rounded."""
        _refuse(out)
        _parameters.check("standard_normal", dtype=dtype)
        return self._draw("standard_normal", size=size, chunks=chunks, dtype=dtype)


def _refuse(out: Any) -> None:
    if out is not None:
        raise TypeError("out is not None; the result of a lazy draw is a new array -> leave out=")
