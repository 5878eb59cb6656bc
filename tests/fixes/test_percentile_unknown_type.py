"""`percentile_unknown_type`: percentiles of chunks of a type that nobody has registered."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.percentile_unknown_type import FIX

DATA = np.array([7.0, 1.0, 4.0, 2.0, 6.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["percentile_unknown_type"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=-1):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def test_the_smallest_call_failed_before(kind):
    x = lazy(DATA, kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() is not None
        with pytest.raises(TypeError):
            da.percentile(x, 50).compute()
    assert FIX.diagnose() is None
    middle = da.percentile(x, [50])
    assert type(middle._meta) is type(middle.compute()) is kind
    assert middle.compute().get().tolist() == [4.0]


@pytest.mark.parametrize("method", ["linear", "lower", "higher", "midpoint", "nearest"])
def test_one_chunk_gives_what_numpy_gives(kind, method):
    q = [0, 25, 50, 75, 100]
    got = da.percentile(lazy(DATA, kind), q, method=method).compute()
    assert type(got) is kind
    assert got.get().tolist() == np.percentile(DATA, q, method=method).tolist() == [1.0, 2.0, 4.0, 6.0, 7.0]


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_several_chunks_give_what_numpy_chunks_give(kind, dtype):
    values = (np.arange(20) * 7 % 20).astype(dtype)
    q = [10, 50, 90]
    with arrayshim.scope(only=()):
        expected = da.percentile(da.from_array(values, chunks=6), q).compute()
    got = da.percentile(lazy(values, kind, chunks=6), q).compute()
    assert type(got) is kind
    np.testing.assert_allclose(got.get(), expected, rtol=1e-6)


def test_an_empty_chunk_counts_for_nothing(kind):
    x = da.concatenate([lazy(DATA, kind), lazy(np.empty(0), kind)])
    assert da.percentile(x, [50]).compute().get().tolist() == [4.0]


def test_numpy_chunks_as_before():
    x = da.from_array(DATA, chunks=2)
    with arrayshim.scope(only=()):
        stock = da.percentile(x, [25, 50]).compute()
    with arrayshim.scope(only=["percentile_unknown_type"]):
        np.testing.assert_array_equal(da.percentile(x, [25, 50]).compute(), stock, strict=True)


@pytest.mark.parametrize("q", [101, -1, [50, np.nan], np.array([50, 101])])
def test_percentages_out_of_range_are_refused_while_the_graph_is_built(kind, q):
    with pytest.raises(ValueError, match=r"Percentiles must be in the range \[0, 100\]"):
        da.percentile(lazy(DATA, kind), q)
