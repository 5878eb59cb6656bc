"""Values by rank on a device against NumPy: medians, quantiles and the top, by the kernels and by dask."""

from __future__ import annotations

import warnings

import dask.array as da
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

import cupyx  # noqa: E402

from arrayshim import kernels  # noqa: E402
from arrayshim.kernels import _cupy_selection  # noqa: E402
from arrayshim.kernels.cuda import launch  # noqa: E402

CHARS = "?bBhHiIqQefd"
METHODS = ("linear", "lower", "higher", "midpoint", "nearest", "weibull", "inverted_cdf", "median_unbiased")


@pytest.fixture(autouse=True)
def small(monkeypatch):
    """Small arrays too go to the kernels."""
    monkeypatch.setattr(_cupy_selection, "SHORTEST", dict.fromkeys((1, 2, 4, 8), 1))
    monkeypatch.setattr(_cupy_selection, "SINGLE", 1)
    monkeypatch.setattr(_cupy_selection, "SINGLE_TOP", 1)
    monkeypatch.setattr(_cupy_selection, "MOST_OF_ONE", 16)
    monkeypatch.setattr(launch, "SMALLEST", 1)


@pytest.fixture
def ours(monkeypatch):
    """How many launches of kernels there were."""
    found, narrowed = [], _cupy_selection._narrowed

    def counted(*args):
        found.append(narrowed(*args))
        return found[-1]

    monkeypatch.setattr(_cupy_selection, "_narrowed", counted)
    return found


def without_waiting(call, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # CuPy cannot promise to see all synchronisations
        with cupyx.allow_synchronize(False):
            return call(*args, **kwargs)


@st.composite
def arrays(draw):
    """A NumPy array, with ties and special values, and the same cut of it and of its copy on the device."""
    shape = tuple(draw(st.lists(st.integers(1, 40), min_size=1, max_size=3)))
    shape = (*shape[:-1], shape[-1] * draw(st.sampled_from([1, 1, 30])))
    char, seed = draw(st.sampled_from(CHARS)), draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    if char in "efd":
        # Of float16 no large ones: numpy.nanmedian adds the two in the middle up in float16.
        with np.errstate(over="ignore"):
            host = (rng.normal(0, 1, shape) * 10.0 ** rng.integers(*((-3, 4) if char == "e" else (-5, 6)))).astype(char)
        few = draw(st.sampled_from([0, 0.02, 0.5]))
        special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], char)[: draw(st.integers(1, 5))]
        host = np.where(rng.random(shape) < few, special[rng.integers(0, len(special), shape)], host)
    elif char == "?":
        host = rng.random(shape) < 0.5
    else:
        about = np.iinfo(char)
        wide = draw(st.sampled_from([3, about.max]))
        host = rng.integers(max(about.min, -wide), wide, shape, char, endpoint=True)
    order = draw(st.permutations(range(len(shape))))
    cut = tuple(
        draw(st.sampled_from([np.s_[:], np.s_[::-1], np.s_[::2], np.s_[1:]])) if n > 1 else np.s_[:] for n in shape
    )
    return host[cut].transpose(order), cupy.asarray(host)[cut].transpose(order)


def same(got, want):
    assert type(got) is cupy.ndarray
    want = np.asarray(want)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_array_equal(got.get(), want)


@settings(max_examples=400, deadline=None)
@given(arrays(), st.data())
def test_medians(pair, data):
    host, device = pair
    axis = data.draw(st.sampled_from([None, *range(host.ndim)]))
    keepdims = data.draw(st.booleans())
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        same(kernels.median(device, axis=axis, keepdims=keepdims), np.median(host, axis=axis, keepdims=keepdims))
        got, want = kernels.nanmedian(device, axis=axis), np.nanmedian(host, axis=axis)
        same(got, want)


@settings(max_examples=400, deadline=None)
@given(arrays(), st.data())
def test_quantiles(pair, data):
    host, device = pair
    if host.dtype == bool:
        host, device = host.astype("u1"), device.astype("u1")
    axis = data.draw(st.sampled_from([None, *range(host.ndim)]))
    method = data.draw(st.sampled_from(METHODS))
    q = data.draw(st.sampled_from([0.5, 0.0, 1.0, np.array([0.1, 0.75]), np.array([0.0, 0.3, 0.31, 0.9, 1.0])]))
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        if host.dtype.kind == "f" and not np.isfinite(host).all() and method != "lower":
            method = "nearest"  # NumPy's arithmetic with infinities differs between its own releases
        got, want = (
            kernels.quantile(device, q, axis=axis, method=method),
            np.quantile(host, q, axis=axis, method=method),
        )
        same(got, want)
        if host.dtype.kind == "f":
            same(
                kernels.nanquantile(device, q, axis=axis, method=method),
                np.nanquantile(host, q, axis=axis, method=method),
            )


@settings(max_examples=400, deadline=None)
@given(arrays(), st.data())
def test_the_top(pair, data):
    host, device = pair
    axis = data.draw(st.integers(0, host.ndim - 1))
    n = host.shape[axis]
    k = data.draw(st.integers(1, n)) * data.draw(st.sampled_from([1, -1]))
    values, places = (kernels.top(device, k, axis, places=flag) for flag in (False, True))
    order = np.sort(host, axis=axis)
    want = np.take(order, range(n)[-k:] if k > 0 else range(-k), axis)
    if abs(k) == n:
        assert values is places is None
        return
    same(cupy.sort(values, axis=axis), want)
    np.testing.assert_array_equal(np.take_along_axis(host, places.get(), axis), values.get())
    assert (np.diff(places.get(), axis=axis) > 0).all()


@pytest.mark.parametrize("char", ["f", "d", "i", "e"])
@pytest.mark.parametrize("chunks", [(300, 400), (900, 200), (450, 1000)])
def test_dask_gets_there(ours, char, chunks):
    host = (np.random.default_rng(1).normal(0, 100, (900, 1000))).astype(char)
    x = da.from_array(cupy.asarray(host), chunks=chunks, name=False)
    for axis in (0, 1):
        for k in (5, -7, 100):
            got = da.topk(x, k, axis=axis).compute(scheduler="sync")
            order = np.sort(host, axis=axis)
            order = np.flip(order, axis) if k > 0 else order
            same(got, np.take(order, range(abs(k)), axis))
            places = da.argtopk(x, k, axis=axis).compute(scheduler="sync")
            assert type(places) is cupy.ndarray
            np.testing.assert_array_equal(np.take_along_axis(host, places.get(), axis), got.get())
        same(da.median(x, axis=axis).compute(scheduler="sync"), np.median(host, axis=axis))
        lazy = da.quantile(x, np.array([0.1, 0.5]), axis=axis)
        same(lazy.compute(scheduler="sync"), np.quantile(host, np.array([0.1, 0.5]), axis=axis))
    assert len(ours) >= 4
    assert all(ours)


def test_nothing_waits_for_the_device(ours):
    x = cupy.random.RandomState(0).normal(size=(500, 3000))
    for a in (x, x.T, x[:, ::2], x.ravel()):
        for axis in range(a.ndim):
            without_waiting(kernels.median, a, axis=axis)
            without_waiting(kernels.nanmedian, a, axis=axis)
            without_waiting(kernels.quantile, a, np.array([0.1, 0.9]), axis=axis)
            without_waiting(kernels.top, a, 9, axis, places=True)
    assert all(ours)


def test_long_slices(ours):
    rng = np.random.default_rng(2)
    for host in (rng.normal(size=3_000_001), rng.integers(0, 5, 2_000_000), np.ones((3, 700_000), "f4")):
        device = cupy.asarray(host)
        same(kernels.median(device), np.median(host))
        same(kernels.median(device, axis=-1), np.median(host, axis=-1))
        got = without_waiting(kernels.top, device, 3000, host.ndim - 1, places=True)
        want = np.sort(np.argsort(-host, axis=-1, kind="stable")[..., :3000], axis=-1)
        np.testing.assert_array_equal(got.get(), want)
    assert len(ours) == 6


def test_the_stream_of_the_caller():
    host = np.random.default_rng(4).normal(size=1_000_000)
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        device = cupy.asarray(host)
        found = kernels.top(device * 2, 10, 0, places=True), kernels.median(device * 2)
    stream.synchronize()
    np.testing.assert_array_equal(found[0].get(), np.sort(np.argsort(-host)[:10]))
    assert float(found[1]) == 2 * np.median(host)


def test_what_does_not_compile_is_sorted(monkeypatch, caplog):
    host = np.random.default_rng(4).normal(size=(40, 1000))
    device = cupy.asarray(host)
    monkeypatch.setattr(_cupy_selection, "_compiled", {})
    monkeypatch.setattr(_cupy_selection, "program", lambda *args: "no source")
    monkeypatch.setattr(_cupy_selection, "top_program", lambda *args: "no source")
    for _ in range(2):
        same(kernels.median(device, axis=1), np.median(host, axis=1))
        assert kernels.top(device, 3, 1, places=False) is None
    assert sorted(record.message.split(" ")[0] for record in caplog.records) == ["ranks<f64>", "top<f64>"]


def test_what_is_left_to_cupy(ours):
    x = cupy.ones((40, 1000), "F")
    assert kernels.top(x, 3, 1, places=False) is None
    assert kernels.top(x.real[:, :0], 3, 0, places=False) is None
    with pytest.raises(np.exceptions.AxisError):
        kernels.top(x.real, 3, 2, places=False)
    assert not ours
