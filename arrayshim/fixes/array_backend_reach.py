"""dask's setting `array.backend` reaches five creation functions; the others go on making NumPy chunks.

    >>> with dask.config.set({"array.backend": "cupy"}):
    ...     da.ones(3), da.eye(3)
    (dask.array<ones_like, ..., chunktype=cupy.ndarray>, dask.array<eye, ..., chunktype=numpy.ndarray>)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dask.array.backends import array_creation_dispatch
from dask.base import is_dask_collection

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="array.backend reaches eye, linspace, diag, tri, indices, fromfunction, meshgrid, array, asarray, asanyarray",
    affects=">=2025.1",
    array_expr=False,
)

CREATORS = (
    "eye",
    "linspace",
    "diag",
    "tri",
    "indices",
    "fromfunction",
    "meshgrid",
    "array",
    "asarray",
    "asanyarray",
)


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim.probes import array_backend
    from arrayshim.strict import StrictArray

    with array_backend():
        missed = [
            name
            for name, made in (("eye", da.eye(2)), ("linspace", da.linspace(0, 1, 3)), ("asarray", da.asarray([1, 2])))
            if type(made._meta) is not StrictArray
        ]
    return f"NumPy chunks in spite of array.backend: {', '.join(missed)}" if missed else None


def _moved(made: Any) -> Any:
    """Send host chunks to the backend of the setting; a list of arrays, as `meshgrid` gives, item by item."""
    if isinstance(made, (list, tuple)):
        return type(made)(map(_moved, made))
    return made.to_backend(array_creation_dispatch.backend) if type(made._meta) is np.ndarray else made


def _reaching(name: str) -> Callable[..., Any]:
    target = f"dask.array.{name}"

    def creator(*args: Any, **kwargs: Any) -> Any:
        made = original(target)(*args, **kwargs)
        # What is dask's already keeps its kind, and `like=` is the more particular wish.
        if array_creation_dispatch.backend == "numpy" or kwargs.get("like") is not None:
            return made
        return made if any(map(is_dask_collection, args)) else _moved(made)

    creator.__name__ = creator.__qualname__ = name
    return creator


for _name in CREATORS:
    # Only the public names: inside dask, the same functions prepare operands, which must follow the data.
    globals()[_name] = FIX.replaces(f"dask.array.{_name}", everywhere=False)(_reaching(_name))
