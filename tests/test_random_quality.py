"""The random kernels, run on the CPU: published answers, formulas, distributions, independence, and the bits."""

from __future__ import annotations

import pickle
import shutil
import subprocess

import draw_on_cpu
import numpy as np
import pytest
from dask.utils import random_state_data
from drawn import CONTINUOUS, KNOWN, check_independence, check_law, check_uniform_integers
from scipy import stats

from arrayshim.conformance.benchmarks import bits
from arrayshim.kernels.cuda.draw_program import KERNELS, blocks_of, source, table
from arrayshim.kernels.cuda.seeding import Place, digest_of

if not draw_on_cpu.available():
    pytest.skip("no g++", allow_module_level=True)

LONG = np.longdouble
PI = LONG("3.14159265358979323846264338327950288")
draw = draw_on_cpu.draw


@pytest.mark.parametrize(("counter", "key", "answer"), KNOWN)
def test_published_answers(counter, key, answer):
    block, whole = counter[0] | counter[1] << 32, key[0] | key[1] << 32
    assert draw_on_cpu.words(block, counter[2], counter[3], whole) == answer
    if counter[2] == 0:
        assert draw("raw", "u4", 4, key=whole, stream=counter[3], block=block).tolist() == answer


def words64(count, **where):
    return draw("raw", "u4", 2 * count, **where).view("<u8")


def ulps(got, wanted, least=0.0):
    return np.abs(got - wanted) / np.spacing(np.maximum(np.abs(wanted), least).astype(got.dtype))


def test_the_table_of_logarithms():
    inverse, logs = np.array(table()).reshape(-1, 2).T
    assert (inverse[79], inverse[80], logs[79], logs[80]) == (1, 1, 0, 0)
    np.testing.assert_allclose(logs, -np.log(inverse.astype(LONG)).astype(float), rtol=2e-16)


def test_doubles_are_box_and_mullers():
    n = 100_000
    words = words64(n, key=7, stream=3).reshape(-1, 2)
    radius = np.sqrt(-2 * np.log((words[:, 0].astype(LONG) + LONG(0.5)) * LONG(2) ** -64))
    angle = words[:, 1].astype(LONG) * 2 * PI * LONG(2) ** -64
    wanted = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).ravel()
    got = draw("normal", "f8", n, key=7, stream=3)
    assert ulps(got, wanted, least=1.0).max() < 4
    np.testing.assert_allclose(draw("normal", "f8", n, key=7, stream=3, a=2.0, b=0.5), 2 + got / 2, rtol=0, atol=1e-15)


def test_floats_are_box_and_mullers():
    n = 1_000_000
    words = draw("raw", "u4", n, key=7).reshape(-1, 2)
    plain = words[:, 0] >= 0x10000  # the others have 32 bits more
    assert plain.sum() < n / 2
    radius = np.sqrt(-2 * np.log((words[:, 0].astype(LONG) + LONG(0.5)) * LONG(2) ** -32))
    angle = words[:, 1].astype(LONG) * 2 * PI * LONG(2) ** -32
    wanted = np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1)
    got = draw("normal", "f4", n, key=7).reshape(-1, 2)
    assert ulps(got[plain], wanted[plain], least=1.0).max() < 4
    np.testing.assert_allclose(got[~plain], wanted[~plain], rtol=1e-4)


def test_exponentials_are_logarithms():
    n = 100_000
    words = words64(n, key=9)
    near = words > 2**63  # where the logarithm of a difference from 1 has more digits
    u = (words.astype(LONG) + LONG(0.5)) * LONG(2) ** -64
    rest = ((~words).astype(LONG) + LONG(0.5)) * LONG(2) ** -64
    wanted = np.where(near, -np.log1p(-rest), -np.log(u))
    got = draw("exponential", "f8", n, key=9)
    np.testing.assert_allclose(got, wanted.astype(float), rtol=2.0**-46)
    assert np.abs(got - wanted).max() < 2e-15
    words = draw("raw", "u4", n, key=9)
    got = draw("exponential", "f4", n, key=9)
    wanted = -np.log((words.astype(LONG) + LONG(0.5)) * LONG(2) ** -32)
    many = words >= 0x10000
    np.testing.assert_allclose(got[many], wanted[many].astype(float), rtol=4e-7)


def test_uniforms_have_all_bits_of_the_mantissa_and_not_one():
    n = 100_000
    np.testing.assert_array_equal(draw("uniform", "f8", n, key=3), (words64(n, key=3) >> np.uint64(11)) * 2.0**-53)
    floats = draw("uniform", "f4", n, key=3)
    np.testing.assert_array_equal(floats, (draw("raw", "u4", n, key=3) >> np.uint32(8)) * np.float32(2.0**-24))
    assert floats.max() < 1


def test_nothing_is_cut_off_before_eight():
    extremes = {name: draw_on_cpu.minus_log(name, 0) for name in ("f8", "f4")}
    assert extremes["f8"] == pytest.approx(65 * np.log(2), rel=1e-15)
    assert extremes["f4"] == pytest.approx(65 * np.log(2), rel=1e-6)
    assert all(np.sqrt(2 * x) > 9.4 for x in extremes.values())
    assert draw_on_cpu.minus_log("f8", 2**64 - 1) == pytest.approx(2.0**-65, rel=1e-15)
    assert draw_on_cpu.minus_log("f4", 2**64 - 1) == pytest.approx(2.0**-33, rel=1e-6)


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("case", CONTINUOUS, ids=str)
def test_distributions(case, dtype):
    check_law(draw(case.name, dtype, 300_001, key=2019, stream=1, **case.numbers), case.law)


SPANS = [(0, 2), (-7, 10), (0, 100), (5, 1)]
WIDE = [(0, 2**32), (-(2**31), 2**32 - 5), (0, 3 * 2**30)]
WIDEST = [(0, 2**64), (-(2**63), 2**64), (-(2**62), 2**63 + 2**62), (2**40, 2**33)]


@pytest.mark.parametrize(
    ("dtype", "low", "span"),
    [(t, *s) for t in ("i1", "u1", "i2", "u4", "i8") for s in SPANS if s[0] >= 0 or t[0] == "i"]
    + [("u4" if low >= 0 else "i4", low, span) for low, span in WIDE]
    + [("u8" if low >= 0 else "i8", low, span) for low, span in WIDEST],
)
def test_integers(dtype, low, span):
    wide = np.dtype(dtype).itemsize == 8
    n, name = 60_001, "integers64" if wide else "integers32"
    got = draw(name, dtype, n, key=11, low=low, span=span % 2 ** (64 if wide else 32))
    check_uniform_integers(got, low, span)
    # Lemire's method, by Python's integers.
    size, words = (64, words64(n, key=11)) if wide else (32, draw("raw", "u4", n, key=11))
    least = 2**size % span
    for place in range(2000):
        attempt, word = 0, int(words[place])
        while span < 2**size and word * span % 2**size < least:
            attempt += 1
            four = draw_on_cpu.words(place // (2 if wide else 4), attempt, 0, 11)
            word = four[2 * (place % 2)] | four[2 * (place % 2) + 1] << 32 if wide else four[place % 4]
        assert int(got[place]) == low + (word * span >> size)


@pytest.mark.parametrize("key", KERNELS, ids=lambda key: f"{key[0]}-{key[1]}")
def test_numbers_depend_on_their_place_alone(key):
    name, size = key
    kernel = KERNELS[key]
    dtype = {"raw": "u4", "integers32": f"u{size}", "integers64": "u8"}.get(name, f"f{size}")
    more = {"low": 3, "span": 100} if "integers" in name else {}
    whole = draw(name, dtype, 5003, key=5, stream=9, block=2**33 - 100, **more)
    for grid in (2, 7):
        np.testing.assert_array_equal(
            draw(name, dtype, 5003, key=5, stream=9, block=2**33 - 100, grid=grid, **more), whole
        )
    for count in range(1, 10):
        np.testing.assert_array_equal(
            draw(name, dtype, count, key=5, stream=9, block=2**33 - 100, **more), whole[:count]
        )
    first = 100 * kernel.each
    taken = blocks_of(kernel, first)
    rest = draw(name, dtype, 5003 - first, key=5, stream=9, block=2**33 - 100 + taken, **more)
    np.testing.assert_array_equal(rest, whole[first:])
    others = [draw(name, dtype, 64, **where, **more) for where in ({"key": 6}, {"key": 5, "stream": 8})]
    assert all(other.tolist() != whole[:64].tolist() for other in others)


def chunks_of(seeds, name, dtype, n):
    places = [Place.of(digest_of(seed)) for seed in seeds]
    return [draw(name, dtype, n, key=p.key, stream=p.stream, block=p.take(n)) for p in places]


@pytest.mark.parametrize("dtype", ["f8", "f4"])
@pytest.mark.parametrize("name", ["normal", "uniform"])
def test_chunks_are_independent(name, dtype):
    by_dask = random_state_data(12, np.random.RandomState(3))
    check_independence(chunks_of(by_dask, name, dtype, 20_000))
    check_independence(chunks_of(range(12), name, dtype, 20_000))
    check_independence(chunks_of(np.random.SeedSequence(3).spawn(12), name, dtype, 20_000))


def test_the_source_compiles_for_a_device(tmp_path):
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    kernels = [
        f"__global__ void k{k}(const P p) {{ fill<{kernel.code}>(p); }}" for k, kernel in enumerate(KERNELS.values())
    ]
    (tmp_path / "all.cu").write_text("\n".join([source(), *kernels]))
    command = [nvcc, "-std=c++17", "-arch=sm_90", "-ptx", "-o", tmp_path / "all.ptx", tmp_path / "all.cu"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    text = (tmp_path / "all.ptx").read_text()
    assert "mul.wide.u32" in text
    assert ".local" not in text  # what should be in registers is


def test_the_bits_of_the_words_pass():
    outcomes = bits.battery(draw("raw", "u4", 2**19, key=2019, block=k * 2**17) for k in range(4))
    assert {name.partition("[")[0] for name in (outcome.test for outcome in outcomes)} == {
        *("ones", "runs", "pairs of byte 0", "pairs of byte 1", "pairs of byte 2", "pairs of byte 3"),
        *("gaps of high bits", "gaps of low bits", "birthday spacings", "birthday spacings of reversed bytes"),
        *("ranks of 32 x 32", "repeated pairs"),
    }
    assert not bits.suspicious(outcomes)


def good():
    return np.random.Generator(np.random.SFC64(5)).integers(0, 2**32, 2**20, dtype=np.uint32)


def congruential():
    """The low bits of a linear congruential generator modulo 2^32 have short periods."""
    steps = np.arange(2**20, dtype=np.uint64)
    multipliers = np.cumprod(np.full(2**20, 1664525, np.uint32), dtype=np.uint32)
    sums = np.cumsum(multipliers, dtype=np.uint32) + np.uint32(1)
    assert len(steps) == len(sums)
    return sums * np.uint32(1013904223)


def linear():
    words = good().reshape(-1, 32)
    words[:, 31] = words[:, 0] ^ words[:, 5]
    return words.ravel()


PLANTED = {
    "the low bits of a congruential generator": (congruential, "runs[0]"),
    "a bit that is stuck": (lambda: good() | np.uint32(1 << 13), "ones[13]"),
    "a bit that is one slightly too often": (
        lambda: good() | (good()[::-1] >> np.uint32(25) == 0).astype("u4"),
        "ones[0]",
    ),
    "a short cycle": (lambda: np.tile(good()[: 2**16], 16), "repeated pairs"),
    "a cycle of half the words": (lambda: np.tile(good()[: 2**19], 2), "repeated pairs"),
    "a counter": (lambda: np.arange(2**20, dtype=np.uint32), "pairs of byte 0"),
    "words that depend on each other": (linear, "ranks of 32 x 32"),
    "words that come twice": (lambda: np.repeat(good()[: 2**19], 2), "runs[31]"),
    "gaps that are too even": (
        lambda: np.where(np.arange(2**20) % 8, good() | np.uint32(1 << 31), 0),
        "gaps of high bits",
    ),
    "birthdays in half a year": (lambda: good() & ~np.uint32(1), "birthday spacings"),
}


@pytest.mark.parametrize("name", PLANTED)
def test_planted_faults_are_found(name):
    make, expected = PLANTED[name]
    words = make().astype(np.uint32, copy=False)
    found = {outcome.test for outcome in bits.suspicious(bits.battery(np.split(words, 4)))}
    assert expected in found


def test_the_battery_accepts_good_generators_at_its_level():
    p_values = []
    for seed in range(8):
        words = np.random.Generator(np.random.SFC64(seed)).integers(0, 2**32, 2**19, dtype=np.uint32)
        outcomes = bits.battery([words])
        assert not bits.suspicious(outcomes)
        p_values += [outcome.p for outcome in outcomes if outcome.test != "repeated pairs"]
    # p-values of good words are uniform, nearly: those of counts are a little larger.
    assert stats.kstest(p_values, "uniform", alternative="greater").pvalue > 1e-6
    assert np.mean(np.array(p_values) < 0.1) > 0.05


def test_seeds():
    words = np.random.RandomState(1).randint(0, 2**32, 624, np.uint32)
    assert digest_of(words) == digest_of(words.tolist()) == digest_of(tuple(words.astype("i8")))
    assert digest_of(5) == digest_of(np.int8(5)) == digest_of(np.array([5])) == digest_of(np.array(5, "u4"))
    assert digest_of(np.random.SeedSequence(5)) == digest_of(np.random.SeedSequence(5))
    seeds = [0, 1, 2**64 - 1, [0, 0], [0, 0, 0], [1, 0], words, np.random.SeedSequence(1), None, None]
    assert len({digest_of(seed) for seed in seeds}) == len(seeds)
    for bad, error in ((-1, ValueError), (2**64, ValueError), ([1, -1], ValueError), ([2**32, 1], ValueError)):
        with pytest.raises(error, match="must be between 0 and"):
            digest_of(bad)
    for bad in (1.5, "x", [1, 2.5]):
        with pytest.raises(TypeError):
            digest_of(bad)


def test_places():
    place = Place.of(digest_of(3))
    assert (place.take(5), place.take(2), place.block) == (0, 5, 7)
    seeds = {place.spare() for _ in range(20)}
    assert len(seeds) == 20
    assert place.block == 27
    again = pickle.loads(pickle.dumps(place))
    assert (again.key, again.stream, again.block) == (place.key, place.stream, 27)
    assert again.spare() == place.spare()
    place.block = 2**64 - 1
    assert (place.take(3), place.block) == (2**64 - 1, 2)
