"""The samplers against SciPy's distributions: fixed seeds, one in a million would fail by chance."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from arrayshim import strict
from arrayshim.kernels import discrete, rejection
from arrayshim.kernels.rejection import accepted
from arrayshim.kernels.samplers import SAMPLERS, draw
from arrayshim.kernels.source import Source

N = 200_000
LEVEL = 1e-6

CONTINUOUS = [
    ("normal", (3.0, 2.0), stats.norm(3, 2)),
    ("lognormal", (0.5, 0.7), stats.lognorm(0.7, scale=math.exp(0.5))),
    ("gumbel", (1.0, 2.0), stats.gumbel_r(1, 2)),
    ("laplace", (1.0, 2.0), stats.laplace(1, 2)),
    ("logistic", (1.0, 2.0), stats.logistic(1, 2)),
    ("pareto", (2.5,), stats.lomax(2.5)),
    ("rayleigh", (2.0,), stats.rayleigh(scale=2)),
    ("standard_cauchy", (), stats.cauchy()),
    ("standard_t", (0.7,), stats.t(0.7)),
    ("standard_t", (30.0,), stats.t(30)),
    ("triangular", (-1.0, 0.5, 2.0), stats.triang(0.5, -1, 3)),
    ("triangular", (-1.0, -1.0, 2.0), stats.triang(0.0, -1, 3)),
    ("triangular", (-1.0, 2.0, 2.0), stats.triang(1.0, -1, 3)),
    ("weibull", (0.6,), stats.weibull_min(0.6)),
    ("noncentral_chisquare", (0.5, 2.0), stats.ncx2(0.5, 2)),
    ("noncentral_chisquare", (3.0, 20.0), stats.ncx2(3, 20)),
    ("noncentral_chisquare", (3.0, 0.0), stats.chi2(3)),
    ("noncentral_f", (3.0, 7.0, 4.0), stats.ncf(3, 7, 4)),
    ("vonmises", (0.5, 1e-9), stats.uniform(-math.pi, 2 * math.pi)),
    ("vonmises", (0.0, 1e-6), stats.vonmises(1e-6)),
    ("vonmises", (0.0, 0.3), stats.vonmises(0.3)),
    ("vonmises", (0.0, 4.0), stats.vonmises(4.0)),
    ("vonmises", (0.0, 5e4), stats.norm(0, 1 / math.sqrt(5e4 - 0.5))),
    ("vonmises", (0.0, 1e7), stats.norm(0, 1e-3 / math.sqrt(10))),
    ("wald", (1.0, 2.0), stats.invgauss(1 / 2, scale=2)),
    ("wald", (50.0, 0.5), stats.invgauss(50 / 0.5, scale=0.5)),
]
DISCRETE = [
    ("negative_binomial", (2.5, 0.3), stats.nbinom(2.5, 0.3), range(80)),
    ("zipf", (1.2,), stats.zipf(1.2), range(1, 200)),
    ("zipf", (3.0,), stats.zipf(3.0), range(1, 60)),
    ("zipf", (9.0,), stats.zipf(9.0), range(1, 6)),
    ("integers", (np.array([-3]), np.array([9])), stats.randint(-3, 9), range(-3, 9)),
]


def sampled(name, args, seed, size=(N,)):
    return SAMPLERS[name](Source(np.random.default_rng(seed)), size, *args)


@pytest.mark.parametrize(("name", "args", "law"), CONTINUOUS, ids=lambda x: str(x) if isinstance(x, tuple) else None)
def test_continuous(name, args, law):
    x = sampled(name, args, 11)
    assert x.shape == (N,)
    assert x.dtype == np.float64
    # Of few points, since the functions of some laws are slow.
    points = np.sort(x)[:: 100 if name.startswith(("von", "non")) else 1]
    empirical = (np.arange(len(points)) + 0.5) * (N // len(points)) / N
    distance = np.abs(law.cdf(points) - empirical).max() - 0.5 / len(points)
    assert stats.kstwobign.sf(distance * math.sqrt(N)) > LEVEL
    # Each tail by itself, which the test above weighs little: counts beyond the points of one in a thousand.
    for beyond in (x < law.ppf(1e-3), x > law.isf(1e-3)):
        assert stats.binomtest(int(beyond.sum()), N, 1e-3).pvalue > LEVEL
    if name == "vonmises":  # its moments are integrals of minutes
        return
    mean, variance = (float(m) for m in law.stats("mv"))
    if math.isfinite(mean) and math.isfinite(variance) and math.isfinite(float(law.moment(4))):
        assert abs(x.mean() - mean) < 5.5 * math.sqrt(variance / N)


def agrees(x, law, values):
    counts = np.array([np.count_nonzero(x == v) for v in values])
    expected = law.pmf(np.array(values)) * len(x)
    often = expected >= 10
    seen = np.append(counts[often], len(x) - counts[often].sum())
    wanted = np.append(expected[often], len(x) - expected[often].sum())
    if wanted[-1] < 10:
        seen, wanted = (np.append(a[:-2], a[-2:].sum()) for a in (seen, wanted))
    return stats.chisquare(seen, wanted * (seen.sum() / wanted.sum())).pvalue


@pytest.mark.parametrize(("name", "args", "law", "values"), DISCRETE, ids=lambda x: x if isinstance(x, str) else None)
def test_discrete(name, args, law, values):
    x = sampled(name, args, 12)
    assert x.dtype == np.int64
    assert x.min() >= law.support()[0]
    assert agrees(x, law, list(values)) > LEVEL


def test_multinomial_and_its_covariance():
    p = np.array([0.1, 0.0, 0.25, 0.65])
    for pvals in (p.tolist(), p):
        x = sampled("multinomial", (12, pvals), 13, (N // 4,))
        assert (x.sum(axis=1) == 12).all()
        assert (x[:, 1] == 0).all()
        for k in (0, 2, 3):
            assert agrees(x[:, k], stats.binom(12, p[k]), list(range(13))) > LEVEL
        expected = 12 * (np.diag(p) - np.outer(p, p))
        assert np.allclose(np.cov(x.T), expected, atol=0.06)
    # The last takes what is left, whatever the sum of its probability rounds to.
    assert (sampled("multinomial", (5, [0.3, 0.7, 0.0]), 1, (1000,))[:, 2] == 0).all()


def test_multivariate_hypergeometric():
    x = sampled("multivariate_hypergeometric", ([4, 0, 6, 10], 7), 14, (N // 4,))
    assert (x.sum(axis=1) == 7).all()
    for k, count in enumerate([4, 0, 6, 10]):
        if count:
            assert agrees(x[:, k], stats.hypergeom(20, count, 7), list(range(8))) > LEVEL
        else:
            assert (x[:, k] == 0).all()


def source(seed):
    return Source(np.random.default_rng(seed))


def test_choice_with_replacement():
    p = np.array([0.1, 0.0, 0.4, 0.5])
    x = discrete.choice(source(15), (N,), 4, True, p)
    counts = np.bincount(x, minlength=4)
    assert counts[1] == 0
    assert stats.chisquare(counts[[0, 2, 3]], N * p[[0, 2, 3]]).pvalue > LEVEL
    assert stats.chisquare(np.bincount(discrete.choice(source(16), (N,), 7))).pvalue > LEVEL


def test_choice_without_replacement_is_one_draw_after_another():
    p = np.array([0.1, 0.2, 0.0, 0.7])
    counts = {}
    rng = source(17)
    for _ in range(20_000):
        pair = tuple(discrete.choice(rng, (2,), 4, False, p).tolist())
        counts[pair] = counts.get(pair, 0) + 1
    pairs = [(a, b) for a in (0, 1, 3) for b in (0, 1, 3) if a != b]
    expected = [20_000 * p[a] * p[b] / (1 - p[a]) for a, b in pairs]
    assert sum(counts[pair] for pair in pairs) == 20_000
    assert stats.chisquare([counts[pair] for pair in pairs], expected).pvalue > LEVEL


def test_permutations_are_all_as_likely():
    rng = source(18)
    counts = {}
    for _ in range(12_000):
        order = tuple(discrete.permutation(rng, 4).tolist())
        counts[order] = counts.get(order, 0) + 1
    assert len(counts) == 24
    assert stats.chisquare(list(counts.values())).pvalue > LEVEL
    assert discrete.permutation(rng, 0).shape == (0,)


def test_integers_without_the_bias_of_a_remainder():
    # Of 2**64 words, 3 * 2**62 fit once: a remainder alone would take the first third twice as often.
    high = np.array([3 * 2**62], dtype=np.uint64)
    x = discrete.integers(source(19), (N,), 0, high, np.uint64)
    thirds = np.bincount((x >> np.uint64(62)).astype(int), minlength=3)
    assert stats.chisquare(thirds).pvalue > LEVEL
    assert len(thirds) == 3


def test_edges():
    assert (sampled("weibull", (0.0,), 1, (5,)) == 0).all()
    assert (sampled("weibull", (np.zeros(5),), 1, (5,)) == 0).all()
    assert (sampled("normal", (2.0, 0.0), 1, (5,)) == 2).all()
    assert (sampled("negative_binomial", (3.0, 1.0), 1, (5,)) == 0).all()
    assert (sampled("zipf", (2000.0,), 1, (50,)) == 1).all()
    assert np.isfinite(sampled("wald", (1e-3, 1e9), 1)).all()
    assert (sampled("wald", (1e9, 1e-9), 1) > 0).all()
    for kappa in (0.0, 1e-9, 1e-6, 1.0, 1e5, 1e8):
        for mu in (3.1, -40.0):
            angle = sampled("vonmises", (mu, kappa), 1, (1000,))
            assert (np.abs(angle) <= math.pi).all()
    assert sampled("zipf", (1.0001,), 1, (1000,)).max() > 2**40


@pytest.mark.parametrize("name", ["vonmises", "zipf", "integers"])
def test_arrays_of_parameters_meet_their_numbers_through_all_rounds(name):
    each = {
        "vonmises": (np.array([0.0, 1.5]), np.array([1e4, 9e3])),
        "zipf": (np.array([1.5, 40.0]),),
        "integers": (np.array([0, 100]), np.array([3, 107])),
    }[name]
    x = sampled(name, tuple(np.broadcast_to(a, (3000, 2)) for a in each), 21, (3000, 2))
    if name == "vonmises":
        assert np.abs(x - [0.0, 1.5]).max() < 0.1
    elif name == "zipf":
        assert x[:, 0].max() > 100
        assert (x[:, 1] == 1).all()
    else:
        assert set(x[:, 0]) == {0, 1, 2}
        assert set(x[:, 1]) == set(range(100, 107))


def test_a_number_that_is_never_accepted_is_no_endless_loop(monkeypatch):
    monkeypatch.setattr(rejection, "ROUNDS", 50)
    with pytest.raises(ValueError, match="a <= 1"):
        accepted((3,), lambda index, n: (np.zeros(n), np.zeros(n, dtype=bool)), "a <= 1")
    a = strict.asarray(np.array([2.0, np.nan]))
    with pytest.raises(ValueError, match="a <= 1 or a contains NaNs"):
        draw(strict.namespace.random.default_rng(1), "zipf", (2,), [a])


class Extreme:
    """A generator at the ends of its ranges: uniform numbers of 0, exponential numbers of 0."""

    def random(self, size):
        return np.zeros(size)

    def standard_exponential(self, size):
        return np.zeros(size)


@pytest.mark.parametrize("name", ["gumbel", "laplace", "logistic", "pareto", "rayleigh", "triangular", "weibull"])
def test_ends_of_the_ranges_stay_finite(name):
    args = {"pareto": (2.0,), "rayleigh": (1.0,), "triangular": (0.0, 1.0, 2.0), "weibull": (2.0,)}.get(name, ())
    assert np.isfinite(SAMPLERS[name](Source(Extreme()), (3,), *args)).all()
