"""`histogram_residence`: counts, edges, widths and weights are where the data are."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError, UnsupportedError
from arrayshim.fixes.histogram_residence import FIX

DATA = np.array([0.5, 1.0, 1.5, 4.0, 2.0, 3.5, -1.0])
EDGES = np.array([0.0, 1.0, 2.5, 4.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["histogram_residence", "boolean_selection_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def on_device(values, kind):
    return strict.asarray(np.array(values), kind=kind)


def test_the_smallest_call_failed_before(kind):
    with arrayshim.scope(only=()):
        assert "chunks are StrictArray" in FIX.diagnose()
        with pytest.raises(TypeError, match="Unsupported type"):
            da.histogram(lazy(DATA, kind), 4, (0, 4), density=True)[0].compute()
    assert FIX.diagnose() is None


@pytest.mark.parametrize("density", [None, False, True])
@pytest.mark.parametrize("chunks", [7, 3, 1])
def test_equal_bins(kind, chunks, density):
    counts, edges = da.histogram(lazy(DATA, kind, chunks), bins=4, range=(0, 4), density=density)
    expected, bins = np.histogram(DATA, bins=4, range=(0, 4), density=density)
    same(counts, expected, kind)
    assert type(edges) is kind
    np.testing.assert_array_equal(edges.get(), bins, strict=True)


@pytest.mark.parametrize("density", [None, True])
@pytest.mark.parametrize("where", ["list", "host", "device", "dask", "host dask"])
def test_given_edges(kind, where, density):
    given = {
        "list": EDGES.tolist(),
        "host": EDGES,
        "device": on_device(EDGES, kind),
        "dask": lazy(EDGES, kind),
        "host dask": da.from_array(EDGES, chunks=2),
    }[where]
    counts, edges = da.histogram(lazy(DATA, kind), given, density=density)
    same(counts, np.histogram(DATA, EDGES, density=density)[0], kind)
    assert (edges is given) == (where in ("device", "dask"))
    if isinstance(edges, da.Array):
        same(edges, EDGES, kind)
    else:
        np.testing.assert_array_equal(edges.get(), EDGES, strict=True)


@pytest.mark.parametrize("density", [None, True])
@pytest.mark.parametrize("on_host", [False, True])
def test_weights(kind, on_host, density):
    weights = da.from_array(DATA**2, chunks=2) if on_host else lazy(DATA**2, kind)
    counts, _ = da.histogram(lazy(DATA, kind), 4, (0, 4), weights=weights, density=density)
    same(counts, np.histogram(DATA, 4, (0, 4), weights=DATA**2, density=density)[0], kind)


def test_a_range_that_is_computed(kind):
    x = lazy(DATA, kind)
    same(da.histogram(x, 5, [x.min(), x.max()])[0], np.histogram(DATA, 5)[0], kind)


def test_a_range_in_an_array(kind):
    expected = np.histogram(DATA, 5, (0, 4))[0]
    for limits in (np.array([0, 4]), np.array([0.0, 4.0]), on_device([0, 4], kind)):
        same(da.histogram(lazy(DATA, kind), 5, limits)[0], expected, kind)


def test_a_number_of_bins_on_the_device(kind):
    # The length of an array is known to the host: that one number is read, as it is for NumPy chunks.
    whole = lazy([2, 5, 3], kind)
    counts, edges = da.histogram(lazy(DATA, kind), whole.max(), (0, 4))
    expected, bins = np.histogram(DATA, 5, (0, 4))
    same(counts, expected, kind, reads=1)
    same(edges, bins, kind, reads=1)
    counts, edges = da.histogram(lazy(DATA, kind), on_device(5, kind), (0, 4), density=True)
    same(counts, np.histogram(DATA, 5, (0, 4), density=True)[0], kind)
    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        da.histogram(lazy(DATA, kind), on_device(5.0, kind), (0, 4))
    with pytest.raises(NotImplementedError, match="cannot be a scalar Dask object"):
        da.histogram(lazy(DATA, kind), whole.max(), (0, 4), density=True)


def test_tables_integers_and_unknown_sizes(kind):
    table = np.arange(24).reshape(4, 6)
    same(da.histogram(lazy(table, kind, (2, 4)), 3, (0, 24))[0], np.histogram(table, 3, (0, 24))[0], kind)
    x = lazy(DATA, kind)
    same(da.histogram(x[x > 1], 4, (0, 4))[0], np.histogram(DATA[DATA > 1], 4, (0, 4))[0], kind)


def test_what_was_refused_is_refused(kind):
    x = lazy(DATA, kind)
    with pytest.raises(ValueError, match="requires either specifying"):
        da.histogram(x, bins=4)
    with pytest.raises(ValueError, match="same chunked structure"):
        da.histogram(x, 4, (0, 4), weights=lazy(DATA, kind, 3))
    with pytest.raises(NotImplementedError, match="cannot be a scalar Dask object"):
        da.histogram(x, da.from_array(np.array(4)), (0, 4), density=True)


@pytest.mark.parametrize("bins", [{"bins": 4, "range": (0, 4)}, {"bins": EDGES}])
def test_complex_numbers_are_refused_while_the_graph_is_built(kind, bins):
    with pytest.raises(UnsupportedError, match=rf"^histogram of complex128 on {kind.__name__} chunks.*to_backend"):
        da.histogram(lazy(DATA + 1j, kind), **bins)
    weights = lazy(DATA + 1j, kind)
    same(
        da.histogram(lazy(DATA, kind), EDGES, weights=weights)[0],
        np.histogram(DATA, EDGES, weights=DATA + 1j)[0],
        kind,
    )
    # NumPy counts them.
    host = da.histogram(da.from_array(DATA + 1j, chunks=2), EDGES)[0]
    np.testing.assert_array_equal(host.compute(), np.histogram(DATA + 1j, EDGES)[0])


def test_host_data_and_a_parameter_on_a_device(kind):
    host = da.from_array(DATA, chunks=2)
    for arguments in ({"bins": on_device(EDGES, kind)}, {"bins": EDGES, "weights": lazy(DATA, kind)}):
        with pytest.raises(ResidenceError, match=r"histogram.*host memory"):
            da.histogram(host, **arguments)


@pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
@pytest.mark.parametrize("density", [None, True])
def test_numpy_chunks_as_before(make, density):
    x = da.from_array(make(DATA), chunks=2, asarray=False)
    with arrayshim.scope(only=()):
        stock, stock_edges = da.histogram(x, 4, (0, 4), density=density)
    with arrayshim.scope(only=["histogram_residence"]):
        ours, edges = da.histogram(x, 4, (0, 4), density=density)
        assert (ours.name, type(ours._meta), type(edges)) == (stock.name, type(stock._meta), type(stock_edges))
        np.testing.assert_array_equal(ours.compute(), stock.compute(), strict=True)
