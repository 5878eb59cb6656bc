"""`gradient_coordinates`: coordinates follow the data, whatever they are given as."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.gradient_coordinates import FIX

TABLE = np.arange(36.0).reshape(6, 6) ** 2
COORDINATES = np.array([0.0, 1, 2, 4, 5, 7])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["gradient_coordinates", "inferred_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "AttributeError" in FIX.diagnose()
        with pytest.raises(AttributeError, match="list"):
            da.gradient(lazy(TABLE, kind, 3), COORDINATES.tolist(), axis=0).compute()
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [6, 3, (3, 2)])
@pytest.mark.parametrize("where", ["list", "host", "device"])
def test_coordinates(kind, where, chunks):
    given = {"list": COORDINATES.tolist(), "host": COORDINATES, "device": strict.asarray(COORDINATES, kind=kind)}[where]
    x = lazy(TABLE, kind, chunks)
    same(da.gradient(x, given, axis=0), np.gradient(TABLE, COORDINATES, axis=0), kind, rtol=1e-13)
    if chunks != (3, 2):
        result = da.gradient(x, given, axis=1, edge_order=2)
        same(result, np.gradient(TABLE, COORDINATES, axis=1, edge_order=2), kind, rtol=1e-12)


def test_one_for_each_axis_and_integers(kind):
    for ours, expected in zip(
        da.gradient(lazy(TABLE, kind, 3), [0, 1, 2, 4, 5, 7], 0.5),
        np.gradient(TABLE, [0, 1, 2, 4, 5, 7], 0.5),
        strict=True,
    ):
        same(ours, expected, kind, rtol=1e-13)


def test_host_data_and_coordinates_on_a_device(kind):
    with pytest.raises(ResidenceError, match=r"gradient.*host memory"):
        da.gradient(da.from_array(TABLE, chunks=3), strict.asarray(COORDINATES, kind=kind), axis=0)


def test_numpy_chunks_as_before():
    x = da.from_array(TABLE, chunks=3)
    with arrayshim.scope(only=()):
        stock = da.gradient(x, COORDINATES, axis=0).compute()
    with arrayshim.scope(only=["gradient_coordinates"]):
        for given in (COORDINATES, COORDINATES.tolist()):
            np.testing.assert_array_equal(da.gradient(x, given, axis=0).compute(), stock, strict=True)
        np.testing.assert_array_equal(da.gradient(x, axis=0).compute(), np.gradient(TABLE, axis=0), strict=True)
