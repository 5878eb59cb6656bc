"""The public reductions: one name for NumPy arrays, device arrays, dask arrays of both, and sequences."""

from __future__ import annotations

import inspect
import pickle
import warnings

import dask.array as da
import numpy as np
import pytest
import scipy.stats
import sparse
from duck import Duck, as_duck
from hypothesis import given, settings
from hypothesis import strategies as st

import arrayshim
from arrayshim import reductions, strict
from arrayshim.errors import UnsupportedError

HOST = np.random.default_rng(3).normal(2, 3, size=(6, 8)).round(3)
HOLES = np.where(HOST > 5, np.nan, HOST)

#: Further arguments of each function that has any.
ARGUMENTS = {"moment": (3,), "quantile": (0.3,), "nanquantile": ([0.3, 0.4],), "percentile": (30,)}
NAMES = [name for name in reductions.__all__ if name != "moment"]
MOMENT = {"axis=0": ((HOST - HOST.mean(axis=0)) ** 3).mean(axis=0), "": np.mean((HOST - HOST.mean()) ** 3)}


def case(name):
    host = HOLES if name.startswith("nan") else HOST / 5 if name in ("prod", "cumprod") else HOST
    return host, getattr(arrayshim, name), getattr(np, name), ARGUMENTS.get(name, ())


@pytest.mark.parametrize("name", NAMES)
def test_numpy_arrays_get_numpys_own_result(name):
    host, ours, numpys, args = case(name)
    for options in ({}, {"axis": 0}, {"axis": 1}):
        got, expected = ours(host, *args, **options), numpys(host, *args, **options)
        assert type(got) is type(expected)
        assert np.asarray(got).tobytes() == np.asarray(expected).tobytes()
        rows = ours(host.tolist(), *args, **options)
        assert np.asarray(rows).tobytes() == np.asarray(expected).tobytes()


@pytest.mark.parametrize("make", [strict.asarray, as_duck])
@pytest.mark.parametrize("name", NAMES)
def test_device_arrays_stay_where_they_are(name, make):
    host, ours, numpys, args = case(name)
    x = make(host)
    for options in ({}, {"axis": 0}, {"axis": -1}, {"keepdims": True}, {"axis": 1, "keepdims": True}):
        if name.startswith("cum"):
            options.pop("keepdims", None)
        with strict.conversions() as seen:
            got = ours(x, *args, **options)
        assert seen.count == 0
        assert type(got) is type(x)
        expected = np.asarray(numpys(host, *args, **options))
        assert (got.shape, got.dtype) == (expected.shape, expected.dtype)
        np.testing.assert_allclose(getattr(got, "data" if make is as_duck else "_host"), expected, rtol=1e-13)


@pytest.mark.parametrize("make", [np.asarray, strict.asarray], ids=["numpy", "strict"])
@pytest.mark.parametrize("name", NAMES)
def test_dask_arrays_stay_lazy_and_of_their_kind(name, make):
    host, ours, numpys, args = case(name)
    x = da.from_array(make(host), chunks=(4, 3), name=False)
    whole = name in ("median", "nanmedian", "quantile", "nanquantile", "percentile")
    for axis in (0, 1) if whole else (None, 0, 1):
        got = ours(x, *args, axis=axis)
        assert type(got) is da.Array
        assert type(got._meta) is type(make(host))
        computed = got.compute(scheduler="sync")
        expected = np.asarray(numpys(host, *args, axis=axis))
        assert got.dtype == computed.dtype == expected.dtype
        assert got.shape == expected.shape
        if make is strict.asarray:
            assert type(computed) is strict.StrictArray
            computed = computed.get()
        np.testing.assert_allclose(computed, expected, rtol=1e-10)


@pytest.mark.parametrize("make", [np.asarray, strict.asarray, as_duck], ids=["numpy", "strict", "duck"])
def test_moment_of_each_kind(make):
    for options, expected in (({"axis": 0}, MOMENT["axis=0"]), ({}, MOMENT[""])):
        got = arrayshim.moment(make(HOST), 3, **options)
        host = got.get() if make is strict.asarray else getattr(got, "data", got) if make is as_duck else got
        np.testing.assert_allclose(host, expected, rtol=1e-12)
        lazy = arrayshim.moment(da.from_array(make(HOST), chunks=(4, 3), name=False), 3, **options)
        assert type(lazy) is da.Array
        if make is not as_duck:  # dask stacks a list of chunks, which a Duck's concatenation knows but no table
            computed = lazy.compute(scheduler="sync")
            np.testing.assert_allclose(getattr(computed, "_host", computed), expected, rtol=1e-10)
    np.testing.assert_allclose(arrayshim.moment(HOST.tolist(), 4), scipy.stats.moment(HOST, order=4, axis=None))


def test_keywords_reach_numpy_and_dask():
    out = np.zeros(6)
    assert arrayshim.sum(HOST, axis=1, out=out) is out
    options = {"initial": 100.0, "where": HOST > 0}
    assert arrayshim.sum(a=HOST, axis=0, **options)[0] == np.sum(HOST, axis=0, **options)[0]
    assert arrayshim.std(HOST, 1, None, None, 1)[0] == np.std(HOST[0], ddof=1)
    assert arrayshim.average(HOST, 1, np.arange(8.0), True)[1][0] == 28
    x = da.from_array(HOST, chunks=2)
    deep, flat = (len(arrayshim.sum(x, split_every=n).__dask_graph__()) for n in (2, 16))
    assert deep > flat
    np.testing.assert_allclose(arrayshim.cumsum(x, 0, method="blelloch").compute(scheduler="sync"), np.cumsum(HOST, 0))
    device = strict.asarray(HOST)
    target = strict.asarray(np.zeros(8))
    assert arrayshim.max(device, 0, target) is target
    np.testing.assert_array_equal(target.get(), HOST.max(0))
    weighted = arrayshim.average(device, axis=1, weights=[1, 2, 0, 0, 0, 0, 0, 1])
    np.testing.assert_allclose(weighted.get(), np.average(HOST, axis=1, weights=[1, 2, 0, 0, 0, 0, 0, 1]))


def lazily(make):
    return lambda host: da.from_array(make(host), chunks=(6, 8), name=False)


KINDS = {
    "numpy": np.asarray,
    "list": np.ndarray.tolist,
    "strict": strict.asarray,
    "dask": lazily(np.asarray),
    "dask-strict": lazily(strict.asarray),
}


def on_host(x):
    x = x.compute(scheduler="sync") if isinstance(x, da.Array) else x
    return getattr(x, "_host", x)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", reductions.__all__)
def test_defaults_that_are_given_are_defaults(name, kind):
    ours = getattr(arrayshim, name)
    host = HOLES if name.startswith("nan") else HOST
    args = ARGUMENTS.get(name, ())
    # NumPy's percentile over all axes is not dask's to do, nor its medians and quantiles.
    axis = {"axis": 0} if kind.startswith("dask") and (name.endswith(("median", "ile")) or name == "ptp") else {}
    make = KINDS[kind]
    bound = inspect.signature(ours).bind(make(host), *args, **axis)
    plain = ours(*bound.args, **bound.kwargs)
    bound.apply_defaults()
    full = ours(*bound.args, **bound.kwargs)
    named = ours(**bound.arguments)
    assert type(plain) is type(full) is type(named)
    for got in (full, named):
        assert np.asarray(on_host(got)).tobytes() == np.asarray(on_host(plain)).tobytes()


def test_no_condition_is_no_condition():
    assert arrayshim.sum(HOST, where=None) == HOST.sum()  # numpy.sum takes None for False, and gives 0
    flat = da.from_array(HOST[0], chunks=4)
    expected = arrayshim.percentile(flat, 50).compute(scheduler="sync")
    for axis in (0, -1):
        assert arrayshim.percentile(flat, 50, axis=axis).compute(scheduler="sync") == expected
    with pytest.raises(np.exceptions.AxisError):
        arrayshim.percentile(flat, 50, axis=1)


@pytest.mark.parametrize("name", NAMES)
def test_keyword_only_arguments_are_numpys(name):
    ours, numpys = (inspect.signature(getattr(x, name)).parameters for x in (arrayshim, np))
    for each in set(ours) & set(numpys):
        assert ours[each].kind is numpys[each].kind, each
    with pytest.raises(TypeError, match="positional arguments"):
        getattr(arrayshim, name)(HOST, *[None] * 9)


@pytest.mark.parametrize("order", [-1, 2.5])
@pytest.mark.parametrize("make", [np.asarray, strict.asarray, lazily(np.asarray)], ids=["numpy", "strict", "dask"])
def test_the_order_of_a_moment_is_a_natural_number(make, order):
    with pytest.raises(ValueError, match="Order must be an integer >= 0"):
        arrayshim.moment(make(HOST), order)


@pytest.mark.parametrize("weights", [[1, 2, 3, 4], np.array([1, 2, 3, 4]), da.from_array(np.array([1, 2, 3, 4]), 3)])
def test_weights_follow_the_chunks_of_a_dask_array(weights):
    x = da.from_array(strict.asarray([1.0, 2.0, 3.0, 6.0]), chunks=2, name=False)
    with strict.conversions() as seen:
        got = arrayshim.average(x, axis=0, weights=weights)
        computed = got.compute(scheduler="sync")
    assert seen.count == 0
    assert type(got._meta) is type(computed) is strict.StrictArray
    assert computed.get() == 3.8  # (1 + 4 + 9 + 24) / 10


def test_percentiles_of_sparse_chunks_are_refused_in_one_line():
    coo = da.from_array(sparse.COO.from_numpy(np.arange(4.0)), chunks=2)
    with pytest.raises(UnsupportedError, match=r"^sparse has no percentile for COO; use x.todense\(\)$"):
        arrayshim.percentile(coo, 50)


@pytest.mark.parametrize("name", ["quantile", "nanquantile"])
@pytest.mark.parametrize("q", [True, False, [True, False]])
def test_truth_values_as_quantiles_are_0_and_1(name, q):
    got, expected = (getattr(arrayshim, name)(x, q) for x in (strict.asarray(HOLES), HOLES))
    np.testing.assert_array_equal(got.get(), expected)


def test_sequences_of_device_scalars_and_of_dask_arrays():
    x = strict.asarray([1.0, 4.0, 2.0])
    got = arrayshim.max([x[0], x[1], 3.0])
    assert type(got) is strict.StrictArray
    assert got.get() == 4
    rows = arrayshim.sum([[x[0], 1], (x[2], 10)], axis=1)
    assert rows.get().tolist() == [2, 12]
    lazy = arrayshim.mean([da.from_array(x, chunks=2, name=False), strict.asarray([3.0, 0.0, 0.0])], axis=0)
    assert type(lazy._meta) is strict.StrictArray
    assert lazy.compute(scheduler="sync").get().tolist() == [2, 2, 1]
    plain = arrayshim.sum([da.ones(3), np.arange(3)])
    assert plain.compute(scheduler="sync") == 6
    assert arrayshim.sum([1, 2, 3]) == 6
    assert arrayshim.sum(3.5) == 3.5
    assert arrayshim.quantile([3, 1, 2], 0.5) == 2


@pytest.mark.parametrize("method", ["linear", "hazen", "inverted_cdf", "closest_observation", "nearest"])
def test_quantiles_of_dask_arrays_of_device_chunks(method):
    x = da.from_array(strict.asarray(HOLES), chunks=(4, 3), name=False)
    for name, q in (("quantile", [0.1, 0.5]), ("nanquantile", 0.25), ("quantile", np.float32(0.5))):
        for options in ({"axis": 1}, {"axis": (0, 1), "keepdims": True}):
            got = getattr(arrayshim, name)(x, q, method=method, **options)
            expected = np.asarray(getattr(np, name)(HOLES, q, method=method, **options))
            computed = got.compute(scheduler="sync")
            assert type(got._meta) is type(computed) is strict.StrictArray
            assert got.shape == computed.shape == expected.shape
            assert got.dtype == computed.dtype == expected.dtype
            np.testing.assert_array_equal(computed.get(), expected)


def test_whole_axis_reductions_of_dask_arrays_in_detail():
    x = da.from_array(strict.asarray(HOST), chunks=(4, 3), name=False)
    for name in ("median", "quantile"):
        with pytest.raises(NotImplementedError, match="only works along an axis; give axis="):
            getattr(arrayshim, name)(x, **({"q": 0.5} if name == "quantile" else {}))
    assert arrayshim.median(x.rechunk(-1)).compute(scheduler="sync").get() == np.median(HOST)
    weights = np.arange(1.0, 9.0)
    options = {"axis": 1, "method": "inverted_cdf"}
    expected = np.quantile(HOST, 0.4, weights=weights, **options)
    for given_weights in (weights, weights.tolist(), np.broadcast_to(weights, HOST.shape)):
        got = arrayshim.quantile(x, 0.4, weights=given_weights, **options)
        np.testing.assert_array_equal(got.compute(scheduler="sync").get(), expected)
    got = arrayshim.quantile(x, strict.asarray([0.5, 1.0]), axis=0).compute(scheduler="sync")
    np.testing.assert_array_equal(got.get(), np.quantile(HOST, [0.5, 1.0], axis=0))
    masked = da.from_array(np.ma.masked_greater(HOST, 5), chunks=(3, 8))
    got = arrayshim.median(masked, axis=1)
    np.testing.assert_array_equal(got.compute(scheduler="sync"), np.nanmedian(HOLES, axis=1))
    assert type(got._meta) is np.ma.MaskedArray
    out = da.zeros(6)
    assert arrayshim.median(x, axis=1, out=out) is not None
    assert out.compute(scheduler="sync").get().tolist() == np.median(HOST, axis=1).tolist()


@pytest.mark.filterwarnings("ignore:invalid value encountered:RuntimeWarning")  # NumPy's, before the error
def test_wrong_input_gets_numpys_exceptions():
    for x in (HOST, strict.asarray(HOST)):
        for call, error in (
            (lambda x: arrayshim.sum(x, axis=2), np.exceptions.AxisError),
            (lambda x: arrayshim.max(x[:0]), ValueError),
            (lambda x: arrayshim.argmin(x[:0]), ValueError),
            (lambda x: arrayshim.quantile(x, 1.5), ValueError),
            (lambda x: arrayshim.nanquantile(x, [-0.1]), ValueError),
            (lambda x: arrayshim.percentile(x, 101), ValueError),
            (lambda x: arrayshim.quantile(x, 0.5, method="inverted_cdf", weights=-HOST), ValueError),
            (lambda x: arrayshim.quantile(x, 0.5, method="inverted_cdf", weights=0 * HOST), ValueError),
            (lambda x: arrayshim.sum(x, nonsense=1), TypeError),
            (lambda x: arrayshim.sum(x, 0, axis=1), TypeError),
            (lambda x: arrayshim.ptp(x, 0, None, False, 1), TypeError),
            (lambda x: arrayshim.quantile(x), TypeError),
            (lambda x: arrayshim.average(x, weights=np.zeros_like(HOST)), ZeroDivisionError),
        ):
            with pytest.raises(error):
                call(x)
    with pytest.raises(ValueError, match=r"Quantiles must be in the range \[0, 1\]"):
        arrayshim.quantile(strict.asarray(HOST), strict.asarray([0.5, 2.0]))
    with pytest.raises(ValueError, match=r"Percentiles must be in the range \[0, 100\]"):
        arrayshim.percentile(da.from_array(strict.asarray(HOST), name=False), 101, axis=0)


@pytest.mark.parametrize("name", reductions.__all__)
def test_each_function_is_named_documented_and_travels(name):
    function = getattr(reductions, name)
    assert getattr(arrayshim, name) is function
    assert function.__name__ == function.__qualname__ == name
    assert function.__module__ == "arrayshim.reductions"
    assert pickle.loads(pickle.dumps(function)) is function
    for section in ("Parameters", "Returns", "Raises"):
        assert f"{section}\n{'-' * len(section)}" in function.__doc__
    parameters = list(inspect.signature(function).parameters)
    assert parameters[0] == "a"
    assert all(f"{each} : " in function.__doc__ for each in parameters)
    if name not in ("moment", "average"):
        numpys = [p for p in inspect.signature(getattr(np, name)).parameters if p not in ("axis", "interpolation")]
        assert set(numpys) <= set(parameters) | {"out"}, numpys


@pytest.mark.parametrize("name", ["mean", "nanmax", "median", "average"])
def test_functions_work_on_chunks(name):
    x = da.from_array(strict.asarray(HOLES), chunks=(3, 8), name=False)
    got = x.map_blocks(getattr(arrayshim, name), axis=1, drop_axis=1, dtype=float, meta=strict.asarray(np.empty(0)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        np.testing.assert_allclose(got.compute(scheduler="sync").get(), getattr(np, name)(HOLES, axis=1))


def test_docstrings_tell_scans_from_quantiles():
    assert "order in which chunks are scanned" in arrayshim.cumsum.__doc__
    assert "How to interpolate" in arrayshim.quantile.__doc__
    assert inspect.signature(arrayshim.quantile).parameters["q"].default is inspect.Parameter.empty


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.one_of(st.integers(-30, 30).map(float), st.just(np.nan)), min_size=1, max_size=12),
    st.sampled_from(["nanmean", "nansum", "nanmin", "nanmax", "nanprod", "nanvar", "nanmedian"]),
)
def test_nan_functions_of_a_duck_are_numpys(values, name):
    host = np.array(values)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        got, expected = getattr(arrayshim, name)(as_duck(host)), getattr(np, name)(host)
    assert type(got) is Duck
    np.testing.assert_array_equal(got.data, expected)
