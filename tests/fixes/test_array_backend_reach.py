"""`array_backend_reach`: `array.backend` reaches every creation function."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.array_backend_reach import CREATORS, EACH, FIX

CALLS = {
    "eye": (lambda xp, **k: xp.eye(4, **k), {"chunks": 2}),
    "linspace": (lambda xp, **k: xp.linspace(0, 1, 5, **k), {"chunks": 2}),
    "diag": (lambda xp, **k: xp.diag(np.arange(3)), {}),
    "tri": (lambda xp, **k: xp.tri(3, **k), {"chunks": 2}),
    "indices": (lambda xp, **k: xp.indices((2, 3), **k), {"chunks": 2}),
    "fromfunction": (
        lambda xp, **k: xp.fromfunction(lambda i, j: i + 2 * j, shape=(2, 3), dtype="f8", **k),
        {"chunks": 2},
    ),
    "array": (lambda xp, **k: xp.array([1, 2, 3]), {}),
    "asarray": (lambda xp, **k: xp.asarray([1.5, 2.5]), {}),
    "asanyarray": (lambda xp, **k: xp.asanyarray([[1, 2], [3, 4]]), {}),
    "from_array": (
        lambda xp, **k: xp.from_array(np.arange(5.0), **k) if xp is da else np.arange(5.0),
        {"chunks": 2},
    ),
    "meshgrid": (lambda xp, **k: xp.meshgrid(np.arange(2), np.arange(3))[1], {}),
    "atleast_1d": (lambda xp, **k: xp.atleast_1d(3.0), {}),
    "atleast_2d": (lambda xp, **k: xp.atleast_2d([1.0, 2.0]), {}),
    "atleast_3d": (lambda xp, **k: xp.atleast_3d([1.0, 2.0]), {}),
}
#: These reach a backend that has an `arange` in stock dask already, since they are made of one.
THROUGH_ARANGE = {"tri", "indices", "fromfunction"}


def numpys(name):
    if name == "fromfunction":
        return np.fromfunction(lambda i, j: i + 2 * j, (2, 3), dtype="f8")
    return CALLS[name][0](np)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request, monkeypatch):
    """The type that the backend `probe` makes, while that backend is registered and set."""
    from functools import partial

    from dask.array.backends import array_creation_dispatch

    from arrayshim._entrypoint import Entrypoint

    cls = strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")
    backend = arrayshim.Backend(
        name="probe",
        namespace=strict.namespace_of(cls),
        to_device=partial(strict.to_device, kind=cls),
        to_host=strict.to_host,
        chunk_types=(cls,),
    )
    monkeypatch.setitem(array_creation_dispatch._lookup, "probe", Entrypoint(backend))
    with arrayshim.scope(only=["array_backend_reach"]), dask.config.set({"array.backend": "probe"}):
        yield cls


def test_every_function_of_the_fix_has_a_call():
    assert set(CALLS) == {*CREATORS, *EACH}


@pytest.mark.parametrize("name", CALLS)
def test_it_makes_chunks_of_the_backend(kind, name):
    call, options = CALLS[name]
    with arrayshim.scope(only=()):
        assert (type(call(da, **options)._meta) is kind) is (name in THROUGH_ARANGE)
    made = call(da, **options)
    value = made.compute()
    assert type(value) is type(made._meta) is kind
    np.testing.assert_array_equal(value.get(), numpys(name), strict=True)


def test_the_probe_saw_it(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "NumPy chunks in spite of array.backend: eye, linspace, asarray"
    assert FIX.diagnose() is None


def test_what_is_dasks_already_keeps_its_kind(kind):
    with dask.config.set({"array.backend": "numpy"}):
        host = da.ones(3, chunks=2)
    assert da.asarray(host) is host
    assert type(da.asanyarray(host)._meta) is np.ndarray


def test_like_is_the_more_particular_wish(kind):
    assert type(da.asarray([1, 2], like=np.empty(0))._meta) is np.ndarray
    assert type(da.from_array(np.arange(2), meta=np.empty(0))._meta) is np.ndarray
    assert type(da.from_array(np.arange(2), asarray=False)._meta) is np.ndarray


def test_what_lies_in_a_file_moves_chunk_by_chunk(kind):
    class File:
        shape, ndim, dtype = (4, 3), 2, np.dtype("f8")

        def __init__(self):
            self.read = []

        def __getitem__(self, key):
            self.read.append(key)
            return np.arange(12.0).reshape(4, 3)[key]

    file = File()
    x = da.from_array(file, chunks=(2, 3))
    file.read.clear()  # of a meta, of size 0
    value = x.compute(scheduler="sync")
    assert type(value) is type(x._meta) is kind
    assert len(file.read) == 2
    np.testing.assert_array_equal(value.get(), np.arange(12.0).reshape(4, 3), strict=True)


@pytest.mark.parametrize("function", ["asarray", "asanyarray", "array"])
def test_a_list_of_numbers_of_a_device_is_an_array_there(function):
    numbers = [strict.asarray(1.0), 2.0, strict.asarray(4.0)]
    with arrayshim.scope(only=()), pytest.raises(TypeError, match="Implicit conversion"):
        getattr(da, function)(numbers)
    with arrayshim.scope(only=["array_backend_reach"]):
        made = getattr(da, function)(numbers)
        value = made.compute()
        assert type(value) is type(made._meta) is strict.StrictArray
        assert value.get().tolist() == [1.0, 2.0, 4.0]


@pytest.mark.parametrize("name", CALLS)
def test_without_the_setting_nothing_changes(name):
    call, options = CALLS[name]
    with arrayshim.scope(only=()):
        stock = call(da, **options)
    with arrayshim.scope(only=["array_backend_reach"]):
        ours = call(da, **options)
    assert type(ours._meta) is np.ndarray
    assert ours.chunks == stock.chunks
    np.testing.assert_array_equal(ours.compute(), stock.compute(), strict=True)
    np.testing.assert_array_equal(ours.compute(), numpys(name), strict=True)


def test_another_thread_does_not_notice_the_probe(monkeypatch):
    """The probe sets a backend for its own thread, not for others who make arrays meanwhile."""
    import threading

    from arrayshim import probes

    seen = []
    with arrayshim.scope(only=()), probes.array_backend():
        thread = threading.Thread(target=lambda: seen.append(da.ones(2)._meta))
        thread.start()
        thread.join()
        assert dask.config.get("array.backend") == "numpy"
    assert [type(meta) for meta in seen] == [np.ndarray]
