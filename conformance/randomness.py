"""The page of random numbers, `conformance/results/RANDOM.md`: which methods work where, and what is promised of them.

``python -m arrayshim.conformance.randomness`` writes it anew from the committed runs; ``--results DIR`` takes the runs
of another folder, ``--check`` writes nothing and exits 1 where the page is not of these runs. ``--readme README.md``
writes the measured speeds of `bench-random-h200.json` between the two markers there.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from arrayshim.conformance import matrix
from arrayshim.conformance.document import DocumentError

PAGE = "RANDOM.md"

#: Family of cases -> what is drawn with there.
FAMILIES: Mapping[str, str] = MappingProxyType(
    {
        "random_state": "`RandomState`",
        "generator": "`Generator`",
        "random_functions": "Functions of `dask.array.random`",
    }
)


@dataclass(frozen=True, slots=True)
class Promise:
    """What holds of some methods of element streams, between devices.

    Attributes
    ----------
    what : str
    methods : tuple of str
    proof : str
        The test without a device, ``file::name`` below the folder of tests: NumPy chunks against a stand-in's.
    device : str
        The test on one.
    """

    what: str
    methods: tuple[str, ...]
    proof: str
    device: str


_STREAMS, _LAWS = "test_random_element.py", "test_random_element_distributions.py"
_GPU_STREAMS, _BACKENDS = "test_gpu_random_element.py", "test_random_element_backends.py"
_SAME = f"{_STREAMS}::test_chunks_and_libraries_change_nothing"
_CHANGE_NOTHING = f"{_LAWS}::test_chunks_slices_and_libraries_change_nothing"
_SAMPLERS, _VECTORS = f"{_GPU_STREAMS}::test_samplers", f"{_GPU_STREAMS}::test_choices_and_vectors"

#: Every method that element streams have, under what holds of it.
ELEMENT = (
    Promise(
        "the same bits", ("random_raw", "random", "uniform", "integers"), _SAME, f"{_GPU_STREAMS}::test_the_same_bits"
    ),
    Promise("the same bits", ("permutation",), f"{_LAWS}::test_permutation", f"{_GPU_STREAMS}::test_permutations"),
    Promise(
        "the same bits; with `p` and without replacement, as near as the logarithms of the libraries are",
        ("choice",),
        f"{_LAWS}::test_choice",
        _VECTORS,
    ),
    Promise(
        "within 4 ulp of max(1, \\|z\\|)",
        ("standard_normal", "normal"),
        _SAME,
        f"{_GPU_STREAMS}::test_normals_are_within_four_ulp",
    ),
    Promise(
        "no rejection: as near as the elementary functions of the libraries are",
        (
            *("exponential", "geometric", "gumbel", "laplace", "logistic", "lognormal", "logseries", "pareto", "power"),
            *("rayleigh", "standard_cauchy", "standard_exponential", "triangular", "wald", "weibull"),
        ),
        _CHANGE_NOTHING,
        _SAMPLERS,
    ),
    Promise(
        "rejection: equal up to rounding, except where rounding turns a comparison, in at most 1 value of 10⁷",
        (
            *("beta", "binomial", "chisquare", "f", "gamma", "hypergeometric", "negative_binomial"),
            *("noncentral_chisquare", "noncentral_f", "poisson", "standard_gamma", "standard_t", "vonmises", "zipf"),
        ),
        _CHANGE_NOTHING,
        _SAMPLERS,
    ),
    Promise(
        "rejection, as of the binomial and hypergeometric numbers that they are made of",
        ("multinomial", "multivariate_hypergeometric"),
        f"{_LAWS}::test_vectors",
        _VECTORS,
    ),
    Promise(
        "rejection, as of the gamma numbers that they are made of",
        ("dirichlet",),
        f"{_LAWS}::test_vectors",
        f"{_GPU_STREAMS}::test_shares",
    ),
)

#: What is promised, and the tests that hold it.
GUARANTEES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "Plain `dask.array.random` on NumPy chunks: the numbers of stock dask, bit for bit": (
            "fixes/test_random_parameters.py::test_numpys_numbers_are_dasks",
            "fixes/test_random_choice.py::test_numpys_choices_are_dasks",
            "fixes/test_random_permutation.py::test_numpys_permutations_are_dasks",
        ),
        "`arrayshim.random` for a library without generators: NumPy's numbers, put beside the data": (
            "test_random.py::test_numbers_drawn_for_any_type_are_those_for_numpy",
        ),
        "Default streams: numbers go by the seed, the chunks and the library that draws; NumPy's are stock dask's": (
            "test_random.py::test_seeds_of_every_kind_give_dasks_numbers",
            "test_gpu_random.py::test_seeds_repeat_and_generators_travel",
        ),
        "Default streams: no chunk shares a seed with another, and chunks are independent": (
            "test_random.py::test_no_two_draws_share_a_seed",
            "test_random_quality.py::test_chunks_are_independent",
        ),
        "Element streams, chunks and slices: the same bits for any chunks, rechunking and slicing on one device": (
            _SAME,
            f"{_STREAMS}::test_slices_are_those_of_the_whole",
            _CHANGE_NOTHING,
        ),
        "Element streams: a slice makes what it shows and nothing else": (f"{_STREAMS}::test_far_away",),
        "Element streams, words: those of NumPy's Philox and of the published vectors": (
            f"{_STREAMS}::test_the_words_are_those_of_numpys_philox",
            f"{_STREAMS}::test_known_answers",
        ),
        "Element streams, integers: Lemire's rejection of 8, 16, 32 or 64 bits, whichever the range needs": (
            "test_random_integers.py::test_each_is_its_lane_times_the_range",
            "test_random_integers.py::test_every_lane_next_to_a_rejection",
            "test_random_integers.py::test_bounds_in_arrays_are_those_bounds",
        ),
        "Element streams, kernels: each makes what the ufuncs make that it is written down from": (
            "test_cuda_formula.py::test_a_formula_makes_what_ufuncs_make",
            _SAMPLERS,
        ),
        "Element streams: parameters in host memory, on the device and in dask arrays draw what numbers draw": (
            f"{_BACKENDS}::test_parameters_of_every_kind",
            f"{_GPU_STREAMS}::test_parameters_wherever_they_are",
        ),
        "Element streams: sizes and chunks without elements": (
            f"{_BACKENDS}::test_sizes_without_elements_and_of_one",
            f"{_BACKENDS}::test_chunks_slices_and_libraries_change_nothing",
            "test_random_sizes.py::test_no_integers_have_any_bounds",
        ),
        "Element streams, devices: what the table above says": (
            f"{_GPU_STREAMS}::test_the_same_bits",
            f"{_GPU_STREAMS}::test_normals_are_within_four_ulp",
            _SAMPLERS,
        ),
        "Normals have tails up to \\|z\\| = 8 at least": (
            "test_random_quality.py::test_nothing_is_cut_off_before_eight",
            "test_gpu_random.py::test_tails",
        ),
        "Laws: Kolmogorov and Smirnov's test, or chi-square, against SciPy": (
            "test_samplers.py::test_continuous",
            "test_samplers.py::test_discrete",
            f"{_LAWS}::test_the_law",
            "test_gpu_random.py::test_distributions",
        ),
        "Seeds: numbers, sequences, arrays of any integer dtype, SeedSequence, arrays on a device": (
            "fixes/test_random_seeds.py::test_integer_arrays_of_any_dtype_seed_as_their_numbers",
            "fixes/test_random_seeds.py::test_seeds_on_a_device_come_home_once_and_are_counted",
            "fixes/test_random_seeds.py::test_seed_sequences_and_reseeding",
        ),
        "Tokens: equal seeds give equal names, in every process": (
            "test_random.py::test_tokens_tell_seeds_and_kinds_apart_and_nothing_else",
            "fixes/test_random_parameters.py::test_two_processes_agree_on_names",
            f"{_STREAMS}::test_names_are_the_same_in_every_process",
        ),
        "Pickles: generators and arrays travel, and go on where they were": (
            "test_random.py::test_generators_travel_and_go_on_where_they_were",
            f"{_STREAMS}::test_state",
        ),
        "Element streams: `state` is plain data, and setting it draws on from there": (f"{_STREAMS}::test_state",),
        "Element streams: `spawn` and `jumped` give independent streams": (
            f"{_STREAMS}::test_streams_differ_and_are_counted",
            f"{_LAWS}::test_normals_have_tails_and_no_memory",
        ),
        "Bad parameters get NumPy's errors, while the graph is built where the values are at hand": (
            "fixes/test_random_parameters.py::test_bad_parameters_get_numpys_words_while_the_graph_is_built",
            "fixes/test_random_choice.py::test_bad_input_in_numpys_words",
            f"{_LAWS}::test_errors_are_numpys",
            "test_gpu_random.py::test_numpys_errors",
        ),
    }
)

_HEAD = """\
# Random numbers

Written by `python -m arrayshim.conformance.randomness`; do not edit. The first tables count the cases of the
conformance suite, passed / ran, by method: stock dask → dask with arrayshim, one number where they are the same. A case
is one way to call the method: with numbers, with parameters in host memory, on the device or in dask arrays, of other
sizes and dtypes, or with bad ones. `-`: the library has no such generators of its own to give to dask;
`arrayshim.random.default_rng(seed, like=...)` and `RandomState(seed, like=...)` then draw with NumPy, by every method,
and put the numbers beside the data.
"""

_ELEMENT = """\
## Element streams

`arrayshim.random.default_rng(seed, like=..., stream="element")`. On one device all of it is the same, bit for
bit, for any chunks, rechunking and slicing; on NumPy chunks the words are those of NumPy's Philox. A library whose
arrays cannot hold unsigned integers of 64 bits gets the numbers that NumPy draws.
"""

_COLUMNS = ("method", "between devices", "held without a device by", "held on one by")

_FOOT = """\
## What is guaranteed

Each is held by the tests that are named (below `tests/`); those of `test_gpu_...` need a device.
"""


SPEEDS = "bench-random-h200.json"
BEGIN = "<!-- random speeds: begin. Written by `python -m arrayshim.conformance.randomness --readme README.md` -->"
END = "<!-- random speeds: end -->"

#: Head of a column -> way of `arrayshim bench random`.
_WAYS: Mapping[str, str] = MappingProxyType(
    {
        "CuPy RandomState": "library state",
        "CuPy Generator": "library generator",
        "arrayshim": "generator",
        "stock dask": "stock dask",
        "dask with arrayshim": "dask state",
        "element stream": "element chunk",
    }
)


def speeds(document: Mapping[str, Any]) -> str:
    """Markdown: 10^9 values per second of what `arrayshim bench random` has measured, by distribution and dtype."""
    measured = document["rows"]
    ways = {head: way for head, way in _WAYS.items() if any(row["seconds"].get(way) for row in measured)}
    lines = []
    for row in measured:
        each = [(row["seconds"].get(way), row["values"]) for way in ways.values()]
        cells = [f"{values / seconds / 1e9:.0f}" if seconds else "-" for seconds, values in each]
        lines.append([f"`{row['distribution']}`", row["dtype"], *cells])
    return str(matrix.table(["10⁹ values per second", "dtype", *ways], lines, left=2))


def readme(text: str, document: Mapping[str, Any]) -> str:
    """A README with the speeds between its two markers.

    Raises
    ------
    DocumentError
        Where the markers are not there, once each and in order.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end) or text.count(BEGIN) != 1 or text.count(END) != 1:
        raise DocumentError(f"the README has not both markers, once each; expected the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{speeds(document)}{END}{tail}"


def method(case: Mapping[str, Any]) -> str:
    """Name of the method that a case is of."""
    return str(case["names"][0]).rpartition(".")[2]


def by_method(runs: Iterable[Mapping[str, Any]], family: str) -> list[dict[str, Any]]:
    """Runs with the cases of a family alone, by method, each as a family of its own."""
    found = []
    for run in runs:
        cases = [{**it, "family": method(it)} for it in run["cases"] if it["family"] == family]
        found.append({**run, "cases": sorted(cases, key=lambda it: str(it["family"]))})
    return found


def _code(names: Iterable[str]) -> str:
    return "<br>".join(f"`{name}`" for name in names)


def _element() -> Iterator[list[str]]:
    for promise in ELEMENT:
        for name in promise.methods:
            yield [f"`{name}`", promise.what, f"`{promise.proof}`", f"`{promise.device}`"]


def page(runs: Sequence[Mapping[str, Any]]) -> str:
    """The page of some runs, as Markdown.

    Parameters
    ----------
    runs : sequence of mapping
        As `document.load` gives them.

    Returns
    -------
    str
    """
    parts = [_HEAD]
    for family, title in FAMILIES.items():
        parts.append(f"## {title}\n")
        parts.append(matrix.by_backend(by_method(runs, family), head="method"))
    parts.append(matrix.origins(runs))
    parts += [_ELEMENT, matrix.table(_COLUMNS, _element(), left=4)]
    lines = [[what, _code(proofs)] for what, proofs in GUARANTEES.items()]
    parts += [_FOOT, matrix.table(["what", "held by"], lines, left=2)]
    return "\n".join(parts)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page, or say whether it is of today."""
    import argparse

    from arrayshim.conformance.report import put

    parser = argparse.ArgumentParser(prog="python -m arrayshim.conformance.randomness", description=__doc__)
    parser.add_argument("--results", type=Path, default=matrix.RESULTS, metavar="DIR", help="where the runs are")
    parser.add_argument("--out", type=Path, metavar="FILE", help=f"the page; default: {PAGE} among the committed runs")
    parser.add_argument("--readme", type=Path, metavar="FILE", help=f"write the speeds of {SPEEDS} in FILE, no page")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 where the page is of other runs")
    options = parser.parse_args(arguments)
    path = options.out or matrix.RESULTS / PAGE
    try:
        if options.readme is not None:
            document = json.loads((options.results / SPEEDS).read_text(encoding="utf-8"))
            put(options.readme, readme(options.readme.read_text(encoding="utf-8"), document))
            return 0
        text = page([run for _, run in matrix.committed(options.results)])
        if options.check:
            old = path.read_text(encoding="utf-8") if path.is_file() else ""
            if old != text:
                print(f"{path.name} is of other runs; python -m arrayshim.conformance.randomness", file=sys.stderr)
            return int(old != text)
        put(path, text)
    except (DocumentError, OSError, ValueError) as error:
        parser.error(" ".join(str(error).split()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
