"""`push_on_device`: what is missing is filled where the data are, whatever else is installed."""

from __future__ import annotations

import sys
import types

import dask.array as da
import numpy as np
import pandas as pd
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.push_on_device import FIX

RNG = np.random.default_rng(3)
TABLE = np.where(RNG.random((9, 7)) < 0.6, np.nan, RNG.normal(size=(9, 7)))
TABLE[:, 2] = np.nan
TABLE[0] = np.nan


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["push_on_device", "creation_meta_name", "array_backend_reach"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def filled(table, n, axis):
    return pd.DataFrame(table).ffill(axis=axis % 2, limit=n).to_numpy()


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "push of device chunks" in FIX.diagnose()
    assert FIX.diagnose() is None


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("chunks", [-1, 3, 1, ((2, 7), (4, 3))])
@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("n", [None, 1, 2, 5, 40])
def test_tables(kind, n, axis, chunks, dtype):
    x = TABLE.astype(dtype)
    same(da.push(lazy(x, kind, chunks), n, axis), filled(x, n, axis), kind)


def test_other_shapes_and_dtypes(kind):
    same(da.push(lazy([np.nan, 2.0, np.nan], kind), None, 0), np.array([np.nan, 2.0, 2.0]), kind)
    same(da.push(lazy(np.arange(6), kind), None, 0), np.arange(6), kind)
    same(da.push(lazy(np.zeros((0, 3)), kind), None, 1), np.zeros((0, 3)), kind)
    cube = TABLE[:8, :6].reshape(2, 4, 6)
    expected = np.stack([filled(part, None, 0) for part in cube])
    same(da.push(lazy(cube, kind, (1, 2, 5)), None, 1), expected, kind)


def test_infinities_are_there(kind):
    x = np.array([np.inf, np.nan, -np.inf, np.nan, 1.0])
    same(da.push(lazy(x, kind), None, 0), np.array([np.inf, np.inf, -np.inf, -np.inf, 1.0]), kind)


def test_what_follows(kind):
    pushed = da.push(lazy(TABLE, kind, 3), None, 0)
    same(pushed.map_overlap(lambda b: b * 2, depth=1, boundary="reflect"), filled(TABLE, None, 0) * 2, kind)


def test_bottleneck_is_not_asked_about_device_chunks_and_is_about_others(kind, monkeypatch):
    asked = []
    stand_in = types.ModuleType("bottleneck")
    stand_in.push = lambda array, n, axis: asked.append(type(array)) or filled(array, n, axis)
    monkeypatch.setitem(sys.modules, "bottleneck", stand_in)
    monkeypatch.setattr("dask.array.overlap.import_optional_dependency", lambda *args, **kwargs: stand_in)
    same(da.push(lazy(TABLE, kind, (9, 7)), None, 0), filled(TABLE, None, 0), kind)
    assert not asked
    host = da.push(da.from_array(TABLE, chunks=(9, 7)), None, 0).compute(scheduler="sync")
    np.testing.assert_array_equal(host, filled(TABLE, None, 0))
    assert set(asked) == {np.ndarray}


def test_numpy_chunks_ask_for_bottleneck_as_before(monkeypatch):
    monkeypatch.setitem(sys.modules, "bottleneck", None)
    with arrayshim.scope(only=["push_on_device"]), pytest.raises(ImportError):
        da.push(da.from_array(TABLE, chunks=3), None, 0)
