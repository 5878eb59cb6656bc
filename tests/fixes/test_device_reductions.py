"""`device_reductions`: the steps of dask's trees ask the tables of kernels for the type of the chunk."""

from __future__ import annotations

import warnings

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.device_reductions import FIX
from arrayshim.kernels import fused

DATA = np.array([[1.0, 5.0, 2.0, 2.0, 9.0], [2.0, 8.0, -3.0, 9.0, 0.0], [3.0, 2.0, 9.0, 1.0, -3.0]])
HOLED = np.where(DATA == 2, np.nan, DATA)
#: No value twice: of equal extremes in several chunks dask does not take the first.
ORDERED = np.array([[4.0, 11.0, 2.0, 14.0, 6.0], [9.0, 1.0, 13.0, 0.0, 7.0], [3.0, 12.0, 8.0, 5.0, 10.0]])
CHUNKS = [2, (3, 1), ((1, 2), (4, 1)), -1]
PLAIN = ("sum", "prod", "min", "max", "any", "all")
SKIPPING = ("nansum", "nanprod", "nanmin", "nanmax")
ARGS = ("argmin", "argmax", "nanargmin", "nanargmax")


class Rows:
    """Rows of a library with kernels of its own for a new array type: NumPy's functions, and a list of the calls."""

    def __init__(self):
        self.kind = strict.fresh_type("Fast")
        self.called = []
        self._added = []

    def add(self, name, function):
        def row(x, *args, **kwargs):
            self.called.append(name)
            return function(x, *args, **kwargs)

        kernels.TABLES[name].add(self.kind, row)
        self._added.append(name)

    def remove(self):
        for name in self._added:
            kernels.TABLES[name].remove(self.kind)

    def numpys(self, name):
        def function(x, **kwargs):
            return strict.asarray(getattr(np, name)(x.get(), **kwargs), kind=self.kind)

        return function

    def dask(self, host, chunks):
        return da.from_array(strict.asarray(host, kind=self.kind), chunks=chunks, name=False, asarray=False)

    def moved(self, host):
        return strict.asarray(np.asarray(host), kind=self.kind)


@pytest.fixture
def rows():
    found = Rows()
    for name in PLAIN + SKIPPING:
        found.add(name, found.numpys(name))
    yield found
    found.remove()


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the sum of a chunk that has a kernel is done by its own function"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("axis", [None, 0, (0, 1)])
@pytest.mark.parametrize("name", PLAIN + SKIPPING)
def test_a_kernel_is_asked_for_each_chunk(rows, name, axis, chunks):
    host = HOLED if name in SKIPPING else DATA
    x = rows.dask(host, chunks)
    lazy = getattr(da, name)(x, axis=axis)
    rows.called.clear()
    got = lazy.compute(scheduler="sync")
    assert rows.called.count(name) >= x.npartitions
    assert type(got) is type(lazy._meta) is rows.kind
    np.testing.assert_array_equal(got.get(), getattr(np, name)(host, axis=axis))


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", ARGS)
def test_a_kernel_is_told_where_its_chunk_begins(rows, name, axis, chunks):
    host = np.where(ORDERED == 14, np.nan, ORDERED) if name in ARGS[2:] else ORDERED

    def found(x, *, name, axis, offset, total_shape):
        values = x.get()
        empty = np.isnan(values).all(axis=axis, keepdims=True) if name.startswith("nan") else np.False_
        filled = np.where(empty, 0, values)
        at = getattr(np, name)(filled, axis=axis, keepdims=True)
        best = np.where(empty, np.nan, getattr(np, name.replace("arg", ""))(filled, axis=axis, keepdims=True))
        if axis is not None:
            return rows.moved(best), rows.moved(at + offset)
        place = np.unravel_index(at, values.shape)
        flat = np.ravel_multi_index([p + o for p, o in zip(place, offset, strict=True)], total_shape)
        return rows.moved(best), rows.moved(flat)

    rows.add("arg_parts", found)
    for data, along in ((host, axis), (host[0], None if axis is None else 0)):
        x = rows.dask(data, chunks if data.ndim == 2 else 2)
        rows.called.clear()
        lazy = getattr(da, name)(x, axis=along)
        np.testing.assert_array_equal(lazy.compute(scheduler="sync").get(), getattr(np, name)(data, axis=along))
        assert rows.called.count("arg_parts") == x.npartitions


@pytest.mark.parametrize("name", ["mean", "var", "std", "nanmean", "nanvar", "moment"])
def test_means_and_moments_in_one_read(rows, name):
    host = HOLED if name.startswith("nan") else DATA

    def mean_parts(x, *, skip, dtype, axis, keepdims):
        values = x.get()
        count = (~np.isnan(values) if skip else np.ones_like(values)).sum(axis=axis, keepdims=keepdims, dtype=dtype)
        total = (np.nansum if skip else np.sum)(values, axis=axis, keepdims=keepdims, dtype=dtype)
        return rows.moved(count), rows.moved(total)

    def moment_parts(x, *, order, skip, dtype, axis, keepdims):
        count, total = (part.get() for part in mean_parts(x, skip=skip, dtype=dtype, axis=axis, keepdims=True))
        with np.errstate(invalid="ignore"):
            away = x.get() - total / count
        add = np.nansum if skip else np.sum
        moments = np.stack([add(away**k, axis=axis, keepdims=keepdims) for k in range(2, order + 1)], axis=-1)
        return rows.moved(total), rows.moved(count.astype("i8")), rows.moved(moments)

    rows.add("mean_parts", mean_parts)
    rows.add("moment_parts", moment_parts)
    for axis in (None, 0):
        x = rows.dask(host, 2)
        rows.called.clear()
        if name == "moment":
            got, want = x.moment(3, axis=axis), ((host - host.mean(axis=axis)) ** 3).mean(axis=axis)
        else:
            got, want = getattr(da, name)(x, axis=axis), getattr(np, name)(host, axis=axis)
        np.testing.assert_allclose(got.compute(scheduler="sync").get(), want, rtol=1e-13)
        assert rows.called.count("mean_parts" if "mean" in name else "moment_parts") == x.npartitions


def test_what_is_not_a_plain_mean_or_moment_is_left_to_dask():
    x = strict.asarray(DATA)
    assert fused.mean_chunk(x, sum=np.sum, axis=(0,), keepdims=True) is None
    assert fused.mean_chunk(x, sum=np.cumsum, axis=(0,), keepdims=True) is None
    assert fused.moment_chunk(x, computing_meta=True) is None
    assert fused.moment_chunk(strict.asarray(DATA + 1j), implicit_complex_dtype=False) is None


@pytest.mark.parametrize("chunks", CHUNKS)
@pytest.mark.parametrize("host", [DATA, HOLED, DATA.astype("f4"), DATA > 2, DATA.astype("i2"), DATA + 1j], ids=str)
def test_numpy_chunks_are_as_before(host, chunks):
    def everything():
        x = da.from_array(host, chunks=chunks, name=False)
        for name in PLAIN + SKIPPING + ARGS + ("mean", "var", "nanmean", "nanstd"):
            for axis in (None, 1):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        yield name, axis, getattr(da, name)(x, axis=axis).compute(scheduler="sync")
                    except (TypeError, ValueError) as error:
                        yield name, axis, str(error)

    ours = list(everything())
    with arrayshim.scope(only=()):
        stock = list(everything())
    for (name, axis, got), (_, _, want) in zip(ours, stock, strict=True):
        assert type(got) is type(want), (name, axis)
        if isinstance(want, str):
            assert got == want
        else:
            assert got.dtype == want.dtype
            assert got.tobytes() == want.tobytes(), (name, axis)


def test_masked_and_empty_chunks_are_as_before():
    masked = da.from_array(np.ma.masked_equal(DATA, 2), chunks=2, name=False)
    empty = da.from_array(DATA, chunks=((0, 3), (5, 0)), name=False)
    for name in ("sum", "min", "max", "any", "prod", "mean"):
        got = getattr(da, name)(masked, axis=0).compute(scheduler="sync")
        np.testing.assert_array_equal(got, getattr(np.ma.masked_equal(DATA, 2), name)(axis=0))
        assert type(got) is np.ma.MaskedArray
    for name in ("sum", "any", "prod", "mean"):
        assert getattr(da, name)(empty).compute(scheduler="sync") == getattr(DATA, name)()


def test_a_library_that_makes_no_array_of_an_empty_list_has_extremes():
    sparse = pytest.importorskip("sparse")
    host = np.array([[0.0, 3.0, 0.0], [-2.0, 0.0, 5.0]])
    x = da.from_array(sparse.COO.from_numpy(host), chunks=(1, 2), asarray=False, name=False)
    assert (x.min().compute(), x.max().compute()) == (-2.0, 5.0)
    assert isinstance(x.max(axis=0)._meta, sparse.COO)
    np.testing.assert_array_equal(x.max(axis=0).compute().todense(), [0.0, 3.0, 5.0])
    np.testing.assert_array_equal((x + x.min()).compute().todense(), host - 2.0)
