"""Every kernel of the CUDA family against NumPy, on a device: layouts, dtypes, axes, NaN; and what they promise."""

from __future__ import annotations

import multiprocessing
import os
import warnings

import dask.array as da
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import arrayshim
from arrayshim import kernels

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

import cupyx  # noqa: E402

from arrayshim.kernels.cuda import launch, operations, program  # noqa: E402

REDUCTIONS = ("sum", "prod", "mean", "min", "max", "ptp", "any", "all", "var", "std")
SKIPPING = ("nansum", "nanprod", "nanmean", "nanmin", "nanmax", "nanvar", "nanstd")
ARGS = ("argmin", "argmax", "nanargmin", "nanargmax")
DTYPES = ("?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d", "F", "D")
FOR_TREES = ("mean_parts", "nanmean_parts", "moment_parts2", "moment_parts4", "nanmoment_parts2", "token")


def compile_some(jobs):
    """Fill CuPy's cache on disk; in a process of its own, for compiling one after the other takes minutes."""
    failed = []
    for name, char in jobs:
        dtype = np.dtype(char)
        found = operations.operation(name, dtype, None)
        ways = [(width, False) for width in (1, 2, 4, 8, 16)] + [(2, True), (4, True)]
        ways = [way for way in ways if way[0] * dtype.itemsize <= 16]
        if found and any(launch._kernels(found.code, found.reads, *way, False) is None for way in ways):
            failed.append((name, char))
    return failed


@pytest.fixture(scope="module")
def compiled():
    jobs = [(name, char) for name in REDUCTIONS + SKIPPING + ARGS + FOR_TREES for char in DTYPES]
    count = os.cpu_count() or 1
    with multiprocessing.get_context("spawn").Pool(count) as pool:
        failed = pool.map(compile_some, [jobs[k :: 4 * count] for k in range(4 * count)], chunksize=1)
    assert not any(failed), failed


@pytest.fixture
def ours(monkeypatch):
    """Arrays of any size go to the kernels; the list has an entry for each launch."""
    launched = []
    start = launch._launch

    def counted(*args):
        launched.append(args)
        return start(*args)

    monkeypatch.setattr(launch, "SMALLEST", 1)
    monkeypatch.setattr(launch, "_launch", counted)
    return launched


def values(rng, shape, char, share_of_nan):
    dtype = np.dtype(char)
    if dtype.kind == "b":
        return np.asarray(rng.random(shape) < 0.5)
    if dtype.kind in "iu":
        bounds = np.iinfo(dtype)
        return np.asarray(rng.integers(max(bounds.min, -40), min(bounds.max, 40), shape), dtype)
    x = np.asarray(rng.normal(1, 0.05, shape) + (1j * rng.normal(0, 0.05, shape) if dtype.kind == "c" else 0))
    x = x.astype(dtype)
    x[rng.random(shape) < share_of_nan] = np.nan
    return x


@st.composite
def arrays(draw):
    """(array of the host, array of the device) of the same content and strides."""
    ndim = draw(st.integers(0, 6))
    sizes = {0: [1], 1: [1, 7, 300, 70000], 2: [1, 5, 48, 300], 3: [1, 3, 8, 40]}.get(ndim, [1, 2, 5])
    shape = tuple(draw(st.lists(st.sampled_from(sizes), min_size=ndim, max_size=ndim)))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    base = values(rng, shape, draw(st.sampled_from(DTYPES)), draw(st.sampled_from([0, 0, 0.02, 0.5, 1])))
    order = draw(st.permutations(range(ndim)))
    cuts = tuple(
        slice(draw(st.sampled_from([0, 0, 1])) if base.shape[i] > 3 else 0, None, draw(st.sampled_from([1, 1, 2, -1])))
        for i in order
    )
    repeat = ndim > 0 and draw(st.integers(0, 9)) == 0

    def laid_out(a, xp):
        a = a.transpose(order)[cuts] if ndim else a
        return xp.broadcast_to(a[..., :1], a.shape) if repeat else a

    return laid_out(base, np), laid_out(cupy.asarray(base), cupy)


def close(got, want, scale=1.0, factors=0):
    """Equal, floats within the rounding of NumPy's own order of adding, or of as many multiplications."""
    assert type(got) is cupy.ndarray
    got, want = got.get(), np.asarray(want)
    assert got.dtype == want.dtype
    assert got.shape == want.shape
    if want.dtype.kind in "biu":
        np.testing.assert_array_equal(got, want)
        return
    finite = np.isfinite(want)
    np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
    eps = np.finfo(want.dtype).eps
    np.testing.assert_allclose(got[finite], want[finite], rtol=(30 + factors) * eps, atol=30 * eps * scale)


@settings(max_examples=2500, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_every_kernel_is_numpys_function(compiled, ours, data):
    host, device = data.draw(arrays())
    name = data.draw(st.sampled_from(REDUCTIONS + SKIPPING + ARGS))
    if name == "ptp" and host.dtype.kind == "b":
        return
    axes = st.none() | st.integers(-host.ndim, host.ndim - 1) if host.ndim else st.none()
    if name not in ARGS and host.ndim:
        axes |= st.sets(st.integers(0, host.ndim - 1)).map(tuple)
    options = {"axis": data.draw(axes), "keepdims": data.draw(st.booleans())}
    if name in ("var", "std", "nanvar", "nanstd"):
        options["ddof"] = data.draw(st.sampled_from([0, 1, 1.5]))
    ours.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            want = getattr(np, name)(host, **options)
        except ValueError:
            return  # all NaN: NumPy looks at the values, which a device need not
        with cupyx.allow_synchronize(False):
            got = kernels.TABLES[name](device, **options)
    assert ours or (name in ARGS and not host.ndim)
    if host.dtype == np.float16 and np.isinf(want).any():
        return  # NumPy overflows in half precision, where the kernels add up in double
    if name.endswith("prod") and host.dtype.kind == "c" and np.isfinite(host).all():
        # It overflows to infinity or NaN by the order of factors; the kernels multiply single precision in double.
        got, want = (np.where(np.isfinite(want), x, 0) for x in (got.get(), want))
        got = cupy.asarray(got)
    scale = max(1, float(np.nan_to_num(abs(host).astype(float)).max(initial=0)))
    close(got, want, scale, factors=host.size // want.size if name.endswith("prod") else 0)


@pytest.mark.parametrize("char", ["f", "d"])
def test_moments_are_as_exact_as_two_passes(ours, char):
    host = (np.random.default_rng(3).normal(0, 1, (300, 7000)) + {"f": 1e4, "d": 1e8}[char]).astype(char)
    exact = host.astype(np.longdouble)
    reference = ((exact - exact.mean(axis=1, keepdims=True)) ** 2).mean(axis=1)
    ulp = np.finfo(char).eps
    for x, axis, want in ((host, 1, reference), (host, None, ((exact - exact.mean()) ** 2).mean())):
        got = kernels.TABLES["var"](cupy.asarray(x), axis=axis).get()
        numpys = np.max(abs(x.var(axis=axis) - want) / want)
        assert np.max(abs(got - want) / want) <= max(numpys, ulp)


@pytest.mark.parametrize("name", ["sum", "var", "prod", "nanmean"])
def test_the_same_bits_at_every_run(ours, name):
    x = cupy.random.RandomState(1).normal(1, 1e-3, (3000, 2000))
    view = x[:, 100:1777]
    first = kernels.TABLES[name](view).get()
    assert all(kernels.TABLES[name](view).get() == first for _ in range(5))


def test_on_the_stream_of_the_caller(ours):
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        x = cupy.arange(3_000_000, dtype="f8")
        for _ in range(50):
            x += 1
        total = kernels.TABLES["sum"](x)
    stream.synchronize()
    assert float(total) == 3_000_000 * 2_999_999 / 2 + 50 * 3_000_000


@pytest.mark.parametrize("name", ["sum", "var", "argmax", "moment"])
def test_what_numpy_refuses_is_refused(ours, name):
    x = cupy.ones((3, 4))
    extra = (2,) if name == "moment" else ()
    with pytest.raises(np.exceptions.AxisError):
        kernels.TABLES[name](x, *extra, axis=2)
    if name != "argmax":
        with pytest.raises(ValueError, match="repeated axis"):
            kernels.TABLES[name](x, *extra, axis=(0, 0))


def test_dtypes_that_are_asked_for(ours):
    host = np.arange(1, 50, dtype="f4").reshape(7, 7) / 3
    for name, dtype in [("sum", "f8"), ("mean", "f8"), ("var", "f8"), ("sum", "c8"), ("nansum", "f8")]:
        got = kernels.TABLES[name](cupy.asarray(host), dtype=dtype, axis=0)
        close(got, getattr(np, name)(host, dtype=dtype, axis=0), scale=float(host.max()))
    assert len(ours) == 5
    with pytest.warns(RuntimeWarning, match="Degrees of freedom"):
        kernels.TABLES["var"](cupy.ones(3), ddof=3)


def test_numpys_warnings_where_the_shape_tells(ours):
    for name, said in (("mean", "Mean of empty slice"), ("var", "Degrees of freedom"), ("nanmean", "Mean of empty")):
        for shape, axis in (((0, 3), 0), ((0,), None)):
            with pytest.warns(RuntimeWarning, match=said):
                assert bool(cupy.isnan(kernels.TABLES[name](cupy.ones(shape), axis=axis)).all())
        assert kernels.TABLES[name](cupy.ones((0, 3)), axis=1).shape == (0,)  # no slice, no warning
    # What only the values tell is not looked at: no warning, which would be an error here.
    assert bool(cupy.isnan(kernels.TABLES["nanmax"](cupy.full(9, np.nan))))
    with pytest.raises(ValueError, match="zero-size array"):
        kernels.TABLES["max"](cupy.ones(0))


def test_a_kernel_that_does_not_compile_is_said_once(ours, monkeypatch, caplog):
    def refuses(*args, **kwargs):
        raise RuntimeError("no compiler\nand more")

    monkeypatch.setattr(cupy, "RawModule", refuses)
    monkeypatch.setattr(launch, "_compiled", {})
    x = cupy.arange(6.0)
    assert [float(kernels.TABLES["sum"](x)) for _ in range(3)] == [15.0] * 3
    assert not ours
    assert [record.getMessage().partition(" (")[2] for record in caplog.records] == [
        "no compiler); CuPy's own function is used"
    ]


@pytest.mark.parametrize("name", ["sum", "mean", "std", "var", "min", "max", "argmax", "argmin", "any", "prod"])
@pytest.mark.parametrize("axis", [None, 0, 1])
def test_dask_gets_there(ours, name, axis):
    host = np.random.default_rng(2).normal(1, 0.01, (60, 44))
    x = da.from_array(cupy.asarray(host), chunks=(17, 9), name=False)
    lazy = getattr(da, name)(x, axis=axis)
    got = lazy.compute(scheduler="sync")
    assert len(ours) >= 20
    assert type(lazy._meta) is cupy.ndarray
    close(got, getattr(np, name)(host, axis=axis))
    with arrayshim.scope(only=()):
        ours.clear()
        getattr(da, name)(x, axis=axis).compute(scheduler="sync")
        assert not ours


@pytest.mark.parametrize(
    "name", ["nansum", "nanmean", "nanstd", "nanvar", "nanmin", "nanmax", "nanargmin", "nanargmax", "nanprod"]
)
def test_dask_gets_there_past_nan(ours, name):
    host = np.random.default_rng(2).normal(1, 0.01, (60, 44))
    host[:20, :10] = np.nan
    host[host > 1.02] = np.nan
    x = da.from_array(cupy.asarray(host), chunks=(17, 9), name=False)
    for axis in (None, 1):
        close(getattr(da, name)(x, axis=axis).compute(scheduler="sync"), getattr(np, name)(host, axis=axis))
    assert ours


@pytest.mark.parametrize("order", [2, 3, 4, 5])
def test_moments_of_dask(ours, order):
    host = np.random.default_rng(2).exponential(2, (60, 44))
    x = da.from_array(cupy.asarray(host), chunks=(17, 9), name=False)
    for axis in (None, 0, (0, 1)):
        want = ((host - host.mean(axis=axis, keepdims=True)) ** order).mean(axis=axis)
        np.testing.assert_allclose(x.moment(order, axis=axis).compute(scheduler="sync").get(), want, rtol=1e-11)


@pytest.mark.parametrize("char", ["i", "f", "d"])
def test_norms_and_counts(ours, char):
    host = np.random.default_rng(2).normal(1, 9, (60, 44)).astype(char)
    x = cupy.asarray(host)
    norm, axes = kernels.TABLES["norm"], [(None, None), (None, 0), (1, 0), (2, 1), (np.inf, 1), (None, (0, 1))]
    for order, axis in axes:
        got = norm(x[::-1], order, axis=axis, keepdims=axis == 0)
        want = np.linalg.norm(host[::-1], order, axis=axis, keepdims=axis == 0)
        close(got, want, scale=float(want.max()))
    close(norm(x[3], 1), np.linalg.norm(host[3], 1), scale=400.0)
    for axis in (None, 0, (0, 1)):
        close(kernels.TABLES["count_nonzero"](x, axis=axis), np.asarray(np.count_nonzero(host, axis=axis)))
        close(kernels.TABLES["nannumel"](x, axis), np.asarray((~np.isnan(host)).sum(axis=axis)))
    assert len(ours) == 7 + 6


def mixed(host):
    """The two sums of `Hash` in the source, by NumPy, over the content in C order."""
    x = np.ascontiguousarray(host).view(f"u{host.itemsize}").ravel().astype("u8")
    with np.errstate(over="ignore"):
        i = np.arange(x.size, dtype="u8")
        h = (x ^ (i * np.uint64(0xD1342543DE82EF95) + np.uint64(0x632BE59BD9B4E019))) * np.uint64(0x9E3779B97F4A7C15)
        h ^= h >> np.uint64(32)
        h *= np.uint64(0xBF58476D1CE4E5B9)
        h ^= h >> np.uint64(29)
        g = (h + x) * np.uint64(0x94D049BB133111EB)
        g ^= g >> np.uint64(31)
        return np.array([h.sum(), g.sum()], "u8").tobytes().hex()


@pytest.mark.parametrize("char", ["?", "h", "e", "f", "d", "F"])
def test_names_of_arrays(char):
    host = np.random.default_rng(4).normal(0, 9, (31, 40))
    host = host > 0 if char == "?" else host.astype(char)
    device = cupy.asarray(host)
    name = kernels.TABLES["token"](device)
    assert name == ("cupy.ndarray", host.dtype.str, (31, 40), mixed(host))
    wide = cupy.zeros((31, 57), char)
    wide[:, 9:49] = device
    for same in (wide[:, 9:49], cupy.asfortranarray(device), device[::-1].copy()[::-1], device.copy()):
        assert da.from_array(same, chunks=9).name == da.from_array(device, chunks=9).name
    assert kernels.TABLES["token"](device.T) != kernels.TABLES["token"](cupy.ascontiguousarray(device.reshape(40, 31)))
    assert kernels.TABLES["token"](device[:0]) != kernels.TABLES["token"](device[:, :0])


def test_a_name_is_made_without_a_copy():
    moved = []

    class Watched(cupy.ndarray):
        def get(self, *args, **kwargs):
            moved.append(self.nbytes)
            return super().get(*args, **kwargs)

        def __reduce__(self):
            moved.append(self.nbytes)
            return super().__reduce__()

    from dask.base import tokenize

    x = cupy.random.RandomState(0).random_sample((500, 400))
    watched = x.view(x.dtype, Watched)
    assert type(watched) is Watched
    assert tokenize(watched) != tokenize(x)
    assert moved == []
    assert tokenize(x) == tokenize(x.copy()) != tokenize(x + 1)
    with arrayshim.scope(only=()):
        tokenize(watched)
    assert moved


def test_a_layout_without_a_plan_is_left_to_cupy(ours, monkeypatch):
    monkeypatch.setattr(launch, "plan", lambda *args: None)
    assert float(kernels.TABLES["sum"](cupy.arange(5.0))) == 10.0
    assert not ours
    assert program.plan((4,), (12,), 8, 0, (0,)) is None
