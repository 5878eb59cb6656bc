"""`implicit_to_host`: NumPy's form of a device-backed dask array is asked for, or refused before anything runs."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from duck import registered, strict_backend

import arrayshim
from arrayshim import config, strict
from arrayshim.errors import ResidenceError, UnsupportedError
from arrayshim.fixes.implicit_to_host import FIX

DATA = np.arange(20.0).reshape(5, 4)


BACKEND = strict_backend("asked")
(Kind,) = BACKEND.chunk_types


@pytest.fixture(autouse=True)
def _fix():
    with arrayshim.scope(only=["implicit_to_host"]), registered(BACKEND):
        yield


def lazy(values=DATA, chunks=(2, 3), kind=Kind):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def counting(x, calls):
    def note(chunk):
        calls.append(chunk.shape)
        return chunk

    return x.map_blocks(note, meta=x._meta)


def test_the_smallest_call_failed_late_before():
    calls: list[tuple[int, ...]] = []
    x = counting(lazy(), calls)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "np.asarray computes a device-backed array before it fails"
        with pytest.raises(TypeError, match="Implicit conversion"):
            np.asarray(x)
        assert len(calls) == 6
    assert FIX.diagnose() is None
    calls.clear()
    with pytest.raises(ResidenceError, match=r"Fresh chunks: .* use arrayshim\.to_numpy\(x\)"):
        np.asarray(x)
    assert not calls


@pytest.mark.parametrize("ask", [np.asarray, np.array, lambda x: np.asarray(x, dtype="f4"), lambda x: np.array([x, x])])
def test_every_way_to_ask_is_refused_in_one_way(ask):
    with pytest.raises(ResidenceError, match="nothing leaves a device unasked"):
        ask(lazy())
    # Who expects what arrays on a device raise themselves gets it.
    with pytest.raises(TypeError):
        ask(lazy())


@pytest.mark.parametrize("chunks", [(5, 4), (2, 3), (1, 1)])
def test_the_setting_allows_it_chunk_by_chunk(chunks):
    x = lazy(chunks=chunks)
    with dask.config.set({"arrayshim.implicit_to_host": True}), strict.conversions() as copied:
        found = np.asarray(x)
    np.testing.assert_array_equal(found, DATA, strict=True)
    assert (copied.count, copied.bytes) == (x.npartitions, DATA.nbytes)
    with dask.config.set({"arrayshim.implicit_to_host": True}):
        np.testing.assert_array_equal(np.asarray(x, dtype="i4"), DATA.astype("i4"), strict=True)
        assert np.asarray(lazy([1.0, 2.0], 1).sum()) == 3.0


@pytest.mark.parametrize(("text", "expected"), [("1", True), ("true", True), ("No", False), ("0", False), ("", False)])
def test_the_variable(monkeypatch, text, expected):
    monkeypatch.setenv("ARRAYSHIM_IMPLICIT_TO_HOST", text)
    assert config.implicit_to_host() is expected
    with dask.config.set({"arrayshim.implicit_to_host": not expected}):
        assert config.implicit_to_host() is not expected


def test_a_setting_that_is_neither():
    with dask.config.set({"arrayshim.implicit_to_host": "maybe"}), pytest.raises(ValueError, match="true or false"):
        np.asarray(lazy())


def test_numpy_chunks_convert_as_before():
    x = da.from_array(DATA, chunks=2)
    np.testing.assert_array_equal(np.asarray(x), DATA, strict=True)
    masked = da.from_array(np.ma.masked_greater(DATA, 3), chunks=2)
    assert type(np.asarray(masked)) is np.ndarray
    np.testing.assert_array_equal(np.array(x, dtype="i4"), DATA.astype("i4"), strict=True)


@pytest.mark.parametrize("chunks", [(5, 4), (2, 3), (1, 1)])
def test_to_numpy(chunks):
    x = lazy(chunks=chunks)
    with arrayshim.transfers() as moved:
        found = arrayshim.to_numpy(x, scheduler="sync")
    np.testing.assert_array_equal(found, DATA, strict=True)
    assert moved.by_operation == {"to_numpy": (x.npartitions, DATA.nbytes)}
    assert (moved.to_host, moved.to_device) == (x.npartitions, 0)


def test_to_numpy_of_unknown_sizes_and_of_no_dimension():
    x = lazy([1.0, 5.0, 2.0], 1)
    np.testing.assert_array_equal(arrayshim.to_numpy(x[x > 1.5]), [5.0, 2.0])
    assert arrayshim.to_numpy(x.sum()).shape == ()
    assert arrayshim.to_numpy(x.sum()) == 8.0


def test_to_numpy_of_what_is_no_dask_array():
    np.testing.assert_array_equal(arrayshim.to_numpy(strict.asarray(DATA, kind=Kind)), DATA, strict=True)
    assert arrayshim.to_numpy(DATA) is DATA
    assert arrayshim.to_numpy([1, 2]).tolist() == [1, 2]


def test_to_numpy_keeps_a_mask():
    masked = np.ma.masked_greater(DATA, 3)
    found = arrayshim.to_numpy(da.from_array(masked, chunks=2))
    assert isinstance(found, np.ma.MaskedArray)
    np.testing.assert_array_equal(found.mask, masked.mask)


def test_to_numpy_of_a_type_that_nobody_can_bring_home():
    with pytest.raises(UnsupportedError, match="nobody has said how Unknown becomes an ndarray"):
        arrayshim.to_numpy(lazy(kind=strict.fresh_type("Unknown")))
