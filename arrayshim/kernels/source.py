"""The few draws that every generator has, of whatever library and generation, under one name each."""

from __future__ import annotations

from typing import Any

import numpy as np

_TINY = float(np.finfo(np.float64).tiny)


def is_array(x: Any) -> bool:
    """Whether `x` is an array that NumPy did not make."""
    return hasattr(x, "__array_function__") and not isinstance(x, np.ndarray | np.generic)


def filled(parameter: Any, size: Any, dtype: Any) -> Any:
    """A parameter as every library takes it: a Python number, or an array of `dtype` and of shape `size`."""
    if not is_array(parameter) and not np.ndim(parameter):
        return np.dtype(dtype).type(parameter).item()
    return np.broadcast_to(parameter.astype(dtype), size)


class Source:
    """A generator as the samplers of :mod:`arrayshim.kernels.samplers` want it.

    Parameters
    ----------
    rng : object
        A ``Generator`` or ``RandomState`` of any library: with ``random`` or ``random_sample``, ``standard_normal``,
        ``standard_exponential``, ``standard_gamma``, ``poisson``, ``binomial``, and ``integers`` or ``randint``. Its
        arrays must have NEP-18.

    Notes
    -----
    Numbers and parameters are float64 and int64, as CuPy's kernels read them, whatever their type says.
    """

    def __init__(self, rng: Any) -> None:
        self.rng = rng

    def uniform(self, size: Any) -> Any:
        """float64 in [0, 1)."""
        draw = getattr(self.rng, "random", None) or self.rng.random_sample
        return draw(size=size)

    def open_uniform(self, size: Any) -> Any:
        """float64 in (0, 1)."""
        return np.maximum(self.uniform(size), _TINY)

    def normal(self, size: Any) -> Any:
        """Standard normal float64."""
        return self.rng.standard_normal(size=size)

    def exponential(self, size: Any) -> Any:
        """Standard exponential float64, never 0."""
        return np.maximum(self.rng.standard_exponential(size=size), _TINY)

    def gamma(self, shape: Any, size: Any) -> Any:
        """Gamma float64 of scale 1; 0 where the shape is 0."""
        return self._of("standard_gamma", size, shape)

    def poisson(self, lam: Any, size: Any) -> Any:
        """Poisson int64."""
        return self._of("poisson", size, lam)

    def binomial(self, n: Any, p: Any, size: Any) -> Any:
        """Binomial int64."""
        return self.rng.binomial(filled(n, size, np.int64), filled(p, size, np.float64), size=size)

    def hypergeometric(self, good: Any, bad: Any, sample: Any, size: Any) -> Any:
        """Hypergeometric int64."""
        urn = (filled(x, size, np.int64) for x in (good, bad, sample))
        return self.rng.hypergeometric(*urn, size=size)

    def words(self, size: Any) -> Any:
        """uint64 with all bits random."""
        if hasattr(self.rng, "integers"):
            return self.rng.integers(0, 2**64, size=size, dtype=np.uint64)
        # Two halves: CuPy's RandomState makes of one wide range a mask that it does not fit.
        low, high = (self.rng.randint(0, 2**32, size=size, dtype=np.uint32).astype(np.uint64) for _ in range(2))
        return low | (high << np.uint64(32))

    def _of(self, name: str, size: Any, parameter: Any) -> Any:
        return getattr(self.rng, name)(filled(parameter, size, np.float64), size=size)
