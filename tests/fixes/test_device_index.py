"""`device_index`: an index array on a device counts from the end of the whole axis, and is read once."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import device, lazy, lazy_host, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.device_index import FIX

DATA = np.arange(9.0)


@pytest.fixture
def fixed():
    with arrayshim.scope(only=["device_index"]):
        yield


def test_the_smallest_call_failed_before():
    x = lazy(DATA, 3)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "index -1 of an axis of 9 becomes -1"
        np.testing.assert_array_equal(x[device([-1])].compute().get(), [0.0])
    with arrayshim.scope(only=["device_index"]):
        assert FIX.diagnose() is None
        same(x[device([-1])], [8.0])


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("chunks", [1, 2, 4, 9])
@pytest.mark.parametrize("index", [[4, 4, -2], [-9, 8, 0], [], [-1, -2, -3, -4, -5]])
def test_integers(chunks, index):
    index = np.array(index, dtype="i4")
    same(lazy(DATA, chunks)[device(index)], DATA[index])
    same(lazy_host(DATA, chunks)[device(index)], DATA[index], np.ndarray)
    table = DATA.reshape(3, 3)
    same(lazy(table, chunks)[1:, device(index % 3 - 3)], table[1:, index % 3 - 3])


@pytest.mark.usefixtures("fixed")
def test_masks_and_the_size_of_the_result():
    mask = DATA % 3 == 0
    found = lazy(DATA, 4)[device(mask)]
    assert found.shape == (3,)
    same(found, DATA[mask])


@pytest.mark.usefixtures("fixed")
def test_the_index_is_read_once():
    x, index = lazy(DATA), device([3, -1, 0])
    with strict.conversions() as copies:
        x[index].compute()
    assert (copies.count, copies.bytes) == (1, index.nbytes)


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("index", [[9], [-10, 0]])
def test_out_of_range(index):
    with pytest.raises(IndexError, match="Index is out of bounds for axis 0 with size 9"):
        lazy(DATA)[device(index)]
    with pytest.raises(IndexError, match="Boolean array with size 2 is not long enough for axis 0 with size 9"):
        lazy(DATA)[device([True, False])]


@pytest.mark.usefixtures("fixed")
def test_a_type_that_nobody_can_bring_to_the_host_is_asked_for_a_list():
    from duck import Duck

    same(lazy_host(DATA)[Duck(data=np.array([3, -1]))], DATA[[3, -1]], np.ndarray)


def test_numpy_unchanged():
    x = da.from_array(DATA, chunks=4)
    for key in ([3, -1], np.array([3, -1]), DATA > 4, -1, slice(-3, None)):
        with arrayshim.scope(only=()):
            stock = x[key]
        with arrayshim.scope(only=["device_index"]):
            assert x[key].name == stock.name
