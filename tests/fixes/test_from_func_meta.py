"""`from_func_meta`: an array made by a function of a device array is of its type."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.array.core import from_func
from honest import same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.from_func_meta import FIX

DATA = np.arange(-3.0, 3.0)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["from_func_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "meta is ndarray, the chunk is StrictArray"
    assert FIX.diagnose() is None


def test_by_position_and_by_name(kind):
    x = strict.asarray(DATA, kind=kind)
    same(da.core.from_func(abs, (6,), "f8", name="a", args=(x,)), abs(DATA), kind)
    same(from_func(lambda *, x: x[0] * 2, (), "f8", name="b", kwargs={"x": x}), np.float64(-6.0), kind)
    same(da.core.from_func(abs, (6,), "f8", name="c", args=(x,)) + 1, abs(DATA) + 1, kind)


def test_what_a_function_brings_to_the_host_is_of_the_host(kind):
    x = strict.asarray(DATA, kind=kind)
    made = da.core.from_func(lambda x: x.get(), (6,), "f8", name="d", args=(x,))
    assert type(made._meta) is type(made.compute()) is np.ndarray


@pytest.mark.parametrize("subclass", [False, True])
def test_functions_of_numpy_arrays_are_not_called_early(subclass):
    calls = []

    def counted(x):
        calls.append(1)
        return x

    x = np.ma.array(DATA) if subclass else DATA
    with arrayshim.scope(only=["from_func_meta"]):
        made = da.core.from_func(counted, (6,), "f8", args=(x,))
    assert calls == []
    assert type(made._meta) is np.ndarray
    assert made.compute().tolist() == DATA.tolist()
