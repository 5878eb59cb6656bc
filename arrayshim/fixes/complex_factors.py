"""`sfqr` and `svd_compressed` transpose factors of complex matrices where they must conjugate them as well.

    >>> x = da.from_array(np.arange(1, 9).reshape(2, 4) * (1 + 1j) ** np.arange(4), chunks=(2, 2))
    >>> q, r = da.linalg.qr(x)
    >>> abs(q.dot(r) - x).max().compute()
    28.8...

The inverse of a unitary matrix is its conjugate transpose. `qr` of a short matrix in several chunks is no
factorisation of it, and a compressed SVD projects on a space that has nothing to do with the matrix. The same numbers
come out for NumPy chunks and for others. The matrix that `svd_compressed` draws describes the work, so it goes where
the data are, whatever the setting `arrayshim.mixed` says of operands.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, original
from arrayshim.residency import follow, is_device

FIX = Fix(
    __name__,
    title="factors of complex matrices are conjugated, and compression follows the data",
    affects=">=2025.1",
    after=("mixed_products",),
    array_expr=False,
    changes_numpy=True,
)

SFQR = "dask.array.linalg.sfqr"
COMPRESS = "dask.array.linalg.compression_matrix"
SVD = "dask.array.linalg.svd_compressed"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    x = da.from_array(np.array([[1.0, 2.0j, 3.0j], [1.0j, 2.0, 3.0]]), chunks=(2, (2, 1)), name=False)
    q, r = da.linalg.sfqr(x)
    found = abs(q.dot(r) - x).max().compute(scheduler="sync")
    return None if found < 1e-12 else f"q r of a complex matrix differs from it by {found:.3g}"


@FIX.replaces(SFQR)
def sfqr(data: Any, name: Any = None) -> Any:
    first = data.chunks[-1][0]
    rows = data.chunks[0]
    if data.dtype.kind != "c" or data.ndim != 2 or len(rows) > 1 or len(data.chunks[1]) == 1 or rows[0] > first:
        return original(SFQR)(data, name)
    from dask.array.core import concatenate

    q, r = original(SFQR)(data[:, :first], name)
    return q, concatenate([r, q.T.conj().dot(data[:, first:])], axis=1)


@FIX.replaces(COMPRESS)
def compression_matrix(
    data: Any,
    q: Any,
    iterator: str = "power",
    n_power_iter: int = 0,
    n_oversamples: int = 10,
    seed: Any = None,
    compute: bool = False,
) -> Any:
    if is_device(data):
        seed = _beside(seed, data)
    if data.dtype.kind != "c":
        return original(COMPRESS)(data, q, iterator, n_power_iter, n_oversamples, seed, compute)
    # Without iterations stock code finds a basis of the range, which it then transposes. An iteration that begins with
    # an orthonormal basis spans what one of the drawn matrix spans, and loses less.
    basis = original(COMPRESS)(data, q, iterator, 0, n_oversamples, seed, compute).T
    for step in range(n_power_iter):
        basis = _held(data.T.conj().dot(basis), compute)
        if iterator == "QR":
            basis = _held(_orthonormal(basis), compute)
        basis = data.dot(basis)
        if iterator == "QR" or step == n_power_iter - 1:
            basis = _held(_orthonormal(basis), compute)
    return basis.T.conj()


@FIX.replaces(SVD)
def svd_compressed(
    a: Any,
    k: int,
    iterator: str = "power",
    n_power_iter: int = 0,
    n_oversamples: int = 10,
    seed: Any = None,
    compute: bool = False,
    coerce_signs: bool = True,
) -> Any:
    if a.dtype.kind != "c":
        return original(SVD)(a, k, iterator, n_power_iter, n_oversamples, seed, compute, coerce_signs)
    from dask.array.linalg import tsqr
    from dask.array.utils import svd_flip

    compression = _held(compression_matrix(a, k, iterator, n_power_iter, n_oversamples, seed, compute), compute)
    v, s, u = tsqr(compression.dot(a).T, compute_svd=True)
    u, s, v = compression.T.conj().dot(u.T)[:, :k], s[:k], v.T[:k]
    if coerce_signs:
        u, v = svd_flip(u, v)
    return u, s, v


def _orthonormal(basis: Any) -> Any:
    from dask.array.linalg import tsqr

    return tsqr(basis)[0]


def _held(x: Any, compute: bool) -> Any:
    """`x`, computed now where the caller would have data read once per use."""
    if compute:
        from dask.base import wait

        x = x.persist()
        wait(x)
    return x


def _beside(seed: Any, data: Any) -> Any:
    """A state that draws as `seed` does for NumPy, and puts what it draws beside the data."""
    from dask.array.random import RandomState, default_rng

    state = seed if isinstance(seed, RandomState) else default_rng(seed)

    class Beside(RandomState):  # type: ignore[misc]
        def __init__(self) -> None:
            pass

        def standard_normal(self, *args: Any, **kwargs: Any) -> Any:
            return follow(state.standard_normal(*args, **kwargs), data, "compression_matrix")

    return Beside()
