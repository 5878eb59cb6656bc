"""dask's setting `array.backend` reaches five creation functions; the others go on making NumPy chunks.

>>> with dask.config.set({"array.backend": "cupy"}):
...     da.ones(3), da.eye(3)
(dask.array<ones_like, ..., chunktype=cupy.ndarray>, dask.array<eye, ..., chunktype=numpy.ndarray>)

So do `asarray` and its like with a list of numbers of a device, which NumPy is asked to make an array of.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np
from dask.array.backends import array_creation_dispatch
from dask.base import is_dask_collection

from arrayshim._nested import lifted
from arrayshim.fix import Fix, original
from arrayshim.residency import is_device

FIX = Fix(
    __name__,
    title="array.backend reaches eye, linspace, diag, tri, indices, fromfunction, meshgrid, array, from_array",
    issue="https://github.com/dask/dask/issues/12440",
    affects=">=2025.1",
    array_expr=False,
)

#: Made of host data and then moved, chunk by chunk.
CREATORS = ("eye", "linspace", "diag", "tri", "indices", "fromfunction", "array", "asarray", "asanyarray", "from_array")
#: What says in particular where the result shall be.
PARTICULAR = ("like", "meta")
#: Of lists too, which may hold numbers of a device that no NumPy array can be made of.
OF_LISTS = ("array", "asarray", "asanyarray")
#: With a result for each argument: each argument goes first through the function named here.
EACH = {"meshgrid": "asarray", "atleast_1d": "asanyarray", "atleast_2d": "asanyarray", "atleast_3d": "asanyarray"}


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


def _of_host(x: Any) -> bool:
    """Whether an argument holds nothing that is dask's already and keeps its kind."""
    if isinstance(x, (list, tuple)):
        return all(map(_of_host, x))
    return not (is_dask_collection(x) or hasattr(x, "to_dask_array"))


def _moved(made: Any, backend: str) -> Any:
    """Send host chunks to a backend; in a tuple, as `linspace(retstep=True)` gives, whatever has chunks."""
    if isinstance(made, tuple):
        return tuple(_moved(item, backend) for item in made)
    if is_dask_collection(made) and type(made._meta) is np.ndarray:
        return made.to_backend(backend)
    return made


def _stock(name: str) -> Any:
    """What the public name stands for, at its home inside dask, as other fixes may have mended it there."""
    stock = original(f"dask.array.{name}")
    return getattr(sys.modules[stock.__module__], name, stock)


def _creator(name: str) -> Callable[..., Any]:
    def creator(*args: Any, **kwargs: Any) -> Any:
        made = _made(name, args, kwargs)
        backend = array_creation_dispatch.backend
        if backend == "numpy" or any(kwargs.get(name) is not None for name in PARTICULAR):
            return made
        if kwargs.get("asarray") is False or not _of_host([*args, *kwargs.values()]):
            return made
        return _moved(made, backend)

    return creator


def _made(name: str, args: Any, kwargs: Any) -> Any:
    try:
        return _stock(name)(*args, **kwargs)
    except TypeError:
        together = lifted(args[0]) if name in OF_LISTS and args else None
        if not is_device(together) or together is args[0]:
            raise
    return _stock(name)(together, *args[1:], **kwargs)


def _each(name: str, convert: str) -> Callable[..., Any]:
    def creator(*args: Any, **kwargs: Any) -> Any:
        return _stock(name)(*map(globals()[convert], args), **kwargs)

    return creator


def _bind(name: str, function: Callable[..., Any]) -> None:
    function.__name__ = function.__qualname__ = name
    # Only the public name: inside dask the same function prepares operands, which must follow the data.
    globals()[name] = FIX.replaces(f"dask.array.{name}", everywhere=False)(function)


for _name in CREATORS:
    _bind(_name, _creator(_name))
for _name, _convert in EACH.items():
    _bind(_name, _each(_name, _convert))
