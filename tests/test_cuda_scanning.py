"""Running totals: the kernels on the CPU against NumPy, over layouts, parts and dtypes."""

from __future__ import annotations

import ctypes

import cuda_on_cpu
import numpy as np
import pytest

from arrayshim.kernels.cuda import program as programs
from arrayshim.kernels.cuda import scanning
from arrayshim.kernels.cuda.operations import element, operation


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not cuda_on_cpu.available():
        pytest.skip("no g++")
    return tmp_path_factory.mktemp("scans")


def scan(folder, x, name, axis, dtype=None):
    """What `arrayshim.kernels._cupy_scans.scanned` does on a device."""
    found = operation(scanning.TOTALS[name], x.dtype, dtype)
    address = x.__array_interface__["data"][0]
    plan = scanning.plan(x.shape, x.strides, x.itemsize, address % programs.WIDEST, axis)
    if plan is None:
        return None
    result = np.full(x.shape, 77, found.results[0])
    scratch = np.full(max(plan.scratch, 1), 0xA5, "u1")
    parameter = plan.parameter.copy().view(programs.PARAMETER)
    entry = parameter[0]
    entry["in"], entry["part"], entry["out0"] = address + plan.start, scratch.ctypes.data, result.ctypes.data
    code = scanning.program(found, plan, element(result.dtype), bool(entry["inner"]))
    launch = cuda_on_cpu.library(code, folder).launch
    pointer = ctypes.c_void_p(parameter.ctypes.data)
    if plan.first[0]:
        launch(1, *plan.first, pointer)
    launch(2, *plan.second, pointer)
    return result


CASES = [("cumsum", "d"), ("cumsum", "f"), ("cumsum", "b"), ("cumsum", "?"), ("cumprod", "d"), ("nancumsum", "f")]


@pytest.mark.parametrize(("name", "char"), CASES)
def test_running_totals_are_numpys(folder, name, char):
    rng = np.random.default_rng(5)
    base = np.asarray(rng.integers(-3, 4, (3, 300, 40)) if char in "b?" else rng.normal(1, 0.1, (3, 300, 40)), char)
    if name.startswith("nan"):
        base[rng.random(base.shape) < 0.3] = np.nan
    if name == "cumprod":
        base = 1 + base / 100
    tall = np.ascontiguousarray(base.transpose(0, 2, 1))
    cases = [(base, 1), (base[:, ::-1], 1), (base[::-1, 3:, 4:], 1), (base[:, ::2, 1:39], 1), (base[1], 0)]
    cases += [(tall, 2), (tall[:, ::-2, 4:], 2), (tall[0], 1), (base.ravel(), 0), (base.ravel()[1:-1], 0)]
    for x, axis in cases:
        got = scan(folder, x, name, axis)
        want = getattr(np, name)(x, axis=axis)
        assert got is not None, (x.shape, axis)
        assert got.dtype == want.dtype
        exact = getattr(np, name)(x.astype(np.longdouble), axis=axis) if want.dtype.kind == "f" else want
        rtol = 0 if want.dtype.kind == "i" else 4 * np.finfo(want.dtype).eps if char == "f" else 1e-12
        np.testing.assert_allclose(got, exact.astype(want.dtype), rtol=rtol)


def test_parts_begin_where_those_before_end(folder):
    x = np.arange(100_000, dtype="i4") % 7
    plan = scanning.plan(x.shape, x.strides, 4, 0, 0)
    assert plan.second[1] > 4
    np.testing.assert_array_equal(scan(folder, x, "cumsum", 0), np.cumsum(x))
    x = (np.arange(2000 * 32, dtype="i2") % 7).reshape(2000, 32)
    assert scanning.plan(x.shape, x.strides, 2, 0, 0).second[1] > 16
    np.testing.assert_array_equal(scan(folder, x, "cumsum", 0), np.cumsum(x, axis=0))


def test_a_dtype_that_is_asked_for(folder):
    x = np.full((40, 40), 100, "i1")
    got = scan(folder, x, "cumsum", 0, np.dtype("f4"))
    np.testing.assert_array_equal(got, np.cumsum(x, axis=0, dtype="f4"), strict=True)
    assert operation("sum", np.dtype("f8"), np.dtype("i8")) is None


def test_layouts_that_are_not_taken():
    assert scanning.plan((40, 8), (8, 320), 8, 0, 0) is None  # written across what is read along
    assert scanning.plan((40, 8), (64, 8), 8, 0, 0) is None  # too few columns
    assert scanning.plan((8, 40), (320, 8), 8, 0, 1) is None  # too short rows
    assert scanning.plan((1, 400), (3200, 8), 8, 0, 0) is None
    assert scanning.plan((400,), (12,), 8, 0, 0) is None
    assert scanning.plan((2**32,), (8,), 8, 0, 0).large
