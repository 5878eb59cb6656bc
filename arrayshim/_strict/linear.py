"""``cupy.linalg`` and ``cupy.fft`` on host values: their types, and no error for a matrix that is singular."""

from __future__ import annotations

import warnings
from typing import Any

import numpy

np: Any = numpy

LinAlgError = np.linalg.LinAlgError


def _working(*arrays: Any) -> numpy.dtype[Any]:
    if any(a.dtype == np.float16 for a in arrays):
        raise TypeError("float16 is unsupported in linalg")
    found: numpy.dtype[Any] = np.result_type(*(a.dtype if a.dtype.kind in "fc" else np.float64 for a in arrays))
    return found


def _stacked(a: Any) -> None:
    if a.ndim < 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
    if a.shape[-2] != a.shape[-1]:
        raise LinAlgError("Last 2 dimensions of the array must be square")


def _quiet(name: str, shape: Any) -> Any:
    """A decomposition whose failure CuPy does not report: the result is then undefined, here NaN."""

    def compute(a: Any, **options: Any) -> Any:
        _stacked(a)
        a = a.astype(_working(a))
        try:
            return getattr(np.linalg, name)(a, **options)
        except LinAlgError:
            return np.full(shape(a), np.nan, a.dtype)

    return compute


inv = _quiet("inv", lambda a: a.shape)
cholesky = _quiet("cholesky", lambda a: a.shape)
det = _quiet("det", lambda a: a.shape[:-2])


def slogdet(a: Any) -> Any:
    """``cupy.linalg.slogdet``."""
    _stacked(a)
    return tuple(np.linalg.slogdet(a.astype(_working(a))))


def solve(a: Any, b: Any) -> Any:
    """``cupy.linalg.solve``: no broadcasting of stacks."""
    _stacked(a)
    if b.ndim == 0:
        raise ValueError("b must have at least one dimension")
    if b.ndim == 1:
        if a.shape[-1] != b.size:
            raise ValueError("a must have (..., M, M) shape and b must have (M,) for one-dimensional b")
    elif a.shape[:-1] != b.shape[:-1]:
        raise ValueError("a must have (..., M, M) shape and b must have (..., M, K) for multidimensional b")
    dtype = _working(a, b)
    try:
        return np.linalg.solve(a.astype(dtype), b.astype(dtype))
    except LinAlgError:
        return np.full(b.shape, np.nan, dtype)


def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """``cupy.linalg.svd``."""
    if a.ndim < 2:
        raise ValueError(f"{a.ndim}-dimensional array found: two dimensions or more were expected -> reshape it")
    found = np.linalg.svd(a.astype(_working(a)), full_matrices, compute_uv)
    return tuple(found) if compute_uv else found


def qr(a: Any, mode: str = "reduced") -> Any:
    """``cupy.linalg.qr``."""
    if mode not in ("reduced", "complete", "r", "raw"):
        raise ValueError(f"Unrecognized mode '{mode}'")
    if a.ndim < 2:
        raise ValueError(f"{a.ndim}-dimensional array found: two dimensions or more were expected -> reshape it")
    found = np.linalg.qr(a.astype(_working(a)), mode)
    return found if mode == "r" else tuple(found)


def lstsq(a: Any, b: Any, rcond: Any = None) -> Any:
    """``cupy.linalg.lstsq``: the rank is an int32 array."""
    if a.ndim != 2:
        raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be two-dimensional")
    if a.shape[0] != b.shape[0]:
        raise LinAlgError("Incompatible dimensions")
    x, residuals, rank, s = np.linalg.lstsq(a.astype(_working(a)), b.astype(_working(b)), rcond)
    return x, residuals, np.array(rank, np.int32), s


def _hermitian(name: str) -> Any:
    def compute(a: Any, UPLO: str = "L") -> Any:
        if a.ndim < 2:
            raise LinAlgError(f"{a.ndim}-dimensional array given. Array must be at least two-dimensional")
        if UPLO not in ("L", "U"):
            raise ValueError("UPLO argument must be 'L' or 'U'")
        found = getattr(np.linalg, name)(a.astype(_working(a)), UPLO)
        return tuple(found) if isinstance(found, tuple) else found

    return compute


eigh = _hermitian("eigh")
eigvalsh = _hermitian("eigvalsh")


def norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:
    """``cupy.linalg.norm``."""
    if x.dtype.kind not in "fc":
        x = x.astype(float)
    return np.linalg.norm(x, ord, axis, keepdims)


def pinv(a: Any, rcond: Any = 1e-15) -> Any:
    """``cupy.linalg.pinv``."""
    return np.linalg.pinv(a.astype(_working(a)), rcond)


def _complex(dtype: numpy.dtype[Any]) -> numpy.dtype[Any]:
    found: numpy.dtype[Any] = np.dtype(np.complex64 if dtype.char in "efF" else np.complex128)
    return found


def _transform(name: str, *, several: bool, real_input: bool, real_output: bool) -> Any:
    """One function of ``cupy.fft``: single precision in, single precision out."""

    def compute(a: Any, *args: Any, **kwargs: Any) -> Any:
        if real_input and a.dtype.kind == "c":
            warnings.warn(
                "Casting complex values to real discards the imaginary part",
                np.exceptions.ComplexWarning,
                stacklevel=4,
            )
            a = a.real
        final = _complex(a.dtype)
        final = np.dtype(final.char.lower()) if real_output else final
        given = dict(zip(("s", "axes", "norm") if several else ("n", "axis", "norm"), args, strict=False)) | kwargs
        if several and given.get("axes") and not all(-a.ndim <= axis < a.ndim for axis in given["axes"]):
            raise ValueError("The specified axes exceed the array dimensions.")
        if several and given.get("s") is not None and given.get("axes", 0) is None:
            given["axes"] = tuple(range(-len(given["s"]), 0))  # NumPy deprecates leaving it out
        # Along one axis CuPy casts what is real to NumPy's precision, which is half for halves.
        axes = given.get("axes", (-2, -1) if name.endswith("2") else None) if several else (0,)
        if real_output and axes is not None and len(axes) == 1:
            final = np.result_type(a.real.dtype, 1.0)
        return np.asarray(getattr(np.fft, name)(a, **given)).astype(final, copy=False)

    return compute


_REAL_INPUT = ("rfft", "rfft2", "rfftn", "ihfft")
_REAL_OUTPUT = ("irfft", "irfft2", "irfftn", "hfft")
_FFT = ("fft", "ifft", "fft2", "ifft2", "fftn", "ifftn", *_REAL_INPUT, *_REAL_OUTPUT)

LINEAR: dict[str, Any] = {
    "linalg.cholesky": cholesky,
    "linalg.det": det,
    "linalg.eigh": eigh,
    "linalg.eigvalsh": eigvalsh,
    "linalg.inv": inv,
    "linalg.lstsq": lstsq,
    "linalg.norm": norm,
    "linalg.pinv": pinv,
    "linalg.qr": qr,
    "linalg.slogdet": slogdet,
    "linalg.solve": solve,
    "linalg.svd": svd,
    **{
        f"fft.{name}": _transform(
            name, several=name[-1] in "2n", real_input=name in _REAL_INPUT, real_output=name in _REAL_OUTPUT
        )
        for name in _FFT
    },
}
"""What is computed otherwise than by NumPy's function of that name."""
