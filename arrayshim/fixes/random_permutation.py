"""`permutation` of a number gives NumPy chunks whatever draws it, and a CuPy generator permutes nothing.

    >>> da.random.RandomState(1, RandomState=cupy.random.RandomState).permutation(9).compute()   # a numpy.ndarray
    >>> da.random.default_rng(cupy.random.default_rng(1)).permutation(9)
    NotImplementedError: `Generator.permutation` not supported for cupy-backed Generator objects.

The numbers below n are drawn where they shall be. An array is put in an order that is part of its graph, as it was.
"""

from __future__ import annotations

import operator
from numbers import Number
from typing import Any

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="permutation is drawn by the generator it was asked of",
    affects=">=2025.1",
    after=("random_choice",),
    array_expr=False,
)

STATE = "dask.array.random.RandomState.permutation"
GENERATOR = "dask.array.random.Generator.permutation"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim import strict

    drawn = da.random.RandomState(1, RandomState=strict.RandomState).permutation(3)
    kind = type(drawn._meta)
    return None if kind is strict.StrictArray else f"a RandomState of StrictArrays permutes a {kind.__name__}"


def _lazy(x: Any) -> Any:
    from dask.array.core import Array, asarray, from_array

    from arrayshim.residency import is_device

    if isinstance(x, Array):
        return x
    return from_array(x, chunks=x.shape, asarray=False) if is_device(x) else asarray(x)


def _number(x: Any) -> int | None:
    """The number whose predecessors are to be permuted, as dask tells it from data."""
    return operator.index(x) if isinstance(x, Number) else None  # type: ignore[arg-type]


@FIX.replaces(STATE)
def state_permutation(self: Any, x: Any) -> Any:
    from arrayshim.random._chosen import permuted
    from arrayshim.random._makers import maker_of

    maker = maker_of(self)
    if maker.numpys or maker.on_host:
        return original(STATE)(self, x if isinstance(x, Number) else _lazy(x))
    n = _number(x)
    return original(STATE)(self, _lazy(x)) if n is None else permuted(self, maker, n)


@FIX.replaces(GENERATOR)
def generator_permutation(self: Any, x: Any) -> Any:
    from arrayshim.random._chosen import permuted, shuffled
    from arrayshim.random._makers import maker_of

    maker = maker_of(self)
    if maker.numpys or maker.on_host or not maker.lends:
        return original(GENERATOR)(self, x if isinstance(x, Number) else _lazy(x))
    n = _number(x)
    return shuffled(self, _lazy(x)) if n is None else permuted(self, maker, n)
