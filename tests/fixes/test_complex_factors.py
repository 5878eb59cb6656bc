"""`complex_factors`: what is made of complex matrices multiplies to them again, on any chunks."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.complex_factors import FIX

# Of its own metas: dask makes the real one of singular values by a cast of the complex one.
pytestmark = pytest.mark.filterwarnings("ignore:Casting complex values to real:numpy.exceptions.ComplexWarning")

WIDE = np.fromfunction(lambda i, j: np.exp(1j * (i * i + 3 * i * j + j)), (3, 8))
# Singular values 8, 4, 2, 1e-3, ... of 12 by 10: three of them stand out.
_LEFT = np.linalg.qr(np.fromfunction(lambda i, j: np.exp(1j * (i * i + j * i)) + (i == j), (12, 10)))[0]
_RIGHT = np.linalg.qr(np.fromfunction(lambda i, j: np.exp(1j * (3 * i * j - i)) + 2 * (i == j), (10, 10)))[0]
VALUES = np.array([8.0, 4.0, 2.0, *(1e-3 / np.arange(1.0, 8.0))])
MATRIX = (_LEFT * VALUES) @ _RIGHT

NEEDED = ["complex_factors", "mixed_products", "numel", "device_reductions", "mixed_operands", "inferred_meta"]


def host(values, chunks):
    return da.from_array(values, chunks=chunks)


@pytest.fixture(params=["ndarray", "StrictArray", "Fresh"])
def make(request):
    """A dask array of chunks of some type."""
    with arrayshim.scope(only=NEEDED):
        if request.param == "ndarray":
            yield host
        else:
            kind = strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")
            yield lambda values, chunks: lazy(values, kind, chunks)


def values(x):
    found = x.compute(scheduler="sync")
    assert type(found) is type(x._meta)
    assert found.dtype == x.dtype
    return found.get() if hasattr(found, "get") else found


def test_the_wrong_value_and_the_right_one():
    x = host(np.array([[1.0, 2.0j, 3.0j], [1.0j, 2.0, 3.0]]), (2, (2, 1)))
    with arrayshim.scope(only=()):
        assert "differs from it by" in FIX.diagnose()
        q, r = da.linalg.qr(x)
        assert abs(q.dot(r) - x).max().compute() > 1
    with arrayshim.scope(only=NEEDED):
        assert FIX.diagnose() is None
        q, r = da.linalg.qr(x)
        np.testing.assert_allclose(q.dot(r).compute(), x.compute(), atol=1e-14)


@pytest.mark.parametrize("dtype", ["c8", "c16"])
@pytest.mark.parametrize("columns", [(4, 4), (3, 3, 2), (8,)])
def test_factors_of_a_short_matrix(make, columns, dtype):
    wide = WIDE.astype(dtype)
    tolerance = 30 * np.finfo(dtype).eps
    for function in (da.linalg.qr, da.linalg.sfqr):
        q, r = map(values, function(make(wide, (3, columns))))
        assert (q.shape, r.shape, q.dtype, r.dtype) == ((3, 3), (3, 8), wide.dtype, wide.dtype)
        np.testing.assert_allclose(q @ r, wide, atol=tolerance)
        np.testing.assert_allclose(q.T.conj() @ q, np.eye(3), atol=tolerance)
        np.testing.assert_allclose(np.tril(r, -1), 0, atol=tolerance)


@pytest.mark.parametrize(("iterator", "times"), [("power", 0), ("power", 2), ("QR", 0), ("QR", 2)])
@pytest.mark.parametrize("chunks", [(4, 10), (4, 5), (12, 10)])
def test_compressed_svd(make, iterator, times, chunks):
    x = make(MATRIX, chunks)
    u, s, v = da.linalg.svd_compressed(x, 3, iterator=iterator, n_power_iter=times, seed=3)
    assert (u.shape, s.shape, v.shape) == ((12, 3), (3,), (3, 10))
    u, s, v = values(u), values(s), values(v)
    # The subspace has all ten dimensions here, so that nothing is lost.
    np.testing.assert_allclose(s, VALUES[:3], rtol=1e-12)
    np.testing.assert_allclose((u * s) @ v, (_LEFT[:, :3] * VALUES[:3]) @ _RIGHT[:3], atol=1e-12)
    np.testing.assert_allclose(u.T.conj() @ u, np.eye(3), atol=1e-13)
    np.testing.assert_allclose(v @ v.T.conj(), np.eye(3), atol=1e-13)


@pytest.mark.parametrize(("iterator", "times", "error"), [("power", 0, 0.2), ("power", 1, 1e-3), ("QR", 1, 1e-3)])
def test_compressed_to_fewer_dimensions(make, iterator, times, error):
    """30 values in 40 dimensions, 20 sampled: what is lost is of the order of the 21st, less with an iteration."""
    n = 40
    left = np.linalg.qr(np.fromfunction(lambda i, j: np.exp(1j * (i * i * j % 7 + i * j)) + (i == j), (n, 30)))[0]
    sizes = 2.0 ** -np.arange(30.0)
    x = make((left * sizes) @ left.T.conj(), (10, n))
    u, s, v = da.linalg.svd_compressed(x, 5, iterator=iterator, n_power_iter=times, seed=1, compute=times > 0)
    np.testing.assert_allclose(values(s), sizes[:5], rtol=error * 1e-3)
    found = values(u) * values(s) @ values(v)
    np.testing.assert_allclose(found, (left[:, :5] * sizes[:5]) @ left[:, :5].T.conj(), atol=error * 1e-2)


@pytest.mark.parametrize("iterator", ["power", "QR"])
def test_the_compression_spans_the_range(make, iterator):
    compression = da.linalg.compression_matrix(make(WIDE.T, (4, 3)), 3, iterator=iterator, n_power_iter=1, seed=0)
    found = values(compression)
    np.testing.assert_allclose(found @ found.T.conj(), np.eye(3), atol=1e-14)
    np.testing.assert_allclose(found.T.conj() @ found @ WIDE.T, WIDE.T, atol=1e-13)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
@pytest.mark.parametrize("iterator", ["power", "QR"])
def test_a_device_gives_what_numpy_chunks_give(iterator, dtype):
    """The numbers drawn are the same: so are the singular vectors, signs included."""
    table = MATRIX.real.astype(dtype)
    options = {"iterator": iterator, "n_power_iter": 1, "seed": 5}
    expected = da.linalg.svd_compressed(host(table, (4, 10)), 3, **options)
    with arrayshim.scope(only=NEEDED), dask.config.set({"arrayshim.mixed": "raise"}):
        found = da.linalg.svd_compressed(lazy(table, chunks=(4, 10)), 3, **options)
        for ours, theirs in zip(found, expected, strict=True):
            same(ours, theirs.compute(), rtol=1e-10 if dtype == "f8" else 1e-2)


@pytest.mark.parametrize("state", [da.random.RandomState(2), da.random.default_rng(2), 2, None])
def test_any_seed(state):
    with arrayshim.scope(only=NEEDED):
        _, s, _ = da.linalg.svd_compressed(lazy(MATRIX.real, chunks=(4, 10)), 3, seed=state)
        assert type(s._meta) is strict.StrictArray
        np.testing.assert_allclose(values(s), np.linalg.svd(MATRIX.real)[1][:3], rtol=1e-10)


def test_real_numpy_chunks_as_before():
    wide, tall = host(WIDE.real, (3, 4)), host(MATRIX.real, (4, 10))
    calls = [
        lambda: da.linalg.sfqr(wide),
        lambda: da.linalg.svd_compressed(tall, 3, n_power_iter=1, seed=0),
        lambda: [da.linalg.compression_matrix(tall, 3, iterator="QR", seed=0)],
        lambda: da.linalg.sfqr(host(WIDE, (3, 8))),
    ]
    for call in calls:
        with arrayshim.scope(only=()):
            stock = [part.compute(scheduler="sync") for part in call()]
        with arrayshim.scope(only=NEEDED):
            for part, value in zip(call(), stock, strict=True):
                np.testing.assert_array_equal(part.compute(scheduler="sync"), value, strict=True)


def test_what_stock_refuses_is_refused():
    with arrayshim.scope(only=NEEDED):
        for chunks in ((1, 4), ((3,), (2, 6))):
            with pytest.raises(ValueError, match="one row of blocks"):
                da.linalg.sfqr(host(WIDE, chunks))
        with pytest.raises(ValueError, match="Iterator"):
            da.linalg.compression_matrix(host(MATRIX, (4, 10)), 3, iterator="none")
