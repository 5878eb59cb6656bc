"""The computation of the demo against NumPy, and its expectations against the distributions they come from."""

from __future__ import annotations

import math

import dask.array as da
import numpy as np
import pytest
from scipy import stats

from arrayshim.conformance.benchmarks import workload


class Given:
    """Stands for a RandomState whose "random" array is known."""

    def __init__(self, values: np.ndarray) -> None:
        self.values = values

    def normal(self, loc, scale, *, size, chunks):
        assert (loc, scale, size) == (10, 1, self.values.shape)
        return da.from_array(self.values, chunks=chunks)


BY_HAND = {
    "sum": lambda y: y.sum(),
    "mean": lambda y: y.mean(),
    "std": lambda y: y.std(),
    "var": lambda y: y.var(),
    "argmax": lambda y: np.argmax(y, axis=1).mean(),
    "nanmean": lambda y: np.nanmean(y),
}


def test_every_operation_is_in_this_test():
    assert list(workload.OPS) == list(BY_HAND)


@pytest.mark.parametrize("op", BY_HAND)
@pytest.mark.parametrize(("n", "chunk"), [(12, 4), (13, 5), (7, 7), (2, 1)])
def test_operation_is_that_of_numpy(op, n, chunk):
    values = np.random.default_rng(5).normal(size=(n, n))
    y = workload.thinned(Given(values), n, chunk)
    assert y.shape == (math.ceil(n / 2),) * 2
    result = workload.OPS[op].build(y).compute(scheduler="synchronous")
    assert float(result) == pytest.approx(BY_HAND[op](values[::2, ::2] + 1), rel=1e-12)


def test_nanmean_ignores_nan():
    values = np.full((4, 4), np.nan)
    values[2, 2] = 4.0
    assert float(workload.OPS["nanmean"].build(workload.thinned(Given(values), 4, 2)).compute()) == 5.0


def distributions(m: int) -> dict[str, tuple[float, float]]:
    """Mean and standard deviation of each result as scipy has them, for m * m samples of N(11, 1)."""
    count = m * m
    total, squares, roots = stats.norm(11 * count, m), stats.chi2(count - 1), stats.chi(count - 1)
    index = stats.randint(0, m)
    return {
        "sum": (total.mean(), total.std()),
        "mean": (total.mean() / count, total.std() / count),
        "nanmean": (total.mean() / count, total.std() / count),
        "var": (squares.mean() / count, squares.std() / count),
        "std": (roots.mean() / m, roots.std() / m),
        "argmax": (index.mean(), index.std() / math.sqrt(m)),
    }


@pytest.mark.parametrize("op", BY_HAND)
@pytest.mark.parametrize("n", [3, 4, 9, 62, 63, 64, 401, 2000])
def test_expectations_are_those_of_the_distributions(op, n):
    value, stderr = distributions(math.ceil(n / 2))[op]
    assert workload.expected(op, n) == (pytest.approx(value, rel=1e-9), pytest.approx(stderr, rel=2e-3))


@pytest.mark.parametrize("op", BY_HAND)
def test_a_single_sample(op):
    # N(11, 1) itself for sum and means; no spread and no choice of an index.
    wanted = {"sum": (11, 1), "mean": (11, 1), "nanmean": (11, 1)}.get(op, (0, 0))
    assert workload.expected(op, 2) == workload.expected(op, 1) == wanted
    y = workload.thinned(Given(np.zeros((2, 2))), 2, 1)
    value = float(workload.OPS[op].build(y).compute())
    assert value == (0.0 if wanted == (0, 0) else 1.0)


def test_argmax_by_enumeration():
    # Three rows of three: each index 0, 1, 2 equally likely, 27 equally likely triples.
    means = [(a + b + c) / 3 for a in range(3) for b in range(3) for c in range(3)]
    assert workload.expected("argmax", 6) == pytest.approx((np.mean(means), np.std(means)))


def test_the_original_two_terabytes():
    assert workload.ORIGINAL_BYTES == 2 * 10**12
    assert workload.expected("sum", 500_000) == (11 * 250_000**2, 250_000)
    mean, stderr = workload.expected("std", 500_000)
    assert 1 - mean == pytest.approx(3 / 4 / 250_000**2, rel=1e-3)  # 1 - 1/(4N) of c4 and 1 - 1/(2N) of ddof=0
    assert stderr == pytest.approx(1 / math.sqrt(2) / 250_000)


@pytest.mark.parametrize(
    ("value", "expectation", "stderr", "word"),
    [
        (11.0, 11.0, 0.0, "ok"),
        (11.0 + 2e-15, 11.0, 0.0, "ok"),
        (11.1, 11.0, 0.0, "WRONG"),
        (16.9, 11.0, 1.0, "ok"),
        (5.1, 11.0, 1.0, "ok"),
        (17.1, 11.0, 1.0, "WRONG"),
        (4.9, 11.0, 1.0, "WRONG"),
        (math.nan, 11.0, 1.0, "WRONG"),
        (math.inf, 11.0, 1.0, "WRONG"),
    ],
)
def test_verdict(value, expectation, stderr, word):
    assert workload.verdict(value, expectation, stderr) == word


def test_numpy_chunks_are_those_of_dask():
    ours = workload.random_state(3, "numpy").normal(10, 1, size=(6, 6), chunks=4).compute()
    stock = da.random.RandomState(3).normal(10, 1, size=(6, 6), chunks=4).compute()
    assert type(ours) is np.ndarray
    assert (ours == stock).all()


def test_chunk_types_are_looked_at():
    y = da.map_blocks(np.ma.masked_array, da.ones((4, 6), chunks=2), meta=np.ones((0, 0)))  # a false meta
    assert workload.chunk_types(y, 2).compute() == ["numpy.MaskedArray"] * 2
    assert workload.chunk_types(da.ones((4, 6), chunks=2), 99).compute() == ["numpy.ndarray"] * 3


def test_warming_up_outlives_an_operation_that_raises(monkeypatch):
    called = []

    def fails(y):
        called.append("mean")
        raise TypeError("no")

    monkeypatch.setitem(workload.OPS, "mean", workload.Op("mean", fails, lambda m: (0.0, 0.0)))
    monkeypatch.setitem(workload.OPS, "sum", workload.Op("sum", lambda y: called.append("sum"), lambda m: (0.0, 0.0)))
    workload.warm_up(["mean", "sum"], "numpy", 1, 16)
    assert called == ["mean", "sum"]
