"""The graph of random numbers whose parameters, numbers and generator may each be anywhere."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
from dask._task_spec import Task, TaskRef, parse_input
from dask.array.core import Array, broadcast_shapes, from_array, normalize_chunks
from dask.base import tokenize
from dask.highlevelgraph import HighLevelGraph

from arrayshim.kernels import samplers
from arrayshim.kernels.distributions import PARAMETERS, VECTORS, nothing, refuse, sized
from arrayshim.kernels.generic import has_nep18
from arrayshim.random._makers import Maker, seeds_of, token_of
from arrayshim.residency import is_device, moved, to_host

#: Methods that have a dtype in NumPy too, where it is looked at.
_DTYPES = frozenset(("random", "standard_normal", "standard_exponential", "standard_gamma", "integers", "randint"))


def parameter(value: Any) -> Any:
    """A parameter as a dask array, a device array, an ndarray with axes, or a Python scalar."""
    if isinstance(value, list | tuple | np.ndarray | np.generic) and not isinstance(value, np.ma.MaskedArray):
        array = np.asarray(value)
        return array if array.ndim else array.item()
    return value


def bound(name: str, args: Any, kwargs: dict[str, Any], *, lends: bool) -> tuple[str, dict[str, Any], dict[str, Any]]:
    """The method that draws, its parameters by name in order, and its options."""
    options = dict(kwargs)
    low_high = lends and name == "random_integers"
    name = "randint" if low_high else name
    order = PARAMETERS.get(name, {f"argument {i}": None for i in range(len(args))})
    given = dict(zip(order, args, strict=False))
    given.update({key: options.pop(key) for key in order if key in options})
    given = {key: given[key] for key in order if key in given}
    if given.get("high", ...) is None:
        del given["high"]
    if low_high:
        # From one to the bound, or between bounds; the last of them counts.
        last = parameter(given.get("high", given["low"]))
        # One more than the last of a narrow type is not in it.
        last = last.astype(np.int64) if hasattr(last, "astype") else last
        given = {"low": given["low"] if "high" in given else 1, "high": last + 1}
    vector = VECTORS.get(name)
    return name, {k: v if k == vector else parameter(v) for k, v in given.items()}, options


def check(rng: Any, name: str, given: dict[str, Any], options: dict[str, Any]) -> None:
    """Raise NumPy's errors for what is in host memory."""
    from dask.array.random import RandomState

    host = {k: v for k, v in given.items() if not isinstance(v, Array) and not is_device(v)}
    looked_at = ("endpoint", "method", "size", *(("dtype",) if name in _DTYPES else ()))
    seen = {k: options[k] for k in looked_at if k in options}
    legacy = isinstance(rng, RandomState)
    if legacy and name != "randint":
        seen.pop("dtype", None)
    refuse(name, host, [k for k in given if k not in host], legacy=legacy, **seen)


def drawn(
    rng: Any, name: str, args: Any, kwargs: dict[str, Any], *, size: Any, chunks: Any, extra: Any, maker: Maker
) -> Any:
    """A dask array of random numbers that are not NumPy's.

    Parameters
    ----------
    rng : dask.array.random.Generator or RandomState
    name : str
        Method of it.
    args, kwargs
        Parameters and options of the method.
    size : int, sequence of int or None
    chunks : as in dask
    extra : tuple of tuple of int
        Chunks of the axes that each number has of its own.
    maker : Maker
        Who draws.

    Returns
    -------
    dask array

    Raises
    ------
    ValueError, TypeError
        NumPy's, for parameters in host memory.
    """
    name, given, options = bound(name, args, kwargs, lends=maker.lends)
    vector = VECTORS.get(name)
    if vector == "colors" and is_device(given[vector]) and not isinstance(given[vector], Array):
        # Numbers that say what to draw of; asked for, few, and counted.
        given[vector] = to_host(given[vector], name)
    arrays = {k: v for k, v in given.items() if k != vector and (isinstance(v, Array | np.ndarray) or is_device(v))}
    size = broadcast_shapes(*{v.shape for v in arrays.values()}, *([] if size is None else [sized(size)]))
    chunks = normalize_chunks(chunks, size, dtype=options.get("dtype", np.float64))
    if maker.lends:
        check(rng, name, given, {**options, **nothing(size)})
    sizes = list(product(*chunks))
    seeds = seeds_of(rng, len(sizes))
    meta = _meta(maker, seeds[0], name, len(size), options, len(given))
    blocks = list(product(*(range(len(c)) for c in chunks)))
    lazy = {key: _blocks(value, chunks) for key, value in arrays.items()}
    if vector in given:
        lazy.update(_vector(vector, given))
    # By the names of arrays: what is on a device is not read a second time. In lists, since the token of a dict is not
    # the same in every process with dask 2025.1.
    named = {key: lazy[key].name if key in lazy else value for key, value in given.items()}
    called = f"{name}-{tokenize(token_of(seeds), maker, name, chunks, [*named.items()], sorted(options.items()))}"
    graph: dict[Any, Any] = {}
    like = meta[(slice(0, 0),) * meta.ndim] if meta.ndim else meta
    for block, shape, seed in zip(blocks, sizes, seeds, strict=True):
        key = (called, *block, *((0,) * len(extra)))
        values = [_part(lazy[k], (0,) if k == vector else block) if k in lazy else v for k, v in given.items()]
        graph[key] = Task(key, draw_chunk, maker, name, seed, shape, parse_input(values), options, like)
    layers = HighLevelGraph.from_collections(called, graph, dependencies=list(lazy.values()))
    return Array(layers, called, chunks + extra, meta=meta)


def _meta(maker: Maker, seed: Any, name: str, ndim: int, options: dict[str, Any], number: int) -> Any:
    samples = list(PARAMETERS.get(name, {}).items())[:number]
    values = [(value,) if key == VECTORS.get(name) else value for key, value in samples]
    found = _of_chunk(maker, name, seed, (0,) * ndim, values, options)
    # What was drawn would live as long as the graph does.
    return np.zeros_like(found) if has_nep18(found) else found


def _blocks(value: Any, chunks: Any) -> Any:
    """An array of parameters in blocks that meet those of the numbers; axes of length one stay."""
    lazy = value if isinstance(value, Array) else from_array(value, chunks=value.shape, asarray=False)
    ours = chunks[len(chunks) - lazy.ndim :]
    return lazy.rechunk(tuple((1,) if n == 1 else c for n, c in zip(lazy.shape, ours, strict=True)))


def _part(lazy: Any, block: tuple[int, ...]) -> Any:
    ours = block[len(block) - lazy.ndim :]
    return TaskRef((lazy.name, *(0 if n == 1 else i for n, i in zip(lazy.shape, ours, strict=True))))


def _vector(vector: str, given: dict[str, Any]) -> dict[str, Any]:
    """The vector of each number: in the tasks if it is in host memory; a whole dask array otherwise."""
    value = given[vector]
    if isinstance(value, Array) or is_device(value):
        whole = value if isinstance(value, Array) else from_array(value, chunks=value.shape, asarray=False)
        return {vector: whole.rechunk(whole.shape)}
    given[vector] = tuple(np.asarray(value).tolist())
    return {}


def draw_chunk(maker: Maker, name: str, seed: Any, size: Any, args: Any, options: Any, like: Any) -> Any:
    """The numbers of one chunk; parameters in host memory go beside them, or to the host where NumPy draws."""
    if maker.on_host:
        args = [to_host(x, name) if is_device(x) else x for x in args]
    elif maker.lends:
        args = beside(args, like, name)
    return _of_chunk(maker, name, seed, size, args, options)


def beside(args: Any, like: Any, name: str) -> list[Any]:
    """Parameters of a method where arrays like `like` are."""
    return [moved(x, like, name) if isinstance(x, np.ndarray) else x for x in args]


def _of_chunk(maker: Maker, name: str, seed: Any, size: Any, args: Any, options: Any) -> Any:
    rng = maker(seed)
    if maker.lends:
        return samplers.draw(rng, name, size, args, **options)
    return getattr(rng, name)(*args, size=size, **options)
