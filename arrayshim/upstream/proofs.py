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
from arrayshim.upstream.installing import installed
from arrayshim.upstream.patches import UpstreamError, needed_by, patch_of
from arrayshim.upstream.trees import Place, Tree


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
        Made for it, with an environment beside it, and removed.
    fix : Fix
    """
    start, proof = time.perf_counter(), Proof(fix.id)
    home = folder.with_name(f"{folder.name}.environment")
    try:
        _prove(stock.beside(folder), home, fix, proof)
    except (UpstreamError, AssertionError) as refusal:
        proof.problem = " ".join(str(refusal).split())[-600:]
    finally:
        for made in (folder, home):
            shutil.rmtree(made, ignore_errors=True)
    proof.seconds = round(time.perf_counter() - start, 1)
    return proof


def _prove(tree: Tree, home: Path, fix: Fix, proof: Proof) -> None:
    for earlier in needed_by(fix.id):
        if collect()[earlier].patch is not None:
            tree.am(patch_of(collect()[earlier]))
    patch = patch_of(fix)
    proof.tests = tests = patch.added_tests(gpu=False)
    if not tests:
        proof.problem = "it adds no test that runs on a CPU"
        return
    tree.apply(patch, "--include=*/tests/*")
    before = trying.examine(installed(tree.folder, home), fix.id, tests)
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
    after = trying.examine(installed(tree.folder, home), fix.id, [*tests, *patch.changed_tests()])
    failed = sorted(test for test, outcomes in after.outcomes.items() if "failed" in outcomes)
    if failed or not after.passed(tests):
        proof.problem = f"fail with the patch: {', '.join(failed) or 'a test that did not run'}"
    elif after.fault:
        proof.problem = f"the probe still finds the fault: {after.fault}"


_STATES = """
import json, dask
from arrayshim.fixes import collect

print(json.dumps({"at": dask.__file__, "said": {fix.id: fix.diagnose() or "" for fix in collect().values()}}))
"""


def stacked(stock: Tree, folder: Path, fixes: list[Fix]) -> Tree:
    """Commit a series on a pristine dask.

    Raises
    ------
    UpstreamError
        A patch does not apply.
    """
    tree = stock.beside(folder)
    for fix in fixes:
        tree.am(patch_of(fix))
    return tree


def probed(place: Place, fixes: list[Fix]) -> list[str]:
    """What is wrong with a patched dask: it cannot be imported, or a probe finds the fault all the same."""
    done = place.python("-c", _STATES)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        return [f"the probes cannot be run on the patched dask: {said}"]
    found = json.loads(done.stdout.splitlines()[-1])
    if not found["at"].startswith(str(place.folder)):
        return [f"{found['at']} was imported where the patched dask was meant"]
    said = found["said"]
    return [f"{fix.id}: the probe still finds the fault: {said[fix.id]}" for fix in fixes if said[fix.id]]


def style(stock: Tree, tree: Tree) -> list[str]:
    """What ruff, with dask's own settings, says of the files of a series; nothing where either is missing.

    A file must be formatted as black has it where the pristine one is.
    """
    if not (tree.folder / "pyproject.toml").is_file() or tree.python("-m", "ruff", "--version").returncode:
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


def expression_mode(stock: Place, patched: Place) -> list[str]:
    """Test files of dask that cannot be collected with `array.query-planning` on, and could be without the series."""
    stopped = []
    for it in (stock, patched):
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
    done = tree.python("-c", _RUFF, str(tree.folder), *command, *files)
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
