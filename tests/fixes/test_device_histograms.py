"""`device_histograms`: chunks whose type has a kernel are counted by it; NumPy's are as before."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.device_histograms import FIX

DATA = np.random.default_rng(1).normal(1, 2, (7, 6))


@pytest.fixture
def kind():
    """A type with a row for counting; the list `kind.asked` has the shape of each chunk."""
    found = strict.fresh_type("Fast")
    found.asked = []

    def row(x, edges):
        found.asked.append(x.shape)
        edges = edges.get() if hasattr(edges, "get") else edges
        return strict.asarray(np.histogram(x.get(), edges)[0], kind=found)

    kernels.bin_counts.add(found, row)
    yield found
    kernels.bin_counts.remove(found)


def lazy(kind, chunks=3):
    return da.from_array(strict.asarray(DATA, kind=kind), chunks=chunks, name=False, asarray=False)


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the histogram of a chunk that has a kernel is done by NumPy's name"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [3, (7, 2), -1])
def test_the_kernel_counts_each_chunk(kind, chunks):
    x = lazy(kind, chunks)
    for options in ({"bins": 5, "range": (-3, 5)}, {"bins": [-3, 0, 0.5, 5]}):
        counts, _ = da.histogram(x, **options)
        kind.asked.clear()
        got = counts.compute(scheduler="sync")
        assert len(kind.asked) == x.npartitions
        assert type(got) is kind
        np.testing.assert_array_equal(got.get(), np.histogram(DATA, **options)[0])


@pytest.mark.parametrize("edges", [[3, 1, 2], np.array([3.0, 1.0, 2.0])], ids=["list", "array"])
def test_edges_that_do_not_increase_are_refused(kind, edges):
    with pytest.raises(ValueError, match="increase monotonically"):
        da.histogram(lazy(kind), edges)[0].compute(scheduler="sync")
    assert not kind.asked


def test_weights_and_refusals_are_left_to_dask(kind):
    x = lazy(kind)
    da.histogram(x, bins=5, range=(-3, 5), weights=x)[0].compute(scheduler="sync")
    assert not kind.asked
    kernels.bin_counts.add(kind, lambda x, edges: None)
    got = da.histogram(x, bins=5, range=(-3, 5))[0].compute(scheduler="sync")
    np.testing.assert_array_equal(got.get(), np.histogram(DATA, 5, (-3, 5))[0])


@pytest.mark.parametrize("weighted", [False, True])
def test_numpy_chunks_are_as_before(weighted):
    def counts():
        x = da.from_array(DATA, chunks=3, name=False)
        weights = x if weighted else None
        return da.histogram(x, bins=5, range=(-3, 5), weights=weights)[0].compute(scheduler="sync")

    with arrayshim.scope(only=()):
        stock = counts()
    got = counts()
    assert (type(got), got.dtype) == (type(stock), stock.dtype)
    assert got.tobytes() == stock.tobytes()
