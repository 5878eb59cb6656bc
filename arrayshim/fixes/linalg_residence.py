"""`da.linalg.inv` solves with an identity matrix of NumPy's, and `solve`, `solve_triangular` and `lstsq` hand a
right-hand side in host memory to the blocks of a device.

    >>> x = da.from_array(cupy.eye(4), chunks=2)
    >>> da.linalg.inv(x)
    LinAlgError: cupy.linalg only supports cupy.ndarray

The identity is made beside the matrix; both sides of a system meet as other operands do. The rank that `lstsq` returns
is what the library of the chunks makes of it, and its meta says so.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import meta
from arrayshim.fix import Fix, original
from arrayshim.residency import is_device, together

FIX = Fix(
    __name__,
    title="both sides of a linear system are in one place",
    affects=">=2025.1",
    after=("linalg_by_type", "mixed_products"),
    array_expr=False,
)

TRIANGULAR = "dask.array.linalg.solve_triangular"
SOLVE = "dask.array.linalg.solve"
INV = "dask.array.linalg.inv"
LSTSQ = "dask.array.linalg.lstsq"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import dask_array

    right = da.from_array(np.array([2.0, 4.0]), chunks=2, name=False)
    try:
        found = da.linalg.solve_triangular(dask_array([[2.0, 0.0], [0.0, 4.0]]), right).compute(scheduler="sync")
    except (TypeError, np.linalg.LinAlgError) as error:
        return f"a device matrix and a host right-hand side: {type(error).__name__}: {error}"
    return None if found.tolist() == [1.0, 1.0] else f"diag(2, 4) x = (2, 4) is solved by {found.tolist()}"


@FIX.replaces(TRIANGULAR)
def solve_triangular(a: Any, b: Any, lower: bool = False) -> Any:
    a, b = together([a, b], "solve_triangular")
    return original(TRIANGULAR)(a, b, lower)


@FIX.replaces(SOLVE)
def solve(a: Any, b: Any, sym_pos: Any = None, assume_a: str = "gen") -> Any:
    a, b = together([a, b], "solve")
    if meta.knows_itself(a) and getattr(a, "ndim", 0) == 2 and getattr(b, "ndim", 0) in (1, 2):
        from dask.array.core import unify_chunks

        # What does not fit is refused as by dask, before the matrix is factored, which some libraries cannot.
        unify_chunks(a, "ij", b, "jk"[: b.ndim])
    return original(SOLVE)(a, b, sym_pos, assume_a)


@FIX.replaces(INV)
def inv(a: Any) -> Any:
    if not is_device(a):
        return original(INV)(a)
    from arrayshim import creation

    return solve(a, creation.eye(a.shape[0], chunks=a.chunks[0][0], like=a))


@FIX.replaces(LSTSQ)
def lstsq(a: Any, b: Any) -> Any:
    a, b = together([a, b], "lstsq")
    x, residuals, rank, s = original(LSTSQ)(a, b)
    if meta.knows_itself(a):
        rank._meta = meta.like(np.linalg.matrix_rank(np.ones_like(meta.like(a), shape=(1, 1))))
    return x, residuals, rank, s
