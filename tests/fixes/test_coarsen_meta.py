"""`coarsen_meta`: the reduction is tried on what it will be given."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.coarsen_meta import FIX

TABLE = np.arange(24.0).reshape(4, 6)
PAIRS = TABLE.reshape(2, 2, 6)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["coarsen_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, chunks are StrictArray"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [(4, 6), (2, 2), (1, 5)])
@pytest.mark.parametrize("reduction", [np.sum, np.mean, np.min, da.max])
def test_reductions(kind, reduction, chunks):
    expected = getattr(np, reduction.__name__)(PAIRS, axis=1)
    same(da.coarsen(reduction, lazy(TABLE, kind, chunks), {0: 2}), expected, kind)


def test_a_reduction_that_takes_nothing_else(kind):
    def add(x, axis):
        if type(x) is not kind:
            raise TypeError(f"Unsupported type {type(x)}")
        return x.sum(axis=axis)

    same(da.coarsen(add, lazy(TABLE, kind), {0: 2}), PAIRS.sum(axis=1), kind)


def test_excess_keywords_and_dtypes(kind):
    x = lazy(np.arange(7, dtype="i4"), kind, 4)
    same(da.coarsen(np.sum, x, {0: 2}, trim_excess=True), np.array([1, 5, 9]), kind)
    same(da.coarsen(np.sum, x, {0: 3}, trim_excess=True, dtype="f4"), np.array([3, 12], dtype="f4"), kind)


def test_what_cannot_be(kind):
    x = lazy(TABLE, kind)
    with pytest.raises(ValueError, match="do not align"):
        da.coarsen(np.sum, x, {0: 3})

    def refuse(x, axis=None):
        raise RuntimeError("my own words")

    with pytest.raises(RuntimeError, match="my own words"):
        da.coarsen(refuse, x, {0: 2})


def test_the_factors_are_left_alone(kind):
    factors = {0: 2}
    da.coarsen(np.sum, lazy(TABLE, kind), factors).compute()
    assert factors == {0: 2}


def test_other_keywords_make_another_array(kind):
    x = lazy(TABLE, kind)
    assert da.coarsen(np.sum, x, {0: 2}).name == da.coarsen(np.sum, x, {0: 2}).name
    assert da.coarsen(np.sum, x, {0: 2}, dtype="f4").name != da.coarsen(np.sum, x, {0: 2}).name


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_as_before(make):
    x = da.from_array(make(TABLE), chunks=(2, 3), asarray=False)
    with arrayshim.scope(only=()):
        stock = da.coarsen(np.sum, x, {0: 2})
    with arrayshim.scope(only=["coarsen_meta"]):
        ours = da.coarsen(np.sum, x, {0: 2})
        assert (ours.name, type(ours._meta)) == (stock.name, type(stock._meta))
        np.testing.assert_array_equal(ours.compute(), PAIRS.sum(axis=1))
