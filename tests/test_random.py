"""Random factories: dask's own numbers for NumPy, the same numbers elsewhere, and every kind of seed."""

from __future__ import annotations

import dataclasses
import pickle

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest
from dask.base import tokenize
from duck import Duck, as_duck, registered, strict_backend

import arrayshim
from arrayshim import strict
from arrayshim.conformance import backends as suite
from arrayshim.errors import BackendError
from arrayshim.random import HostBits, HostDrawn, default_rng
from arrayshim.random._placed import PlacedSeed

STRICT = strict.StrictArray

#: A seed, and what dask takes in its place: for RandomState, for default_rng.
SEEDS = [
    (5, 5, 5),
    (np.int64(5), 5, 5),
    (np.array(5, dtype="u8"), 5, 5),
    (np.array([5], dtype="i2"), 5, 5),
    ([1, 2, 3], [1, 2, 3], [1, 2, 3]),
    ((1, 2), (1, 2), (1, 2)),
    ([np.int8(1), 2], [1, 2], [1, 2]),
    (np.array([1, 2], dtype="u8"), [1, 2], [1, 2]),
    (np.array([1, 2], dtype="i4"), [1, 2], [1, 2]),
    (np.array([1, 2], dtype="u1"), [1, 2], [1, 2]),
    (np.random.SeedSequence(9), np.random.MT19937(np.random.SeedSequence(9)), np.random.SeedSequence(9)),
]
IDS = [f"{type(seed).__name__}-{i}" for i, (seed, _, _) in enumerate(SEEDS)]
#: Makes, of a Generator or a RandomState, the arrays to compare.
GENERATED = {
    "normal": lambda rng: rng.normal(3, 2, size=(5, 4), chunks=3),
    "scalar": lambda rng: rng.normal(),
    "uniform": lambda rng: rng.uniform(size=7, chunks=2),
    "poisson": lambda rng: rng.poisson(np.arange(1.0, 7), chunks=4),
    "of dask": lambda rng: rng.exponential(da.arange(1, 5, chunks=2), chunks=2),
    "choice": lambda rng: rng.choice(10, size=6, chunks=3),
    "choice with p": lambda rng: rng.choice(3, size=4, p=[0.2, 0.3, 0.5], chunks=4),
    "choice of data": lambda rng: rng.choice(np.array([2.5, 3.5]), size=5, chunks=5),
    "permutation": lambda rng: rng.permutation(9),
}

# A backend without generators of its own.
HOST_DRAWN = dataclasses.replace(suite.get("strict"), random_state=None, bit_generator=None)


def fresh(seed):
    """A seed that no other generator has spawned from or drawn with."""
    return pickle.loads(pickle.dumps(seed))


def same(got, expected, kind, to_host=strict.to_host):
    assert type(got) is da.Array
    assert type(got._meta) is kind
    assert (got.shape, got.dtype, got.chunks) == (expected.shape, expected.dtype, expected.chunks)
    (got, expected) = (x.compute(scheduler="sync") for x in (got, expected))
    assert type(got) is kind
    assert type(expected) is np.ndarray
    np.testing.assert_array_equal(to_host(got), expected)


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize(("seed", "legacy", "new"), SEEDS, ids=IDS)
def test_seeds_of_every_kind_give_dasks_numbers(seed, legacy, new, like):
    kind = np.ndarray if like == "numpy" else STRICT
    to_host = np.asarray if like == "numpy" else strict.to_host
    states = arrayshim.random.RandomState(fresh(seed), like=like), da.random.RandomState(fresh(legacy))
    generators = arrayshim.random.default_rng(fresh(seed), like=like), da.random.default_rng(fresh(new))
    for ours, dasks in (states, generators):
        assert isinstance(ours, type(dasks))
        for draw in ("normal", "uniform"):  # one after the other: the second must not repeat the first
            same(GENERATED[draw](ours), GENERATED[draw](dasks), kind, to_host)


@pytest.mark.parametrize(
    ("kind", "draw"),
    # dask takes a 0-d masked array for a NumPy one.
    [(k, d) for k in (STRICT, Duck, np.ma.MaskedArray) for d in GENERATED if (k, d) != (np.ma.MaskedArray, "scalar")],
)
@pytest.mark.parametrize("make", ["RandomState", "default_rng"])
def test_numbers_drawn_for_any_type_are_those_for_numpy(kind, make, draw):
    like = np.ma.array([1.0]) if kind is np.ma.MaskedArray else kind
    to_host = {STRICT: strict.to_host, Duck: lambda x: x.data, np.ma.MaskedArray: np.ma.getdata}[kind]
    ours, dasks = getattr(arrayshim.random, make)(3, like=like), getattr(da.random, make)(3)
    with strict.conversions() as seen:
        same(GENERATED[draw](ours), GENERATED[draw](dasks), kind, to_host)
    assert seen.count == (1 if kind is STRICT else 0)  # ours, to compare


def test_no_two_draws_share_a_seed():
    rng = arrayshim.random.default_rng(3, like=STRICT)
    integers, choice = (lambda: rng.integers(0, 2**40, size=2)), (lambda: rng.choice(2**40, size=2))
    drawn = [integers(), choice(), choice(), integers()]
    values = {int(x) for each in drawn for x in each.compute(scheduler="sync").get()}
    assert len(values) == 8
    ours, dasks = arrayshim.random.default_rng(3, like=STRICT), da.random.default_rng(3)
    for _ in range(2):
        same(ours.permutation(50), dasks.permutation(50), STRICT)


def test_without_a_seed_numbers_differ():
    for make in (arrayshim.random.RandomState, arrayshim.random.default_rng):
        a, b = (make(like=STRICT).uniform(size=4).compute(scheduler="sync").get() for _ in range(2))
        assert a.tolist() != b.tolist()


def test_permutation_of_an_array_keeps_its_type():
    x = da.from_array(strict.asarray(np.arange(8)), chunks=3, name=False)
    for rng in (arrayshim.random.default_rng(1, like=STRICT), arrayshim.random.RandomState(1, like=STRICT)):
        shuffled = rng.permutation(x)
        assert type(shuffled._meta) is STRICT
        assert sorted(shuffled.compute(scheduler="sync").get()) == list(range(8))


def test_the_setting_of_dask_is_followed():
    with registered(strict_backend("fresh")) as backend, dask.config.set({"array.backend": "fresh"}):
        (kind,) = backend.chunk_types
        for rng in (arrayshim.random.default_rng(1), arrayshim.random.RandomState(1)):
            assert type(rng.normal(size=3, chunks=2)._meta) is kind
        # dask's own functions, which ask the entry point
        for made in (
            da.random.default_rng(1).normal(size=4, chunks=2),
            da.random.RandomState(1).normal(size=4, chunks=2),
            da.random.normal(size=4, chunks=2),
            da.random.default_rng(1).choice(9, size=4, chunks=2),
            da.random.RandomState(1).choice(9, size=4, chunks=2),
            da.random.default_rng(1).permutation(6),
            da.random.RandomState(1).permutation(6),
        ):
            assert type(made._meta) is kind
            assert type(made.compute(scheduler="sync")) is kind
        order = da.random.default_rng(1).permutation(6).compute(scheduler="sync")
        assert sorted(order.get()) == list(range(6))
    assert type(arrayshim.random.default_rng(1).normal(size=3)._meta) is np.ndarray


def test_hostdrawn_serves_dasks_randomstate():
    drawn = arrayshim.random.random_state_of(HOST_DRAWN)
    assert type(drawn) is HostDrawn
    rng = da.random.RandomState(4, RandomState=drawn)
    same(rng.normal(size=(3, 3), chunks=2), da.random.RandomState(4).normal(size=(3, 3), chunks=2), STRICT)
    assert rng._backend is arrayshim
    again = cloudpickle.loads(cloudpickle.dumps(drawn))
    assert again == drawn
    with pytest.raises(AttributeError):
        drawn(1)._anything  # noqa: B018


def test_generators_travel_and_go_on_where_they_were():
    for make in (arrayshim.random.default_rng, arrayshim.random.RandomState):
        rng = make(7, like=STRICT)
        rng.normal(size=3, chunks=1)
        rng.permutation(5)
        again = cloudpickle.loads(cloudpickle.dumps(rng))
        same_again = [r.normal(size=4, chunks=2).compute(scheduler="sync").get() for r in (rng, again)]
        np.testing.assert_array_equal(*same_again)
    bits = arrayshim.random.bit_generator_of(HOST_DRAWN)(3)
    assert type(bits) is HostBits
    bits.random_raw()
    again = pickle.loads(pickle.dumps(bits))
    assert again.random_raw() == bits.random_raw()
    assert isinstance(again._seed_seq.spawn(1)[0], PlacedSeed)


def test_graphs_run_elsewhere(bare):
    makers, like = (default_rng, arrayshim.random.RandomState), HOST_DRAWN
    graph = cloudpickle.dumps([make(7, like=like).normal(size=4, chunks=2) for make in makers])
    got = bare(
        f"""
        import cloudpickle
        made = [x.compute(scheduler="sync") for x in cloudpickle.loads({graph!r})]
        answer([[type(x).__name__, x.get().tolist()] for x in made])
        """
    )
    expected = [make(7).normal(size=4, chunks=2) for make in (da.random.default_rng, da.random.RandomState)]
    assert got == [["StrictArray", x.compute(scheduler="sync").tolist()] for x in expected]


def test_tokens_tell_seeds_and_kinds_apart_and_nothing_else():
    def token(seed, like, draw="normal"):
        return GENERATED[draw](arrayshim.random.default_rng(seed, like=like)).name

    assert token(1, STRICT) == token(1, STRICT)
    assert len({token(1, STRICT), token(2, STRICT), token(1, Duck), token(1, "numpy")}) == 4
    for make in (arrayshim.random.default_rng, arrayshim.random.RandomState):
        assert tokenize(make(1, like=STRICT)) == tokenize(make(1, like=STRICT))
        assert tokenize(make(1, like=STRICT)) != tokenize(make(2, like=STRICT))


class DuckState:
    """A library's own random state."""

    def __init__(self, seed=None):
        self.rng = np.random.RandomState(seed)

    def normal(self, *args, size=None):
        return as_duck(self.rng.normal(*args, size=size) + 1000)


def test_a_librarys_own_generators_are_used():
    with registered(strict_backend("fresh", random_state=DuckState, bit_generator=np.random.MT19937)):
        drawn = arrayshim.random.RandomState(1, like="fresh").normal(size=4, chunks=2).compute(scheduler="sync")
        assert type(drawn) is Duck
        assert drawn.data.min() > 900
        rng = arrayshim.random.default_rng(1, like="fresh")
        assert type(rng) is da.random.Generator
        expected = da.random.Generator(np.random.MT19937(1)).normal(size=4, chunks=2).compute(scheduler="sync")
        np.testing.assert_array_equal(rng.normal(size=4, chunks=2).compute(scheduler="sync"), expected)


def test_generators_are_passed_through():
    bits = np.random.PCG64(3)
    ours = arrayshim.random.default_rng(bits)
    assert type(ours) is da.random.Generator
    assert ours._bit_generator is bits
    assert arrayshim.random.default_rng(ours) is ours
    assert arrayshim.random.default_rng(np.random.default_rng(3))._bit_generator.state == np.random.PCG64(3).state
    with pytest.raises(BackendError, match="draws with its own library already; give a seed, or leave out like="):
        arrayshim.random.default_rng(bits, like=STRICT)


@pytest.mark.parametrize(("seed", "error"), [(-1, ValueError), ("x", (TypeError, ValueError)), (1.5, TypeError)])
@pytest.mark.parametrize("make", ["RandomState", "default_rng"])
def test_bad_seeds_get_numpys_exceptions(make, seed, error):
    for like in ("numpy", STRICT):
        with pytest.raises(error):
            getattr(arrayshim.random, make)(seed, like=like)
    with pytest.raises(BackendError):
        getattr(arrayshim.random, make)(1, like="nothing")


def test_placed_generators_shuffle_device_arrays_without_losing_values():
    bits = arrayshim.random.bit_generator_of(HOST_DRAWN)(3)
    rng = default_rng(bits)
    for axis, shape in ((0, 12), (1, (3, 5))):
        x = strict.asarray(np.arange(np.prod(shape)).reshape(shape))
        rng.shuffle(x, axis=axis)
        assert sorted(x.get().ravel()) == list(range(np.prod(shape)))
    host = np.arange(30)
    rng.shuffle(host)
    assert sorted(host) == list(range(30))
    assert type(rng.normal()) is STRICT
