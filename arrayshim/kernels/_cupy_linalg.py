"""Rows of CuPy for triangular systems and LU: cuBLAS and cuSOLVER, by ``cupyx.scipy.linalg``."""

from __future__ import annotations

from typing import Any

import cupy

from arrayshim import kernels
from arrayshim.kernels.factors import working


def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
    """:func:`arrayshim.kernels.factors.solve_triangular` by cuBLAS.

    cupyx takes the dtype of `a` for both: single precision from a double right-hand side, a real part of a complex one.
    """
    from cupyx.scipy import linalg

    dtype = working(a, b)
    return linalg.solve_triangular(a.astype(dtype, copy=False), b.astype(dtype, copy=False), lower=lower)


def lu(a: Any) -> Any:
    """:func:`arrayshim.kernels.factors.lu` by cuSOLVER."""
    from cupyx.scipy import linalg

    if not a.size:
        return kernels.factors.lu(a)
    return linalg.lu(a.astype(working(a), copy=False))


for _func in (solve_triangular, lu):
    kernels.TABLES[_func.__name__].add(cupy.ndarray, _func)
