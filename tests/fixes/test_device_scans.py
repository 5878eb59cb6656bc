"""`device_scans`: chunks whose type has a kernel for running totals get it; NumPy's graphs are as before."""

from __future__ import annotations

import operator

import dask.array as da
import numpy as np
import pytest
from dask.array import reductions

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.device_scans import FIX

DATA = np.random.default_rng(1).normal(1, 0.2, (7, 6))
HOLED = np.where(DATA > 1.2, np.nan, DATA)
NAMES = ("cumsum", "cumprod", "nancumsum", "nancumprod")


@pytest.fixture
def kind():
    """A type with rows for running totals; the list `kind.asked` has the shape of each chunk."""
    found = strict.fresh_type("Fast")
    found.asked = []

    def row(name):
        def function(a, axis=None, dtype=None, out=None):
            found.asked.append(a.shape)
            return strict.asarray(getattr(np, name)(a.get(), axis=axis, dtype=dtype), kind=found)

        return function

    for name in NAMES:
        kernels.TABLES[name].add(found, row(name))
    yield found
    for name in NAMES:
        kernels.TABLES[name].remove(found)


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "running totals of a chunk that has a kernel are done by NumPy's name"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("method", ["sequential", "blelloch"])
@pytest.mark.parametrize("chunks", [2, (7, 4), -1])
@pytest.mark.parametrize("name", NAMES)
def test_the_kernel_gets_each_chunk(kind, name, chunks, method):
    host = HOLED if name.startswith("nan") else DATA
    x = da.from_array(strict.asarray(host, kind=kind), chunks=chunks, name=False, asarray=False)
    for axis in (0, 1):
        lazy = getattr(da, name)(x, axis=axis, method=method)
        kind.asked.clear()
        got = lazy.compute(scheduler="sync")
        assert len(kind.asked) == x.npartitions
        assert type(got) is type(lazy._meta) is kind
        np.testing.assert_allclose(got.get(), getattr(np, name)(host, axis=axis), rtol=1e-13)


def unchanged(x, axis, dtype):
    return x.astype(dtype)


def last(a, b):
    return b


def test_a_dtype_and_a_function_of_others(kind):
    x = da.from_array(strict.asarray(DATA.astype("f4"), kind=kind), chunks=3, name=False, asarray=False)
    got = x.cumsum(axis=0, dtype="f8").compute(scheduler="sync")
    np.testing.assert_allclose(got.get(), DATA.astype("f4").cumsum(axis=0, dtype="f8"), strict=True)
    kind.asked.clear()
    lazy = da.reductions.cumreduction(unchanged, last, 0, x, axis=0, dtype=x.dtype)
    np.testing.assert_array_equal(lazy.compute(scheduler="sync").get(), DATA.astype("f4"))
    assert not kind.asked


@pytest.mark.parametrize("chunks", [2, (7, 4), -1])
@pytest.mark.parametrize(
    "host", [DATA, HOLED, DATA > 1, np.ma.masked_greater(DATA, 1)], ids=["f8", "nan", "bool", "ma"]
)
def test_numpy_chunks_are_as_before(host, chunks):
    def everything():
        x = da.from_array(host, chunks=chunks, name=False)
        for name in NAMES if not isinstance(host, np.ma.MaskedArray) else NAMES[:2]:
            lazy = getattr(da, name)(x, axis=1)
            yield lazy.compute(scheduler="sync"), len(lazy.dask)

    with arrayshim.scope(only=()):
        stock = list(everything())
    for (got, tasks), (want, before) in zip(everything(), stock, strict=True):
        assert (type(got), got.dtype, tasks) == (type(want), want.dtype, before)
        assert np.ma.getdata(got).tobytes() == np.ma.getdata(want).tobytes()
        np.testing.assert_array_equal(np.ma.getmaskarray(got), np.ma.getmaskarray(want))


@pytest.mark.parametrize("host", [True, False])
def test_all_arguments_may_come_by_position(host):
    x = da.from_array(np.arange(6) if host else strict.asarray(np.arange(6)), chunks=2)
    total = reductions.cumreduction(np.cumsum, operator.add, 0, x, 0, None, None, "blelloch", np.sum)
    assert total.compute(scheduler="sync").tolist() == [0, 1, 3, 6, 10, 15]
