"""Calls are cut out of their files, and the scripts made of them run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from arrayshim.conformance import catalogue, loading, reproducer, sources
from arrayshim.conformance.case import Case, assign
from arrayshim.conformance.layouts import Variation

THREE = 3
CALLS = [lambda da, b: da.sum(b.x), lambda da, b: da.mean(b.y, axis=0), lambda da, b: [f(b) for f in (lambda q: q,)]]


def test_one_of_several_on_a_line_is_told_apart() -> None:
    assert [sources.body(call) for call in CALLS] == [
        "da.sum(b.x)",
        "da.mean(b.y, axis=0)",
        "[f(b) for f in (lambda q: q,)]",
    ]


def test_every_call_of_the_catalogue_is_found() -> None:
    for case in catalogue.cases():
        body = sources.body(case.call)
        assert body != "call(da, b)", case.full_name
        assert compile(body, "<case>", "eval").co_names or body, case.full_name


def test_call_is_shown_without_its_operands_object() -> None:
    assert sources.shown(CALLS[1]) == "da.mean(y, axis=0)"
    assert sources.operands(CALLS[1]) == ("y",)


def test_helpers_and_constants_come_with_a_call() -> None:
    bound = 4
    text = sources.surroundings(lambda da, b, k=5: assign(b.x, 0, THREE + bound + k))
    assert "def assign(x, key, value):" in text
    assert {"THREE = 3", "bound = 4", "k = 5"} <= set(text.splitlines())


@pytest.mark.parametrize(
    "variation", [None, "f4,strided", "i2,transposed", "c8,unknown", "f8,0d", "f8,3d,nan", "u1,zero"]
)
@pytest.mark.parametrize("stock", [True, False])
def test_script_compiles(variation: str | None, stock: bool) -> None:
    case = Case(name="n", family="f", call=lambda da, b: assign(b.x, b.mask, b.device(np.float64(1))))
    backend = loading.load("strict")
    crossed = Variation.parse(variation) if variation else None
    text = reproducer.script(case, crossed, loading.preamble(backend, "strict"), title="t\nx", stock=stock)
    compile(text, "<script>", "exec")
    assert text.splitlines()[0] == "# t x"
    assert ("import arrayshim  # the repairs" in text) is not stock


@pytest.mark.parametrize("variation", ["f4,strided", "c8,unknown,inf"])
def test_script_runs_and_shows_the_values(variation: str, tmp_path: Path) -> None:
    case = Case(name="n", family="f", call=lambda da, b: da.abs(b.x))
    crossed = Variation.parse(variation)
    backend = loading.load("numpy")
    text = reproducer.script(case, crossed, loading.preamble(backend, "numpy"), title="t", stock=True)
    text += "print('SUM', float(np.ma.masked_invalid(part).sum()))\n"
    done = subprocess.run([sys.executable, "-"], input=text, text=True, capture_output=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    from arrayshim.conformance.inputs import host_array

    wanted = float(np.ma.masked_invalid(np.abs(host_array("x", crossed))).sum())
    assert float(done.stdout.split("SUM")[1]) == pytest.approx(wanted, rel=1e-6)


def test_script_of_the_expression_mode_runs(tmp_path: Path) -> None:
    case = Case(name="n", family="f", call=lambda da, b: b.x + 1)
    preamble = loading.preamble(loading.load("numpy"), "numpy")
    text = reproducer.script(case, None, preamble, title="t", stock=True, mode="array-expr")
    done = subprocess.run([sys.executable, "-"], input=text, text=True, capture_output=True, cwd=tmp_path, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "chunks:   [\"<class 'numpy.ndarray'>\"]" in done.stdout


def test_preamble_of_a_backend_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_own_library.py").write_text(
        "import numpy as np\n"
        "class backend:\n"
        "    name, namespace, chunk_types = 'mine', np, (np.ndarray,)\n"
        "    to_device = to_host = staticmethod(np.asarray)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    backend = loading.load("my_own_library:backend")
    assert loading.preamble(backend, "my_own_library:backend") == (
        "from my_own_library import backend\n"
        "to_device = backend.to_device\nto_host = backend.to_host\nnamespace = backend.namespace\n"
    )
    del sys.modules["my_own_library"]
