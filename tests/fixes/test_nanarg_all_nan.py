"""`nanarg_all_nan`: a chunk of NaN alone never wins, on whatever device."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.nanarg_all_nan import FIX

pytestmark = pytest.mark.filterwarnings("ignore:.*[Aa]ll.NaN:RuntimeWarning")

nan, inf = np.nan, np.inf
TABLE = np.array([[nan, 1.0, 5.0], [nan, nan, 2.0], [3.0, nan, nan], [nan, inf, -inf]])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["nanarg_all_nan"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "the least of [nan, nan] is said to be at -1"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [(4, 3), (2, 2), (1, 1)])
@pytest.mark.parametrize("name", ["nanargmin", "nanargmax"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_among_numbers(kind, name, axis, chunks):
    table = np.where(np.isnan(TABLE) & (np.arange(3) == 0), 4.0, TABLE) if axis == 1 else TABLE
    result = getattr(da, name)(lazy(table, kind, chunks), axis=axis)
    same(result, getattr(np, name)(table, axis=axis), kind, reads=None)


@pytest.mark.parametrize("dtype", ["f4", "i4", "c8"])
def test_other_dtypes(kind, dtype):
    values = np.array([3, 1, 2, 5], dtype=dtype)
    if dtype == "f4":
        values[:2] = nan
    same(da.nanargmin(lazy(values, kind), axis=0), np.nanargmin(values), kind, reads=None)


def test_nowhere_a_number(kind):
    for name in ("nanargmin", "nanargmax"):
        result = getattr(da, name)(lazy(np.full((2, 2), nan), kind, (1, 1)), axis=0)
        with pytest.raises(ValueError, match="All NaN slice"):
            result.compute()


@pytest.mark.parametrize("name", ["nanargmin", "nanargmax"])
def test_numpy_chunks_as_before(name):
    x = da.from_array(TABLE, chunks=(2, 2))
    with arrayshim.scope(only=["nanarg_all_nan"]):
        np.testing.assert_array_equal(getattr(da, name)(x, axis=0).compute(), getattr(np, name)(TABLE, axis=0))
