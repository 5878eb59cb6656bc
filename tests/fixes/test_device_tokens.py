"""`device_tokens`: an array type that can name its arrays where they lie is not pickled to get a name."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.base import tokenize

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.device_tokens import FIX

DATA = np.arange(12.0).reshape(3, 4)


@pytest.fixture
def kind():
    kind = strict.fresh_type("Named")
    kind.__dask_tokenize__ = None  # as CuPy's arrays, which have no name of their own
    kernels.token.add(kind, lambda x: ("Named", x.dtype.str, x.shape, float(x._host.sum())))
    yield kind
    kernels.token.remove(kind)


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "an array that has a name without a copy is pickled to get one"
    assert FIX.diagnose() is None


def test_nothing_travels_for_a_name(kind):
    x = strict.asarray(DATA, kind=kind)
    with strict.conversions() as seen:
        lazy = da.from_array(x, chunks=2, asarray=False)
    assert seen.count == 0
    assert lazy.name == da.from_array(x.copy(), chunks=2, asarray=False).name
    assert lazy.name != da.from_array(x + 1, chunks=2, asarray=False).name
    np.testing.assert_array_equal(lazy.compute(scheduler="sync").get(), DATA)


def test_inside_of_other_things(kind):
    x = strict.asarray(DATA, kind=kind)
    with strict.conversions() as seen:
        assert tokenize([x, {"a": x}]) == tokenize([x, {"a": x.copy()}]) != tokenize([x, {"a": x + 1}])
    assert seen.count == 0


@pytest.mark.parametrize("thing", [DATA, [1, "a"], strict.StrictArray, len, np.float32(3), slice(1, 2)], ids=repr)
def test_other_names_are_as_before(thing):
    ours = tokenize(thing)
    with arrayshim.scope(only=()):
        assert tokenize(thing) == ours


def test_a_type_without_a_kernel_is_named_as_before():
    x = strict.asarray(DATA)
    ours = tokenize(x)
    with arrayshim.scope(only=()):
        assert tokenize(x) == ours
