"""A library's generator has some distributions only, takes parameters of its own arrays only, and looks at none.

    >>> da.random.default_rng(cupy.random.default_rng(1)).normal(size=3)
    AttributeError: 'Generator' object has no attribute 'normal'
    >>> rng = da.random.RandomState(1, RandomState=cupy.random.RandomState)
    >>> rng.normal(0, -1, size=3).compute()      # NumPy: ValueError: scale < 0
    >>> da.random.normal(cupy_array, 1.0)
    TypeError: Implicit conversion to a NumPy array is not allowed.

What a generator lacks is drawn with what it has (:mod:`arrayshim.kernels.samplers`); parameters in host memory go to
it; NumPy looks at them while the graph is built; and the module's functions, which are NumPy's, leave parameters on a
device to the library of these.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.fix import Fix, locate, original

FIX = Fix(
    __name__,
    title="every distribution and choice on a device, with parameters from host memory, looked at as NumPy does",
    affects=">=2025.1",
    after=("random_parameters",),
    array_expr=False,
    forwarded="not-needed",
    reason="what the generator of a library of arrays lacks is the business of that library, not of dask",
)

FUNC = "dask.array.random._apply_random_func"
STATE = "dask.array.random._apply_random"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    from arrayshim import strict

    rng = da.random.Generator(strict.XORWOW(1))
    try:
        rng.normal(size=3)
    except AttributeError as error:
        return f"a distribution that a library's generator lacks: {error}"
    return None


@FIX.replaces(FUNC)
def _apply_random_func(rng: Any, funcname: str, bitgen: Any, size: Any, args: Any, kwargs: Any) -> Any:
    from arrayshim.random._makers import opened

    made = rng(bitgen) if isinstance(bitgen, np.random.SeedSequence) else bitgen
    if isinstance(made, np.random.BitGenerator):
        return original(FUNC)(rng, funcname, bitgen, size, args, kwargs)
    return _drawn(opened(made), funcname, size, args, kwargs)


@FIX.replaces(STATE)
def _apply_random(RandomState: Any, funcname: str, state_data: Any, size: Any, args: Any, kwargs: Any) -> Any:
    from arrayshim.random._makers import Maker

    maker = Maker(RandomState, lends=True)
    if RandomState is None or maker.numpys or maker.on_host:
        return original(STATE)(RandomState, funcname, state_data, size, args, kwargs)
    return _drawn(maker(state_data), funcname, size, args, kwargs)


def lent() -> bool:
    """Whether this repair is applied, for graphs of arrayshim's own."""
    return locate(STATE).value is _apply_random


def _drawn(rng: Any, name: str, size: Any, args: Any, kwargs: Any) -> Any:
    """Numbers of one chunk, its parameters beside them."""
    from arrayshim.kernels import samplers
    from arrayshim.kernels.source import Source
    from arrayshim.random._drawn import beside

    if any(isinstance(x, np.ndarray) for x in args):
        args = beside(args, Source(rng).uniform((0,)), name)
    return samplers.draw(rng, name, size, args, **kwargs)
