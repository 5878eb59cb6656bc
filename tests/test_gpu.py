"""What only a CUDA device can show: the repairs, the public functions and the factories on CuPy chunks."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

HOST = np.random.default_rng(7).normal(10, 2, size=(30, 20))
HOST[3, 4] = HOST[20, 1] = 11.5


def device(host=HOST, chunks=(7, 6)):
    return da.from_array(cupy.asarray(host), chunks=chunks, name=False)


def check(lazy, expected, rtol=1e-12):
    assert type(lazy._meta) is cupy.ndarray
    got = lazy.compute(scheduler="sync")
    assert type(got) is cupy.ndarray
    assert got.dtype == lazy.dtype == np.asarray(expected).dtype
    assert lazy.ndim == got.ndim == np.ndim(expected)
    np.testing.assert_allclose(got.get(), expected, rtol=rtol)


def test_every_fix_is_applied():
    assert {s.state for s in arrayshim.status()} == {"applied"}


@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize(
    "name", ["sum", "mean", "std", "var", "min", "max", "nanmean", "nanstd", "argmax", "prod", "ptp"]
)
def test_reductions(name, axis):
    host = HOST / 10 if name == "prod" else HOST
    check(getattr(da, name)(device(host), axis=axis), getattr(np, name)(host, axis=axis), rtol=1e-11)


def test_boolean_selection_and_what_follows():
    x = device()
    check(x[x > 11], HOST[HOST > 11])
    check(x[x > 11].sum(), HOST[HOST > 11].sum())
    rows = da.from_array(cupy.asarray(HOST[:, 0] > 10), chunks=7, name=False)
    check(x[rows], HOST[HOST[:, 0] > 10])
    known = x[x > 11].compute_chunk_sizes()
    check(known, HOST[HOST > 11])


@pytest.mark.parametrize("method", ["lower", "higher", "nearest"])
def test_percentile(method):
    host = np.arange(1000.0)
    x = da.from_array(cupy.asarray(host), chunks=1000, name=False)
    check(da.percentile(x, [10, 50, 99], method=method), np.percentile(host, [10, 50, 99], method=method))


def test_einsum():
    check(da.einsum("ij,kj->ik", device(), device()), np.einsum("ij,kj->ik", HOST, HOST))


@pytest.mark.parametrize(
    "first",
    [
        "d.einsum_lookup.dispatch(cupy.ndarray).__module__.partition('.')[0] in ('dask', 'cupy')",
        "d.percentile_lookup.dispatch(cupy.ndarray) is not None",
        "type(d.empty_lookup.dispatch(cupy.ndarray)(2, dtype='f8')) is cupy.ndarray",
        "type(d.to_cupy_dispatch(np.ones(3))) is cupy.ndarray",
        "type(da.percentile(x, 50).compute(scheduler='sync')) is cupy.ndarray",
        "type(da.einsum('i,i->', x, x).compute(scheduler='sync')) is cupy.ndarray",
    ],
)
def test_whichever_table_is_first_in_a_fresh_process(first):
    code = f"""
        import numpy as np, cupy, dask.array as da, dask.array.dispatch as d
        import arrayshim
        x = da.from_array(cupy.arange(6.0), chunks=3, name=False)
        assert {first}
    """
    environment = {key: value for key, value in os.environ.items() if key != "ARRAYSHIM_DISABLE"}
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("create", "expected"),
    [
        (lambda: da.eye(4, chunks=2), np.eye(4)),
        (lambda: da.linspace(0, 1, 5, chunks=2), np.linspace(0, 1, 5)),
        (lambda: da.diag(np.arange(3.0)), np.diag(np.arange(3.0))),
        (lambda: da.tri(4, chunks=2), np.tri(4)),
        (lambda: da.indices((2, 3), chunks=(1, 2)), np.indices((2, 3))),
        (lambda: da.fromfunction(np.add, shape=(3, 3), chunks=2, dtype="f8"), np.fromfunction(np.add, (3, 3))),
        (lambda: da.meshgrid([1, 2], [3, 4])[0], np.meshgrid([1, 2], [3, 4])[0]),
        (lambda: da.asarray([1, 2]), np.array([1, 2])),
        (lambda: da.array([1.5]), np.array([1.5])),
        (lambda: da.asanyarray(np.arange(3)), np.arange(3)),
        (lambda: da.arange(5, chunks=2), np.arange(5)),
    ],
)
def test_array_backend_reaches(create, expected):
    with dask.config.set({"array.backend": "cupy"}):
        check(create(), expected)


@pytest.mark.parametrize("like", ["cupy", cupy.ndarray, cupy.ones(1)])
def test_creation_like(like):
    for eager, expected in [
        (arrayshim.ones((2, 3), like=like), np.ones((2, 3))),
        (arrayshim.linspace(0, 1, 5, like=like), np.linspace(0, 1, 5)),
        (arrayshim.eye(3, like=like), np.eye(3)),
        (arrayshim.asarray([[1, 2]], like=like), np.array([[1, 2]])),
    ]:
        assert type(eager) is cupy.ndarray
        assert eager.dtype == expected.dtype
        np.testing.assert_allclose(eager.get(), expected, rtol=1e-15)
    check(arrayshim.ones((4, 4), chunks=2, like=like), np.ones((4, 4)))


@pytest.mark.parametrize("like", ["cupy", cupy.ndarray])
@pytest.mark.parametrize("seed", [5, [1, 2], np.array([3, 4], dtype="u4"), np.int16(7), "sequence"])
def test_random_factories(seed, like):
    def drawn(make, method, *args):
        # A SeedSequence counts the children it has spawned, so each draw gets one of its own.
        fresh = np.random.SeedSequence(9) if isinstance(seed, str) else seed
        return getattr(make(fresh, like=like), method)(*args, size=(400, 400), chunks=100)

    for make, method, args, mean, deviation in [
        (arrayshim.random.RandomState, "normal", (10, 1), 10, 1),
        (arrayshim.random.default_rng, "random", (), 0.5, 12**-0.5),
    ]:
        x, again = drawn(make, method, *args), drawn(make, method, *args)
        assert type(x._meta) is cupy.ndarray
        got = x.compute(scheduler="sync")
        assert type(got) is cupy.ndarray
        assert abs(float(got.mean()) - mean) < 6 * deviation / 400
        assert bool((got == again.compute(scheduler="sync")).all())


def test_public_functions_keep_the_type():
    x = cupy.asarray(HOST)
    for name in ("sum", "mean", "std", "median", "nanmedian", "moment", "nanquantile"):
        arguments = {"moment": (3,), "nanquantile": (0.25,)}.get(name, ())
        got = getattr(arrayshim, name)(x, *arguments)
        assert type(got) is cupy.ndarray
        expected = getattr(arrayshim, name)(HOST, *arguments)
        np.testing.assert_allclose(got.get(), expected, rtol=1e-9)


def test_stock_raises_where_the_repairs_do_not():
    # The faults are CuPy's too, not only those of the stand-in.
    with arrayshim.scope(only=()):
        x = device()
        assert type(x[x > 11]._meta) is np.ndarray
        with dask.config.set({"array.backend": "cupy"}):
            assert type(da.eye(3)._meta) is np.ndarray


def test_running_sums_round_as_numpys():
    for x in (HOST.ravel() / 3, np.float32(HOST.ravel()), np.arange(2000), np.zeros(0)):
        got = kernels.running_sum(cupy.asarray(x))
        np.testing.assert_array_equal(got.get(), np.cumsum(x), strict=True)


def test_order_statistics_of_chunks_of_every_layout():
    holes = np.where(HOST > 11, np.nan, HOST)
    for host in (HOST, HOST.T, HOST[::2, 1:], holes, np.asfortranarray(HOST)):
        for axis in (0, 1, -1, (0, 1)):
            for method in ("linear", "hazen", "inverted_cdf", "nearest"):
                x, q = device(host), [0.0, 0.3, 1.0]
                check(da.quantile(x, q, axis=axis, method=method), np.quantile(host, q, axis=axis, method=method))
                check(da.nanquantile(x, q, axis=axis, method=method), np.nanquantile(host, q, axis=axis, method=method))
            check(da.median(device(host), axis=axis), np.median(host, axis=axis))
            check(da.nanmedian(device(host), axis=axis), np.nanmedian(host, axis=axis))


def test_histogramdd_and_unique():
    x, y = HOST[:, 0], np.float32(HOST[:, 1])
    edges = ([5, 9, 10, 12], [4.5, 10.0, 11.25, 15.0])
    counts, found = da.histogramdd((device(x, 7), device(y, 7)), edges)
    expected, numpys = np.histogramdd((x, y), edges)
    check(counts, expected)
    for ours, theirs in zip(found, numpys, strict=True):
        check(ours, theirs)
    table = np.round(HOST).astype("i2")
    for ours, theirs in zip(
        da.unique(device(table), True, True, True), np.unique(table, True, True, True), strict=True
    ):
        check(ours, theirs)
