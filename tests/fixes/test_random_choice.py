"""`choice`: drawn by the generator it was asked of, from data and with probabilities that may be anywhere."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
from scipy import stats

from arrayshim import strict
from arrayshim.fix import original
from arrayshim.fixes.random_choice import GENERATOR, STATE

STRICT = strict.StrictArray
KINDS = ("Generator", "RandomState")


def generator(kind, seed=3):
    if kind == "Generator":
        return da.random.default_rng(strict.namespace.random.default_rng(seed))
    return da.random.RandomState(seed, RandomState=strict.RandomState)


def checked(x, shape, dtype, conversions=0):
    assert type(x._meta) is STRICT
    assert (x.shape, x.dtype, x._meta.ndim) == (shape, dtype, len(shape))
    with strict.conversions() as seen:
        got = x.compute(scheduler="sync")
    assert seen.count == conversions
    assert type(got) is STRICT
    assert (got.shape, got.dtype) == (shape, dtype)
    return got.get()


def on_device(values, chunks=2):
    return da.from_array(strict.asarray(np.array(values)), chunks=chunks, name=False)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("size", "chunks"), [(7, 3), ((5, 4), (2, 3)), ((), "auto"), (None, "auto"), ((0, 3), 2)])
def test_from_a_number(kind, size, chunks):
    shape = () if size is None else (size,) if isinstance(size, int) else size
    got = checked(generator(kind).choice(5, size=size, chunks=chunks), shape, np.int64)
    assert ((got >= 0) & (got < 5)).all()
    got = checked(generator(kind).choice(3, size=size, chunks=chunks, p=[0, 0, 1]), shape, np.int64)
    assert (got == 2).all()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", ["f4", "i2", "?"])
def test_from_data_anywhere(kind, dtype):
    values = np.array([0, 1, 1, 0]).astype(dtype)
    for a in (values, strict.asarray(values), on_device(values), da.from_array(values, chunks=3)):
        got = checked(generator(kind).choice(a, size=(30, 4), chunks=20), (30, 4), dtype)
        assert set(got.ravel().tolist()) == set(values.tolist())
        checked(generator(kind).choice(a), (), dtype)
    got = checked(generator(kind).choice([2.5, 3.5], size=4), (4,), "f8")
    assert set(got.tolist()) <= {2.5, 3.5}


@pytest.mark.parametrize("kind", KINDS)
def test_probabilities_anywhere(kind):
    p = np.array([0.1, 0.0, 0.6, 0.3])
    many = 20_000
    places = ((p, 0), (p.tolist(), 0), (on_device(p), 1), (strict.asarray(p), 1), (da.from_array(p, chunks=3), 0))
    for given, conversions in places:
        with registered_strict():
            x = generator(kind).choice(4, size=many, p=given, chunks=many)
            got = np.bincount(checked(x, (many,), np.int64, conversions), minlength=4)
        assert got[1] == 0
        assert stats.chisquare(got[[0, 2, 3]], many * p[[0, 2, 3]]).pvalue > 1e-6


def registered_strict():
    from contextlib import contextmanager

    from arrayshim import _moving
    from arrayshim.conformance import backends

    @contextmanager
    def known():
        had = dict(_moving.registered)
        _moving.registered["strict for choice"] = backends.get("strict")
        try:
            yield
        finally:
            _moving.registered.clear()
            _moving.registered.update(had)

    return known()


@pytest.mark.parametrize("kind", KINDS)
def test_without_replacement(kind):
    for options in ({}, {"p": [0.3, 0.3, 0.1, 0.2, 0.1]}):
        got = checked(generator(kind).choice(5, 5, replace=False, **options), (5,), np.int64)
        assert sorted(got.tolist()) == [0, 1, 2, 3, 4]
    got = checked(generator(kind).choice(on_device([1.5, 2.5, 3.5]), (1, 2), replace=False), (1, 2), "f8")
    assert len(set(got.ravel())) == 2
    got = checked(generator(kind).choice(4, 2, replace=False, p=[0, 0.5, 0, 0.5]), (2,), np.int64)
    assert sorted(got.tolist()) == [1, 3]


@pytest.mark.parametrize("kind", KINDS)
def test_chunks_differ_and_seeds_repeat(kind):
    draws = [generator(kind).choice(2**40, size=40, chunks=10) for _ in range(2)]
    assert draws[0].name == draws[1].name
    first, second = (checked(x, (40,), np.int64) for x in draws)
    np.testing.assert_array_equal(first, second)
    assert len(set(first)) == 40
    rng = generator(kind)
    assert rng.choice(2**40, size=4).name != rng.choice(2**40, size=4).name


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("a", "size", "options"),
    [
        (3, 5, {"replace": False}),
        (0, 2, {}),
        (-1, 2, {}),
        (3, 2, {"p": [0.2, 0.2, 0.2]}),
        (3, 2, {"p": [0.5, 0.5]}),
        (3, 2, {"p": [1.5, -0.5, 0.0]}),
        (3, 2, {"p": [0.5, 0.5, np.nan]}),
        (3, 2, {"p": [[0.5, 0.5, 0.0]]}),
        (3, 3, {"p": [0.5, 0.5, 0.0], "replace": False}),
        (np.ones((2, 2)), 2, {}),
        (np.array([]), 2, {}),
    ],
)
def test_bad_input_is_seen_while_the_graph_is_built(kind, a, size, options):
    numpys = getattr(np.random, "default_rng" if kind == "Generator" else "RandomState")(1)
    if np.ndim(a) != 2:  # NumPy's Generator chooses along an axis
        with pytest.raises(ValueError, match=r"."):
            numpys.choice(a, size, **options)
    with pytest.raises(ValueError, match=r"."):
        generator(kind).choice(a, size, **options)


@pytest.mark.parametrize("kind", KINDS)
def test_bad_input_in_numpys_words(kind):
    numpys = getattr(np.random, "default_rng" if kind == "Generator" else "RandomState")(1)
    for a, size, options in ((3, 5, {"replace": False}), (0, 2, {}), (3, 2, {"p": [1.5, -0.5, 0.0]})):
        with pytest.raises(ValueError, match=r".") as expected:
            numpys.choice(a, size, **options)
        with pytest.raises(ValueError, match=r".") as got:
            generator(kind).choice(a, size, **options)
        assert str(got.value) == str(expected.value)
    with pytest.raises(NotImplementedError, match="multi-chunk"):
        generator(kind).choice(9, 4, replace=False, chunks=2)
    with pytest.raises(NotImplementedError, match="multi-chunk"):
        generator(kind).choice(9, (1, 4), replace=False, chunks=2)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("p", "options", "words"),
    [
        ([0.2, 0.2, 0.2], {}, "do not sum to 1"),
        ([1.5, -0.5, 0.0], {}, "not non-negative"),
        ([0.5, 0.5, np.nan], {}, "not non-negative"),
        ([0.5, 0.5, 0.0], {"replace": False}, "Fewer non-zero entries"),
    ],
)
def test_probabilities_on_a_device_are_looked_at_by_the_task(kind, p, options, words):
    with registered_strict():
        x = generator(kind).choice(3, 3, p=on_device(p), **options)
        with pytest.raises(ValueError, match=words):
            x.compute(scheduler="sync")


def test_axis_and_shuffle_of_a_generator():
    rng = generator("Generator")
    checked(rng.choice(5, 3, shuffle=False, replace=False), (3,), np.int64)
    with pytest.raises(ValueError, match="axis must be 0"):
        rng.choice(5, 3, axis=1)


def test_data_on_a_device_chooses_who_draws():
    with registered_strict():
        for make in (da.random.default_rng, da.random.RandomState):
            checked(make(1).choice(on_device([1.0, 2.0, 3.0]), size=5, chunks=3), (5,), "f8")


def test_numpys_choices_are_dasks():
    for make, target in ((da.random.default_rng, GENERATOR), (da.random.RandomState, STATE)):
        for a, options in ((9, {}), (da.arange(3.0, chunks=2), {"p": [0.2, 0.3, 0.5]}), (4, {"replace": False})):
            ours = make(3).choice(a, size=4, **options)
            theirs = original(target)(make(3), a, size=4, **options)
            assert ours.name == theirs.name
            np.testing.assert_array_equal(*dask.compute(ours, theirs, scheduler="sync"))
