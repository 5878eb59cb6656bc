"""`permutation`: of a number where it was asked for, of an array in an order that the generator gives."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest

from arrayshim import strict
from arrayshim.fix import original
from arrayshim.fixes.random_permutation import GENERATOR, STATE

STRICT = strict.StrictArray
KINDS = ("Generator", "RandomState")


def generator(kind, seed=3):
    if kind == "Generator":
        return da.random.default_rng(strict.namespace.random.default_rng(seed))
    return da.random.RandomState(seed, RandomState=strict.RandomState)


def computed(x):
    assert type(x._meta) is STRICT
    with strict.conversions() as seen:
        got = x.compute(scheduler="sync")
    assert seen.count == 0
    assert type(got) is STRICT
    assert (got.shape, got.dtype) == (x.shape, x.dtype)
    return got.get()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [0, 1, 50, np.int64(50)])
def test_of_a_number(kind, n):
    rng = generator(kind)
    first, second = rng.permutation(n), rng.permutation(n)
    assert first.dtype == np.int64
    assert first.name == generator(kind).permutation(n).name
    got = computed(first)
    assert sorted(got) == list(range(n))
    if n == 50:
        assert got.tolist() != computed(second).tolist()
        assert got.tolist() != list(range(n))


@pytest.mark.parametrize("kind", KINDS)
def test_of_a_number_comes_in_chunks(kind):
    with dask.config.set({"array.chunk-size": "160B"}):
        x = generator(kind).permutation(50)
    assert x.numblocks == (3,)
    assert sorted(computed(x)) == list(range(50))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(12,), (7, 3), (5, 2, 2)])
def test_of_an_array(kind, shape):
    values = np.arange(np.prod(shape)).reshape(shape)
    device = strict.asarray(values)
    for x in (device, da.from_array(device, chunks=3, name=False)):
        got = computed(generator(kind).permutation(x))
        assert sorted(got.tolist()) == values.tolist()
        assert got.tolist() != values.tolist()
    host = generator(kind).permutation(da.from_array(values, chunks=3)).compute(scheduler="sync")
    assert type(host) is np.ndarray
    assert sorted(host.tolist()) == values.tolist()


def test_bad_numbers():
    for kind in KINDS:
        with pytest.raises(ValueError, match="negative"):
            generator(kind).permutation(-1)


def test_numpys_permutations_are_dasks():
    for make, target in ((da.random.default_rng, GENERATOR), (da.random.RandomState, STATE)):
        for x in (9, da.arange(12, chunks=5)):
            ours, theirs = make(3).permutation(x), original(target)(make(3), x)
            np.testing.assert_array_equal(*dask.compute(ours, theirs, scheduler="sync"))
