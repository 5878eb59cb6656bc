"""`diagonal_empty`: diagonals without elements are of the type of the others."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.diagonal_empty import FIX

DATA = np.arange(24.0).reshape(2, 3, 4)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["diagonal_empty"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_lied_before(kind):
    x = lazy(DATA[0], kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "chunks are ndarray, meta is StrictArray"
        assert type(da.diagonal(x, 9).compute()) is np.ndarray
    assert FIX.diagnose() is None
    same(da.diagonal(x, 9), np.zeros(0), kind)


@pytest.mark.parametrize("chunks", [1, 2, -1])
@pytest.mark.parametrize(("offset", "axes"), [(9, (0, 1)), (-9, (1, 2)), (3, (2, 0)), (1, (0, 2)), (0, (1, 0))])
def test_every_diagonal(kind, chunks, offset, axes):
    same(da.diagonal(lazy(DATA, kind, chunks), offset, *axes), np.diagonal(DATA, offset, *axes), kind)


def test_of_an_array_without_elements(kind):
    same(da.diag(lazy(np.zeros((0, 2)), kind)), np.zeros(0), kind)
    same(da.diagonal(lazy(DATA[0], kind), 9).sum(), np.float64(0), kind)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_go_the_stock_way(make):
    x = da.from_array(make(DATA), chunks=2, asarray=False)
    with arrayshim.scope(only=()):
        names = da.diagonal(x, 9).name, da.diagonal(x).name
    with arrayshim.scope(only=["diagonal_empty"]):
        assert (da.diagonal(x, 9).name, da.diagonal(x).name) == names
