"""Element streams, every method: parameters of every kind, any chunks and slices, on NumPy and on other chunks."""

from __future__ import annotations

from functools import cache

import element_methods as methods
import numpy as np
import pytest
from duck import Duck

from arrayshim import strict
from arrayshim.random.streams import ElementArray, ElementGenerator

STRICT = strict.StrictArray
BACKENDS = pytest.mark.parametrize("like", ["numpy", STRICT, Duck], ids=["numpy", "strict", "duck"])


EVERY = [*methods.DRAWN, *methods.PLAIN]
VECTORS = ("dirichlet", "multinomial", "multivariate_hypergeometric")


def chunk_type(like):
    return np.ndarray if like == "numpy" else like


def on_host(x):
    return strict.to_host(x) if type(x) is STRICT else x.data if type(x) is Duck else x


def computed(x):
    """The values in host memory, of an array whose type is what it says before."""
    got = x.compute(scheduler="sync")
    assert type(got) is type(x._meta) or np.isscalar(got)
    assert got.dtype == x.dtype
    return on_host(got)


def test_all_methods_are_here():
    about_state = {"state", "spawn", "jumped"}
    drawn = {name for name in dir(ElementGenerator) if not name.startswith("_")} - about_state
    assert methods.DRAWN.keys() | methods.PLAIN.keys() == drawn
    assert not methods.DRAWN.keys() & methods.PLAIN.keys()


@cache
def with_numbers(method):
    return methods.with_numbers(method)


KINDS = [
    ("numpy", "list"),
    ("numpy", "dask"),
    *((STRICT, kind) for kind in ("numpy", "dask", "device", "dask of device")),
]


@pytest.mark.parametrize(("like", "kind"), KINDS, ids=lambda it: getattr(it, "__name__", it))
@pytest.mark.parametrize("method", methods.DRAWN)
def test_parameters_of_every_kind(method, like, kind):
    x, expected = methods.with_arrays(method, like, kind), with_numbers(method)
    assert type(x._meta) is chunk_type(like)
    np.testing.assert_array_equal(computed(x), expected)
    np.testing.assert_array_equal(computed(x[6:2:-1, 1::2]), expected[6:2:-1, 1::2])


@cache
def drawn(method):
    return computed(methods.drawn(method))


@BACKENDS
@pytest.mark.parametrize("method", EVERY)
def test_chunks_slices_and_libraries_change_nothing(method, like):
    for chunks in ((5, 6), ((0, 9), (2, 4))):
        x = methods.drawn(method, like, chunks=chunks)
        with strict.conversions() as seen:
            got = x.compute(scheduler="sync")
        # Loops ask whether they are done, a bool at a time; no numbers come home.
        assert seen.bytes == seen.count
        assert type(got) is type(x._meta) is chunk_type(like)
        np.testing.assert_array_equal(on_host(got), drawn(method))
    np.testing.assert_array_equal(computed(x.rechunk(9)[::-2]), drawn(method)[::-2])
    np.testing.assert_array_equal(computed(x[4:4]), drawn(method)[4:4])
    assert isinstance(x[::2], ElementArray) is not (method in VECTORS)


@BACKENDS
@pytest.mark.parametrize("method", EVERY)
def test_sizes_without_elements_and_of_one(method, like):
    if method == "permutation":
        assert computed(methods.rng(like).permutation(0)).shape == (0,)
        assert computed(methods.rng(like).permutation(1)).tolist() == [0]
        return
    for shape in ((0,), (3, 0), ()):
        x = methods.drawn(method, like, shape)
        assert x.shape == shape + (3,) * (method in VECTORS)
        assert np.shape(computed(x)) == x.shape
