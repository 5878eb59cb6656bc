"""Arrays of random numbers by the kernels of this package, drawn on the stream and device of the caller."""

from __future__ import annotations

from functools import cache
from typing import Any

import cupy
import numpy as np

from arrayshim.kernels.cuda import launch
from arrayshim.kernels.cuda.draw_program import KERNELS, PARAMETER, THREADS, Kernel, blocks_of, parameter, program

_compiled: dict[Any, tuple[Any, ...] | None] = {}
_BLOCK = (THREADS,)


def _compile(kernel: Kernel) -> Any:
    """The kernel, ready to start; None, said once, where it does not compile."""
    found = launch.compiled(
        _compiled,
        (kernel, f"fill<{kernel.code}>"),
        lambda: program(kernel),
        ("draw",),
        "CuPy's own generators are used",
    )
    return None if found is None else found[0]


@cache
def _most_blocks(device: int) -> int:
    """As many thread blocks as keep a device busy; each goes on to the next place when it is done."""
    return 16 * int(cupy.cuda.runtime.deviceGetAttribute(cupy.cuda.runtime.cudaDevAttrMultiProcessorCount, device))


def available(name: str, itemsize: int) -> bool:
    """Whether a kernel compiles here.

    Parameters
    ----------
    name : str
    itemsize : int
        A key of `arrayshim.kernels.cuda.draw_program.KERNELS` together.
    """
    return _compile(KERNELS[name, itemsize]) is not None


def fill(out: Any, name: str, *, key: int, stream: int, block: int, grid: int = 0, **numbers: Any) -> int:
    """Write a draw into an array.

    Parameters
    ----------
    out : cupy.ndarray
        C-contiguous, of the current device, its first value at a multiple of 16 bytes.
    name : str
        Distribution, the first part of a key of `KERNELS`; `available` has said yes.
    key, stream, block : int
        Whose numbers, and the first block of words.
    grid : int, optional
        Thread blocks at most; the numbers do not depend on it.
    **numbers
        As :func:`arrayshim.kernels.cuda.draw_program.parameter` takes them.

    Returns
    -------
    int
        How many blocks of words were taken.
    """
    kernel = KERNELS[name, out.itemsize]
    taken = blocks_of(kernel, out.size)
    if taken:
        given = parameter(out.data.ptr, out.size, block, key, stream, **numbers)
        most = grid or _most_blocks(cupy.cuda.runtime.getDevice())
        blocks = min(most, -(-taken // THREADS))
        _compile(kernel)((blocks,), _BLOCK, (np.frombuffer(given, PARAMETER),))
    return taken
