"""`delayed_chunk_type`: a chunk that went through a `Delayed` is what it was."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from dask.delayed import Delayed
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.delayed_chunk_type import FIX

TABLE = np.arange(12.0).reshape(2, 6)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["delayed_chunk_type"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, the chunk was StrictArray"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("optimize_graph", [True, False])
def test_there_and_back(kind, optimize_graph):
    x = lazy(TABLE, kind, (1, 3))
    chunks = x.to_delayed(optimize_graph)
    assert (chunks.shape, chunks.dtype) == ((2, 2), np.dtype("O"))
    same(da.from_delayed(chunks[0, 1], (1, 3), dtype="f8"), TABLE[:1, 3:], kind)
    same(da.from_delayed(chunks[0, 1], (1, 3)), TABLE[:1, 3:], kind)
    blocks = [[da.from_delayed(chunk, (1, 3), dtype="f8") for chunk in row] for row in chunks]
    same(da.block(blocks) + 1, TABLE + 1, kind)


def test_of_no_axes(kind):
    chunk = lazy(TABLE, kind).sum().to_delayed()
    assert chunk.shape == ()
    same(da.from_delayed(chunk[()], (), dtype="f8"), TABLE.sum(), kind)


def test_it_is_a_delayed(kind):
    (chunk,) = lazy(TABLE[0], kind, -1).to_delayed()
    assert isinstance(chunk, Delayed)
    assert dask.is_dask_collection(chunk)
    assert dask.delayed(len)(chunk).compute() == 6
    assert chunk.sum().compute().get() == 15.0
    (held,) = dask.persist(chunk)
    np.testing.assert_array_equal(held.compute().get(), TABLE[0])


def test_it_travels(kind):
    cloudpickle = pytest.importorskip("cloudpickle")
    (chunk,) = lazy(TABLE[0]).rechunk(-1).to_delayed()
    same(da.from_delayed(cloudpickle.loads(cloudpickle.dumps(chunk)), (6,)), TABLE[0])


def test_what_was_given_stays(kind):
    (chunk,) = lazy(TABLE[0], kind, -1).to_delayed()
    assert type(da.from_delayed(chunk, (6,), meta=np.empty(0))._meta) is np.ndarray
    assert da.from_delayed(chunk, (6,), dtype="f4").dtype == np.dtype("f4")
    assert da.from_delayed(chunk, (6,), name="mine").name == "mine"
    with pytest.raises(ValueError, match="must specify the meta or dtype"):
        da.from_delayed(dask.delayed(abs)(chunk), (6,))


def test_numpy_chunks_as_before():
    x = da.from_array(TABLE, chunks=(1, 3))
    with arrayshim.scope(only=["delayed_chunk_type"]):
        chunks = x.to_delayed()
        assert {type(chunk) for chunk in chunks.ravel()} == {Delayed}
        ours = da.from_delayed(chunks[0, 0], (1, 3), dtype="f8")
        with arrayshim.scope(only=()):
            assert ours.name == da.from_delayed(chunks[0, 0], (1, 3), dtype="f8").name
        np.testing.assert_array_equal(ours.compute(), TABLE[:1, :3])
