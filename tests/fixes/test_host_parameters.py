"""`host_parameters`: what describes the work goes where the data are."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels, strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.host_parameters import FIX

DATA = np.array([[1.0, 5.0, 2.0], [8.0, 3.0, 2.0], [0.0, 4.0, 4.0], [9.0, 1.0, 7.0]])
INTS = np.array([3, 1, 1, 0, 2])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["host_parameters", "numel"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_allclose(value.get(), expected, rtol=1e-15, strict=True)


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "isin of a device array and a list" in FIX.diagnose()
        with pytest.raises((AttributeError, TypeError)):
            da.isin(lazy(DATA, kind), [5.0, 2.0]).compute()
    assert FIX.diagnose() is None
    same(da.isin(lazy(DATA, kind), [5.0, 2.0]), np.isin(DATA, [5.0, 2.0]), kind)


@pytest.mark.parametrize("chunks", [1, 2, 4])
@pytest.mark.parametrize("tests", [[5.0, 2.0], np.array([[5.0], [2.0]]), da.from_array(np.array([5.0, 2.0]), 1), 5.0])
def test_isin(kind, chunks, tests):
    values = tests.compute() if isinstance(tests, da.Array) else tests
    with strict.conversions() as seen:
        same(da.isin(lazy(DATA, kind, chunks), tests), np.isin(DATA, values), kind)
        same(da.isin(lazy(DATA, kind, chunks), tests, invert=True), np.isin(DATA, values, invert=True), kind)
    assert seen.count == 2  # the two that `same` reads


def test_host_data_do_not_follow_device_tests(kind):
    with pytest.raises(ResidenceError, match=r"isin: the data are dask array of ndarray \(4, 3\)"):
        da.isin(da.from_array(DATA, chunks=2), lazy([1.0], kind))


def test_host_data_do_not_follow_device_edges(kind):
    with pytest.raises(ResidenceError, match=r"digitize: the data are dask array of ndarray \(4, 3\)"):
        da.digitize(da.from_array(DATA, chunks=2), strict.asarray([0.0, 5.0], kind=kind))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("where", ["table", "values", "both"])
def test_searchsorted(kind, side, where):
    table = np.array([0.0, 2.0, 2.0, 5.0, 8.0])
    a = da.from_array(table, chunks=2) if where == "values" else lazy(table, kind)
    v = da.from_array(DATA, chunks=2) if where == "table" else lazy(DATA, kind)
    same(da.searchsorted(a, v, side=side), np.searchsorted(table, DATA, side=side), kind)


def test_a_side_that_is_none_is_refused_as_by_numpy(kind):
    with pytest.raises(ValueError, match=r"search side must be 'left' or 'right' \(got 'middle'\)"):
        da.searchsorted(lazy([1.0, 2.0], kind), lazy(DATA, kind), side="middle")


@pytest.mark.parametrize("bins", [[0, 2, 5], (5.0, 2.0, 0.0), np.array([0.0, 2.0, 5.0])])
@pytest.mark.parametrize("right", [False, True])
def test_digitize(kind, bins, right):
    x = lazy(DATA, kind)
    with strict.conversions() as seen:
        result = da.digitize(x, bins, right=right)
        again = da.digitize(x, bins, right=right)
        assert result.name == again.name
        value = result.compute()
    assert seen.count == 0
    assert type(value) is type(result._meta) is kind
    np.testing.assert_array_equal(value.get(), np.digitize(DATA, bins, right=right), strict=True)


def test_edges_on_the_device_and_wrong_ones(kind):
    x = lazy(DATA, kind)
    same(da.digitize(x, strict.asarray([0.0, 5.0], kind=kind)), np.digitize(DATA, [0.0, 5.0]), kind)
    with pytest.raises(ValueError, match="monotonically"):
        da.digitize(x, [0, 5, 2])


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("chunks", [1, 3])
def test_edges_of_a_dask_array(kind, chunks, right):
    expected = np.digitize(DATA, [-1.0, 0.0, 5.0], right=right)
    for edges in (lazy([-1.0, 0.0, 5.0], kind, chunks), da.from_array(np.array([-1.0, 0.0, 5.0]), chunks=chunks)):
        same(da.digitize(lazy(DATA, kind), edges, right=right), expected, kind)


def test_bincount(kind):
    x, weights = lazy(INTS, kind), np.array([1.0, 2.0, 3.0, 4.0, 5.0])
    result = da.bincount(x, da.from_array(weights, chunks=2), minlength=6)
    same(result, np.bincount(INTS, weights, minlength=6), kind)
    same(da.bincount(x, minlength=6), np.bincount(INTS, minlength=6), kind)


@pytest.mark.parametrize("returned", [False, True])
@pytest.mark.parametrize(
    ("axis", "weights"),
    [
        (1, [1.0, 2.0, 4.0]),
        (0, np.array([1, 2, 3, 4])),
        (1, da.from_array(np.array([1.0, 2.0, 4.0]), chunks=2)),
        (None, np.arange(12.0).reshape(4, 3)),
        (0, None),
    ],
)
def test_average(kind, axis, weights, returned):
    plain = weights.compute() if isinstance(weights, da.Array) else weights
    found = da.average(lazy(DATA, kind), axis, weights, returned=returned)
    expected = np.average(DATA, axis, plain, returned=returned)
    for mine, theirs in zip(found if returned else [found], expected if returned else [expected], strict=True):
        same(mine, theirs, kind)


def test_average_over_all_without_weights_counts_as_dask_does(kind):
    average, total = da.average(lazy(DATA, kind), returned=True)
    same(average, np.average(DATA), kind)
    assert total == 12.0


def test_the_setting_raise_is_about_full_operands(kind):
    x = lazy(DATA, kind)
    with dask.config.set({"arrayshim.mixed": "raise"}):
        same(da.isin(x, np.array([5.0])), np.isin(DATA, [5.0]), kind)
        same(da.average(x, 1, [1.0, 2.0, 4.0]), np.average(DATA, 1, [1.0, 2.0, 4.0]), kind)
        with pytest.raises(ResidenceError, match=r"^searchsorted: "):
            da.searchsorted(da.from_array(DATA[0], chunks=2), x)


def test_numpy_is_stock(kind):
    x = da.from_array(DATA, chunks=2)

    def built():
        return (
            da.isin(x, [1.0, 2.0]),
            da.digitize(x, [0, 5]),
            da.average(x, 1, [1, 2, 3]),
            da.average(x, 0, returned=True)[1],
            da.searchsorted(da.from_array(np.arange(5.0), chunks=2), x),
            da.bincount(da.from_array(INTS, chunks=2), minlength=6),
        )

    ours = built()
    with arrayshim.scope(only=()):
        stock = built()
    for mine, theirs in zip(ours, stock, strict=True):
        np.testing.assert_array_equal(mine.compute(), theirs.compute(), strict=True)


def test_searchsorted_takes_no_word_that_numpy_does_not(kind):
    x = lazy(np.arange(4.0), kind)
    with pytest.raises(ValueError, match="side"):
        da.searchsorted(x, x, side="middle")


def test_bincount_by_a_kernel():
    kind, asked = strict.fresh_type("Counting"), []

    def row(a, weights=None, minlength=0):
        asked.append(a.shape)
        return strict.asarray(np.bincount(a.get(), minlength=minlength), kind=kind)

    kernels.bincount.add(kind, row)
    try:
        host = np.arange(40) % 7
        x = da.from_array(strict.asarray(host, kind=kind), chunks=15, name=False, asarray=False)
        for minlength in (0, 5, 9):
            lazy = da.bincount(x, minlength=minlength)
            got = lazy.compute(scheduler="sync")
            assert type(got) is type(lazy._meta) is kind
            assert lazy.dtype == got.dtype == np.intp
            np.testing.assert_array_equal(got.get(), np.bincount(host, minlength=minlength))
            stock = da.bincount(da.from_array(host, chunks=15), minlength=minlength)
            assert str(lazy.chunks) == str(stock.chunks)
        assert sorted(asked) == [(10,)] * 3 + [(15,)] * 6
    finally:
        kernels.bincount.remove(kind)
