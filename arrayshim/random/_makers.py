"""Who draws the numbers of a chunk: what makes its generator, and the seeds of all chunks."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from dask.array.random import Generator
from dask.utils import random_state_data, typename

from arrayshim._moving import registered
from arrayshim.random._placed import HostBits, HostDrawn, MakeHostBits, Placed
from arrayshim.random._seeds import plain
from arrayshim.residency import is_device


@dataclass(frozen=True, slots=True)
class Maker:
    """Makes the eager generator of a chunk.

    Parameters
    ----------
    make : callable
        ``make(seed)`` is a bit generator where the seed is a SeedSequence, else a random state.
    lends : bool
        Whether what the library's generator lacks is drawn with what it has, and its parameters are looked at and
        brought to it: the repair `device_samplers`. Decided where the graph is built, since a worker may be set
        otherwise.
    """

    make: Any
    lends: bool

    def __call__(self, seed: Any) -> Any:
        made = self.make(seed)
        return opened(made) if isinstance(seed, np.random.SeedSequence) else made

    @property
    def on_host(self) -> bool:
        """Whether NumPy draws, and the numbers are put beside the data."""
        if isinstance(self.make, HostDrawn | MakeHostBits):
            return True
        return isinstance(self.make, type) and issubclass(self.make, HostBits)

    @property
    def numpys(self) -> bool:
        """Whether NumPy draws, and the numbers stay in host memory."""
        if self.make is np.random.RandomState:
            return True
        return isinstance(self.make, type) and issubclass(self.make, np.random.BitGenerator) and not self.on_host

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        from dask.base import normalize_token

        return "arrayshim.Maker", typename(self.make), normalize_token(self.make), self.lends


def opened(bits: Any) -> Any:
    """The generator over a bit generator, of whatever library.

    Parameters
    ----------
    bits : object
        The backend that registered its type is asked, then the root module of the type, as dask does.
    """
    if isinstance(bits, HostBits):
        return Placed(np.random.Generator(bits), bits.place)
    if hasattr(bits, "_opened"):
        return bits._opened()
    for backend in registered.values():
        if getattr(backend, "bit_generator", None) is type(bits) and hasattr(backend.namespace, "random"):
            return backend.namespace.random.default_rng(bits)
    return importlib.import_module(typename(bits).partition(".")[0]).random.default_rng(bits)


def maker_of(rng: Any, parameters: Iterable[Any] = ()) -> Maker:
    """Who draws for a generator of dask.

    Parameters
    ----------
    rng : dask.array.random.Generator or RandomState
    parameters : iterable
        Where NumPy would draw and one of these is on a device, the library of that one draws instead: nothing comes
        home from a device unasked.
    """
    from arrayshim.backends import backend_of
    from arrayshim.fixes.device_samplers import lent
    from arrayshim.random import bit_generator_of, random_state_of

    new, lends = isinstance(rng, Generator), lent()
    maker = Maker(type(rng._bit_generator) if new else rng._RandomState, lends)
    device = next((x for x in parameters if is_device(x)), None) if lends and maker.numpys else None
    if device is None:
        return maker
    backend = backend_of(device)
    return Maker(bit_generator_of(backend) if new else random_state_of(backend), lends)


def seeds_of(rng: Any, n: int) -> list[Any]:
    """The seeds of `n` chunks, as dask takes them from a generator; no bit generator is made for them."""
    if isinstance(rng, Generator):
        return list(rng._bit_generator._seed_seq.spawn(n))
    return list(random_state_data(n, rng._numpy_state))


def token_of(seeds: list[Any]) -> list[Any]:
    """What stands for seeds in a name: equal for equal seeds, in every process."""
    return [_token(seed) if isinstance(seed, np.random.SeedSequence) else seed for seed in seeds]


def _token(seed: Any) -> tuple[Any, ...]:
    place = getattr(seed, "place", None)
    return plain(seed.entropy), seed.spawn_key, seed.pool_size, place and place.__dask_tokenize__()
