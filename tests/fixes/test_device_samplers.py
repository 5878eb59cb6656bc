"""What a library's generator lacks is lent to it, and is a repair apart from the parameters that dask could take."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.array import random as stock

import arrayshim
from arrayshim import strict
from arrayshim.random import HostDrawn

STRICT = strict.StrictArray
LACKING = {
    "normal": lambda rng: rng.normal(0.0, 1.0, size=3),
    "choice": lambda rng: rng.choice(3, size=2),
    "permutation": lambda rng: rng.permutation(3),
}


def generator():
    return da.random.Generator(strict.XORWOW(1))


@pytest.mark.parametrize("call", LACKING.values(), ids=LACKING)
def test_what_a_generator_lacks_is_lent(call):
    assert type(call(generator()).compute(scheduler="sync")) is STRICT
    with arrayshim.scope(skip=["device_samplers"]), pytest.raises(AttributeError, match="has no attribute"):
        call(generator()).compute(scheduler="sync")


def test_without_it_a_library_is_given_what_dask_was():
    state = da.random.RandomState(1, RandomState=strict.RandomState)
    with arrayshim.scope(skip=["device_samplers"]):
        x = state.normal(strict.asarray([0.0, 500.0]), 0.1, chunks=1)
        assert type(x._meta) is STRICT
        np.testing.assert_allclose(x.compute(scheduler="sync").get(), [0, 500], atol=5)
        with pytest.raises(AttributeError, match="random_integers"):
            state.random_integers(2, 9, size=3)


@pytest.mark.parametrize("given", [np.array([0.0, 500.0]), strict.asarray([0.0, 500.0])], ids=["host", "device"])
def test_the_functions_of_a_chunk(given):
    """As dask's own graphs call them."""
    seed = np.random.SeedSequence(3)
    drawn = [
        stock._apply_random_func(strict.XORWOW, "normal", seed, (2,), (given, 0.1), {}),
        stock._apply_random(strict.RandomState, "normal", 3, (2,), (given, 0.1), {}),
    ]
    for x in drawn:
        assert type(x) is STRICT
        np.testing.assert_allclose(x.get(), [0, 500], atol=5)


def test_numpys_functions_of_a_chunk_are_dasks():
    seed, loc = np.random.SeedSequence(3), np.array([0.0, 500.0])
    drawn = stock._apply_random_func(np.random.PCG64, "normal", seed, (2,), (loc, 0.1), {})
    np.testing.assert_array_equal(drawn, np.random.Generator(np.random.PCG64(seed)).normal(loc, 0.1, size=2))
    expected = np.random.RandomState(3).normal(loc, 0.1, size=2)
    for kind in (None, np.random.RandomState):
        np.testing.assert_array_equal(stock._apply_random(kind, "normal", 3, (2,), (loc, 0.1), {}), expected)
    placed = stock._apply_random(HostDrawn(strict.asarray), "normal", 3, (2,), (loc, 0.1), {})
    assert type(placed) is STRICT
    np.testing.assert_array_equal(placed.get(), expected)
