"""NumPy's functions that dask lacks, on device-backed dask arrays."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from duck import registered, strict_backend
from honest import lazy

import arrayshim
from arrayshim import strict
from arrayshim._lacking import lacks
from arrayshim.errors import ResidenceError

DATA = np.array([3.0, 1.0, 2.0, 5.0])

pytestmark = pytest.mark.filterwarnings("ignore:The `numpy:FutureWarning")

CALLS = {
    "array_equal": lambda x, y: np.array_equal(x, y),
    "convolve": lambda x, y: np.convolve(x, y),
    "interp": lambda x, y: np.interp(x, y.cumsum(axis=0), y),
    "polyval": lambda x, y: np.polyval(y, x),
    "setdiff1d": lambda x, y: np.setdiff1d(x, y),
    "cross": lambda x, y: np.cross(x[:3], y[1:]),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("host", ["none", "left", "right", "dask"])
def test_operands_meet_on_the_device(name, host):
    device, other = lazy(DATA), {"none": lazy(DATA), "dask": da.from_array(DATA, chunks=2)}.get(host, DATA)
    pair = (other, device) if host == "left" else (device, other)
    with strict.conversions() as copies:
        found = CALLS[name](*pair)
    assert copies.count == 0
    assert type(found) is strict.StrictArray
    np.testing.assert_allclose(found.get(), CALLS[name](DATA, DATA))


def test_what_is_moved_is_counted_and_may_be_refused():
    with arrayshim.transfers() as moves:
        assert bool(np.array_equal(lazy(DATA), DATA))
    assert moves.by_operation == {"np.array_equal": (1, DATA.nbytes)}
    with (
        dask.config.set({"arrayshim.mixed": "raise"}),
        pytest.raises(ResidenceError, match=r'np\.array_equal: .*arrayshim\.mixed is "raise"'),
    ):
        np.array_equal(lazy(DATA), DATA)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("histogram_bin_edges", lambda x: np.histogram_bin_edges(x, 3)),
        ("lexsort", lambda x: np.lexsort((x, x))),
        ("linalg.matrix_rank", lambda x: np.linalg.matrix_rank(x, tol="?")),
    ],
)
def test_what_the_library_lacks_is_refused_in_words_that_help(name, call):
    with pytest.raises(ResidenceError, match=rf"^np\.{name}: .*StrictArray chunks refused .*arrayshim\.to_numpy\(x\)"):
        call(lazy(np.diag(DATA)) if "linalg" in name else lazy(DATA))


def test_the_setting_computes_on_the_host():
    with (
        registered(strict_backend("lacking")) as backend,
        dask.config.set({"arrayshim.implicit_to_host": True}),
        arrayshim.transfers() as moves,
    ):
        found = np.histogram_bin_edges(lazy(DATA, backend.chunk_types[0]), 4)
    np.testing.assert_array_equal(found, [1.0, 2.0, 3.0, 4.0, 5.0], strict=True)
    assert moves.to_host == 1


def test_bad_input_keeps_the_error_of_numpy():
    for x in (lazy(DATA), da.from_array(DATA, chunks=2), DATA):
        with pytest.raises(ValueError, match="empty"):
            np.convolve(x, x[:0])


def test_numpy_chunks_and_their_warning_are_stock():
    x = da.from_array(DATA, chunks=2)
    with pytest.warns(FutureWarning, match=r"The `numpy.array_equal` function is not implemented by Dask array"):
        assert np.array_equal(x, DATA) is True
    with pytest.warns(FutureWarning, match=r"The `numpy.array_equal` function is not implemented by Dask array"):
        np.array_equal(lazy(DATA), DATA)


def test_what_dask_has_is_left_to_it():
    assert not any(map(lacks, (np.sum, np.linalg.norm, np.fft.fft, np.where, np.iscomplexobj)))
    assert all(map(lacks, (np.array_equal, np.convolve, np.linalg.det)))
