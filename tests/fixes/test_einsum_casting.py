"""`einsum_casting`: a library whose einsum knows no casting sums by the rule that was asked for."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.einsum_casting import FIX

DATA = np.arange(12).reshape(3, 4)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["einsum_casting"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(values, kind=kind), chunks=chunks, name=False, asarray=False)


def test_the_smallest_call_failed_before(kind):
    x = lazy(DATA, kind)
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "Did not understand the following kwargs: ['casting']"
        with pytest.raises(TypeError, match="casting"):
            da.einsum("ij->i", x, dtype="f4", casting="unsafe").compute()
    assert FIX.diagnose() is None
    assert da.einsum("ij->i", x, dtype="f4", casting="unsafe").compute().get().tolist() == [6, 22, 38]


@pytest.mark.parametrize("chunks", [(3, 4), (1, 3), ((2, 1), (1, 3)), 1])
def test_values_dtypes_and_types(kind, chunks):
    x, half = lazy(DATA, kind, chunks), lazy(DATA.T / 2, kind, chunks if isinstance(chunks, int) else chunks[::-1])
    found = da.einsum("ij,jk->ik", x, half, dtype="f4", casting="same_kind")
    with strict.conversions() as moved:
        value = found.compute()
    assert moved.count == 0
    assert type(value) is type(found._meta) is kind
    assert value.dtype == found.dtype == np.float32
    np.testing.assert_array_equal(value.get(), DATA @ (DATA.T / 2))


@pytest.mark.parametrize("told", [{}, {"casting": "safe"}, {"casting": "no"}])
def test_what_the_rule_forbids_is_refused(kind, told):
    with pytest.raises(TypeError, match="cannot cast an operand from int64 to float32"):
        da.einsum("ij->i", lazy(DATA, kind), dtype="f4", **told).compute()


def test_without_dtype_nothing_is_cast(kind):
    value = da.einsum("ij->j", lazy(DATA, kind), casting="no").compute()
    assert (value.dtype, value.get().tolist()) == (DATA.dtype, [12, 15, 18, 21])


@pytest.mark.parametrize("options", [{}, {"dtype": "f4", "casting": "unsafe"}, {"order": "F"}, {"optimize": True}])
def test_numpy_is_asked_as_before(options):
    table = da.core.einsum_lookup
    with arrayshim.scope(only=["einsum_casting"]):
        assert table.dispatch(np.ndarray) is table.dispatch(np.matrix) is np.einsum
        found = da.einsum("ij,ik->jk", da.from_array(DATA, chunks=2), DATA, **options).compute()
    np.testing.assert_array_equal(found, np.einsum("ij,ik->jk", DATA, DATA, **options), strict=True)


def test_masked_arrays_keep_the_row_of_numpy():
    with arrayshim.scope(only=["einsum_casting"]):
        assert da.core.einsum_lookup.dispatch(np.ma.MaskedArray) is np.einsum


@pytest.fixture
def of_cupy():
    """A type whose row is as dask's for CuPy, which drops `casting` and `order`."""
    kind = strict.fresh_type("Dropping")

    def dropping(*args, **kwargs):
        kwargs.pop("casting", None)
        kwargs.pop("order", None)
        return np.einsum(*args, **kwargs)

    table = da.core.einsum_lookup
    table.register(kind)(dropping)
    try:
        yield kind
    finally:
        del table._lookup[kind]


def test_the_row_of_dask_for_cupy_does_not_lose_the_rule(of_cupy):
    x = lazy(DATA, of_cupy)
    assert da.einsum("ij->i", x, dtype="f4", casting="unsafe").compute().get().tolist() == [6, 22, 38]
    with pytest.raises(TypeError, match="cannot cast an operand from int64 to float32 by the rule 'safe'"):
        da.einsum("ij->i", x, dtype="f4").compute()
    with pytest.raises(TypeError, match="by the rule 'no'"):
        da.einsum("ij,ij->i", x, lazy(DATA / 2, of_cupy), casting="no").compute()


@pytest.mark.parametrize("order", ["K", "C", "F", "A"])
@pytest.mark.parametrize("name", ["StrictArray", "Fresh"])
def test_a_layout_that_the_library_cannot_choose_is_left_to_it(name, order):
    kind = strict.StrictArray if name == "StrictArray" else strict.fresh_type("Fresh")
    x, half = lazy(DATA, kind), lazy(DATA.T / 2, kind)
    found = da.einsum("ij,jk->ik", x, half, order=order).compute(scheduler="sync")
    assert type(found) is kind
    np.testing.assert_array_equal(found.get(), DATA @ (DATA.T / 2), strict=True)


def test_a_layout_is_asked_of_a_library_that_has_it(of_cupy):
    asked = []
    da.core.einsum_lookup.register(of_cupy)(
        lambda *args, order="K", **kw: (asked.append(order), np.einsum(*args, **kw))[1]
    )
    da.einsum("ij->i", lazy(DATA, of_cupy, -1), order="F").compute(scheduler="sync")
    assert "F" in asked
