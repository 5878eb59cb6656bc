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
