"""Residency: what follows, what meets where, what is refused and in which words, and what is counted."""

from __future__ import annotations

import operator
import threading
from weakref import WeakKeyDictionary

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import residency, strict
from arrayshim.errors import ResidenceError, UnsupportedError

HOST = np.array([1.0, 5.0, 2.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    return strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


@pytest.fixture
def x(kind):
    return on(kind)


def on(kind, values=HOST, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def test_what_a_device_is(kind):
    assert residency.is_device(strict.asarray(HOST, kind=kind))
    assert residency.is_device(on(kind))
    for other in (HOST, np.float64(1), np.ma.ones(2), 1.0, [1.0], "a", None, da.ones(2)):
        assert not residency.is_device(other)


def test_types_made_to_meet_numpy_are_no_devices():
    sparse = pytest.importorskip("sparse")
    scipy_sparse = pytest.importorskip("scipy.sparse")
    for array in (sparse.COO.from_numpy(np.eye(2)), scipy_sparse.csr_matrix(np.eye(2))):
        assert not residency.is_device(array)
        assert residency.together([array, HOST], "add") == [array, HOST]


def test_home(x, kind):
    assert residency.home(x) is residency.home(x._meta) is kind
    assert residency.home(da.ones(2)) is np.ndarray


@pytest.mark.parametrize("value", [HOST, [1.0, 5.0, 2.0], (1.0, 5.0, 2.0)])
def test_a_parameter_follows(x, kind, value):
    found = residency.follow(value, x, "isin")
    assert type(found) is kind
    assert found.get().tolist() == [1.0, 5.0, 2.0]
    beside_host = residency.follow(value, da.ones(2), "isin")
    assert type(beside_host) is np.ndarray
    assert beside_host.tolist() == [1.0, 5.0, 2.0]


def test_a_lazy_parameter_follows_in_tasks(x, kind):
    with arrayshim.transfers() as moves, strict.conversions() as seen:
        found = residency.follow(da.from_array(HOST, chunks=2), x, "isin")
        assert moves.number == 0
        assert found.chunks == ((2, 1),)
        value = found.compute()
    assert type(value) is type(found._meta) is kind
    assert value.get().tolist() == [1.0, 5.0, 2.0]
    assert (moves.number, moves.bytes, moves.by_operation) == (2, 24, {"isin": (2, 24)})
    assert (moves.to_device, moves.to_host, seen.count) == (2, 0, 0)


@pytest.mark.parametrize("value", [1, 2.5, 1j, True, np.float32(1.5), None, "right"])
def test_scalars_stay(x, value):
    assert residency.follow(value, x, "clip") is value
    assert residency.follow(value, da.ones(2), "clip") is value


def test_a_list_of_device_scalars_follows(x, kind):
    found = residency.follow([strict.asarray(1.0, kind=kind), 3.0], x, "isin")
    assert type(found) is kind
    assert found.get().tolist() == [1.0, 3.0]


def test_device_parameters_do_not_go_to_host_data(kind):
    for value in (strict.asarray(HOST, kind=kind), on(kind), [strict.asarray(1.0, kind=kind)]):
        with pytest.raises(ResidenceError, match=r"isin: the data are dask array of ndarray \(2,\), in host memory"):
            residency.follow(value, da.ones(2), "isin")


def test_full_operands_meet_on_the_device(x, kind):
    operands = [da.from_array(HOST, chunks=2), x, HOST, [1, 2, 3], 3, np.array(4.0), np.float32(2)]
    with arrayshim.transfers() as moves:
        host, same, bare, listed, number, scalar, narrow = residency.together(operands, "add")
        assert moves.number == 0
    assert same is x
    assert (number, scalar, narrow) == (3, 4.0, 2.0)
    assert (type(number), type(scalar), type(narrow)) == (int, np.float64, np.float32)
    for found, expected in ((host, HOST), (bare, HOST), (listed, np.array([1, 2, 3]))):
        value = found.compute()
        assert type(found._meta) is type(value) is kind
        np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_without_a_device_nothing_changes():
    operands = [da.ones(2), HOST, [1], 2.0, np.ma.ones(2)]
    assert all(map(operator.is_, residency.together(operands, "add"), operands))


def test_the_setting_raise(x):
    with dask.config.set({"arrayshim.mixed": "raise"}):
        for host in (HOST, da.ones(3)):
            with pytest.raises(ResidenceError, match=r"arrayshim\.mixed") as caught:
                residency.together([host, x], "multiply")
            assert isinstance(caught.value, TypeError)
            assert isinstance(caught.value, UnsupportedError)
            message = str(caught.value)
            assert message.startswith(f"multiply: dask array of {type(x._meta).__name__} (3,) is on a device and ")
            assert "ndarray (3,) in host memory" in message
            assert "to_backend" in message
        # neither has a residence of its own: a number, and a list
        assert residency.together([np.array(2.0), x], "multiply")[0] == 2.0
        assert residency.together([[1, 2, 3], x], "multiply")[0].compute().get().tolist() == [1, 2, 3]
        assert residency.follow(HOST, x, "isin").get().tolist() == HOST.tolist()


def test_the_variable(x, monkeypatch):
    monkeypatch.setenv("ARRAYSHIM_MIXED", "raise")
    with pytest.raises(ResidenceError, match=r"arrayshim\.mixed"):
        residency.together([HOST, x], "add")
    with dask.config.set({"arrayshim.mixed": "device"}):
        assert residency.together([HOST, x], "add")[0].compute().get().tolist() == HOST.tolist()


def test_a_wrong_setting(x):
    with (
        dask.config.set({"arrayshim.mixed": "host"}),
        pytest.raises(ValueError, match=r"arrayshim\.mixed is 'host'; it must be one of device, raise"),
    ):
        residency.together([HOST, x], "add")


def test_two_devices(x):
    other = strict.asarray(HOST, kind=strict.fresh_type("Other"))
    for attempt in (
        lambda: residency.together([x, other], "add"),
        lambda: residency.follow(other, x, "add"),
        lambda: residency.moved(other, x._meta, "add"),
    ):
        with pytest.raises(ResidenceError, match=r"add: .* and Other \(3,\) are on different devices"):
            attempt()


def test_masks_are_not_dropped(x):
    masked = np.ma.masked_greater(HOST, 3)
    for host in (masked, da.from_array(masked, chunks=2)):
        for attempt in (
            lambda host=host: residency.together([x, host], "add"),
            lambda host=host: residency.follow(da.asarray(host), x, "add"),
        ):
            with pytest.raises(ResidenceError, match=r"add: .* has a mask.*da\.ma\.filled"):
                attempt()
    with pytest.raises(ResidenceError, match="has a mask"):
        residency.moved(masked, x._meta, "add")


def test_dtypes_that_no_device_has(x):
    with pytest.raises(ResidenceError, match=r"add: .* of dtype <U1 cannot become .*astype"):
        residency.together([x, np.array(["a", "b", "c"])], "add")


def test_moved_and_to_host_are_counted(x, kind):
    chunk = strict.asarray(HOST, kind=strict.StrictArray)
    with arrayshim.transfers() as moves:
        assert residency.moved(2.0, chunk, "add") == 2.0
        assert residency.moved(chunk, chunk, "add") is chunk
        there = residency.moved(HOST, chunk, "add")
        assert residency.to_host(HOST, "store") is HOST
    assert there.get().tolist() == HOST.tolist()
    assert moves.by_operation == {"add": (1, 24)}


def test_the_way_home_is_counted():
    from duck import registered, strict_backend

    with registered(strict_backend("way-home")) as backend, arrayshim.transfers() as moves:
        chunk = backend.to_device(HOST)
        assert residency.to_host(chunk, "store").tolist() == HOST.tolist()
    assert (moves.to_host, moves.to_device, moves.by_operation) == (1, 0, {"store": (1, 24)})


def test_counters_nest_and_see_other_threads(x):
    moving = residency.follow(da.from_array(HOST, chunks=1), x, "isin")
    with arrayshim.transfers() as outer:
        with arrayshim.transfers() as inner:
            worker = threading.Thread(target=moving.compute, kwargs={"scheduler": "sync"})
            worker.start()
            worker.join()
        moving.compute(scheduler="threads")
    assert (inner.number, outer.number) == (3, 6)


def test_a_host_chunk_moves_once_for_all_that_use_it(x):
    weights = residency.together([x, da.from_array(np.ones(3), chunks=3)], "outer")[1]
    with arrayshim.transfers() as moves:
        (x[:, None] * weights[None, :]).compute()
    assert moves.number == 1


class Column:
    """As a column of a table: NumPy makes an ndarray of it, and nothing else is known of it."""

    def __init__(self, values):
        self.values = np.array(values)
        self.dtype, self.shape, self.ndim = self.values.dtype, self.values.shape, self.values.ndim

    def __array__(self, dtype=None, copy=None):
        return np.asarray(self.values, dtype=dtype)

    def __getitem__(self, key):
        return Column(self.values[key])


@pytest.mark.parametrize(
    "on_one_side", [residency.follow, lambda value, x, name: residency.together([x, value], name)[1]]
)
def test_columns_of_tables_are_host_data(x, kind, on_one_side):
    column = Column(HOST)
    for value in (column, da.from_array(column, chunks=2), da.asanyarray(column)):
        found = on_one_side(value, x, "where")
        found = found.compute() if isinstance(found, da.Array) else found
        assert type(found) is kind
        assert found.get().tolist() == HOST.tolist()
    assert residency.follow(column, da.ones(3), "where") is column
    assert residency.together([da.ones(3), column], "where")[1] is column


def test_the_task_that_moves_is_named_by_what_it_does(bare):
    code = """
        import dask.array as da, numpy as np, arrayshim
        from arrayshim import strict
        {}
        x = da.from_array(strict.asarray(np.array({})), chunks=-1, name="x", asarray=False)
        answer((x + da.from_array(np.ones(3), chunks=-1, name="y")).name)
    """
    one, other = (code.format(line, HOST.tolist()) for line in ("", "held = [object() for _ in range(10**5)]"))
    assert bare(one) == bare(other)


def test_an_operand_on_a_device_without_axes_is_not_read_for_a_name(kind):
    scalar, host = on(kind, np.array(3.0)), da.from_array(np.array(2.0))
    with strict.conversions() as copies:
        da.maximum(scalar, host)
    assert copies.count == 0


def test_another_thread_may_meet_a_new_type_while_one_asks(monkeypatch):
    class Asked:
        """The answer for a type, in whose comparison another thread has its turn."""

        def __eq__(self, other):
            kinds.append(type("Meets", (), {}))
            residency._mixing[kinds[-1]] = True
            return False

    kinds = [type("Meets", (), {}) for _ in range(2)]
    monkeypatch.setattr(residency, "_mixing", WeakKeyDictionary({kind: Asked() for kind in kinds}))
    residency.devices_seen()
    assert len(residency._mixing) == 4
