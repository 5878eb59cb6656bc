"""The CUDA source of the random numbers run on the CPU: g++ compiles it, as `cuda_on_cpu` does with the reductions."""

from __future__ import annotations

import ctypes
import hashlib
import subprocess
import tempfile
from functools import cache
from pathlib import Path

import cuda_on_cpu
import numpy as np

from arrayshim.kernels.cuda import draw_program as programs

PRELUDE = r"""
#include <cstring>
#define __align__(n) alignas(n)
#define __constant__ static
static dim3_ gridDim;
template <class To, class From> static inline To bits_(From x) { To y; std::memcpy(&y, &x, sizeof y); return y; }
static inline long long __double_as_longlong(double x) { return bits_<long long>(x); }
static inline double __longlong_as_double(long long x) { return bits_<double>(x); }
static inline int __float_as_int(float x) { return bits_<int>(x); }
static inline float __int_as_float(int x) { return bits_<float>(x); }
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
"""

DRIVER = r"""
static P now_;
static void (*kernel_)();
static bool done_[256];
static void thread_() { kernel_(); done_[threadIdx.x] = true; }
static void run_(unsigned grid) {
    static char* stacks = (char*)malloc(256 << 16);
    gridDim.x = grid;
    for (blockIdx.x = 0; blockIdx.x < grid; ++blockIdx.x) {
        for (int t = 0; t < 256; ++t) {
            done_[t] = false;
            getcontext(&threads_[t]);
            threads_[t].uc_stack.ss_sp = stacks + (t << 16);
            threads_[t].uc_stack.ss_size = 1 << 16;
            threads_[t].uc_link = &home_;
            makecontext(&threads_[t], thread_, 0);
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
extern "C" void philox_words(const P* p, u32 attempt, u32* out) {
    Words w = philox(p->block, attempt, *p);
    for (int i = 0; i < 4; ++i) out[i] = w.w[i];
}
extern "C" double minus_log8(u64 U) { return minus_log(U, LOGS); }
extern "C" double minus_log4(u64 U) { return minus_log((u32)(U >> 32), (u32)U); }
extern "C" int bytes_of_parameter() { return sizeof(P); }
"""


def available() -> bool:
    return cuda_on_cpu.available()


def symbol(name: str, size: int) -> str:
    return f"draw_{name}_{size}"


@cache
def library() -> ctypes.CDLL:
    source = programs.source()
    launchers = "".join(
        f"static void one_{symbol(*key)}() {{ fill<{kernel.code}>(now_); }}\n"
        f'extern "C" void {symbol(*key)}(const P* p, unsigned grid) '
        f"{{ now_ = *p; kernel_ = one_{symbol(*key)}; run_(grid); }}\n"
        for key, kernel in programs.KERNELS.items()
    )
    text = f"{cuda_on_cpu.PRELUDE}{PRELUDE}{source}{DRIVER}{launchers}"
    folder = Path(tempfile.gettempdir()) / f"arrayshim-draw-{hashlib.sha1(text.encode()).hexdigest()[:16]}"
    folder.mkdir(exist_ok=True)
    path = folder / "draw.so"
    if not path.exists():
        (code := folder / "draw.cpp").write_text(text)
        made = Path(tempfile.mkdtemp(dir=folder)) / "draw.so"
        options = ["-std=c++17", "-O1", "-w", "-ffp-contract=off", "-fno-strict-aliasing", "-shared", "-fPIC"]
        subprocess.run(["g++", *options, "-o", made, code], check=True)
        made.rename(path)  # another process may compile the same at the same time
    found = ctypes.CDLL(str(path))
    assert found.bytes_of_parameter() == programs.PARAMETER.itemsize
    return found


def words(block: int, attempt: int, stream: int, key: int) -> list[int]:
    """One block of Philox4x32-10."""
    out = np.zeros(4, np.uint32)
    given = np.frombuffer(programs.parameter(0, 0, block, key, stream), np.uint8)
    library().philox_words(
        ctypes.c_void_p(given.ctypes.data), ctypes.c_uint32(attempt), ctypes.c_void_p(out.ctypes.data)
    )
    return out.tolist()


def minus_log(dtype: str, word: int) -> float:
    """The logarithm that normals and exponentials of a dtype are made of, of a word of 64 bits."""
    function = getattr(library(), f"minus_log{np.dtype(dtype).itemsize}")
    function.restype = ctypes.c_double
    return function(ctypes.c_uint64(word))


def draw(name: str, dtype, count: int, *, key: int = 1, stream: int = 0, block: int = 0, grid: int = 1, **numbers):
    """What `arrayshim.kernels.cuda.draw.fill` writes on a device."""
    room = np.full(count * np.dtype(dtype).itemsize + 32, 0xA5, np.uint8)
    start = -room.ctypes.data % 16
    given = np.frombuffer(programs.parameter(room.ctypes.data + start, count, block, key, stream, **numbers), np.uint8)
    getattr(library(), symbol(name, np.dtype(dtype).itemsize))(ctypes.c_void_p(given.ctypes.data), grid)
    end = start + count * np.dtype(dtype).itemsize
    assert (room[end:] == 0xA5).all()  # nothing is written behind the array
    return room[start:end].view(dtype).copy()
