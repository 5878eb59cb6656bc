"""Counting in bins: the kernel on the CPU against NumPy, over edges, dtypes and layouts."""

from __future__ import annotations

import ctypes

import cuda_on_cpu
import numpy as np
import pytest

from arrayshim.kernels.cuda import binning
from arrayshim.kernels.cuda import program as programs
from arrayshim.kernels.cuda.operations import element


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not cuda_on_cpu.available():
        pytest.skip("no g++")
    return tmp_path_factory.mktemp("bins")


def counted(folder, x, edges):
    """What `arrayshim.kernels._cupy_bins` does on a device, with edges or a number of values."""
    address = x.__array_interface__["data"][0]
    plan = programs.plan(x.shape, x.strides, x.itemsize, address % programs.WIDEST, tuple(range(x.ndim)))
    values = isinstance(edges, int)
    library = cuda_on_cpu.binning_library(binning.program(element(x.dtype), plan, values=values), folder)
    parameter = plan.parameter.copy().view(programs.PARAMETER)
    parameter[0]["in"] = address + plan.start
    counts = np.zeros(edges if values else len(edges) - 1, "i8")
    edges = np.asarray(edges, "f8")
    copies = binning.copies(counts.size, *([binning.MOST_VALUES] if values else []))
    size = ctypes.c_uint64(counts.size), ctypes.c_uint64(copies)
    library.bins(ctypes.c_void_p(edges.ctypes.data), *size, ctypes.c_void_p(counts.ctypes.data))
    library.launch(1, *plan.first, ctypes.c_void_p(parameter.ctypes.data))
    return counts


EDGES = {
    "even": np.linspace(-3, 3, 11),
    "many": np.linspace(-4, 4, 1025),
    "one": np.array([-1.0, 1.0]),
    "uneven": np.array([-3, -2.9, -2.89, 0, 0.5, 3, 100, 1e9]),
    "repeated": np.array([-1.0, 0, 0, 1, 2, 2]),
    "infinite": np.array([-np.inf, -1, 0, 1, np.inf]),
    "integers": np.arange(-3, 4),
}


@pytest.mark.parametrize("name", EDGES)
@pytest.mark.parametrize("char", ["d", "f", "e", "b", "I"])
def test_counts_are_numpys(folder, name, char):
    rng = np.random.default_rng(1)
    base = rng.integers(0 if char == "I" else -4, 5, (90, 64)).astype(char)
    if char in "dfe":
        base[::2] += rng.normal(0, 1, (45, 64)).astype(char)
        base[rng.random(base.shape) < 0.05] = np.nan
        base[3, :9] = np.inf
    edges = EDGES[name]
    for x in (base, base[::-1, 3:], base.T, base[:, ::2]):
        want = np.histogram(x.astype("f8")[~np.isnan(x)], edges)[0]
        np.testing.assert_array_equal(counted(folder, x, edges), want)


def test_every_edge_is_in_the_bin_above_it(folder):
    for edges in (np.linspace(0.1, 0.7, 257), np.geomspace(1e-3, 1e3, 100)):
        x = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
        np.testing.assert_array_equal(counted(folder, x, edges), np.histogram(x, edges)[0])


def test_what_is_taken():
    assert all(binning.exact(np.dtype(char)) for char in "bhiBHIefd")
    assert not any(binning.exact(np.dtype(char)) for char in "?qQFDO")
    assert [binning.copies(bins) for bins in (1, 16, 17, 256, 1000, 1024)] == [256, 256, 128, 16, 4, 4]


@pytest.mark.parametrize("char", ["b", "B", "h", "i", "Q"])
@pytest.mark.parametrize("bins", [1, 9, 5000])
def test_numbers_that_are_bins(folder, char, bins):
    base = np.random.default_rng(1).integers(0, 9 if bins < 5000 or char in "bB" else 5000, 9000).astype(char)
    for x in (base, base[::-1], base[1::2]):
        want = np.bincount(x.astype("i8"), minlength=bins)[:bins]
        np.testing.assert_array_equal(counted(folder, x, bins), want)
