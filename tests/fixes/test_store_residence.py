"""`store_residence`: chunks go into targets of the other side, each by itself."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from duck import registered, strict_backend

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError, UnsupportedError
from arrayshim.fixes.store_residence import FIX

DATA = np.arange(20.0).reshape(5, 4)


BACKEND = strict_backend("stored")
(Kind,) = BACKEND.chunk_types


@pytest.fixture(autouse=True)
def _fix():
    with arrayshim.scope(only=["store_residence"]), registered(BACKEND):
        yield


def device(values):
    return strict.asarray(np.array(values), kind=Kind)


def lazy(values=DATA, chunks=(2, 3), kind=Kind):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


class Store:
    """What files look like to dask: takes what has `__array__`, and notes what it was given."""

    def __init__(self, shape, dtype=float):
        self.data = np.zeros(shape, dtype)
        self.given = []

    def __dask_tokenize__(self):
        return id(self)

    def __setitem__(self, key, value):
        self.data[key] = np.asarray(value)
        self.given.append((type(value), value.shape))

    def __getitem__(self, key):
        return self.data[key]


class DeviceStore(Store):
    """A store that takes device arrays and keeps them there."""

    def __init__(self, shape):
        super().__init__(shape)
        self.data = device(self.data)

    def __setitem__(self, key, value):
        self.data[key] = value
        self.given.append((type(value), value.shape))


def test_the_smallest_call_failed_before():
    target = np.zeros((5, 4))
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "device chunks cannot be stored into an ndarray"
        with pytest.raises(TypeError, match="Implicit conversion"):
            lazy().store(target)
        with pytest.raises(ValueError, match="cannot be used for fill"):
            da.from_array(DATA, chunks=2).store(device(target))
    assert FIX.diagnose() is None
    lazy().store(target)
    np.testing.assert_array_equal(target, DATA)


@pytest.mark.parametrize("chunks", [(5, 4), (2, 3), (1, 1)])
@pytest.mark.parametrize("options", [{}, {"lock": False}, {"scheduler": "sync"}, {"scheduler": "threads"}])
def test_chunk_by_chunk_into_host_memory(chunks, options):
    target = np.zeros((5, 4))
    x = lazy(chunks=chunks)
    with strict.conversions() as copied, arrayshim.transfers() as moved:
        x.store(target, **options)
    np.testing.assert_array_equal(target, DATA)
    assert (copied.count, copied.bytes) == (x.npartitions, DATA.nbytes)
    assert moved.by_operation == {"store": (x.npartitions, DATA.nbytes)}


def test_chunk_by_chunk_into_a_store():
    target = Store((5, 4))
    lazy().store(target, lock=True, scheduler="sync")
    np.testing.assert_array_equal(target.data, DATA)
    assert sorted(target.given) == sorted([(np.ndarray, shape) for shape in [(2, 3), (2, 1)] * 2 + [(1, 3), (1, 1)]])


def test_a_store_that_takes_device_arrays_gets_them():
    target = DeviceStore((5, 4))
    with strict.conversions() as copied:
        lazy().store(target, scheduler="sync")
    assert copied.count == 0
    assert {kind for kind, _ in target.given} == {Kind}
    np.testing.assert_array_equal(target.data.get(), DATA)


def test_into_a_device_target():
    target = device(np.zeros((5, 4)))
    with strict.conversions() as copied:
        lazy().store(target)
    # Not even to make a name for the graph.
    assert copied.count == 0
    np.testing.assert_array_equal(target.get(), DATA)
    with arrayshim.transfers() as moved:
        da.from_array(DATA + 1, chunks=(2, 3)).store(target)
    assert (moved.to_device, moved.to_host, moved.bytes) == (6, 0, DATA.nbytes)
    np.testing.assert_array_equal(target.get(), DATA + 1)


def test_several_at_once_with_regions_and_a_cast():
    one, other = np.zeros((9, 9)), np.zeros(6, "i4")
    regions = [(slice(2, 7), slice(1, 5)), (slice(1, 5),)]
    da.store([lazy(), lazy([1.0, 2.0, 3.0, 4.0], 3)], [one, other], regions=regions)
    np.testing.assert_array_equal(one[2:7, 1:5], DATA)
    assert one.sum() == DATA.sum()
    assert other.tolist() == [0, 1, 2, 3, 4, 0]


def test_delayed_targets_and_delayed_stores():
    target = np.zeros((5, 4))
    stored = lazy().store(dask.delayed(lambda: target)(), compute=False)
    assert not target.any()
    dask.compute(stored, scheduler="sync")
    np.testing.assert_array_equal(target, DATA)


@pytest.mark.parametrize("compute", [True, False])
def test_what_is_stored_and_read_back_is_where_the_target_is(compute):
    back = da.store(lazy(), np.zeros((5, 4)), return_stored=True, compute=compute)
    back = back[0] if isinstance(back, tuple) else back
    assert type(back._meta) is type(back.compute()) is np.ndarray
    assert (back._meta.dtype, back._meta.ndim) == (DATA.dtype, 2)
    np.testing.assert_array_equal((back + 1).compute(), DATA + 1)

    target = device(np.zeros((5, 4)))
    back = da.store(da.from_array(DATA, chunks=2), target, return_stored=True, compute=compute)
    back = back[0] if isinstance(back, tuple) else back
    assert type(back._meta) is type(back.compute()) is Kind
    np.testing.assert_array_equal((back + 1).compute().get(), DATA + 1)


@pytest.mark.parametrize("compute", [True, False])
def test_targets_that_come_back_are_known_for_what_they_are(compute):
    for x, target in ((lazy(chunks=5), np.zeros((5, 4))), (da.from_array(DATA, chunks=5), device(np.zeros((5, 4))))):
        back = da.store(x, target, True, None, compute, True, load_stored=False)
        back = back[0] if isinstance(back, tuple) else back
        assert type(back._meta) is type(back.compute()) is type(target)


@pytest.mark.parametrize("axis", [0, 1])
def test_to_npy_stack(tmp_path, axis):
    x = lazy()
    with arrayshim.transfers() as moved:
        da.to_npy_stack(tmp_path / "stack", x, axis=axis)
    assert moved.by_operation == {"to_npy_stack": (x.npartitions, DATA.nbytes)}
    np.testing.assert_array_equal(da.from_npy_stack(tmp_path / "stack").compute(), DATA)


def test_two_devices_are_refused():
    other = strict.fresh_type("Other")
    with pytest.raises(ResidenceError, match=r"store: .* on different devices"):
        lazy().store(strict.asarray(np.zeros((5, 4)), kind=other), scheduler="sync")


def test_a_type_that_nobody_can_bring_home_says_so():
    with pytest.raises(UnsupportedError, match="nobody has said how Unknown becomes an ndarray"):
        lazy(kind=strict.fresh_type("Unknown")).store(np.zeros((5, 4)), scheduler="sync")


def test_what_a_target_itself_refuses_is_its_own_error():
    with pytest.raises(TypeError, match="item assignment"):
        da.from_array(DATA, chunks=2).store((), scheduler="sync")
    with pytest.raises(ValueError, match="could not broadcast"):
        lazy().store(np.zeros((2, 2)), scheduler="sync")


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_are_stored_as_before(make):
    x = da.from_array(make(DATA), chunks=2, asarray=False)
    target = Store((5, 4))
    x.store(target, scheduler="sync")
    assert {kind for kind, _ in target.given} == {type(make(DATA))}
    np.testing.assert_array_equal(target.data, DATA)
    back = x.store(np.ma.zeros((5, 4)), return_stored=True)
    back = back[0] if isinstance(back, tuple) else back
    assert type(back._meta) is type(x._meta)
