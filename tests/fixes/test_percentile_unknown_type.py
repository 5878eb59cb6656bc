"""`percentile_unknown_type`: percentiles of chunks of a type that nobody has registered."""

from __future__ import annotations

from functools import partial

import dask.array as da
import numpy as np
import pytest
from honest import same

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.percentile_unknown_type import FIX
from arrayshim.kernels.order_statistics import METHODS

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


MERGEABLE = ["linear", "lower", "higher", "midpoint", "nearest"]


@pytest.mark.parametrize("method", MERGEABLE)
@pytest.mark.parametrize("chunks", [5, 9])
@pytest.mark.parametrize(
    "q", [[0.0, 33.3, 66.7, 100.0], [0.1, 12.7, 99.9], [100.0], [7], 100.0, np.array([10.0, 30.0], "f4")]
)
def test_many_chunks_merge_as_numpys_do(kind, method, chunks, q, monkeypatch):
    x = np.random.default_rng(4).normal(size=40).round(1) * 1e6
    with arrayshim.scope(only=()), monkeypatch.context() as patch:
        # Which of equal percentiles comes first is for each CPU to say, unless the sort is a stable one.
        patch.setattr(np, "argsort", partial(np.argsort, kind="stable"))
        expected = da.percentile(da.from_array(x, chunks=chunks), q, method=method).compute(scheduler="sync")
    same(da.percentile(lazy(x, kind, chunks), q, method=method), expected, kind)


@pytest.mark.parametrize("method", MERGEABLE)
def test_the_largest_is_found_at_a_hundred(kind, method):
    x = np.random.default_rng(8).normal(size=1001)
    q = [*np.linspace(0, 100, 41)[1:-1] / 1.0000001, 100.0]
    got = da.percentile(lazy(x, kind, 77), q, method=method)
    with arrayshim.scope(only=()):
        expected = da.percentile(da.from_array(x, chunks=77), q, method=method).compute(scheduler="sync")
    np.testing.assert_array_equal(got.compute(scheduler="sync").get()[-1], expected[-1])


def test_what_lies_below_is_added_up_from_left_to_right():
    # A library whose running sum rounds as a tree does, and a kernel beside it that does not.
    tree = strict.fresh_type("Tree")
    added = []

    def in_order(x):
        added.append(x.get())
        return np.cumsum(x)

    kernels.running_sum.add(tree, in_order)
    try:
        with arrayshim.scope(only=["percentile_unknown_type"]):
            da.percentile(lazy(DATA, tree, 2), [50.0]).compute(scheduler="sync")
    finally:
        kernels.running_sum.remove(tree)
    # 0, 50 and 100 percent of chunks of 2, 2 and 1 elements, by value: 1, 2, 3, 4, 4, 6, 6, 6, 7.
    assert [x.tolist() for x in added] == [[0.0, 0.0, 100.0, 100.0, 100.0, 0.0, 50.0, 50.0, 100.0]]


@pytest.mark.parametrize("method", sorted(METHODS))
def test_one_chunk_knows_every_method(kind, method):
    x = np.random.default_rng(2).normal(size=23)
    for q in (12.5, [0, 12.5, 60, 100], np.array([3.0, 99.0])):
        same(da.percentile(lazy(x, kind), q, method=method), np.percentile(x, q, method=method), kind, rtol=1e-14)


def test_many_chunks_know_five_methods(kind):
    for method in ("hazen", "best"):
        with pytest.raises(ValueError, match="interpolation method can only be 'linear'"):
            da.percentile(lazy(DATA, kind, 2), 50, method=method)
    with pytest.raises(ValueError, match="interpolation method can only be 'linear'"):
        da.percentile(lazy(DATA, kind), 50, method="best")


def test_all_chunks_empty(kind):
    with pytest.raises(ValueError, match="No non-trivial arrays"):
        da.percentile(lazy(np.zeros(0), kind), 50).compute(scheduler="sync")


def test_truth_values_get_the_nearest(kind):
    x = np.array([True, False, True, True, False, True])
    with arrayshim.scope(only=()):
        expected = da.percentile(da.from_array(x, chunks=4), [0, 100]).compute(scheduler="sync")
    same(da.percentile(lazy(x, kind, 4), [0, 100]), expected, kind)


@pytest.mark.parametrize("method", ["linear", "weibull"])
@pytest.mark.parametrize("chunks", [-1, 2])
def test_what_is_no_number_gets_the_nearest_by_any_method(chunks, method):
    flags = strict.asarray(np.array([True, False, True, True]))
    x = da.percentile(da.from_array(flags, chunks=chunks), [0, 50], method=method)
    assert x.compute(scheduler="sync").get().tolist() == [False, True]
