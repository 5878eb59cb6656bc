"""`lazy_index_offsets`: a lazy index on device chunks is a graph, and nothing else, until it is computed."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import lazy, lazy_host, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.lazy_index_offsets import FIX

DATA = np.arange(20.0).reshape(5, 4)


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "1 device-to-host copies while x[index] is built"
    with arrayshim.scope(only=["lazy_index_offsets"]):
        assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [(5, 4), (2, 3), (1, 1)])
@pytest.mark.parametrize("dtype", ["i8", "i4", "u1"])
def test_values(chunks, dtype):
    rows, columns = np.array([4, 0, 0, 3], dtype), np.array([3, 1], dtype)
    with arrayshim.scope(only=["lazy_index_offsets"]), strict.conversions() as copies:
        found = [
            lazy(DATA, chunks)[lazy(rows)],
            lazy(DATA, chunks)[1:, lazy(columns)],
            lazy(DATA, chunks)[lazy(rows)[1]],
        ]
        assert copies.count == 0
    for result, expected in zip(found, (DATA[rows], DATA[1:, columns], DATA[0]), strict=True):
        same(result, expected)


def test_negative_numbers_and_unknown_sizes():
    with arrayshim.scope(only=["lazy_index_offsets", "boolean_selection_meta"]):
        index = lazy([4, -1, -5, 2])
        same(lazy(DATA, 2)[index], DATA[[4, -1, -5, 2]])
        same(lazy(DATA, 2)[index[index < 0]], DATA[[-1, -5]])
        x = lazy(DATA, 2)
        with pytest.raises(NotImplementedError, match="unknown chunks"):
            x[x[:, 0] > 0][index]


def test_numpy_unchanged():
    found = []
    for only in ((), ["lazy_index_offsets"]):
        with arrayshim.scope(only=only):
            found.append(da.from_array(DATA, chunks=2)[lazy_host([4, -1, 0])].compute())
    np.testing.assert_array_equal(found[0], found[1], strict=True)
    np.testing.assert_array_equal(found[1], DATA[[4, -1, 0]])
