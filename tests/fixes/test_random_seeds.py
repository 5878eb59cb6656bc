"""Seeds of every kind for dask's own RandomState and default_rng, and names of generators."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest
from dask.base import tokenize
from duck import registered, strict_backend

import arrayshim
from arrayshim import strict
from arrayshim.residency import transfers

STRICT = strict.StrictArray
DTYPES = ("u1", "i2", "u4", "i8", "u8")


def numbers(rng):
    x = rng.uniform(size=5, chunks=3).compute(scheduler="sync")
    return (x.get() if hasattr(x, "get") else x).tolist()


def legacy(seed):
    return da.random.RandomState(seed), da.random.RandomState(seed, RandomState=strict.RandomState)


def modern(seed):
    # CuPy's take no array without axes.
    return da.random.default_rng(seed), da.random.default_rng(strict.XORWOW(seed if np.ndim(seed) else int(seed)))


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("make", [legacy, modern])
def test_integer_arrays_of_any_dtype_seed_as_their_numbers(make, dtype):
    for numpys, given in ((7, np.array(7, dtype)), ([1, 2, 3], np.array([1, 2, 3], dtype))):
        for expected, got in zip(make(numpys), make(given), strict=True):
            assert numbers(expected) == numbers(got)


@pytest.mark.parametrize("make", ["RandomState", "default_rng"])
def test_seeds_on_a_device_come_home_once_and_are_counted(make):
    with registered(strict_backend("fresh", random_state=strict.RandomState)) as backend:
        seed = strict.asarray(np.array([1, 2, 3]), kind=backend.chunk_types[0])
        for module, options in ((da.random, {}), (arrayshim.random, {}), (arrayshim.random, {"like": "fresh"})):
            with transfers() as seen:
                rng = getattr(module, make)(seed, **options)
                assert seen.to_host == 1
            assert numbers(rng) == numbers(getattr(module, make)([1, 2, 3], **options))


def test_seed_sequences_and_reseeding():
    sequence = np.random.SeedSequence(9)
    expected = numbers(da.random.RandomState(np.random.MT19937(np.random.SeedSequence(9))))
    assert numbers(da.random.RandomState(sequence)) == expected
    rng = da.random.RandomState(1)
    for seed in (np.array([4, 5], "u8"), [4, 5]):
        rng.seed(seed)
        assert numbers(rng) == numbers(da.random.RandomState([4, 5]))


def test_bit_generators_of_any_library_are_wrapped():
    bits = strict.Philox4x3210(3)
    rng = da.random.default_rng(bits)
    assert type(rng) is da.random.Generator
    assert rng._bit_generator is bits
    assert str(rng) == "Generator(Philox4x3210)"
    assert type(rng.normal(size=3)._meta) is STRICT
    assert da.random.default_rng(rng) is rng
    # What a chunk asks the root module of the type for, as of CuPy's.
    assert type(arrayshim.random.default_rng(strict.XORWOW(1))) is strict.Generator


def test_bad_seeds_get_numpys_errors():
    kinds = TypeError, ValueError
    for seed, error in ((-1, ValueError), ("x", kinds), (1.5, TypeError), (np.array([1.5]), TypeError)):
        for make in (da.random.RandomState, da.random.default_rng):
            with pytest.raises(error):
                make(seed)


def test_generators_have_names():
    def rng(seed=1, bits=strict.XORWOW):
        return da.random.default_rng(bits(seed))

    assert tokenize(rng()) == tokenize(rng())
    assert len({tokenize(x) for x in (rng(), rng(2), rng([1, 2]), rng(1, strict.MRG32k3a))}) == 4
    drawn = rng()
    before = tokenize(drawn)
    drawn.normal(size=3)
    assert tokenize(drawn) != before
    assert tokenize(rng(np.random.SeedSequence(4).spawn(1)[0])) != tokenize(rng(np.random.SeedSequence(4)))


@pytest.mark.parametrize("like", [None, STRICT], ids=["dask", "arrayshim"])
def test_all_of_a_long_seed_is_in_the_names(like):
    def draw(seed):
        seed = np.random.SeedSequence(seed)
        rng = arrayshim.random.default_rng(seed, like=like) if like else da.random.default_rng(strict.XORWOW(seed))
        return tokenize(rng), rng.normal(size=3, chunks=2).name

    seed = np.arange(3000, dtype="u4")
    other = np.where(seed == 1500, 7, seed)  # where a repr leaves numbers out
    assert draw(seed) == draw(seed.copy())
    for name, another in zip(draw(seed), draw(other), strict=True):
        assert name != another


def test_numpys_generators_are_named_as_before():
    assert "__dask_tokenize__" not in vars(da.random.default_rng(1))
    assert tokenize(da.random.default_rng(1)) == tokenize(da.random.default_rng(1))
