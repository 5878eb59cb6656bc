"""`histogramdd_residence`: counts, edges, widths and weights are where the data are, and what NumPy makes them."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.histogramdd_residence import FIX

RNG = np.random.default_rng(11)
POINTS = np.round(RNG.uniform(-3, 3, size=(40, 2)), 1)  # many lie on an edge
POINTS[3] = 2.0
POINTS[5] = np.nan
POINTS[7] = np.inf
WEIGHTS = RNG.integers(1, 9, size=40) / 8
EDGES = ([-2.0, -0.5, 0.0, 2.0], [-3.0, 0.1, 3.0])
RANGE = ((-2, 2), (-3, 1))


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["histogramdd_residence"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def on_device(values, kind):
    return strict.asarray(np.array(values), kind=kind)


def edges_are(edges, expected, kind):
    assert len(edges) == len(expected)
    for ours, numpys in zip(edges, expected, strict=True):
        if isinstance(ours, da.Array):
            same(ours, numpys, kind)
        else:
            assert type(ours) is kind
            np.testing.assert_array_equal(ours.get(), numpys, strict=True)


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "is ndarray, chunks are StrictArray" in FIX.diagnose()
    assert FIX.diagnose() is None


@pytest.mark.parametrize("density", [None, False, True])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("chunks", [40, 7])
@pytest.mark.parametrize("columns", [False, True])
def test_equal_bins(kind, density, weighted, chunks, columns):
    x = POINTS[[i for i in range(40) if i not in (5, 7)]]
    w = WEIGHTS[2:] if weighted else None
    sample = lazy(x, kind, (chunks, 2)) if columns else tuple(lazy(c, kind, chunks) for c in x.T)
    lazy_weights = lazy(w, kind, chunks) if weighted else None
    for bins in (3, (4, 2)):
        ours, edges = da.histogramdd(sample, bins, RANGE, weights=lazy_weights, density=density)
        expected, numpys = np.histogramdd(x, bins, RANGE, weights=w, density=bool(density))
        same(ours, expected, kind, rtol=1e-15 if density else 0)  # another order of division
        edges_are(edges, numpys, kind)


@pytest.mark.parametrize("density", [None, True])
@pytest.mark.parametrize("where", ["list", "host", "device", "one of each"])
def test_given_edges(kind, where, density):
    a, b = EDGES
    bins = {
        "list": (a, b),
        "host": [np.array(a), np.array(b)],
        "device": [on_device(a, kind), on_device(b, kind)],
        "one of each": (a, on_device(b, kind)),
    }[where]
    x, y = (lazy(c, kind, 9) for c in POINTS.T)
    ours, xs, ys = da.histogram2d(x, y, bins, density=density)
    expected, *numpys = np.histogram2d(*POINTS.T, EDGES, density=bool(density))
    same(ours, expected, kind, rtol=1e-15 if density else 0)
    edges_are((xs, ys), numpys, kind)


def test_nan_and_infinity_lie_in_no_cell(kind):
    x = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0])
    ours, _ = da.histogramdd([lazy(x, kind)], [[-1.0, 0.0, 1.0]])
    same(ours, np.array([0.0, 2.0]), kind)


@pytest.mark.parametrize("dtype", ["i8", "i1", "u8", "u1", "f4", "f2", "?"])
def test_every_dtype(kind, dtype):
    x = np.arange(12).astype(dtype)
    edges = ([-2, 1, 5, 9], [0.5, 3.25, 11.0])
    ours, _ = da.histogramdd((lazy(x, kind, 5), lazy(x[::-1], kind, 5)), edges)
    same(ours, np.histogramdd((x, x[::-1]), edges)[0], kind)


def test_three_axes_and_many_cells(kind):
    x = RNG.normal(size=(500, 3)) ** 3 * 1e8
    edges = [np.concatenate([[-1e300], np.sort(RNG.normal(size=n)) * 1e8, [1e300]]) for n in (5, 7, 2)]
    ours, _ = da.histogramdd(lazy(x, kind, (60, 3)), edges)
    same(ours, np.histogramdd(x, edges)[0], kind)


def test_a_range_on_the_device(kind):
    x, y = (lazy(c, kind, 9) for c in POINTS.T)
    ours, edges = da.histogramdd((x, y), (4, 2), on_device(RANGE, kind))
    same(ours, np.histogramdd(POINTS[:, :2], (4, 2), RANGE)[0], kind)
    edges_are(edges, [np.linspace(-2, 2, 5), np.linspace(-3, 1, 3)], kind)


@pytest.mark.parametrize("x", [np.array([3.0, -1.0, 0.5, 7.0]), np.array([4.0, 4.0]), np.array([2, 9, -3])])
def test_a_number_of_bins_without_a_range(kind, x):
    edges = [-4.0, 2.0, 3.0, 9.0]
    given = (lazy(x, kind, -1), lazy(x, kind, -1))
    same(da.histogramdd(given, [3, edges])[0], np.histogramdd((x, x), [3, edges])[0], kind)
    with pytest.raises(ValueError, match="must be positive"):
        da.histogramdd(given, [0, edges])[0].compute()


def test_the_widths_of_host_edges_are_not_read_back(kind):
    x, y = (lazy(c, kind, 9) for c in POINTS.T)
    with strict.conversions() as read:
        da.histogramdd((x, y), 3, RANGE, density=True)
        da.histogramdd((x, y), EDGES, density=True)
    assert not read.count


@pytest.mark.parametrize("dtype", ["f8", "f4", "i4"])
def test_host_weights_follow(kind, dtype):
    weights = (WEIGHTS * 8).astype(dtype)
    x, y = (lazy(c, kind, 9) for c in POINTS.T)
    ours, _ = da.histogramdd((x, y), 3, RANGE, weights=da.from_array(weights, chunks=9))
    host = tuple(da.from_array(c, chunks=9) for c in POINTS.T)
    stock, _ = da.histogramdd(host, 3, RANGE, weights=da.from_array(weights, chunks=9))
    same(ours, stock.compute(scheduler="sync"), kind)


def test_a_host_coordinate_meets_a_device_one(kind):
    x, y = POINTS.T
    ours, _ = da.histogramdd((lazy(x, kind, 9), da.from_array(y, chunks=9)), EDGES)
    same(ours, np.histogramdd(POINTS, EDGES)[0], kind)


def test_names_know_the_edges(kind):
    x = lazy(POINTS[:, 0], kind, 9)
    names = [da.histogramdd([x], [on_device(e, kind)])[0].name for e in ([0, 1, 2], [0, 1, 2], [0, 1, 3])]
    assert names[0] == names[1] != names[2]


def test_what_is_refused(kind):
    x = lazy(POINTS[:, 0], kind, 9)
    with pytest.raises(NotImplementedError, match="dask collections"):
        da.histogramdd((x, x), [lazy(EDGES[0], kind), lazy(EDGES[1], kind)])
    with pytest.raises(TypeError, match="Cannot specify both"):
        da.histogramdd((x, x), 3, RANGE, True, None, True)
    with pytest.raises(ValueError, match="dimension of bins"):
        da.histogramdd((x, x), [on_device(EDGES[0], kind)])
    with pytest.raises(ValueError, match="monotonically increasing"):
        da.histogramdd([x], [[3.0, 2.0, 1.0]])[0].compute(scheduler="sync")
    host = da.from_array(POINTS[:, 0], chunks=9)
    with pytest.raises(ResidenceError, match="histogramdd"):
        da.histogramdd([host], [on_device(EDGES[0], kind)])
    with pytest.raises(ResidenceError, match="histogramdd"):
        da.histogramdd([host], [EDGES[0]], weights=x)


@pytest.mark.parametrize("density", [None, True])
def test_numpy_chunks_are_counted_as_before(density):
    def count():
        x = da.from_array(POINTS, chunks=(9, 2))
        counts, edges = da.histogramdd(x, EDGES, density=density, weights=da.from_array(WEIGHTS, chunks=9))
        return counts.compute(scheduler="sync"), edges

    with arrayshim.scope(only=()):
        stock, stock_edges = count()
    with arrayshim.scope(only=["histogramdd_residence"]):
        ours, edges = count()
    np.testing.assert_array_equal(ours, stock, strict=True)
    assert [type(e) for e in edges] == [type(e) for e in stock_edges]
