"""`blelloch_meta`: running values are of the kind of what they run over."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.blelloch_meta import FIX

TABLE = np.arange(1.0, 25.0).reshape(4, 6) / 8
NANS = np.where(TABLE > 2, TABLE, np.nan)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["blelloch_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, chunks are StrictArray"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [(4, 6), (2, 3), (1, 1)])
@pytest.mark.parametrize("axis", [0, -1])
@pytest.mark.parametrize(("name", "values"), [("cumsum", TABLE), ("cumprod", TABLE), ("nancumsum", NANS)])
def test_cumulative_functions(kind, name, values, axis, chunks):
    result = getattr(da, name)(lazy(values, kind, chunks), axis=axis, method="blelloch")
    same(result, getattr(np, name)(values, axis=axis), kind, rtol=1e-13)
    same(result.max(axis=0), getattr(np, name)(values, axis=axis).max(axis=0), kind, rtol=1e-13)


def test_flattened_and_of_another_dtype(kind):
    same(da.cumsum(lazy(TABLE, kind), axis=None, method="blelloch"), np.cumsum(TABLE), kind)
    x = lazy(np.arange(5, dtype="i4"), kind)
    same(x.cumsum(axis=0, dtype="f8", method="blelloch"), np.array([0.0, 1, 3, 6, 10]), kind)


def test_into_out(kind):
    x = lazy(np.arange(4.0), kind)
    out = da.zeros(4, chunks=2)
    assert da.cumsum(x, axis=0, out=out, method="blelloch") is out
    same(out, np.array([0.0, 1, 3, 6]), kind)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_as_before(make):
    x = da.from_array(make(TABLE), chunks=(2, 3), asarray=False)
    with arrayshim.scope(only=()):
        stock = x.cumsum(axis=0, method="blelloch")
    with arrayshim.scope(only=["blelloch_meta"]):
        ours = x.cumsum(axis=0, method="blelloch")
        assert type(ours._meta) is type(stock._meta)
        np.testing.assert_array_equal(ours.compute(), stock.compute(), strict=True)
