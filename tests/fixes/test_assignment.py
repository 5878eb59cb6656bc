"""`assignment`: masks are kept and set through lazy masks, and key and value are where the data are."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import assigned, device, lazy, lazy_host, same

import arrayshim
from arrayshim import residency, strict
from arrayshim.errors import ResidenceError, UnsupportedError
from arrayshim.fixes.assignment import FIX

DATA = np.arange(12.0).reshape(4, 3)
ALL = [fix for fix in arrayshim.fixes.collect() if fix != "array_backend_reach"]


@pytest.fixture
def fixed():
    with arrayshim.scope(only=ALL):
        yield


def test_the_wrong_value_that_numpy_chunks_had():
    x = da.from_array(np.ma.array([1, 2, 9], mask=[True, False, False]), chunks=3)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "elements 0 and 2 should be masked, the mask is [False, False, False]"
        assert not np.ma.isMaskedArray(assigned(x, x > 5, np.ma.masked).compute())
        assert assigned(x, x > 5, 0).compute().tolist() == [1, 2, 0]  # NumPy: [--, 2, 0]
    with arrayshim.scope(only=["assignment"]):
        assert FIX.diagnose() is None
        assert assigned(x, x > 5, np.ma.masked).compute().tolist() == [None, 2, None]
        assert assigned(x, x > 5, 0).compute().tolist() == [None, 2, 0]


@pytest.mark.parametrize("value", [np.ma.masked, 0, 7.5, np.ma.array(3.0), np.array([4.0]), np.nan])
@pytest.mark.parametrize("chunks", [(4, 3), (2, 2), (1, 3)])
def test_masked_chunks_do_as_numpy_does(value, chunks):
    data = np.ma.masked_where(DATA % 5 == 0, DATA)
    x = da.from_array(data, chunks=chunks, asarray=False)
    expected = assigned(data, data > 6, value)
    with arrayshim.scope(only=["assignment"]):
        y = assigned(x, x > 6, value)
        found = y.compute()
    assert type(y._meta) is type(found) is np.ma.MaskedArray
    np.testing.assert_array_equal(np.ma.getmaskarray(found), np.ma.getmaskarray(expected))
    np.testing.assert_array_equal(found.filled(-1), expected.filled(-1))


def test_lazy_values_hard_masks_and_plain_arrays():
    hard = np.ma.array([1.0, 2.0, 9.0], mask=[True, False, False])
    hard.harden_mask()
    with arrayshim.scope(only=["assignment"]):
        x = da.from_array(hard, chunks=2, asarray=False)
        y = assigned(x, x < 5, x.max()).compute()
        assert y.tolist() == assigned(hard, hard < 5, 9.0).tolist() == [None, 9.0, 9.0]
        plain = da.from_array(DATA, chunks=2)
        masked = assigned(plain, plain > 8, np.ma.masked)
        assert type(masked._meta) is np.ma.MaskedArray
        assert masked.compute().mask.tolist() == (DATA > 8).tolist()
        ints = da.from_array(np.ma.array([1, 2], mask=[True, False]), chunks=2, asarray=False)
        with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
            ints[ints > 1] = np.nan


def test_assigning_masked_has_one_name():
    with arrayshim.scope(only=["assignment"]):
        x = da.from_array(np.ma.array(DATA), chunks=2, asarray=False)
        for key in (0, slice(1, 3), x > 3):
            assert assigned(x, key, np.ma.masked).name == assigned(x, key, np.ma.masked).name


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("make", [lazy, lazy_host, device, np.asarray])
def test_keys_and_values_of_either_side(make):
    x = lazy(DATA, (2, 2))
    values = np.array([[7.0, 8.0, 9.0], [5.0, 4.0, 3.0]])
    rows = np.array([True, False, False, True])
    same(assigned(x, make([3, -4]), make(values)), assigned(DATA, [3, -4], values))
    same(assigned(x, slice(1, 3), make(values)), assigned(DATA, slice(1, 3), values))
    same(assigned(x, make(rows), 9.0), assigned(DATA, rows, 9.0))
    same(assigned(x, x > 4, make(np.array(5.0))), assigned(DATA, DATA > 4, 5.0))
    same(assigned(x, (slice(None), make([2, 0])), make([1.0, 2.0])), assigned(DATA, (slice(None), [2, 0]), [1.0, 2.0]))


@pytest.mark.usefixtures("fixed")
def test_a_lazy_mask_from_the_host_moves_in_tasks():
    x, mask = lazy(DATA), lazy_host(DATA > 4)
    with residency.transfers() as moved:
        y = assigned(x, mask, 0.0)
        assert moved.number == 0
        same(y, np.where(DATA > 4, 0.0, DATA))
    assert set(moved.by_operation) == {"setitem"}
    assert moved.to_host == 0


@pytest.mark.usefixtures("fixed")
def test_an_array_from_the_host_moves_in_tasks():
    x = lazy(DATA)
    for value in (np.ones((4, 3)), [1.0, 2.0, 3.0]):
        with residency.transfers() as moved:
            y = assigned(x, slice(None), value)
            assert moved.number == 0
            same(y, assigned(DATA, slice(None), value))
        assert set(moved.by_operation) == {"setitem"}


@pytest.mark.usefixtures("fixed")
def test_nothing_is_copied_back_for_a_name():
    x = lazy(DATA)
    with strict.conversions() as copies:
        for value in (np.ones(3), [1.0, 2.0, 3.0], np.array([4.0])):
            assigned(x, 0, value).compute()
            assert assigned(x, 0, value).name == assigned(x, 0, value).name
    assert copies.count == 0


@pytest.mark.usefixtures("fixed")
def test_what_would_leave_the_device_is_an_error_at_once():
    x = lazy_host(DATA)
    for key, value in ((0, device(np.ones(3))), (0, lazy(np.ones(3))), (lazy(DATA > 4), 1.0), (lazy([0]), 1.0)):
        with pytest.raises(ResidenceError, match=r"setitem: .*in host memory.*StrictArray.*to_backend"):
            assigned(x, key, value)


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("key", [0, slice(2), "mask"])
def test_a_device_has_no_masks(key):
    x = lazy(DATA)
    for value in (np.ma.masked, np.ma.array([1.0, 2.0, 3.0], mask=[True, False, False])):
        with pytest.raises(UnsupportedError, match="arrays of type StrictArray have no masks; assign NaN"):
            assigned(x, x > 3 if key == "mask" else key, value)


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize(
    ("key", "value"),
    [
        ([0, 9], 1.0),
        (np.array([0, -9]), 1.0),
        ([True, False], 1.0),
        (slice(0, 2), np.ones((3, 3))),
        ([0, 2], np.ones((3, 3))),
        (slice(0, 0), np.ones((2, 3))),
    ],
)
def test_bad_input_is_refused_as_for_numpy_chunks(key, value):
    with pytest.raises((IndexError, ValueError)) as stock:
        assigned(lazy_host(DATA), key, value)
    for bare in (device, np.asarray):
        given = bare(key) if not isinstance(key, slice) else key
        with pytest.raises(stock.type) as ours:
            assigned(lazy(DATA), given, bare(value))
        assert str(ours.value) == str(stock.value)


def test_numpy_unchanged():
    x = lazy_host(DATA)
    for key, value in ((0, 1), (x > 3, 2.0), (lazy_host([0, 3]), np.ones(3)), (slice(1, 3), x[:2])):
        with arrayshim.scope(only=["boolean_selection_meta"]):
            stock = assigned(x, key, value)
        with arrayshim.scope(only=["assignment", "boolean_selection_meta"]):
            assert assigned(x, key, value).name == stock.name
