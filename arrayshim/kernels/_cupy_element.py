"""Element streams on CuPy chunks: one kernel makes the words and what is wanted of them."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from arrayshim import kernels
from arrayshim.kernels import philox
from arrayshim.kernels._places import Kind, Places, Stream
from arrayshim.kernels.cuda import element, formula, launch

_compiled: dict[Any, tuple[Any, ...] | None] = {}
_formulas: dict[Any, str | None] = {}
_NAMES = tuple(f"{name}_" for name in element.KERNELS)
#: Blocks of a launch at most: a grid walks on by its own size.
_MOST_BLOCKS = 1 << 13
_BLOCK = (element.THREADS,)


def _kernels(made: str | None) -> tuple[Any, ...] | None:
    names = ("words",) if made is None else _NAMES
    said = f"the element stream of {made or 'words'}"
    return launch.compiled(
        _compiled, (made, said), lambda: element.program(made), names, "its numbers are made by CuPy's ufuncs"
    )


def _launch(kernel: Any, made: dict[str, Any], threads: int) -> None:
    blocks = min(_MOST_BLOCKS, -(-threads // element.THREADS))
    kernel((blocks,), _BLOCK, (element.packed(made),))


def element_values(like: Any, stream: Stream, kind: Kind, places: Places) -> Any:
    """As :func:`arrayshim.kernels.philox.element_values`, for CuPy arrays."""
    made = element.parameter(stream, 0, places, kind)
    found = None if made is None else _kernels(element.code(kind))
    if made is None or found is None:
        return philox.element_values(like, stream, kind, places)
    out = cupy.empty(places.shape, kind.dtype)
    if out.size:
        made["out"] = out.data.ptr
        which, threads = element.serving(made, kind)
        _launch(found[which], made, threads)
    return out


def _formula(draw: Any, given: tuple[Any, ...], dtype: Any) -> tuple[Any, ...] | None:
    """The kernels of a formula; None where it has none."""
    if len(given) > element.MOST_GIVEN or not all(isinstance(x, int | float) for x in given):
        return None
    key = draw, len(given), dtype.char
    if key not in _formulas:
        _formulas[key] = formula.formula(*key[:2], dtype)
    text = _formulas[key]
    if text is None:
        return None
    said = f"the element stream of {draw.__name__.strip('_')}"
    return launch.compiled(
        _compiled,
        (*key, said),
        lambda: element.program("Formula", text),
        _NAMES,
        "its numbers are made by CuPy's ufuncs",
    )


def element_formula(like: Any, draw: Any, stream: Stream, places: Places, dtype: Any, given: Any) -> Any:
    """The values of a formula, by one kernel.

    Parameters
    ----------
    like : array
    draw : callable
        Of a sampler.
    stream : Stream
    places : Places
    dtype : dtype
    given : tuple
        Parameters of the formula.

    Returns
    -------
    array of ``places.shape``, or None where ufuncs must do it
    """
    made = element.parameter(stream, 0, places)
    found = None if made is None else _formula(draw, given, dtype)
    if made is None or found is None:
        return None
    out = cupy.empty(places.shape, dtype)
    if out.size:
        made["out"], made["given"] = out.data.ptr, [float(x) for x in given]
        which, threads = element.serving(made, Kind("formula", dtype))
        _launch(found[which], made, threads)
    return out


def element_blocks(like: Any, stream: Stream, attempt: int, index: Any) -> tuple[Any, Any, Any, Any]:
    """As :func:`arrayshim.kernels.philox.element_blocks`, for CuPy arrays."""
    places = index if isinstance(index, Places) else None
    size = index.size
    made = element.parameter(stream, attempt, places, count=size)
    found = None if made is None else _kernels(None)
    if made is None or found is None:
        return philox.element_blocks(like, stream, attempt, index)
    out = cupy.empty((4, size), np.uint64)
    if size:
        made["out"] = out.data.ptr
        if places is None:
            index = cupy.ascontiguousarray(index)
            made["index"] = index.data.ptr
        _launch(found[0], made, size)
    first, second, third, fourth = out
    return first, second, third, fourth


kernels.element_formula.add(cupy.ndarray, element_formula)
kernels.element_values.add(cupy.ndarray, element_values)
kernels.element_blocks.add(cupy.ndarray, element_blocks)
