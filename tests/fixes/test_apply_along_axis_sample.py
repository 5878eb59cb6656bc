"""`apply_along_axis_sample`: the function meets the type of the chunks, and no other."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.apply_along_axis_sample import FIX

CUBE = np.arange(24.0).reshape(2, 4, 3)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["apply_along_axis_sample", "inferred_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def picky(function, kind):
    def checked(row, *args, **kwargs):
        if type(row) is not kind:
            raise TypeError(f"Unsupported type {type(row)}")
        return function(row, *args, **kwargs)

    return checked


def test_the_smallest_call_failed_before(kind):
    x = lazy(CUBE, kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the function was called with ndarray"
        with pytest.raises(TypeError, match="Unsupported type"):
            da.apply_along_axis(picky(np.sum, kind), 1, x)
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [-1, 2, 1])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_along_an_axis(kind, axis, chunks):
    result = da.apply_along_axis(picky(lambda row, k: (row * k).sum(), kind), axis, lazy(CUBE, kind, chunks), 3)
    same(result, 3 * CUBE.sum(axis=axis), kind)


def test_what_is_given_is_taken(kind):
    x = lazy(CUBE, kind)
    result = da.apply_along_axis(picky(np.cumsum, kind), 1, x, dtype="f8", shape=(4,))
    same(result, CUBE.cumsum(axis=1), kind)
    result = da.apply_along_axis(picky(np.cumsum, kind), 1, x, shape=(4,))
    same(result, CUBE.cumsum(axis=1), kind)


def test_over_axes(kind):
    result = da.apply_over_axes(lambda a, axis: a.sum(axis=axis), lazy(CUBE, kind), [0, 2])
    same(result, CUBE.sum(axis=(0, 2), keepdims=True), kind)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_as_before(make):
    def trace(x):
        seen = []

        def func(row):
            seen.append((type(row), row.shape))
            return row.sum()

        return da.apply_along_axis(func, 1, x), seen

    x = da.from_array(make(CUBE), chunks=2, asarray=False)
    with arrayshim.scope(only=()):
        stock, calls = trace(x)
    with arrayshim.scope(only=["apply_along_axis_sample"]):
        ours, ours_calls = trace(x)
        assert ours_calls == calls
        np.testing.assert_array_equal(ours.compute(), stock.compute(), strict=True)
