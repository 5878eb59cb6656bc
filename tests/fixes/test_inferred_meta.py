"""`inferred_meta`: a function that fails on nothing is tried on something; then its operands' kind is taken."""

from __future__ import annotations

import warnings

import dask.array as da
import numpy as np
import pytest
from dask.array.utils import compute_meta
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.inferred_meta import FIX

TABLE = np.arange(24.0).reshape(4, 6)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["inferred_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    x = lazy(TABLE, kind, (2, 6))
    with arrayshim.scope(only=()):
        assert "returns StrictArray" in FIX.diagnose()
        assert type(da.fft.fft(x)._meta) is np.ndarray
    assert FIX.diagnose() is None
    same(da.fft.fft(x), np.fft.fft(TABLE), kind, rtol=1e-12)


@pytest.mark.parametrize("chunks", [(4, 6), (2, 6), (1, 6)])
def test_functions_that_fail_on_nothing(kind, chunks):
    x = lazy(TABLE, kind, chunks)
    rows = x.chunks[0]
    same(x.map_blocks(lambda c: c[:, 0], drop_axis=1, dtype="f8"), TABLE[:, 0], kind)
    same(da.median(x, axis=1), np.median(TABLE, axis=1), kind)
    same(da.apply_along_axis(lambda row: row.sum(), 1, x), TABLE.sum(axis=1), kind)
    firsts = np.repeat(TABLE[np.cumsum((0, *rows))[:-1]], rows, axis=0)
    same(x.map_blocks(lambda c: c[0] + 0 * c, dtype="f8"), firsts, kind)


def test_block_info_and_block_id(kind):
    def numbered(chunk, block_id=None):
        return chunk + 10 * block_id[0]

    def placed(chunk, block_info=None):
        return chunk + block_info[0]["array-location"][0][0]

    x = lazy(np.zeros(4), kind)
    same(da.map_blocks(numbered, x, dtype="f8"), np.array([0.0, 0, 10, 10]), kind)
    same(da.map_blocks(placed, x, dtype="f8"), np.array([0.0, 0, 2, 2]), kind)
    same(da.map_blocks(numbered, x, dtype="f8") + 1, np.array([1.0, 1, 11, 11]), kind)


def test_host_data_on_purpose(kind):
    result = lazy(TABLE, kind, (2, 6)).map_blocks(lambda c: c[0].get(), drop_axis=0, chunks=(6, 6), dtype="f8")
    assert type(result._meta) is type(result.blocks[0].compute()) is np.ndarray


def test_the_dtype_that_was_promised(kind):
    found = compute_meta(lambda c: c[0], np.dtype("f4"), lazy(TABLE, kind))
    assert (type(found), found.dtype, found.shape) == (kind, np.dtype("f4"), (0,))
    # Strict arrays have no objects: whatever the chunks are, they are not strict arrays.
    assert compute_meta(lambda c: c[0], np.dtype("O"), lazy(TABLE, kind)) is None


def test_a_function_that_fails_always(kind):
    def refuse(chunk):
        warnings.warn("not this", stacklevel=1)
        raise RuntimeError("nor that")

    x = lazy(TABLE, kind)
    found = compute_meta(refuse, np.dtype("i4"), x)
    assert (type(found), found.dtype) == (kind, np.dtype("i4"))
    assert compute_meta(refuse, None, x) is None
    lied = x.map_blocks(refuse, dtype="f8", drop_axis=0, chunks=(6,))
    assert (type(lied._meta), lied._meta.ndim) == (kind, 1)
    with pytest.raises(ValueError, match=r"dtype.*inference failed"):
        x.map_blocks(lambda chunk: chunk.nothing)


def test_an_array_that_is_no_dask_array_keeps_its_values(kind):
    seen = []

    def func(chunk, steps, factor):
        if chunk.size == 0:
            raise ValueError
        seen.append((type(steps), steps.tolist(), factor))
        return chunk * factor

    compute_meta(func, np.dtype("f8"), lazy(TABLE, kind), np.array([3, 4]), factor=2)
    assert seen == [(np.ndarray, [3], 2)]


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray, lambda x: x.view(type("Sub", (np.ndarray,), {}))])
def test_numpy_chunks_are_tried_once_as_before(make):
    def trace(x):
        seen = []

        def func(chunk):
            seen.append(chunk.shape)
            return chunk[0]

        return x.map_blocks(func, dtype="f8", drop_axis=0, chunks=(6,)), seen

    x = da.from_array(make(TABLE), chunks=(4, 6), asarray=False)
    with arrayshim.scope(only=()):
        stock, calls = trace(x)
    with arrayshim.scope(only=["inferred_meta"]):
        ours, ours_calls = trace(x)
        assert ours_calls == calls == [(0, 0)]
        assert type(ours._meta) is type(stock._meta)
        np.testing.assert_array_equal(ours.compute(), TABLE[0])


@pytest.mark.parametrize("dtype", ["f2", "i4", "f8"])
def test_of_no_axes_without_a_copy(kind, dtype):
    values = np.array([3, 1, 4, 1, 5], dtype=dtype)
    with strict.conversions() as moved:
        result = da.median(lazy(values, kind), axis=0)
    assert moved.count == 0
    same(result, np.median(values), kind)


def test_chunks_of_no_axes_are_not_read_for_a_name(kind):
    x = lazy(np.array(3.0), kind)
    with strict.conversions() as moved:
        result = x.map_blocks(np.negative)
    assert moved.count == 0
    same(result, np.array(-3.0), kind)


def test_nothing_is_computed(kind):
    def burst(chunk):
        raise AssertionError("computed")

    x = lazy(TABLE, kind).map_blocks(burst, meta=strict.asarray(np.empty((0, 0)), kind=kind))
    assert type(x.map_blocks(lambda c: c[0], drop_axis=0, chunks=(6,), dtype="f8")._meta) is kind
