"""`mixed_products`: factors meet where one of them is on a device."""

from __future__ import annotations

import operator
import sys

import dask
import dask.array as da
import dask.array.gufunc
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.mixed_products import FIX

A = np.arange(12.0).reshape(4, 3)
B = np.array([[1.0, 2.0], [0.0, 1.0], [3.0, -1.0]])
V = np.array([1.0, 2.0, 4.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["mixed_products", "cold_tables"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    with strict.conversions() as seen:
        value = result.compute()
    assert seen.count == 0
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "a device array @ an ndarray" in FIX.diagnose()
        with pytest.raises(TypeError):
            (lazy(A, kind) @ B).compute()
    assert FIX.diagnose() is None
    same(lazy(A, kind) @ B, A @ B, kind)


# All values are small integers, so sums in any order are exact.
PRODUCTS = [
    lambda xp, a, b, v: xp.matmul(a, b),
    lambda xp, a, b, v: xp.matmul(a, v),
    lambda xp, a, b, v: np.matmul(a, b),
    lambda xp, a, b, v: xp.dot(a, b),
    lambda xp, a, b, v: a.dot(v),
    lambda xp, a, b, v: xp.vdot(a[0], v),
    lambda xp, a, b, v: xp.tensordot(a, b, axes=1),
    lambda xp, a, b, v: xp.tensordot(a, b, axes=([1], [0])),
    lambda xp, a, b, v: xp.outer(a, v),
    lambda xp, a, b, v: xp.einsum("ij,jk->ik", a, b),
    lambda xp, a, b, v: xp.einsum("ij,jk,j->i", a, b, v),
    lambda xp, a, b, v: xp.einsum(a, [0, 1], b, [1, 2], [0, 2]),
    lambda xp, a, b, v: xp.einsum(a, [0, 1], v, [1]),
    lambda xp, a, b, v: np.einsum("ij,j", a, v),
    lambda xp, a, b, v: xp.add.outer(a, v),
    lambda xp, a, b, v: np.subtract.outer(v, a),
]


@pytest.mark.parametrize("build", PRODUCTS)
@pytest.mark.parametrize("chunks", [1, 2, 4])
def test_host_factors(kind, build, chunks):
    expected = build(np, A, B, V)
    same(build(da, lazy(A, kind, chunks), da.from_array(B, chunks=2), da.from_array(V, chunks=2)), expected, kind)
    same(build(da, da.from_array(A, chunks=2), lazy(B, kind, chunks), lazy(V, kind, chunks)), expected, kind)


@pytest.mark.parametrize("build", PRODUCTS)
def test_ndarrays(kind, build):
    same(build(da, lazy(A, kind), B, V), build(np, A, B, V), kind)


@pytest.mark.parametrize("scalar", [np.float32(2.0), np.array(2.0), da.from_array(np.array(2))])
@pytest.mark.parametrize("mixed", ["device", "raise"])
def test_outer_of_what_has_no_axes(kind, scalar, mixed):
    value = np.asarray(scalar)
    with dask.config.set({"arrayshim.mixed": mixed}):
        same(da.outer(lazy(V, kind), scalar), np.outer(V, value), kind)
        same(da.outer(scalar, lazy(A, kind)), np.outer(value, A), kind)


def test_either_side_of_the_operator(kind):
    same(operator.matmul(A, lazy(B, kind)), A @ B, kind)
    same(operator.matmul(lazy(A, kind), V), A @ V, kind)


def test_generalised_ufuncs(kind):
    ufunc = getattr(np, "vecdot", np.linalg._umath_linalg.solve1)
    seen = []

    def noted(self, other, *inputs, **kwargs):
        seen.extend(map(type, [x._meta for x in inputs if isinstance(x, da.Array)]))
        return "asked"

    # No library that we know has these ufuncs for devices: what counts is what dask is handed.
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys.modules["dask.array.gufunc"], "apply_gufunc", noted)
        assert ufunc(lazy(A, kind), da.from_array(V, chunks=3)) == "asked"
    assert seen == [kind, kind]


def test_chunks_move_once_each(kind):
    with arrayshim.transfers() as moves:
        (lazy(A, kind, 1) @ da.from_array(B, chunks=(1, 2))).compute()
    assert moves.by_operation == {"matmul": (3, B.nbytes)}


def test_the_setting_raise(kind):
    x = lazy(A, kind)
    with dask.config.set({"arrayshim.mixed": "raise"}):
        for product, operation in (
            (lambda: x @ B, "matmul"),
            (lambda: da.tensordot(x, B, 1), "tensordot"),
            (lambda: da.outer(x, V), "outer"),
            (lambda: da.einsum("ij,jk", x, B), "einsum"),
            (lambda: np.add.outer(x, V), "add.outer"),
        ):
            with pytest.raises(ResidenceError, match=f"^{operation}: dask array of {kind.__name__}"):
                product()


def test_a_false_meta_is_named_by_the_first_task(kind):
    hidden = lazy(A, kind).map_blocks(operator.pos, meta=np.empty((0, 0)))
    for product, operation in ((hidden @ B, "matmul"), (da.tensordot(hidden, B, 1), "tensordot")):
        with pytest.raises(ResidenceError, match=rf"{operation}: a chunk is {kind.__name__}.*give meta="):
            product.compute()


def test_numpy_is_stock(kind):
    a, b, v = da.from_array(A, chunks=2), da.from_array(B, chunks=2), da.from_array(V, chunks=2)
    for build in PRODUCTS:
        ours = build(da, a, b, v).compute()
        with arrayshim.scope(only=()):
            stock = build(da, a, b, v).compute()
        np.testing.assert_array_equal(ours, stock, strict=True)
        np.testing.assert_array_equal(ours, build(np, A, B, V), strict=True)


def test_wrong_arguments_are_refused_as_by_dask(kind):
    with pytest.raises(ValueError, match="does not support scalars"):
        da.matmul(lazy(A, kind), 2)
    with pytest.raises(ValueError, match="No input operands"):
        da.einsum()
