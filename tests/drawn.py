"""What numbers of the random kernels are held against, on the CPU and on a device alike."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

#: A test whose numbers are good fails this rarely. Seeds are fixed: a test that passed passes again.
LEVEL = 1e-6


#: philox4x32 10, in Random123's tests/kat_vectors: counter, key, answer.
KNOWN = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


@dataclass(frozen=True)
class Continuous:
    """A kernel with its parameters, and the distribution that SciPy knows."""

    name: str
    method: str
    args: tuple[float, ...]
    numbers: dict[str, float]
    law: Any

    def __str__(self):
        return f"{self.method}{self.args}"


CONTINUOUS = (
    Continuous("uniform", "random", (), {}, stats.uniform()),
    Continuous("uniform", "uniform", (-3.0, 5.0), {"a": -3.0, "b": 8.0}, stats.uniform(-3, 8)),
    Continuous("normal", "standard_normal", (), {}, stats.norm()),
    Continuous("normal", "normal", (10.0, 0.25), {"a": 10.0, "b": 0.25}, stats.norm(10, 0.25)),
    Continuous("lognormal", "lognormal", (0.5, 0.75), {"a": 0.5, "b": 0.75}, stats.lognorm(0.75, scale=np.exp(0.5))),
    Continuous("exponential", "standard_exponential", (), {}, stats.expon()),
    Continuous("exponential", "exponential", (4.0,), {"a": 0.0, "b": 4.0}, stats.expon(scale=4)),
)


def check_law(values, law):
    """Kolmogorov and Smirnov, the first moments, and the numbers beyond the outer quantiles."""
    values = np.asarray(values, dtype=np.float64)
    assert np.isfinite(values).all()
    assert stats.kstest(values, law.cdf).pvalue > LEVEL
    mean, variance, skew, kurtosis = (float(x) for x in law.stats("mvsk"))
    n, far = len(values), stats.norm.isf(LEVEL / 2)
    assert abs(values.mean() - mean) < far * np.sqrt(variance / n)
    away = (values - mean) ** 2
    assert abs(away.mean() - variance) < far * variance * np.sqrt((kurtosis + 2) / n)
    if abs(skew) < 1e-12:
        third = ((values - mean) ** 3).mean() / variance**1.5
        assert abs(third) < far * np.sqrt(15 * (1 + max(0.0, kurtosis)) / n)
    for chance in (1e-3, 20 / n):
        for found in ((values > law.isf(chance)).sum(), (values < law.ppf(chance)).sum()):
            assert stats.binomtest(int(found), n, chance).pvalue > LEVEL, chance


def check_uniform_integers(values, low, span):
    """Chi-square of all values, or of the upper parts of a wide range."""
    cells = min(span, 1000) if span > 1 else 0
    values = [int(v) - low for v in np.asarray(values).tolist()]
    assert min(values) >= 0
    assert max(values) < span
    if not cells:
        return
    found = np.bincount([v * cells // span for v in values], minlength=cells)
    edges = np.array([-(-span * k // cells) for k in range(cells + 1)], dtype=object)
    expected = np.array([float(b - a) / span for a, b in itertools.pairwise(edges)]) * len(values)
    assert stats.chisquare(found, expected).pvalue > LEVEL


def check_independence(chunks):
    """Serial correlation of chunks laid end to end, across each border, and of each chunk with each other."""
    chunks = [np.asarray(c, dtype=np.float64) - np.mean(c) for c in chunks]
    count, n = len(chunks), len(chunks[0])
    scale = np.mean([np.var(c) for c in chunks])
    far = stats.norm.isf(LEVEL / (2 * count * count))
    whole = np.concatenate(chunks)
    for lag in (1, 2, 3, 4, n):
        assert abs((whole[lag:] * whole[:-lag]).sum()) < far * scale * np.sqrt(len(whole) - lag), lag
    for i in range(count):
        for j in range(i):
            assert abs((chunks[i] * chunks[j]).sum()) < far * scale * np.sqrt(n), (i, j)
    # The last numbers of a chunk beside the first of the next.
    ends = np.array([a[-64:] for a in chunks[:-1]]) * np.array([b[:64] for b in chunks[1:]])
    assert abs(ends.sum()) < far * scale * np.sqrt(ends.size)
