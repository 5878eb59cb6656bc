"""Statistics of data that are nearly constant, of every size, equal, infinite or absent, on chunks of a device.

The exact values are computed with fractions or in extended precision from the doubles themselves. u is 2**-53, n the
number of data, k their condition: the root of one plus the squared mean over the variance (Chan, Golub & LeVeque 1983,
"Algorithms for computing the sample variance: analysis and recommendations", The American Statistician 37, 242-247).
Deviations from a mean are taken in two passes, whose error is n u + (n k u)**2 there (table 1). Chunks are merged by
the differences of their means, each of which is off by units of the mean, so k u times a small number is added; one
pass over squares would lose k**2 u, which is everything here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import dask.array as da
import numpy as np
import pytest
from dask.array import stats
from honest import lazy, same

from arrayshim import strict

U = 2.0**-53
RNG = np.random.default_rng(8)
N = 300
FAR = 1e8 + RNG.normal(size=(N, 3))
METHODS = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull"),
    *("linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"),
)
CHUNKS = ((N, 3), (60, 2), ((7, 93, 200), 3))


def host(x):
    """The value, and that it and its meta are on the device."""
    value = x.compute(scheduler="sync")
    assert type(value) is type(x._meta) is strict.StrictArray
    return value.get()


def central_moments(column, order):
    """Of one column, exactly, as a fraction."""
    values = [Fraction(float(v)) for v in column]
    mean = sum(values) / len(values)
    return sum((v - mean) ** order for v in values) / len(values)


def two_passes(column, chunks=1):
    """The relative error that a variance in two passes may have, and in chunks.

    The sums of chunks are pairwise, off by units of about log2(n) = 8; no chunk's mean differs by more than one
    deviation from the mean of all, and that difference counts twice in its square.
    """
    spread = float(central_moments(column, 2))
    condition = (1 + float(np.mean(column)) ** 2 / spread) ** 0.5
    return 4 * (len(column) * U + (len(column) * condition * U) ** 2) + (16 * condition * U if chunks > 1 else 0)


VARIANCES = np.array([float(central_moments(c, 2)) for c in FAR.T])
ERROR = max(two_passes(c) for c in FAR.T)


@pytest.fixture(params=CHUNKS, ids=["one chunk", "even", "uneven"])
def far(request):
    return lazy(FAR, chunks=request.param)


def test_the_data_would_show_one_pass():
    one = (FAR**2).mean(axis=0) - FAR.mean(axis=0) ** 2
    assert np.all(abs(one / VARIANCES - 1) > 1e5 * ERROR)


@pytest.mark.parametrize("name", ["var", "nanvar"])
def test_variances(far, name):
    error = max(two_passes(c, far.numblocks[0]) for c in FAR.T)
    np.testing.assert_allclose(host(getattr(da, name)(far, axis=0)), VARIANCES, rtol=error)
    deviations = host(getattr(da, name.replace("var", "std"))(far, axis=0, ddof=1))
    np.testing.assert_allclose(deviations, np.sqrt(VARIANCES * N / (N - 1)), rtol=error)


def test_variances_of_single_precision():
    # dask takes the moments of float32 data in float64, so the bound is that of double.
    x = (1e4 + RNG.normal(size=(N, 3))).astype(np.float32)
    exact = np.array([float(central_moments(c, 2)) for c in x.T])
    error = max(two_passes(c, 5) for c in x.T)
    found = da.var(lazy(x, chunks=(70, 2)), axis=0, dtype="f8")
    np.testing.assert_allclose(host(found), exact, rtol=error)


@pytest.mark.parametrize("order", [3, 4])
def test_moments(far, order):
    # A deviation is off by the error of the mean, n u times it; to first order the moment by `order` such.
    exact = np.array([float(central_moments(c, order)) for c in FAR.T])
    size = np.array([np.mean(abs(c - c.mean()) ** (order - 1)) for c in FAR.T])
    allowed = order * size * N * U * 1e8 + N * U * abs(exact)
    assert np.all(abs(host(da.moment(far, order, axis=0)) - exact) <= allowed)


@pytest.mark.parametrize("name", ["skew", "kurtosis"])
def test_shapes_of_distributions(far, name):
    order = 3 if name == "skew" else 4
    exact = np.array([float(central_moments(c, order)) for c in FAR.T]) / VARIANCES ** (order / 2)
    exact = exact - (3 if name == "kurtosis" else 0)
    # As for the moment, whose size is that of a power of the deviation, at most 10 for these data.
    assert np.all(abs(host(getattr(stats, name)(far)) - exact) <= 10 * order * N * U * 1e8)


def test_a_t_test_of_two_means_that_agree_in_eight_digits(far):
    # The difference of the means is off by n u times them; the statistic by that over its standard error.
    other = FAR[::-1] + 0.25
    found = stats.ttest_ind(far, lazy(other, chunks=far.chunks))
    means = [np.array([float(sum(map(Fraction, map(float, c))) / N) for c in x.T]) for x in (FAR - 1e8, other - 1e8)]
    spread = np.array([float(central_moments(c, 2)) for c in other.T])
    error = np.sqrt((VARIANCES + spread) * N / (N - 1) / N)
    exact = (means[0] - means[1]) / error
    statistic = found[0].compute(scheduler="sync")
    assert type(statistic) is strict.StrictArray
    assert np.all(abs(statistic.get() - exact) <= 4 * N * U * 1e8 / error)


def test_covariances_of_nearly_collinear_data():
    # Rows that differ by 1e-7 of their deviations, far from zero: the products of deviations are sums of n terms, and
    # each deviation off by the rounding of the mean.
    base = RNG.normal(size=N)
    rows = 1e8 + np.stack([base, base + 1e-7 * RNG.normal(size=N), -2 * base])
    exact_rows = [[Fraction(float(v)) for v in row] for row in rows]
    centred = [[v - sum(row) / N for v in row] for row in exact_rows]
    exact = np.array(
        [[float(sum(a * b for a, b in zip(p, q, strict=True)) / (N - 1)) for q in centred] for p in centred]
    )
    x = lazy(rows, chunks=(2, 70))
    scale = np.sqrt(np.outer(np.diag(exact), np.diag(exact)))
    rounding = 4 * (N * U + N * U * 1e8 / base.std() * U * N * 1e8 / base.std()) + 4 * U * 1e8 * N * U
    assert np.all(abs(host(da.cov(x)) - exact) <= rounding * scale)
    correlated = exact / scale
    found = host(da.corrcoef(x))
    assert np.all(abs(found - correlated) <= 2 * rounding)
    assert np.all(abs(np.diag(found) - 1) <= 4 * U)


def test_averages_that_cancel():
    # H. (4.4) of Higham 2002: the error of a sum is n u times the sum of magnitudes, however small it is itself.
    x = np.concatenate(
        [np.array([1e16, -1e16, 1.0, 1e16, -1e16]), RNG.normal(size=95) * 10.0 ** RNG.integers(-9, 9, 95)]
    )
    w = RNG.random(100)
    exact = float(
        sum(Fraction(float(a)) * Fraction(float(b)) for a, b in zip(x, w, strict=True)) / sum(map(Fraction, w))
    )
    found = host(da.average(lazy(x, chunks=17), weights=lazy(w, chunks=17)))
    assert abs(found - exact) <= 100 * U * (abs(x) * w).sum() / w.sum() * 2


NUMBERS = {
    "of every size": RNG.normal(size=(4, 25)) * 10.0 ** RNG.integers(-300, 300, size=(4, 25)),
    "equal": RNG.integers(0, 3, size=(4, 25)).astype(float),
    "subnormal": RNG.integers(-9, 9, size=(4, 25)) * 5e-324,
    "the next ones": 1 + RNG.integers(0, 5, size=(4, 25)) * 2.0**-52,
    "infinite": np.where(RNG.random((4, 25)) < 0.3, np.inf, RNG.normal(size=(4, 25))) * RNG.choice([1, -1], (4, 1)),
    "zeros of both signs": RNG.choice([0.0, -0.0], size=(4, 25)),
}


@pytest.mark.filterwarnings("ignore:(invalid value|overflow) encountered:RuntimeWarning")
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("kind", NUMBERS)
def test_quantiles_are_numpys_bit_for_bit(kind, method):
    # The same two neighbours and the same arithmetic: nothing is left for a tolerance.
    x = NUMBERS[kind]
    q = np.array([0.0, 1e-17, 0.1, 1 / 3, 0.5, 0.75, 1 - 2.0**-53, 1.0])
    holes = np.where(RNG.random(x.shape) < 0.2, np.nan, x)
    for axis in (1, (0, 1)):
        same(
            da.quantile(lazy(x, chunks=(2, 9)), q, axis=axis, method=method),
            np.quantile(x, q, axis=axis, method=method),
        )
        expected = np.nanquantile(holes, q, axis=axis, method=method)
        same(da.nanquantile(lazy(holes, chunks=(2, 9)), q, axis=axis, method=method), expected)


@pytest.mark.filterwarnings("ignore:(invalid value|overflow) encountered:RuntimeWarning")
@pytest.mark.parametrize("kind", NUMBERS)
def test_medians_are_numpys_bit_for_bit(kind):
    x = NUMBERS[kind]
    for data in (x, x[:, 1:]):
        same(da.median(lazy(data, chunks=(2, 9)), axis=1), np.median(data, axis=1))
        same(da.nanmedian(lazy(data, chunks=(2, 9)), axis=1), np.nanmedian(data, axis=1))


# Tenths, thirds and sevenths lie on edges that linspace rounds, and beside them are their neighbours.
POINTS = np.concatenate([np.arange(0, 31) / d for d in (3, 7, 10)])
POINTS = np.concatenate([POINTS, np.nextafter(POINTS, np.inf), np.nextafter(POINTS, -np.inf), [-0.0, 5e-324, np.nan]])


@pytest.mark.parametrize(
    ("bins", "low", "high"), [(10, 0, 1), (7, 0, 1), (30, 0, 3), (21, 0, 3), (3, -1e-300, 1e-300), (9, 1, 1)]
)
def test_points_on_rounded_edges(bins, low, high):
    # Counts are of whole numbers: they agree, or a point has fallen on the wrong side of an edge.
    points = POINTS[~np.isnan(POINTS)]
    edges = np.linspace(low, high, bins + 1) if low != high else np.linspace(low - 0.5, high + 0.5, bins + 1)
    placed = [sum(1 for p in points if a <= p < b) for a, b in pairwise(edges)]
    placed[-1] += int((points == edges[-1]).sum())
    x = lazy(points, chunks=50)
    if low != high:
        same(da.histogram(x, bins, (low, high))[0], np.array(placed))
        same(da.histogram2d(x, x, bins, ((low, high),) * 2)[0], np.diag(placed).astype(float))
    same(da.histogram(x, edges)[0], np.array(placed))
    same(da.digitize(x, edges), np.array([sum(1 for e in edges if e <= p) for p in points]))
    same(da.searchsorted(lazy(edges, chunks=4), x), np.array([sum(1 for e in edges if e < p) for p in points]))


def test_edges_as_integers_beyond_double_precision():
    # 2**53 + 1 is no double: compared as doubles it lies on the edge below it.
    x = np.array([2**53 - 1, 2**53, 2**53 + 1, 2**53 + 2, 2**62 + 1])
    edges = np.array([2**53, 2**53 + 1, 2**53 + 2, 2**62])
    same(da.digitize(lazy(x), edges), np.digitize(x, edges))
    same(da.searchsorted(lazy(edges), lazy(x)), np.searchsorted(edges, x))
