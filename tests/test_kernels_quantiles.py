"""Quantiles, percentiles and moments by the kernels, against NumPy."""

from __future__ import annotations

import pickle
import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
from duck import as_duck
from hypothesis import given, settings
from hypothesis import strategies as st

from arrayshim import kernels, strict
from arrayshim.kernels import order_statistics, quantiles


@pytest.mark.parametrize("make", [strict.asarray, as_duck, np.ma.asarray])
@pytest.mark.parametrize("q", [-1, 100.5, np.nan, [0, np.nan], np.array([0.5, 101.0])])
def test_host_quantiles_out_of_range_are_refused_in_numpys_words(make, q):
    x = make(np.arange(4.0))
    for name in ("percentile", "nanpercentile"):
        for kernel in (kernels.TABLES[name], getattr(np, name)):
            with pytest.raises(ValueError, match=r"^Percentiles must be in the range \[0, 100\]$"):
                kernel(np.arange(4.0) if kernel is getattr(np, name) else x, q)
    for name in ("quantile", "nanquantile"):
        with pytest.raises(ValueError, match=r"^Quantiles must be in the range \[0, 1\]$"):
            kernels.TABLES[name](x, np.divide(q, 50))
    if not isinstance(x, np.ma.MaskedArray):
        with pytest.raises(ValueError, match="Percentiles must be"):
            kernels.chunk_percentile(x, np.atleast_1d(q))


def test_kernels_of_quantiles_travel_by_name():
    for name in ("quantile", "nanquantile", "percentile", "nanpercentile"):
        kernel = getattr(quantiles, name)
        assert pickle.loads(pickle.dumps(kernel)) is kernel
        assert kernel.__doc__


ELEMENTS = st.one_of(st.integers(-50, 50).map(float), st.just(np.nan), st.floats(-1e6, 1e6, width=32))
FRACTIONS = st.floats(0, 1).map(lambda q: round(q, 3))


@st.composite
def samples(draw, elements=ELEMENTS):
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple))
    values = draw(st.lists(elements, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    dtype = draw(st.sampled_from(["f8", "f4", "i8", "u1"]))
    host = np.array(values).reshape(shape)
    host = np.nan_to_num(np.abs(host)).astype("i8").astype(dtype) if dtype in ("i8", "u1") else host.astype(dtype)
    axes = [None, *range(-len(shape), len(shape)), tuple(range(len(shape)))[-2:]]
    return host, draw(st.sampled_from(axes))


QUANTITIES = st.one_of(
    FRACTIONS, st.sampled_from([0, 1, 0.5, 1.0]), st.lists(FRACTIONS, min_size=1, max_size=4), FRACTIONS.map(np.float32)
)


@settings(max_examples=100, deadline=None)
@given(samples(), QUANTITIES, st.sampled_from(sorted(order_statistics.METHODS)), st.booleans(), st.booleans())
def test_quantiles_equal_numpys(case, q, method, keepdims, skip):
    host, axis = case
    name = "nanquantile" if skip else "quantile"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np, name)(host, q, axis=axis, method=method, keepdims=keepdims)
        got = kernels.TABLES[name](strict.asarray(host), q, axis=axis, method=method, keepdims=keepdims)
    assert type(got) is strict.StrictArray
    if not (skip and np.isnan(host).any() and host.dtype == np.float32):
        # Of float32 with NaN, the dtype of NumPy's result depends on whether the first slice is all NaN.
        assert got.dtype == np.asarray(expected).dtype
    assert got.shape == np.shape(expected)
    np.testing.assert_array_equal(got.get(), expected)


@settings(max_examples=30, deadline=None)
@given(samples(), st.lists(st.integers(0, 100), min_size=1, max_size=3), st.booleans())
def test_percentiles_equal_numpys(case, q, skip):
    host, axis = case
    name = "nanpercentile" if skip else "percentile"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np, name)(host, q, axis=axis)
        got = kernels.TABLES[name](strict.asarray(host), q, axis=axis)
    np.testing.assert_array_equal(got.get(), expected)


@settings(max_examples=40, deadline=None)
@given(samples(elements=st.one_of(st.integers(-9, 9).map(float), st.just(np.nan))), st.data(), st.booleans())
def test_weighted_quantiles_equal_numpys(case, data, skip):
    host, axis = case
    whole = data.draw(st.booleans()) or not isinstance(axis, int)
    shape = host.shape if whole else (host.shape[axis],)
    count = int(np.prod(shape))
    weights = np.array(data.draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))).reshape(shape)
    q = data.draw(st.lists(FRACTIONS, min_size=1, max_size=3))
    name = "nanquantile" if skip else "quantile"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        wide = (
            weights
            if whole or not skip
            else np.broadcast_to(
                weights.reshape([-1 if i == axis % host.ndim else 1 for i in range(host.ndim)]), host.shape
            )
        )
        expected = getattr(np, name)(host, q, axis=axis, method="inverted_cdf", weights=wide)
        got = kernels.TABLES[name](strict.asarray(host), q, axis=axis, method="inverted_cdf", weights=weights)
    np.testing.assert_array_equal(got.get(), expected)


def test_quantiles_written_to_out_and_from_device_quantities():
    x = strict.asarray([4.0, 1.0, 3.0])
    out = strict.asarray([0.0, 0.0])
    assert kernels.quantile(x, strict.asarray([0.5, 1.0]), out=out) is out
    assert out.get().tolist() == [3, 4]
    with strict.conversions() as seen:
        kernels.nanquantile(x, [0.2, 0.4], axis=0)
        kernels.quantile(x, strict.asarray(0.5))
    assert seen.count == 0


def test_quantile_errors_are_numpys():
    x = strict.asarray([[1.0, 2.0]])
    for args, options, error in (
        ((x, 0.5), {"method": "guess"}, ValueError),
        ((x, np.zeros((1, 1, 1))), {}, ValueError),
        ((x, 0.5), {"axis": 2}, np.exceptions.AxisError),
        ((x + 1j, 0.5), {}, TypeError),
        ((x[:0], 0.5), {"axis": 0}, IndexError),
        ((x, 0.5), {"weights": [1.0, 2.0]}, ValueError),
        ((x, 0.5), {"weights": [1.0, 2.0], "method": "inverted_cdf"}, TypeError),
        ((x, 0.5), {"weights": [1.0, 2.0, 3.0], "method": "inverted_cdf", "axis": 1}, ValueError),
    ):
        with pytest.raises(error):
            kernels.quantile(*args, **options)
        with pytest.raises(error):
            np.quantile(args[0].get(), *args[1:], **options)


@settings(max_examples=40, deadline=None)
@given(samples(elements=st.integers(-9, 9).map(float)), st.integers(2, 6), st.booleans())
def test_moments_are_means_of_powers(case, order, keepdims):
    host, axis = case
    got = kernels.moment(strict.asarray(host), order, axis=axis, keepdims=keepdims)
    wide = host.astype("f8")
    expected = np.mean((wide - wide.mean(axis=axis, keepdims=True)) ** order, axis=axis, keepdims=keepdims)
    assert type(got) is strict.StrictArray
    assert got.dtype == np.var(np.ones(1, host.dtype)).dtype
    assert got.shape == np.shape(expected)
    scale = 20.0**order
    np.testing.assert_allclose(got.get() / scale, expected / scale, atol=1e-5 if host.dtype == np.float32 else 1e-13)


def test_moments_of_known_numbers():
    host = np.array([1.0, 2.0, 4.0, 9.0])
    x = strict.asarray(host)
    assert kernels.moment(x, 2).get() == 9.5  # (9 + 4 + 0 + 25) / 4
    assert kernels.moment(x, 3).get() == 22.5  # (-27 - 8 + 0 + 125) / 4
    assert kernels.moment(x, 2, ddof=2).get() == 19
    assert np.isnan(kernels.moment(x, 2, ddof=5).get())
    assert (kernels.moment(x, 0).get(), kernels.moment(x, 1).get()) == (1, 0)
    assert kernels.moment(x, 4, dtype="f4").dtype == np.float32
    np.testing.assert_allclose(kernels.moment(x, 4).get(), scipy.stats.moment(host, order=4), rtol=1e-14)
    assert kernels.moment(strict.asarray([1j, -1j]), 2).get() == 1
    masked = np.ma.array([1.0, 2.0, 4.0, 9.0, 1000.0], mask=[0, 0, 0, 0, 1])
    assert kernels.moment(masked, 2) == 9.5
