"""StrictArray's generators behave as CuPy 14.2's: seeds, parameters that are taken and refused, what is looked at."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from arrayshim import strict

RANDOM = strict.namespace.random


def test_bit_generators_keep_their_seed_sequence():
    sequence = np.random.SeedSequence(5)
    for kind in (RANDOM.XORWOW, RANDOM.MRG32k3a, RANDOM.Philox4x3210):
        assert issubclass(kind, RANDOM.BitGenerator)
        assert kind(sequence)._seed_seq is sequence
        first, second, other = (RANDOM.Generator(kind(seed)).random(3).get() for seed in (5, sequence, 6))
        np.testing.assert_array_equal(first, second)
        assert first.tolist() != other.tolist()
    with strict.conversions() as seen:
        bits = RANDOM.XORWOW(strict.asarray([1, 2]))
    assert seen.count == 1
    assert bits._seed_seq.entropy.tolist() == [1, 2]
    assert bits.random_raw((2, 3)).dtype == np.int32
    assert bits.random_raw(4, output=False) is None
    with pytest.raises(NotImplementedError):
        RANDOM.BitGenerator(1).random_raw()


def test_a_generator_goes_on_with_its_bits_and_does_not_pickle():
    bits = RANDOM.XORWOW(3)
    assert RANDOM.default_rng(bits).bit_generator is bits
    assert RANDOM.Generator(bits).random(2).get().tolist() != RANDOM.Generator(bits).random(2).get().tolist()
    for thing in (bits, RANDOM.Generator(bits)):
        with pytest.raises(TypeError, match="pickle"):
            pickle.dumps(thing)
    assert pickle.loads(pickle.dumps(strict.XORWOW)) is strict.XORWOW


@pytest.mark.parametrize("name", ["beta", "chisquare", "f", "geometric", "poisson", "power", "logseries", "binomial"])
def test_parameters_are_scalars_of_python_or_on_the_device(name):
    rng = RANDOM.default_rng(1)
    args = {"beta": 2, "f": 2, "binomial": 2}.get(name, 1)
    draw = getattr(rng, name)
    assert draw(*[strict.asarray([0.5, 0.5])] * args).shape == (2,)
    for bad in (np.array([0.5]), np.float64(0.5), [0.5], None):
        with pytest.raises(TypeError, match=r"required to be a cupy\.ndarray or a scalar"):
            draw(*[bad] * args)


def test_what_else_cupys_generator_takes_and_does_not():
    rng = RANDOM.default_rng(1)
    with pytest.raises(ValueError, match="shape is required"):
        rng.standard_gamma(np.array([1.0]))
    with pytest.raises(TypeError, match="Unsupported type"):
        rng.exponential(np.array([1.0]))
    with pytest.raises(TypeError, match="as float64"):
        rng.beta(strict.asarray([1, 2]), 1.0)
    with pytest.raises(NotImplementedError, match="Ziggurat"):
        rng.standard_exponential(3, method="zig")
    with pytest.raises(TypeError, match="Unsupported dtype"):
        rng.standard_normal(3, dtype="i4")
    assert rng.random(3, dtype="i4").get().tolist() == [0, 0, 0]
    assert rng.uniform(np.array([1.0]), 2.0).shape == (1,)
    with pytest.raises(ValueError, match="broadcast"):
        rng.poisson(strict.asarray([1.0, 2.0]), size=3)
    for name in ("normal", "choice", "permutation", "multinomial", "shuffle"):
        assert not hasattr(rng, name)
    out = strict.asarray(np.zeros(3))
    assert rng.random(out=out) is out
    assert out.get().all()


def test_integers_have_scalar_bounds():
    rng = RANDOM.default_rng(1)
    got = rng.integers(0, 2**64, size=4, dtype=np.uint64)
    assert (got.shape, got.dtype) == ((4,), np.uint64)
    assert set(rng.integers(2, 3, size=50, endpoint=True).get()) == {2, 3}
    for args, words in (((9, 2), "low >= high"), ((-1, 5), "low is out"), ((0, 300), "high is out")):
        with pytest.raises(ValueError, match=words):
            rng.integers(*args, dtype=np.uint8)
    with pytest.raises(TypeError):
        rng.integers(strict.asarray([1, 2]))


def test_values_are_not_looked_at():
    rng, state = RANDOM.default_rng(1), RANDOM.RandomState(1)
    assert rng.gamma(-1.0, size=2).get().tolist() == [0, 0]
    assert state.normal(0.0, -1.0, size=(2, 1)).shape == (2, 1)
    assert state.poisson(-1.0, size=2).dtype == np.int64
    for draw, words in (
        (lambda: rng.hypergeometric(-1, 1, 1), "ngood < 0"),
        (lambda: state.exponential(-1.0), "scale"),
    ):
        with pytest.raises(ValueError, match=words):
            draw()


def test_permutation_of_a_state_is_numpys():
    drawn = strict.RandomState(3).permutation(9)
    assert type(drawn) is strict.StrictArray
    np.testing.assert_array_equal(np.sort(drawn.get()), np.arange(9))
    ordered = strict.RandomState(3).permutation(strict.asarray([5.0, 7.0]))
    np.testing.assert_array_equal(np.sort(ordered.get()), [5.0, 7.0])
