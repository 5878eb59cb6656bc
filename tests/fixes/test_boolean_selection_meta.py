"""`boolean_selection_meta`: what is selected keeps the type of its chunks, and so does everything that follows."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.boolean_selection_meta import FIX

DATA = np.array([1.0, 5.0, 2.0, 8.0, 3.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["boolean_selection_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    x = lazy(DATA, kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, chunks are StrictArray"
        assert type(x[x > 2.5]._meta) is np.ndarray
    assert FIX.diagnose() is None
    same(x[x > 2.5], np.array([5.0, 8.0, 3.0]), kind)


def test_a_mask_of_all_axes(kind):
    table = DATA[:4].reshape(2, 2)
    x = lazy(table, kind, chunks=(1, 2))
    same(x[x > 1], np.array([5.0, 2.0, 8.0]), kind)


def test_a_mask_of_one_axis(kind):
    table = np.arange(12.0).reshape(4, 3)
    x = lazy(table, kind)
    mask = lazy([True, False, False, True], kind)
    same(x[mask], table[[0, 3]], kind)
    same(x[:, lazy([False, True, True], kind)], table[:, 1:], kind)
    same(x[mask, 1:], table[[0, 3], 1:], kind)


def test_what_follows(kind):
    x = lazy(DATA, kind)
    chosen = x[x > 2.5]
    same(chosen.sum(), np.float64(16.0), kind)
    same(chosen + 1, np.array([6.0, 9.0, 4.0]), kind)
    same(chosen.astype("i4"), np.array([5, 8, 3], dtype="i4"), kind)
    same(da.concatenate([chosen, x]), np.array([5.0, 8.0, 3.0, *DATA]), kind)
    sized = x[x > 2.5].compute_chunk_sizes()
    assert sized.shape == (3,)
    same(sized, np.array([5.0, 8.0, 3.0]), kind)


def test_several_chunks_joined_keep_their_type(kind):
    joined = da.slicing.concatenate_array_chunks(lazy(DATA, kind))
    assert joined.npartitions == 1
    same(joined, DATA, kind)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_are_selected_as_before(make):
    x = da.from_array(make(DATA), chunks=2, asarray=False)
    with arrayshim.scope(only=()):
        stock = x[x > 2.5].compute()
    with arrayshim.scope(only=["boolean_selection_meta"]):
        ours = x[x > 2.5]
        assert type(ours._meta) is type(ours.compute()) is type(stock)
        np.testing.assert_array_equal(ours.compute(), stock, strict=True)
        np.testing.assert_array_equal(ours.compute(), [5.0, 8.0, 3.0])


@pytest.mark.filterwarnings("ignore:the matrix subclass:PendingDeprecationWarning")
def test_chunks_that_cannot_be_one_dimensional_are_left_as_they_were():
    x = da.from_array(np.matrix(np.arange(12.0).reshape(4, 3)), chunks=2, asarray=False)
    assert type(x[x > 3]._meta) is np.ndarray
    assert x[x > 3].sum().compute() == 60.0
