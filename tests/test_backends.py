"""Backends: what is registered with dask, what `like=` may be, and what must not move."""

from __future__ import annotations

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse
import sparse
from dask.array.backends import array_creation_dispatch
from dask.array.chunk_types import _HANDLED_CHUNK_TYPES
from dask.base import tokenize
from duck import Duck, as_duck, registered, strict_backend

import arrayshim
from arrayshim import Backend, register_backend, strict, tables
from arrayshim._moving import ToDevice, to_host
from arrayshim._moving import registered as known
from arrayshim.backends import NUMPY, backend_of
from arrayshim.conformance import backends as suite
from arrayshim.errors import BackendError, UnsupportedError


def duck_backend(name="duck", **options):
    given = {"namespace": None, "to_device": as_duck, "to_host": lambda x: x.data, "chunk_types": (Duck,)}
    return Backend(name=name, **{**given, **options})


def test_a_name_reaches_array_backend_and_to_backend():
    with registered(strict_backend("fresh")) as backend:
        (kind,) = backend.chunk_types
        with dask.config.set({"array.backend": "fresh"}):
            for made, values in (
                (da.ones((2, 3), chunks=2), np.ones((2, 3))),
                (da.zeros(3, dtype="i4"), np.zeros(3, dtype="i4")),
                (da.full((3,), 7, chunks=2), np.full(3, 7)),
                (da.arange(1, 9, 3, chunks=2), np.arange(1, 9, 3)),
                (da.arange(5), np.arange(5)),
                (da.ones_like(da.ones(3, chunks=2)), np.ones(3)),
            ):
                got = made.compute(scheduler="sync")
                assert type(made._meta) is type(got) is kind
                assert made.dtype == got.dtype == values.dtype
                np.testing.assert_array_equal(got.get(), values)
            assert da.empty((4, 2), chunks=2).compute(scheduler="sync").shape == (4, 2)
            # An array of another kind is not drawn along.
            assert type(da.ones_like(da.from_array(np.zeros(3), meta=np.empty(0)))._meta) is np.ndarray
        host = da.from_array(np.arange(6.0).reshape(2, 3), chunks=2)
        moved = host.to_backend("fresh")
        assert moved.chunks == host.chunks
        assert type(moved._meta) is type(moved.compute(scheduler="sync")) is kind
        assert moved.to_backend("fresh") is moved
        np.testing.assert_array_equal(moved.to_backend("numpy").compute(scheduler="sync"), np.arange(6).reshape(2, 3))
    with pytest.raises(ValueError, match="No backend dispatch registered for fresh"):
        host.to_backend("fresh")


def test_moving_between_two_devices_passes_the_host_because_it_was_asked_for():
    with registered(strict_backend("one")) as one, registered(strict_backend("two")) as two:
        x = da.from_array(np.arange(4), chunks=2).to_backend("one")
        y = x.to_backend("two")
        assert type(y._meta) is type(y.compute(scheduler="sync")) is two.chunk_types[0]
        assert type(x.compute(scheduler="sync")) is one.chunk_types[0]


def test_rows_and_chunk_types_come_and_go():
    backend = duck_backend()
    tables_of_dask = [tables.get(name) for name in ("to_numpy", "empty")]
    with registered(backend):
        assert _HANDLED_CHUNK_TYPES.count(Duck) == 1
        assert tables_of_dask[0](as_duck([1, 2])).tolist() == [1, 2]
        assert type(tables_of_dask[1].dispatch(Duck)(3, dtype="i4")) is Duck
        with arrayshim.scope(only=()):  # stock dask
            assert Duck not in _HANDLED_CHUNK_TYPES
            assert "duck" not in array_creation_dispatch._lookup
            assert all(Duck not in table._lookup for table in tables_of_dask)
        assert Duck in _HANDLED_CHUNK_TYPES
        assert "duck" in array_creation_dispatch._lookup
    assert Duck not in _HANDLED_CHUNK_TYPES
    assert "duck" not in array_creation_dispatch._lookup
    assert all(Duck not in table._lookup for table in tables_of_dask)


def test_rows_of_others_stay():
    table = tables.get("to_numpy")
    mine = table._lookup[Duck] = lambda x: "mine"
    entry = array_creation_dispatch._lookup["numpy"]
    try:
        numpys = duck_backend("numpy", chunk_types=(np.ndarray,), to_host=np.asarray)
        with registered(duck_backend()), registered(numpys):
            assert table._lookup[Duck] is mine
            assert array_creation_dispatch._lookup["numpy"] is entry
            assert _HANDLED_CHUNK_TYPES.count(np.ndarray) == 1
        assert table._lookup[Duck] is mine
    finally:
        del table._lookup[Duck]


def test_the_same_object_again_is_nothing_and_another_is_an_error():
    backend = strict_backend("fresh")
    with registered(backend):
        before = len(_HANDLED_CHUNK_TYPES)
        register_backend(backend)
        assert len(_HANDLED_CHUNK_TYPES) == before
        with pytest.raises(BackendError, match="another backend is registered as 'fresh'; choose another name"):
            register_backend(strict_backend("fresh"))
        assert known["fresh"] is backend


class Lacking:
    name = "lacking"
    to_device = to_host = staticmethod(np.asarray)
    chunk_types = (Duck,)

    def __repr__(self):
        return "<Lacking>"


@pytest.mark.parametrize(
    ("backend", "message"),
    [
        (Lacking(), "<Lacking> lacks namespace; a backend has name, namespace, to_device, to_host, chunk_types"),
        (duck_backend(name=""), "name of a backend is ''; it must be a non-empty str"),
        (duck_backend(to_host=None), "to_host of backend 'duck' is not callable; it must take one array"),
        (duck_backend(chunk_types=[Duck]), "chunk_types of backend 'duck' is .*; it must be a tuple of array types"),
        (duck_backend(chunk_types=()), "chunk_types of backend 'duck' is .*; it must be a tuple of array types"),
    ],
)
def test_an_incomplete_backend_is_refused_in_one_line(backend, message):
    before = dict(known), list(_HANDLED_CHUNK_TYPES)
    with pytest.raises(BackendError, match=message) as refused:
        register_backend(backend)
    assert "\n" not in str(refused.value)
    assert before == (dict(known), list(_HANDLED_CHUNK_TYPES))


def test_any_object_with_the_attributes_will_do():
    thing = Lacking()
    thing.namespace = None
    thing.to_device, thing.to_host = as_duck, lambda x: x.data
    with registered(thing):
        assert backend_of("lacking") is backend_of(as_duck([1])) is backend_of(Duck) is backend_of(thing) is thing
        x = da.ones(4, chunks=2).to_backend("lacking")
        assert type(x.compute(scheduler="sync")) is Duck


def test_backend_of_each_form_of_like():
    assert backend_of("numpy") is backend_of(np.ones(2)) is backend_of(np.ndarray) is backend_of(np.float64(1)) is NUMPY
    assert backend_of(da.ones(3)) is NUMPY
    for like in (strict.StrictArray, strict.asarray([1]), da.from_array(strict.asarray([1.0]), name=False)):
        assert backend_of(like).chunk_types == (strict.StrictArray,)
    for like, kind in (
        (as_duck([1]), Duck),
        (Duck, Duck),
        (np.ma.array([1]), np.ma.MaskedArray),
        (sparse.COO.from_numpy(np.eye(2)), sparse.COO),
        (scipy.sparse.csr_array(np.eye(2)), scipy.sparse.csr_array),
    ):
        moved = backend_of(like).to_device(np.eye(3))
        assert type(moved) is kind
        assert moved.shape == (3, 3)


@pytest.mark.parametrize(
    ("like", "message"),
    [
        ("nothing", r"no array backend is called 'nothing'; there are .*cupy.*numpy"),
        (3, "like=3 is no array, array type, dask array or name of a backend"),
        ([1, 2], "is no array, array type"),
        (int, r"int\(shape=..., dtype=...\) does not make an array .*; give an array as like= instead"),
    ],
)
def test_what_like_cannot_be(like, message):
    with pytest.raises(BackendError, match=message) as refused:
        backend_of(like)
    assert "\n" not in str(refused.value)


def test_a_library_that_is_asked_for_by_name_and_missing(bare):
    got = bare(
        """
        import sys
        sys.modules["cupy"] = None  # as if it were not installed
        import arrayshim
        from arrayshim.backends import backend_of
        try:
            backend_of("cupy")
        except arrayshim.errors.BackendError as error:
            answer(str(error))
        """
    )
    assert got.startswith("array backend 'cupy' cannot make an array here: ")


def test_nothing_leaves_a_device_or_loses_its_mask_unasked():
    task = ToDevice.of(NUMPY)
    with pytest.raises(UnsupportedError, match="StrictArray data would have to leave their device to become 'numpy'"):
        task(strict.asarray([1]))
    to_strict = ToDevice.of(backend_of(strict.StrictArray))
    with pytest.raises(UnsupportedError, match=r"masked arrays cannot become .* fill them first"):
        to_strict(np.ma.array([1, 2], mask=[0, 1]))
    x = strict.asarray([1])
    assert to_strict(x) is x
    assert to_strict(np.float64(3)).get() == 3


def test_to_host_by_the_backend_by_dask_or_not_at_all():
    with pytest.raises(UnsupportedError, match="nobody has said how Duck becomes an ndarray; say it with"):
        to_host(as_duck([1]))
    with registered(duck_backend()):
        assert to_host(as_duck([1, 2])).tolist() == [1, 2]
    assert to_host(np.arange(2)).tolist() == [0, 1]


def test_the_moving_task_travels():
    task = ToDevice.of(suite.get("strict"), through_host=True)
    again = cloudpickle.loads(cloudpickle.dumps(task))
    assert again == task
    assert tokenize(again) == tokenize(task)
    assert tokenize(task) != tokenize(ToDevice.of(NUMPY))
    assert again(np.arange(3)).get().tolist() == [0, 1, 2]


@pytest.mark.parametrize("name", ["numpy", "strict", "masked", "sparse", "scipy-sparse"])
def test_backends_of_the_suite(name):
    backend = suite.get(name)
    assert suite.get(name) is backend
    assert backend.name == name
    host = np.array([[1.0, 0.0], [0.0, 2.5]])
    array = backend.to_device(host)
    assert isinstance(array, backend.chunk_types)
    back = backend.to_host(array)
    assert type(back) is np.ndarray
    np.testing.assert_array_equal(back, host)


def test_the_suite_names_what_it_has_and_shows_masks():
    with pytest.raises(ValueError, match="no backend of the suite is called 'x'; there are numpy, strict, cupy"):
        suite.get("x")
    masked = suite.get("masked")
    np.testing.assert_array_equal(masked.to_host(np.ma.array([1.0, 2.0], mask=[0, 1])), [1, np.nan])
    assert masked.to_host(np.ma.array([1, 2], mask=[0, 1], fill_value=-9)).tolist() == [1, -9]


def test_asking_the_suite_for_one_library_imports_no_other(bare):
    got = bare(
        """
        import sys
        from arrayshim.conformance import backends
        before = set(sys.modules)
        backends.get("strict")
        answer(sorted({"sparse", "scipy.sparse", "cupy"} & (set(sys.modules) - before)))
        """
    )
    assert got == []


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "was given nothing; it takes one object"),
        ({"name": "numpy"}, r"was given name; it takes one object: register_backend\(Backend\(name=\.\.\., "),
        ({"backend": None, "colour": 1}, "was given colour"),
    ],
)
def test_what_is_no_backend_is_told_how_one_is_given(given, message):
    with pytest.raises(BackendError, match=message):
        arrayshim.register_backend(**given)


def test_the_name_of_numpy_is_taken():
    mine = arrayshim.Backend(
        name="numpy", namespace=np, to_device=strict.asarray, to_host=strict.to_host, chunk_types=(strict.StrictArray,)
    )
    with pytest.raises(BackendError, match="'numpy' is the name of NumPy's own backend"):
        arrayshim.register_backend(mine)
