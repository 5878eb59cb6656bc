"""Element streams: known answers of Philox, and the same numbers whatever the chunks, the slices or the library."""

from __future__ import annotations

import json
import pickle
import subprocess
import sys
from functools import cache

import cloudpickle
import dask.array as da
import numpy as np
import pytest
from dask.base import tokenize
from duck import Duck
from hypothesis import given, settings
from hypothesis import strategies as st

import arrayshim
from arrayshim import kernels, strict
from arrayshim.errors import BackendError
from arrayshim.kernels import philox
from arrayshim.kernels._places import MASK, Kind, Places, Stream
from arrayshim.random.streams import ElementArray, ElementGenerator

STRICT = strict.StrictArray

#: Counter, key and words of philox4x64 with 10 rounds, from tests/kat_vectors of the Random123 distribution
#: (github.com/DEShawResearch/random123, 9545ff6).
KNOWN = [
    ((0, 0, 0, 0), (0, 0), (0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B)),
    ((MASK,) * 4, (MASK,) * 2, (0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0)),
    (
        (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89),
        (0x452821E638D01377, 0xBE5466CF34E90C6C),
        (0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6),
    ),
]


def rng(seed=3, like="numpy"):
    return arrayshim.random.default_rng(seed, like=like, stream="element")


def computed(x):
    got = x.compute(scheduler="sync")
    assert type(got) is type(x._meta) or np.isscalar(got)
    assert got.dtype == x.dtype
    return strict.to_host(got) if type(got) is STRICT else got


DRAWN = {
    "raw": lambda r, size, **kw: r.random_raw(size, **kw),
    "random": lambda r, size, **kw: r.random(size, **kw),
    "random f4": lambda r, size, **kw: r.random(size, dtype="f4", **kw),
    "uniform": lambda r, size, **kw: r.uniform(-3.3, 5, size, **kw),
    "normal": lambda r, size, **kw: r.normal(1.5, 0.3, size, **kw),
    "normal f4": lambda r, size, **kw: r.standard_normal(size, dtype="f4", **kw),
    "integers": lambda r, size, **kw: r.integers(-7, 1000, size, **kw),
    "integers i1": lambda r, size, **kw: r.integers(-128, 127, size, dtype="i1", endpoint=True, **kw),
    "integers u8": lambda r, size, **kw: r.integers(0, 2**64, size, dtype="u8", **kw),
    "integers wide": lambda r, size, **kw: r.integers(-(2**62), 2**62, size, endpoint=True, **kw),
    "bool": lambda r, size, **kw: r.integers(0, 2, size, dtype="?", **kw),
}
every = pytest.mark.parametrize("draw", DRAWN.values(), ids=DRAWN)


@pytest.mark.parametrize("like", [np.empty(0), strict.asarray(np.empty(0))], ids=["numpy", "ufuncs"])
@pytest.mark.parametrize(("counter", "key", "words"), KNOWN)
def test_known_answers(like, counter, key, words):
    block, second, number, jump = counter
    stream = Stream(key, number, jump, part=second >> 32)
    index = Places(block, (1,), (1,))
    got = kernels.element_blocks(like, stream, second & 0xFFFFFFFF, index)
    assert tuple(int(word[0]) for word in got) == words
    if second < 1 << 32:
        got = kernels.element_values(like, stream, Kind("raw", np.dtype("u8")), Places(4 * block, (1,), (4,)))
        assert tuple(map(int, got)) == words


def test_the_words_are_those_of_numpys_philox():
    words = computed(rng(8).random_raw(1000, chunks=77))
    philox = np.random.Philox(8)
    # NumPy begins with the block after its counter.
    philox.advance(2**256 - 1)
    np.testing.assert_array_equal(words, philox.random_raw(1000))
    philox = np.random.Generator(np.random.Philox(8).advance(2**256 - 1))
    np.testing.assert_array_equal(computed(rng(8).random(1000, chunks=300)), philox.random(1000))
    philox = np.random.Generator(np.random.Philox(8).advance(2**256 - 1))
    np.testing.assert_array_equal(computed(rng(8).random(1000, dtype="f4", chunks=77)), philox.random(1000, dtype="f4"))


@every
@pytest.mark.parametrize("chunks", [(12, 30), (5, 30), (12, 7), ((1, 11), (13, 16, 1)), (4, 6)], ids=str)
def test_chunks_and_libraries_change_nothing(draw, chunks):
    expected = computed(draw(rng(), (12, 30), chunks=-1))
    np.testing.assert_array_equal(computed(draw(rng(), (12, 30), chunks=chunks)), expected)
    on_strict = draw(rng(like=STRICT), (12, 30), chunks=chunks)
    with strict.conversions() as seen:
        got = on_strict.compute(scheduler="sync")
    assert seen.count == 0
    assert type(got) is type(on_strict._meta) is STRICT
    np.testing.assert_array_equal(strict.to_host(got), expected)


@every
def test_other_chunk_types_are_drawn_on_the_host(draw):
    got = draw(rng(like=Duck), (6, 5), chunks=4)
    assert type(got._meta) is Duck
    np.testing.assert_array_equal(got.compute(scheduler="sync").data, computed(draw(rng(), (6, 5))))


KINDS = [
    Kind("raw", np.dtype("u8")),
    Kind("raw", np.dtype("u2")),
    Kind("random", np.dtype("f8"), 3.0, -1.0),
    Kind("random", np.dtype("f4")),
    Kind("normal", np.dtype("f8"), 3.0, -1.0),
    Kind("normal", np.dtype("f4")),
    Kind("integers", np.dtype("i8"), low=-5, most=99),
    Kind("integers", np.dtype("u2"), low=1, most=9),
    Kind("integers", np.dtype("u8"), low=1, most=2**60),
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize("shape", [(50_001,), (2, 20_000), (40, 999), (700, 60), (301, 33), (50, 7)], ids=str)
def test_runs_of_numpys_words_are_what_ufuncs_make(kind, shape):
    """Long rows, short rows and their groups, from every place in a block."""
    stream = Stream((5, 7), 3)
    for offset, gap in ((0, 1), (1, 5), (3, 2)):
        places = Places(offset, (shape[-1] + gap, 1)[-len(shape) :], shape)
        expected = philox.element_values(np.empty(0), stream, kind, places)
        got = kernels.element_values(np.empty(0), stream, kind, places)
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got, expected)


SHAPE = (13, 6, 41)
entries = [
    st.one_of(
        st.builds(
            slice,
            st.none() | st.integers(-n - 2, n + 2),
            st.none() | st.integers(-n - 2, n + 2),
            st.none() | st.integers(-9, 9).filter(bool),
        ),
        st.integers(-n, n - 1),
    )
    for n in SHAPE
]
index = st.tuples(*entries).flatmap(
    lambda full: st.sampled_from([full, full[:2], (..., full[2]), (full[0], None, ..., full[2]), full[:1]])
)


@cache
def drawn(name):
    return DRAWN[name](rng(), SHAPE, chunks=(5, 4, 9)), computed(DRAWN[name](rng(), SHAPE))


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(DRAWN)), index=index, again=st.tuples(entries[1]), size=st.integers(1, 7))
def test_slices_are_those_of_the_whole(name, index, again, size):
    lazy, expected = drawn(name)
    stock = da.from_array(expected, chunks=lazy.chunks)
    for entry in (index, again):
        try:
            expected, stock = expected[entry], stock[entry]
        except IndexError:
            return
        lazy = lazy[entry]
        if stock.shape != expected.shape:  # dask takes x[-3::-1] of two elements for x[::-1]
            stock = da.from_array(expected, chunks=lazy.chunks)
        assert lazy.chunks == stock.chunks
        assert type(lazy) is ElementArray
        np.testing.assert_array_equal(computed(lazy), expected)
        if 0 in expected.shape or not expected.ndim:
            return
    again = lazy.rechunk(size)
    assert type(again) is ElementArray
    assert again.chunks == stock.rechunk(size).chunks
    np.testing.assert_array_equal(computed(again.T), expected.T)


@pytest.mark.parametrize("loc", [0.0, np.arange(2.0)], ids=["number", "array"])
def test_backwards_from_before_the_beginning(loc):
    x = rng().normal(loc, size=2, chunks=1)
    for cut in (slice(-3, None, -1), slice(-9, None, -2), slice(-3, None), slice(1, None, -1)):
        np.testing.assert_array_equal(computed(x[cut]), computed(x)[cut])


def test_far_away():
    x = rng().normal(size=(500_000, 500_000))
    part = x[123_456:123_460, ::100_000]
    assert part.shape == (4, 5)
    assert len(part.__dask_graph__()) <= 5
    # Element by element the same.
    for i, j in [(0, 0), (3, 4), (2, 1)]:
        assert computed(x[123_456 + i, 100_000 * j]) == computed(part)[i, j]
    assert computed(x[-1, -1:]).shape == (1,)
    raw = rng().random_raw(2**64 - 1, chunks=2**50)
    assert computed(raw[-1:])[0] == computed(raw[: -(2**60) : -1][:1])[0]
    with pytest.raises(ValueError, match=r"18446744073709551616 elements.*fewer than 2\*\*64"):
        rng().random_raw((2**32, 2**32), chunks=-1)


def test_what_is_no_slice_is_as_on_any_dask_array():
    x = rng().random((9, 8), chunks=4)
    values = computed(x)
    for index in ([1, 5], np.arange(9) > 3, (slice(None), [0, 3])):
        np.testing.assert_array_equal(computed(x[index]), values[index])
    np.testing.assert_array_equal(computed(x[x > 0.5]), values[values > 0.5])
    np.testing.assert_array_equal(computed((x + 1)[1:].max(axis=0)), (values + 1)[1:].max(axis=0))


def test_an_array_written_to_is_no_stream_any_more():
    x = rng().random(10, chunks=3)
    values = computed(x)
    x[2] = 5.0
    values[2] = 5.0
    np.testing.assert_array_equal(computed(x[1:4]), values[1:4])
    np.testing.assert_array_equal(computed(x.rechunk(5)), values)
    np.testing.assert_array_equal(computed(pickle.loads(pickle.dumps(x))), values)


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
def test_array_parameters(like):
    whole = computed(rng(like=like).standard_normal((6, 4)))
    loc = np.arange(24.0).reshape(6, 4)
    for given_loc in (loc, da.from_array(loc, chunks=(2, 3)), loc.tolist()):
        x = rng(like=like).normal(given_loc, 2, chunks=3)
        np.testing.assert_array_equal(computed(x), whole * 2 + loc)
        np.testing.assert_array_equal(computed(x[::-2, 1]), (whole * 2 + loc)[::-2, 1])
    x = rng(like=like).normal(loc[0], 2, size=(6, 4), chunks=3)
    np.testing.assert_array_equal(computed(x.rechunk((6, 1))), whole * 2 + loc[0])
    low, high = np.array([0, -5, 7, 2**62]), np.array([1, 5, 2**63 - 1, 2**62 + 3])
    got = computed(rng(like=like).integers(low, high, size=(500, 4), chunks=100))
    assert got.dtype == np.int64
    assert ((low <= got) & (got < high)).all()
    for j in range(4):
        expected = computed(rng(like=like).integers(int(low[j]), int(high[j]), size=(500, 4), chunks=-1))
        np.testing.assert_array_equal(got[:, j], expected[:, j])


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize("endpoint", [False, True])
@pytest.mark.parametrize(
    ("low", "high"),
    [
        (np.full(300, -100, "i1"), np.full(300, 100, "i1")),
        (-5, np.full(300, 255, "u1")),
        (np.full(300, -(2**63)), np.full(300, 2**62, "u8")),
        (np.full(300, -1.5), 9.5),
        (0.5, 9.2),
    ],
    ids=["i1", "u1", "i8 and u8", "floats", "numbers"],
)
def test_bounds_of_any_type(low, high, endpoint, like):
    least, most = (np.asarray(x).ravel()[0].item() for x in (low, high))
    got = computed(rng(like=like).integers(low, high, size=300, endpoint=endpoint, chunks=100))
    expected = computed(rng(like=like).integers(int(least), int(most), size=300, endpoint=endpoint))
    np.testing.assert_array_equal(got, expected)


@pytest.mark.parametrize("like", ["numpy", STRICT], ids=["numpy", "strict"])
@pytest.mark.parametrize("dtype", ["i1", "f2"])
@pytest.mark.parametrize(
    ("name", "given"), [("uniform", (-100, 100)), ("triangular", (-100, 10, 100)), ("wald", (3, 7))]
)
def test_narrow_parameters_are_what_they_say(name, given, dtype, like):
    arrays = [np.full(300, x, dtype) for x in given]
    got = computed(getattr(rng(like=like), name)(*arrays, chunks=100))
    np.testing.assert_array_equal(got, computed(getattr(rng(like=like), name)(*given, size=300)))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda r: r.normal(0, -1, 3), "scale < 0"),
        (lambda r: r.normal(0, [1, -1], 2), "scale < 0"),
        (lambda r: r.integers(5, 5), "low >= high"),
        (lambda r: r.integers([1, 2], [3, 2]), "low >= high"),
        (lambda r: r.integers(0, 300, dtype="i1"), "high is out of bounds for int8"),
        (lambda r: r.random(3, dtype="i4"), "Unsupported dtype dtype..int32.. for random"),
        (lambda r: r.random(-3), "negative dimensions are not allowed"),
        (lambda r: r.random(3, out=np.empty(3)), "out is not None"),
    ],
)
def test_errors_are_numpys_and_come_with_the_graph(call, words):
    with pytest.raises((ValueError, TypeError), match=words):
        call(rng())


def test_streams_differ_and_are_counted():
    r = rng()
    draws = [r.random_raw(50), r.random_raw(50), *(child.random_raw(50) for child in r.spawn(2))]
    draws += [r.jumped().random_raw(50), r.jumped(2).random_raw(50), rng(4).random_raw(50)]
    values = np.concatenate([computed(x) for x in draws])
    assert len(set(values.tolist())) == 350
    np.testing.assert_array_equal(computed(rng().spawn(2)[1].random_raw(50)), values[150:200])
    with pytest.raises(ValueError, match="jumps is -1"):
        r.jumped(-1)


@pytest.mark.parametrize(
    "seed",
    [
        5,
        [1, 2],
        [2**70, 2**63],
        np.random.SeedSequence(7, spawn_key=(3,)),
        np.random.SeedSequence(np.array([1, 2], "u4"), spawn_key=(np.uint32(3),)),
    ],
    ids=["int", "list", "large", "sequence", "NumPy's"],
)
def test_state(seed):
    r = rng(seed)
    r.random(2)
    saved = json.loads(json.dumps(r.jumped(3).state))
    assert (saved["next"], saved["jump"]) == (0, 3)
    saved = json.loads(json.dumps(r.state))
    expected = computed(r.random(20))
    for other in (rng(0), pickle.loads(pickle.dumps(r)), cloudpickle.loads(cloudpickle.dumps(rng()))):
        other.state = saved
        assert isinstance(other, ElementGenerator)
        np.testing.assert_array_equal(computed(other.random(20)), expected)
        assert tokenize(other) == tokenize(r)
    x = r.normal(size=(300, 300), chunks=10)[1:, ::2]
    again = pickle.loads(pickle.dumps(x))
    assert len(pickle.dumps(x)) < 3000
    assert (type(again), again.name) == (ElementArray, x.name)
    with pytest.raises(BackendError, match="no state of element streams"):
        r.state = {"state": 1}


def test_names_are_the_same_in_every_process():
    code = (
        "import arrayshim; r = arrayshim.random.default_rng(3, stream='element'); r.random(2); "
        "print(r.normal(1, 2, size=(50, 40), chunks=7)[::2].name)"
    )
    names = {subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout for _ in range(2)}
    r = rng()
    r.random(2)
    assert names == {r.normal(1, 2, size=(50, 40), chunks=7)[::2].name + "\n"}
    assert r.normal(1, 2, size=(50, 40), chunks=7)[::2].name + "\n" not in names


@pytest.mark.parametrize("replace", [True, False])
def test_shares_of_a_population_are_in_the_name(replace):
    names = set()
    for i in range(40):
        shares = np.arange(1, 4) + i
        x = rng().choice(3, size=3, p=shares / shares.sum(), replace=replace, chunks=2)
        assert pickle.loads(pickle.dumps(x)).name == x.name
        names.add(x.name)
        del x  # so that the next one may be at its address
    assert len(names) == 40


def test_what_cannot_be():
    with pytest.raises(BackendError, match="stream='words' is unknown"):
        arrayshim.random.default_rng(1, stream="words")
    with pytest.raises(BackendError, match="start from a seed"):
        rng(np.random.default_rng(1))
