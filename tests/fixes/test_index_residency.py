"""`index_residency`: lazy indices follow the data, and host data that are picked by a device index move to it."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from indexed import KIND, device, lazy, lazy_host, same

import arrayshim
from arrayshim import residency, strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.index_residency import FIX

DATA = np.arange(20.0).reshape(5, 4)
ROWS = np.array([True, False, True, True, False])
ALL = ["index_residency", "device_index", "boolean_selection_meta", "lazy_index_offsets", "pointwise_index"]


@pytest.fixture
def fixed():
    with arrayshim.scope(only=ALL):
        yield


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert "Implicit conversion" in str(FIX.diagnose())
        with pytest.raises(TypeError, match="Implicit conversion"):
            lazy_host(DATA)[lazy(ROWS)].compute()
    with arrayshim.scope(only=ALL):
        assert FIX.diagnose() is None
        same(lazy_host(DATA)[lazy(ROWS)], DATA[ROWS])


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("make", [lazy, lazy_host])
@pytest.mark.parametrize("chunks", [(5, 4), (2, 3)])
def test_device_data(make, chunks):
    x = lazy(DATA, chunks)
    with strict.conversions() as copies:
        same_keys = [
            (x[make(ROWS)], DATA[ROWS]),
            (x[make(ROWS), 1:3], DATA[ROWS, 1:3]),
            (x[make([4, -1, 0])], DATA[[4, -1, 0]]),
            (x[1:, make([3, 0])], DATA[1:, [3, 0]]),
            (x.ravel()[make(DATA.ravel() > 7)], DATA[DATA > 7]),
        ]
        for found, _ in same_keys:
            found.compute(scheduler="sync")
        assert copies.count == 0
    for found, expected in same_keys:
        same(found, expected)
    same(x[make(np.array(2))], DATA[2])


@pytest.mark.usefixtures("fixed")
@pytest.mark.parametrize("bare", [np.asarray, device])
def test_a_mask_of_all_axes_in_memory(bare):
    mask = DATA % 3 == 1
    same(lazy(DATA, (5, 2))[bare(mask)], DATA[mask])
    same(lazy_host(DATA, (5, 2))[bare(mask)], DATA[mask], np.ndarray)


@pytest.mark.usefixtures("fixed")
def test_host_data_move_to_a_lazy_device_index_as_the_setting_says():
    x = lazy_host(DATA)
    with residency.transfers() as moved:
        same(x[lazy([4, -1])], DATA[[4, -1]])
    assert set(moved.by_operation) == {"getitem"}
    assert moved.to_host == 0
    with dask.config.set({"arrayshim.mixed": "raise"}):
        with pytest.raises(ResidenceError, match=r"getitem: .*StrictArray.*ndarray.*to_backend"):
            x[lazy(ROWS)]
        same(lazy(DATA)[lazy_host(ROWS)], DATA[ROWS])  # an index from the host is a parameter


@pytest.mark.usefixtures("fixed")
def test_take_and_one_axis_of_points():
    index = [3, 0, 0]
    for a in (DATA, device(DATA), lazy(DATA), lazy_host(DATA)):
        same(da.take(a, lazy(index), axis=1), DATA[:, index])
    same(da.take(device(DATA), lazy_host(index), axis=0), DATA[index])
    line = DATA[0]
    same(lazy(line, 4).vindex[lazy_host(index)], line[index])
    same(lazy_host(line, 4).vindex[lazy(index)], line[index])


@pytest.mark.usefixtures("fixed")
def test_unknown_sizes():
    x = lazy(DATA)
    chosen = x[lazy_host(ROWS)]
    assert np.isnan(chosen.shape[0])
    same(chosen[:, 1], DATA[ROWS][:, 1])
    same(chosen[chosen[:, 0] > 1].compute_chunk_sizes()[1:], DATA[ROWS][1:][1:])
    assert type(chosen._meta) is KIND


def test_numpy_unchanged():
    x, keys = lazy_host(DATA), [lazy_host(ROWS), lazy_host([1, -1]), (slice(None), lazy_host([0])), DATA > 3]
    for key in keys:
        with arrayshim.scope(only=["boolean_selection_meta"]):
            stock = x[key]
        with arrayshim.scope(only=["index_residency", "boolean_selection_meta"]):
            assert x[key].name == stock.name
