"""Where a generator of element streams stands: seed, streams drawn, jumps."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from arrayshim.errors import BackendError
from arrayshim.kernels._places import MASK, Stream
from arrayshim.random._seeds import plain, seed_sequence

_NAME = "Philox4x64-10 element streams"


class State:
    """Seed, number of the next stream and jumps.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array or SeedSequence
    """

    def __init__(self, seed: Any = None) -> None:
        self.seed = seed_sequence(seed)
        self.key = self._key()
        self.next, self.jump = 0, 0
        self._lock = threading.Lock()

    def _key(self) -> tuple[int, int]:
        first, second = self.seed.generate_state(2, np.uint64)
        return int(first), int(second)

    def stream(self) -> Stream:
        """The next stream; each is given once."""
        with self._lock:
            self.next += 1
            return Stream(self.key, self.next - 1, self.jump)

    def jumped(self, jumps: int) -> State:
        """The state of a generator that has jumped."""
        if not 0 <= self.jump + jumps <= MASK:
            raise ValueError(f"jumps is {jumps} after {self.jump}; together they must be from 0 to 2**64 - 1")
        made = State.of(self.described())
        made.next, made.jump = 0, self.jump + jumps
        return made

    def described(self) -> dict[str, Any]:
        """All of it, as plain data."""
        seed = self.seed
        return {
            "generator": _NAME,
            "entropy": plain(seed.entropy),
            "spawn_key": plain(seed.spawn_key),
            "pool_size": seed.pool_size,
            "children": seed.n_children_spawned,
            "next": self.next,
            "jump": self.jump,
        }

    @classmethod
    def of(cls, described: Any) -> State:
        """The state that :meth:`described` described.

        Raises
        ------
        BackendError
            If it is not one.
        """
        try:
            if described["generator"] != _NAME:
                raise KeyError
            made = cls(
                np.random.SeedSequence(
                    described["entropy"],
                    spawn_key=tuple(described["spawn_key"]),
                    pool_size=described["pool_size"],
                    n_children_spawned=described["children"],
                )
            )
            made.next, made.jump = int(described["next"]), int(described["jump"])
        except (KeyError, TypeError):
            raise BackendError(
                f"{described!r} is no state of element streams; give what the attribute state of such a generator said"
            ) from None
        return made
