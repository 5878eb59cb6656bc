"""The proof of the patches: each with those that it leans on, then all of them, with arrayshim's repairs off."""

from __future__ import annotations

import json
import os
import re
import shutil
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arrayshim.fix import Fix
from arrayshim.fixes import collect
from arrayshim.upstream import trying
from arrayshim.upstream.patches import UpstreamError, needed_by, patch_of
from arrayshim.upstream.trees import Tree, python


@dataclass(slots=True)
class Proof:
    """What was shown of one patch; `problem` is empty where all of it holds."""

    id: str
    problem: str = ""
    fault: str = ""
    tests: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def as_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def prove(stock: Tree, folder: Path, fix: Fix) -> Proof:
    """Show that a patch applies, that its tests fail before and pass after, and that the probe is healthy after it.

    Parameters
    ----------
    stock : Tree
        Pristine.
    folder : pathlib.Path
        Made for it, and removed.
    fix : Fix
    """
    start, proof = time.perf_counter(), Proof(fix.id)
    try:
        _prove(stock.beside(folder), fix, proof)
    except (UpstreamError, AssertionError) as refusal:
        proof.problem = " ".join(str(refusal).split())[-600:]
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    proof.seconds = round(time.perf_counter() - start, 1)
    return proof


def _prove(tree: Tree, fix: Fix, proof: Proof) -> None:
    for earlier in needed_by(fix.id):
        if collect()[earlier].patch is not None:
            tree.am(patch_of(collect()[earlier]))
    patch = patch_of(fix)
    proof.tests = tests = patch.added_tests(gpu=False)
    if not tests:
        proof.problem = "it adds no test that runs on a CPU"
        return
    tree.apply(patch, "--include=*/tests/*")
    before = trying.examine(tree.folder, fix.id, tests)
    idle = [test for test in tests if "failed" not in before.outcomes.get(test, ())]
    proof.fault = before.fault
    if idle:
        proof.problem = f"pass without the patch: {', '.join(idle)}"
    elif not before.fault:
        proof.problem = "the probe finds no fault without the patch"
    if proof.problem:
        return
    tree.git("reset", "-q", "--hard")
    tree.git("clean", "-q", "-f", "-d", "-x")
    tree.am(patch)
    after = trying.examine(tree.folder, fix.id, [*tests, *patch.changed_tests()])
    failed = sorted(test for test, outcomes in after.outcomes.items() if "failed" in outcomes)
    if failed or not after.passed(tests):
        proof.problem = f"fail with the patch: {', '.join(failed) or 'a test that did not run'}"
    elif after.fault:
        proof.problem = f"the probe still finds the fault: {after.fault}"


_STATES = """
import json, sys
from arrayshim.fixes import collect

print(json.dumps({fix.id: fix.diagnose() or "" for fix in collect().values()}))
"""


def stacked(stock: Tree, folder: Path, fixes: list[Fix]) -> tuple[Tree, list[str]]:
    """Commit a series on a pristine dask.

    Returns
    -------
    Tree
        With the series.
    list of str
        What is wrong: a patch that does not apply, a probe that finds the fault all the same.
    """
    tree = stock.beside(folder)
    for fix in fixes:
        try:
            tree.am(patch_of(fix))
        except UpstreamError as refusal:
            return tree, [str(refusal)]
    done = tree.python("-c", _STATES)
    if done.returncode:
        return tree, [f"the patched dask cannot be imported: {done.stderr.strip().splitlines()[-1]}"]
    found = json.loads(done.stdout.splitlines()[-1])
    return tree, [f"{fix.id}: the probe still finds the fault: {found[fix.id]}" for fix in fixes if found[fix.id]]


def style(stock: Tree, tree: Tree) -> list[str]:
    """What ruff, with dask's own settings, says of the files of a series; nothing where either is missing.

    A file must be formatted as black has it where the pristine one is.
    """
    if not (tree.folder / "pyproject.toml").is_file() or python("-m", "ruff", "--version").returncode:
        return []
    changed = tree.git("diff", "--name-only", "--diff-filter=AM", "HEAD", _first(tree)).split()
    changed += tree.git("diff", "--name-only", "--diff-filter=D", "HEAD", _first(tree)).split()
    files = [name for name in dict.fromkeys(changed) if name.endswith(".py")]
    problems = []
    for command, what in ((("check", "-q", "--no-cache", "--output-format=concise"), "ruff"), (_FORMAT, "format")):
        ours = _ruff(tree, command, files)
        theirs = _ruff(stock, command, [name for name in files if (stock.folder / name).is_file()])
        problems += [f"{what}: {line}" for line in ours if _place(line) not in {_place(known) for known in theirs}]
    future = "from __future__ import annotations"
    problems += [
        f"{name} has no `{future}`"
        for name in files
        if not (stock.folder / name).is_file() and future not in (tree.folder / name).read_text(encoding="utf-8")
    ]
    return problems


def expression_mode(stock: Tree, tree: Tree) -> list[str]:
    """Test files of dask that cannot be collected with `array.query-planning` on, and could be without the series."""
    stopped = []
    for it in (stock, tree):
        options = ("--collect-only", "-q", "--noconftest", "--continue-on-collection-errors", "-p", "no:cacheprovider")
        done = it.python(
            *("-m", "pytest", "-c", os.devnull, f"--rootdir={it.folder}", *options),
            str(it.folder / "dask" / "array" / "tests"),
            env={"DASK_ARRAY__QUERY_PLANNING": "True", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        )
        stopped.append(set(re.findall(r"^ERROR .*?([\w.]+\.py)", done.stdout, flags=re.MULTILINE)))
    return sorted(f"{file} cannot be collected in expression mode" for file in stopped[1] - stopped[0])


_FORMAT = ("format", "--check", "-q", "--no-cache", "--line-length=88", "--output-format=concise", "--preview")


def _first(tree: Tree) -> str:
    return tree.git("rev-list", "--max-parents=0", "HEAD").split()[0]


def _ruff(tree: Tree, command: tuple[str, ...], files: list[str]) -> list[str]:
    done = python("-c", _RUFF, str(tree.folder), *command, *files)
    return [line for line in done.stdout.splitlines() if _OF_DASK.search(line)]


_RUFF = (
    "import os, subprocess, sys; os.chdir(sys.argv[1]); subprocess.run([sys.executable, '-m', 'ruff', *sys.argv[2:]])"
)


#: Rules that dask asks for, whatever the defaults of this ruff are; and what is said of the format.
_OF_DASK = re.compile(r": (E|F|B|T10|ISC|TID|I|PGH|PLR|UP|FURB)\d|unformatted")


def _place(line: str) -> str:
    """A finding without its line number, which a patch moves."""
    file, _, rest = line.partition(":")
    return f"{file}: {rest.lstrip('0123456789: ')}"
