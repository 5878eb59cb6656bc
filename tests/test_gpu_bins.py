"""Histograms on a device, by the kernel and by dask, against NumPy."""

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


@pytest.mark.parametrize("bins", [1, 10, 256, 1024])
@pytest.mark.parametrize("char", ["b", "i", "e", "f", "d"])
def test_counts_are_numpys(char, bins):
    host = np.random.default_rng(1).normal(0, 2, (700, 900)).astype(char)
    if char in "efd":
        host[5, :90] = np.nan
    device, edges = cupy.asarray(host), np.linspace(-3, 3, bins + 1)
    for cut in (np.s_[:], np.s_[::-1, 3:], np.s_[:, ::2]):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # CuPy cannot promise to see all synchronisations
            with cupyx.allow_synchronize(False):
                got = kernels.bin_counts(device[cut], cupy.asarray(edges))
        flat = host[cut].astype("f8").ravel()
        assert got.dtype == np.int64
        np.testing.assert_array_equal(got.get(), np.histogram(flat[~np.isnan(flat)], edges)[0])


def test_dask_gets_there():
    host = np.random.default_rng(1).normal(0, 2, (800, 900)).astype("f4")
    x = da.from_array(cupy.asarray(host), chunks=(400, 300), name=False)
    for bins in (10, np.array([-3.0, -1, 0.25, 8])):
        counts, _ = da.histogram(x, bins=bins, range=(-3, 3))
        got = counts.compute(scheduler="sync")
        assert type(got) is cupy.ndarray
        np.testing.assert_array_equal(got.get(), np.histogram(host, bins, range=(-3, 3))[0])


def test_what_is_left_to_cupy():
    x = cupy.random.RandomState(0).normal(size=100_000)
    assert kernels.bin_counts(x, np.linspace(0, 1, 1026)) is None
    assert kernels.bin_counts(x > 0, np.linspace(0, 1, 5)) is None
    assert kernels.bin_counts(x[:10], np.linspace(0, 1, 5)) is None
