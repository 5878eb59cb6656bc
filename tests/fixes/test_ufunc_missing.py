"""`ufunc_missing`: a ufunc that the library of the chunks lacks is computed from others, or refused at once."""

from __future__ import annotations

import math

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import UnsupportedError
from arrayshim.fixes.ufunc_missing import FIX

DATA = np.array([0.0, 1.0, -1.5, 1e300])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["ufunc_missing", "ufunc_where"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=3):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    x = lazy(DATA, kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "spacing of device chunks fails in a task"
        with pytest.raises(TypeError, match="NotImplemented"):
            da.spacing(x).compute()
    assert FIX.diagnose() is None
    same(da.spacing(x), np.spacing(DATA), kind)


def test_spacing_of_every_chunking_and_dtype(kind):
    same(da.spacing(lazy(DATA, kind, 1)), np.spacing(DATA), kind)
    same(da.spacing(lazy(DATA[:3].astype("f4"), kind)), np.spacing(DATA[:3].astype("f4")), kind)
    same(da.spacing(lazy([1, 2, 3], kind)), np.spacing(np.array([1, 2, 3])), kind)
    same(da.spacing(lazy(DATA[:3], kind), dtype="f4"), np.spacing(DATA[:3]).astype("f4"), kind)


def test_spacing_takes_where(kind):
    result = da.spacing(lazy(DATA, kind), where=lazy(DATA > 0, kind), out=lazy(np.zeros(4), kind))
    same(result, np.where(DATA > 0, np.spacing(DATA), 0.0), kind)


def test_a_python_function_of_elements_is_refused_while_the_graph_is_built(kind):
    gcd = da.frompyfunc(math.gcd, 2, 1)
    with pytest.raises(UnsupportedError, match=rf"each element, and elements of {kind.__name__} .* x\.map_blocks"):
        gcd(lazy([4, 6], kind), 2)
    with pytest.raises(UnsupportedError, match="to_backend"):
        gcd(np.array([4, 6]), lazy([4, 6], kind))


def test_a_ufunc_that_is_missing_altogether_is_refused_while_the_graph_is_built(kind):
    class Poor(kind, kind=True):
        __slots__ = ()

        def __array_ufunc__(self, ufunc, method, *args, **kwargs):
            if ufunc is np.logaddexp2:
                return NotImplemented
            return super().__array_ufunc__(ufunc, method, *args, **kwargs)

    x = lazy(DATA, Poor)
    same(da.logaddexp(x, x), np.logaddexp(DATA, DATA), Poor)
    with pytest.raises(UnsupportedError, match="Poor chunks have no ufunc 'logaddexp2'"):
        da.logaddexp2(x, x)


def test_numpy_chunks_go_the_stock_way():
    x = da.from_array(np.array([4, 6]), chunks=1)
    with arrayshim.scope(only=()):
        names = da.spacing(x).name, da.frompyfunc(math.gcd, 2, 1)(x, 4).name
    with arrayshim.scope(only=["ufunc_missing"]):
        assert (da.spacing(x).name, da.frompyfunc(math.gcd, 2, 1)(x, 4).name) == names
        np.testing.assert_array_equal(da.spacing(x).compute(), np.spacing(np.array([4, 6])), strict=True)
        assert da.frompyfunc(math.gcd, 2, 1)(x, 4).compute().tolist() == [4, 2]


NUMBERS = np.array([0, 1j, 2, np.nan, 0, complex(0, np.nan)])
OTHERS = np.array([0.0, 1, 0, 2, 5, 0])


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_xor"])
@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("other", [OTHERS, OTHERS.astype("c8"), OTHERS > 1, 2j, 0, np.complex64(0)])
def test_logical_ufuncs_of_complex_numbers(name, dtype, other):
    x, function = NUMBERS.astype(dtype), getattr(np, name)
    y = complex_lazy(other) if isinstance(other, np.ndarray) else other
    for found, expected in (
        (getattr(da, name)(complex_lazy(x), y), function(x, other)),
        (function(y, complex_lazy(x)), function(other, x)),
    ):
        value = found.compute()
        assert type(value) is type(found._meta) is strict.StrictArray
        np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_logical_not_of_complex_numbers_and_where():
    x, mask = complex_lazy(NUMBERS), complex_lazy(OTHERS > 0)
    np.testing.assert_array_equal(da.logical_not(x).compute().get(), np.logical_not(NUMBERS), strict=True)
    found = da.logical_not(x, where=mask, out=complex_lazy(OTHERS > 9))
    expected = np.logical_not(NUMBERS, where=OTHERS > 0, out=OTHERS > 9)
    np.testing.assert_array_equal(found.compute().get(), expected, strict=True)


def complex_lazy(values):
    return da.from_array(strict.asarray(values), chunks=4, name=False, asarray=False)
