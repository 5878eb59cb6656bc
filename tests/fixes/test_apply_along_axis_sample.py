"""`apply_along_axis_sample`: the function meets the type of the chunks, and no other."""

from __future__ import annotations

from functools import partial

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


@pytest.mark.parametrize("chunks", [-1, 2, 1, ((1, 1), (3, 1), (1, 2))])
@pytest.mark.parametrize("axes", [0, (0, 2), [1, -1], 2])
def test_over_axes_by_functions_of_dask(kind, axes, chunks):
    x = lazy(CUBE, kind, chunks)
    for function, numpys in ((da.sum, np.sum), (da.max, np.max), (partial(da.prod, dtype="f4"), np.prod)):
        dtype = "f4" if numpys is np.prod else "f8"
        same(
            da.apply_over_axes(function, x, axes), np.apply_over_axes(numpys, CUBE, axes).astype(dtype), kind, rtol=1e-6
        )


def test_over_axes_a_function_of_dask_that_makes_more_of_one_is_refused(kind):
    with pytest.raises(ValueError, match="preserve dimensionality of the input or reduce it by one"):
        da.apply_over_axes(partial(da.expand_dims), lazy(CUBE, kind), 0)


def test_a_dask_array_of_a_row_is_computed_where_the_row_is(kind):
    x = lazy(CUBE, kind)
    same(da.apply_along_axis(da.sum, 1, x), CUBE.sum(axis=1), kind, reads=None)
    same(da.apply_along_axis(lambda row: da.sum(row) / 2, 0, x), CUBE.sum(axis=0) / 2, kind, reads=None)


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
