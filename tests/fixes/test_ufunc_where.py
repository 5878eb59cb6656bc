"""`ufunc_where`: `where=` of every ufunc, on chunks whose own ufuncs lack it."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.ufunc_where import FIX

X = np.array([[1.0, 4.0, 9.0], [16.0, 25.0, -36.0]])
OUT = np.full((2, 3), 7.0)
WHERE = np.array([[True, False, True], [False, True, False]])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["ufunc_where"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=(1, 2)):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    with strict.conversions() as copied:
        value = result.compute()
    assert copied.count == 0
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    x, where, out = lazy(X, kind), lazy(WHERE, kind), lazy(OUT, kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose().startswith("sqrt(where=) of a device array: Wrong arguments {'where'")
        with pytest.raises(TypeError, match="Wrong arguments"):
            da.sqrt(x, where=where, out=out + 0).compute()
    assert FIX.diagnose() is None
    same(da.sqrt(x, where=where, out=out), np.array([[1.0, 7.0, 3.0], [7.0, 5.0, 7.0]]), kind)


@pytest.mark.parametrize("chunks", [(2, 3), (1, 2), (2, 1)])
@pytest.mark.parametrize("mask", [WHERE, WHERE[0], WHERE[:, :1], np.array(True)], ids=["2d", "row", "column", "0d"])
def test_masks_of_every_shape(kind, chunks, mask):
    out = lazy(OUT, kind, chunks)
    result = da.add(lazy(X, kind, chunks), 1, where=lazy(mask, kind, chunks[len(chunks) - mask.ndim :]), out=out)
    same(result, np.add(X, 1, where=mask, out=OUT.copy()), kind)


@pytest.mark.parametrize("where", [WHERE[0], WHERE[0].tolist(), da.from_array(WHERE, chunks=(1, 2))])
def test_a_mask_on_the_host_follows_the_data(kind, where):
    host = np.asarray(where)
    result = da.multiply(lazy(X, kind), lazy(X, kind), where=where, out=lazy(OUT, kind))
    same(result, np.multiply(X, X, where=host, out=OUT.copy()), kind)


@pytest.mark.parametrize("where", [False, None])
def test_no_element_is_wanted(kind, where):
    same(da.sqrt(lazy(X, kind), where=where, out=lazy(OUT, kind)), OUT, kind)


def test_without_out_the_wanted_elements_are_right(kind):
    result = da.sqrt(abs(lazy(X, kind)), where=lazy(WHERE, kind))
    assert type(result._meta) is kind
    np.testing.assert_array_equal(result.compute().get()[WHERE], [1.0, 3.0, 5.0])


def test_a_mask_with_more_elements_than_the_operands_decides_the_shape(kind):
    result = da.sqrt(lazy([4.0], kind, 1), where=lazy([True, True, True], kind, 2))
    same(result, np.array([2.0, 2.0, 2.0]), kind)


def test_out_decides_the_dtype_as_in_numpy(kind):
    result = da.add(lazy([1, 2], kind, 1), 1, where=lazy([True, False], kind, 1), out=lazy([0.5, 0.5], kind, 1))
    assert result.compute().get().tolist() == [2.0, 0.5]
    assert result.compute().dtype == np.dtype("f8")


def test_out_is_not_written_to(kind):
    data = strict.asarray(OUT, kind=kind)
    out = da.from_array(data, chunks=-1, name=False, asarray=False)
    da.sqrt(lazy(X, kind, -1), where=lazy(WHERE, kind, -1), out=out).compute()
    assert (data.get() == 7.0).all()


def test_errors_are_those_of_numpy(kind):
    x, where = lazy([1.0, 4.0], kind, 1), lazy([True, False], kind, 1)
    with pytest.raises(TypeError, match=r"Cannot cast ufunc 'sqrt' output from dtype.'float64'. to dtype.'int64'."):
        da.sqrt(x, where=where, out=lazy([1, 1], kind, 1)).compute()
    with pytest.raises(TypeError, match=r"Cannot cast array data from dtype.'int64'. to dtype.'bool'."):
        da.sqrt(x, where=lazy([1, 0], kind, 1), out=x + 0).compute()


def test_a_mask_on_the_device_of_data_on_the_host_is_refused(kind):
    x = da.from_array(np.array([1.0, 4.0]), chunks=1)
    with pytest.raises(ResidenceError, match="sqrt"):
        da.sqrt(x, where=lazy([True, False], kind, 1)).compute()


@pytest.mark.parametrize("where", [WHERE, da.from_array(WHERE, chunks=(1, 2))])
def test_operands_of_both_sides(kind, where):
    host = np.asarray(where)
    with arrayshim.scope(only=["ufunc_where", "mixed_operands"]):
        result = da.add(lazy(X, kind), X, where=where, out=lazy(OUT, kind))
        same(result, np.add(X, X, where=host, out=OUT.copy()), kind)
        result = da.subtract(lazy(X, kind), lazy(X, kind, 1), where=lazy(host, kind), out=lazy(OUT, kind))
        same(result, np.subtract(X, X, where=host, out=OUT.copy()), kind)


def test_numpy_functions_on_dask_arrays(kind):
    result = np.add(lazy(X, kind), 1.0, where=lazy(WHERE, kind), out=lazy(OUT, kind))
    same(result, np.add(X, 1.0, where=WHERE, out=OUT.copy()), kind)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_go_the_stock_way(make):
    def build():
        x, where, out = (da.from_array(make(a), chunks=(1, 2), asarray=False) for a in (abs(X), WHERE, OUT))
        return da.sqrt(x, where=where, out=out).compute()

    with arrayshim.scope(only=()):
        stock = build()
    with arrayshim.scope(only=["ufunc_where"]):
        ours = build()
    assert type(ours) is type(stock)
    np.testing.assert_array_equal(ours, stock, strict=True)
