"""`numpy_linalg_names`: the functions that np.linalg has since NumPy 2, on chunks of any type."""

from __future__ import annotations

import warnings

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.numpy_linalg_names import FIX

TABLE = np.fromfunction(lambda i, j: np.cos(i * i + 3 * j), (4, 6))
CUBE = np.fromfunction(lambda i, j, k: np.sin(i + 2 * j * j + k), (2, 4, 6))
COMPLEX = TABLE * np.exp(1j * TABLE)

CALLS = {
    "vector_norm": (lambda x: np.linalg.vector_norm(x), TABLE),
    "vector_norm axis": (lambda x: np.linalg.vector_norm(x, axis=1), TABLE),
    "vector_norm keepdims": (lambda x: np.linalg.vector_norm(x, keepdims=True), CUBE),
    "vector_norm axes": (lambda x: np.linalg.vector_norm(x, axis=(0, -1), keepdims=True), CUBE),
    "vector_norm order": (lambda x: np.linalg.vector_norm(x, axis=(2, 0), ord=3), CUBE),
    "vector_norm inf": (lambda x: np.linalg.vector_norm(x, axis=0, ord=np.inf), TABLE),
    "vector_norm 0": (lambda x: np.linalg.vector_norm(x, axis=0, ord=0), np.arange(12).reshape(4, 3)),
    "vector_norm int": (lambda x: np.linalg.vector_norm(x, axis=0), np.arange(12).reshape(4, 3)),
    "vector_norm complex": (lambda x: np.linalg.vector_norm(x, axis=0), COMPLEX),
    "vector_norm f4": (lambda x: np.linalg.vector_norm(x, axis=0), TABLE.astype("f4")),
    "matrix_norm": (lambda x: np.linalg.matrix_norm(x), TABLE),
    "matrix_norm 1": (lambda x: np.linalg.matrix_norm(x, ord=1, keepdims=True), CUBE),
    "matrix_norm inf": (lambda x: np.linalg.matrix_norm(x, ord=np.inf), COMPLEX),
    "vecdot": (lambda x: np.linalg.vecdot(x, x[::-1]), COMPLEX),
    "vecdot axis": (lambda x: np.linalg.vecdot(x, x[:1], axis=1), CUBE),
    "vecdot int": (lambda x: np.linalg.vecdot(x, x), np.arange(12, dtype="i2").reshape(4, 3)),
    "outer": (lambda x: np.linalg.outer(x[0], x[:, 1]), TABLE),
    "diagonal": (lambda x: np.linalg.diagonal(x, offset=1), CUBE),
    "trace": (lambda x: np.linalg.trace(x, offset=-1), CUBE),
    "trace dtype": (lambda x: np.linalg.trace(x, dtype="f4"), TABLE),
    "tensordot": (lambda x: np.linalg.tensordot(x, x, axes=((1,), (1,))), TABLE),
    "matmul": (lambda x: np.linalg.matmul(x, x.swapaxes(-1, -2)), CUBE),
    "matmul int": (lambda x: np.linalg.matmul(x, x), np.arange(9, dtype="i4").reshape(3, 3)),
    "matrix_transpose": (lambda x: np.linalg.matrix_transpose(x), CUBE),
}

each_call = pytest.mark.parametrize(("call", "host"), CALLS.values(), ids=list(CALLS))


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope():
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "no implementation found" in FIX.diagnose()
        with (
            pytest.warns(FutureWarning, match="not implemented by Dask"),
            pytest.raises(TypeError, match=r"no implementation found for 'numpy\.linalg\.vector_norm'"),
        ):
            np.linalg.vector_norm(lazy(TABLE, kind), axis=1)
    assert FIX.diagnose() is None


@each_call
@pytest.mark.parametrize("chunks", [2, 3, -1])
def test_lazily_and_where_the_data_are(kind, chunks, call, host):
    tolerance = 1e-5 if host.dtype == "f4" or call(host).dtype == "f4" else 1e-12
    same(call(lazy(host, kind, chunks)), call(host), kind, rtol=tolerance)


@pytest.mark.parametrize("order", [0, 0.5, 1, 2, 3, np.inf, -np.inf, -2])
def test_vector_norms_over_unknown_lengths(kind, order):
    host = np.where(CUBE == 0, 0.5, CUBE)
    x = lazy(host, kind)
    found = x[lazy(np.ones(2, dtype=bool), kind)]
    for axis, keepdims in ((None, False), ((0, 2), True), ((2, 0), False)):
        expected = np.linalg.vector_norm(host, axis=axis, keepdims=keepdims, ord=order)
        ours = np.linalg.vector_norm(found, axis=axis, keepdims=keepdims, ord=order)
        # A root per axis, with one rounding each, and a power of it again.
        same(ours, expected, kind, rtol=1e-14)


def test_singular_values(kind):
    tall = TABLE.T + np.eye(6, 4)
    same(np.linalg.svdvals(lazy(tall, kind, (2, 4))), np.linalg.svdvals(tall), kind, rtol=1e-12)


def test_an_outer_product_of_matrices_is_refused(kind):
    x = lazy(TABLE, kind)
    with pytest.raises(ValueError, match=r"x1\.ndim=2 and x2\.ndim=1"):
        np.linalg.outer(x, x[0])


def test_operands_in_two_places_meet(kind):
    same(np.linalg.matmul(lazy(TABLE, kind), da.from_array(TABLE.T, chunks=2)), TABLE @ TABLE.T, kind, rtol=1e-12)


@each_call
def test_numpy_chunks_as_before(call, host):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)
        found = call(da.from_array(host, chunks=2))
    assert not hasattr(found, "__dask_graph__")
    np.testing.assert_array_equal(found, call(host), strict=True)
