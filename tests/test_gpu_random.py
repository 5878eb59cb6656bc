"""Random numbers on a device: the same tests as on the CPU, and what only a device has: streams, threads, CuPy."""

from __future__ import annotations

import copy
import pickle
import threading

import dask
import dask.array as da
import numpy as np
import pytest
from dask.base import tokenize
from dask.utils import random_state_data

import arrayshim

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

from drawn import CONTINUOUS, KNOWN, check_independence, check_law, check_uniform_integers  # noqa: E402
from scipy import stats  # noqa: E402

from arrayshim.conformance.benchmarks import bits  # noqa: E402
from arrayshim.kernels.cuda import draw  # noqa: E402
from arrayshim.kernels.cuda.draw_program import KERNELS  # noqa: E402
from arrayshim.kernels.cuda.states import Generator, Philox4x32, RandomState  # noqa: E402

MAKERS = {"state": RandomState, "generator": lambda seed: Generator(Philox4x32(seed))}


def filled(name, dtype, n, **numbers):
    out = cupy.empty(n, dtype)
    where = {"key": 5, "stream": 9, "block": 2**33 - 100}
    draw.fill(out, name, **{**where, **numbers})
    return out.get()


@pytest.mark.parametrize(("counter", "key", "answer"), [k for k in KNOWN if k[0][2] == 0])
def test_published_answers(counter, key, answer):
    block, whole = counter[0] | counter[1] << 32, key[0] | key[1] << 32
    assert filled("raw", "u4", 4, key=whole, stream=counter[3], block=block).tolist() == answer


@pytest.mark.parametrize("key", KERNELS, ids=lambda key: f"{key[0]}-{key[1]}")
def test_the_device_computes_what_the_cpu_computes(key):
    draw_on_cpu = pytest.importorskip("draw_on_cpu")
    if not draw_on_cpu.available():
        pytest.skip("no g++")
    name, size = key
    dtype = {"raw": "u4", "integers32": f"u{size}", "integers64": "u8"}.get(name, f"f{size}")
    more = {"low": 3, "span": 100} if "integers" in name else {"a": 0.5, "b": 2.0} if name != "raw" else {}
    got = filled(name, dtype, 100_003, **more)
    wanted = draw_on_cpu.draw(name, dtype, 100_003, key=5, stream=9, block=2**33 - 100, **more)
    if name == "lognormal":  # an exponential function of another make
        np.testing.assert_allclose(got, wanted, rtol=1e-14 if size == 8 else 1e-5)
    else:
        np.testing.assert_array_equal(got, wanted)


@pytest.mark.parametrize("key", KERNELS, ids=lambda key: f"{key[0]}-{key[1]}")
def test_numbers_depend_on_their_place_alone(key):
    name, size = key
    dtype = {"raw": "u4", "integers32": f"u{size}", "integers64": "u8"}.get(name, f"f{size}")
    more = {"low": 3, "span": 100} if "integers" in name else {}
    whole = filled(name, dtype, 300_007, **more)
    for grid in (1, 7, 10**6):
        np.testing.assert_array_equal(filled(name, dtype, 300_007, grid=grid, **more), whole)
    for count in range(1, 10):
        np.testing.assert_array_equal(filled(name, dtype, count, **more), whole[:count])


@pytest.mark.parametrize("make", MAKERS)
@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("case", CONTINUOUS, ids=str)
def test_distributions(case, dtype, make):
    rng = MAKERS[make](2019)
    method = "random_sample" if (case.method, make) == ("random", "state") else case.method
    got = getattr(rng, method)(*case.args, size=1_000_001, dtype=dtype)
    assert type(got) is cupy.ndarray
    assert got.dtype == dtype
    check_law(got.get(), case.law)


@pytest.mark.parametrize(
    ("dtype", "low", "high"),
    [
        *(("i1", -128, 128), ("u1", 3, 200), ("i2", -1000, 1000), ("u4", 0, 2**32), ("i4", -(2**31), 2**31 - 5)),
        *(("i8", -(2**63), 2**63), ("u8", 0, 2**64), ("i8", -5, 2**62 + 7), ("i8", 0, 6), ("?", 0, 2)),
    ],
)
def test_integers(dtype, low, high):
    for rng in (RandomState(3).randint, Generator(Philox4x32(3)).integers):
        got = rng(low, high, size=(1001, 101), dtype=dtype)
        assert (got.dtype, got.shape) == (np.dtype(dtype), (1001, 101))
        check_uniform_integers(got.get().ravel().astype(object), low, high - low)


def test_tails():
    z = RandomState(1).standard_normal(2 * 10**9, dtype="f4")
    for far in (4.0, 5.0, 5.8):
        found, chance = int((abs(z) > far).sum()), 2 * stats.norm.sf(far)
        assert stats.binomtest(found, z.size, chance).pvalue > 1e-6
    assert float(abs(z).max()) < 9.5


@pytest.mark.parametrize("name", ["normal", "uniform"])
def test_chunks_are_independent(name):
    seeds = random_state_data(12, np.random.RandomState(3))
    check_independence([getattr(RandomState(seed), name)(size=100_000).get() for seed in seeds])
    seeds = np.random.SeedSequence(3).spawn(12)
    check_independence([getattr(Generator(Philox4x32(seed)), name)(size=100_000).get() for seed in seeds])
    one = RandomState(4)
    check_independence([getattr(one, name)(size=100_000).get() for _ in range(12)])


def test_the_bits_pass():
    words = Philox4x32(7).random_raw(2**23).view(np.uint32)
    assert not bits.suspicious(bits.battery(cupy.split(words, 4)))


def draws(rng):
    first = [rng.normal(size=5), rng.standard_exponential(3), rng.poisson(3.0, size=4), rng.uniform(size=(2, 2))]
    return [x.get().tolist() for x in first]


@pytest.mark.parametrize("make", MAKERS)
def test_seeds_repeat_and_generators_travel(make):
    make = MAKERS[make]
    assert draws(make(5)) == draws(make(5)) != draws(make(6))
    rng = make(5)
    rng.gamma(2.0, size=3)
    again, copied = pickle.loads(pickle.dumps(rng)), copy.deepcopy(rng)
    assert draws(rng) == draws(again) == draws(copied)
    assert draws(rng) != draws(make(5))
    assert draws(make(cupy.arange(3))) == draws(make([0, 1, 2]))
    assert draws(make(None)) != draws(make(None))


def test_states_of_bits():
    bits, other = Philox4x32(3), Philox4x32(4)
    Generator(bits).normal(size=11)
    other.state = bits.state
    assert Generator(bits).random(5).get().tolist() == Generator(other).random(5).get().tolist()
    with pytest.raises(ValueError, match="must be of a Philox4x32"):
        bits.state = {"bit_generator": "PCG64", "state": {}}
    a, b = bits.spawn(2)
    assert draws(Generator(a)) != draws(Generator(b))
    assert tokenize(Philox4x32(3)) == tokenize(Philox4x32(3)) != tokenize(Philox4x32(4))
    assert tokenize(RandomState(3)) == tokenize(RandomState(3)) != tokenize(RandomState(4))
    assert bits.random_raw(3).dtype == np.uint64
    assert bits.random_raw(3, output=False) is None


def test_parameters_of_every_kind():
    loc, scale = np.arange(5.0), np.full((4, 1), 1e-3)
    for rng in (make(3) for make in MAKERS.values()):
        for a, b in (
            (loc, scale),
            (cupy.asarray(loc), cupy.asarray(scale)),
            (loc.tolist(), 1e-3),
            (loc, cupy.float64(1e-3)),
        ):
            for size in (None, (3, 4, 5)):
                drawn = rng.normal(a, b, size)
                shape = np.broadcast_shapes(np.shape(a), np.shape(b)) if size is None else size
                assert drawn.shape == shape
                np.testing.assert_allclose(drawn.get(), np.broadcast_to(loc, shape), atol=0.01)
        assert rng.uniform(cupy.asarray(loc), loc + 1).get().astype(int).tolist() == list(range(5))
        assert rng.uniform(-loc, cupy.float64(0)).get()[0] == 0
        assert rng.exponential(cupy.zeros(3)).get().tolist() == [0, 0, 0]
        np.testing.assert_allclose(rng.lognormal(loc, 1e-4).get(), np.exp(loc), rtol=1e-2)
        with pytest.raises(ValueError, match=r"Output size \(4,\) is not compatible"):
            rng.normal(loc, size=(4,))
        assert rng.normal().shape == ()
        assert rng.normal(size=0).shape == (0,)
        assert rng.normal(size=np.int64(3)).shape == (3,)
        assert rng.standard_normal(size=[2, 3]).shape == (2, 3)
    ints = Generator(Philox4x32(3)).integers(cupy.arange(4), cupy.arange(4) + 1)
    assert ints.get().tolist() == [0, 1, 2, 3]
    state = RandomState(1)
    assert set(state.random_integers(3, size=100).get().tolist()) == {1, 2, 3}
    assert set(state.randint(np.arange(3), 3, size=(50, 3)).get()[:, 1].tolist()) == {1, 2}
    assert (state.tomaxint(100).get() >= 0).all()
    assert (state.rand(2, 3).shape, state.randn(2, dtype="f4").dtype) == ((2, 3), np.dtype("f4"))


BAD = [
    ("normal", (0, -1), {}),
    ("normal", (0, -0.0), {}),
    ("normal", (0, np.array([1, -1])), {}),
    ("lognormal", (0, -1), {}),
    ("exponential", (-1,), {}),
    ("uniform", (0, np.inf), {}),
    ("normal", ("a",), {}),
    ("normal", (), {"size": (-1,)}),
    ("integers", (3, 3), {}),
    ("integers", (0,), {}),
    ("integers", (3, 2), {"endpoint": True}),
    ("integers", (300,), {"dtype": "i1"}),
    ("integers", (-200, 1), {"dtype": "i1"}),
    ("integers", (3,), {"dtype": "f4"}),
    ("uniform", (3, 1), {}),
    ("random", (), {"dtype": "f2"}),
    ("random", (), {"size": 3, "out": 4}),
]


@pytest.mark.parametrize(("name", "args", "options"), BAD)
def test_numpys_errors(name, args, options):
    def call(rng, namespace):
        given = {**options, "out": namespace.empty(options["out"])} if "out" in options else options
        return getattr(rng, name)(*args, **given)

    with pytest.raises(Exception) as wanted:
        call(np.random.default_rng(1), np)
    with pytest.raises(wanted.type) as got:
        call(Generator(Philox4x32(1)), cupy)
    if name != "uniform" and "dtype" not in options and "size" not in options:
        assert str(got.value) == str(wanted.value)
    with pytest.raises(ValueError, match="scale < 0"):
        RandomState(1).normal(0, cupy.array([1.0, -1.0]))
    with pytest.raises(AttributeError):
        RandomState(1).nothing  # noqa: B018


def test_where_nothing_compiles_cupy_draws(monkeypatch):
    monkeypatch.setattr(draw, "available", lambda name, itemsize: False)
    for case in CONTINUOUS:
        rng = Generator(Philox4x32(5))
        got = getattr(rng, case.method)(*case.args, size=100_000)
        assert type(got) is cupy.ndarray
        check_law(got.get(), case.law)
    out = cupy.empty(5)
    assert Generator(Philox4x32(5)).random(out=out) is out
    for dtype in ("i4", "?"):
        got = Generator(Philox4x32(5)).integers(0, 2, size=(300, 100), dtype=dtype)
        assert got.dtype == dtype
        check_uniform_integers(got.get().ravel(), 0, 2)
    assert RandomState(1).normal(size=3).get().tolist() == RandomState(1).normal(size=3).get().tolist()


def test_out():
    rng = Generator(Philox4x32(1))
    for out in (cupy.empty(7), cupy.empty(9)[1:8], cupy.asfortranarray(cupy.empty((3, 4)))):
        out[...] = np.nan
        wanted = copy.deepcopy(rng).standard_normal(out.shape)
        assert rng.standard_normal(out=out) is out
        assert out.get().tolist() == wanted.get().tolist()
        assert rng.random(out=out).get().min() >= 0


def test_streams_devices_and_threads():
    wanted = RandomState(3).normal(size=1000).get()
    with cupy.cuda.Stream(non_blocking=True) as stream:
        got = RandomState(3).normal(size=1000)
        stream.synchronize()
    assert got.get().tolist() == wanted.tolist()
    for device in range(cupy.cuda.runtime.getDeviceCount()):
        with cupy.cuda.Device(device):
            got = RandomState(3).normal(size=1000)
            assert got.device.id == device
            assert got.get().tolist() == wanted.tolist()
    shared, found = RandomState(3), []

    def work():
        with cupy.cuda.Stream.ptds if hasattr(cupy.cuda.Stream, "ptds") else cupy.cuda.Stream():
            found.append(shared.normal(size=1000).get())

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    one = RandomState(3)
    parts = sorted(one.normal(size=1000).get().tolist() for _ in range(8))
    assert sorted(x.tolist() for x in found) == parts


def test_the_factories_use_them_and_a_users_class_keeps_its_numbers():
    state = arrayshim.random.RandomState(5, like="cupy")
    rng = arrayshim.random.default_rng(5, like="cupy")
    assert state._RandomState is RandomState
    assert type(rng._bit_generator) is Philox4x32
    theirs = da.random.RandomState(5, RandomState=cupy.random.RandomState)
    assert theirs._RandomState is cupy.random.RandomState
    x = theirs.normal(size=20, chunks=10)
    seeds = random_state_data(2, np.random.RandomState(5))
    wanted = cupy.concatenate([cupy.random.RandomState(seed).normal(size=(10,)) for seed in seeds])
    assert x.compute(scheduler="sync").get().tolist() == wanted.get().tolist()


def test_integers_between_arrays_of_bounds():
    rng = arrayshim.random.default_rng(Philox4x32(5))
    ends = {"i1": (-128, 127), "u1": (0, 255), "i8": (-(2**63), 2**63 - 1), "u8": (2**63, 2**64 - 1), "?": (0, 1)}
    for dtype, (least, last) in ends.items():
        typed = np.dtype("u1" if dtype == "?" else dtype)
        low, high = (cupy.asarray(np.full(1000, end, typed)) for end in (least, last))
        drawn = rng.integers(low, high, dtype=dtype, endpoint=True)
        assert (drawn.dtype, drawn.shape) == (np.dtype(dtype), (1000,))
        half = (least + last) // 2
        assert 300 < int((drawn.get().astype(object) <= half).sum()) < 700
        same = rng.integers(high, high, dtype=dtype, endpoint=True)
        assert (same.get().astype(object) == last).all()
    assert rng.integers(cupy.zeros(0, int), -5).shape == rng.integers(5, 3, size=0).shape == (0,)
    for low, high, words in (
        (5, [5], "low >= high"),
        ([0], 300, "high is out of bounds for int8"),
        ([-129], 5, "low is"),
    ):
        with pytest.raises(ValueError, match=words):
            rng.integers(low, high, dtype="i1")


@pytest.mark.parametrize("make", ["RandomState", "default_rng"])
def test_by_dask(make):
    def rng():
        return getattr(arrayshim.random, make)(5, like="cupy")

    integers = "randint" if make == "RandomState" else "integers"
    for draw_one in (
        lambda r: r.normal(3, 0.1, size=(500, 400), chunks=150),
        lambda r: r.uniform(size=(500, 400), chunks=150),
        lambda r: getattr(r, integers)(0, 9, size=(500, 400), chunks=150),
        lambda r: r.poisson(4.0, size=(50, 40), chunks=15),
        lambda r: r.standard_gamma(2.0, size=(50, 40), chunks=15),
        lambda r: r.normal(da.arange(40, chunks=7).map_blocks(cupy.asarray), 0.1, size=(30, 40), chunks=15),
    ):
        x, again = draw_one(rng()), draw_one(rng())
        assert x.name == again.name
        assert type(x._meta) is cupy.ndarray
        a, b = x.compute(scheduler="sync"), again.compute(scheduler="threads")
        assert type(a) is cupy.ndarray
        assert (a.shape, a.dtype) == (x.shape, x.dtype)
        assert a.get().tolist() == b.get().tolist()
    r = rng()
    first, second = (r.normal(size=9, chunks=3).compute(scheduler="sync").get().tolist() for _ in range(2))
    assert first != second
    chosen = rng().choice(10, size=6, chunks=3).compute(scheduler="sync")
    assert type(chosen) is cupy.ndarray
    order = rng().permutation(20).compute(scheduler="sync")
    assert sorted(order.get().tolist()) == list(range(20))


def test_the_computation_of_2019():
    x = arrayshim.random.RandomState(2019, like="cupy").normal(10, 1, size=(8000, 8000), chunks=(2000, 2000))
    total = (x + 1)[::2, ::2].sum()
    with dask.config.set(scheduler="sync"):
        value = float(total.compute())
        assert abs(value - 11 * 4000**2) < 6 * 4000
        assert float(total.compute()) == value
