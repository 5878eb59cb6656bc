"""`pointwise_index`: points for `vindex` may be on a device."""

from __future__ import annotations

import numpy as np
import pytest
from indexed import device, lazy, lazy_host, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.pointwise_index import FIX

DATA = np.arange(20.0).reshape(5, 4)


@pytest.fixture
def fixed():
    with arrayshim.scope(only=["pointwise_index"]):
        yield


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert "Implicit conversion" in str(FIX.diagnose())
        with pytest.raises(TypeError, match="Implicit conversion"):
            lazy(DATA).vindex[device([0]), [1]]
    with arrayshim.scope(only=["pointwise_index"]):
        assert FIX.diagnose() is None


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("chunks", [(5, 4), (2, 3)])
def test_points(chunks):
    rows, columns = np.array([0, -1, 4, 2]), np.array([3, -4, 0, 0])
    for x, kind in ((lazy(DATA, chunks), strict.StrictArray), (lazy_host(DATA, chunks), np.ndarray)):
        same(x.vindex[device(rows), device(columns)], DATA[rows, columns], kind)
        same(x.vindex[device(rows), columns], DATA[rows, columns], kind)
        same(x.vindex[device(rows), :], DATA[rows], kind)
        same(x.vindex[device(rows[:, None]), device(columns[:2])], DATA[rows[:, None], columns[:2]], kind)
        same(x.vindex[[device(1), device(2)], [0, 1]], DATA[[1, 2], [0, 1]], kind)


@pytest.mark.usefixtures("fixed")
def test_without_points_the_chunk_type_stays():
    same(lazy(DATA).vindex[[], :], DATA[[]])
    same(lazy(DATA).vindex[device(np.zeros(0, int)), device(np.zeros(0, int))], DATA[[], []])


@pytest.mark.usefixtures("fixed")
def test_errors_are_those_of_host_points():
    x = lazy(DATA)
    with pytest.raises(IndexError, match="out of bounds for indexing along axis 0 of size 5"):
        x.vindex[device([5]), device([0])]
    with pytest.raises(IndexError, match="does not support indexing with boolean arrays"):
        x.vindex[device([True] * 5), :]
    with pytest.raises(IndexError, match="could not be broadcast together"):
        x.vindex[device([1, 2]), device([0, 1, 2])]


def test_numpy_unchanged():
    x = lazy_host(DATA)
    with arrayshim.scope(only=()):
        stock = x.vindex[[0, -1], [1, 1]]
    with arrayshim.scope(only=["pointwise_index"]):
        assert x.vindex[[0, -1], [1, 1]].name == stock.name
