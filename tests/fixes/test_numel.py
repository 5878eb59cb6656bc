"""`numel`: counts of elements stay on the device, so means, variances and moments of unknown types are right."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.array.dispatch import numel_lookup

import arrayshim
from arrayshim import strict
from arrayshim.fixes.numel import FIX

DATA = np.array([[1.0, 5.0], [2.0, 8.0], [3.0, 2.0]])


@pytest.fixture(params=["StrictArray", "Fresh"])
def x(request):
    kind = strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")
    with arrayshim.scope(only=["numel"]):
        yield da.from_array(strict.asarray(DATA, kind=kind), chunks=2, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    np.testing.assert_allclose(value.get(), expected, rtol=1e-15)


def test_the_smallest_call_failed_before(x):
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "numel of an unknown device array is a ndarray"
        with pytest.raises(TypeError):
            x.mean(axis=0).compute()
    assert FIX.diagnose() is None
    same(x.mean(axis=0), [2.0, 5.0], type(x._meta))


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        (lambda x: x.mean(axis=1), [3.0, 5.0, 2.5]),
        (lambda x: x.mean(), 3.5),
        (lambda x: x.mean(axis=(0, 1), keepdims=True), [[3.5]]),
        (lambda x: x.var(axis=0), [2 / 3, 6.0]),
        (lambda x: x.var(axis=1, ddof=1), [8.0, 18.0, 0.5]),
        (lambda x: x.std(axis=1), [2.0, 3.0, 0.5]),
        (lambda x: x.moment(3, axis=0), [0.0, 0.0]),
        (lambda x: da.mean(x, axis=0, split_every=2), [2.0, 5.0]),
        (lambda x: da.nanmean(x, axis=1), [3.0, 5.0, 2.5]),
    ],
)
def test_reductions(x, build, expected):
    same(build(x), expected, type(x._meta))


@pytest.mark.parametrize(
    ("arguments", "shape", "count"),
    [
        ({"axis": (0,), "keepdims": True}, (1, 2), 3.0),
        ({"axis": (0,), "keepdims": False}, (2,), 3.0),
        ({"axis": 1}, (3,), 2.0),
        ({"axis": (0, 1), "keepdims": True, "dtype": "i8"}, (1, 1), 6),
        ({"axis": None, "keepdims": True}, (1, 1), 6.0),
    ],
)
def test_counts(x, arguments, shape, count):
    kind = type(x._meta)
    got = numel_lookup(strict.asarray(DATA, kind=kind), **arguments)
    assert type(got) is kind
    assert got.shape == shape
    assert got.dtype == np.dtype(arguments.get("dtype", "f8"))
    assert (got.get() == count).all()


def test_of_everything_it_is_a_scalar_as_in_stock_dask(x):
    got = numel_lookup(strict.asarray(DATA, kind=type(x._meta)), axis=None)
    assert isinstance(got, np.float64)
    assert got == 6.0
