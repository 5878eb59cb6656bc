"""`device_selection`: chunks whose type has a kernel for the top get it; NumPy's graphs and values are as before."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.device_selection import FIX

DATA = np.random.default_rng(1).permutation(77).reshape(7, 11).astype("f8")


@pytest.fixture
def kind():
    """A type with a row for the top; the list `kind.asked` has what was asked of each chunk."""
    found = strict.fresh_type("Quick")
    found.asked = []

    def row(a, k, axis, *, places):
        found.asked.append((a.shape, k, axis, places))
        order = np.argsort(a.get(), axis=axis)
        n = order.shape[axis]
        picked = np.sort(np.take(order, range(n)[-k:] if k > 0 else range(-k), axis), axis=axis)
        return strict.asarray(picked if places else np.take_along_axis(a.get(), picked, axis), kind=found)

    kernels.top.add(found, row)
    yield found
    kernels.top.remove(found)


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the largest of a chunk that has a kernel are found by NumPy's name"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [3, (7, 4), -1])
@pytest.mark.parametrize("k", [1, 2, -2, 3, -1])
def test_the_kernel_gets_each_chunk(kind, chunks, k):
    x = da.from_array(strict.asarray(DATA, kind=kind), chunks=chunks, name=False, asarray=False)
    for axis in (0, 1):
        for name, places in (("topk", False), ("argtopk", True)):
            lazy = getattr(da, name)(x, k, axis=axis)
            kind.asked.clear()
            got = lazy.compute(scheduler="sync")
            for shape in {(len_, width) for len_ in x.chunks[0] for width in x.chunks[1]}:
                if shape[axis] > abs(k):
                    assert (shape, k, axis, places) in kind.asked
            assert type(got) is type(lazy._meta) is kind
            order = np.argsort(DATA if k < 0 else -DATA, axis=axis)
            want = np.take(order, range(abs(k)), axis)
            np.testing.assert_array_equal(got.get(), want if places else np.take_along_axis(DATA, want, axis))


def test_all_of_the_axis_needs_no_kernel(kind):
    x = da.from_array(strict.asarray(DATA, kind=kind), chunks=-1, name=False, asarray=False)
    got = da.topk(x, 7, axis=0).compute(scheduler="sync")
    np.testing.assert_array_equal(got.get(), -np.sort(-DATA, axis=0))
    assert not kind.asked


@pytest.mark.parametrize("chunks", [3, (7, 4), -1])
@pytest.mark.parametrize("host", [DATA, (DATA // 9).astype("i4")], ids=["f8", "ties"])
def test_numpy_chunks_are_as_before(host, chunks):
    def everything():
        x = da.from_array(host, chunks=chunks, name=False)
        for call in (da.topk, da.argtopk):
            lazy = call(x, 2, axis=1)
            yield lazy.compute(scheduler="sync"), len(lazy.dask)

    with arrayshim.scope(only=()):
        stock = list(everything())
    for (got, tasks), (want, before) in zip(everything(), stock, strict=True):
        assert (type(got), got.dtype, tasks) == (type(want), want.dtype, before)
        assert got.tobytes() == want.tobytes()
