"""The page of random numbers: it is of the committed runs, names tests that exist, and leaves no method out."""

from __future__ import annotations

import ast
import json
from collections import Counter
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import arrayshim
from arrayshim.conformance import catalogue, matrix, randomness
from arrayshim.conformance.document import DocumentError
from arrayshim.random.streams import ElementGenerator
from arrayshim.random.streams._words import Words

TESTS = Path(__file__).parents[1]
PROOFS = {
    *(proof for proofs in randomness.GUARANTEES.values() for proof in proofs),
    *(proof for promise in randomness.ELEMENT for proof in (promise.proof, promise.device)),
}


def run(backend, stock, **outcomes):
    names = {"normal": "random.Generator.normal", "beta": "random.Generator.beta", "choice": "random.choice"}
    cases = [
        {
            "case": f"x/{name}",
            "family": "random_functions" if name.startswith("choice") else "generator",
            "names": [names[name.partition("_")[0]]],
            "outcome": outcome,
        }
        for name, outcome in outcomes.items()
    ]
    return {
        "backend": backend,
        "name": f"{backend}-{stock}",
        "array_expr": False,
        "stock": stock,
        "cases": cases,
        "execution_target": {"kind": "cpu", "device_model": "", "driver_version": "", "runtime_version": ""},
        "versions": {"dask": "1", "numpy": "2"},
        "version": "3",
        "timestamp": "2026-12-01T00:00:00",
        "python": "3.11",
    }


def test_the_page_is_of_the_committed_runs():
    page = matrix.RESULTS / randomness.PAGE
    if not page.is_file():
        pytest.skip("no clone")
    runs = [found for _, found in matrix.committed()]
    assert page.read_text(encoding="utf-8") == randomness.page(runs), (
        "python -m arrayshim.conformance.randomness writes it anew"
    )


def test_the_speeds_in_the_readme_are_the_measured_ones():
    file = TESTS.parent / "README.md"
    if not file.is_file():
        pytest.skip("no clone")
    text = file.read_text(encoding="utf-8")
    document = json.loads((matrix.RESULTS / randomness.SPEEDS).read_text(encoding="utf-8"))
    assert text == randomness.readme(text, document), "--readme README.md writes them anew"


def test_speeds_are_values_by_seconds():
    rows = [
        {"distribution": "normal", "dtype": "float32", "values": 10**9, "seconds": {"generator": 0.5, "stock dask": 4}},
        {"distribution": "random", "dtype": "float64", "values": 10**9, "seconds": {"generator": 0.25}},
    ]
    lines = randomness.speeds({"rows": rows}).splitlines()
    assert lines[0] == "| 10⁹ values per second | dtype | arrayshim | stock dask |"
    assert lines[2:] == ["| `normal` | float32 | 2 | 0 |", "| `random` | float64 | 4 | - |"]
    with pytest.raises(DocumentError, match="not both markers"):
        randomness.readme("a page", {"rows": rows})


def test_a_row_for_each_method_and_a_column_for_each_backend():
    page = randomness.page(
        [
            run("cupy", True, normal="error", normal_host="pass", beta="pass", choice="error"),
            run("cupy", False, normal="pass", normal_host="pass", beta="pass", choice="pass"),
            run("sparse", False, normal="skip", normal_host="skip", beta="skip", choice="pass"),
        ]
    )
    lines = page.splitlines()
    first = lines.index("| method | cupy | sparse-False |")
    assert lines.index("## `RandomState`") < first
    assert "| beta | 1 / 1 | - |" in lines
    assert "| normal | 1 → 2 / 2 | - |" in lines
    assert "| choice | 0 → 1 / 1 | 1 / 1 |" in lines
    assert lines.index("| beta | 1 / 1 | - |") < lines.index("| normal | 1 → 2 / 2 | - |")


def test_every_family_is_of_the_catalogue():
    found = Counter(item.name.partition("/")[0] for item in catalogue.items())
    assert all(found[family] > 20 for family in randomness.FAMILIES)


@cache
def names(file):
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("proof", sorted(PROOFS))
def test_every_named_test_exists(proof):
    file, _, name = proof.partition("::")
    assert name.startswith("test_")
    assert name in names(file)


def test_every_method_of_element_streams_is_promised_something_once():
    listed = Counter(name for promise in randomness.ELEMENT for name in promise.methods)
    about_state = {"state", "spawn", "jumped"}
    assert set(listed) == {name for name in dir(ElementGenerator) if not name.startswith("_")} - about_state
    assert set(listed.values()) == {1}


#: Kinds of `Kind` by method, in the test of the device's kernels.
_SPELLED = {"random_raw": "raw", "uniform": "random", "standard_normal": "normal"}


@pytest.mark.parametrize("promise", randomness.ELEMENT, ids=lambda promise: promise.methods[0])
def test_every_method_is_in_the_test_on_a_device(promise):
    text = (TESTS / promise.device.partition("::")[0]).read_text(encoding="utf-8")
    for name in promise.methods:
        spelled = (f'"{name}"', f'"{_SPELLED.get(name)}"', f"r.{name}(", f").{name}(")
        assert any(it in text for it in spelled), name


#: Parameters for a method that needs some.
PARAMETERS = {
    "integers": (5,),
    "permutation": (50,),
    "choice": (9, 50),
    "beta": (2.0, 3.0),
    "binomial": (1000, 0.4),
    "f": (3.0, 4.0),
    "hypergeometric": (100, 150, 60),
    "negative_binomial": (5, 0.4),
    "noncentral_f": (3.0, 4.0, 1.0),
    "noncentral_chisquare": (3.0, 1.0),
    "poisson": (40.0,),
    "triangular": (0.0, 1.0, 2.0),
    "vonmises": (0.0, 2.0),
    "wald": (1.0, 2.0),
    "zipf": (2.0,),
    "multinomial": (1000, [0.3, 0.7]),
    "dirichlet": ([1.0, 2.0],),
    "multivariate_hypergeometric": ([100, 150], 60),
    **dict.fromkeys(("chisquare", "pareto", "power", "standard_gamma", "gamma", "standard_t", "weibull"), (2.0,)),
    **dict.fromkeys(("geometric", "logseries"), (0.5,)),
}


@pytest.mark.parametrize("promise", randomness.ELEMENT, ids=lambda promise: promise.methods[0])
def test_rejection_is_where_the_page_says(promise, monkeypatch):
    attempts = []
    drawn = Words.block
    monkeypatch.setattr(Words, "block", lambda self, *args: attempts.append(args) or drawn(self, *args))
    for name in promise.methods:
        attempts.clear()
        rng = arrayshim.random.default_rng(3, stream="element")
        size = {} if name in ("permutation", "choice") else {"size": 50}
        got = getattr(rng, name)(*PARAMETERS.get(name, ()), **size).compute(scheduler="sync")
        assert isinstance(got, np.ndarray)
        assert bool(attempts) == promise.what.startswith("rejection"), name


def test_the_command(tmp_path, capsys):
    page = tmp_path / "page.md"
    (tmp_path / "runs").mkdir()
    options = ["--results", str(tmp_path / "runs"), "--out", str(page)]
    assert randomness.main([*options, "--check"]) == 1
    assert "page.md is of other runs" in capsys.readouterr().err
    assert not page.exists()
    assert randomness.main(options) == 0
    assert randomness.main([*options, "--check"]) == 0
    (tmp_path / "runs" / "x.json").write_text("{")
    with pytest.raises(SystemExit):
        randomness.main(options)
    assert "x.json is not JSON" in capsys.readouterr().err
