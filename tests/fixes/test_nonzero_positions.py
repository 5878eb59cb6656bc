"""`nonzero_positions`: where an array is true is found on its device, in NumPy's order."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import KIND, lazy, lazy_host, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.nonzero_positions import FIX

TABLE = np.arange(24).reshape(4, 3, 2) % 7 % 3


@pytest.fixture
def fixed():
    with arrayshim.scope(only=["nonzero_positions", "boolean_selection_meta"]):
        yield


def test_the_smallest_call_failed_before():
    x = lazy([0, 3, 0, 4])
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the positions in a StrictArray are of type ndarray"
        with pytest.raises(TypeError, match="Implicit conversion"):
            da.nonzero(x)[0].compute()
    with arrayshim.scope(only=["nonzero_positions", "boolean_selection_meta"]):
        assert FIX.diagnose() is None
        same(da.nonzero(x)[0], [1, 3])


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("chunks", [(4, 3, 2), (2, 3, 2), (3, 2, 1)])
def test_every_form_in_one_two_and_three_dimensions(chunks):
    for axes in (1, 2, 3):
        data = TABLE[(...,) + (0,) * (3 - axes)]
        x = lazy(data, chunks[:axes])
        same(da.argwhere(x), np.argwhere(data))
        same(da.flatnonzero(x), np.flatnonzero(data))
        for found, expected in zip(da.nonzero(x), np.nonzero(data), strict=True):
            same(found, expected)
        for forms in (x.nonzero(), da.where(x), np.nonzero(x)):
            assert [found.name for found in forms] == [found.name for found in da.nonzero(x)]


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("data", [np.zeros(4), np.ones((2, 3), bool), np.array([1.5, np.nan, 0.0]), np.zeros(0)])
def test_all_none_and_nan(data):
    same(da.argwhere(lazy(data, 2)), np.argwhere(data))


@pytest.mark.usefixtures("fixed")
def test_nothing_leaves_the_device():
    x = lazy(TABLE, (2, 2, 2))
    with strict.conversions() as copies:
        found = da.nonzero(x)
        assert all(type(part.compute()) is KIND for part in found)
    assert copies.count == 0


@pytest.mark.usefixtures("fixed")
def test_what_numpy_chunks_refuse_is_refused_alike():
    for make in (lazy, lazy_host):
        x = make(TABLE[0])
        with pytest.raises(ValueError, match="cannot convert float NaN to integer"):
            da.argwhere(x[x[:, 0] > 0])


def test_numpy_unchanged():
    x = da.from_array(TABLE, chunks=2)
    found = []
    for only in ((), ["nonzero_positions"]):
        with arrayshim.scope(only=only):
            found.append(da.argwhere(x))
    assert found[0].name == found[1].name
    np.testing.assert_array_equal(found[1].compute(), np.argwhere(TABLE), strict=True)


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize("chunks", [(4, 3, 2), (2, 3, 2), (3, 2, 1)])
def test_chunks_are_those_of_numpy_chunks(axes, chunks):
    data = TABLE[(...,) + (0,) * (3 - axes)]
    ours, stock = (da.argwhere(x) for x in (lazy(data, chunks[:axes]), lazy_host(data, chunks[:axes])))
    assert ours.numblocks == stock.numblocks
    assert ours.chunks[1] == stock.chunks[1] == (1,) * axes
    same(ours, np.argwhere(data))
