"""The computation of January 2019: two terabytes of normal numbers, shifted, thinned out and reduced.

A post of that month (Rocklin 2019, https://blog.dask.org/2019/01/03/dask-array-gpus-first-steps) showed that one line
of dask.array, ``(x + 1)[::2, ::2].sum()``, runs on one core, on many, on a GPU or on eight of them, merely by changing
where the random numbers come from and who schedules.
Nothing beyond the sum worked then, because dask took every chunk for a NumPy array: ``mean`` raised on CuPy chunks, so
this benchmark runs that line with ``sum`` and with the reductions that could not follow, and holds each result against
its exact expectation.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

import dask
import dask.array as da

import arrayshim

ITEMSIZE = 8
ORIGINAL_SIZE = 500_000
ORIGINAL_BYTES = ORIGINAL_SIZE**2 * ITEMSIZE
MAX_SIGMA = 6.0

_MEAN = 11.0  # normal(10, 1), plus 1
_ROUNDING = 64 * sys.float_info.epsilon


@dataclass(frozen=True, slots=True)
class Op:
    """One reduction of the benchmark.

    Attributes
    ----------
    name : str
        What `--ops` and the table call it.
    build : callable
        From the thinned-out dask array of shape (m, m) to a 0-d dask array.
    expect : callable
        From m to the exact expectation of the result and its standard error.
    """

    name: str
    build: Callable[[Any], Any]
    expect: Callable[[int], tuple[float, float]]


def random_state(seed: int, like: str) -> Any:
    """Dask's RandomState whose chunks are of the array library `like`.

    Parameters
    ----------
    seed : int
    like : str
        "numpy" or "cupy".

    Returns
    -------
    dask.array.random.RandomState
    """
    return arrayshim.random.RandomState(seed, like=like)


def thinned(state: Any, n: int, chunk: int) -> Any:
    """The line of 2019, up to its reduction; the same for every architecture.

    Parameters
    ----------
    state : dask.array.random.RandomState
    n, chunk : int
        Side of the square array, and of its square chunks.

    Returns
    -------
    dask.array.Array
        Shape (m, m) with m = ceil(n / 2), float64, independent samples of the normal distribution N(11, 1).
    """
    x = state.normal(10, 1, size=(n, n), chunks=(chunk, chunk))
    return (x + 1)[::2, ::2]


def _expect_sum(m: int) -> tuple[float, float]:
    return _MEAN * m * m, float(m)


def _expect_mean(m: int) -> tuple[float, float]:
    return _MEAN, 1.0 / m


def _expect_var(m: int) -> tuple[float, float]:
    # N var is chi-squared with N - 1 degrees of freedom.
    count = m * m
    return 1.0 - 1.0 / count, math.sqrt(2.0 * (count - 1)) / count


def _expect_std(m: int) -> tuple[float, float]:
    # sqrt(N) std is chi-distributed with N - 1 degrees of freedom. lgamma loses its digits for large N: there the
    # expansion of c4 in powers of 1/N, https://en.wikipedia.org/wiki/Unbiased_estimation_of_standard_deviation
    count = m * m
    if count == 1:
        return 0.0, 0.0
    if count < 1000:
        mean = math.sqrt(2.0 / count) * math.exp(math.lgamma(count / 2) - math.lgamma((count - 1) / 2))
        return mean, math.sqrt((count - 1) / count - mean * mean)
    c4 = 1.0 - 1.0 / (4 * count) - 7.0 / (32 * count**2) - 19.0 / (128 * count**3)
    return math.sqrt((count - 1) / count) * c4, math.sqrt(1.0 / (2 * count))


def _expect_argmax(m: int) -> tuple[float, float]:
    # Each row's index is uniform on 0 ... m - 1, and the rows are independent.
    return (m - 1) / 2, math.sqrt((m * m - 1) / 12 / m)


OPS: dict[str, Op] = {
    op.name: op
    for op in (
        Op("sum", lambda y: y.sum(), _expect_sum),
        Op("mean", lambda y: y.mean(), _expect_mean),
        Op("std", lambda y: y.std(), _expect_std),
        Op("var", lambda y: y.var(), _expect_var),
        Op("argmax", lambda y: y.argmax(axis=1).mean(), _expect_argmax),
        Op("nanmean", lambda y: da.nanmean(y), _expect_mean),
    )
}


def expected(op: str, n: int) -> tuple[float, float]:
    """Exact expectation and standard error of one result.

    Parameters
    ----------
    op : str
        A name of `OPS`.
    n : int
        Side of the array *before* thinning out, at least 1.

    Returns
    -------
    value, stderr : float
    """
    return OPS[op].expect((n + 1) // 2)


def verdict(value: float, expectation: float, stderr: float) -> str:
    """Whether a value is within six standard errors (and the rounding of a sum) of its expectation.

    Parameters
    ----------
    value, expectation, stderr : float

    Returns
    -------
    str
        "ok", or "WRONG"; a NaN is wrong.
    """
    room = MAX_SIGMA * stderr + _ROUNDING * abs(expectation)
    return "ok" if abs(value - expectation) <= room else "WRONG"


def type_name(chunk: Any) -> str:
    """Library and name of a chunk's type, as in "numpy.ndarray"."""
    kind = type(chunk)
    return f"{kind.__module__.partition('.')[0]}.{kind.__qualname__}"


def chunk_types(y: Any, count: int) -> Any:
    """A lazy list of the types of the first `count` chunks in the first row of chunks of `y`."""
    ends = list(accumulate(y.chunks[1][:count], initial=0))
    row = [y[: y.chunks[0][0], begin:end] for begin, end in pairwise(ends)]
    return dask.delayed(list)([dask.delayed(type_name)(chunk) for chunk in row])


def warm_up(ops: Iterable[str], like: str, seed: int, chunk: int) -> None:
    """Run every operation once on four chunks, in this process: imports, CUDA context, kernels.

    An operation that fails here fails again when it is measured, and is reported there.

    Parameters
    ----------
    ops : iterable of str
    like : str
        "numpy" or "cupy".
    seed : int
    chunk : int
        Side of a chunk. CuPy compiles other kernels for large arrays than for small ones.
    """
    for name in ops:
        with suppress(Exception):
            y = thinned(random_state(seed, like), 2 * chunk, chunk)
            float(OPS[name].build(y).compute(scheduler="synchronous"))
