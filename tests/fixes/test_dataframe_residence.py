"""`dataframe_residence`: chunks on a device become partitions of pandas by a copy of each."""

from __future__ import annotations

import sys
from types import ModuleType

import dask.array as da
import numpy as np
import pytest
from dask.utils import Dispatch
from duck import registered, strict_backend

import arrayshim
from arrayshim import strict
from arrayshim.fixes.dataframe_residence import FIX

DATA = np.arange(10.0).reshape(5, 2)
BACKEND = strict_backend("framed")
(Kind,) = BACKEND.chunk_types


@pytest.fixture(autouse=True)
def _fix():
    with arrayshim.scope(only=["dataframe_residence"]), registered(BACKEND):
        yield


@pytest.fixture
def lookup(monkeypatch):
    """In the place of dask.dataframe: `from_dask_array` gives back what it is given."""
    frames, dispatch = ModuleType("dask.dataframe"), ModuleType("dask.dataframe.dispatch")
    frames.from_dask_array = lambda x, columns, index, meta: (x, columns, index, meta)
    dispatch.meta_lib_from_array = Dispatch("meta_lib_from_array")
    dispatch.meta_lib_from_array.register(np.ndarray, lambda array: np)
    monkeypatch.setitem(sys.modules, "dask.dataframe", frames)
    monkeypatch.setitem(sys.modules, "dask.dataframe.dispatch", dispatch)
    return dispatch.meta_lib_from_array


def lazy(values=DATA, chunks=(2, 2)):
    return da.from_array(strict.asarray(np.array(values), kind=Kind), chunks=chunks, name=False, asarray=False)


def test_the_smallest_call_failed_before(lookup):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "pandas is given StrictArray chunks"
        assert type(lazy().to_dask_dataframe()[0]._meta) is Kind
    assert FIX.diagnose() is None
    assert type(lazy().to_dask_dataframe()[0]._meta) is np.ndarray


def test_the_probe_imports_no_dataframe(bare):
    loaded = bare(
        "import sys, arrayshim\nfrom arrayshim.fixes.dataframe_residence import FIX\n"
        "answer([FIX.diagnose(), [name for name in sys.modules if name.startswith('dask.dataframe')]])"
    )
    assert loaded == [None, []]


@pytest.mark.parametrize("values", [DATA, DATA[:, 0]], ids=["2d", "1d"])
def test_chunk_by_chunk(lookup, values):
    x = lazy(values, (2, 2)[: values.ndim])
    given, *others = x.to_dask_dataframe("ab", meta=None)
    assert others == ["ab", None, None]
    with arrayshim.transfers() as moved:
        found = given.compute()
    np.testing.assert_array_equal(found, values, strict=True)
    assert moved.by_operation == {"to_dask_dataframe": (3, values.nbytes)}


def test_a_frame_of_another_library_gets_the_chunks_as_they_are(lookup):
    x = lazy()
    assert type(x.to_dask_dataframe(meta=np.ma.array([]))[0]._meta) is np.ndarray
    assert x.to_dask_dataframe(meta=Dispatch())[0] is x
    lookup.register(Kind, lambda array: sys)
    assert x.to_dask_dataframe()[0] is x


def test_numpy_chunks_go_as_they_are(lookup):
    x = da.from_array(DATA, chunks=2)
    assert x.to_dask_dataframe()[0] is x


def test_a_real_frame():
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    frame = lazy().to_dask_dataframe(columns=["a", "b"]).compute()
    pandas.testing.assert_frame_equal(frame, pandas.DataFrame(DATA, columns=["a", "b"]))
