"""The CUDA source run on the CPU: g++ compiles it, and the threads of a block are contexts that take turns at barriers.

What it shows is the arithmetic, the indices and the barriers of the kernels; not the memory model of a device.
"""

from __future__ import annotations

import ctypes
import hashlib
import math
import shutil
import subprocess
from pathlib import Path

import numpy as np

from arrayshim.kernels.cuda import program as programs
from arrayshim.kernels.cuda.operations import operation

PRELUDE = r"""
#include <cmath>
#include <cstdlib>
#include <ucontext.h>
struct dim3_ { unsigned x, y, z; };
static dim3_ threadIdx, blockIdx;
#define __device__
#define __global__
#define __forceinline__ inline
#define __launch_bounds__(n)
#define __shared__ static
static ucontext_t home_, threads_[256];
static void __syncthreads() { swapcontext(&threads_[threadIdx.x], &home_); }
template <class T> static T atomicAdd(T* p, T v) { T old = *p; *p += v; return old; }
static void __syncwarp() { __syncthreads(); }
static void __threadfence() {}
"""

HALVES = r"""
static inline float widen(f16 h) { _Float16 x; __builtin_memcpy(&x, &h, 2); return (float)x; }
static inline f16 narrow(float f) { _Float16 x = (_Float16)f; f16 h; __builtin_memcpy(&h, &x, 2); return h; }
static inline f16 narrow(double f) { _Float16 x = (_Float16)f; f16 h; __builtin_memcpy(&h, &x, 2); return h; }
"""

DRIVER = r"""
static const P* now_;
static bool done_[256];
static void thread1() { stage1(*now_); done_[threadIdx.x] = true; }
static void thread2() { stage2(*now_); done_[threadIdx.x] = true; }
extern "C" void launch(int stage, unsigned gx, unsigned gy, const P* p) {
    static char* stacks = (char*)malloc(256 << 16);
    now_ = p;
    for (blockIdx.y = 0; blockIdx.y < gy; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < gx; ++blockIdx.x) {
            for (int t = 0; t < 256; ++t) {
                done_[t] = false;
                getcontext(&threads_[t]);
                threads_[t].uc_stack.ss_sp = stacks + (t << 16);
                threads_[t].uc_stack.ss_size = 1 << 16;
                threads_[t].uc_link = &home_;
                makecontext(&threads_[t], stage == 1 ? thread1 : thread2, 0);
            }
            for (bool left = true; left;) {
                left = false;
                for (int t = 0; t < 256; ++t)
                    if (!done_[t]) {
                        threadIdx.x = t;
                        swapcontext(&home_, &threads_[t]);
                        left |= !done_[t];
                    }
            }
        }
}
extern "C" int bytes_of_parameter() { return sizeof(P); }
extern "C" int bytes_of_acc() { return sizeof(Op::Acc); }
"""


#: The driver for a kernel with more arguments than its struct.
BINS = (
    DRIVER.partition('extern "C" int bytes_of_acc')[0]
    .replace("stage1(*now_)", "stage1(*now_, edges_, bins_, copies_, counts_)")
    .replace("stage2(*now_)", "(void)0")
    .replace(
        "static const P* now_;",
        """static const P* now_; static const double* edges_; static u64 bins_, copies_; static u64* counts_;
extern "C" void bins(const double* e, u64 b, u64 c, u64* n) { edges_ = e; bins_ = b; copies_ = c; counts_ = n; }
""",
    )
)

#: The driver for a third kernel.
SELECTS = (
    DRIVER.partition('extern "C" int bytes_of_acc')[0]
    .replace("stage == 1 ? thread1 : thread2", "stage == 1 ? thread1 : stage == 2 ? thread2 : thread3")
    .replace(
        'extern "C" void launch',
        'static void thread3() { stage3(*now_); done_[threadIdx.x] = true; }\nextern "C" void launch',
    )
)

FOLDS = r"""
extern "C" void launch(unsigned blocks, const Q* q) {
    for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
        for (threadIdx.x = 0; threadIdx.x < 256; ++threadIdx.x) fold(*q);
}
extern "C" int bytes_of_parameter() { return sizeof(Q); }
"""


def available() -> bool:
    return shutil.which("g++") is not None


def built(code: str, driver: str, folder: Path) -> ctypes.CDLL:
    head, marker, tail = code.partition("// What a dtype is computed with")
    text = f"{PRELUDE}{head}{HALVES}{marker}{tail}{driver}"
    path = folder / f"{hashlib.sha1(text.encode()).hexdigest()}.so"
    if not path.exists():
        source = path.with_suffix(".cpp")
        source.write_text(text)
        subprocess.run(
            ["g++", "-std=c++17", "-O0", "-w", "-fno-strict-aliasing", "-shared", "-fPIC", "-o", path, source],
            check=True,
        )
    return ctypes.CDLL(str(path))


def folding_library(code: str, folder: Path) -> ctypes.CDLL:
    """The kernel that merges what chunks came to; it has no barriers."""
    return built(code, FOLDS, folder)


def binning_library(code: str, folder: Path) -> ctypes.CDLL:
    """The kernel that counts in bins."""
    return built(code, BINS, folder)


def selecting_library(code: str, folder: Path) -> ctypes.CDLL:
    """The kernels that look for ranks, and take what comes before them."""
    stages = "".join(f"static void stage{k}(const P&) {{}}\n" for k in (2, 3) if f"stage{k}(const P p)" not in code)
    return built(code, stages + SELECTS, folder)


def library(code: str, folder: Path) -> ctypes.CDLL:
    found = built(code, DRIVER, folder)
    assert found.bytes_of_parameter() == programs.PARAMETER.itemsize
    assert found.bytes_of_acc() <= programs.SCRATCH
    return found


def reduce(folder, x, name, axes, *, dtype=None, ddof=0.0, index=None, first=0, tails=(), large=False):
    """What `arrayshim.kernels.cuda.launch.reduce` does on a device; results without the reduced axes."""
    found = operation(name, x.dtype, dtype)
    address = x.__array_interface__["data"][0]
    plan = programs.plan(x.shape, x.strides, x.itemsize, address % programs.WIDEST, axes, index, first)
    code = programs.program(found.code, found.reads, plan.width, across=plan.across, large=plan.large or large)
    kept = tuple(n for i, n in enumerate(x.shape) if i not in axes)
    results = [np.empty(kept + tail, dt) for dt, tail in zip(found.results, tails or [()] * 3, strict=False)]
    for result in results:
        result.view("u1").fill(0xA5) if result.ndim else result.fill(77)
    scratch = np.full(max(plan.scratch, 1), 0xA5, "u1")
    parameter = plan.parameter.copy().view(programs.PARAMETER)
    entry = parameter[0]
    entry["in"], entry["part"], entry["ddof"] = address + plan.start, scratch.ctypes.data, ddof
    for k, result in enumerate(results):
        entry[f"out{k}"] = result.ctypes.data
    launch = library(code, folder).launch
    pointer = ctypes.c_void_p(parameter.ctypes.data)
    launch(1, *plan.first, pointer)
    if plan.second[0]:
        launch(2, plan.second[0], 1, pointer)
    assert math.prod(kept) == plan.outputs
    return results
