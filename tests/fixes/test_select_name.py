"""`select_name`: two results of `select` in one graph are two, and operands of unlike residence meet."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError, UnsupportedError
from arrayshim.fixes.select_name import FIX

DATA = np.arange(6.0).reshape(2, 3)


@pytest.fixture(autouse=True)
def applied():
    with arrayshim.scope(only=["select_name"]):
        yield


def test_the_smallest_call_was_wrong_before():
    x = da.from_array(np.arange(4.0), chunks=2)

    def sums():
        a, b = da.select([x > 1], [x], 0.0), da.select([x > 1], [x * 10], 5.0)
        return (a + b).compute().tolist()

    with arrayshim.scope(only=()):
        assert "one name, 'select'" in FIX.diagnose()
        assert sums() == [10.0, 10.0, 40.0, 60.0]  # b + b
    assert FIX.diagnose() is None
    assert sums() == [5.0, 5.0, 22.0, 33.0]


def test_the_same_call_has_the_same_name():
    x = da.from_array(DATA, chunks=2)
    names = {da.select([x > 1], [x], default).name for default in (0, 0, 1)}
    assert len(names) == 2
    assert all(name.startswith("select-") for name in names)


@pytest.mark.parametrize("chunks", [1, 2, (2, 3)])
def test_values_are_those_of_numpy(chunks):
    x = da.from_array(DATA, chunks=chunks)
    found = da.select([x < 1, x > 3], [x, x.astype("f4") ** 2], -1)
    expected = np.select([DATA < 1, DATA > 3], [DATA, DATA.astype("f4") ** 2], -1)
    with arrayshim.scope(only=()):
        stock = da.select([x < 1, x > 3], [x, x.astype("f4") ** 2], -1)
    assert (found.chunks, found.dtype, type(found._meta)) == (stock.chunks, stock.dtype, type(stock._meta))
    np.testing.assert_array_equal(found.compute(), expected, strict=True)
    np.testing.assert_array_equal(stock.compute(), expected, strict=True)


@pytest.mark.parametrize("kind", [strict.StrictArray, strict.fresh_type("Fresh")])
def test_host_choices_and_conditions(kind):
    x = da.from_array(strict.asarray(DATA, kind=kind), chunks=2, name=False, asarray=False)
    host = da.from_array(DATA > 3, chunks=2)
    found = da.select([x < 1, host], [x, np.ones((2, 3))], 7.0)
    value = found.compute()
    assert type(value) is type(found._meta) is kind
    np.testing.assert_array_equal(
        value.get(), np.select([DATA < 1, DATA > 3], [DATA, np.ones((2, 3))], 7.0), strict=True
    )
    with dask.config.set({"arrayshim.mixed": "raise"}), pytest.raises(ResidenceError, match=r"^select: "):
        da.select([x < 1], [np.ones((2, 3))])


def test_wrong_lists_are_refused_as_before():
    x = da.from_array(DATA, chunks=2)
    with pytest.raises(ValueError, match="same length"):
        da.select([x > 1], [x, x])
    with pytest.raises(ValueError, match="empty condition list"):
        da.select([], [])


LINE = np.arange(6.0) - 2
DEFAULTS = {
    "int beside bool": (lambda x: x > 1, 3),
    "float beside bool": (lambda x: x > 1, 2.5),
    "float beside int": (lambda x: x.astype("i8"), 2.5),
    "nan beside int": (lambda x: x.astype("i4"), np.nan),
    "too large": (lambda x: x.astype("i1"), 300),
    "negative": (lambda x: x.astype("u8"), -1),
    "complex": (lambda x: x.astype("f4"), 1j),
    "NumPy's number": (lambda x: x.astype("f4"), np.float64(2)),
    "0-d array": (lambda x: x.astype("f4"), np.array(7)),
    "fits": (lambda x: x, 0),
}


@pytest.mark.parametrize("name", DEFAULTS)
@pytest.mark.parametrize("kind", [strict.StrictArray, strict.fresh_type("Fresh")])
@pytest.mark.parametrize("sequence", [list, tuple])
@pytest.mark.parametrize("chunks", [2, 6, (1, 4, 1)])
def test_the_default_counts_on_a_device_as_in_numpy(name, kind, sequence, chunks):
    choice, default = DEFAULTS[name]
    x = da.from_array(strict.asarray(LINE, kind=kind), chunks=(chunks,), name=False, asarray=False)
    expected = np.select([LINE > 0], [choice(LINE)], default)
    found = da.select(sequence([x > 0]), sequence([choice(x)]), default)
    with strict.conversions() as copies:
        value = found.compute(scheduler="sync")
    assert copies.count == 0
    assert type(value) is type(found._meta) is kind
    assert found.dtype == found._meta.dtype == value.dtype
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_defaults_and_conditions_that_are_refused():
    x = da.from_array(strict.asarray(LINE), chunks=2, name=False, asarray=False)
    with pytest.raises(UnsupportedError, match=r"default None .* dtype object, which StrictArray chunks"):
        da.select([x > 1], [x], None)
    with pytest.raises(TypeError, match="invalid entry 0 in condlist: should be boolean ndarray"):
        da.select([x], [x]).compute()


def test_the_default_of_a_device_was_refused_before():
    x = da.from_array(strict.asarray(LINE), chunks=2, name=False, asarray=False)
    with arrayshim.scope(only=()), pytest.raises(TypeError, match="Cannot cast scalar"):
        da.select([x > 0], [x > 1], 3).compute()


@pytest.mark.parametrize("kind", [strict.StrictArray, strict.fresh_type("Fresh")])
def test_a_default_that_is_an_array(kind):
    x = da.from_array(strict.asarray(DATA, kind=kind), chunks=2, name=False, asarray=False)
    expected = np.where(DATA > 2, DATA, 5.0)
    for default in (x.max(), da.from_array(np.array(5.0)), np.float32(5), strict.asarray(5.0, kind=kind)):
        found = da.select([x > 2], [x], default=default)
        value = found.compute()
        assert type(value) is type(found._meta) is kind
        np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_a_condition_that_is_none_is_refused_as_by_numpy():
    x = da.from_array(strict.asarray(DATA), chunks=2, name=False, asarray=False)
    with pytest.raises(TypeError, match="invalid entry 1 in condlist: should be boolean ndarray"):
        da.select([x > 2, x], [x, x]).compute()
