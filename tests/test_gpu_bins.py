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


@pytest.mark.parametrize("char", ["b", "B", "H", "i", "q", "Q"])
@pytest.mark.parametrize("top", [1, 100, 8192, 20_000])
def test_bincount_is_numpys(char, top):
    top = min(top, np.iinfo(char).max)
    host = np.random.default_rng(1).integers(0, top, 300_001).astype(char)
    for cut in (np.s_[:], np.s_[::-1], np.s_[1::2]):
        for minlength in (0, 50, 10_000):
            got = kernels.bincount(cupy.asarray(host)[cut], minlength=minlength)
            np.testing.assert_array_equal(
                got.get(), np.bincount(host[cut].astype("i8"), minlength=minlength), strict=True
            )
    if top > 1 and char != "Q":
        x = da.from_array(cupy.asarray(host), chunks=100_000, name=False)
        got = da.bincount(x).compute(scheduler="sync")
        np.testing.assert_array_equal(got.get(), np.bincount(host.astype("i8")))


def test_what_bincount_refuses_is_refused():
    x = cupy.arange(100_000) - 1
    with pytest.raises(ValueError, match="non-negative"):
        kernels.bincount(x)
    with pytest.raises(TypeError):
        kernels.bincount(x.astype("f8"))
    weights = cupy.random.RandomState(0).random_sample(100_000)
    got = kernels.bincount(abs(x) % 5, weights)
    np.testing.assert_allclose(got.get(), np.bincount(abs(x).get() % 5, weights.get()))
