"""Every distribution of element streams: its law, and the same values whatever the chunks, slices and library."""

from __future__ import annotations

import inspect

import dask.array as da
import numpy as np
import pytest
from scipy import stats

import arrayshim
from arrayshim import strict
from arrayshim.random.streams import ElementArray, ElementGenerator

STRICT = strict.StrictArray
#: Values per law: the tests below are tuned to it.
N = 40_000
#: One false alarm in ten million for each of some sixty laws.
LEVEL = 1e-7

#: Method, parameters, and the law by SciPy.
LAWS = {
    "random": ((), stats.uniform()),
    "uniform": ((-1.0, 3.0), stats.uniform(-1, 4)),
    "standard_normal": ((), stats.norm()),
    "normal": ((1.0, 2.0), stats.norm(1, 2)),
    "standard_exponential": ((), stats.expon()),
    "exponential": ((2.0,), stats.expon(0, 2)),
    "standard_gamma": ((5.0,), stats.gamma(5)),
    "gamma": ((2.5, 1.5), stats.gamma(2.5, scale=1.5)),
    "gamma below 1": ((0.3,), stats.gamma(0.3)),
    "gamma, large": ((1e4,), stats.gamma(1e4)),
    "beta": ((0.5, 2.0), stats.beta(0.5, 2)),
    "chisquare": ((3.0,), stats.chi2(3)),
    "f": ((3.0, 5.0), stats.f(3, 5)),
    "gumbel": ((1.0, 2.0), stats.gumbel_r(1, 2)),
    "laplace": ((1.0, 2.0), stats.laplace(1, 2)),
    "logistic": ((1.0, 2.0), stats.logistic(1, 2)),
    "lognormal": ((0.5, 0.7), stats.lognorm(0.7, scale=np.exp(0.5))),
    "noncentral_chisquare": ((3.0, 2.0), stats.ncx2(3, 2)),
    "noncentral_chisquare below 1": ((0.7, 2.0), stats.ncx2(0.7, 2)),
    "noncentral_f": ((3.0, 20.0, 2.0), stats.ncf(3, 20, 2)),
    "pareto": ((3.0,), stats.lomax(3)),
    "power": ((2.5,), stats.powerlaw(2.5)),
    "rayleigh": ((2.0,), stats.rayleigh(scale=2)),
    "standard_cauchy": ((), stats.cauchy()),
    "standard_t": ((4.0,), stats.t(4)),
    "triangular": ((-1.0, 0.0, 3.0), stats.triang(0.25, -1, 4)),
    "vonmises": ((0.5, 2.0), stats.vonmises(2, 0.5)),
    "vonmises, flat": ((0.0, 1e-6), stats.vonmises(1e-6)),
    "wald": ((2.0, 3.0), stats.invgauss(2 / 3, scale=3)),
    "weibull": ((1.7,), stats.weibull_min(1.7)),
    "binomial": ((20, 0.3), stats.binom(20, 0.3)),
    "binomial, many": ((1000, 0.7), stats.binom(1000, 0.7)),
    "binomial, a billion": ((10**9, 0.3), stats.binom(10**9, 0.3)),
    "geometric": ((0.3,), stats.geom(0.3)),
    "hypergeometric": ((15, 10, 7), stats.hypergeom(25, 15, 7)),
    "hypergeometric, more": ((100, 150, 60), stats.hypergeom(250, 100, 60)),
    "hypergeometric, most": ((150, 100, 160), stats.hypergeom(250, 150, 160)),
    "logseries": ((0.8,), stats.logser(0.8)),
    "negative_binomial": ((4.5, 0.3), stats.nbinom(4.5, 0.3)),
    "poisson": ((3.5,), stats.poisson(3.5)),
    "poisson, more": ((40.0,), stats.poisson(40)),
    "poisson, many": ((1e5,), stats.poisson(1e5)),
    "zipf": ((2.5,), stats.zipf(2.5)),
    "zipf, steep": ((6.0,), stats.zipf(6)),
}


def rng(seed=3, like="numpy"):
    return arrayshim.random.default_rng(seed, like=like, stream="element")


def computed(x):
    got = x.compute(scheduler="sync")
    assert got.dtype == x.dtype
    assert type(got) is type(x._meta) or np.isscalar(got)
    return strict.to_host(got) if type(got) is STRICT else got


def draw(name, size, like="numpy", seed=3, **options):
    method = name.partition(",")[0].partition(" below")[0]
    return getattr(rng(seed, like), method)(*LAWS[name][0], size=size, **options)


def chance(values, law):
    """How likely values that are no nearer to a law are, if it is theirs."""
    if values.dtype.kind == "f":
        lower = law.cdf(-np.pi) if law.dist.name == "vonmises" else 0.0
        return stats.kstest(values, lambda x: law.cdf(x) - lower).pvalue
    found, counts = np.unique(values, return_counts=True)
    if found.size > 500:
        # Made continuous by numbers that have nothing to do with it.
        u = law.cdf(values) - np.random.default_rng(0).random(values.size) * law.pmf(values)
        return stats.kstest(u, "uniform").pvalue
    expected = law.pmf(found) * values.size
    often = expected > 5
    observed, expected = counts[often], expected[often]
    # All that is rare, seen or not, is one class.
    observed = np.append(observed, values.size - observed.sum())
    expected = np.append(expected, values.size - expected.sum())
    observed, expected = observed[expected > 5], expected[expected > 5]
    return stats.chi2.sf(((observed - expected) ** 2 / expected).sum(), max(1, len(expected) - 1))


@pytest.mark.parametrize("name", LAWS)
def test_the_law(name):
    values = computed(draw(name, (200, 200), chunks=(77, 200)))
    assert chance(values.reshape(-1), LAWS[name][1]) > LEVEL


def test_a_wrong_law_is_noticed():
    for name, wrong in {
        "normal": stats.norm(1, 2.1),
        "gamma": stats.gamma(2.6, scale=1.5),
        "poisson": stats.poisson(3.6),
        "binomial, many": stats.binom(1000, 0.702),
    }.items():
        assert chance(computed(draw(name, N)), wrong) < LEVEL


@pytest.mark.parametrize("name", LAWS)
def test_chunks_slices_and_libraries_change_nothing(name):
    expected = computed(draw(name, (30, 20), chunks=-1))
    for options in ({"chunks": (30, 3)}, {"chunks": (7, 20)}):
        np.testing.assert_array_equal(computed(draw(name, (30, 20), **options)), expected)
    lazy = draw(name, (30, 20), chunks=9)
    for index in np.s_[5:20:3, ::-1], np.s_[7], np.s_[:, -1], np.s_[::-7, 3:5]:
        assert type(lazy[index]) is ElementArray
        np.testing.assert_array_equal(computed(lazy[index]), expected[index])
    on_strict = draw(name, (30, 20), STRICT, chunks=(16, 20))
    np.testing.assert_array_equal(computed(on_strict), expected)


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        ("gamma", (np.array([0.0, 0.5, 1.0, 30.0]), 2.0)),
        ("poisson", (np.array([0.0, 0.5, 9.9, 1e6]),)),
        ("binomial", (np.array([0, 5, 1000, 10**6]), 0.4)),
        ("binomial", (1000, np.array([0.0, 0.001, 0.5, 1.0]))),
        ("vonmises", (0.5, np.array([0.0, 1e-7, 3.0, 1e8]))),
        ("hypergeometric", (np.array([0, 5, 400, 7]), 300, np.array([10, 0, 300, 3]))),
        ("uniform", (np.array([0.0, 1.0, 2.0, 3.0]), 9.0)),
    ],
    ids=lambda x: x if isinstance(x, str) else "",
)
def test_parameters_of_each_element(like, method, parameters):
    size = (50, 4)
    whole = computed(getattr(rng(like=like), method)(*parameters, size=size, chunks=-1))
    lazy = [da.from_array(x, chunks=3) if isinstance(x, np.ndarray) else x for x in parameters]
    x = getattr(rng(like=like), method)(*lazy, size=size, chunks=(20, 3))
    np.testing.assert_array_equal(computed(x), whole)
    np.testing.assert_array_equal(computed(x[::-3, 1:]), whole[::-3, 1:])
    for j in range(4):
        numbers = [p[j].item() if isinstance(p, np.ndarray) else p for p in parameters]
        one = computed(getattr(rng(like=like), method)(*numbers, size=size, chunks=7))
        np.testing.assert_array_equal(whole[:, j], one[:, j])


def test_ends_of_parameters():
    r = rng()
    assert (computed(r.poisson(0, 50)) == 0).all()
    assert (computed(r.binomial(7, [[0.0], [1.0]], (2, 50))) == [[0], [7]]).all()
    assert (computed(r.gamma(0.0, 1.0, 50)) == 0).all()
    assert (computed(r.geometric(1.0, 50)) == 1).all()
    assert (computed(r.weibull(0.0, 50)) == 0).all()
    assert (computed(r.exponential(0.0, 50)) == 0).all()
    assert computed(r.geometric(1e-300, 50)).min() > 2**62
    assert np.isfinite(computed(r.standard_gamma(1e-3, 500))).all()
    assert computed(r.beta(1e-3, 1e-3, 500)).max() <= 1
    assert r.poisson(size=0).compute().shape == (0,)
    with pytest.raises(ValueError, match=r"1 values were rejected 1000 times.*NumPy's method"):
        r.standard_gamma(da.from_array(np.array([-1.0, 1.0])), chunks=2).compute(scheduler="sync")


def test_normals_have_tails_and_no_memory():
    """Serial correlation within and across the borders of chunks, the fourth moment, and the far tail."""
    x = computed(rng().normal(size=1_000_000, chunks=100_001))
    count = len(x)
    for lag in (1, 2, 3, 4, 8, 100_001):
        assert abs(np.mean(x[lag:] * x[:-lag])) < 5.5 / np.sqrt(count)
    assert abs(np.mean(x**2) - 1) < 5.5 * np.sqrt(2 / count)
    assert abs(np.mean(x**4) - 3) < 5.5 * np.sqrt(96 / count)
    expected = 2 * stats.norm.sf(4) * count
    assert abs((np.abs(x) > 4).sum() - expected) < 5.5 * np.sqrt(expected)
    # The largest radius is made of the smallest uniform: 2**-53.
    from arrayshim.kernels.philox import polar

    radius, _ = polar(np.array([1 - 2.0**-53]), np.array([0.0]))
    assert 8.5 < radius[0] < 8.6
    streams = np.stack([computed(r.normal(size=100_000)) for r in (rng(), *rng().spawn(2), rng().jumped(), rng(4))])
    assert np.abs(np.corrcoef(streams) - np.eye(5)).max() < 5.5 / np.sqrt(100_000)


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize("n", [1, 7, 1000, 70_001])
def test_permutation(like, n):
    x = rng(like=like).permutation(n)
    assert (type(x), x.dtype, x.shape) == (ElementArray, np.dtype(np.int64), (n,))
    expected = computed(x)
    np.testing.assert_array_equal(np.sort(expected), np.arange(n))
    np.testing.assert_array_equal(computed(rng().permutation(n)), expected)
    np.testing.assert_array_equal(computed(x.rechunk(-(-n // 3))[::-5]), expected[::-5])
    assert n < 7 or (expected != computed(rng(4, like=like).permutation(n))).any()


def test_permutations_are_even_handed():
    r = rng()
    small = np.array([r._on_host("permutation", 4) for _ in range(2400)])
    _, counts = np.unique(small, axis=0, return_counts=True)
    assert len(counts) == 24
    assert stats.chisquare(counts).pvalue > LEVEL
    n = 100_000
    large = computed(r.permutation(n))
    assert abs(stats.spearmanr(large, np.arange(n)).statistic) < 5.5 / np.sqrt(n)
    assert abs((large == np.arange(n)).sum() - 1) < 12
    gaps = np.diff(large) % n
    assert stats.kstest(gaps / n, "uniform").pvalue > LEVEL
    billion = r.permutation(10**9)
    part = computed(billion[:: 10**5])
    assert len(set(part.tolist())) == 10**4
    assert stats.kstest(part / 1e9, "uniform").pvalue > LEVEL


def test_permutation_of_data():
    x = np.arange(24).reshape(8, 3)
    for given in (x, da.from_array(x, chunks=2)):
        got = computed(rng().permutation(given))
        np.testing.assert_array_equal(got[:, 0], 3 * computed(rng().permutation(8)))
        assert sorted(computed(rng().permutation(given, axis=1))[0]) == [0, 1, 2]


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
def test_choice(like):
    p = np.array([0.1, 0.2, 0.3, 0.4, 0.0])

    def choose(*args, **kwargs):
        return computed(rng(like=like).choice(*args, **kwargs))

    counts = np.bincount(choose(5, 20_000, p=p, chunks=999), minlength=5)
    assert counts[4] == 0
    assert stats.chisquare(counts[:4], p[:4] * 20_000).pvalue > LEVEL
    np.testing.assert_array_equal(choose(5, 50, p=p, chunks=7), choose(5, 50, p=p))
    np.testing.assert_array_equal(choose(5, 50, p=da.from_array(p, chunks=2), chunks=7), choose(5, 50, p=p))
    np.testing.assert_array_equal(choose(9, (3, 4), chunks=2), computed(rng().integers(0, 9, (3, 4))))
    data = np.array([2.5, 3.5, 4.5])
    np.testing.assert_array_equal(choose(data, 20, chunks=7), data[choose(3, 20)])
    assert choose(0, (0, 3)).shape == (0, 3)
    assert choose([], np.array([2, 0])).shape == (2, 0)
    for chunks in (2, 3):
        got = choose(10, (2, 5), replace=False, chunks=chunks)
        assert sorted(got.reshape(-1)) == list(range(10))
        assert sorted(choose(5, 4, replace=False, p=p, chunks=chunks)) == [0, 1, 2, 3]


def test_choice_without_replacement_goes_by_the_shares():
    p = np.array([0.1, 0.2, 0.7])
    r = rng()
    got = np.array([computed(r.choice(3, 2, replace=False, p=p)) for _ in range(400)])
    assert stats.chisquare(np.bincount(got[:, 0]), p * 400).pvalue > LEVEL
    pairs = {(i, j): p[i] * p[j] / (1 - p[i]) for i in range(3) for j in range(3) if i != j}
    counts = [((got == pair).all(axis=1)).sum() for pair in pairs]
    assert stats.chisquare(counts, np.array(list(pairs.values())) * 400).pvalue > LEVEL


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize(
    ("method", "parameters", "mean"),
    [
        ("multinomial", (20, [0.2, 0.3, 0.5]), [4, 6, 10]),
        ("multinomial", (1000, [0.25, 0.0, 0.75]), [250, 0, 750]),
        ("dirichlet", ([0.5, 1.0, 3.5],), [0.1, 0.2, 0.7]),
        ("multivariate_hypergeometric", ([3, 4, 5], 6), [1.5, 2, 2.5]),
    ],
)
def test_vectors(like, method, parameters, mean):
    x = getattr(rng(like=like), method)(*parameters, size=(40, 25), chunks=(7, 25))
    assert x.shape == (40, 25, 3)
    got = computed(x)
    np.testing.assert_array_equal(got, computed(getattr(rng(like=like), method)(*parameters, size=(40, 25))))
    np.testing.assert_allclose(got.sum(axis=-1), sum(mean), rtol=1e-14)
    rows = got.reshape(-1, 3)
    assert (np.abs(rows.mean(axis=0) - mean) <= 5.5 * rows.std(axis=0) / np.sqrt(len(rows))).all()
    np.testing.assert_array_equal(computed(x[3:9, ::4, 1]), got[3:9, ::4, 1])


def test_errors_are_numpys():
    r, theirs = rng(), np.random.default_rng(0)
    for call in [
        lambda r: r.gamma(-1.0, size=3),
        lambda r: r.poisson([-1.0, 2.0]),
        lambda r: r.binomial(5, 1.5, 3),
        lambda r: r.hypergeometric(3, 4, 9, 3),
        lambda r: r.triangular(3.0, 1.0, 2.0, 3),
        lambda r: r.zipf(1.0, 3),
        lambda r: r.standard_gamma(1.0, 3, dtype="i4"),
        lambda r: r.choice(3, 5, replace=False),
        lambda r: r.choice(3, 5, p=[0.5, 0.5, 0.5]),
        lambda r: r.choice(3, 5, p=[0.5, 0.5]),
        lambda r: r.choice(3, 5, p=[1.5, -0.5, 0.0]),
        lambda r: r.choice(3, 2, replace=False, p=[1.0, 0.0, 0.0]),
        lambda r: r.choice(0, 5),
        lambda r: r.multinomial(3, [0.9, 0.9, 0.9]),
        lambda r: r.dirichlet([-1.0, 1.0]),
        lambda r: r.multivariate_hypergeometric([1, 2], 5),
        lambda r: r.choice(3.5, 5),
        lambda r: r.choice("abc", 5),
        lambda r: r.choice([], 5),
        lambda r: r.choice(2**70),
        lambda r: r.dirichlet(3.0),
        lambda r: r.multinomial(3, 0.5),
        lambda r: r.multivariate_hypergeometric([1.5, 2], 1),
        lambda r: r.multivariate_hypergeometric(3, 1),
        lambda r: r.permutation(3.5),
        lambda r: r.permutation([1, 2], axis=1),
        lambda r: r.normal(size=2.5),
        lambda r: r.gamma(1.0, size="a"),
        lambda r: r.poisson([1.0, 2.0, 3.0], 4),
        lambda r: r.beta(1.0, [1.0, 2.0, 3.0], 4),
        lambda r: r.exponential([1.0, 2.0, 3.0], 1),
        lambda r: r.permutation(-3) if isinstance(r, ElementGenerator) else r.random(-3),
    ]:
        with pytest.raises((ValueError, TypeError)) as expected:
            call(theirs)
        with pytest.raises(type(expected.value)) as got:
            call(r)
        assert str(got.value) == str(expected.value)


def test_what_is_at_hand_is_checked_beside_what_is_not():
    """A wrong number is found while the graph is built, whatever the other parameters are."""
    ones = da.ones(3, chunks=2)
    for call, words in (
        (lambda r: r.normal(ones, -1.0), "scale < 0"),
        (lambda r: r.gamma([1.0, -1.0, 1.0], ones), "shape < 0"),
        (lambda r: r.binomial(ones.astype(int), 1.5), "p < 0, p > 1 or p"),
        (lambda r: r.multinomial(ones.astype(int), [0.9, 0.9, 0.9]), "sum"),
    ):
        with pytest.raises(ValueError, match=words):
            call(rng())
        with pytest.raises(ValueError, match=words):
            call(rng(like=STRICT))
    assert computed(rng().normal(ones, 2.0)).shape == (3,)


def test_methods_and_parameters_are_those_of_dask():
    names = {name for name in dir(da.random.Generator) if not name.startswith("_")}
    for name in sorted(names):
        ours, theirs = (inspect.signature(getattr(cls, name)) for cls in (ElementGenerator, da.random.Generator))
        assert getattr(ElementGenerator, name) is not getattr(da.random.Generator, name)
        known = [key for key in theirs.parameters if key != "kwargs"]
        assert list(ours.parameters)[: len(known)] == known or set(known) <= set(ours.parameters), name
