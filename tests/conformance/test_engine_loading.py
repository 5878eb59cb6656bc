"""Backends are found by name, path or entry point, and errors say in one line what is wrong."""

from __future__ import annotations

import re
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arrayshim import strict
from arrayshim.conformance import loading, runner
from arrayshim.errors import BackendError


@pytest.fixture
def own_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A module with backends, whole and broken."""
    (tmp_path / "library_of_tests.py").write_text(
        "import numpy as np\n"
        "class backend:\n"
        "    name, namespace, chunk_types = 'tests', np, (np.ndarray,)\n"
        "    to_device = to_host = staticmethod(np.asarray)\n"
        "class broken:\n"
        "    name = 'broken'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    yield "library_of_tests"
    sys.modules.pop("library_of_tests", None)


def test_by_name() -> None:
    assert loading.load("strict").chunk_types == (strict.StrictArray,)
    assert loading.load("numpy").namespace is np


def test_by_path(own_module: str) -> None:
    assert loading.load(f"{own_module}:backend").name == "tests"


def test_by_entry_point(own_module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    point = metadata.EntryPoint("mine", f"{own_module}:backend", loading.GROUP)
    monkeypatch.setattr(metadata, "entry_points", lambda group: [point] if group == loading.GROUP else [])
    assert loading.load("mine").name == "tests"


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nothing", "backend 'nothing': "),
        ("no_such_module:backend", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("library_of_tests:missing", "has no attribute 'missing'"),
        ("library_of_tests:broken", "lacks namespace, to_device, to_host, chunk_types"),
    ],
)
def test_errors_are_one_line(own_module: str, spec: str, message: str) -> None:
    with pytest.raises(BackendError, match=re.escape(message)) as caught:
        loading.load(spec)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("attribute", "value", "told"),
    [
        ("name", 3, "name is 3, expected a text"),
        ("name", " ", "name is ' ', expected a text"),
        ("chunk_types", np.ndarray, "chunk_types is <class 'numpy.ndarray'>, expected a tuple of types"),
        ("chunk_types", (), "chunk_types is (), expected a tuple of types"),
        ("to_host", None, "to_host is None, expected a function"),
        ("dtypes", "f4", "dtypes is 'f4', expected a tuple of codes"),
        ("dtypes", ("float32",), "dtypes is ('float32',), expected a tuple of codes"),
        ("dtypes", ("f4", "nonsense"), "dtypes is ('f4', 'nonsense'), expected a tuple of codes"),
        ("rtol", 1e-3, "rtol is 0.001, expected a mapping"),
        ("variants", "strided", "variants is 'strided', expected a tuple"),
        ("chunk_types", [np.ndarray], "chunk_types is [<class 'numpy.ndarray'>], expected a tuple of types"),
        ("hide", 3, "hide is 3, expected a function"),
        ("count_transfers", 3, "count_transfers is 3, expected a function that gives"),
        ("docs", None, "docs is None, expected a text"),
        ("target", 5, "target is 5, expected a mapping"),
    ],
)
def test_an_attribute_of_another_kind_is_told(
    own_module: str, monkeypatch: pytest.MonkeyPatch, attribute: str, value: Any, told: str
) -> None:
    backend = loading.load(f"{own_module}:backend")
    monkeypatch.setattr(backend, attribute, value, raising=False)
    with pytest.raises(BackendError, match=re.escape(told)):
        loading.load(f"{own_module}:backend")


def test_dtypes_may_be_codes_or_dtypes(own_module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = loading.load(f"{own_module}:backend")
    monkeypatch.setattr(backend, "dtypes", ("f4", np.dtype("i8")), raising=False)
    assert loading.load(f"{own_module}:backend") is backend


def test_a_module_that_ends_the_process_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "script_of_tests.py").write_text("raise SystemExit('no\\ndevice')\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(BackendError, match=r"cannot be loaded: SystemExit: no device$"):
        loading.load("script_of_tests:backend")


def test_a_backend_that_workers_cannot_load_ends_the_run() -> None:
    with pytest.raises(BackendError, match="'nothing'"):
        runner.run("nothing", level="quick", only="^reductions/mean$")


def test_eyes_tell_types_apart() -> None:
    eyes = loading.eyes(loading.load("strict"))
    assert not eyes.scalars
    kinds = [eyes.seen(x).kind for x in (strict.asarray([1.0]).sum(), np.ones(2), np.float64(1), 1.5, object())]
    assert kinds == ["own", "host", "scalar", "scalar", "other"]
    ours = loading.eyes(loading.load("numpy"))
    assert ours.scalars
    assert [ours.seen(x).kind for x in (np.ones(2), np.float64(1), np.ma.ones(2))] == ["own", "own", "host"]


def test_transfers_of_strict_arrays_are_counted() -> None:
    eyes = loading.eyes(loading.load("strict"))
    with eyes.transfers() as moved:
        strict.asarray([1.0]).get()
    assert moved.count == 1


def test_a_type_that_nobody_registered_is_a_backend() -> None:
    backend = loading.load("strict-unregistered")
    made = backend.to_device(np.ones(2))
    assert type(made) is backend.chunk_types[0]
    assert not isinstance(made, strict.StrictArray)
    found = runner.run("strict-unregistered", level="quick", only=r"^reductions/(mean|max)$")
    assert found
    assert {record["outcome"] for record in found} == {"pass"}


def test_target_of_a_processor() -> None:
    assert runner.target("strict") == {
        "kind": "cpu",
        "device_model": None,
        "runtime_version": None,
        "driver_version": None,
    }
