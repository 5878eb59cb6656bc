"""Permutations and choices: each element says for itself which one it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import kernels
from arrayshim.kernels._places import Kind, Places
from arrayshim.random.streams._words import Fixed, Sampler, Words

#: Up to this many are put in order of random words, by every task that needs some of them.
SORTED = 1 << 16
_ROUNDS = 12
_RAW = Kind("raw", np.dtype(np.uint64))


def _mixed(x: Any, key: int) -> Any:
    """A keyed hash of 64 bits: the finaliser of SplitMix64 (G. L. Steele, D. Lea, C. H. Flood, OOPSLA 2014)."""
    x = x + np.uint64(key)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def _shuffled(x: Any, bits: int, keys: list[int]) -> Any:
    """A permutation of the numbers of so many bits: a Feistel network whose halves may differ by a bit."""
    low = bits // 2
    right, left = x & np.uint64((1 << low) - 1), x >> np.uint64(low)
    for k in range(0, _ROUNDS, 2):
        left = left ^ (_mixed(right, keys[k]) >> np.uint64(64 - (bits - low)))
        right = right ^ (_mixed(left, keys[k + 1]) >> np.uint64(64 - low))
    return (left << np.uint64(low)) | right


def permutation(words: Words, n: int) -> Any:
    """Where a permutation of `n` sends the elements.

    Small ones are the order of `n` random words. Large ones are a Feistel network with random keys, followed until it
    comes back below `n` (J. Black, P. Rogaway: Ciphers with arbitrary finite domains. CT-RSA 2002).
    """
    index = words.places.linear(words.like)
    if n <= SORTED:
        keys = kernels.element_values(words.like, words.stream, _RAW, Places.whole((n,)))
        return np.argsort(keys, kind="stable")[index.astype(np.int64)]
    bits = (n - 1).bit_length()
    keys = kernels.element_values(np.empty(0), words.stream, _RAW, Places.whole((_ROUNDS,))).tolist()
    found = _shuffled(index, bits, keys)
    left = np.flatnonzero(found >= np.uint64(n))
    while left.size:
        again = _shuffled(found[left], bits, keys)
        found[left] = again
        left = left[again >= np.uint64(n)]
    return found


def _of_population(words: Words, total: Any) -> Any:
    return np.minimum(np.searchsorted(total, words.random(), side="right"), total.size - 1)


def _without(words: Words, p: Any) -> Any:
    """Positions in descending order of ``log(p) + Gumbel``, which is drawing one after the other without replacement.

    P. S. Efraimidis, P. G. Spirakis: Weighted random sampling with a reservoir. Inf. Process. Lett. 97 (2006).
    """
    everyone = Words(words.like, words.stream, Places.whole((p.size,)))
    order = np.argsort(-np.log(everyone.open()) / p, kind="stable")
    return order[words.places.linear(words.like).astype(np.int64)]


def cumulated(p: Any) -> Fixed:
    """Where the shares of a population end."""
    total = np.cumsum(p)
    return Fixed(total / total[-1])


_I8 = np.dtype(np.int64)

SAMPLERS = {
    "permutation": Sampler(permutation, dtype=_I8, whole=True),
    "choice": Sampler(_of_population, dtype=_I8),
    "choice_without": Sampler(_without, dtype=_I8, whole=True),
}
