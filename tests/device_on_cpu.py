"""As much of CuPy as `arrayshim.kernels.cuda.launch` asks for, in host memory: its host path without a device.

The kernels are those of `cuda_on_cpu`, or none, where what the host does for a launch is all that is asked.
"""

from __future__ import annotations

import ctypes
import importlib.util
import math
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import cuda_on_cpu
import numpy as np

from arrayshim.kernels.cuda import program as programs

LAUNCH = Path(programs.__file__).with_name("launch.py")


class Memory:
    """Bytes of the host, and a place in them."""

    def __init__(self, bytes_, begin=0):
        self.bytes, self.begin = bytes_, begin
        self.ptr = bytes_.ctypes.data + begin
        self.device_id = 0

    def __add__(self, begin):
        return Memory(self.bytes, self.begin + begin)


class ndarray:
    """An array of a device: shape, strides, dtype and where it lies."""

    def __init__(self, shape, dtype, memptr=None, strides=None):
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.size, self.itemsize, self.ndim = math.prod(shape), self.dtype.itemsize, len(shape)
        self.data = Memory(np.full(self.size * self.itemsize, 0xA5, "u1")) if memptr is None else memptr
        self.strides = strides

    def get(self):
        """The array in host memory."""
        found = self.data.bytes[self.data.begin :][: self.size * self.itemsize]
        return found.view(self.dtype).reshape(self.shape)


def of_host(x):
    """The array that lies where a NumPy array lies."""
    memory = Memory(np.empty(0, "u1"))
    memory.ptr, memory.kept = x.__array_interface__["data"][0], x
    return ndarray(x.shape, x.dtype, memory, x.strides)


def namespace(folder=None):
    """A module `cupy` whose kernels run on the CPU, compiled in `folder`; none of them does anything without one."""
    found = ModuleType("cupy")

    class RawModule:
        def __init__(self, code, options):
            self.library = cuda_on_cpu.library(code, folder) if folder else None

        def get_function(self, name):
            def start(grid, block, args):
                (words,) = args
                assert block == (256,)
                if self.library:
                    self.library.launch(int(name[-1]), *(*grid, 1)[:2], ctypes.c_void_p(words.ctypes.data))

            return start

    found.allocations = []

    def alloc(size):
        found.allocations.append(size)
        return Memory(np.full(size, 0xA5, "u1"))

    found.ndarray, found.RawModule = ndarray, RawModule
    found.empty = lambda shape, dtype: ndarray(shape, dtype)
    found.cuda = SimpleNamespace(alloc=alloc, runtime=SimpleNamespace(getDevice=lambda: 0))
    return found


def launcher(folder=None, path=LAUNCH):
    """The module that starts kernels, over such a library; its own copy, as the library is no `cupy` of others."""
    spec = importlib.util.spec_from_file_location("launch_on_cpu", path)
    module, before = importlib.util.module_from_spec(spec), sys.modules.get("cupy")
    sys.modules["cupy"] = namespace(folder)
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["cupy"]
        if before is not None:
            sys.modules["cupy"] = before
    return module
