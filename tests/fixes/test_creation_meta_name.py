"""`creation_meta_name`: what is made with `meta=` has the same name every time."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.creation_meta_name import FIX


@pytest.fixture(autouse=True)
def _fix():
    with arrayshim.scope(only=["creation_meta_name"]):
        yield


def meta(value, dtype="f8", kind=None):
    return strict.asarray(np.array(value, dtype), kind=kind)


def test_the_smallest_call_had_two_names_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "two metas of one type give two names"
        assert da.ones(3, meta=meta(0)).name != da.ones(3, meta=meta(1)).name
    assert FIX.diagnose() is None
    assert da.ones(3, meta=meta(0)).name == da.ones(3, meta=meta(1)).name


@pytest.mark.parametrize("make", [da.ones, da.zeros, da.empty, lambda *a, **k: da.full(*a, fill_value=7, **k)])
def test_what_makes_another_array_makes_another_name(make):
    fresh = strict.fresh_type("Fresh")
    names = {
        make((4, 4), chunks=2, meta=meta(0)).name,
        make((4, 4), chunks=2, meta=meta(1)).name,
        make((4, 4), chunks=3, meta=meta(0)).name,
        make((4, 5), chunks=2, meta=meta(0)).name,
        make((4, 4), chunks=2, meta=meta(0, "f4"), dtype="f4").name,
        make((4, 4), chunks=2, meta=meta(0, kind=fresh)).name,
        make((4, 4), chunks=2).name,
    }
    assert len(names) == 6


def test_full_is_named_by_what_it_is_filled_with():
    one, two = (da.full(4, value, meta=meta(0)) for value in (1.0, 2.0))
    assert one.name != two.name
    assert one.compute().get().tolist() == [1.0] * 4


def test_names_that_are_given_and_values():
    x = da.ones((4, 4), chunks=2, meta=meta(0), name="mine")
    assert x.name == "mine"
    assert type(x._meta) is type(x.compute()) is strict.StrictArray
    assert (x.compute().get() == 1).all()


def test_numpy_arrays_are_named_as_before():
    with arrayshim.scope(only=()):
        stock = da.ones(4, chunks=2).name, da.ones(4, chunks=2, meta=np.zeros(1)).name
    assert (da.ones(4, chunks=2).name, da.ones(4, chunks=2, meta=np.zeros(1)).name) == stock


MAKE = {"ones": 1, "zeros": 0, "full": 7, "empty": None}


@pytest.mark.parametrize("name", MAKE)
@pytest.mark.parametrize("lazy", [False, True])
@pytest.mark.parametrize("chunks", [2, -1, ((1, 3), (2,))])
def test_like_says_where(name, lazy, chunks):
    like = meta(3)
    like = da.from_array(like, chunks=-1, name=False, asarray=False) if lazy else like
    extra = {"fill_value": 7} if name == "full" else {}
    x = getattr(da, name)((4, 2), chunks=chunks, dtype="i4", like=like, **extra)
    with strict.conversions() as copies:
        value = x.compute()
    assert copies.count == 0
    assert type(x._meta) is type(value) is strict.StrictArray
    assert (x.dtype, x._meta.dtype, x._meta.ndim, value.dtype) == (np.dtype("i4"), np.dtype("i4"), 2, np.dtype("i4"))
    if name != "empty":
        np.testing.assert_array_equal(value.get(), np.full((4, 2), MAKE[name], dtype="i4"), strict=True)


def test_like_an_array_of_numpy():
    np.testing.assert_array_equal(da.ones((4, 2), chunks=2, like=np.empty(0)).compute(), np.ones((4, 2)), strict=True)


def test_a_number_of_a_device_fills_an_array_there():
    x = da.full((2, 3), strict.asarray(2.5), chunks=2)
    value = x.compute()
    assert type(x._meta) is type(value) is strict.StrictArray
    np.testing.assert_array_equal(value.get(), np.full((2, 3), 2.5), strict=True)
