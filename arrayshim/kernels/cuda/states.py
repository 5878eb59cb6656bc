"""Random generators of CuPy arrays that open in microseconds and draw at the speed of the memory.

They have CuPy's interface and NumPy's errors. What `distributions` does not draw with a kernel of this package CuPy's
own RandomState draws, opened for that call with a seed taken from theirs. They know a key and a place and nothing of a
device: they travel, and serve any device and stream that is current when they are asked.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim.kernels.cuda.distributions import Distributions, together
from arrayshim.kernels.cuda.seeding import Place, digest_of, sequence_of


class RandomState(Distributions):
    """As ``cupy.random.RandomState``.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array or SeedSequence
        As NumPy's takes it; an int may have 64 bits.

    Notes
    -----
    Philox4x32-10 (Salmon et al. 2011) under a key of 96 bits, hashed from the seed.
    """

    def __init__(self, seed: Any = None) -> None:
        self._at = Place.of(digest_of(seed))

    @property
    def _place(self) -> Place:
        return self._at

    def seed(self, seed: Any = None) -> None:
        """Begin anew."""
        self._at = Place.of(digest_of(seed))

    def random_sample(self, size: Any = None, dtype: Any = float) -> Any:
        """Numbers from 0 up to 1, which is left out, as many bits as the dtype's mantissa has."""
        return self._random(size, dtype)

    random = sample = ranf = random_sample

    def rand(self, *size: int, dtype: Any = float) -> Any:
        """As `random_sample`, the shape as arguments."""
        return self._random(size, dtype)

    def randn(self, *size: int, dtype: Any = float) -> Any:
        """As `standard_normal`, the shape as arguments."""
        return self.standard_normal(size, dtype)

    def randint(self, low: Any, high: Any = None, size: Any = None, dtype: Any = int) -> Any:
        """Integers from `low` (or 0) up to `high` (or `low`), which is left out."""
        return self._integers(low, high, size, dtype)

    def random_integers(self, low: Any, high: Any = None, size: Any = None) -> Any:
        """Integers from `low` (or 1) up to and with `high` (or `low`)."""
        low, high = (1, low) if high is None else (low, high)
        return self._integers(low, high, size, int, endpoint=True)

    def tomaxint(self, size: Any = None) -> Any:
        """Integers from 0 up to the largest of 64 bits."""
        return self._integers(0, 2**63 - 1, size, np.int64, endpoint=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return _state_at, (self._place,)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        return "arrayshim.cuda.RandomState", self._place.key, self._place.stream, self._place.block


def _state_at(place: Place) -> RandomState:
    state = RandomState.__new__(RandomState)
    state._at = place
    return state


class Philox4x32:
    """As one of ``cupy.random``'s bit generators: Philox4x32-10, of Salmon et al. 2011, without memory on a device.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array or SeedSequence
    """

    def __init__(self, seed: Any = None) -> None:
        self._seed_seq = sequence_of(seed)
        self._place = Place.of(self._seed_seq.generate_state(3, np.uint32).astype("<u4").tobytes())
        self.lock = threading.Lock()

    @property
    def seed_seq(self) -> np.random.SeedSequence:
        """What it was made of."""
        return self._seed_seq

    @property
    def state(self) -> dict[str, Any]:
        """Key, stream and the number of the next block of four words; settable."""
        place = self._place
        numbers = {"key": place.key, "stream": place.stream, "block": place.block}
        return {"bit_generator": type(self).__name__, "state": numbers}

    @state.setter
    def state(self, value: dict[str, Any]) -> None:
        if value.get("bit_generator") != type(self).__name__:
            raise ValueError(f"state is of {value.get('bit_generator')!r}; it must be of a {type(self).__name__}")
        self._place = Place(**value["state"])

    def random_raw(self, size: Any = None, output: bool = True) -> Any:
        """Words of 64 bits."""
        drawn = Generator(self).integers(0, 2**64 - 1, size=size, dtype=np.uint64, endpoint=True)
        return drawn if output else None

    def spawn(self, n_children: int) -> list[Philox4x32]:
        """As many independent ones."""
        return [Philox4x32(seed) for seed in self._seed_seq.spawn(n_children)]

    def _opened(self) -> Generator:
        """The generator of one chunk, for which dask asks ``arrayshim.random.default_rng``."""
        return Generator(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _bits_at, (self._seed_seq, self._place)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        place, spawned = self._place, self._seed_seq.n_children_spawned
        return "arrayshim.cuda.Philox4x32", place.key, place.stream, place.block, spawned


def _bits_at(seed: np.random.SeedSequence, place: Place) -> Philox4x32:
    bits = Philox4x32(seed)
    bits._place = place
    return bits


class Generator(Distributions):
    """As ``cupy.random.Generator``, with those of ``numpy.random.Generator``'s methods that CuPy's lacks.

    Parameters
    ----------
    bit_generator : Philox4x32
    """

    def __init__(self, bit_generator: Philox4x32) -> None:
        self.bit_generator = bit_generator

    @property
    def _place(self) -> Place:
        return self.bit_generator._place

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Numbers from 0 up to 1, which is left out, as many bits as the dtype's mantissa has."""
        return self._random(size, dtype, out=out)

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: bool = False
    ) -> Any:
        """Integers from `low` (or 0) up to `high` (or `low`), which is left out unless `endpoint`."""
        return self._integers(low, high, size, dtype, endpoint=endpoint)

    def uniform(self, low: Any = 0.0, high: Any = 1.0, size: Any = None, dtype: Any = np.float64) -> Any:
        """Numbers from `low` up to `high`; `low` may not be the larger."""
        low, high = together(low, high)
        if high < low if isinstance(low, float) and isinstance(high, float) else bool((high < low).any()):
            raise ValueError("high - low < 0")
        return super().uniform(low, high, size, dtype)

    def spawn(self, n_children: int) -> list[Generator]:
        """As many independent ones."""
        return [Generator(bits) for bits in self.bit_generator.spawn(n_children)]

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return Generator, (self.bit_generator,)
