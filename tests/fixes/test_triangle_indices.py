"""`triangle_indices`: the indices of a triangle are where the array is."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import lazy, lazy_host, same

import arrayshim
from arrayshim.fixes.triangle_indices import FIX

ALL = ["triangle_indices", "nonzero_positions", "boolean_selection_meta"]


def test_the_smallest_call_failed_before():
    x = lazy([[1, 2], [3, 4]])
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the indices of a StrictArray are of type ndarray"
        assert type(da.tril_indices_from(x)[0].compute()) is np.ndarray
    with arrayshim.scope(only=ALL):
        assert FIX.diagnose() is None
        same(da.tril_indices_from(x)[0], [0, 1, 1])


@pytest.mark.parametrize("shape", [(3, 3), (2, 5), (4, 1)])
@pytest.mark.parametrize("k", [0, -2, 9])
@pytest.mark.parametrize("name", ["tril_indices_from", "triu_indices_from"])
def test_diagonals(name, k, shape):
    data = np.ones(shape)
    with arrayshim.scope(only=ALL):
        for chunks in ((2, 1), 9):
            found = getattr(da, name)(lazy(data, chunks), k)
            for indices, expected in zip(found, getattr(np, name)(data, k), strict=True):
                same(indices, expected)


@pytest.mark.parametrize("name", ["tril_indices_from", "triu_indices_from"])
def test_errors_and_numpy_unchanged(name):
    with arrayshim.scope(only=ALL):
        with pytest.raises(ValueError, match="input array must be 2-d"):
            getattr(da, name)(lazy([1, 2]))
        ours = getattr(da, name)(lazy_host(np.ones((3, 3))), k=1)
    with arrayshim.scope(only=()):
        stock = getattr(da, name)(lazy_host(np.ones((3, 3))), k=1)
    assert [x.name for x in ours] == [x.name for x in stock]
