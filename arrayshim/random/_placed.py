"""Numbers drawn by NumPy and put on a device, in the shapes that dask wants its generators in.

dask rebuilds a chunk's generator from a class and a SeedSequence, or from a callable and state data, and asks the root
module of their type for ``random.default_rng``. So the placement travels with the seed (`PlacedSeed`) or in the
callable (`HostDrawn`), and ``arrayshim.random.default_rng`` turns a `HostBits` into a generator that places what it
draws.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np

from arrayshim._moving import ToDevice
from arrayshim.random._seeds import plain, seed_sequence


class Placed:
    """An eager NumPy generator whose draws are put on a device.

    Parameters
    ----------
    rng : numpy.random.Generator or numpy.random.RandomState
    place : ToDevice
    """

    def __init__(self, rng: Any, place: ToDevice) -> None:
        self._rng = rng
        self._place = place

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Shuffle in place; on a device by an index, since NumPy would swap views there and lose values."""
        if isinstance(x, np.ndarray):
            self._rng.shuffle(x, **({"axis": axis} if axis else {}))
        else:
            order = np.arange(x.shape[axis])
            self._rng.shuffle(order)
            x[...] = np.take(x, self._place(order), axis=axis)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        draw, place = getattr(self._rng, name), self._place

        def placed(*args: Any, **kwargs: Any) -> Any:
            drawn = draw(*args, **kwargs)
            return place(np.asarray(drawn))

        return placed


@dataclass(frozen=True, slots=True)
class HostDrawn:
    """A ``RandomState=`` for dask whose states draw with NumPy and place what they draw.

    Parameters
    ----------
    place : ToDevice
    """

    place: ToDevice

    def __call__(self, seed: Any = None) -> Placed:
        return Placed(np.random.RandomState(seed), self.place)


class PlacedSeed(np.random.SeedSequence):
    """A SeedSequence whose children, too, know where numbers shall go."""

    place: ToDevice

    @classmethod
    def of(cls, seed: Any, place: ToDevice) -> PlacedSeed:
        """The placed twin of a seed, child numbers included."""
        seq = seed_sequence(seed)
        return _rebuild_seed(place, seq.entropy, seq.spawn_key, seq.pool_size, seq.n_children_spawned)

    def spawn(self, n_children: int) -> list[Any]:
        """As SeedSequence.spawn."""
        children = super().spawn(n_children)
        for child in children:
            child.place = self.place
        return children

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_seed, (self.place, self.entropy, self.spawn_key, self.pool_size, self.n_children_spawned)


def _rebuild_seed(place: ToDevice, entropy: Any, spawn_key: Any, pool_size: int, spawned: int) -> PlacedSeed:
    seed = PlacedSeed(entropy, spawn_key=spawn_key, pool_size=pool_size, n_children_spawned=spawned)
    seed.place = place
    return seed


class HostBits(np.random.PCG64):
    """NumPy's PCG64 for numbers that are put on a device.

    Parameters
    ----------
    seed : PlacedSeed
    """

    def __init__(self, seed: PlacedSeed) -> None:
        super().__init__(seed)
        self.place = seed.place

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild_bits, (self._seed_seq, self.state)  # type: ignore[attr-defined]

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        seq = self._seed_seq  # type: ignore[attr-defined]
        place = self.place.__dask_tokenize__()
        return "arrayshim.HostBits", plain(seq.entropy), seq.spawn_key, seq.pool_size, str(self.state), place


def _rebuild_bits(seed: PlacedSeed, state: Any) -> HostBits:
    bits = HostBits(seed)
    bits.state = state
    return bits


@dataclass(frozen=True, slots=True)
class MakeHostBits:
    """Makes a `HostBits` of any seed."""

    place: ToDevice

    def __call__(self, seed: Any = None) -> HostBits:
        return HostBits(PlacedSeed.of(seed, self.place))


class _HostSeed(np.random.SeedSequence):
    """Spawns from a PlacedSeed, so that no two draws share a child, but plain children."""

    parent: PlacedSeed

    def spawn(self, n_children: int) -> list[Any]:
        return [
            np.random.SeedSequence(child.entropy, spawn_key=child.spawn_key, pool_size=child.pool_size)
            for child in self.parent.spawn(n_children)
        ]


class PlacedGenerator(da.random.Generator):  # type: ignore[misc]
    """dask's Generator over bits of this package; `choice` and `permutation` draw on the host as dask does for NumPy.

    Parameters
    ----------
    bits : HostBits, or a library's bit generator of this package
    place : ToDevice
    """

    def __init__(self, bits: Any, place: ToDevice) -> None:
        super().__init__(bits)
        self._place = place
        parent = bits._seed_seq
        seed = _HostSeed(parent.entropy, spawn_key=parent.spawn_key, pool_size=parent.pool_size)
        seed.parent = parent
        self._host = da.random.Generator(np.random.PCG64(seed))

    def choice(self, a: Any, *args: Any, **kwargs: Any) -> Any:
        """As ``dask.array.random.Generator.choice``, from a number or host data."""
        return _moved(self._host.choice(a, *args, **kwargs), self._place)

    def permutation(self, x: Any) -> Any:
        """As ``dask.array.random.Generator.permutation``; an array keeps its type."""
        drawn = self._host.permutation(x)
        return drawn if hasattr(x, "dtype") else _moved(drawn, self._place)


class PlacedRandomState(da.random.RandomState):  # type: ignore[misc]
    """dask's RandomState whose `choice` and `permutation`, which dask draws with NumPy, are placed like the rest.

    Parameters
    ----------
    seed : None, int, list of int or BitGenerator
    RandomState : callable
    place : ToDevice
    """

    def __init__(self, seed: Any, RandomState: Any, place: ToDevice) -> None:
        super().__init__(seed, RandomState=RandomState)
        self._place = place

    def _on_host(self) -> Any:
        host = copy.copy(self)
        host._RandomState = np.random.RandomState
        return host

    def choice(self, a: Any, *args: Any, **kwargs: Any) -> Any:
        """As ``dask.array.random.RandomState.choice``, from a number or host data."""
        return _moved(da.random.RandomState.choice(self._on_host(), a, *args, **kwargs), self._place)

    def permutation(self, x: Any) -> Any:
        """As ``dask.array.random.RandomState.permutation``; an array keeps its type."""
        drawn = da.random.RandomState.permutation(self, x)
        return drawn if hasattr(x, "dtype") else _moved(drawn, self._place)


def _moved(x: Any, place: ToDevice) -> Any:
    return x.map_blocks(place, meta=place(np.empty((0,) * x.ndim, dtype=x.dtype)), dtype=x.dtype)
