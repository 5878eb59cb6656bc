"""`astype_casting`: `casting=` is held to on every chunk type."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.array import chunk

import arrayshim
from arrayshim import strict
from arrayshim.fixes.astype_casting import FIX


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["astype_casting"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    x = lazy([1, 2, 3], kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "astype(casting=) of a device chunk: casting is not supported yet"
        with pytest.raises(TypeError, match="casting is not supported yet"):
            x.astype("f8", casting="safe").compute()
    assert FIX.diagnose() is None
    same(x.astype("f8", casting="safe"), np.array([1.0, 2.0, 3.0]), kind)


@pytest.mark.parametrize("chunks", [1, 2, 3])
@pytest.mark.parametrize("options", [{"casting": "unsafe"}, {"casting": "unsafe", "copy": False}, {"copy": True}])
def test_every_keyword(kind, chunks, options):
    same(lazy([1.5, -2.5, 3.0], kind, chunks).astype("i4", **options), np.array([1, -2, 3], "i4"), kind)


def test_the_order_is_ignored_as_for_numpy_chunks(kind):
    same(
        lazy([[1, 2], [3, 4]], kind).astype("f4", order="F", casting="same_kind"),
        np.array([[1, 2], [3, 4]], "f4"),
        kind,
    )


def test_a_cast_that_is_not_allowed_is_refused_while_the_graph_is_built(kind):
    with pytest.raises(TypeError, match=r"Cannot cast array from .* according to the rule 'safe'"):
        lazy([1.5], kind).astype("i4", casting="safe")


def test_a_chunk_of_another_dtype_than_promised_is_held_to_the_rule(kind):
    with pytest.raises(TypeError, match=r"Cannot cast array data from .*float64.* to .*int32.* 'same_kind'"):
        chunk.astype(strict.asarray(np.ones(2), kind=kind), np.dtype("i4"), casting="same_kind")


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
def test_numpy_chunks_are_cast_as_before(make):
    x = da.from_array(make(np.array([1.5, 2.5, 3.5])), chunks=2, asarray=False)
    with arrayshim.scope(only=()):
        stock = x.astype("f4", casting="unsafe").compute()
    with arrayshim.scope(only=["astype_casting"]):
        ours = x.astype("f4", casting="unsafe").compute()
        scalar = chunk.astype(np.float64(1.5), np.dtype("i4"), casting="unsafe")
    assert type(ours) is type(stock)
    np.testing.assert_array_equal(ours, stock, strict=True)
    assert scalar == 1
