"""The CUDA source of element streams as C++: what a device would make, made on the CPU."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from functools import partial

import pytest

from arrayshim.kernels.cuda import element

#: Threads take turns; nothing in this source waits for another thread.
PRELUDE = r"""
#include <cmath>
struct dim3_ { unsigned x, y, z; };
static dim3_ threadIdx, blockIdx, blockDim, gridDim;
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(n)
static unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned __int128)a * b >> 64;
}
static int __ffs(unsigned x) { return __builtin_ffs(x); }
static double __dmul_rn(double a, double b) { volatile double x = a * b; return x; }
static double __dadd_rn(double a, double b) { volatile double x = a + b; return x; }
static void sincos_(double x, double* s, double* c) { *s = sin(x); *c = cos(x); }
#define sincos sincos_
"""
DRIVER = r"""
extern "C" void launch%d(int which, unsigned blocks, const P* p) {
    gridDim.x = blocks;
    blockDim.x = 256;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < 256; ++threadIdx.x) %s;
}
"""
SIZE = """
extern "C" int bytes_of_parameter() { return sizeof(P); }
"""


def built(folder, types):
    """Functions that run the kernels of types of the source, by name: ``launch(which, blocks, parameter)``.

    Parameters
    ----------
    folder : Path
    types : dict
        Name -> the type, None for the words of blocks, and what defines it.
    """
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    parts = [PRELUDE, element.SOURCE, SIZE]
    for k, (code, before) in enumerate(types.values()):
        kind = f"n{k}::K"
        call = f"which == 2 ? strided<{kind}>(*p) : which ? stepped<{kind}>(*p) : run<{kind}>(*p)"
        parts.append("" if code is None else f"namespace n{k} {{ {before} typedef {code} K; }}")
        parts.append(DRIVER % (k, "all_words(*p)" if code is None else call))
    source = folder / "all.cpp"
    source.write_text("\n".join(parts))
    options = ["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-shared", "-fPIC"]
    subprocess.run(["g++", *options, "-o", source.with_suffix(".so"), source], check=True)
    library = ctypes.CDLL(str(source.with_suffix(".so")))
    assert library.bytes_of_parameter() == element.BYTES
    return {name: partial(_launch, getattr(library, f"launch{k}")) for k, name in enumerate(types)}


def _launch(launch, which, blocks, made):
    given = element.packed(made)
    launch(which, blocks, ctypes.c_void_p(given.ctypes.data))
