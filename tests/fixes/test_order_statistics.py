"""`order_statistics`: medians and quantiles of device chunks are those of NumPy, by every method, NaN and all."""

from __future__ import annotations

import types

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.order_statistics import FIX

RNG = np.random.default_rng(7)
DATA = RNG.normal(size=(4, 5, 6))
HOLES = np.where(RNG.random(DATA.shape) < 0.3, np.nan, DATA)
HOLES[1, 2] = np.nan
METHODS = (
    *("inverted_cdf", "averaged_inverted_cdf", "closest_observation", "interpolated_inverted_cdf", "hazen", "weibull"),
    *("linear", "median_unbiased", "normal_unbiased", "lower", "higher", "midpoint", "nearest"),
)

pytestmark = pytest.mark.filterwarnings("ignore:All-NaN slice encountered:RuntimeWarning")


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["order_statistics"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind=strict.StrictArray, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind, rtol=1e-14):
    with strict.conversions() as copied:
        value = result.compute(scheduler="sync")
    assert not copied.count
    assert type(value) is type(result._meta) is kind
    assert value.shape == result.shape
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    assert value.dtype == np.asarray(expected).dtype
    # One rounding of the interpolation may differ where NumPy fuses it.
    np.testing.assert_allclose(value.get(), expected, rtol=rtol, atol=0, strict=True)


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "numpy.nanquantile" in FIX.diagnose()
    assert FIX.diagnose() is None


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("method", METHODS)
def test_every_method(name, method, kind):
    x = HOLES if name == "nanquantile" else DATA
    q = [0.0, 0.1, 0.5, 0.8, 1.0]
    for axis in (0, -1, (0, 2)):
        expected = getattr(np, name)(x, q, axis=axis, method=method)
        same(getattr(da, name)(lazy(x, kind), q, axis=axis, method=method), expected, kind)


@pytest.mark.parametrize("name", ["median", "nanmedian"])
@pytest.mark.parametrize("axis", [0, -1, (0, 2), [1, 2], (0, 1, 2)])
def test_medians(name, axis, kind):
    for x in (DATA, HOLES, DATA[:, :, 1:], (DATA * 9).astype("i4"), (DATA * 9).astype("f2"), DATA > 0):
        for keepdims in (False, True):
            taken = tuple(axis) if isinstance(axis, list) else axis
            expected = getattr(np, name)(x, axis=taken, keepdims=keepdims)
            same(getattr(da, name)(lazy(x, kind, (2, 3, 4)), axis=axis, keepdims=keepdims), expected, kind)


@pytest.mark.filterwarnings("ignore:(Mean of empty slice|invalid value):RuntimeWarning")
@pytest.mark.parametrize("dtype", ["f8", "f4", "i4", "?"])
def test_the_middle_of_nothing(kind, dtype):
    x = np.zeros((0, 3), dtype)
    for name in ("median", "nanmedian"):
        for keepdims in (False, True):
            expected = np.median(x, axis=0, keepdims=keepdims)
            same(getattr(da, name)(lazy(x, kind), axis=0, keepdims=keepdims), expected, kind)
        same(getattr(da, name)(lazy(x, kind, 3), axis=1), np.median(x, axis=1), kind)


def test_one_number_for_all_is_not_read_while_the_graph_is_built(kind):
    with strict.conversions() as read:
        da.median(lazy(DATA, kind), axis=(0, 1, 2))
        da.nanmedian(lazy(DATA > 0, kind), axis=(0, 1, 2))
        da.quantile(lazy(DATA, kind), 0.3, axis=(0, 1, 2))
    assert not read.count


def test_infinities_and_what_is_nearly_one_are_not_taken_for_nan(kind):
    big = np.finfo("f8").max
    x = np.array([[1.0, np.nan, np.inf], [big, np.nan, np.nan], [-np.inf, 2.0, np.inf], [-np.inf, -np.inf, np.nan]])
    same(da.nanmedian(lazy(x, kind), axis=1), np.array([np.inf, big, 2.0, -np.inf]), kind)
    lowest = np.array([1.0, big, -np.inf, -np.inf])
    same(da.nanquantile(lazy(x, kind), 0.0, axis=1, method="lower"), lowest, kind)


def test_nan_spoils_a_quantile_and_is_skipped_by_its_twin(kind):
    x = np.array([[3.0, np.nan, 1.0], [5.0, 2.0, 7.0], [np.nan, np.nan, np.nan]])
    same(da.quantile(lazy(x, kind), 0.5, axis=1), np.array([np.nan, 5.0, np.nan]), kind)
    same(da.median(lazy(x, kind), axis=1), np.array([np.nan, 5.0, np.nan]), kind)
    same(da.nanquantile(lazy(x, kind), 0.5, axis=1), np.array([2.0, 5.0, np.nan]), kind)


@pytest.mark.parametrize("dtype", ["f4", "f2", "i2", "u1"])
def test_the_dtype_is_that_of_numpy_backed_dask(dtype, kind):
    x = np.abs(DATA * 20).astype(dtype)
    for q in (0.3, [0.2, 0.7], np.float32(0.25), np.array(0.25), np.array([0.1, 0.9], "f4"), 1):
        for method in ("linear", "hazen", "nearest"):
            for name in ("quantile", "nanquantile"):
                expected = getattr(da, name)(da.from_array(x, chunks=2), q, axis=1, method=method)
                ours = getattr(da, name)(lazy(x, kind), q, axis=1, method=method)
                same(ours, expected.compute(scheduler="sync"), kind, rtol=1e-3 if dtype == "f2" else 1e-6)


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
def test_q_of_every_kind(name, kind):
    x = lazy(DATA, kind)
    call, numpys = getattr(da, name), getattr(np, name)
    table = [np.array([[0.1, 0.2], [0.3, 0.4]])] if name == "quantile" else []  # NumPy's nanquantile mixes its axes up
    for q in (0.3, [0.3], (0.1, 0.2), np.array(0.4), *table):
        same(call(x, q, axis=1), numpys(DATA, q, axis=1), kind)
        same(call(x, strict.asarray(np.asarray(q), kind=kind), axis=1), numpys(DATA, np.asarray(q), axis=1), kind)
        same(call(x, q, axis=(0, 1), keepdims=True), numpys(DATA, q, axis=(0, 1), keepdims=True), kind)
    whole = lazy(DATA, kind, chunks=-1)
    same(call(whole, [0.2, 0.9]), numpys(DATA, [0.2, 0.9]), kind)


def test_percentiles_of_more_dimensions_follow(kind):
    same(da.percentile(lazy(DATA, kind), [10, 80], axis=1), np.percentile(DATA, [10, 80], axis=1), kind)
    same(da.nanpercentile(lazy(HOLES, kind), 30, axis=0), np.nanpercentile(HOLES, 30, axis=0), kind)
    same(np.nanpercentile(lazy(HOLES, kind), 30, axis=0), np.nanpercentile(HOLES, 30, axis=0), kind)


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("place", ["host", "list", "device", "dask host", "dask device"])
def test_weights_of_every_kind(name, place, kind):
    weights = np.random.default_rng(3).integers(0, 4, size=DATA.shape).astype(float)
    weights[0] = weights[:, 0] = weights[:, :, 0] = 1.0
    there = {
        "host": lambda w: w,
        "list": lambda w: w.tolist(),
        "device": lambda w: strict.asarray(w, kind=kind),
        "dask host": lambda w: da.from_array(w, chunks=3),
        "dask device": lambda w: lazy(w, kind, chunks=3),
    }[place]
    for axis, w in ((1, weights), (1, weights[0, :, 1]), ((2, 0), weights[:, 1].T)):
        given = {"axis": axis, "method": "inverted_cdf"}
        full = (
            w
            if w.ndim == 3
            else np.broadcast_to(
                np.expand_dims(w.T if w.ndim == 2 else w, *((1,) if w.ndim == 2 else ((0, 2),))), DATA.shape
            )
        )
        expected = getattr(np, name)(DATA, [0.2, 0.5], weights=full, **given)
        same(getattr(da, name)(lazy(DATA, kind), [0.2, 0.5], weights=there(w), **given), expected, kind)


def test_what_numpy_refuses_is_refused_while_the_graph_is_built(kind):
    x = lazy(DATA, kind)
    with pytest.raises(ValueError, match=r"must be in the range \[0, 1\]"):
        da.quantile(x, 1.5, axis=0)
    with pytest.raises(ValueError, match="not a valid method"):
        da.nanquantile(x, 0.5, axis=0, method="best")
    with pytest.raises(NotImplementedError, match="only works along an axis"):
        da.quantile(x, 0.5)
    with pytest.raises(NotImplementedError, match="only works along an axis"):
        da.median(x)
    with pytest.raises(NotImplementedError, match="overwrite_input"):
        da.quantile(x, 0.5, axis=0, overwrite_input=True)
    with pytest.raises(ValueError, match="weights have the shape"):
        da.quantile(x, 0.5, axis=0, weights=lazy(np.ones(3), kind), method="inverted_cdf")
    with pytest.raises(TypeError, match="real numbers"):
        da.quantile(lazy(DATA * 1j, kind), 0.5, axis=0)


def test_the_old_name_of_method(kind):
    with pytest.warns(FutureWarning, match="renamed to `method`"):
        found = da.quantile(lazy(DATA, kind), 0.4, axis=0, interpolation="lower")
    same(found, np.quantile(DATA, 0.4, axis=0, method="lower"), kind)
    with pytest.warns(FutureWarning, match="renamed"), pytest.raises(TypeError, match="interpolation and method"):
        da.nanquantile(lazy(DATA, kind), 0.4, axis=0, method="higher", interpolation="lower")


def test_numbagg_is_not_asked_about_device_chunks(kind, monkeypatch):
    def refuse(*args, **kwargs):
        raise AssertionError("numbagg works on NumPy arrays")

    monkeypatch.setattr(da.reductions, "HAS_NUMBAGG", True)
    monkeypatch.setattr(
        da.reductions, "numbagg", types.SimpleNamespace(nanquantile=refuse, nanmedian=refuse), raising=False
    )
    same(da.nanquantile(lazy(HOLES, kind), 0.5, axis=1), np.nanquantile(HOLES, 0.5, axis=1), kind)
    same(da.nanmedian(lazy(HOLES, kind), axis=1), np.nanmedian(HOLES, axis=1), kind)


@pytest.mark.filterwarnings("ignore:.*will ignore the 'mask':UserWarning")
@pytest.mark.parametrize("x", [DATA, np.ma.masked_greater(DATA, 1)], ids=["ndarray", "masked"])
def test_numpy_chunks_are_as_before(x):
    calls = (
        lambda x: da.median(x, axis=1),
        lambda x: da.quantile(x, [0.2, 0.7], axis=(0, 1), keepdims=True),
        lambda x: da.nanquantile(x, 0.3, axis=-1),
        lambda x: da.nanmedian(x, axis=0),
    )
    for call in calls:
        with arrayshim.scope(only=()):
            stock = call(da.from_array(x, chunks=3, asarray=False)).compute(scheduler="sync")
        with arrayshim.scope(only=["order_statistics"]):
            ours = call(da.from_array(x, chunks=3, asarray=False)).compute(scheduler="sync")
        assert type(ours) is type(stock)
        np.testing.assert_array_equal(ours, stock, strict=True)


def test_a_million_to_one(kind):
    # Interpolation between numbers that hardly differ, and between far ones.
    x = np.concatenate([1e15 + np.arange(40.0), -1e-300 * np.arange(1, 30), [1e300]])[None]
    for q in (0.123, 0.456, 0.987):
        same(da.quantile(lazy(x, kind, -1), q, axis=1), np.quantile(x, q, axis=1), kind)
