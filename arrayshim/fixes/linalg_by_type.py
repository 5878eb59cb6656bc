"""`da.linalg` factors and solves its blocks by SciPy, or by the CuPy it knows by name; `lu` by SciPy alone.

    >>> x = da.from_array(cupy.eye(4), chunks=2)
    >>> da.linalg.lu(x)[2].compute()
    TypeError: Implicit conversion to a NumPy array is not allowed.

With it fail `solve` and `inv`, and for every device type but CuPy `solve_triangular`, `cholesky` and `lstsq`. Here the
type of the block decides, and what no other function does is done by the library's own `linalg.solve`. The zeros beside
the diagonal are of the type and precision of the blocks on it.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arrayshim import kernels, meta
from arrayshim._moves import Meeting, Promised
from arrayshim.errors import UnsupportedError
from arrayshim.fix import Fix, original
from arrayshim.residency import devices_seen

FIX = Fix(
    __name__,
    title="blocks are factored by the library of their type",
    affects=">=2025.1",
    array_expr=False,
)

SAFE = "dask.array.utils.scipy_linalg_safe"
UPPER = "dask.array.utils.solve_triangular_safe"
LOWER = "dask.array.linalg._solve_triangular_lower"
LU = "dask.array.linalg.lu"


@FIX.probe
def faulty() -> str | None:
    from dask.array.linalg import lu

    from arrayshim.probes import dask_array

    try:
        found = lu(dask_array([[2.0, 1.0], [1.0, 3.0]], chunks=1))[2].compute(scheduler="sync")
    except TypeError as error:
        return f"lu of device chunks: TypeError: {error}"
    return None if found.tolist() == [[2.0, 1.0], [0.0, 2.5]] else f"the upper factor is {found.tolist()}"


def _by_scipy(name: str) -> Any:
    def kernel(*args: Any, **kwargs: Any) -> Any:
        return original(SAFE)(name, *args, **kwargs)

    return kernel


for _name in ("solve_triangular", "lu"):
    kernels.TABLES[_name].add(np.ndarray, _by_scipy(_name))


@FIX.replaces(SAFE)
def scipy_linalg_safe(func_name: str, *args: Any, **kwargs: Any) -> Any:
    return Meeting(partial(_by_library, func_name), func_name)(*args, **kwargs)


def _by_library(func_name: str, a: Any, *args: Any, **kwargs: Any) -> Any:
    args = a, *args
    if not meta.knows_itself(a):
        return original(SAFE)(func_name, *args, **kwargs)
    if func_name not in ("solve_triangular", "lu"):
        try:
            return original(SAFE)(func_name, *args, **kwargs)
        except TypeError as error:
            raise UnsupportedError(
                f"scipy.linalg.{func_name} on chunks of type {type(a).__name__}: SciPy takes only host arrays; "
                'bring them there with to_backend("numpy"), or use the function of their library in map_blocks'
            ) from error
    return kernels.TABLES[func_name](*args, **kwargs)


@FIX.replaces(UPPER)
def solve_triangular_safe(a: Any, b: Any, lower: bool = False) -> Any:
    return scipy_linalg_safe("solve_triangular", a, b, lower=lower)


@FIX.replaces(LOWER)
def _solve_triangular_lower(a: Any, b: Any) -> Any:
    return scipy_linalg_safe("solve_triangular", a, b, lower=True)


@FIX.replaces(LU)
def lu(a: Any) -> Any:
    stock = original(LU)(a)
    of_host = not meta.knows_itself(a)
    if of_host and not devices_seen():
        return stock
    from dask.array.core import Array
    from dask.highlevelgraph import HighLevelGraph

    # Of host chunks the tasks are dask's, and say so of a chunk that is none. For `false_metas`.
    mended = _meeting if of_host else _by_type
    layer = {key: mended(key, task) for key, task in stock[0].dask.layers[stock[0].name].items()}
    factors = [x._meta for x in stock] if of_host else factor_block(np.ones_like(meta.like(a), shape=(1, 1)))
    return tuple(
        Array(
            HighLevelGraph.from_collections(x.name, layer, dependencies=[a]),
            x.name,
            chunks=x.chunks,
            meta=meta.like(factor),
        )
        for x, factor in zip(stock, factors, strict=True)
    )


def factor_block(block: Any) -> Any:
    return scipy_linalg_safe("lu", block)


def zeros_beside(block: Any, shape: tuple[int, int]) -> Any:
    return np.zeros_like(block, shape=shape)


def _by_type(key: tuple[Any, ...], task: Any) -> Any:
    if type(task) is not tuple or not callable(task[0]):
        return task
    if task[0] is np.zeros:
        name, i, _ = key
        return zeros_beside, (name, i, i), task[1]
    return _meeting(key, (factor_block, *task[1:]) if _factors(task[0]) else task)


def _factors(function: Any) -> bool:
    return getattr(function, "__name__", "") == "lu"


def _meeting(key: Any, task: Any) -> Any:
    """A task whose functions, and those of what it is given, name the operation where its chunks cannot meet."""
    if type(task) is not tuple or not callable(task[0]):
        return task
    kind = Promised if _factors(task[0]) else Meeting
    return kind(task[0], "lu"), *(_meeting(key, argument) for argument in task[1:])
