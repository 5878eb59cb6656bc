"""`linspace_device`: values between limits on a device are there too, and say so."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.linspace_device import FIX


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["array_backend_reach", "linspace_device"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_allclose(value.get(), expected, rtol=1e-15, strict=True)


def test_the_smallest_call_lied_before(kind):
    x = lazy([0.5, 3.0, 1.0], kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, limits are StrictArray"
        assert type(da.linspace(x.min(), x.max(), 5)._meta) is np.ndarray
    assert FIX.diagnose() is None
    same(da.linspace(x.min(), x.max(), 5), np.linspace(0.5, 3.0, 5), kind)


@pytest.mark.parametrize("chunks", [1, 2, 5])
@pytest.mark.parametrize("endpoint", [True, False])
def test_chunks_and_endpoint(kind, chunks, endpoint):
    x = lazy([0.5, 3.0, 1.0], kind)
    made = da.linspace(x.min(), 4, 5, endpoint=endpoint, chunks=chunks)
    assert made.chunks == da.linspace(0.5, 4, 5, endpoint=endpoint, chunks=chunks).chunks
    same(made, np.linspace(0.5, 4, 5, endpoint=endpoint), kind)


def test_bare_limits_dtype_and_step(kind):
    start = strict.asarray(np.array(1.0), kind=kind)
    made, step = da.linspace(start, 2.0, 3, retstep=True, dtype="f4")
    assert step == 0.5
    same(made, np.linspace(1, 2, 3, dtype="f4"), kind)
    same(np.linspace(lazy([1.0], kind).sum(), 2.0, 3), np.linspace(1, 2, 3), kind)


def test_numpy_limits_go_the_stock_way(kind):
    x = da.from_array(np.array([0.5, 3.0]), chunks=1)
    for limits in ((0, 1), (x.min(), x.max())):
        with arrayshim.scope(only=()):
            stock = da.linspace(*limits, 7, chunks=3)
        ours = da.linspace(*limits, 7, chunks=3)
        assert ours.name == stock.name
        np.testing.assert_array_equal(ours.compute(), stock.compute(), strict=True)
