"""The CUDA source of element streams as C++: what a device would make, made on the CPU."""

from __future__ import annotations

import ctypes
import shutil
import subprocess

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
extern "C" void launch(int which, unsigned blocks, const P* p) {
    gridDim.x = blocks;
    blockDim.x = 256;
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < 256; ++threadIdx.x) CALL;
}
extern "C" int bytes_of_parameter() { return sizeof(P); }
"""


def builder(folder):
    """A function that compiles a type of the source, with what defines it, and keeps it."""
    if shutil.which("g++") is None:
        pytest.skip("no g++")
    made = {}

    def build(code, before=""):
        if (code, before) not in made:
            call = "words(*p)" if code is None else "which == 2 ? strided_(*p) : which ? stepped_(*p) : run_(*p)"
            source = folder / f"{len(made)}.cpp"
            source.write_text(PRELUDE + element.program(code, before) + DRIVER.replace("CALL", call))
            options = ["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-shared", "-fPIC"]
            subprocess.run(["g++", *options, "-o", source.with_suffix(".so"), source], check=True)
            made[code, before] = ctypes.CDLL(str(source.with_suffix(".so")))
            assert made[code, before].bytes_of_parameter() == element.BYTES
        return made[code, before]

    return build


def launched(launch, which, blocks, made):
    """Run one of the kernels."""
    given = element.packed(made)
    launch(which, blocks, ctypes.c_void_p(given.ctypes.data))
