"""Hypothesis strategies: chunked arrays of any backend, and chains of operations on them.

>>> from hypothesis import given
>>> from arrayshim.conformance import loading, strategies
>>> @given(strategies.chunked_arrays(loading.load("strict")))
... def test_ravel(drawn):
...     assert drawn.lazy.ravel().shape == drawn.host.ravel().shape
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from .inputs import Operands
from .layouts import DTYPES
from .steps import Step, after

SMALL = st.integers(-8, 8)


@dataclass(frozen=True, slots=True)
class Chunked:
    """One array, twice.

    Parameters
    ----------
    host : numpy.ndarray
    chunks : tuple of tuple of int
    lazy : dask.array.Array
        Of chunks of the backend.
    """

    host: Any
    chunks: tuple[tuple[int, ...], ...]
    lazy: Any


@dataclass(frozen=True, slots=True)
class Chain:
    """An array and what is done to it.

    Parameters
    ----------
    start : Chunked
    steps : tuple of Step
    expected : numpy.ndarray
        What NumPy makes of it.
    """

    start: Chunked
    steps: tuple[Step, ...]
    expected: Any


@st.composite
def splits(draw: st.DrawFn, length: int) -> tuple[int, ...]:
    """Chunk sizes along one axis, chunks of no length and of one element among them.

    Parameters
    ----------
    length : int
        Of the axis.
    """
    cuts = sorted(draw(st.lists(st.integers(0, length), max_size=3)))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, length], strict=True))


def chunks(shape: Sequence[int]) -> st.SearchStrategy[tuple[tuple[int, ...], ...]]:
    """Chunks of an array of a shape, as dask writes them."""
    return st.tuples(*(splits(length) for length in shape))


@st.composite
def host_arrays(
    draw: st.DrawFn, *, dtypes: Sequence[str] = DTYPES, min_dims: int = 0, max_dims: int = 3, max_side: int = 6
) -> Any:
    """Small ndarrays of small numbers, which float16 holds exactly.

    Parameters
    ----------
    dtypes : sequence of str
    min_dims, max_dims : int
        Bounds of the number of axes.
    max_side : int
        Of the length of an axis, which may be 0.
    """
    dtype = np.dtype(draw(st.sampled_from(list(dtypes))))
    shape = tuple(draw(st.lists(st.integers(0, max_side), min_size=min_dims, max_size=max_dims)))
    numbers = st.integers(0, 1 if dtype.kind == "b" else 8) if dtype.kind in "bu" else SMALL
    size = int(np.prod(shape))
    values = np.array(draw(st.lists(numbers, min_size=size, max_size=size)), dtype="i8")
    if dtype.kind in "fc":
        values = values / 4
    return values.astype(dtype).reshape(shape)


@st.composite
def chunked_arrays(draw: st.DrawFn, /, backend: Any, **options: Any) -> Chunked:
    """Dask arrays of chunks of a backend, with the same values in host memory.

    Parameters
    ----------
    backend : object
        As `loading.load` gives it, or your own.
    **options
        Of `host_arrays`; `dtypes` is by default what the backend says it has.
    """
    options.setdefault("dtypes", getattr(backend, "dtypes", None) or DTYPES)
    host = draw(host_arrays(**options))
    cut = draw(chunks(host.shape))
    return Chunked(host, cut, Operands(backend.to_device, backend.namespace, label=backend.name).array(host, cut))


@st.composite
def chains(
    draw: st.DrawFn,
    /,
    backend: Any,
    *,
    min_steps: int = 2,
    max_steps: int = 6,
    without: frozenset[str] = frozenset(),
    **options: Any,
) -> Chain:
    """Chains of operations, each one that NumPy does on what the one before it gave.

    Parameters
    ----------
    backend : object
    min_steps, max_steps : int
    without : frozenset of str
        Kinds of steps to leave out: those that fail alone.
    **options
        Of `host_arrays`.
    """
    start = draw(chunked_arrays(backend, **options))
    x, known, steps = start.host, True, []
    for _ in range(draw(st.integers(min_steps, max_steps))):
        possible = [step for step in after(x, known=known) if step.kind not in without]
        if not possible:
            break
        step = draw(st.sampled_from(possible))
        with np.errstate(all="ignore"):
            x = np.asarray(step.apply(np, x))
        known = known and step.kind != "select"
        steps.append(step)
        if x.size > 4096:
            break
    return Chain(start, tuple(steps), x)
