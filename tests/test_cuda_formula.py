"""Formulas of element streams as CUDA source: on the CPU they make what the ufuncs of NumPy make."""

from __future__ import annotations

import shutil
import subprocess

import element_methods
import element_on_cpu
import numpy as np
import pytest

from arrayshim.kernels._places import MASK, Kind, Places, Stream
from arrayshim.kernels.cuda import element
from arrayshim.kernels.cuda.formula import Element, Source, UntraceableError, formula
from arrayshim.random.streams._rejected import rejected
from arrayshim.random.streams._words import Words, samplers

STREAM = Stream((5, MASK - 2), 7, 1, 2)
#: Methods that have a formula, with parameters.
METHODS = {
    name: element_methods.numbers(name)
    for name in (
        *("exponential", "standard_exponential", "lognormal", "laplace", "logistic", "gumbel", "pareto", "power"),
        *("rayleigh", "weibull", "standard_cauchy", "triangular", "wald", "geometric", "logseries"),
        *("standard_gamma", "gamma", "beta", "chisquare", "f", "standard_t", "vonmises", "zipf"),
        *("poisson", "binomial", "negative_binomial", "hypergeometric", "noncentral_chisquare", "noncentral_f"),
    )
}
#: Parameters of those that have two ways.
OTHER = {
    "poisson": [(1e4,), (0.0,)],
    "binomial": [(10**6, 0.7), (7, 0.9), (0, 0.5)],
    "negative_binomial": [(400.0, 0.1)],
    "hypergeometric": [(100, 150, 60), (150, 20, 160), (3, 4, 0)],
    "noncentral_chisquare": [(0.7, 2.0), (3.0, 0.0)],
    "vonmises": [(0.5, 1e-9), (0.5, 1e7)],
    "gamma": [(0.3, 2.0)],
}
CASES = [(name, given) for name in METHODS for given in (METHODS[name], *OTHER.get(name, ()))]
INDEX = np.arange(11 * 5 * 23, dtype="u8").reshape(11, 5, 23)
CUTS = [np.s_[:], np.s_[3:9, 1:4, 2:21], np.s_[::2, ::3, ::-1], np.s_[:, :, ::2], np.s_[4, 3, 22:23]]


@pytest.fixture(scope="module")
def launch(tmp_path_factory):
    formulas = {method: text(method) for method in METHODS}
    formulas |= {"narrow": text("standard_exponential", np.dtype("f4")), "never": formula(never, 1, np.dtype("f8"))}
    types = {name: ("Formula", before) for name, before in formulas.items()}
    return element_on_cpu.built(tmp_path_factory.mktemp("formula"), types)


def places(view, base=2**40 + 3):
    return Places(base + int(view.flat[0]), tuple(step // 8 for step in view.strides), view.shape)


def text(method, dtype=None):
    sampler = samplers()[method]
    return formula(sampler.draw, len(METHODS.get(method, ())), dtype or sampler.dtype)


@pytest.mark.parametrize(("method", "given"), CASES, ids=str)
def test_a_formula_makes_what_ufuncs_make(launch, method, given):
    sampler = samplers()[method]
    for blocks, cut in enumerate(CUTS, 1):
        at = places(INDEX[cut])
        with np.errstate(all="ignore"):
            expected = sampler.draw(Words(np.empty(0), STREAM, at), *given).astype(sampler.dtype)
        parameter = element.parameter(STREAM, 0, at)
        parameter["given"] = [float(x) for x in given]
        for which in {element.serving(parameter, Kind("formula", sampler.dtype))[0], 2}:
            out = np.full(at.size + 1, 77, sampler.dtype)
            parameter["out"] = out.ctypes.data
            launch[method](which, blocks, parameter)
            assert out[-1] == 77
            if sampler.dtype.kind == "i":
                np.testing.assert_array_equal(out[:-1], expected)
            else:
                # Functions of NumPy and of the C library differ in the last place.
                np.testing.assert_allclose(out[:-1], expected, rtol=1e-12, atol=1e-14)


def test_narrow_results_are_rounded_and_counts_end_with_their_type(launch):
    at = places(INDEX)
    parameter = element.parameter(STREAM, 0, at)
    values = {}
    for name, dtype in (("narrow", np.dtype("f4")), ("standard_exponential", np.dtype("f8"))):
        values[dtype.char] = np.empty(at.size, dtype)
        parameter["out"] = values[dtype.char].ctypes.data
        launch[name](element.serving(parameter, Kind("formula", dtype))[0], 3, parameter)
    np.testing.assert_array_equal(values["f"], values["d"].astype("f4"))
    counts = np.empty(at.size, "i8")
    parameter["out"], parameter["given"] = counts.ctypes.data, [1e-300]
    launch["geometric"](2, 1, parameter)
    assert set(counts.tolist()) == {2**63 - 1024}


@pytest.mark.parametrize(
    ("parameters", "expected"), [((np.nan,), np.nan), ((np.inf,), np.inf), ((0.0,), 0.0)], ids=["nan", "inf", "zero"]
)
def test_parameters_that_no_proposal_is_accepted_for(launch, parameters, expected):
    at = places(INDEX[0])
    out = np.empty(at.size)
    parameter = {**element.parameter(STREAM, 0, at), "given": [*parameters], "out": out.ctypes.data}
    launch["standard_gamma"](2, 1, parameter)
    np.testing.assert_array_equal(out, expected)


def never(words, a):
    return rejected(words, lambda block, a: (a, a < 0.0), a)


def test_a_thousand_attempts_are_the_last(launch):
    at = places(INDEX[0])
    out = np.zeros(at.size)
    parameter = {**element.parameter(STREAM, 0, at), "given": [1.0], "out": out.ctypes.data}
    launch["never"](2, 1, parameter)
    assert np.isnan(out).all()


def of_values(words):
    return words.random() if words.random() > 0.5 else words.open()


@pytest.mark.parametrize(
    "draw",
    [
        of_values,
        lambda words: np.sort(words.random()),
        lambda words: np.hypot(words.random(), 1.0),
        lambda words: words.random().astype("i8"),
        lambda words: words.open() & True,
        lambda words: words.column(1).random(),
        lambda words: np.add.reduce(words.random()),
        lambda words: np.where(words.random() > 0.5, 1.0, True),
    ],
)
def test_what_cannot_be_written_down_has_no_formula(draw):
    assert formula(draw, 0, np.dtype("f8")) is None


def test_what_is_written_once_is_computed_once():
    source = Source()
    words = Element(source)
    assert (np.log(words.open()) + np.log(words.open())).name == source.lines[-1].split()[2]
    assert sum("log" in line for line in source.lines) == 1
    assert (words.part(1).random() - words.random()).kind == "f64"
    assert len(source.shared) == 2
    with pytest.raises(UntraceableError, match="asks for a value"):
        bool(words.random() > 0.5)


def test_the_formulas_compile_for_a_device(tmp_path):
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    source = tmp_path / "all.cu"
    # One of each kind of line; all of them are compiled where there is a device.
    some = ("wald", "geometric", "vonmises", "poisson", "hypergeometric", "noncentral_f")
    kernel = "__global__ void run{0}(const P p) {{ run<Formula{0}>(p); }}"
    made = [text(method).replace("Formula", f"Formula{k}") + kernel.format(k) for k, method in enumerate(some)]
    source.write_text("\n".join([element.program(None), *made]))
    command = [nvcc, "-std=c++17", "-arch=sm_90", "-ptx", "-o", tmp_path / "all.ptx", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
