"""Seeds that NumPy's RandomState does not take, and bit generators of other libraries, start no generator of dask.

    >>> da.random.RandomState(np.array([1, 2], dtype="u8"))
    TypeError: Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'
    >>> da.random.RandomState(cupy.array([1, 2]))
    TypeError: Implicit conversion to a NumPy array is not allowed.
    >>> da.random.default_rng(cupy.random.XORWOW(1))
    TypeError: ...

And the name of a generator of dask over CuPy's bits, which do not pickle, is a new one each time.
What is on a device comes home, once, and is counted.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="seeds of every kind, bit generators of every library, and their names",
    affects=">=2025.1",
    array_expr=False,
)

STATE = "dask.array.random.RandomState.__init__"
SEED = "dask.array.random.RandomState.seed"
DEFAULT = "dask.array.random.default_rng"
GENERATOR = "dask.array.random.Generator.__init__"


@FIX.probe
def faulty() -> str | None:
    import dask.array as da

    try:
        da.random.RandomState(np.array([1, 2], dtype=np.uint64))
    except TypeError as error:
        return f"a seed of dtype uint64: TypeError: {error}"
    return None


@FIX.replaces(STATE)
def state_init(self: Any, seed: Any = None, RandomState: Any = None) -> None:
    from arrayshim.random._seeds import legacy_as_dask

    original(STATE)(self, legacy_as_dask(seed), RandomState=RandomState)


@FIX.replaces(SEED)
def state_seed(self: Any, seed: Any = None) -> None:
    from arrayshim.random._seeds import legacy_as_dask

    original(SEED)(self, legacy_as_dask(seed))


@FIX.replaces(DEFAULT)
def default_rng(seed: Any = None) -> Any:
    from dask.array.random import Generator

    from arrayshim.random._seeds import is_bits, seed_sequence
    from arrayshim.residency import is_device

    if is_bits(seed):
        return Generator(seed)
    # NumPy asks an array without axes for its length.
    unsized = isinstance(seed, np.ndarray) and not seed.ndim
    return original(DEFAULT)(seed_sequence(seed) if unsized or is_device(seed) else seed)


def named(bits: Any) -> tuple[Any, ...]:
    """The name of a generator: the type and seed of its bits, and how often it has been spawned from."""
    from dask.utils import typename

    from arrayshim.random._seeds import plain

    seed = bits._seed_seq
    return typename(type(bits)), plain(seed.entropy), seed.spawn_key, seed.pool_size, seed.n_children_spawned


@FIX.replaces(GENERATOR)
def generator_init(self: Any, bit_generator: Any) -> None:
    from arrayshim.random._seeds import is_bits

    original(GENERATOR)(self, bit_generator)
    # NumPy's have a state, which pickles.
    if is_bits(bit_generator) and not isinstance(bit_generator, np.random.BitGenerator):
        self.__dask_tokenize__ = partial(named, bit_generator)
