"""Draws without replacement, and draws of several numbers at once, one vector per element."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.kernels.philox import uniform
from arrayshim.random.streams._counts import binomial, log_factorial
from arrayshim.random.streams._rejected import log_gamma, rejected
from arrayshim.random.streams._words import Chosen, Sampler, Words, opened

_D1, _D2 = 1.7155277699214135, 0.8989161620588988  # 2 sqrt(2/e), 3 - 2 sqrt(3/e)


def _one_by_one(words: Words | Chosen, good: Any, bad: Any, sample: Any) -> Any:
    """Nine draws at most, as from an urn."""
    left, count = good + bad, good * 0.0
    for k in range(9):
        if k % 4 == 0:
            block = words.block(1 + k // 4)
        drawn = k < sample
        hit = drawn & (uniform(block[k % 4]) * left < good - count)
        count = count + hit
        left = left - drawn
    return count


def _proposal(block: Any, few: Any, many: Any, m: Any) -> Any:
    # E. Stadlober: The ratio of uniforms approach for generating discrete random variates. J. Comput. Appl. Math. 31
    # (1990), HRUA.
    total = few + many
    part = few / total
    middle = m * part + 0.5
    width = np.sqrt((total - m) * m * part * (1.0 - part) / (total - 1.0) + 0.5)
    mode = np.floor((m + 1.0) * (few + 1.0) / (total + 2.0))
    stop = np.minimum(np.minimum(m, few) + 1.0, np.floor(middle + 16.0 * width))
    x, y = opened(block[0]), uniform(block[1])
    w = middle + (_D1 * width + _D2) * (y - 0.5) / x
    inside = (w >= 0.0) & (w < stop)
    z = np.floor(np.where(inside, w, mode))

    def weight(k: Any) -> Any:
        return log_factorial(k) + log_factorial(few - k) + log_factorial(m - k) + log_factorial(many - m + k)

    chance = weight(mode) - weight(z)
    return z, inside & ((x * (4.0 - x) - 3.0 <= chance) | (2.0 * np.log(x) <= chance))


def _of_many(words: Words | Chosen, good: Any, bad: Any, sample: Any) -> Any:
    few, many = np.minimum(good, bad), np.maximum(good, bad)
    found = rejected(words, _proposal, few, many, sample)
    return np.where(good > bad, sample - found, found)


def hypergeometric(words: Words, good: Any, bad: Any, sample: Any) -> Any:
    """Numbers of good ones in a sample without replacement."""
    good, bad, sample = words.full(good), words.full(bad), words.full(sample)
    less = np.minimum(sample, good + bad - sample)
    values = words.either(less >= 10.0, _of_many, _one_by_one, good, bad, less)
    return np.where(less < sample, good - values, values)


def _stacked(columns: list[Any]) -> Any:
    return np.stack(columns, axis=-1)


def _multinomial(words: Words, n: Any, pvals: tuple[float, ...]) -> Any:
    left, rest, columns = words.full(n), 1.0, []
    for k, p in enumerate(pvals[:-1]):
        share = min(max(p / rest, 0.0), 1.0) if rest > 0.0 else 0.0
        columns.append(binomial(words.column(k), left, share))
        left, rest = left - columns[-1], rest - p
    return _stacked([*columns, left])


def _dirichlet(words: Words, alpha: tuple[float, ...]) -> Any:
    logs = _stacked([log_gamma(words.column(k), a) for k, a in enumerate(alpha)])
    shares = np.exp(logs - np.max(logs, axis=-1, keepdims=True))
    return shares / np.sum(shares, axis=-1, keepdims=True)


def _many_colours(words: Words, colors: tuple[int, ...], nsample: Any) -> Any:
    left, rest, columns = words.full(nsample), float(sum(colors)), []
    for k, colour in enumerate(colors[:-1]):
        rest -= colour
        columns.append(hypergeometric(words.column(k), float(colour), rest, left))
        left = left - columns[-1]
    return _stacked([*columns, left])


_I8 = np.dtype(np.int64)

SAMPLERS = {
    "hypergeometric": Sampler(hypergeometric, dtype=_I8),
    "multinomial": Sampler(_multinomial, dtype=_I8),
    "dirichlet": Sampler(_dirichlet),
    "multivariate_hypergeometric": Sampler(_many_colours, dtype=_I8),
}
