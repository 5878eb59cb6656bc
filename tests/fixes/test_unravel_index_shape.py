"""`unravel_index_shape`: flat indices of any library are unravelled, whatever it calls the shape."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import lazy, lazy_host, same

import arrayshim
from arrayshim.fixes.unravel_index_shape import FIX


def test_the_smallest_call_failed_before():
    x = lazy([3])
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "unravel_index of a StrictArray: unravel_index() missing a required argument: 'dims'"
        with pytest.raises(TypeError, match="dims"):
            da.unravel_index(x, (2, 2))[0].compute()
    with arrayshim.scope(only=["unravel_index_shape"]):
        assert FIX.diagnose() is None
        same(da.unravel_index(x, (2, 2))[0], [1])


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("flat", [[0, 22, 41, 7], [[0, 22], [41, 7]], [5]])
def test_shapes_and_orders(flat, order):
    with arrayshim.scope(only=["unravel_index_shape"]):
        for shape in ((7, 6), (7, 3, 2), (42,)):
            found = da.unravel_index(lazy(flat, 1), shape, order)
            for indices, expected in zip(found, np.unravel_index(flat, shape, order), strict=True):
                same(indices, expected)


def test_without_elements():
    with arrayshim.scope(only=["unravel_index_shape"]):
        for indices in da.unravel_index(lazy(np.zeros(0, int)), (2, 3)):
            same(indices, np.zeros(0, np.intp))
        assert da.unravel_index(lazy(np.array(0)), ()) == ()


def test_numpy_unchanged():
    found = []
    for only in ((), ["unravel_index_shape"]):
        with arrayshim.scope(only=only):
            found.append([x.compute() for x in da.unravel_index(lazy_host([0, 22]), (7, 6), order="F")])
    np.testing.assert_array_equal(found[0], found[1], strict=True)
    np.testing.assert_array_equal(found[1], np.unravel_index([0, 22], (7, 6), order="F"))
