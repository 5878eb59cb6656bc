"""From a seed to a key of 96 bits, and a place in the numbers of that key. Host only."""

from __future__ import annotations

import hashlib
import operator
import os
import threading
from typing import Any

import numpy as np

_LARGEST = 2**64
_WORD = 2**32


def sequence_of(seed: Any = None) -> np.random.SeedSequence:
    """A seed as a SeedSequence.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array of the host or of a device, or SeedSequence
    """
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if hasattr(seed, "get") and hasattr(seed, "dtype"):
        seed = seed.get()
    return np.random.SeedSequence(seed)


def digest_of(seed: Any = None) -> bytes:
    """Twelve bytes of any seed that ``RandomState`` takes, by BLAKE2.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array of the host or of a device, or SeedSequence
        An int may have 64 bits; numbers in sequences have 32, as those that dask hands over have.

    Raises
    ------
    TypeError
        If something is no integer.
    ValueError
        If a number is negative or too large.
    """
    if seed is None:
        return os.urandom(12)
    if isinstance(seed, np.random.SeedSequence):
        return hashlib.blake2b(seed.generate_state(8).tobytes(), digest_size=12, person=b"sequence").digest()
    if hasattr(seed, "get") and hasattr(seed, "dtype"):
        seed = seed.get()
    if isinstance(seed, np.ndarray) and seed.dtype == np.dtype("<u4") and seed.size > 1:
        return hashlib.blake2b(seed.tobytes(), digest_size=12, person=b"words").digest()
    if isinstance(seed, np.ndarray):
        seed = seed.reshape(())[()] if seed.size == 1 else seed.ravel().tolist()
    if isinstance(seed, list | tuple):
        numbers = [operator.index(n) for n in seed]
        if not numbers or min(numbers) < 0 or max(numbers) >= _WORD:
            raise ValueError(f"Seed is {seed!r:.60}; numbers of a sequence must be between 0 and 2**32 - 1")
        return hashlib.blake2b(np.array(numbers, "<u4").tobytes(), digest_size=12, person=b"words").digest()
    number = operator.index(seed)
    if not 0 <= number < _LARGEST:
        raise ValueError(f"Seed is {number}; it must be between 0 and 2**64 - 1")
    return hashlib.blake2b(number.to_bytes(8, "little"), digest_size=12, person=b"number").digest()


class Place:
    """Where the next draw begins: a key, a stream, and the number of a block of four words.

    Parameters
    ----------
    key, stream, block : int
        Of 64, 32 and 64 bits.
    """

    __slots__ = ("_lock", "block", "key", "stream")

    def __init__(self, key: int, stream: int, block: int = 0) -> None:
        self.key, self.stream, self.block = key, stream, block
        self._lock = threading.Lock()

    @classmethod
    def of(cls, digest: bytes) -> Place:
        """The first place of a key of twelve bytes."""
        return cls(int.from_bytes(digest[:8], "little"), int.from_bytes(digest[8:], "little"))

    def take(self, blocks: int) -> int:
        """The first of as many blocks, which nobody else gets."""
        with self._lock:
            first = self.block
            self.block = (first + blocks) % _LARGEST
        return first

    def spare(self) -> int:
        """A seed of 64 bits for a generator of another make, another one each time."""
        words = (self.key, self.stream, self.take(1))
        text = b"".join(n.to_bytes(8, "little") for n in words)
        return int.from_bytes(hashlib.blake2b(text, digest_size=8, person=b"spare").digest(), "little")

    def __reduce__(self) -> tuple[Any, ...]:
        return Place, (self.key, self.stream, self.block)
