"""Linear algebra of matrices that are nearly singular, badly scaled or of too low a rank, on chunks of a device.

Each tolerance is a bound that is proved somewhere, with u = 2**-53 and n the size; it does not know the condition
number unless the problem does. Residuals are formed in extended precision, so that they measure the result and not
themselves. What is compared with NumPy or SciPy is what an ill-conditioned problem determines: residuals, singular
values, ranks; never the digits of a solution that rounding of the data alone would change.

H: N. J. Higham, "Accuracy and Stability of Numerical Algorithms", 2nd edition, SIAM 2002.
"""

from __future__ import annotations

from fractions import Fraction

import dask.array as da
import numpy as np
import pytest
from honest import lazy

from arrayshim import strict

U = 2.0**-53
N = 12
RNG = np.random.default_rng(20)


def hilbert(n=N):
    return 1.0 / (np.arange(n)[:, None] + np.arange(n)[None, :] + 1)


def orthogonal(n, kind=float):
    x = RNG.normal(size=(n, n)) + (1j * RNG.normal(size=(n, n)) if kind is complex else 0)
    return np.linalg.qr(x)[0]


def with_singular_values(values, rows=N, kind=float):
    n = len(values)
    return orthogonal(rows, kind)[:, :n] * np.asarray(values) @ orthogonal(n, kind).T.conj()


NEARLY_SINGULAR = np.array([1.0] * (N - 1) + [1e-14])
GRADED = 10.0 ** -np.arange(0, 2 * N, 2)
SQUARE = {
    "Hilbert": hilbert(),
    "nearly singular": with_singular_values(NEARLY_SINGULAR),
    "graded rows": RNG.normal(size=(N, N)) * GRADED[:, None],
    "graded columns": RNG.normal(size=(N, N)) * GRADED,
    "huge and tiny": RNG.normal(size=(N, N)) * 10.0 ** RNG.integers(-8, 8, size=(N, N)),
    "complex, nearly singular": with_singular_values(NEARLY_SINGULAR, kind=complex),
    "complex, graded": with_singular_values(GRADED, kind=complex),
}
CHUNKS = (N, 4, 3)

# dask makes the meta of real singular values from that of a complex matrix, on NumPy chunks too.
complex_meta = pytest.mark.filterwarnings("ignore:Casting complex values to real:numpy.exceptions.ComplexWarning")


def host(x):
    """The value, all of whose chunks and whose meta are on the device."""
    value = x.compute(scheduler="sync")
    assert type(value) is type(x._meta) is strict.StrictArray
    return value.get()


def wide(x):
    """In extended precision, in which a product of doubles is exact or nearly so."""
    return x.astype(np.clongdouble if x.dtype.kind == "c" else np.longdouble)


def gamma(n, x):
    """H (3.1), with the constant of complex arithmetic (H, lemma 3.5) where the numbers are complex."""
    n = 4 * n if x.dtype.kind == "c" else n
    return n * U / (1 - n * U)


@pytest.fixture(params=SQUARE, ids=lambda name: name.replace(" ", "-"))
def square(request):
    return SQUARE[request.param]


@pytest.fixture(params=CHUNKS)
def chunks(request):
    return request.param


def test_factors_of_lu(square, chunks):
    # H theorem 9.3: |P L U - A| <= gamma_n |L| |U|, in every element and however large the pivots get. The blocks add
    # sums of at most n more roundings.
    p, low, up = (host(f) for f in da.linalg.lu(lazy(square, chunks=chunks)))
    rest = abs(wide(p) @ wide(low) @ wide(up) - square)
    assert np.all(rest <= 2 * gamma(N, square) * (p @ abs(low) @ abs(up)))
    np.testing.assert_array_equal(np.tril(low), low)
    np.testing.assert_array_equal(np.triu(up), up)
    np.testing.assert_array_equal(np.sort(p, axis=0)[-1], np.ones(N))


def test_partial_pivoting_in_one_chunk(square):
    # Nothing below the diagonal is larger than one; than sqrt(2) where the parts of complex numbers are compared.
    _, low, _ = da.linalg.lu(lazy(square, chunks=-1))
    assert abs(host(low)).max() <= (np.sqrt(2) if square.dtype.kind == "c" else 1.0) * (1 + 4 * U)


def test_solutions(square, chunks):
    # H theorem 9.4: (A + dA) x = b with |dA| <= gamma_3n P |L| |U|, whatever the condition.
    x = lazy(square, chunks=chunks)
    b = np.stack([np.ones(N), np.arange(N) - 5.0], axis=1).astype(square.dtype)
    found = host(da.linalg.solve(x, lazy(b, chunks=(chunks, 2))))
    p, low, up = (abs(host(f)) for f in da.linalg.lu(x))
    rest = abs(wide(square) @ wide(found) - b)
    assert np.all(rest <= 2 * gamma(3 * N, square) * (p @ low @ up @ abs(found)))


def test_inverse(square, chunks):
    # The columns of an inverse are solutions: the bound is that of the test above, on the right.
    x = lazy(square, chunks=chunks)
    found = host(da.linalg.inv(x))
    p, low, up = (abs(host(f)) for f in da.linalg.lu(x))
    rest = abs(wide(square) @ wide(found) - np.eye(N))
    assert np.all(rest <= 4 * gamma(3 * N, square) * (p @ low @ up @ abs(found)).max())


def test_the_solution_of_hilberts_system_is_as_good_as_its_condition_allows():
    # With 1/(i+j+1) times the least common multiple the matrix is of integers, exact in double; so is the right side.
    # The condition is 1.5e10: H theorem 7.4 leaves 3n cond u = 5e-5 of the componentwise error, and LAPACK has as much.
    n, scale = 8, 360360
    a = np.array([[float(Fraction(scale, i + j + 1)) for j in range(n)] for i in range(n)])
    assert all(Fraction(scale, i + j + 1).denominator == 1 for i in range(n) for j in range(n))
    exact = np.array([(-1.0) ** i * (i + 1) for i in range(n)])
    b = np.array([float(sum(int(a[i, j]) * int(exact[j]) for j in range(n))) for i in range(n)])
    found = host(da.linalg.solve(lazy(a, chunks=4), lazy(b, chunks=4)))
    condition = np.linalg.norm(abs(np.linalg.inv(a)) @ abs(a), np.inf)
    assert abs(found - exact).max() <= 3 * n * condition * U * abs(exact).max()


TRIANGLES = {
    # Kahan's matrix, whose condition no diagonal element shows (H, 8.3).
    "Kahan": (np.eye(N) - np.triu(np.full((N, N), np.cos(1.2)), 1)) * (np.sin(1.2) ** np.arange(N))[:, None],
    "graded": np.triu(RNG.normal(size=(N, N)) * GRADED[:, None]) + np.diag(GRADED),
    "graded the other way": np.triu(RNG.normal(size=(N, N)) * GRADED[::-1, None]) + np.diag(GRADED[::-1]),
    "complex": np.triu(RNG.normal(size=(N, N)) + 1j * RNG.normal(size=(N, N))) * GRADED,
}


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("name", TRIANGLES)
def test_triangular_systems(name, lower, chunks):
    # H theorem 8.5: (T + dT) x = b with |dT| <= gamma_n |T|; one more sum of n terms where there are blocks.
    t = TRIANGLES[name].T.copy() if lower else TRIANGLES[name]
    b = RNG.normal(size=N).astype(t.dtype)
    found = host(da.linalg.solve_triangular(lazy(t, chunks=chunks), lazy(b, chunks=chunks), lower=lower))
    assert np.all(abs(wide(t) @ wide(found) - b) <= 2 * gamma(N, t) * (abs(t) @ abs(found)))


@pytest.mark.parametrize("lower", [False, True])
@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("kind", [float, complex])
def test_cholesky(kind, size, lower):
    # H theorem 10.3: |A - R* R| <= gamma_(n+1) |R*| |R|. Demmel (H theorem 10.7) promises success while
    # n gamma_(n+1) < the smallest eigenvalue of the matrix with ones on its diagonal.
    a = hilbert(8) if kind is float else with_singular_values(10.0 ** -np.arange(8), 8, complex)
    a = a if kind is float else (a @ a.T.conj() + np.diag([1e-12] * 8))
    a = (a + a.T.conj()) / 2
    root = host(da.linalg.cholesky(lazy(a, chunks=size), lower=lower))
    root = root.T.conj() if lower else root
    assert np.all(abs(wide(root).T.conj() @ wide(root) - a) <= 2 * gamma(9, a) * (abs(root).T @ abs(root)))


TALL = {
    "Hilbert": hilbert(24)[:, :6],
    "rank 3 of 6": np.vander(np.linspace(0, 1, 24), 3) @ RNG.normal(size=(3, 6)),
    "graded": with_singular_values(10.0 ** -np.arange(0, 18, 3.0), 24),
    "zero columns": np.concatenate([RNG.normal(size=(24, 3)), np.zeros((24, 3))], axis=1),
    "complex, graded": with_singular_values(10.0 ** -np.arange(0, 18, 3.0), 24, complex),
}
ROWS = ((24,), (8, 8, 8), (6, 11, 7))


@pytest.fixture(params=TALL, ids=lambda name: name.replace(" ", "-"))
def tall(request):
    return TALL[request.param]


# H theorem 19.4: Householder's factors are off by gamma~_mn = c m n u in each column's norm, and Q by as much from a
# matrix with orthonormal columns, whatever the condition. c is "a small integer constant": 4 here, and a factorisation
# of the factors below it.
def _householder(x):
    return 8 * gamma(x.size, x)


@pytest.mark.parametrize("rows", ROWS, ids=str)
@pytest.mark.parametrize("name", ["qr", "tsqr"])
def test_orthogonal_factors(tall, name, rows):
    q, r = (host(f) for f in getattr(da.linalg, name)(lazy(tall, chunks=(rows, 6))))
    size = np.linalg.norm(tall, axis=0)
    assert np.all(np.linalg.norm(np.asarray(wide(q) @ wide(r) - tall, tall.dtype), axis=0) <= _householder(tall) * size)
    assert np.linalg.norm(q.T.conj() @ q - np.eye(6), 2) <= _householder(tall)


@pytest.mark.parametrize("columns", ROWS[1:], ids=str)
def test_factors_of_a_short_matrix(tall, columns):
    short = tall.T.conj().copy()
    q, r = (host(f) for f in da.linalg.sfqr(lazy(short, chunks=(6, columns))))
    size = np.linalg.norm(short)
    assert np.linalg.norm(q @ r - short) <= 2 * _householder(tall) * size
    assert np.linalg.norm(q.T.conj() @ q - np.eye(6), 2) <= _householder(tall)


@complex_meta
@pytest.mark.parametrize("rows", ROWS, ids=str)
def test_singular_values(tall, rows):
    # Weyl (H problem 6.12): each moves by no more than the norm of the backward error of QR and SVD together. The small
    # ones have no correct digits then, in NumPy's function either.
    u, s, v = (host(f) for f in da.linalg.svd(lazy(tall, chunks=(rows, 6))))
    size = np.linalg.norm(tall)
    np.testing.assert_allclose(s, np.linalg.svd(tall, compute_uv=False), rtol=0, atol=2 * _householder(tall) * size)
    assert np.linalg.norm(u * s @ v - tall) <= 2 * _householder(tall) * size
    for factor in (u.T.conj() @ u, v @ v.T.conj()):
        assert np.linalg.norm(factor - np.eye(6), 2) <= 2 * _householder(tall)


@complex_meta
@pytest.mark.parametrize("kind", [float, complex])
@pytest.mark.parametrize("iterator", ["power", "QR"])
def test_compressed_singular_values(kind, iterator):
    # Halko, Martinsson & Tropp, SIAM Review 53, 2011, corollary 10.10: with 2 iterations and 6 directions more than the
    # k asked for, the error is below [1 + 4 sqrt(2 min(m, n) / (k - 1))]**(1/5) = 1.7 times the next singular value.
    # Without a factorisation between the iterations what is below u**(1/5) = 6e-4 of the largest drowns (remark 4.3).
    lost = 1e-10 if iterator == "QR" else U ** (1 / 5)
    values = np.concatenate([10.0 ** -np.arange(0, 8, 2.0), np.full(8, 1e-10)])
    x = with_singular_values(values, 24, kind)
    u, s, v = da.linalg.svd_compressed(
        lazy(x, chunks=(8, 12)), 4, iterator=iterator, n_power_iter=2, n_oversamples=6, seed=3
    )
    u, s, v = host(u), host(s), host(v)
    np.testing.assert_allclose(s, values[:4], rtol=0, atol=2 * lost)
    assert np.linalg.norm(u * s @ v - x, 2) <= 2 * lost


@pytest.mark.parametrize("rows", ROWS, ids=str)
@pytest.mark.parametrize("name", [name for name in TALL if name != "zero columns"])  # of which R is singular exactly
def test_least_squares(name, rows):
    # Of full rank (the columns of the graded one differ by 1e15) the residual is the least to first order in its
    # backward error (H theorem 20.3); of lower rank R is singular but for rounding, the solution as dask has it is of
    # any size, and the residual by so much larger.
    tall = TALL[name]
    b = np.cos(np.arange(24.0)).astype(tall.dtype)
    x, residual, rank, s = da.linalg.lstsq(lazy(tall, chunks=(rows, 6)), lazy(b, chunks=(rows,)))
    x, residual, s = host(x), host(residual), host(s)
    expected = np.linalg.lstsq(tall, b, rcond=None)[0]
    least = np.linalg.norm(tall @ expected - b)
    slack = 2 * _householder(tall) * (np.linalg.norm(tall, 2) * np.linalg.norm(x) + np.linalg.norm(b))
    assert np.linalg.norm(tall @ x - b) <= least + slack
    np.testing.assert_allclose(np.sqrt(residual), np.linalg.norm(tall @ x - b), rtol=1e-10, atol=slack)
    assert rank.compute(scheduler="sync").get() == np.linalg.matrix_rank(tall)
    # They are roots of eigenvalues of R* R: an error of u in these is one of sqrt(u) in the small ones. What rounding
    # made negative is NaN, as for NumPy chunks.
    known = ~np.isnan(s)
    true = np.linalg.svd(tall, compute_uv=False)
    np.testing.assert_allclose(s[known], true[known], rtol=0, atol=np.sqrt(2 * _householder(tall)) * true[0])
    assert np.all(true[~known] <= np.sqrt(2 * _householder(tall)) * true[0])


@pytest.mark.parametrize("ord", [None, 1, 2, -1, np.inf, -np.inf, 0, 3, 0.5])
def test_norms_of_numbers_of_every_size(ord):
    # Sums of n positive terms (H, 4.2), each raised and then rooted: a relative error of n + 2 units and of pow, which
    # the C library leaves open and glibc holds below one unit. That 1/ord is rounded makes log(norm) units of it.
    x = np.array([3e-150, 4e150, 1.0, -1e-8, 7e149, -2.5e-160])[: 6 if ord in (1, np.inf, -np.inf) else None]
    if ord not in (1, -1, np.inf, -np.inf, 0):
        x = np.array([3e-30, 4e40, 1.0, -1e-8, 7e39, -2.5e-60])
    exact = np.linalg.norm(wide(x), ord)
    found = host(da.linalg.norm(lazy(x), ord))
    assert abs(found - exact) <= (4 * (len(x) + 2) + np.log(max(exact, 1))) * U * exact
