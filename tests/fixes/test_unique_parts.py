"""`unique_parts`: distinct values, first positions, inverse and counts of device chunks are NumPy's."""

from __future__ import annotations

import itertools

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.unique_parts import FIX

RNG = np.random.default_rng(5)
FLAGS = list(itertools.product([False, True], repeat=3))


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["unique_parts"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def all_same(ours, expected, kind):
    if not isinstance(expected, tuple):
        ours, expected = (ours,), (expected,)
    assert isinstance(ours, tuple)
    assert len(ours) == len(expected)
    for mine, numpys in zip(ours, expected, strict=True):
        same(mine, numpys, kind)


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "counts of the distinct values" in FIX.diagnose()
    assert FIX.diagnose() is None


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize(
    ("shape", "chunks"),
    [((17,), 17), ((17,), 4), ((6, 5), (6, 5)), ((6, 5), (4, 2)), ((2, 3, 4), 2), ((1,), 1), ((), ())],
)
def test_every_combination(kind, flags, shape, chunks):
    x = RNG.integers(-4, 5, size=shape)
    all_same(da.unique(lazy(x, kind, chunks), *flags), np.unique(x, *flags), kind)


@pytest.mark.parametrize("dtype", ["?", "i1", "u8", "f2", "f4", "f8", "c8"])
def test_every_dtype(kind, dtype):
    x = RNG.integers(0, 4, size=(7, 3)).astype(dtype)
    all_same(da.unique(lazy(x, kind, 3), True, True, True), np.unique(x, True, True, True), kind)


def test_nan_is_one_value(kind):
    x = np.array([np.nan, 1.0, np.nan, -np.inf, np.inf, 1.0, np.nan])
    for chunks in (7, 3, 1):
        all_same(da.unique(lazy(x, kind, chunks), True, True, True), np.unique(x, True, True, True), kind)


def test_neighbours_in_floating_point_stay_apart(kind):
    x = np.array([1.0, np.nextafter(1.0, 2), 1.0, 5e-324, 0.0, 2.0**53, 2.0**53 + 2])
    all_same(da.unique(lazy(x, kind), True, True, True), np.unique(x, True, True, True), kind)


@pytest.mark.parametrize("flags", FLAGS)
def test_nothing_at_all(kind, flags):
    x = np.zeros((0,), dtype="f4")
    all_same(da.unique(lazy(x, kind), *flags), np.unique(x, *flags), kind)


@pytest.mark.parametrize("flags", FLAGS)
def test_unknown_chunk_sizes(kind, flags):
    x = RNG.integers(0, 5, size=20)
    unknown = lazy(x, kind, 6).map_blocks(lambda b: b[::2], chunks=((np.nan,) * 4,), meta=lazy(x, kind)._meta)
    known = np.concatenate([x[i : i + 6][::2] for i in range(0, 20, 6)])
    all_same(da.unique(unknown, *flags), np.unique(known, *flags), kind)


def test_what_follows(kind):
    x = np.array([[4, 2, 4], [2, 2, 9]])
    values, inverse = da.unique(lazy(x, kind), return_inverse=True)
    assert inverse.shape == x.shape
    assert inverse.chunks == lazy(x, kind).chunks
    same(values.sum(), np.int64(15), kind)
    same(values.compute_chunk_sizes()[inverse.ravel()].reshape(x.shape), x, kind)
    same(da.union1d(lazy([3, 1], kind), lazy([1, 7, 3], kind)), np.array([1, 3, 7]), kind)
    same(np.unique(lazy(x, kind)), np.array([2, 4, 9]), kind)


def test_names_tell_what_was_asked(kind):
    x = lazy(np.arange(4), kind)
    assert da.unique(x).name == da.unique(x).name
    assert da.unique(x, return_counts=True)[0].name != da.unique(x).name


@pytest.mark.parametrize("flags", FLAGS)
def test_numpy_chunks_are_as_before(flags):
    x = RNG.integers(0, 5, size=(4, 5))

    def found():
        result = da.unique(da.from_array(x, chunks=2), *flags)
        return [part.compute(scheduler="sync") for part in (result if isinstance(result, tuple) else (result,))]

    with arrayshim.scope(only=()):
        stock = found()
    with arrayshim.scope(only=["unique_parts"]):
        for ours, before in zip(found(), stock, strict=True):
            np.testing.assert_array_equal(ours, before, strict=True)
