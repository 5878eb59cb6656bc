"""`argtopk_positions`: where the largest are is known on the device."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from indexed import lazy, lazy_host, same

import arrayshim
from arrayshim import residency
from arrayshim.fixes.argtopk_positions import FIX

DATA = np.random.default_rng(5).permutation(42).reshape(6, 7) / 2


def expected(data, k, axis):
    order = np.argsort(data if k < 0 else -data, axis=axis)
    return order.take(range(abs(k)), axis=axis)


def test_the_smallest_call_failed_before():
    x = lazy([5.0, 1.0, 7.0, 3.0])
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the positions in a StrictArray are of type ndarray"
        with pytest.raises(TypeError, match="Unsupported type"):
            da.argtopk(x, 1).compute()
    with arrayshim.scope(only=["argtopk_positions"]):
        assert FIX.diagnose() is None
        same(da.argtopk(x, 2), [2, 0])


@pytest.mark.parametrize("chunks", [1, 2, (6, 3), (4, 7)])
@pytest.mark.parametrize("k", [1, 3, -2])
@pytest.mark.parametrize("axis", [0, 1])
def test_axes_and_chunks(axis, k, chunks):
    with arrayshim.scope(only=["argtopk_positions"]):
        same(da.argtopk(lazy(DATA, chunks), k, axis=axis), expected(DATA, k, axis))
        same(lazy(DATA, chunks).argtopk(k, axis=axis, split_every=2), expected(DATA, k, axis))


def test_only_the_positions_move():
    x = lazy(DATA[0], 4)
    with arrayshim.scope(only=["argtopk_positions"]), residency.transfers() as moved:
        da.argtopk(x, 2).compute()
    assert set(moved.by_operation) == {"argtopk"}
    assert (moved.bytes, moved.to_host) == (7 * np.dtype(np.intp).itemsize, 0)


def test_numpy_unchanged():
    found = []
    for only in ((), ["argtopk_positions"]):
        with arrayshim.scope(only=only):
            found.append(da.argtopk(lazy_host(DATA), 3, axis=1).compute())
    np.testing.assert_array_equal(found[0], found[1], strict=True)
    np.testing.assert_array_equal(found[1], expected(DATA, 3, 1))
