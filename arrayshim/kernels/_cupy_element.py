"""Element streams on CuPy chunks: one kernel makes the words and what is wanted of them."""

from __future__ import annotations

import threading
from typing import Any

import cupy
import numpy as np

from arrayshim import kernels
from arrayshim.kernels import philox
from arrayshim.kernels._places import Kind, Places, Stream
from arrayshim.kernels.cuda import element

_compiled: dict[str | None, tuple[Any, ...]] = {}
_compiling = threading.Lock()
#: Blocks of a launch at most: a grid walks on by its own size.
_MOST_BLOCKS = 1 << 13
_BLOCK = (element.THREADS,)


def _kernels(made: str | None) -> tuple[Any, ...]:
    try:
        return _compiled[made]
    except KeyError:
        pass
    with _compiling:
        if made not in _compiled:
            module = cupy.RawModule(code=element.program(made), options=("-std=c++17",))
            names = ("words",) if made is None else tuple(f"{name}_" for name in element.KERNELS)
            _compiled[made] = tuple(module.get_function(name) for name in names)
    return _compiled[made]


def _launch(kernel: Any, made: dict[str, Any], threads: int) -> None:
    blocks = min(_MOST_BLOCKS, -(-threads // element.THREADS))
    kernel((blocks,), _BLOCK, (element.packed(made),))


def element_values(like: Any, stream: Stream, kind: Kind, places: Places) -> Any:
    """As :func:`arrayshim.kernels.philox.element_values`, for CuPy arrays."""
    made = element.parameter(stream, 0, places, kind)
    if made is None:
        return philox.element_values(like, stream, kind, places)
    out = cupy.empty(places.shape, kind.dtype)
    if out.size:
        made["out"] = out.data.ptr
        which, threads = element.serving(made, kind)
        _launch(_kernels(element.code(kind))[which], made, threads)
    return out


def element_blocks(like: Any, stream: Stream, attempt: int, index: Any) -> tuple[Any, Any, Any, Any]:
    """As :func:`arrayshim.kernels.philox.element_blocks`, for CuPy arrays."""
    places = index if isinstance(index, Places) else None
    size = index.size
    made = element.parameter(stream, attempt, places, count=size)
    if made is None:
        return philox.element_blocks(like, stream, attempt, index)
    out = cupy.empty((4, size), np.uint64)
    if size:
        made["out"] = out.data.ptr
        if places is None:
            index = cupy.ascontiguousarray(index)
            made["index"] = index.data.ptr
        (kernel,) = _kernels(None)
        _launch(kernel, made, size)
    first, second, third, fourth = out
    return first, second, third, fourth


kernels.element_values.add(cupy.ndarray, element_values)
kernels.element_blocks.add(cupy.ndarray, element_blocks)
