"""CuPy's products of arrays and the covariance, on host values."""

from __future__ import annotations

import warnings
from typing import Any

import numpy

from .reduce import finish

np: Any = numpy


def dot(a: Any, b: Any, out: Any = None) -> Any:
    """``cupy.dot``."""
    result = np.dot(a, b)
    if out is not None and out.dtype != np.asarray(result).dtype:
        raise ValueError("Not supported dtype combination.")
    return finish(result, out)


def outer(a: Any, b: Any, out: Any = None) -> Any:
    """``cupy.outer``."""
    return finish(np.outer(a, b), out)


def vdot(a: Any, b: Any) -> Any:
    """``cupy.vdot``."""
    if a.size != b.size:
        raise ValueError("Axis dimension mismatch")
    return np.vdot(a, b)


def einsum(*operands: Any, dtype: Any = None, optimize: Any = False, **kwargs: Any) -> Any:
    """``cupy.einsum``: operands may be host arrays."""
    if kwargs:
        raise TypeError(f"Did not understand the following kwargs: {list(kwargs)}")
    return np.einsum(*operands, dtype=dtype, optimize=optimize, casting="unsafe" if dtype is not None else "safe")


def matmul(
    a: Any,
    b: Any,
    *,
    axes: Any = None,
    axis: Any = None,
    keepdims: bool = False,
    casting: str = "same_kind",
    dtype: Any = None,
    signature: Any = None,
    order: str = "K",
    out: Any = None,
) -> Any:
    """``cupy.matmul``."""
    if a.ndim == 0 or b.ndim == 0:
        raise ValueError("Scalar operands are not allowed, use '*' instead")
    options = {} if axes is None else {"axes": axes}
    result = np.matmul(a, b, casting=casting, dtype=dtype, **options)
    return finish(result, out)


def matrix_rank(M: Any, tol: Any = None) -> Any:
    """``cupy.linalg.matrix_rank``."""
    return np.asarray(np.linalg.matrix_rank(M, tol)).astype(np.int64)


def cov(
    a: Any,
    y: Any = None,
    rowvar: bool = True,
    bias: bool = False,
    ddof: int | None = None,
    fweights: Any = None,
    aweights: Any = None,
    *,
    dtype: Any = None,
) -> Any:
    """``cupy.cov``; with weights it still takes off the unweighted mean, where NumPy takes the weighted one."""
    if fweights is None and aweights is None:
        return np.cov(a, y, rowvar, bias, ddof, dtype=dtype)
    if fweights is not None and fweights.dtype.kind not in "iu":
        raise TypeError("fweights must be integer")
    joined = [v for v in (a, y) if v is not None]
    dtype = np.result_type(*(v.dtype for v in joined), np.float64) if dtype is None else dtype
    rows = [np.array(v, ndmin=2, dtype=dtype) for v in joined]
    x = np.concatenate([r if rowvar or len(r) == 1 else r.T for r in rows])
    for weights in (fweights, aweights):
        if weights is not None and weights.shape != x.shape[1:]:
            raise RuntimeError("incompatible numbers of samples and weights")
    w = np.ones(x.shape[1])
    for weights in (fweights, aweights):
        w = w if weights is None else w * weights
    ddof, total = (0 if bias else 1) if ddof is None else ddof, w.sum()
    factor = total - (ddof if aweights is None or ddof == 0 else ddof * (w * aweights).sum() / total)
    if factor <= 0:
        warnings.warn("Degrees of freedom <= 0 for slice", RuntimeWarning, stacklevel=2)
        factor = 0.0
    x = x - x.mean(axis=1, keepdims=True)
    return np.asarray(x @ (x * w).T.conj() / factor).squeeze()
