"""The CUDA source of element streams: it compiles for a device, and on the CPU makes what NumPy chunks hold."""

from __future__ import annotations

import shutil
import subprocess

import element_on_cpu
import numpy as np
import pytest

from arrayshim import kernels
from arrayshim.kernels._places import MASK, Kind, Places, Stream
from arrayshim.kernels.cuda import element

F8, F4 = np.dtype("f8"), np.dtype("f4")
STREAM = Stream((5, MASK - 2), 7, 1, 2)
KINDS = [
    Kind("raw", np.dtype("u8")),
    Kind("raw", np.dtype("u1")),
    Kind("raw", np.dtype("u4")),
    Kind("random", F8),
    Kind("random", F8, -3.3, -1.7),
    Kind("random", F4),
    Kind("normal", F8, 2.5, 1.5),
    Kind("normal", F4),
    Kind("integers", np.dtype("i8"), low=-5, most=1000),
    Kind("integers", np.dtype("u8"), low=3, most=MASK),
    Kind("integers", np.dtype("i1"), low=-128, most=255),
    Kind("integers", np.dtype("?"), low=0, most=1),
    Kind("integers", np.dtype("i8"), low=7, most=127),
    # Lanes of which one in 330 and one in 130 is rejected.
    Kind("integers", np.dtype("i2"), low=-9, most=8166),
    Kind("integers", np.dtype("i8"), low=-9, most=42_619_671),
    Kind("integers", np.dtype("u4"), low=-9, most=42_619_671),
    Kind("integers", np.dtype("i4"), low=-5, most=2**31),
]
CODES = sorted({element.code(kind) for kind in KINDS})


@pytest.fixture(scope="module")
def launch(tmp_path_factory):
    return element_on_cpu.built(tmp_path_factory.mktemp("element"), {code: (code, "") for code in (*CODES, None)})


INDEX = np.arange(11 * 5 * 23, dtype="u8").reshape(11, 5, 23)
CUTS = [
    np.s_[:],
    np.s_[3:9, 1:4, 2:21],
    np.s_[2:, :, 7:],
    np.s_[::2, ::3, ::-1],
    np.s_[:, :, 3:4],
    np.s_[::-1, 2, ::5],
    np.s_[4, 3, 22:23],
    np.s_[:, 1:3, 5:8],
    np.s_[1:, 1:, 1::2],
    np.s_[::3, :, 2:22:3],
    np.s_[5, 2, 3:20:2],
]


def places(view, base=0):
    return Places(base + int(view.flat[0]), tuple(step // 8 for step in view.strides), view.shape)


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("base", [0, 2**63 + 5])
def test_the_kernels_make_what_numpy_makes(launch, kind, base):
    for blocks, cut in enumerate(CUTS, 1):
        at = places(INDEX[cut], base)
        expected = kernels.element_values(np.empty(0), STREAM, kind, at)
        parameter = element.parameter(STREAM, 0, at, kind)
        for which in {element.serving(parameter, kind)[0], 2}:
            # One item more in front: rows begin at every alignment.
            out = np.full(expected.size + 3, 77, kind.dtype)
            for shift in (0, 1):
                parameter["out"] = out[shift:].ctypes.data
                launch[element.code(kind)](which, blocks, parameter)
                got = out[shift : shift + expected.size].reshape(expected.shape)
                if kind.name == "normal":
                    bound = 4 * np.spacing(np.maximum(1, np.abs(expected)).astype(kind.dtype))
                    # Scaled by 2.5, which scales the last place too.
                    assert (np.abs(got - expected) <= bound * max(1, kind.scale)).all()
                else:
                    np.testing.assert_array_equal(got, expected)
                assert (out[shift + expected.size :] == out.dtype.type(77)).all()


def test_the_words_of_blocks(launch):
    for blocks, cut in enumerate(CUTS, 1):
        at = places(INDEX[cut], 2**40 + 1)
        expected = np.stack(kernels.element_blocks(np.empty(0), STREAM, 3, at))
        index = at.linear(np.empty(0))
        for given in (at, None):
            out = np.zeros_like(expected)
            parameter = element.parameter(STREAM, 3, given, count=index.size)
            parameter["out"] = out.ctypes.data
            parameter["index"] = 0 if given else index.ctypes.data
            launch[None](0, blocks, parameter)
            np.testing.assert_array_equal(out, expected)


def test_many_axes_have_no_kernel():
    shape = (2,) * 9
    assert element.parameter(STREAM, 0, Places(0, tuple(3**k for k in range(9)), shape)) is None
    assert element.parameter(STREAM, 0, Places.whole(shape)) is not None


def test_the_source_compiles_for_a_device(tmp_path):
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    calls = "\n".join(
        f"__global__ void run{k}(const P p) {{ run<{code}>(p); }}\n"
        f"__global__ void stepped{k}(const P p) {{ stepped<{code}>(p); }}\n"
        f"__global__ void strided{k}(const P p) {{ strided<{code}>(p); }}"
        for k, code in enumerate(CODES)
    )
    source = tmp_path / "all.cu"
    source.write_text(f"{element.program(None)}\n{calls}\n")
    command = [nvcc, "-std=c++17", "-arch=sm_90", "-ptx", "-o", tmp_path / "all.ptx", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
