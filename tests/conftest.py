"""What the tests share: a check that none leaves a trace, processes of their own, and a dask with a fault of ours."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import arrayshim
from arrayshim import applying, fixes, registration

TESTS = Path(__file__).parent
PACKAGE = Path(arrayshim.__file__).parent


def _state() -> tuple[Any, ...]:
    import dask

    settings = dask.config.get("arrayshim.disable", None), dask.config.get("array.backend", None)
    return registration._wanted, sorted(applying.applied), sorted(applying.refused), settings


@pytest.fixture(autouse=True)
def _left_as_found() -> Iterator[None]:
    """A test that leaves arrayshim in another state than it found it fails."""
    before = _state()
    yield
    assert _state() == before, "the test left arrayshim, or its settings, in another state than it found"


@pytest.fixture(scope="session")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Any]:
    """Run Python code in a process of its own: `bare(code)` is what the code passes to `answer(...)`, through JSON.

    Keyword arguments: `path`, folders to import from; `env`, further variables; `options`, for the interpreter.
    """
    cache = tmp_path_factory.mktemp("cache")

    def run(code: str, *, path: tuple[Path, ...] = (), env: dict[str, str] | None = None, options: Any = ()) -> Any:
        home = [] if "site-packages" in PACKAGE.parts else [PACKAGE.parent]
        variables = {
            key: value for key, value in os.environ.items() if not key.startswith(("ARRAYSHIM", "DASK", "PYTEST"))
        }
        variables["XDG_CACHE_HOME"] = str(cache)
        variables["PYTHONPATH"] = os.pathsep.join(map(str, [*path, TESTS, *home]))
        script = f"import json\ndef answer(value): print('answer:' + json.dumps(value))\n{textwrap.dedent(code)}"
        done = subprocess.run(
            [sys.executable, *options, "-c", script], env={**variables, **(env or {})}, capture_output=True, text=True
        )
        answers = [line for line in done.stdout.splitlines() if line.startswith("answer:")]
        assert (bool(answers), done.returncode) == (True, 0), f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return json.loads(answers[-1].removeprefix("answer:"))

    return run


FAKE_DASK = """
def answer(x):
    return x + 1

def user(x, f=answer, *, g=answer):
    return f(x), g(x)

class Holder:
    method = answer

    @staticmethod
    def other(f=answer):
        return f(1)

BY_NAME = {"answer": answer}
"""

FAKE_FIX = '''
"""`answer` is one too small."""

import sys

from arrayshim.fix import Fix, original

FIX = Fix(__name__, title="answer is right", affects={affects!r}{options})
TARGET = "dask.arrayshim_fake.answer"


@FIX.probe
def faulty():
    got = sys.modules["dask.arrayshim_fake"].answer(1)
    return None if got == 3 else f"answer(1) is {{got}}"


@FIX.replaces(TARGET)
def answer(x):
    return original(TARGET)(x) + {more}
'''


class FakeDask:
    """`dask.arrayshim_fake`, a module of dask with a fault, and the fixes that tests write for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "fixes"
        self.folder.mkdir()
        self.module = self.add_module("arrayshim_fake", FAKE_DASK)

    def add_module(self, name: str, source: str) -> Any:
        path = self.folder.parent / f"{name}.py"
        path.write_text(source)
        spec = importlib.util.spec_from_file_location(f"dask.{name}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[f"dask.{name}"] = module
        spec.loader.exec_module(module)
        return module

    def add_fix(self, name: str = "fake", source: str = FAKE_FIX, *, end: str = "", **options: Any) -> Any:
        filled = {"affects": ">=2025.1", "options": "", "more": 1, **options}
        text = source.format(**filled) if source is FAKE_FIX else source
        (self.folder / f"{name}.py").write_text(text + textwrap.dedent(end))
        fixes.collect.cache_clear()
        return fixes.collect()[name]


@pytest.fixture
def fake_dask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FakeDask]:
    """A dask with one more module and more fixes, for the length of a test."""
    before = set(sys.modules)
    fixes.collect()
    fake = FakeDask(tmp_path)
    monkeypatch.setattr(fixes, "__path__", [*fixes.__path__, str(fake.folder)])
    try:
        yield fake
    finally:
        for name in set(sys.modules) - before:
            if name.startswith(("dask.arrayshim_", "arrayshim.fixes.")):
                del sys.modules[name]
                vars(fixes).pop(name.rpartition(".")[2], None)
        monkeypatch.undo()
        fixes.collect.cache_clear()


@pytest.fixture
def status_of() -> Callable[[str], Any]:
    """The `Status` of one fix."""
    return lambda fix_id: next(status for status in arrayshim.status() if status.id == fix_id)
