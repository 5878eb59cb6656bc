"""`assignment_placeholders`: a lazy integer index assigns to the elements it names, and to no other."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import assigned, lazy, lazy_host, same

import arrayshim
from arrayshim.fixes.assignment_placeholders import FIX

DATA = np.arange(12.0).reshape(6, 2)


@pytest.fixture
def fixed():
    with arrayshim.scope(only=["assignment_placeholders", "nonzero_positions", "boolean_selection_meta"]):
        yield


def test_the_smallest_call_failed_before():
    x, index = lazy(np.zeros(6), 3), lazy([0])
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "element 2 of a block of 2, which is a placeholder, is assigned: [1, 0]"
        np.testing.assert_array_equal(assigned(x, index, 1.0).compute().get(), [1, 0, 0, 1, 0, 0])
    with arrayshim.scope(only=["assignment_placeholders"]):
        assert FIX.diagnose() is None
        same(assigned(x, index, 1.0), [1.0, 0, 0, 0, 0, 0])


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("chunks", [(1, 1), (2, 2), (4, 1), (6, 2)])
@pytest.mark.parametrize("index", [[0], [5, 0], [-1, 2, 2], [3, -6, 1, 5]])
def test_rows_and_columns(chunks, index):
    x = lazy(DATA, chunks)
    same(assigned(x, lazy(index), 9.0), assigned(DATA, index, 9.0))
    columns = [i % 2 for i in index]
    key, host = (slice(1, 5), lazy(columns)), (slice(1, 5), columns)
    same(assigned(x, key, 9.0), assigned(DATA, host, 9.0))


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("chunks", [1, 2, 4, 6])
def test_values_go_to_their_elements(chunks):
    data, index, values = np.arange(6.0), [4, 0, 3], np.array([7.0, 8.0, 9.0])
    same(assigned(lazy(data, chunks), lazy(index), lazy(values)), assigned(data, index, values))


@pytest.mark.usefixtures("fixed")
def test_what_is_out_of_range_is_nowhere():
    x = lazy(np.arange(6.0), 4)
    same(assigned(x, lazy([6, -7, 1]), 9.0), [0.0, 9, 2, 3, 4, 5])


def test_numpy_unchanged():
    x = da.from_array(DATA, chunks=4)
    found = []
    for only in ((), ["assignment_placeholders"]):
        with arrayshim.scope(only=only):
            found.append(assigned(x, lazy_host([5, 0]), 9.0).compute())
    np.testing.assert_array_equal(found[0], found[1], strict=True)
    np.testing.assert_array_equal(found[1], assigned(DATA, [5, 0], 9.0))
