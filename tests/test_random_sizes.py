"""Sizes of random numbers that hold nothing, or are no sizes: what NumPy answers, with the graph."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict

RNGS = {
    "element": lambda: arrayshim.random.default_rng(1, like="numpy", stream="element"),
    "element strict": lambda: arrayshim.random.default_rng(1, like=strict.StrictArray, stream="element"),
    "device": lambda: arrayshim.random.default_rng(1, like=strict.StrictArray),
    "state": lambda: arrayshim.random.RandomState(1, like=strict.StrictArray),
    "theirs": lambda: da.random.default_rng(strict.namespace.random.default_rng(1)),
}
every = pytest.mark.parametrize("make", RNGS.values(), ids=RNGS)


def integers_of(rng):
    return rng.randint if isinstance(rng, da.random.RandomState) else rng.integers


@every
@pytest.mark.parametrize(
    ("bounds", "options"),
    [
        ((0, 0), {"size": 0}),
        ((5, 3), {"size": (3, 0)}),
        ((0, 2**70), {"size": 0}),
        ((0, 300), {"size": 0, "dtype": "i1"}),
        (([5, 6], 3), {"size": (0, 2)}),
        ((np.zeros(0, int), -5), {}),
        ((5, np.zeros((0, 3), int)), {}),
    ],
    ids=str,
)
def test_no_integers_have_any_bounds(make, bounds, options):
    expected = np.random.default_rng(1).integers(*bounds, **options)
    x = integers_of(make())(*bounds, **options)
    got = x.compute(scheduler="sync")
    assert type(got) is type(x._meta)
    assert (x.shape, got.shape, got.dtype) == (expected.shape, expected.shape, expected.dtype)


@every
def test_none_of_what_does_not_exist_is_refused(make):
    with pytest.raises(TypeError, match=r"Unsupported dtype dtype..float64.. for"):
        integers_of(make())(0, 0, size=0, dtype="f8")
    with pytest.raises(ValueError, match="scale < 0"):
        make().normal(0, -1, size=0)


@every
@pytest.mark.parametrize(
    "draw",
    [
        lambda r, size: r.normal(size=size),
        lambda r, size: integers_of(r)(0, 5, size=size),
    ],
    ids=["normal", "integers"],
)
def test_a_size_is_of_integers(make, draw):
    for size in (2.5, (2, 2.5), "23"):
        with pytest.raises(TypeError):
            np.random.default_rng(1).normal(size=size)
        with pytest.raises(TypeError):
            draw(make(), size)
    assert draw(make(), np.int64(3)).shape == (3,)
    assert draw(make(), [2, np.int8(3)]).shape == (2, 3)


@pytest.mark.parametrize("kind", ["element", "element strict", "theirs"])
def test_a_choice_has_a_size_of_integers(kind):
    for size in (2.5, (2, 2.5), "23"):
        with pytest.raises(TypeError):
            RNGS[kind]().choice(5, size=size)
    assert RNGS[kind]().choice(5, size=[2, np.int8(3)]).shape == (2, 3)
