"""What CuPy chunks came to, merged on a device: every operation of dask's trees against NumPy over the whole."""

from __future__ import annotations

import warnings

import dask.array as da
import numpy as np
import pytest

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

import cupyx  # noqa: E402

from arrayshim import kernels  # noqa: E402
from arrayshim.kernels import merging  # noqa: E402

OPS = ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax")
NANS = ("nansum", "nanprod", "nanmin", "nanmax", "nanmean", "nanvar", "nanstd", "nanargmin", "nanargmax")


@pytest.fixture
def merges(monkeypatch):
    """The operation of each merge by a kernel."""
    row, found = kernels.merged.dispatch(cupy.ndarray), []

    def counted(first, **options):
        results = row(first, **options)
        found.append((options["name"], results is not None))
        return results

    kernels.merged.add(cupy.ndarray, counted)
    yield found
    kernels.merged.add(cupy.ndarray, row)


def host_of(char, name):
    rng = np.random.default_rng(2)
    host = rng.integers(0 if char in "?BHIQ" else -3, 4, (60, 44))
    if "prod" in name:
        host = np.where(rng.random(host.shape) < 0.02, 2, 1)
    host = host.astype(char)
    if char in "fdFDe":
        host += rng.normal(0, 1e-3, host.shape).astype(char)
        if name.startswith("nan"):
            host[rng.random(host.shape) < 0.2] = np.nan
    return host


@pytest.mark.parametrize("char", ["?", "b", "i", "q", "Q", "f", "d", "F", "D"])
@pytest.mark.parametrize("name", OPS + NANS)
def test_trees_are_numpys_functions(merges, name, char):
    if char in "FD" and "arg" in name:
        pytest.skip("dask compares complex numbers otherwise than NumPy")
    host = host_of(char, name)
    for chunks, axis in (((17, 9), None), ((17, 9), 0), ((5, 44), 0), ((60, 7), 1)):
        x = da.from_array(cupy.asarray(host), chunks=chunks, name=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            lazy, want = getattr(da, name)(x, axis=axis), getattr(np, name)(host, axis=axis)
            merges.clear()
            got = lazy.compute(scheduler="sync")
        assert type(got) is type(lazy._meta) is cupy.ndarray
        assert got.dtype == lazy.dtype == want.dtype
        assert merges
        assert all(done for _, done in merges), merges
        rtol = 0 if want.dtype.kind in "biu" else 2e-5 if char in "fF" else 1e-10
        np.testing.assert_allclose(got.get(), want, rtol=rtol, atol=rtol)


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_moments(merges, order):
    host = np.random.default_rng(2).exponential(2, (60, 44))
    x = da.from_array(cupy.asarray(host), chunks=(17, 9), name=False)
    for axis in (None, 0):
        want = ((host - host.mean(axis=axis, keepdims=True)) ** order).mean(axis=axis)
        np.testing.assert_allclose(x.moment(order, axis=axis).compute(scheduler="sync").get(), want, rtol=1e-10)
    assert all(done == (order < 5) for _, done in merges)


@pytest.mark.parametrize("char", ["f", "d"])
def test_trees_are_as_exact_as_those_of_numpy(char):
    host = (np.random.default_rng(3).normal(0, 1, (3000, 700)) + {"f": 1e4, "d": 1e8}[char]).astype(char)
    exact = host.astype(np.longdouble)
    want = ((exact - exact.mean()) ** 2).mean()

    def error(array):
        return abs(float(da.from_array(array, chunks=(500, 100), name=False).var().compute(scheduler="sync")) - want)

    assert error(cupy.asarray(host)) <= max(error(host), want * np.finfo(char).eps)


def test_the_first_of_equal_extremes_of_all_chunks():
    host = np.zeros((40, 30))
    host[[3, 20, 39], [25, 2, 0]] = 5
    x = da.from_array(cupy.asarray(host), chunks=(10, 7), name=False)
    assert int(x.argmax().compute(scheduler="sync")) == host.argmax()
    np.testing.assert_array_equal(x.argmax(axis=0).compute(scheduler="sync").get(), host.argmax(axis=0))


def test_no_synchronisation(merges):
    x = da.from_array(cupy.random.RandomState(0).random_sample((400, 400)), chunks=100, name=False)
    for name in ("sum", "std", "max", "argmax"):
        lazy = getattr(da, name)(x)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # CuPy cannot promise to see all of them
            with cupyx.allow_synchronize(False):
                lazy.compute(scheduler="sync")
    assert [count for _, count in merges] == [True] * 4


def test_what_is_left_to_dask():
    piece = cupy.ones((1, 3))
    ask = {"axis": (0,), "keepdims": False}
    assert merging.merged("sum", [piece] * 33, **ask) is None
    assert merging.merged("sum", [piece, cupy.ones((1, 3), "f4")], **ask) is None
    assert merging.merged("sum", [piece, cupy.ones((1, 2))], **ask) is None
    assert merging.merged("sum", [piece, cupy.ones((1, 6))[:, ::2]], **ask) is None
    assert merging.merged("sum", [cupy.ones((2, 3))] * 2, **ask) is None
    assert merging.merged("sum", [piece[:, :0]] * 2, **ask) is None
    np.testing.assert_array_equal(merging.merged("sum", [piece] * 32, **ask)[0].get(), np.full(3, 32.0))
