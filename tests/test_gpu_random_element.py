"""Element streams on a device: NumPy's numbers, bit for bit where that is promised, and how near where it is not."""

from __future__ import annotations

import dask
import element_methods
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels
from arrayshim.kernels._places import MASK, Kind, Places, Stream

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

from arrayshim.kernels import _cupy_element  # noqa: E402

F8, F4 = np.dtype("f8"), np.dtype("f4")
STREAM = Stream((5, MASK - 2), 7, 1, 2)
EXACT = [
    Kind("raw", np.dtype("u8")),
    Kind("random", F8),
    Kind("random", F8, -3.3, -1.7),
    Kind("random", F4),
    Kind("integers", np.dtype("i8"), low=-5, most=1000),
    Kind("integers", np.dtype("u8"), low=3, most=MASK),
    Kind("integers", np.dtype("i4"), low=-(2**31), most=2**32 - 1),
    Kind("integers", np.dtype("i1"), low=-128, most=255),
    Kind("integers", np.dtype("?"), low=0, most=1),
    Kind("raw", np.dtype("u1")),
    Kind("raw", np.dtype("u2")),
    Kind("integers", np.dtype("i8"), low=7, most=127),
    # Lanes of 16 and 32 bits of which one in 330 and one in 130 is rejected.
    *(Kind("integers", np.dtype(code), low=-9, most=8166) for code in ("i2", "i8")),
    *(Kind("integers", np.dtype(code), low=-9, most=42_619_671) for code in ("i4", "u8")),
    Kind("integers", np.dtype("i4"), low=-5, most=10**8),
]
INDEX = np.arange(37 * 51 * 23, dtype="u8").reshape(37, 51, 23)
CUTS = [
    np.s_[:],
    np.s_[3:30, 5:50, 1:20],
    np.s_[::2, ::3, ::-1],
    np.s_[:, :, 3:4],
    np.s_[::-1, ::-7, ::5],
    np.s_[5:5],
    np.s_[4, 3, 22:23],
    np.s_[1:, 1:, 1::2],
    np.s_[::3, :, 2:22:3],
]


def places(view, base):
    return Places(base + int(view.flat[0]) if view.size else 0, tuple(s // 8 for s in view.strides), view.shape)


def both(kind, at):
    got = kernels.element_values(cupy.empty(0), STREAM, kind, at)
    expected = kernels.element_values(np.empty(0), STREAM, kind, at)
    assert type(got) is cupy.ndarray
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    return got.get(), expected


def ulps(got, expected):
    return np.abs(got - expected) / np.spacing(np.maximum(1, np.abs(expected)))


@pytest.mark.parametrize("base", [0, 2**63 + 5])
@pytest.mark.parametrize("kind", EXACT, ids=str)
def test_the_same_bits(kind, base):
    for cut in CUTS:
        got, expected = both(kind, places(INDEX[cut], base))
        assert got.tobytes() == expected.tobytes()
    got, expected = both(kind, Places.whole((10**7 + 3,)))
    assert got.tobytes() == expected.tobytes()


@pytest.mark.parametrize("dtype", [F8, F4], ids=str)
def test_normals_are_within_four_ulp(dtype):
    for cut in CUTS:
        got, expected = both(Kind("normal", dtype), places(INDEX[cut], 17))
        assert not got.size or ulps(got, expected).max() <= 4
    got, expected = both(Kind("normal", dtype), Places.whole((10**7 + 3,)))
    assert ulps(got, expected).max() <= 4
    whole = kernels.element_values(cupy.empty(0), STREAM, Kind("normal", dtype), Places.whole((10**7 + 3,)))
    part = kernels.element_values(cupy.empty(0), STREAM, Kind("normal", dtype), Places(3, (2,), (10**6,)))
    assert whole[3 : 3 + 2 * 10**6 : 2].get().tobytes() == part.get().tobytes()


@pytest.mark.parametrize("at", [Places.whole((100_003,)), Places(7, (300, -3), (101, 77))], ids=str)
def test_blocks(at):
    expected = kernels.element_blocks(np.empty(0), STREAM, 3, at)
    index = cupy.asarray(at.linear(np.empty(0)))
    for given in (at, index, index[::1]):
        got = kernels.element_blocks(cupy.empty(0), STREAM, 3, given)
        for g, e in zip(got, expected, strict=True):
            assert g.get().tobytes() == e.tobytes()


def test_arrays():
    def made(like):
        rng = arrayshim.random.default_rng(8, like=like, stream="element")
        x = rng.uniform(2, 5, size=(700, 900), chunks=(123, 77))
        i = rng.integers([1, 2, 3], 10**12, size=(1000, 3), chunks=(77, 2))
        loc = rng.normal(np.arange(900.0), 3, size=(700, 900), chunks=500)
        return [x, x[5:600, ::7].rechunk(50), x.T[::-3], i, i[::-1], loc, loc[:, 5:9]]

    got, expected = dask.compute(made("cupy"), made("numpy"), scheduler="sync")
    for g, e in zip(got, expected, strict=True):
        assert type(g) is cupy.ndarray
        if e.max() < 6 or e.dtype.kind == "i":
            assert g.get().tobytes() == e.tobytes()
        else:
            np.testing.assert_allclose(g.get(), e, rtol=1e-14, atol=1e-14)


#: Methods, apart by spaces where there are two of a name, and parameters.
SAMPLED = {
    "standard_exponential": (),
    "exponential": (2.0,),
    "laplace": (1.0, 2.0),
    "logistic": (1.0, 2.0),
    "lognormal": (0.5, 0.7),
    "gumbel": (1.0, 2.0),
    "pareto": (3.0,),
    "power": (2.5,),
    "rayleigh": (2.0,),
    "triangular": (-1.0, 0.0, 3.0),
    "weibull": (1.7,),
    "standard_cauchy": (),
    "wald": (2.0, 3.0),
    "geometric": (0.3,),
    "standard_gamma": (2.5,),
    "gamma": (0.3, 2.0),
    "beta": (0.5, 2.0),
    "chisquare": (3.0,),
    "f": (3.0, 5.0),
    "standard_t": (4.0,),
    "vonmises": (0.5, 2.0),
    "poisson": (3.5,),
    "poisson ": (1e4,),
    "binomial": (20, 0.3),
    "binomial ": (10**6, 0.3),
    "negative_binomial": (4.5, 0.3),
    "hypergeometric": (100, 150, 60),
    "noncentral_chisquare": (3.0, 2.0),
    "noncentral_chisquare ": (0.7, 2.0),
    "noncentral_f": (3.0, 20.0, 2.0),
    "zipf": (2.5,),
    "logseries": (0.8,),
}


@pytest.mark.parametrize("method", SAMPLED)
def test_samplers(method):
    """Differences beyond rounding are comparisons that rounding turned: one in ten million, so none in a million."""

    def made(like, chunks):
        rng = arrayshim.random.default_rng(8, like=like, stream="element")
        return getattr(rng, method.strip())(*SAMPLED[method], size=1_000_000, chunks=chunks)

    (got,) = dask.compute(made("cupy", 400_000), scheduler="sync")
    (expected,) = dask.compute(made("numpy", 65_536), scheduler="threads")
    assert type(got) is cupy.ndarray
    # Neighbours, some of them, and each on its own are three kernels.
    for cut in (np.s_[5:], np.s_[::3], np.s_[::-7]):
        assert (made("cupy", 1_000_000)[cut].compute(scheduler="sync") == got[cut]).all()
    if expected.dtype.kind == "i":
        assert (got.get() != expected).sum() == 0
    else:
        turned = ~np.isclose(got.get(), expected, rtol=1e-9, atol=1e-12)
        assert turned.sum() == 0
        # Cosines and tangents near zero lose relative, not absolute, accuracy.
        np.testing.assert_allclose(got.get(), expected, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("n", [1, 1000, 3_000_001])
def test_permutations(n):
    got, expected = (
        arrayshim.random.default_rng(8, like=like, stream="element").permutation(n).compute(scheduler="sync")
        for like in ("cupy", "numpy")
    )
    assert type(got) is cupy.ndarray
    np.testing.assert_array_equal(got.get(), expected)


def test_choices_and_vectors():
    p = np.array([0.1, 0.2, 0.3, 0.4, 0.0])
    for call in (
        lambda r: r.choice(5, 10_000, p=p, chunks=999),
        lambda r: r.choice(np.arange(2.0, 7), 100, chunks=30),
        lambda r: r.choice(10, (2, 5), replace=False, chunks=2),
        lambda r: r.choice(5, 4, replace=False, p=p, chunks=2),
        lambda r: r.multinomial(20, [0.2, 0.3, 0.5], size=(40, 5), chunks=7),
        lambda r: r.multivariate_hypergeometric([3, 4, 5], 6, size=50, chunks=7),
    ):
        got, expected = (
            call(arrayshim.random.default_rng(8, like=like, stream="element")).compute(scheduler="sync")
            for like in ("cupy", "numpy")
        )
        assert type(got) is cupy.ndarray
        np.testing.assert_array_equal(got.get(), expected)


def test_shares():
    """Of a hundred thousand vectors none has a comparison that rounding turned."""

    def made(like, chunks):
        r = arrayshim.random.default_rng(8, like=like, stream="element")
        return r.dirichlet([0.3, 1.0, 4.5], size=100_000, chunks=chunks)

    got = made("cupy", 30_000).compute(scheduler="sync")
    expected = made("numpy", 65_536).compute(scheduler="sync")
    assert type(got) is cupy.ndarray
    np.testing.assert_allclose(got.get(), expected, rtol=1e-11, atol=1e-14)


@pytest.mark.parametrize("method", element_methods.DRAWN)
def test_parameters_wherever_they_are(method):
    """The values of each parameter, in host memory, on the device and in tasks, are those that numbers draw."""
    expected = element_methods.with_numbers(method, "cupy")
    for given in ("numpy", "dask", "cupy", "dask of cupy"):
        x = element_methods.with_arrays(method, "cupy", given)
        for index in np.s_[:], np.s_[6:2:-1, 1::2]:
            got = x[index].compute(scheduler="sync")
            assert type(x[index]._meta) is type(got) is cupy.ndarray
            np.testing.assert_allclose(got.get(), expected[index].get(), rtol=1e-12, atol=1e-14)


def test_a_stream_that_does_not_compile_is_made_by_ufuncs(monkeypatch, caplog):
    def refuses(*args, **kwargs):
        raise RuntimeError("no compiler")

    monkeypatch.setattr(cupy, "RawModule", refuses)
    monkeypatch.setattr(_cupy_element, "_compiled", {})
    at = places(INDEX[3:30, 5:50, ::-2], 2**63 + 5)
    for kind in (*EXACT, *EXACT):
        got, expected = both(kind, at)
        assert got.tobytes() == expected.tobytes()
    for g, e in zip(*(kernels.element_blocks(xp.empty(0), STREAM, 3, at) for xp in (cupy, np)), strict=True):
        assert g.get().tobytes() == e.tobytes()
    said = [record.getMessage() for record in caplog.records]
    assert len(said) == len(set(said)) <= len(EXACT) + 1
    assert all("was not compiled (no compiler); its numbers are made by CuPy's ufuncs" in words for words in said)


def test_nothing_is_waited_for():
    """The device is held until the host lets it go, so that whoever waits for it waits in vain (and to the limit)."""
    rng = arrayshim.random.default_rng(8, like="cupy", stream="element")
    x = rng.normal(3, 2, size=(300, 400), chunks=100)[::2]
    x.compute(scheduler="sync")
    hold = cupy.RawKernel(
        'extern "C" __global__ void hold(volatile int* go) {'
        " long long t = clock64(); while (!*go && clock64() - t < 60000000000ll); }",
        "hold",
    )
    memory = cupy.cuda.alloc_pinned_memory(4)
    go = np.frombuffer(memory, "i4", 1)
    go[0] = 0
    held = cupy.cuda.Event()
    hold((1,), (1,), (np.intp(memory.ptr),))
    held.record()
    try:
        kept = dask.get(dict(x.__dask_graph__()), list(x.__dask_keys__()))
        assert not held.done
    finally:
        go[0] = 1
    held.synchronize()
    assert type(kept[0][0]) is cupy.ndarray
