"""Reductions of CuPy arrays by the kernels of this package, started on the stream and device of the caller."""

from __future__ import annotations

import logging
import math
import threading
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any

import cupy
import numpy as np

from arrayshim.kernels._layout import THREADS, WIDEST
from arrayshim.kernels.cuda.operations import Operation, operation
from arrayshim.kernels.cuda.program import OPAQUE, WORDS, Plan, plan, program

#: Arrays of fewer elements are left to CuPy, which is as fast there and need not compile anything.
SMALLEST = 1 << 15

_LOG = logging.getLogger("arrayshim")
_Kernels = tuple[Any, ...]
_compiled: dict[Any, _Kernels | None] = {}
_compiling = threading.Lock()
_BLOCK = (THREADS,)
_IN, _DDOF, _PART, _OUT = (WORDS[name] for name in ("in", "ddof", "part", "out0"))

#: Bytes between results that share memory, and most bytes of them: what CuPy's pool gives at least.
_APART, _SHARED = 64, 512


def compiled(
    known: dict[Any, _Kernels | None],
    key: Any,
    text: Callable[[], str],
    names: Sequence[str],
    instead: str = "CuPy's own function is used",
) -> _Kernels | None:
    """Kernels of a source, kept in `known`; None, said once, where it does not compile.

    Parameters
    ----------
    known : dict
    key : hashable
        In `known`, its last part being what is said to have failed.
    text : callable
        Makes the source.
    names : sequence of str
        Of the kernels.
    instead : str
        What is done where it does not compile, for what is said.
    """
    try:
        return known[key]
    except KeyError:
        pass
    with _compiling:
        if key not in known:
            try:
                module = cupy.RawModule(code=text(), options=("-std=c++17",))
                known[key] = tuple(module.get_function(name) for name in names)
            except Exception as error:  # NVRTC absent, too old, or a device that it does not know
                reason = (str(error).strip() or type(error).__name__).splitlines()[0]
                _LOG.warning("%s was not compiled (%s); %s", key[-1], reason, instead)
                known[key] = None
    return known[key]


def _kernels(code: str, reads: str, width: int, across: bool, large: bool) -> _Kernels | None:
    """The two stages of an operation."""
    key = (width, across, large, code)
    if key in _compiled:
        return _compiled[key]
    text = partial(program, code, reads, width, across=across, large=large)
    return compiled(_compiled, key, text, ("stage1", "stage2"))


@lru_cache(maxsize=1024)
def _kept(shape: tuple[int, ...], axes: tuple[int, ...], keepdims: bool) -> tuple[int, ...]:
    """The shape of a result."""
    return tuple(1 if i in axes else n for i, n in enumerate(shape) if keepdims or i not in axes)


@lru_cache(maxsize=1024)
def _places(
    shape: tuple[int, ...], dtypes: tuple[np.dtype[Any], ...], tails: tuple[tuple[int, ...], ...]
) -> tuple[tuple[tuple[int, ...], np.dtype[Any], int], ...]:
    """Shape and dtype of each result, and where it begins in the memory of all of them."""
    found, begin = [], 0
    for dtype, tail in zip(dtypes, tails, strict=False):
        found.append((shape + tail, dtype, begin))
        begin += -(-math.prod(shape + tail) * dtype.itemsize // _APART) * _APART
    return (*found, ((), np.dtype(np.uint8), begin))


def _results(shape: tuple[int, ...], found: Operation, tails: Sequence[tuple[int, ...]]) -> list[Any]:
    """Arrays for the results; small ones share what the pool of memory gives for one of them."""
    *places, (_, _, size) = _places(shape, found.results, tuple(tails))
    if len(places) == 1 or size > _SHARED:
        return [cupy.ndarray(shape, dtype) for shape, dtype, _ in places]
    memory = cupy.cuda.alloc(size)
    return [cupy.ndarray(shape, dtype, memory + begin) for shape, dtype, begin in places]


def reduce(
    x: Any,
    name: str,
    axes: tuple[int, ...],
    *,
    keepdims: bool = False,
    dtype: Any = None,
    ddof: float = 0.0,
    index: tuple[int, ...] | None = None,
    first: int = 0,
    tails: Sequence[tuple[int, ...]] = ((), (), ()),
    smallest: int | None = None,
) -> list[Any] | None:
    """Reduce a CuPy array.

    Parameters
    ----------
    x : cupy.ndarray
    name : str
        Of an operation, a key of `arrayshim.kernels.cuda.operations.RULES`.
    axes : tuple of int
        Normalised.
    keepdims : bool
    dtype : dtype, optional
        That the caller asked for.
    ddof : float
    index, first
        Of indices, as in `arrayshim.kernels._layout.walk`.
    tails : sequence of tuple of int
        Axes that each result has behind those of the array.
    smallest : int, optional
        In place of `SMALLEST`.

    Returns
    -------
    list of cupy.ndarray or None
        None where CuPy's own function must do it: small arrays, layouts or dtypes that the kernels lack, an array of
        another device than the current one, a compiler that fails.
    """
    if x.size < max(1, SMALLEST if smallest is None else smallest):
        return None
    found = operation(name, x.dtype, None if dtype is None else np.dtype(dtype))
    if found is None or x.data.device_id != cupy.cuda.runtime.getDevice():
        return None
    address = x.data.ptr
    way = plan(x.shape, x.strides, x.itemsize, address % WIDEST, axes, index, first)
    if way is None:
        return None
    stages = _kernels(found.code, found.reads, way.width, way.across, way.large)
    if stages is None:
        return None
    return _launch(stages, found, way, address, _kept(x.shape, axes, keepdims), tails, ddof)


def _launch(
    stages: _Kernels,
    found: Operation,
    way: Plan,
    address: int,
    shape: tuple[int, ...],
    tails: Sequence[tuple[int, ...]],
    ddof: float,
) -> list[Any]:
    results = _results(shape, found, tails)
    words = way.parameter.copy()
    words[_IN] = address + way.start
    words[_DDOF : _DDOF + 1].view(np.float64)[0] = ddof
    words[_OUT : _OUT + len(results)] = [result.data.ptr for result in results]
    if way.scratch:
        # The pool hands memory on in the order of the stream, so it may be let go before the kernels have run.
        scratch = cupy.cuda.alloc(way.scratch)
        words[_PART] = scratch.ptr
    given = (words.view(OPAQUE),)
    stages[0](way.first, _BLOCK, given)
    if way.second[0]:
        stages[1](way.second, _BLOCK, given)
    return results
