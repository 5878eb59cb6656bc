"""The graphs of `choice` and `permutation` where it is not NumPy that draws."""

from __future__ import annotations

from itertools import product
from numbers import Integral
from typing import Any

import numpy as np
from dask._task_spec import Task, TaskRef
from dask.array.core import Array, asarray, from_array, normalize_chunks
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from arrayshim.kernels import discrete
from arrayshim.kernels.distributions import sized
from arrayshim.kernels.source import Source
from arrayshim.random._makers import Maker, seeds_of, token_of
from arrayshim.residency import is_device, moved, to_host


def chosen(
    rng: Any, maker: Maker, a: Any, size: Any, replace: bool, p: Any, axis: int, shuffle: bool, chunks: Any
) -> Any:
    """``rng.choice(a, ...)``, drawn by `maker`.

    Parameters
    ----------
    a : int, array_like, dask array or device array
        Data in host memory go where the numbers are drawn.
    p : array_like, dask array or device array, optional
        Looked at here if it is in host memory, else by each task, which waits for it.
    size, replace, axis, shuffle, chunks
        As in dask.

    Returns
    -------
    dask array

    Raises
    ------
    ValueError
        NumPy's and dask's, for what is known.
    NotImplementedError
        dask's, for ``replace=False`` with several chunks.
    """
    count_of = isinstance(a, Integral)
    population: Any = None if count_of else _whole(a, "a")
    n = int(a) if count_of else population.shape[0]
    if n < 0:
        raise ValueError("a must be greater than 0")
    p, weights = _probabilities(p, n)
    if axis != 0:
        raise ValueError("axis must be 0 since a is one dimensional")
    shape = () if size is None else sized(size)
    chunks = normalize_chunks(chunks, shape, dtype=np.float64)
    if not replace and any(len(c) > 1 for c in chunks):
        raise NotImplementedError(
            "replace=False is not currently supported for dask.array.choice with multi-chunk output arrays"
        )
    if maker.lends:
        _check(rng, n, int(np.prod(shape, dtype=np.int64)), replace, p)
    sizes, blocks = list(product(*chunks)), list(product(*(range(len(c)) for c in chunks)))
    seeds = seeds_of(rng, len(sizes))
    drawn = choose(maker, seeds[0], 1, (0,) * len(shape), True, None, shuffle, None)
    lazies = [x for x in (population, weights) if x is not None]
    what = n if count_of else population.name
    named = p if weights is None else weights.name
    name = f"da.random.choice-{tokenize(token_of(seeds), maker, chunks, what, replace, named, shuffle)}"
    data = n if population is None else TaskRef((population.name, 0))
    odds = p if weights is None else TaskRef((weights.name, 0))
    graph = {}
    for block, part, seed in zip(blocks, sizes, seeds, strict=True):
        key = (name, *block)
        graph[key] = Task(key, choose, maker, seed, data, part, replace, odds, shuffle, drawn)
    if count_of:
        meta = drawn
    elif is_device(population):
        meta = np.empty_like(population._meta, shape=(0,) * len(shape) if shape else ())
    else:
        meta = np.empty_like(drawn, dtype=population.dtype)
    return Array(HighLevelGraph.from_collections(name, graph, dependencies=lazies), name, chunks, meta=meta)


def _whole(x: Any, name: str) -> Any:
    """A vector as a dask array of one block."""
    lazy = from_array(x, chunks=x.shape, asarray=False) if is_device(x) and not isinstance(x, Array) else asarray(x)
    if lazy.ndim != 1:
        raise ValueError(f"{name} must be one dimensional")
    return lazy.rechunk(lazy.shape)


def _probabilities(p: Any, n: int) -> tuple[Any, Any]:
    """Probabilities that are in host memory, as an ndarray, and those that are not, as a dask array."""
    if p is None:
        return None, None
    host: Any = None
    weights: Any = None
    if isinstance(p, Array) or is_device(p):
        weights = _whole(p, "p")
    else:
        host = np.asarray(p)
        if not np.isclose(host.sum(), 1, rtol=1e-7, atol=0):
            raise ValueError("probabilities do not sum to 1")
        if host.ndim != 1:
            raise ValueError("p must be one dimensional")
    if (weights if host is None else host).shape != (n,):
        raise ValueError("a and p must have the same size")
    return host, weights


def _check(rng: Any, n: int, count: int, replace: bool, p: Any) -> None:
    """Raise what NumPy would say of the numbers."""
    from dask.array.random import RandomState

    host: Any = np.random.RandomState(0) if isinstance(rng, RandomState) else np.random.Generator(np.random.PCG64(0))
    if n < 2**63 - 1:
        host.choice(n, size=min(count, 1), p=p)
    if replace:
        return
    if count > n:
        # One of one too many, for NumPy's words.
        host.choice(1, size=2, replace=False)
    if p is not None and count > np.count_nonzero(p):
        raise ValueError("Fewer non-zero entries in p than size")


def choose(maker: Maker, seed: Any, a: Any, size: Any, replace: bool, p: Any, shuffle: bool, like: Any) -> Any:
    """The choice of one chunk; `like`: an array of those that `maker` draws, None if one is to be found out."""
    rng = maker(seed)
    n = a if isinstance(a, int) else a.shape[0]
    if maker.on_host:
        p = None if p is None else to_host(p, "choice")
        extra = {} if shuffle or not isinstance(seed, np.random.SeedSequence) else {"shuffle": False}
        index = rng.choice(n, size=size, replace=replace, p=p, **extra)
    elif not maker.lends:
        extra = {} if shuffle else {"shuffle": False}
        index = rng.choice(n, size=size, replace=replace, p=p, **extra)
    else:
        if p is not None:
            p = _checked(p, size, replace) if is_device(p) else moved(p, like, "choice")
        index = discrete.choice(Source(rng), size, n, replace, p)
    return index if isinstance(a, int) else np.take(moved(a, index, "choice"), index)


def _checked(p: Any, size: Any, replace: bool) -> Any:
    """Probabilities on a device that nobody has looked at yet; waits for four numbers."""
    found = np.stack([np.min(p), np.max(p), np.sum(p), np.count_nonzero(p).astype(p.dtype)])
    least, most, total, positive = to_host(found, "choice").tolist()
    if not least >= 0 or most != most:
        raise ValueError("probabilities are not non-negative")
    if abs(total - 1) > 1e-7:
        raise ValueError("probabilities do not sum to 1")
    if not replace and positive < np.prod(size, dtype=np.int64):
        raise ValueError("Fewer non-zero entries in p than size")
    return p


def permuted(rng: Any, maker: Maker, n: int) -> Any:
    """``rng.permutation(n)``, drawn by `maker` in one task and cut into chunks."""
    if n < 0:
        raise ValueError("maximum allowed dimension exceeded" if n >= 2**63 else "negative dimensions are not allowed")
    (seed,) = seeds_of(rng, 1)
    meta = permute(maker, seed, 0)
    name = f"permutation-{tokenize(token_of([seed]), maker, n)}"
    whole = Array({(name, 0): Task((name, 0), permute, maker, seed, n)}, name, ((n,),), meta=meta)
    return whole.rechunk(normalize_chunks("auto", (n,), dtype=np.int64))


def permute(maker: Maker, seed: Any, n: int) -> Any:
    """A permutation of the numbers below `n`."""
    rng = maker(seed)
    return discrete.permutation(Source(rng), n) if maker.lends else rng.permutation(n)


def shuffled(rng: Any, x: Any) -> Any:
    """A dask array in a random order along its first axis, by a generator whose bits are not NumPy's.

    The order is a plan of the graph, as dask has it, not data; NumPy makes it, from a seed of `rng`.
    """
    from dask.array.slicing import shuffle_slice

    index = np.arange(len(x))
    (seed,) = seeds_of(rng, 1)
    np.random.Generator(np.random.PCG64(seed)).shuffle(index)
    return shuffle_slice(x, index)
