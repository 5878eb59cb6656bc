"""`diag_device`: `da.diag` of a bare array on a device."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.diag_device import FIX


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["array_backend_reach", "diag_device", "diagonal_empty"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    x = strict.asarray(np.arange(3), kind=kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose().startswith("diag of a device array: v must be a dask array or numpy array")
        with pytest.raises(TypeError, match="v must be a dask array or numpy array"):
            da.diag(x)
    assert FIX.diagnose() is None
    assert type(da.diag(x)._meta) is type(da.diag(x).compute()) is kind


@pytest.mark.parametrize("k", [-2, 0, 1])
@pytest.mark.parametrize(
    "values", [np.arange(3.0), np.arange(12).reshape(3, 4), np.zeros((0, 2))], ids=["1d", "2d", "0"]
)
def test_every_diagonal(kind, values, k):
    found = da.diag(strict.asarray(values, kind=kind), k)
    value = found.compute()
    assert type(found._meta) is type(value) is kind
    assert (found._meta.dtype, found._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), np.diag(values, k), strict=True)


def test_what_numpy_refuses(kind):
    with pytest.raises(ValueError, match="1d or 2d only"):
        da.diag(strict.asarray(np.ones((1, 1, 1)), kind=kind))
    with pytest.raises(TypeError, match="v must be a dask array or numpy array"):
        da.diag([1, 2])


def test_numpy_arrays_go_the_stock_way(kind):
    with arrayshim.scope(only=()):
        stock = da.diag(np.arange(3), 1)
    ours = da.diag(np.arange(3), 1)
    assert (ours.name, ours.chunks) == (stock.name, stock.chunks)
    np.testing.assert_array_equal(ours.compute(), np.diag(np.arange(3), 1), strict=True)
