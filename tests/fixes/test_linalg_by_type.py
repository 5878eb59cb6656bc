"""`linalg_by_type`: blocks of any type are factored and solved where they are."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
import scipy.linalg
from honest import lazy, same

import arrayshim
from arrayshim import kernels, strict
from arrayshim.errors import UnsupportedError
from arrayshim.fixes.linalg_by_type import FIX

# Diagonally dominant, so that nothing is close to zero but what is zero.
REAL = np.fromfunction(lambda i, j: np.cos(3 * i + 5 * j * j), (6, 6)) + 4 * np.eye(6)
COMPLEX = REAL + 1j * np.fromfunction(lambda i, j: np.sin(i * i + 2 * j), (6, 6))
#: A few units of the last place times the growth in six steps.
RTOL = {"f": 2e-5, "d": 1e-13, "F": 2e-5, "D": 1e-13}

each_dtype = pytest.mark.parametrize("dtype", "fdFD")


def matrix(dtype):
    return (COMPLEX if dtype in "FD" else REAL).astype(dtype)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["linalg_by_type"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "Implicit conversion" in FIX.diagnose()
        with pytest.raises(TypeError, match="Implicit conversion"):
            da.linalg.lu(lazy(REAL, kind, 3))[2].compute(scheduler="sync")
    assert FIX.diagnose() is None


@each_dtype
@pytest.mark.parametrize("chunks", [2, 3, 6])
def test_lu_is_that_of_numpy_chunks(kind, chunks, dtype):
    host = matrix(dtype)
    expected = da.linalg.lu(da.from_array(host, chunks=chunks))
    real = np.empty(0, dtype).real.dtype
    for ours, theirs, precision in zip(
        da.linalg.lu(lazy(host, kind, chunks)), expected, (real, dtype, dtype), strict=True
    ):
        # Stock's zeros beside the diagonal are double, whatever the blocks on it are.
        same(ours, theirs.compute().astype(precision), kind, rtol=RTOL[dtype])


@each_dtype
@pytest.mark.parametrize("chunks", [2, 6])
def test_the_factors_multiply_to_the_matrix(kind, chunks, dtype):
    host = matrix(dtype)
    p, lower, upper = (x.compute(scheduler="sync").get() for x in da.linalg.lu(lazy(host, kind, chunks)))
    np.testing.assert_allclose(p @ lower @ upper, host, rtol=RTOL[dtype], atol=RTOL[dtype])
    np.testing.assert_array_equal(lower, np.tril(lower))
    np.testing.assert_array_equal(upper, np.triu(upper))
    assert np.array_equal(np.diag(lower), np.ones(6, dtype))


@each_dtype
@pytest.mark.parametrize("chunks", [2, 6])
def test_triangular_systems(kind, chunks, dtype):
    host = matrix(dtype)
    right = np.arange(1.0, 13.0).reshape(6, 2)
    x, b = lazy(host, kind, chunks), lazy(right, kind, (chunks, 1))
    # With one chunk, what is in the other triangle is not looked at.
    lower, upper = (np.tril(host), np.triu(host)) if chunks < 6 else (host, host)
    for matrix_, flag in ((lower, True), (upper, False)):
        found = da.linalg.solve_triangular(lazy(matrix_, kind, chunks) if chunks < 6 else x, b, lower=flag)
        expected = scipy.linalg.solve_triangular(matrix_, right, lower=flag)
        same(found, expected, kind, rtol=1e-12)


@pytest.mark.parametrize("lower", [True, False])
def test_cholesky(kind, lower):
    host = np.fromfunction(lambda i, j: 0.5 ** abs(i - j), (6, 6)) + np.eye(6)
    expected = scipy.linalg.cholesky(host, lower=lower)
    same(da.linalg.cholesky(lazy(host, kind, 2), lower=lower), expected, kind, rtol=1e-13)


def test_elimination_would_lose_what_substitution_keeps():
    """The solution is a power of 3 in each place, exact in double precision; each row is 2**-10 of the one above."""
    n = 24
    scale = 2.0 ** -(10.0 * np.arange(n))
    a = (np.eye(n) - 2 * np.tri(n, k=-1)) * scale[:, None]
    x = kernels.solve_triangular(strict.asarray(a), strict.asarray(scale), lower=True).get()
    np.testing.assert_array_equal(x, 3.0 ** np.arange(n))
    turned = kernels.solve_triangular(strict.asarray(a[::-1, ::-1].copy()), strict.asarray(scale[::-1].copy())).get()
    np.testing.assert_array_equal(turned, 3.0 ** np.arange(n)[::-1])


@pytest.mark.parametrize("seed", range(3))
def test_badly_scaled_triangles_are_solved_in_every_component(seed):
    """Condition 1e20 and more by the norm, below 100 componentwise: 1e-13 is some 20 roundings of that."""
    rng = np.random.default_rng(seed)
    n = 24
    rows, columns = 10.0 ** rng.uniform(-10, 10, (2, n))
    a = (np.eye(n) + np.tril(rng.uniform(-0.1, 0.1, (n, n)), -1)) * rows[:, None] * columns
    b = rows * rng.uniform(1, 2, n)
    expected = scipy.linalg.solve_triangular(a, b, lower=True)
    found = kernels.solve_triangular(strict.asarray(a), strict.asarray(b), lower=True).get()
    np.testing.assert_allclose(found, expected, rtol=1e-13)


@each_dtype
@pytest.mark.parametrize("n", [2, 3, 7, 16, 33])
def test_the_kernel_chooses_the_pivots_of_lapack(n, dtype):
    rng = np.random.default_rng(n)
    a = rng.standard_normal((n, n)) + (1j * rng.standard_normal((n, n)) if dtype in "FD" else 0)
    a = a.astype(dtype)
    # Rows of very different size: without exchanges the factors would be far from these.
    a *= (10.0 ** rng.uniform(-3, 3, n)).astype(a.real.dtype)[:, None]
    expected = scipy.linalg.lu(a)
    found = kernels.lu(strict.asarray(a))
    np.testing.assert_array_equal(found[0].get(), expected[0], strict=True)
    error = np.abs(found[0].get() @ found[1].get() @ found[2].get() - a).max() / np.abs(a).max()
    assert error <= 10 * n * np.finfo(dtype).eps
    np.testing.assert_allclose(found[1].get(), expected[1], rtol=0, atol=1e4 * n * np.finfo(dtype).eps)
    assert found[1].dtype == found[2].dtype == expected[1].dtype


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "u8", "f2", "?"])
def test_the_precision_is_that_of_scipy(dtype):
    a = np.array([[2, 1], [1, 3]]).astype(dtype)
    for ours, theirs in zip(kernels.lu(strict.asarray(a)), scipy.linalg.lu(a), strict=True):
        np.testing.assert_allclose(ours.get(), theirs, rtol=1e-6, strict=True)


def test_singular_and_empty_matrices():
    zeros = strict.asarray(np.zeros((3, 3)))
    p, lower, upper = (x.get() for x in kernels.lu(zeros))
    for found, expected in zip((p, lower, upper), scipy.linalg.lu(np.zeros((3, 3))), strict=True):
        np.testing.assert_array_equal(found, expected)
    assert [x.shape for x in kernels.lu(strict.asarray(np.zeros((0, 0))))] == [(0, 0)] * 3


class Bare:
    """An array type whose library can do nothing."""

    dtype, ndim, shape = np.dtype(float), 2, (2, 2)

    def __array_function__(self, func, types, args, kwargs):
        return NotImplemented


def test_a_library_without_a_solver_is_told_clearly():
    with pytest.raises(
        UnsupportedError, match=r"chunks of type Bare: .*kernels\.solve_triangular\.add\(Bare, function\)"
    ):
        kernels.solve_triangular(Bare(), Bare())


def test_another_function_of_scipy_on_a_device(kind):
    from dask.array.utils import scipy_linalg_safe

    with pytest.raises(UnsupportedError, match=r"scipy\.linalg\.expm on chunks of type .*map_blocks"):
        scipy_linalg_safe("expm", strict.asarray(REAL, kind=kind))
    np.testing.assert_array_equal(scipy_linalg_safe("expm", REAL), scipy.linalg.expm(REAL))


@each_dtype
@pytest.mark.parametrize("chunks", [2, 6])
def test_numpy_chunks_as_before(chunks, dtype):
    x = da.from_array(matrix(dtype), chunks=chunks)
    calls = [
        lambda: da.linalg.lu(x),
        lambda: [da.linalg.solve_triangular(da.from_array(np.triu(matrix(dtype)), chunks=chunks), x[0])],
        lambda: [da.linalg.solve(x, x[0])],
        lambda: [da.linalg.inv(x)],
    ]
    for call in calls:
        with arrayshim.scope(only=()):
            stock = [(part.dtype, part.compute(scheduler="sync")) for part in call()]
        with arrayshim.scope(only=["linalg_by_type"]):
            ours = call()
            for part, (promised, value) in zip(ours, stock, strict=True):
                assert part.dtype == promised
                np.testing.assert_array_equal(part.compute(scheduler="sync"), value, strict=True)
