"""`choice` of a RandomState draws with the backend that dask is configured for, that of a CuPy generator not at all.

>>> rng = da.random.RandomState(1, RandomState=cupy.random.RandomState)
>>> rng.choice(9, size=4).compute()          # a numpy.ndarray
>>> rng.choice(da.from_array(cupy.arange(9.0)), size=4).compute()
TypeError: Implicit conversion to a NumPy array is not allowed.
>>> da.random.default_rng(cupy.random.default_rng(1)).choice(9, size=4)
NotImplementedError: `choice` not supported for cupy-backed `Generator`.
"""

from __future__ import annotations

from typing import Any

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="choice is drawn by the generator it was asked of, from data anywhere",
    affects=">=2025.1",
    after=("random_parameters",),
    array_expr=False,
)

STATE = "dask.array.random.RandomState.choice"
GENERATOR = "dask.array.random.Generator.choice"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim import strict

    drawn = da.random.RandomState(1, RandomState=strict.RandomState).choice(9, size=2)
    kind = type(drawn.compute(scheduler="sync"))
    return None if kind is strict.StrictArray else f"a RandomState of StrictArrays chooses a {kind.__name__}"


@FIX.replaces(STATE)
def state_choice(self: Any, a: Any, size: Any = None, replace: bool = True, p: Any = None, chunks: Any = "auto") -> Any:
    from arrayshim.random._chosen import chosen
    from arrayshim.random._makers import maker_of

    maker = maker_of(self, (a, p))
    if maker.numpys:
        return original(STATE)(self, a, size=size, replace=replace, p=p, chunks=chunks)
    return chosen(self, maker, a, size, replace, p, 0, True, chunks)


@FIX.replaces(GENERATOR)
def generator_choice(
    self: Any,
    a: Any,
    size: Any = None,
    replace: bool = True,
    p: Any = None,
    axis: int = 0,
    shuffle: bool = True,
    chunks: Any = "auto",
) -> Any:
    from arrayshim.random._chosen import chosen
    from arrayshim.random._makers import maker_of

    maker = maker_of(self, (a, p))
    if maker.numpys:
        return original(GENERATOR)(self, a, size=size, replace=replace, p=p, axis=axis, shuffle=shuffle, chunks=chunks)
    return chosen(self, maker, a, size, replace, p, axis, shuffle, chunks)
