"""Running totals on a device against NumPy: layouts, dtypes, axes; and by dask."""

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
from arrayshim.kernels import _cupy_scans  # noqa: E402

NAMES = ("cumsum", "cumprod", "nancumsum", "nancumprod")


@pytest.fixture
def ours(monkeypatch):
    """Names of the operations that the kernels did."""
    found, scanned = [], _cupy_scans.scanned

    def counted(x, name, *args):
        result = scanned(x, name, *args)
        if result is not None:
            found.append(name)
        return result

    monkeypatch.setattr(_cupy_scans, "scanned", counted)
    return found


def host_of(char, name):
    rng = np.random.default_rng(6)
    host = rng.integers(0, 3, (2, 700, 1200))
    if "prod" in name:
        host = np.where(rng.random(host.shape) < 0.005, 2, 1)
    host = host.astype(char)
    if char in "fdFD" and name.startswith("nan"):
        host[rng.random(host.shape) < 0.2] = np.nan
    return host


@pytest.mark.parametrize("char", ["?", "b", "i", "q", "Q", "f", "d", "F", "D"])
@pytest.mark.parametrize("name", NAMES)
def test_running_totals_are_numpys(ours, name, char):
    host = host_of(char, name)
    device = cupy.asarray(host)
    cuts = [np.s_[:], np.s_[:, ::-1], np.s_[::-1, 3:, 4:], np.s_[:, ::2, 1:], np.s_[0, :, ::2]]
    for cut in cuts:
        for axis in (*range(host[cut].ndim), None):
            if axis is None and "prod" in name and char in "FD":
                continue  # an infinite complex product has any number of forms
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", UserWarning)  # CuPy cannot promise to see all synchronisations
                with cupyx.allow_synchronize(False):
                    got = kernels.TABLES[name](device[cut], axis=axis)
            with np.errstate(over="ignore"):
                want = getattr(np, name)(host[cut], axis=axis)
            assert got.dtype == want.dtype
            assert got.shape == want.shape
            rtol = 0 if want.dtype.kind in "iu" else 1e-4 if char in "fF" else 1e-11
            np.testing.assert_allclose(got.get(), want, rtol=rtol)
    assert len(ours) >= 6


def test_float32_is_added_up_in_double(ours):
    host = np.random.default_rng(6).random((3000, 2048), dtype="f4")
    exact = np.cumsum(host, axis=0, dtype=np.longdouble)
    got = kernels.cumsum(cupy.asarray(host), axis=0).get()
    assert np.max(abs(got - exact) / exact) <= np.finfo("f4").eps
    assert ours


def test_the_same_bits_at_every_run(ours):
    x = cupy.random.RandomState(1).normal(1, 1e-3, (5000, 2048))
    for axis in (0, 1, None):
        first = kernels.cumsum(x, axis=axis)
        assert all(bool((kernels.cumsum(x, axis=axis) == first).all()) for _ in range(3))
    assert len(ours) == 12


@pytest.mark.parametrize("method", ["sequential", "blelloch"])
def test_dask_gets_there(ours, method):
    host = np.random.default_rng(2).normal(1, 0.01, (600, 2400))
    x = da.from_array(cupy.asarray(host), chunks=(200, 1200), name=False)
    for axis in (0, 1):
        got = da.cumsum(x, axis=axis, method=method).compute(scheduler="sync")
        assert type(got) is cupy.ndarray
        np.testing.assert_allclose(got.get(), host.cumsum(axis=axis), rtol=1e-11)
    assert len(ours) == 12


def test_what_numpy_refuses_is_refused(ours):
    x = cupy.ones((300, 300))
    with pytest.raises(np.exceptions.AxisError):
        kernels.cumsum(x, axis=2)
    out = cupy.empty_like(x)
    kernels.cumsum(x, axis=0, out=out)
    assert float(out[-1, 0]) == 300
    assert not ours
