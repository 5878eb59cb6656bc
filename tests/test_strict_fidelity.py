"""StrictArray gives, for every call of the fidelity table, the outcome that CuPy gave on a GPU."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import arrayshim.conformance
from arrayshim.conformance.benchmarks import fidelity
from arrayshim.conformance.benchmarks.fidelity_calls import calls
from arrayshim.strict import StrictArray

RESULTS = Path(arrayshim.conformance.__path__[0]) / "results"
CUPY = RESULTS / "fidelity-cupy-h200.json"
DIFFERENCES = RESULTS / "fidelity-differences.json"


@pytest.fixture(scope="module")
def cupy() -> dict[str, Any]:
    if not CUPY.exists():
        pytest.skip(f"{CUPY.name} is made on a GPU: python -m arrayshim.conformance.benchmarks.fidelity --backend cupy")
    found: dict[str, Any] = json.loads(CUPY.read_text(encoding="utf-8"))
    return found


@pytest.fixture(scope="module")
def strict() -> dict[str, Any]:
    return fidelity.run("strict")


@pytest.fixture(scope="module")
def reasons() -> dict[str, str]:
    found: dict[str, str] = json.loads(DIFFERENCES.read_text(encoding="utf-8")) if DIFFERENCES.exists() else {}
    return found


def _told(found: dict[str, tuple[Any, Any]], expressions: Any) -> str:
    return "\n".join(f"{e}\n  strict {found[e][0]}\n  cupy   {found[e][1]}" for e in sorted(expressions))


def test_the_table_is_large_and_every_section_is_filled() -> None:
    assert len(calls()) >= 300
    assert min(list(calls().values()).count(section) for section in set(calls().values())) >= 20


def test_every_call_gives_the_outcome_of_cupy(cupy: Any, strict: Any, reasons: dict[str, str]) -> None:
    found = fidelity.differences(strict, cupy)
    unexplained = found.keys() - reasons.keys()
    assert not unexplained, _told(found, unexplained)


def test_every_listed_difference_is_still_one(cupy: Any, strict: Any, reasons: dict[str, str]) -> None:
    found = fidelity.differences(strict, cupy)
    assert not reasons.keys() - found.keys()
    assert all(reason.strip() for reason in reasons.values())


def test_the_record_is_of_cupy_on_a_gpu_and_of_this_table(cupy: Any) -> None:
    assert cupy["backend"] == "cupy"
    assert cupy["versions"]["cupy"].startswith("14.")
    assert cupy["outcomes"].keys() == calls().keys()


# The comparison itself: what it must see, and what it must overlook.
DEVICE = {"is": "device", "dtype": "float64", "shape": [2], "value": [1.0, "nan"]}


@pytest.mark.parametrize(
    "other",
    [
        DEVICE | {"is": "host"},
        DEVICE | {"dtype": "float32"},
        DEVICE | {"shape": [2, 1]},
        DEVICE | {"value": [1.0, 0.0]},
        DEVICE | {"value": [1.0 + 1e-6, "nan"]},
        DEVICE | {"value": [1.0]},
        {"error": "TypeError"},
        {"is": "tuple", "value": [DEVICE]},
    ],
)
def test_the_comparison_sees(other: dict[str, Any]) -> None:
    assert not fidelity.same(DEVICE, other)
    assert not fidelity.same(other, DEVICE)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (DEVICE, DEVICE | {"value": [1.0 + 1e-11, "nan"]}),
        (DEVICE | {"dtype": "float32"}, DEVICE | {"dtype": "float32", "value": [1.000001, "nan"]}),
        ({"is": "tuple", "value": [DEVICE]}, {"is": "tuple", "value": [DEVICE | {"value": [1, "nan"]}]}),
    ],
)
def test_the_comparison_overlooks_rounding(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert fidelity.same(one, other)


def test_a_missing_call_is_a_difference() -> None:
    assert fidelity.differences({"outcomes": {"a": DEVICE}}, {"outcomes": {}}) == {"a": (DEVICE, None)}


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("x + 1", {"is": "device", "dtype": "float64", "shape": [4], "value": [2.5, -1.0, 1.25, 5.0]}),
        ("x.get()[0]", {"is": "host scalar", "dtype": "float64", "value": [1.5]}),
        (
            "x[0] = 9; x.tolist()",
            {"is": "list", "value": [{"is": "float", "value": v} for v in (9.0, -2.0, 0.25, 4.0)]},
        ),
        ("c[0]", {"is": "device", "dtype": "complex128", "shape": [], "value": [[1.0, 2.0]]}),
        ("x[0] = 9", {"is": "NoneType", "value": None}),
        ("1 / 0", {"error": "ZeroDivisionError"}),
        ("np.sort(x, axis=7)", {"error": "AxisError"}),
    ],
)
def test_outcomes_are_described(expression: str, expected: dict[str, Any]) -> None:
    _, array_type = fidelity.library("strict")
    from arrayshim import strict

    assert fidelity.outcome(expression, strict.namespace, array_type) == expected


def test_an_array_that_leaks_to_the_host_is_seen() -> None:
    """The record of a library that quietly gives NumPy arrays differs at once."""

    class Leaky:
        asarray: Callable[..., Any] = staticmethod(np.asarray)

    assert fidelity.outcome("x + 1", Leaky, StrictArray)["is"] == "host"


def test_the_command_writes_what_it_compares(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = tmp_path / "a.json", tmp_path / "b.json"
    for path in (first, second):
        assert fidelity.main(["--backend", "strict", "--out", str(path), "--sections", "like"]) == 0
    assert fidelity.main(["compare", str(first), str(second)]) == 0
    record = json.loads(second.read_text(encoding="utf-8"))
    record["outcomes"]["np.arange(4, like=x)"]["dtype"] = "float32"
    second.write_text(json.dumps(record), encoding="utf-8")
    assert fidelity.main(["compare", str(first), str(second)]) == 1
    assert "np.arange(4, like=x)" in capsys.readouterr().out
