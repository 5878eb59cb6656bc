"""`blockwise_lists_meta`: a function that gets lists of blocks is asked with lists of blocks."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.blockwise_lists_meta import FIX

TABLE = np.arange(24.0).reshape(4, 6)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["blockwise_lists_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def rows(blocks):
    return sum(block.sum(axis=1) for block in blocks)


def everything(blocks, factor=1):
    return factor * sum(block.sum() for row in blocks for block in row)


def product(left, right):
    return sum(a @ b for a, b in zip(left, right, strict=True))


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, chunks are StrictArray"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("concatenate", [None, False])
@pytest.mark.parametrize("chunks", [(4, 6), (2, 3), (1, 2)])
def test_over_one_axis(kind, chunks, concatenate):
    result = da.blockwise(rows, "i", lazy(TABLE, kind, chunks), "ij", dtype="f8", concatenate=concatenate)
    same(result, TABLE.sum(axis=1), kind)
    same(result + 1, TABLE.sum(axis=1) + 1, kind)


def test_over_all_axes(kind):
    same(da.blockwise(everything, "", lazy(TABLE, kind), "ij", factor=2, dtype="f8"), 2 * TABLE.sum(), kind)


def test_of_two_arrays(kind):
    x, y = lazy(TABLE, kind, (2, 3)), lazy(TABLE.T, kind, (3, 4))
    same(da.blockwise(product, "ik", x, "ij", y, "jk", dtype="f8"), TABLE @ TABLE.T, kind)


def test_the_dtype_is_found_out_too(kind):
    x = lazy(TABLE.astype("f4"), kind, (2, 3))
    result = da.blockwise(rows, "i", x, "ij")
    assert (type(result._meta), result.dtype) == (kind, np.dtype("f4"))


def test_a_meta_that_was_given_stays(kind):
    given = np.empty(0)
    assert type(da.blockwise(rows, "i", lazy(TABLE, kind), "ij", meta=given)._meta) is np.ndarray


def test_functions_that_get_no_lists_are_asked_once(kind):
    seen = []

    def func(block):
        seen.append(type(block))
        return block + 1

    x = lazy(TABLE, kind)
    da.blockwise(func, "ij", x, "ij", dtype="f8")
    da.blockwise(lambda block: func(block).sum(axis=1), "i", x, "ij", dtype="f8", concatenate=True)
    assert seen == [kind, kind]


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_as_before(make):
    def trace(x):
        seen = []

        def func(blocks):
            seen.append(type(blocks))
            return sum(block.sum(axis=1) for block in blocks)

        return da.blockwise(func, "i", x, "ij", dtype="f8"), seen

    x = da.from_array(make(TABLE), chunks=(2, 3), asarray=False)
    with arrayshim.scope(only=()):
        stock, calls = trace(x)
    with arrayshim.scope(only=["blockwise_lists_meta"]):
        ours, ours_calls = trace(x)
        assert (ours_calls, type(ours._meta)) == (calls, type(stock._meta))
        np.testing.assert_array_equal(ours.compute(), TABLE.sum(axis=1))
