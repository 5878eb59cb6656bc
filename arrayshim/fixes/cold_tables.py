"""Five dispatch tables have no lazy CuPy hook, so the first chunk that reaches one of them meets NumPy, or nothing.

    >>> einsum_lookup.dispatch(cupy.ndarray)          # in a worker that has not concatenated anything yet
    <function numpy.einsum>
    >>> percentile_lookup.dispatch(cupy.ndarray)
    TypeError: No dispatch for <class 'cupy.ndarray'>

`register_cupy` fills nine tables and hangs on six; percentile, einsum, empty, divide and to_cupy are filled only once
one of the others has seen a CuPy chunk.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import kernels, tables
from arrayshim._moves import Meeting
from arrayshim.fix import Fix, original
from arrayshim.kernels import generic
from arrayshim.meta import knows_itself

FIX = Fix(
    __name__,
    title="CuPy chunks find percentile, einsum, empty, divide and to_cupy in a fresh process",
    affects=">=2025.1",
)

CHUNK_EINSUM = "dask.array.einsumfuncs.chunk_einsum"
COLD = ("percentile", "einsum", "empty", "divide")

FIX.hang("cupy", *COLD)
# The chunks that go to CuPy are NumPy's: theirs is the module that must set the hook off.
FIX.hang("cupy", "to_cupy", on="numpy")
FIX.registers("divide", "cupy.ndarray")(kernels.divide)


def _warm(name: str, library: str) -> bool:
    table = tables.get(name)
    fallback = table._lookup.get(object)
    return library in table._lazy or any(
        cls.__module__.partition(".")[0] == library and function is not fallback
        for cls, function in table._lookup.items()
    )


@FIX.probe
def faulty() -> str | None:
    cold = [name for name in COLD if not _warm(name, "cupy")]
    if np.ndarray not in tables.get("to_cupy")._lookup and "numpy" not in tables.get("to_cupy")._lazy:
        cold.append("to_cupy")
    return f"no lazy CuPy hook on: {', '.join(cold)}" if cold else None


# The two that consult a cold table in a task. Ours go to the worker by name and look at the worker's table; a
# `Dispatch` in a graph travels by value, as cold as it was on the client.
@FIX.replaces(CHUNK_EINSUM)
def chunk_einsum(*operands: Any, **kwargs: Any) -> Any:
    stock = original(CHUNK_EINSUM)
    if not knows_itself(operands[0]):
        return stock(*operands, **kwargs)
    # For `einsum_casting`: a target is replaced once, and dask's row for CuPy forgets the rule that was asked for.
    casting, order = kwargs.pop("casting", "safe"), kwargs.pop("order", "K")
    dtype = kwargs["kernel_dtype"]
    if dtype is None and casting != "safe":
        dtype = np.result_type(*(operand.dtype for operand in operands))
    if dtype is not None:
        operands = generic.cast_operands(operands, dtype, casting)
    if order == "K":
        return stock(*operands, **kwargs)
    try:
        return stock(*operands, order=order, **kwargs)
    except TypeError:
        # A layout that the library cannot choose: dask leaves it out for CuPy, and the values are the same.
        return stock(*operands, **kwargs)


# Before 2025.10 the name is local to `percentile`.
@FIX.replaces("dask.array.percentile.percentile_lookup", dask=">=2025.10", everywhere=False)
def percentile_chunk(a: Any, q: Any, method: str = "linear") -> Any:
    return Meeting(tables.get("percentile"), "percentile")(a, q, method)


for _name in ("register", "register_lazy", "dispatch"):
    # Who imports the table from here goes on registering with the table.
    setattr(percentile_chunk, _name, getattr(tables.get("percentile"), _name))
