"""`linalg_residence`: a system is solved where its matrix is."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import config, strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.linalg_residence import FIX

MATRIX = np.fromfunction(lambda i, j: np.cos(3 * i + 5 * j * j), (6, 6)) + 4 * np.eye(6)
POSITIVE = np.fromfunction(lambda i, j: 0.5 ** abs(i - j), (6, 6)) + np.eye(6)
RIGHT = np.arange(1.0, 13.0).reshape(6, 2)
TALL = np.fromfunction(lambda i, j: np.sin(i * (j + 1) + j), (12, 3))

each_layout = pytest.mark.parametrize("chunks", [2, 3, 6])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["linalg_residence", "linalg_by_type", "mixed_products", "mixed_operands", "numel"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    x = lazy(MATRIX, kind, 3)
    with arrayshim.scope(only=["linalg_by_type"]):
        assert FIX.diagnose() is not None
        with pytest.raises(ResidenceError, match=r"solve_triangular: a chunk is \w+ and another ndarray"):
            da.linalg.inv(x).compute(scheduler="sync")
    assert FIX.diagnose() is None


@each_layout
def test_inverse(kind, chunks):
    same(da.linalg.inv(lazy(MATRIX, kind, chunks)), np.linalg.inv(MATRIX), kind, rtol=1e-12)


@pytest.mark.parametrize("dtype", ["f4", "c8", "c16"])
def test_inverse_in_the_dtype_of_numpy_chunks(kind, dtype):
    host = (MATRIX * (1 + 0.5j) if dtype[0] == "c" else MATRIX).astype(dtype)
    expected = da.linalg.inv(da.from_array(host, chunks=3)).compute()
    # Factored in the precision of the matrix, by whom it may be.
    same(da.linalg.inv(lazy(host, kind, 3)), expected, kind, rtol=1e-12 if dtype == "c16" else 1e-3)


@each_layout
@pytest.mark.parametrize("right", [RIGHT[:, 0], RIGHT])
@pytest.mark.parametrize("assume", ["gen", "pos"])
def test_systems(kind, chunks, right, assume):
    x = lazy(POSITIVE, kind, chunks)
    expected = np.linalg.solve(POSITIVE, right)
    parts = (chunks, 1)[: right.ndim]
    for b in (lazy(right, kind, parts), da.from_array(right, chunks=parts)):
        same(da.linalg.solve(x, b, assume_a=assume), expected, kind, rtol=1e-12)
    same(da.linalg.solve(da.from_array(POSITIVE, chunks=chunks), lazy(right, kind, parts)), expected, kind, rtol=1e-12)


@each_layout
def test_triangles(kind, chunks):
    x = lazy(np.tril(MATRIX), kind, chunks)
    b = da.from_array(RIGHT, chunks=(chunks, 2))
    same(da.linalg.solve_triangular(x, b, lower=True), np.linalg.solve(np.tril(MATRIX), RIGHT), kind, rtol=1e-12)


@pytest.mark.parametrize("chunks", [(4, 3), (12, 3)])
@pytest.mark.parametrize("right", [TALL[:, 0] ** 2, TALL[:, :2] ** 2])
def test_least_squares(kind, chunks, right):
    x = lazy(TALL, kind, chunks)
    solution, residuals, rank, s = np.linalg.lstsq(TALL, right, rcond=None)
    parts = (chunks[0], 2)[: right.ndim]
    for b in (lazy(right, kind, parts), da.from_array(right, chunks=parts)):
        found = da.linalg.lstsq(x, b)
        same(found[0], solution, kind, rtol=1e-11)
        same(found[1], residuals, kind, rtol=1e-11)
        same(found[2], np.int64(rank), kind)
        same(found[3], s, kind, rtol=1e-11)


@pytest.mark.parametrize("dtype", ["f4", "c8", "c16"])
def test_least_squares_of_other_dtypes(kind, dtype):
    host = (TALL * np.exp(1j * TALL[:, ::-1]) if dtype[0] == "c" else TALL).astype(dtype)
    right = host[:, 0] * 2 + host[:, 2]
    found = da.linalg.lstsq(lazy(host, kind, (4, 3)), lazy(right, kind, 4))
    exact = np.array([2, 0, 1], dtype)
    value = found[0].compute(scheduler="sync").get()
    assert value.dtype == found[0].dtype == exact.dtype
    # The condition of the matrix is below 3.
    np.testing.assert_allclose(value, exact, rtol=0, atol=50 * np.finfo(dtype).eps)
    np.testing.assert_allclose(
        found[3].compute(scheduler="sync").get(), np.linalg.svd(host)[1], rtol=50 * np.finfo(dtype).eps
    )


def test_operands_meet_as_the_setting_says(kind):
    x, b = lazy(MATRIX, kind, 3), da.from_array(RIGHT, chunks=(3, 2))
    import dask

    with dask.config.set({"arrayshim.mixed": "raise"}):
        assert config.mixed() == "raise"
        for call in (da.linalg.solve, da.linalg.solve_triangular, da.linalg.lstsq):
            with pytest.raises(ResidenceError, match=f"^{call.__name__}: "):
                call(x, b)
        # The identity is no operand of the user's.
        same(da.linalg.inv(x), np.linalg.inv(MATRIX), kind, rtol=1e-12)


@each_layout
def test_numpy_chunks_as_before(chunks):
    x, b = da.from_array(MATRIX, chunks=chunks), da.from_array(RIGHT, chunks=(chunks, 2))
    tall = da.from_array(TALL, chunks=(4, 3))
    calls = [
        lambda: [da.linalg.inv(x)],
        lambda: [da.linalg.solve(x, b)],
        lambda: [da.linalg.solve_triangular(x, b, lower=True)],
        lambda: da.linalg.lstsq(tall, tall[:, 0]),
    ]
    for call in calls:
        with arrayshim.scope(only=()):
            stock = [(type(part._meta), part.dtype, part.compute(scheduler="sync")) for part in call()]
        with arrayshim.scope(only=["linalg_residence", "mixed_products"]):
            for part, (meta, dtype, value) in zip(call(), stock, strict=True):
                assert (type(part._meta), part.dtype) == (meta, dtype)
                np.testing.assert_array_equal(part.compute(scheduler="sync"), value, strict=True)


def test_lengths_that_do_not_fit_are_refused_in_dasks_words():
    sparse = pytest.importorskip("sparse")
    with arrayshim.scope(only=["linalg_residence"]):
        # Its chunks cannot be factored, which is not what is wrong.
        a = da.from_array(sparse.COO.from_numpy(MATRIX), chunks=2, asarray=False)
        b = da.from_array(sparse.COO.from_numpy(MATRIX[0, :4]), chunks=2, asarray=False)
        for right in (b, da.from_array(MATRIX[0, :4], chunks=2)):
            with pytest.raises(ValueError, match="Chunks do not add up"):
                da.linalg.solve(a, right)
