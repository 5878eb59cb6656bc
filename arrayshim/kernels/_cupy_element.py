"""Element streams on CuPy chunks: one kernel makes the words and what is wanted of them."""

from __future__ import annotations

from typing import Any

import cupy
import numpy as np

from arrayshim import kernels
from arrayshim.kernels import philox
from arrayshim.kernels._places import Kind, Places, Stream
from arrayshim.kernels.cuda import element, launch

_compiled: dict[Any, tuple[Any, ...] | None] = {}
#: Blocks of a launch at most: a grid walks on by its own size.
_MOST_BLOCKS = 1 << 13
_BLOCK = (element.THREADS,)


def _kernels(made: str | None) -> tuple[Any, ...] | None:
    names = ("words",) if made is None else tuple(f"{name}_" for name in element.KERNELS)
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


kernels.element_values.add(cupy.ndarray, element_values)
kernels.element_blocks.add(cupy.ndarray, element_blocks)
