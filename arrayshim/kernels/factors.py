"""Triangular systems and LU factors of one chunk, for libraries that have ``numpy.linalg`` and not ``scipy.linalg``."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.errors import UnsupportedError


def working(*arrays: Any) -> np.dtype[Any]:
    """The dtype in which SciPy's LAPACK works for these: the least of single and double, real and complex."""
    return np.result_type(*(next(char for char in "fdFD" if np.can_cast(x.dtype, char)) for x in arrays))


def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
    """Solve ``a x = b`` with one triangle of `a`.

    Parameters
    ----------
    a : array, (M, M)
        Only the triangle asked for is looked at.
    b : array, (M,) or (M, N)
        Of the type of `a`.
    lower : bool
        Which triangle.

    Returns
    -------
    array of the type of `a`, of the shape of `b`
        In the dtype of `working`.

    Raises
    ------
    numpy.linalg.LinAlgError
        For a zero on the diagonal, where the library's ``linalg.solve`` says so; NaN and infinities where it does not.
    UnsupportedError
        If the library of `a` has no ``linalg.solve``.

    Notes
    -----
    By the library's ``linalg.solve``. That eliminates, with pivots from the column below the diagonal: in an upper
    triangle there is nothing below, so its factors are the identity and `a`, exactly, and what it does is substitute.
    A lower triangle read from its end is an upper one. So the small componentwise error of a substitution (Higham,
    "Accuracy and Stability of Numerical Algorithms", 2002, chapter 8) is kept, which elimination alone has not.
    """
    if lower:
        return solve_triangular(a[::-1, ::-1], b[::-1])[::-1]
    dtype = working(a, b)
    try:
        return np.linalg.solve(np.triu(a).astype(dtype), b.astype(dtype))
    except TypeError as error:
        kind = type(a).__name__
        raise UnsupportedError(
            f"a linear system in chunks of type {kind}: their library has no linalg.solve for it ({error}); add what "
            f"solves it with arrayshim.kernels.solve_triangular.add({kind}, function), or bring the data to the host "
            'with to_backend("numpy")'
        ) from error


def lu(a: Any) -> tuple[Any, Any, Any]:
    """Factors of a square matrix, with row exchanges: ``a = p @ l @ u``.

    Parameters
    ----------
    a : array, (M, M)

    Returns
    -------
    p : array, (M, M)
        Permutation matrix, real.
    l : array, (M, M)
        Lower triangular, ones on the diagonal.
    u : array, (M, M)
        Upper triangular. All of the type of `a`, in the precision of `working`.

    Notes
    -----
    Recursive (Toledo, "Locality of reference in LU decomposition with partial pivoting", SIAM J. Matrix Anal. Appl. 18,
    1997): nearly all of the work is in products of matrices, and no pivot is ever brought to the host. Pivots are
    chosen as LAPACK does, complex ones by the sum of their parts' magnitudes.
    """
    a = a.astype(working(a))
    n = a.shape[0]
    if not n:
        return a.real.copy(), a.copy(), a.copy()
    packed, order = _factors(a)
    p = (np.arange(n, like=a)[:, None] == order[None, :]).astype(a.real.dtype)
    return p, _unit_lower(packed), np.triu(packed)


def _factors(a: Any) -> tuple[Any, Any]:
    """Factors in one array, (M, N) with M >= N, and where each of its rows was."""
    columns = a.shape[1]
    if columns == 1:
        return _pivoted(a)
    half = columns // 2
    left, order = _factors(a[:, :half])
    right = a[:, half:][order]
    top = solve_triangular(_unit_lower(left[:half]), right[:half], lower=True)
    below, later = _factors(right[half:] - left[half:] @ top)
    left = np.concatenate([left[:half], left[half:][later]])
    order = np.concatenate([order[:half], order[half:][later]])
    return np.concatenate([left, np.concatenate([top, below])], axis=1), order


def _pivoted(column: Any) -> tuple[Any, Any]:
    size = abs(column.real) + abs(column.imag) if column.dtype.kind == "c" else abs(column)
    at = np.argmax(size)
    rows = np.arange(len(column), like=column)
    order = np.where(rows == 0, at, np.where(rows == at, 0, rows))
    column = column[order]
    pivot = column[:1]
    # Where the largest is zero all are: nothing is to be eliminated.
    return np.concatenate([pivot, column[1:] / np.where(pivot == 0, 1, pivot).astype(column.dtype)]), order


def _unit_lower(packed: Any) -> Any:
    rows = np.arange(packed.shape[0], like=packed)
    return np.tril(packed, -1) + (rows[:, None] == rows[None, :]).astype(packed.dtype)
