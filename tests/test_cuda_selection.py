"""Selection by rank: the kernels on the CPU against NumPy's sort, over dtypes, layouts, parts and ties."""

from __future__ import annotations

import ctypes
import math
import shutil
import subprocess

import cuda_on_cpu
import numpy as np
import pytest

from arrayshim.kernels.cuda import program as programs
from arrayshim.kernels.cuda import selecting
from arrayshim.kernels.cuda.operations import element

CHARS = "?bBhHiIqQefd"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not cuda_on_cpu.available():
        pytest.skip("no g++")
    return tmp_path_factory.mktemp("selections")


@pytest.fixture(params=["one block", "parts"])
def parts(request, monkeypatch):
    """Slices in one piece, or in as many as a large one has."""
    selecting.plan.cache_clear()
    if request.param == "parts":
        for name, value in {"_SHORT": 600, "_LEAST": 512, "_TILE": 512}.items():
            monkeypatch.setattr(selecting, name, value)
    yield request.param
    selecting.plan.cache_clear()


def planned(x, axis):
    address = x.__array_interface__["data"][0]
    plan = selecting.plan(x.shape, x.strides, x.itemsize, address % programs.WIDEST, axis)
    return plan, address + plan.start


def ranked(folder, x, ranks, axis):
    """What `arrayshim.kernels._cupy_selection.ranked` does on a device."""
    plan, address = planned(x, axis)
    left = tuple(n for i, n in enumerate(x.shape) if i != axis)
    assert math.prod(left) == plan.outputs
    asked = np.ascontiguousarray(ranks, "i8")
    values = np.full((len(asked), *left), 77, x.dtype)
    scratch = np.zeros(plan.scratch(len(asked)), "u1")
    parameter = plan.narrowing.copy().view(programs.PARAMETER)
    entry = parameter[0]
    entry["in"], entry["part"], entry["out0"], entry["out2"] = (
        address,
        *(a.ctypes.data for a in (scratch, values, asked)),
    )
    entry["settling"] = 1 if asked.ndim == 1 else plan.outputs
    library = cuda_on_cpu.selecting_library(selecting.program(element(x.dtype), plan.width, len(asked)), folder)
    for _ in range(plan.passes):
        library.launch(1, plan.outputs, plan.parts, ctypes.c_void_p(parameter.ctypes.data))
    assert not scratch[plan.outputs * selecting.STATE :].any()
    return values


def top(folder, x, k, axis):
    """What `arrayshim.kernels._cupy_selection.top` does on a device."""
    plan, address = planned(x, axis)
    left = tuple(n for i, n in enumerate(x.shape) if i != axis)
    values, places = np.full((*left, abs(k)), 77, x.dtype), np.full((*left, abs(k)), -1)
    scratch, tiles = np.zeros(plan.scratch(1), "u1"), np.full(plan.outputs * plan.tiles, 2**63, "u8")
    library = cuda_on_cpu.selecting_library(selecting.top_program(element(x.dtype), plan.width, k > 0), folder)
    for stage, words in ((1, plan.narrowing), (2, plan.taking), (3, plan.taking)):
        parameter = words.copy().view(programs.PARAMETER)
        entry = parameter[0]
        entry["in"], entry["part"], entry["out2"] = address, scratch.ctypes.data, tiles.ctypes.data
        entry["out0"], entry["out1"], entry["lanes"] = values.ctypes.data, places.ctypes.data, abs(k) - 1
        for _ in range(plan.passes if stage == 1 else 1):
            blocks = plan.parts if stage == 1 else plan.tiles
            library.launch(stage, plan.outputs, blocks, ctypes.c_void_p(parameter.ctypes.data))
    return np.moveaxis(values, -1, axis), np.moveaxis(places, -1, axis)


def data(char, shape, seed=3):
    """Numbers with ties, of all sizes; of floats also the special ones."""
    rng = np.random.default_rng(seed)
    if char in "efd":
        with np.errstate(over="ignore"):
            x = (rng.normal(0, 1, shape) * 10.0 ** rng.integers(-6, 7, shape)).astype(char)
        special = np.array([np.nan, -np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0], char)
        return np.where(rng.random(shape) < 0.1, special[rng.integers(0, 7, shape)], x)
    if char == "?":
        return rng.random(shape) < 0.3
    about = np.iinfo(char)
    x = rng.integers(about.min, about.max, shape, char, endpoint=True)
    return np.where(rng.random(shape) < 0.3, x.flat[0], x)


def layouts(x):
    """Arrays of three axes, and the one along which their elements lie one behind the other."""
    yield x, 2
    yield x[::-1, :, 3:], 2
    yield x[:, ::-1, 1:-1].transpose(2, 0, 1), 0
    yield np.broadcast_to(x[:1], x.shape), 2
    yield x[0, 0], 0
    yield x[:1, :1, :1], 2


@pytest.mark.parametrize("char", CHARS)
def test_ranks_are_those_of_a_sort(folder, parts, char):
    for x, axis in layouts(data(char, (2, 2, 770))):
        n = x.shape[axis]
        for ranks in ([(n - 1) // 2, n // 2], [n - 1, 0, n // 3, n // 4]):
            want = np.take(np.sort(x, axis=axis), ranks, axis=axis)
            np.testing.assert_array_equal(ranked(folder, x, ranks, axis), np.moveaxis(want, axis, 0), strict=True)


def test_each_slice_has_its_own_ranks(folder, parts):
    x = data("d", (3, 4, 1100))
    ranks = np.random.default_rng(1).integers(0, 1100, (2, 3, 4))
    want = np.moveaxis(np.take_along_axis(np.sort(x, axis=2), np.moveaxis(ranks, 0, -1), axis=2), -1, 0)
    np.testing.assert_array_equal(ranked(folder, x, ranks, 2), want)
    got = ranked(folder, x[::-1], ranks[:, ::-1], 2)
    np.testing.assert_array_equal(got, want[:, ::-1])


@pytest.mark.parametrize("char", "?bHiqefd")
def test_the_first_of_the_top(folder, parts, char):
    for x, axis in layouts(data(char, (2, 1, 770))):
        n = x.shape[axis]
        order = np.argsort(x, axis=axis, kind="stable")
        for k in sorted({min(5, n), -min(300, n), n}):
            values, places = top(folder, x, k, axis)
            np.testing.assert_array_equal(np.take_along_axis(x, places, axis), values, strict=True)
            # In the order of their places, each once.
            assert (np.diff(places, axis=axis) > 0).all()
            np.testing.assert_array_equal(
                np.sort(values, axis=axis), np.take(np.sort(x, axis=axis), range(n)[-k:] if k > 0 else range(-k), axis)
            )
            if k < 0 and char not in "efd":
                want = np.sort(np.take(order, range(-k), axis), axis=axis)
                np.testing.assert_array_equal(places, want)


def test_of_equal_ones_the_first_are_taken(folder, parts):
    x = np.tile(np.array([3, 1, 2, 1, 3], "i4"), 500)
    for k, want in ((7, np.flatnonzero(x == 3)[:7]), (-900, np.flatnonzero(x == 1)[:900])):
        np.testing.assert_array_equal(top(folder, x, k, 0)[1], want)
    want = np.sort(np.concatenate([np.flatnonzero(x == 3), np.flatnonzero(x == 2)[:10]]))
    np.testing.assert_array_equal(top(folder, x, 1010, 0)[1], want)


@pytest.mark.parametrize("char", "?bHeifqd")
def test_keys_have_the_order_of_the_numbers(folder, char):
    """Every number of two bytes or fewer, and some of more, each in its place."""
    size = np.dtype(char).itemsize
    words = np.arange(2 ** (8 * size), dtype=f"u{size}") if size <= 2 else np.random.default_rng(1).bytes(8 * 3000)
    x = np.frombuffer(words, char) if size > 1 or char != "?" else np.array([True, False])
    order = np.sort(x)
    n = len(order)
    step = max(1, n // 60)
    for first in range(0, n - 3 * step, 4 * step):
        ranks = [first, first + step, first + 2 * step, first + 3 * step]
        np.testing.assert_array_equal(ranked(folder, x, ranks, 0), order[ranks])


def test_plans_cover_every_element_once():
    for n in (1, 5, 4096, 65_535, 65_536, 1_000_001, 100_000_000):
        for outputs in (1, 3, 264):
            if n * outputs > selecting.MOST:
                continue
            plan = selecting.plan((outputs, n), (8 * n, 8), 8, 0, 1)
            for words, parts in ((plan.narrowing, plan.parts), (plan.taking, plan.tiles)):
                entry = words.view(programs.PARAMETER)[0]
                assert entry["segments"] == parts
                assert (parts - 1) * entry["length"] < n <= parts * entry["length"]
                assert entry["length"] % (programs.THREADS * plan.width) == 0
                assert parts < 2**16


def test_what_is_taken():
    assert all(selecting.known(np.dtype(char)) for char in CHARS)
    assert not any(selecting.known(np.dtype(char)) for char in ("F", "D", "m8[s]", "O", ">f8"))
    assert selecting.plan((40, 8), (8, 320), 8, 0, 1) is None  # not one behind the other
    assert selecting.plan((40,), (-8,), 8, 0, 0) is None
    assert selecting.plan((2**31,), (1,), 1, 0, 0) is None
    assert selecting.plan((400,), (12,), 8, 0, 0) is None
    assert [selecting.digits(size) for size in (1, 2, 4, 8)] == [(1, 256), (2, 256), (3, 2048), (6, 2048)]


def test_it_compiles_for_a_device(tmp_path):
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    for k, (reads, width) in enumerate([("f64", 2), ("f16", 8), ("b1", 16)]):
        for j, code in enumerate((selecting.program(reads, width, 4), selecting.top_program(reads, width, True))):
            source = tmp_path / f"{k}{j}.cu"
            source.write_text(code)
            command = [nvcc, "-std=c++17", "-arch=sm_90", "-cubin", "-o", source.with_suffix(".cubin"), source]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr[-2000:]
