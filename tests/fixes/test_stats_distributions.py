"""`stats_distributions`: the tests of dask.array.stats, on chunks of any type."""

from __future__ import annotations

import subprocess
import sys

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.stats
from dask.array import stats
from honest import lazy
from numpy.lib.mixins import NDArrayOperatorsMixin

import arrayshim
from arrayshim import strict
from arrayshim.errors import UnsupportedError
from arrayshim.fixes.stats_distributions import FIX, sf_chi2, sf_norm, sf_t

ONE = np.fromfunction(lambda i, j: np.sin(i * i + 3 * j), (24, 3))
TWO = np.fromfunction(lambda i, j: np.cos(i + j * j) + 0.4 * j, (24, 3))
COUNTS = ONE * ONE + 1

TESTS = {
    "ttest_ind": (("ttest_ind", (ONE, TWO), {})),
    "ttest_ind unequal": (("ttest_ind", (ONE, TWO), {"equal_var": False})),
    "ttest_ind axis": (("ttest_ind", (ONE, TWO), {"axis": 1})),
    "ttest_1samp": (("ttest_1samp", (ONE, 0.5), {})),
    "ttest_rel": (("ttest_rel", (ONE, TWO), {})),
    "ttest_rel 1d": (("ttest_rel", (ONE[:, 0], TWO[:, 0]), {})),
    "chisquare": (("chisquare", (COUNTS,), {})),
    "power_divergence": (("power_divergence", (COUNTS,), {"lambda_": "log-likelihood"})),
    "power_divergence ddof": (("power_divergence", (COUNTS[:, 0],), {"ddof": 1})),
    "skewtest": (("skewtest", (ONE,), {})),
    "skewtest 1d": (("skewtest", (ONE[:, 1],), {})),
    "kurtosistest": (("kurtosistest", (ONE,), {})),
    "normaltest": (("normaltest", (ONE,), {})),
    "f_oneway": (("f_oneway", (ONE[:, 0], TWO[:, 0]), {})),
}

each_test = pytest.mark.parametrize(("name", "args", "kwargs"), TESTS.values(), ids=list(TESTS))


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    needed = ["stats_distributions", "numel", "device_reductions", "mixed_operands", "inferred_meta", "ufunc_missing"]
    with arrayshim.scope(only=[*needed, "chosen_on_device"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "Implicit conversion" in FIX.diagnose()
        with pytest.raises(TypeError, match="Implicit conversion"):
            dask.compute(*stats.chisquare(lazy(COUNTS, kind, (8, 2)), lazy(TWO + 3, kind, (8, 2))), scheduler="sync")
    assert FIX.diagnose() is None


@each_test
@pytest.mark.parametrize("rows", [5, 8, 24])
def test_as_scipy_has_it(kind, rows, name, args, kwargs):
    def device(x):
        return lazy(x, kind, (rows, 2)[: x.ndim]) if isinstance(x, np.ndarray) else x

    with strict.conversions() as moved:
        found = dask.compute(*getattr(stats, name)(*map(device, args), **kwargs), scheduler="sync")
    assert moved.count == 0
    for ours, theirs in zip(found, getattr(scipy.stats, name)(*args, **kwargs), strict=True):
        assert type(ours) is kind
        assert ours.dtype == np.float64
        # Moments of 24 numbers of order 1, and what comes of them.
        np.testing.assert_allclose(ours.get(), theirs, rtol=1e-11)


@each_test
def test_numpy_chunks_as_before(name, args, kwargs):
    lazily = [da.from_array(x, chunks=(8, 2)[: x.ndim]) if isinstance(x, np.ndarray) else x for x in args]
    with arrayshim.scope(only=()):
        stock = dask.compute(*getattr(stats, name)(*lazily, **kwargs), scheduler="sync")
    with arrayshim.scope(only=["stats_distributions"]):
        ours = dask.compute(*getattr(stats, name)(*lazily, **kwargs), scheduler="sync")
    for found, expected in zip(ours, stock, strict=True):
        assert type(found) is type(expected)
        np.testing.assert_array_equal(found, expected, strict=True)


#: Small, where tails say little; and large, where they are small; and what is not finite.
POINTS = np.array([0.0, 1e-300, 1e-12, 1e-6, 1e-3, 0.1, 0.5, 1.0, 1.7, 3.0, 8.0, 36.0, 1e3, 1e100, np.inf, np.nan])


def test_tails_of_cauchy():
    """With one degree of freedom, by the arcus tangent; SciPy's own is 3e-11 off in the middle."""
    x = np.concatenate([POINTS, -POINTS])
    found = sf_t(strict.asarray(x), 1).get()
    np.testing.assert_allclose(found, np.arctan2(1.0, x) / np.pi, rtol=1e-14)


@pytest.mark.parametrize("df", [0.3, 2.5, 3, 30, 1e3, 1e6, 1e9])
def test_tails_of_student(df):
    x = np.concatenate([POINTS, -POINTS])
    found = sf_t(strict.asarray(x), df).get()
    # Few degrees of freedom: what SciPy itself is good for. Many: df / 2 roundings, where nothing better is known.
    np.testing.assert_allclose(found, scipy.stats.t.sf(x, df), rtol=max(2e-13, df * 2.3e-16), atol=1e-300)
    near = np.array([1e-12, 1e-6, 1e-3, 0.1, 1.0])
    middle = 0.5 - sf_t(strict.asarray(near), df).get()
    np.testing.assert_allclose(middle, 0.5 - scipy.stats.t.sf(near, df), rtol=1e-12, atol=3e-16)


@pytest.mark.parametrize("df", [0.5, 1, 2, 7.5, 100, 1e4])
def test_tails_of_chi_squared(df):
    x = np.concatenate([POINTS, [-1.0, -1e-20, 700.0]])
    found = sf_chi2(strict.asarray(x), df).get()
    np.testing.assert_allclose(found, scipy.stats.chi2.sf(x, df), rtol=1e-12, atol=1e-300)


def test_tails_of_the_normal_distribution():
    x = np.concatenate([POINTS[:-3], -POINTS])
    np.testing.assert_allclose(sf_norm(strict.asarray(x)).get(), scipy.stats.norm.sf(x), rtol=1e-13, atol=1e-300)


@pytest.mark.parametrize("df", [0, -1.0, float("nan"), np.array([0.0, -3.0, np.nan])])
def test_degrees_of_freedom_that_are_none(df):
    df = strict.asarray(df) if isinstance(df, np.ndarray) else df
    for function in (sf_t, sf_chi2):
        assert np.isnan(function(strict.asarray(np.array([0.5, 1.0, 2.0])), df).get()).all()


@pytest.mark.parametrize("dtype", ["f4", "i4", "f8"])
def test_probabilities_are_double(dtype):
    x = np.array([0, 1, 2], dtype)
    found = sf_t(strict.asarray(x), 3).get()
    np.testing.assert_allclose(found, scipy.stats.t.sf(x, 3), rtol=1e-13, strict=True)


class Bare(NDArrayOperatorsMixin):
    """An array type that knows NumPy's ufuncs and no others."""

    def astype(self, dtype):
        return self

    def __array_ufunc__(self, ufunc, method, *inputs, **kwargs):
        return self if hasattr(np, ufunc.__name__) else NotImplemented


@pytest.mark.parametrize(("function", "args"), [(sf_t, (3,)), (sf_chi2, (3,)), (sf_norm, ())])
def test_a_library_without_special_functions_is_told_clearly(function, args):
    told = r"chunks of type Bare: .*scipy\.special\.\w+ of its own; .*scipy\.stats"
    with pytest.raises(UnsupportedError, match=told):
        function(Bare(), *args)


@pytest.mark.parametrize("order", ["arrayshim first", "stats first"])
def test_whoever_is_imported_first(order):
    """dask does not import dask.array.stats; nor does arrayshim; and the repair is there, and goes, either way."""
    lines = ["import sys", "import dask.array", "import arrayshim", "assert 'dask.array.stats' not in sys.modules"]
    lines += ["assert 'scipy.stats' not in sys.modules", "from dask.array import stats"]
    if order == "stats first":
        lines = ["import sys", "from dask.array import stats", "import arrayshim"]
    lines += [
        "ours = lambda: type(stats.distributions).__module__.startswith('arrayshim')",
        "assert ours()",
        "assert {s.id: s.state for s in arrayshim.status()}['stats_distributions'] == 'applied'",
        "arrayshim.disable()",
        "assert not ours()",
        "arrayshim.enable()",
        "assert ours()",
        "assert stats.distributions.expon.sf(0.0) == 1.0",
    ]
    done = subprocess.run([sys.executable, "-c", "\n".join(lines)], capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
