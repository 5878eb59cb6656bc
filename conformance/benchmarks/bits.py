"""A battery of tests of random bits, for words that are too many to look at: `arrayshim bench random --bits`.

The tests are classical (Knuth, TAOCP 2, 3.3.2; Marsaglia's Diehard; Rukhin et al., NIST SP 800-22) and each has a
distribution that is known: every p-value is SciPy's, two-sided where too good a fit is a fault as well. Words come in
blocks from any library with NumPy's functions; only counts leave its device.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

#: The battery as a whole rejects a good generator this rarely.
LEVEL = 1e-6


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one test on all words.

    Attributes
    ----------
    test : str
    p : float
        Probability that good words look this odd or odder.
    words : int
        How many were looked at.
    """

    test: str
    p: float
    words: int


def _counts(x: Any, length: int) -> Any:
    """How often each of `length` integers is in `x`, on the host."""
    return _host(_module(x).bincount(x.ravel().astype(np.int64), minlength=length))


def _module(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return np
    import cupy

    return cupy


def _host(x: Any) -> Any:
    return np.asarray(x.get() if hasattr(x, "get") else x)


def _normal(z: float) -> float:
    from scipy import stats

    return float(2 * stats.norm.sf(abs(z)))


def _chi2(observed: Any, expected: Any) -> float:
    """Of counts against their expectations; a fit that is too good counts as well."""
    from scipy import stats

    statistic = float((((observed - expected) ** 2) / expected).sum())
    upper = float(stats.chi2.sf(statistic, len(expected) - 1))
    lower = float(stats.chi2.cdf(statistic, len(expected) - 1))
    return min(1.0, 2 * min(upper, lower))


def _poisson(count: int, mean: float) -> float:
    from scipy import stats

    return min(1.0, 2 * min(float(stats.poisson.sf(count - 1, mean)), float(stats.poisson.cdf(count, mean))))


class Test:
    """Sees block after block of uint32 words, then gives p-values by name.

    Attributes
    ----------
    most : int or None
        Words after which it looks no further.
    """

    name = ""
    most: int | None = None
    __test__ = False  # pytest: this is none of its own

    def __init__(self) -> None:
        self.words = 0

    def see(self, words: Any) -> None:
        """A block."""
        if self.most is None or self.words < self.most:
            words = words if self.most is None else words[: self.most - self.words]
            self.words += int(words.size)
            self.count(words)

    def count(self, words: Any) -> None:
        """Add what a block shows."""
        raise NotImplementedError

    def p_values(self) -> Iterator[tuple[str, float]]:
        """Parts of the test and their p-values; none where there were too few words."""
        raise NotImplementedError


class Ones(Test):
    """How many ones each of the 32 places has, and how often it differs from that of the word before: runs."""

    name = "ones"

    def __init__(self) -> None:
        super().__init__()
        self.ones, self.changes = np.zeros(32, np.int64), np.zeros(32, np.int64)
        self.pairs = 0

    def count(self, words: Any) -> None:
        changed = words[1:] ^ words[:-1]
        self.pairs += int(changed.size)
        for found, values in ((self.ones, words), (self.changes, changed)):
            found += [int(((values >> np.uint32(bit)) & np.uint32(1)).sum(dtype=np.int64)) for bit in range(32)]

    def p_values(self) -> Iterator[tuple[str, float]]:
        for name, found, number in (("ones", self.ones, self.words), ("runs", self.changes, self.pairs)):
            for bit in range(32):
                yield f"{name}[{bit}]", _normal((found[bit] - number / 2) / math.sqrt(number / 4))


class Serial(Test):
    """Pairs of the same byte of two words that follow each other, in 65,536 cells."""

    name = "serial"

    def __init__(self) -> None:
        super().__init__()
        self.cells = np.zeros((4, 65536), np.int64)

    def count(self, words: Any) -> None:
        pairs = words[: words.size // 2 * 2].reshape(-1, 2)
        for byte in range(4):
            high, low = (pairs[:, k] >> np.uint32(8 * byte) & np.uint32(255) for k in (0, 1))
            self.cells[byte] += _counts(high * np.uint32(256) + low, 65536)

    def p_values(self) -> Iterator[tuple[str, float]]:
        for byte in range(4):
            total = int(self.cells[byte].sum())
            if total >= 5 * 65536:
                yield f"pairs of byte {byte}", _chi2(self.cells[byte], np.full(65536, total / 65536))


class Gaps(Test):
    """How many words are between two whose three highest (lowest) bits are zero."""

    name = "gaps"
    LENGTHS = 48
    VIEWS: tuple[tuple[str, Callable[[Any], Any]], ...] = (
        ("high", lambda w: w >> np.uint32(29)),
        ("low", lambda w: w & np.uint32(7)),
    )

    def __init__(self) -> None:
        super().__init__()
        self.cells = {name: np.zeros(self.LENGTHS + 1, np.int64) for name, _ in self.VIEWS}

    def count(self, words: Any) -> None:
        xp = _module(words)
        for name, view in self.VIEWS:
            places = xp.flatnonzero(view(words) == 0)
            gaps = places[1:] - places[:-1] - 1
            if gaps.size:
                self.cells[name] += _counts(xp.minimum(gaps, self.LENGTHS), self.LENGTHS + 1)

    def p_values(self) -> Iterator[tuple[str, float]]:
        chance = 0.125 * 0.875 ** np.arange(self.LENGTHS)
        chance = np.append(chance, 1 - chance.sum())
        for name, found in self.cells.items():
            total = int(found.sum())
            if total * chance.min() >= 5:
                yield f"gaps of {name} bits", _chi2(found, total * chance)
            elif (
                self.words >= 4096 and total < self.words / 16
            ):  # hardly any gap, where an eighth of the words ends one
                yield f"gaps of {name} bits", _poisson(total, self.words / 8)


class Birthdays(Test):
    """Equal spacings of 4096 birthdays in a year of 2^32 days (Marsaglia), of the words and of the bytes reversed.

    Their expected number in a year is m (m - 1) (m - 2) / 4n, less what three equal ones count too little.
    """

    name = "birthdays"
    most = 2**26
    BIRTHDAYS = 4096

    def __init__(self) -> None:
        super().__init__()
        self.years, self.equal = 0, {"": 0, " of reversed bytes": 0}

    def count(self, words: Any) -> None:
        xp, m = _module(words), self.BIRTHDAYS
        years = words[: words.size // m * m].reshape(-1, m)
        self.years += len(years)
        for name in self.equal:
            days = xp.sort(years.byteswap() if name else years, axis=1)
            spacings = xp.sort(days[:, 1:] - days[:, :-1], axis=1)
            self.equal[name] += int((spacings[:, 1:] == spacings[:, :-1]).sum())

    def p_values(self) -> Iterator[tuple[str, float]]:
        m, n = float(self.BIRTHDAYS), 2.0**32
        mean = self.years * (m * (m - 1) * (m - 2) / (4 * n) - m**5 / (18 * n * n))
        for name, equal in self.equal.items():
            if mean >= 10:
                yield f"birthday spacings{name}", _poisson(equal, mean)


class Ranks(Test):
    """The rank of 32 words as a matrix over two elements."""

    name = "ranks"
    most = 2**23

    def __init__(self) -> None:
        super().__init__()
        self.cells = np.zeros(33, np.int64)

    def count(self, words: Any) -> None:
        matrices = words[: words.size // 32 * 32].reshape(-1, 32)
        self.cells += _counts(_ranks(matrices), 33)

    def p_values(self) -> Iterator[tuple[str, float]]:
        total = int(self.cells.sum())
        chance = [_chance_of_rank(32), _chance_of_rank(31), _chance_of_rank(30)]
        chance.append(1 - sum(chance))
        if total * min(chance) >= 5:
            found = np.array([*self.cells[[32, 31, 30]], self.cells[:30].sum()])
            yield "ranks of 32 x 32", _chi2(found, total * np.array(chance))


def _ranks(matrices: Any) -> Any:
    """Elimination of all matrices at once, a column at a time."""
    xp = _module(matrices)
    rows, every = matrices.copy(), xp.arange(len(matrices))
    used = xp.zeros(rows.shape, bool)
    for bit in range(32):
        has = ((rows >> np.uint32(bit)) & np.uint32(1)).astype(bool)
        free = has & ~used
        pivot = free.argmax(axis=1)
        found = free[every, pivot]
        line = xp.where(found, rows[every, pivot], np.uint32(0))
        used[every, pivot] |= found
        others = has & found[:, None]
        others[every, pivot] = False
        rows ^= xp.where(others, line[:, None], np.uint32(0))
    return used.sum(axis=1)


def _chance_of_rank(rank: int, n: int = 32) -> float:
    product = 2.0 ** -((n - rank) ** 2)
    for i in range(rank):
        product *= (1 - 2.0 ** (i - n)) ** 2 / (1 - 2.0 ** (i - rank))
    return product


class Repeats(Test):
    """Pairs of words that were there before: more than chance has them where a cycle is short."""

    name = "repeats"
    most = 2**25

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[Any] = []

    def count(self, words: Any) -> None:
        pairs = words[: words.size // 2 * 2].reshape(-1, 2).astype(np.uint64)
        self.seen.append(pairs[:, 0] << np.uint64(32) | pairs[:, 1])

    def p_values(self) -> Iterator[tuple[str, float]]:
        xp = _module(self.seen[0])
        pairs = xp.sort(xp.concatenate(self.seen))
        again = int((pairs[1:] == pairs[:-1]).sum())
        mean = pairs.size * (pairs.size - 1) / 2 * 2.0**-64
        from scipy import stats

        yield "repeated pairs", float(stats.poisson.sf(again - 1, mean))


TESTS: tuple[type[Test], ...] = (Ones, Serial, Gaps, Birthdays, Ranks, Repeats)


def battery(blocks: Iterable[Any]) -> list[Outcome]:
    """All tests of some words.

    Parameters
    ----------
    blocks : iterable of arrays of uint32
        One-dimensional, of NumPy or of CuPy; 2^20 words or more together for every test to have enough.

    Returns
    -------
    list of Outcome
        In the order of the tests.
    """
    tests = [test() for test in TESTS]
    for words in blocks:
        for test in tests:
            test.see(words)
    return [Outcome(name, p, test.words) for test in tests for name, p in test.p_values()]


def suspicious(outcomes: Iterable[Outcome]) -> list[Outcome]:
    """Those that a good generator has in one of 1 / `LEVEL` batteries, or more rarely."""
    outcomes = list(outcomes)
    return [outcome for outcome in outcomes if not outcome.p > LEVEL / len(outcomes)]
