"""Random numbers with parameters of any residence, of every distribution, and the errors of bad ones."""

from __future__ import annotations

import subprocess
import sys

import dask
import dask.array as da
import numpy as np
import pytest
from duck import Duck, registered, strict_backend

from arrayshim import strict
from arrayshim.fix import original
from arrayshim.fixes.random_parameters import WRAP
from arrayshim.kernels.distributions import PARAMETERS
from arrayshim.residency import transfers

STRICT = strict.StrictArray
VECTORS = {"multinomial": (9, [0.2, 0.3, 0.5]), "multivariate_hypergeometric": ([3, 4, 5], 6)}
NAMES = [*PARAMETERS, "random", "standard_cauchy", "standard_exponential", "standard_normal"]
#: Of a Generator and of a RandomState, which of the names.
KINDS = {
    "Generator": [n for n in NAMES if n != "randint"],
    "RandomState": [n for n in NAMES if n not in ("integers", "multivariate_hypergeometric", "random")]
    + ["random_sample", "random_integers", "tomaxint"],
}
CASES = [(kind, name) for kind, names in KINDS.items() for name in names]


def generator(kind, seed=3):
    if kind == "Generator":
        return da.random.default_rng(strict.namespace.random.default_rng(seed))
    return da.random.RandomState(seed, RandomState=strict.RandomState)


def numpys(kind, seed=3):
    return getattr(np.random, "default_rng" if kind == "Generator" else "RandomState")(seed)


def arguments(name):
    return VECTORS.get(name) or tuple(PARAMETERS.get("randint" if name == "random_integers" else name, {}).values())


def checked(x, shape, dtype=None):
    assert type(x._meta) is STRICT
    assert x._meta.ndim == x.ndim
    assert x.shape == shape
    with strict.conversions() as seen:
        got = x.compute(scheduler="sync")
    assert type(got) is STRICT
    assert (got.shape, got.dtype) == (x.shape, x.dtype)
    assert dtype is None or x.dtype == dtype
    return got.get(), seen.count


@pytest.mark.filterwarnings("ignore:This function is deprecated")
@pytest.mark.parametrize(("kind", "name"), CASES)
@pytest.mark.parametrize("size", [(5, 4), (3, 0), (), 7])
def test_every_distribution_is_drawn_where_it_was_asked_for(kind, name, size):
    draw = getattr(numpys(kind), name)
    expected = np.asarray(draw(*arguments(name), size=size))
    x = getattr(generator(kind), name)(*arguments(name), size=size, chunks=3)
    got, conversions = checked(x, expected.shape, expected.dtype)
    assert conversions == 0
    assert np.isfinite(got).all()


@pytest.mark.parametrize("where", ["host", "device", "dask", "dask on the host", "list", "row", "scalar on the device"])
@pytest.mark.parametrize(("kind", "name"), [(k, n) for k, n in CASES if arguments(n) and n not in VECTORS])
def test_parameters_may_be_anywhere(kind, name, where):
    put = {
        "host": lambda x: np.full(5, x),
        "device": lambda x: strict.asarray(np.full(5, x)),
        "dask": lambda x: da.from_array(strict.asarray(np.full((4, 5), x)), chunks=2, name=False),
        "dask on the host": lambda x: da.full((4, 1), x, chunks=1),
        "list": lambda x: [x] * 5,
        "row": lambda x: da.from_array(strict.asarray(np.full((1, 5), x)), chunks=2, name=False),
        "scalar on the device": lambda x: strict.asarray(x),
    }[where]
    args = [put(x) for x in arguments(name)]
    x = getattr(generator(kind), name)(*args, size=(4, 5), chunks=(3, 4))
    assert x.chunks == ((3, 1), (4, 1))
    got, conversions = checked(x, (4, 5))
    # Bounds in arrays are compared in each of the four tasks.
    bounds = name in ("integers", "randint", "random_integers")
    assert conversions == (4 if bounds else 0)
    if bounds:
        assert got.min() >= 1
        assert got.max() <= (2 if name == "random_integers" else 1)


@pytest.mark.parametrize("kind", KINDS)
def test_each_number_has_its_own_parameters(kind):
    means = np.arange(12.0).reshape(3, 4) * 100
    for loc in (means, strict.asarray(means), da.from_array(strict.asarray(means), chunks=(2, 3), name=False)):
        got, _ = checked(generator(kind).normal(loc, scale=0.001, chunks=2), (3, 4))
        np.testing.assert_allclose(got, means, atol=0.1)
    low, high = np.array([0, 5, -10, 2**62]), np.array([3, 6, -8, 2**63 - 1])
    draw = generator(kind).integers if kind == "Generator" else generator(kind).randint
    got, _ = checked(draw(low, strict.asarray(high), size=(500, 4), chunks=300), (500, 4))
    assert (got >= low).all()
    assert (got < high).all()
    assert [len(set(got[:, i])) for i in range(3)] == [3, 1, 2]


def test_integers_of_the_whole_range():
    rng = generator("Generator")
    got, _ = checked(rng.integers(np.zeros(4000), 2**64 - 1, dtype=np.uint64, endpoint=True), (4000,), np.uint64)
    assert abs((got >= 2**63).mean() - 0.5) < 0.06
    got, _ = checked(rng.integers(np.full(4000, -(2**63)), 2**63 - 1, endpoint=True), (4000,), np.int64)
    assert abs((got >= 0).mean() - 0.5) < 0.06
    with pytest.raises(ValueError, match="low >= high"):
        rng.integers(strict.asarray([3, 1]), strict.asarray([2, 2])).compute(scheduler="sync")


@pytest.mark.parametrize("kind", KINDS)
def test_parameters_move_in_tasks_and_are_counted(kind):
    x = generator(kind).normal(np.arange(6.0), 1.0, chunks=2)
    with transfers() as seen:
        x.compute(scheduler="sync")
    assert seen.to_device == 3
    assert seen.to_host == 0


@pytest.mark.parametrize("kind", KINDS)
def test_dask_parameters_are_not_computed_for_the_graph(kind):
    def fail(block):
        raise AssertionError("computed")

    lazy = da.ones(4, chunks=2).map_blocks(fail, dtype=float, meta=np.empty(0))
    assert generator(kind).gamma(lazy).shape == (4,)


BAD = {
    "normal": (0.0, -1.0),
    "lognormal": (0.0, -1.0),
    "gumbel": (0.0, -1.0),
    "laplace": (0.0, -1.0),
    "logistic": (0.0, -1.0),
    "rayleigh": (-1.0,),
    "exponential": (-1.0,),
    "weibull": (-1.0,),
    "beta": (-1.0, 2.0),
    "gamma": (-1.0, 1.0),
    "standard_gamma": (-1.0,),
    "chisquare": (0.0,),
    "f": (1.0, 0.0),
    "pareto": (0.0,),
    "power": (-1.0,),
    "standard_t": (0.0,),
    "noncentral_chisquare": (1.0, -1.0),
    "noncentral_f": (1.0, 1.0, -1.0),
    "triangular": (1.0, 0.0, 2.0),
    "wald": (1.0, 0.0),
    "vonmises": (0.0, -1.0),
    "zipf": (1.0,),
    "binomial": (9, 2.0),
    "geometric": (0.0,),
    "hypergeometric": (1, 1, 5),
    "logseries": (1.0,),
    "negative_binomial": (0.0, 0.5),
    "poisson": (-1.0,),
    "multinomial": (3, [0.9, 0.9, 0.1]),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", BAD)
@pytest.mark.parametrize("as_array", [False, True])
def test_bad_parameters_get_numpys_words_while_the_graph_is_built(kind, name, as_array):
    args = BAD[name]
    if as_array and name != "multinomial":
        args = tuple(np.full(4, x) for x in args)
    with pytest.raises(ValueError, match=r".") as numpys_error:
        getattr(numpys(kind), name)(*args, size=4)
    with pytest.raises(ValueError, match=r".") as error:
        getattr(generator(kind), name)(*args, size=4, chunks=2)
    assert str(error.value) == str(numpys_error.value)


@pytest.mark.parametrize("where", ["host", "device", "dask"])
def test_the_last_integer_may_be_the_last_of_its_type(where):
    last = np.full(300, 127, "i1")
    put = {"host": np.asarray, "device": strict.asarray, "dask": lambda x: da.from_array(strict.asarray(x), chunks=100)}
    got, _ = checked(generator("RandomState").random_integers(126, put[where](last), chunks=100), (300,))
    assert set(got.tolist()) == {126, 127}


def test_bad_bounds_dtypes_and_shapes():
    new, legacy = generator("Generator"), generator("RandomState")
    for rng, name in ((new, "integers"), (legacy, "randint")):
        for args, options in (((9, 2), {}), ((0,), {}), ((0, 300), {"dtype": np.uint8}), (([0, 5], [3, 4]), {})):
            with pytest.raises(ValueError, match=r"low >= high|out of bounds|low < high|high <= 0"):
                getattr(rng, name)(*args, **options)
    for name in ("random", "standard_normal", "standard_exponential"):
        with pytest.raises(TypeError, match="Unsupported dtype"):
            getattr(new, name)(size=5, dtype="i4")
    with pytest.raises(TypeError):
        new.normal(size=4, dtypo="f4")
    with pytest.raises(ValueError, match="broadcast"):
        new.normal(np.zeros((2, 2)), size=(3, 3))
    with pytest.raises(TypeError):
        new.normal(size=4, dtype="f4")  # as NumPy's


def test_bad_parameters_of_large_arrays_are_seen_one_by_one():
    long, tall = np.ones(3000), np.ones((3000, 1))
    long[7] = -1
    with pytest.raises(ValueError, match="scale < 0"):
        generator("Generator").normal(tall, long)


def test_dtypes():
    rng = generator("Generator")
    for name in ("random", "standard_normal", "standard_exponential"):
        checked(getattr(rng, name)(size=5, chunks=2, dtype="f4"), (5,), np.float32)
    checked(rng.standard_gamma(2.0, size=5, chunks=2, dtype="f4"), (5,), np.float32)
    checked(rng.integers(3, size=5, chunks=2, dtype="u1"), (5,), np.uint8)
    checked(rng.integers(np.arange(1, 6), dtype="i2", chunks=2), (5,), np.int16)
    checked(generator("RandomState").normal(size=5, chunks=2, dtype="f4"), (5,), np.float32)
    checked(generator("RandomState").randint(3, size=5, dtype="i4"), (5,), np.int32)


def test_vectors_of_any_residence():
    pvals = [0.1, 0.2, 0.7]
    for p in (
        pvals,
        tuple(pvals),
        np.array(pvals),
        strict.asarray(pvals),
        da.from_array(strict.asarray(pvals), name=False),
    ):
        for kind in KINDS:
            got, conversions = checked(generator(kind).multinomial(100, p, size=(40, 5), chunks=(30, 3)), (40, 5, 3))
            assert conversions == 0
            assert (got.sum(axis=-1) == 100).all()
            assert np.allclose(got.mean(axis=(0, 1)) / 100, pvals, atol=0.02)
    trials = da.from_array(strict.asarray(np.arange(6)), chunks=4, name=False)
    got, _ = checked(generator("Generator").multinomial(trials, pvals), (6, 3))
    assert (got.sum(axis=-1) == np.arange(6)).all()
    for colors in ([3, 0, 5], np.array([3, 0, 5])):
        got, _ = checked(generator("Generator").multivariate_hypergeometric(colors, 6, size=50, chunks=20), (50, 3))
        assert (got.sum(axis=-1) == 6).all()
        assert (got <= [3, 0, 5]).all()
    checked(generator("Generator").multivariate_hypergeometric([9], 6, size=4), (4, 1))


@pytest.mark.parametrize("kind", ["Generator", "RandomState"])
@pytest.mark.parametrize("pvals", [[0.2, 0.3, 0.5], [1.0]], ids=["three", "one"])
def test_counts_of_a_whole_number_of_trials_are_integers(kind, pvals):
    got, _ = checked(generator(kind).multinomial(4.0, pvals, size=5, chunks=2), (5, len(pvals)), np.int64)
    assert (got.sum(axis=1) == 4).all()


def test_colors_come_home_when_the_graph_is_built():
    with registered(strict_backend("fresh", random_state=None)) as backend, transfers() as seen:
        colors = strict.asarray([3, 0, 5], kind=backend.chunk_types[0])
        x = generator("Generator").multivariate_hypergeometric(colors, 6, size=50, chunks=20)
        assert seen.to_host == 1
    got, conversions = checked(x, (50, 3))
    assert conversions == 0
    assert (got <= [3, 0, 5]).all()


def test_on_numpy_vectors_have_their_axis():
    rng = da.random.default_rng(1)
    x = rng.multivariate_hypergeometric([3, 4, 5], 6, size=(4, 2), chunks=(3, 2))
    assert (x.shape, x.chunks) == ((4, 2, 3), ((3, 1), (2,), (3,)))
    assert (x.compute(scheduler="sync").sum(axis=-1) == 6).all()
    ours = da.random.default_rng(1).multinomial(9, np.array([0.2, 0.8]), size=(3, 4), chunks=2)
    theirs = da.random.default_rng(1).multinomial(9, [0.2, 0.8], size=(3, 4), chunks=2)
    np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("pvals", [[0.2, 0.8], np.array([0.2, 0.8])], ids=["list", "array"])
def test_on_numpy_trials_go_to_their_chunks(pvals):
    trials = np.array([10, 20, 30, 40])
    x = da.random.default_rng(1).multinomial(trials, pvals, size=4, chunks=2).compute(scheduler="sync")
    assert x.sum(axis=1).tolist() == trials.tolist()


def test_numpys_generators_follow_a_parameter_to_its_device():
    with registered(strict_backend("fresh", random_state=None)) as backend:
        (kind,) = backend.chunk_types
        there = da.from_array(strict.asarray(np.arange(4.0) * 100, kind=kind), chunks=2, name=False)
        for rng in (da.random.RandomState(1), da.random.default_rng(1), da.random):
            x = rng.normal(there, 0.01)
            assert type(x._meta) is kind
            got = x.compute(scheduler="sync")
            assert type(got) is kind
            np.testing.assert_allclose(got.get(), np.arange(4.0) * 100, atol=1)


def test_what_numpy_draws_for_a_device_gets_parameters_from_it():
    import arrayshim

    with registered(strict_backend("fresh", random_state=None)) as backend:
        loc = strict.asarray(np.arange(4.0) * 100, kind=backend.chunk_types[0])
        x = arrayshim.random.RandomState(1, like="fresh").normal(loc, 1.0, chunks=2)
        with transfers() as seen:
            got = x.compute(scheduler="sync")
    assert seen.to_host == 2
    expected = da.random.RandomState(1).normal(np.arange(4.0) * 100, 1.0, chunks=2)
    np.testing.assert_array_equal(got.get(), expected)


def test_the_setting_reaches_the_functions():
    with (
        registered(strict_backend("fresh", random_state=strict.RandomState)),
        dask.config.set({"array.backend": "fresh"}),
    ):
        for made in (
            da.random.gumbel(size=4, chunks=2),
            da.random.multinomial(4, [0.5, 0.5], size=3),
            da.random.random_integers(1, 4, size=3),
            da.random.choice(5, 3),
            da.random.permutation(4),
        ):
            assert type(made._meta) is STRICT
            assert type(made.compute(scheduler="sync")) is STRICT


@pytest.mark.parametrize("kind", KINDS)
def test_equal_seeds_give_equal_names_and_no_bit_generator_is_opened(kind, monkeypatch):
    def names(seed):
        rng = generator(kind, seed)
        return [rng.normal(np.arange(3.0), 1.0).name, rng.choice(9, 3).name, rng.permutation(5).name, rng.normal().name]

    assert names(1) == names(1)
    assert len({*names(1), *names(2)}) == 8
    opened = []
    init = strict.XORWOW.__init__
    monkeypatch.setattr(strict.XORWOW, "__init__", lambda self, *a, **k: (opened.append(1), init(self, *a, **k))[1])
    rng = generator("Generator")
    opened.clear()
    rng.normal(size=100, chunks=1)
    assert len(opened) == 1  # for the meta


def test_kinds_of_bits_have_names_of_their_own():
    bits = (strict.XORWOW, strict.MRG32k3a, strict.Philox4x3210)
    assert len({da.random.Generator(b(1)).normal(size=3).name for b in bits}) == 3


def test_two_processes_agree_on_names():
    code = (
        "import arrayshim, dask.array as da, numpy as np; from arrayshim import strict\n"
        "rng = da.random.default_rng(strict.namespace.random.default_rng([1, 2]))\n"
        "rst = da.random.RandomState(5, RandomState=strict.RandomState)\n"
        "print([f(r) for r in (rng, rst) for f in (lambda r: r.normal(np.arange(3.), size=(2, 3)).name,"
        " lambda r: r.choice(4, 3, p=[.1, .2, .3, .4]).name, lambda r: r.permutation(7).name)])"
    )
    first, second = (subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout for _ in "ab")
    assert first == second


class Few:
    """A library's random state that has one distribution."""

    def __init__(self, seed=None):
        self.rng = np.random.RandomState(seed)

    def normal(self, loc=0.0, scale=1.0, size=None):
        return Duck(self.rng.normal(loc, scale, size=size))


def test_a_generator_that_cannot_draw_says_so():
    rng = da.random.RandomState(1, RandomState=Few)
    assert type(rng.normal(size=3)._meta) is Duck
    with pytest.raises(Exception, match="has no 'poisson'"):
        rng.poisson(size=3)


def test_numpys_numbers_are_dasks():
    wrap = original(WRAP)
    for name, args in (("normal", (1.0, 2.0)), ("poisson", (np.arange(1.0, 6),)), ("gamma", (da.arange(1, 6), 2.0))):
        for make in (da.random.default_rng, da.random.RandomState):
            ours = getattr(make(3), name)(*args, size=(4, 5), chunks=3)
            theirs = wrap(make(3), name, *args, size=(4, 5), chunks=3)
            assert ours.name == theirs.name
            np.testing.assert_array_equal(ours, theirs)
