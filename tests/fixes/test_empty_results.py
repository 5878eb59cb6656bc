"""`empty_results`: what has no elements still has a type."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.empty_results import FIX

TABLE = np.arange(24, dtype="f4").reshape(4, 6)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["empty_results"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, chunks were StrictArray"
        assert type(da.tile(lazy(TABLE, kind), 0).compute()) is np.ndarray
    assert FIX.diagnose() is None


@pytest.mark.parametrize("reps", [0, (0, 2), (1, 0), (2, 0, 1)])
def test_tile(kind, reps):
    same(da.tile(lazy(TABLE, kind), reps), np.tile(TABLE, reps), kind)


@pytest.mark.parametrize("chunks", [-1, (5, 1), (1, 6)])
def test_rechunk(kind, chunks):
    x = lazy(TABLE, kind)
    same(x[:0].rechunk(chunks), TABLE[:0], kind)
    same(x[:, :0].rechunk(chunks), TABLE[:, :0], kind)
    assert x[:, :0].rechunk((3, -1)).chunks == ((3, 1), (0,))


def test_what_rechunks_on_its_way(kind):
    x = lazy(TABLE, kind)
    same(x[:0].reshape(0, 3, 2), np.empty((0, 3, 2), dtype="f4"), kind)
    same(x[:0].rechunk(-1).sum(axis=0), np.zeros(6, dtype="f4"), kind)
    same(da.tile(x, 2), np.tile(TABLE, 2), kind)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_as_before(make):
    x = da.from_array(make(TABLE), chunks=2, asarray=False)
    with arrayshim.scope(only=()):
        stock = [da.tile(x, 0), x[:0].rechunk(-1)]
    with arrayshim.scope(only=["empty_results"]):
        for ours, before in zip([da.tile(x, 0), x[:0].rechunk(-1)], stock, strict=True):
            assert type(ours.compute()) is type(before.compute())
            assert (ours.name.partition("-")[0], ours.chunks) == (before.name.partition("-")[0], before.chunks)
