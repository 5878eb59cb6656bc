"""The page is right: its package is built, installed and found by entry point, its commands print what it says.

In the page, a block with `file=NAME` behind its language is a file, and in a `console` block each line behind `$` is a
command, followed by what it prints; `...` stands for anything.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import venv
from pathlib import Path

import pytest

import arrayshim
from arrayshim.conformance import known

PAGE = Path(known.__file__).with_name("README.md")
BLOCK = re.compile(r"^```(\w*)(?: file=(\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks():
    return [match.groups() for match in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]


def commands(text):
    """Each command of a console block, with the lines that it is to print."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def fits(lines, output):
    """Whether the output is these lines; a line of `...` alone stands for any number of them."""
    parts = ["(?:.*\n)*?" if line == "..." else ".*".join(map(re.escape, line.split("..."))) + "\n" for line in lines]
    return re.fullmatch("".join(parts), output) is not None


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """The files of the page, in a folder with a virtual environment that sees what is installed here."""
    folder = tmp_path_factory.mktemp("toyarray")
    for _, name, text in blocks():
        if name is not None:
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    venv.create(folder / ".venv", with_pip=False, system_site_packages=True)
    (place,) = (folder / ".venv").glob("lib/python*/site-packages") or (folder / ".venv" / "Lib" / "site-packages",)
    # The packages of the interpreter that runs this test, which may be those of a virtual environment itself.
    here = [path for path in sys.path if path.endswith("site-packages")]
    (place / "here.pth").write_text("".join(f"import site; site.addsitedir({path!r})\n" for path in here))
    return folder


@pytest.fixture(scope="module")
def shell(project):
    """Run a command of the page in the virtual environment; pip stays off the network."""
    interpreter = next(path for path in (project / ".venv").glob("*/python*") if path.stem == "python")
    root = Path(arrayshim.__file__).parents[1]
    variables = {
        key: value for key, value in os.environ.items() if not key.startswith(("ARRAYSHIM", "PYTEST", "PYTHON"))
    }
    variables |= {"PYTHONPATH": str(root)} if root.name != "site-packages" else {}
    last = [0]

    def run(command):
        words = shlex.split(command)
        if words == ["echo", "$?"]:
            return f"{last[0]}\n"
        if words[0] == "pip":
            words = [sys.executable, "-m", "pip", "--python", interpreter, *words[1:], "--quiet"]
            words += ["--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
        else:
            assert words[0] == "arrayshim"
            words = [interpreter, "-m", *words]
        done = subprocess.run(words, cwd=project, env=variables, capture_output=True, text=True, timeout=300)
        last[0] = done.returncode
        assert done.returncode in (0, 1), f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    return run


def test_the_page_has_the_files_of_a_package():
    names = [name for _, name, _ in blocks() if name]
    assert names == ["src/toyarray/__init__.py", "src/toyarray/backend.py", "pyproject.toml", "known.toml"]


def test_the_commands_print_what_the_page_says(shell, project):
    ran = 0
    for kind, _, text in blocks():
        for command, lines in commands(text) if kind == "console" else ():
            output = shell(command)
            assert fits(lines, output), f"{command}\nprinted:\n{output}\nexpected:\n" + "\n".join(lines)
            ran += 1
    assert ran == 5
    assert sorted(path.suffix for path in (project / "report").iterdir()) == [".html", ".json", ".md", ".xml"]
    made = json.loads((project / "report" / "toy-repaired.json").read_text(encoding="utf-8"))
    assert made["version"] == "0.1"  # the toy's, whose namespace is NumPy


def test_the_wildcard_is_no_excuse():
    assert fits(["a ...", "...", "z"], "a 1\nb\nc\nz\n")
    assert not fits(["a ...", "z"], "a 1\nb\nz\n")
    assert not fits(["z"], "y\n")
    assert not fits([], "z\n")


def test_the_page_names_every_outcome_and_option():
    from arrayshim.conformance.cli import conformance
    from arrayshim.conformance.document import OUTCOMES

    text = PAGE.read_text(encoding="utf-8")
    assert [outcome for outcome in OUTCOMES if f"{outcome}" not in text] == []
    options = {name for option in conformance.params for name in option.opts if name.startswith("--")}
    assert sorted(name for name in options if name not in text) == []
