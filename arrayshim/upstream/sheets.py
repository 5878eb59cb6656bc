"""The sheet of facts beside each patch: what is wrong, the smallest call, what it shows before and after, since when.

Facts only. What a person writes to dask's maintainers is that person's.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass

from arrayshim.fix import Fix
from arrayshim.upstream import records
from arrayshim.upstream.examples import PREAMBLE
from arrayshim.upstream.patches import UpstreamError, patch_of
from arrayshim.upstream.trees import Tree

#: What a process that runs the calls prints of itself, and what the probes say there.
_PROBES = """
import json, sys, numpy, dask
from arrayshim.fixes import collect

def ask(name):
    try:
        return collect()[name].diagnose()
    except ImportError as error:  # of SciPy, say
        return "cannot be asked here: " + " ".join(str(error).split())

faults = {name: ask(name) for name in sys.argv[1:]}
print(json.dumps({"python": sys.version.split()[0], "numpy": numpy.__version__, "dask": dask.__version__,
                  "faults": faults}))
"""

Calls = Mapping[str, list[list[str]]]

#: What a reader types first: the stand-in is arrayshim's, whose import would register the repairs.
_AS_IT_IS = ("import os", 'os.environ["ARRAYSHIM_DISABLE"] = "all"  # dask as it is')

_UNASKED = "cannot be asked here: "


@dataclass(frozen=True, slots=True)
class Facts:
    """What was seen of a series.

    Parameters
    ----------
    versions : mapping
        `dask`, `numpy` and `python` that ran.
    stock, patched : mapping
        By id, the calls and what they showed, without and with the series.
    faults : mapping
        By id, what the probe said without it.
    """

    versions: Mapping[str, str]
    stock: Calls
    patched: Calls
    faults: Mapping[str, str | None]


def gather(ids: list[str], stock: Tree, patched: Tree) -> Facts:
    """Run calls and probes on a dask without and with a series.

    Raises
    ------
    UpstreamError
        A process failed.
    """
    probed = json.loads(_run(stock, "-c", _PROBES, *ids))
    before, after = (json.loads(_run(it, "-m", "arrayshim.upstream.examples", *ids)) for it in (stock, patched))
    return Facts({key: probed[key] for key in ("dask", "numpy", "python")}, before, after, probed["faults"])


def unasked(facts: Facts) -> dict[str, str]:
    """By id, why what shows the fault could not be run here: something that it needs is not installed."""
    return {
        name: said.removeprefix(_UNASKED) for name, said in facts.faults.items() if said and said.startswith(_UNASKED)
    }


def _run(tree: Tree, *arguments: str) -> str:
    done = tree.python(*arguments)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise UpstreamError(f"the calls of the sheets cannot be run on the dask in {tree.folder.name}: {last}")
    return done.stdout


def fault_of(fix: Fix) -> str:
    """The fault in one sentence: the first paragraph of the documentation of a repair."""
    text = inspect.cleandoc(getattr(sys.modules.get(fix.module), "__doc__", None) or fix.title)
    return " ".join(text.partition("\n\n")[0].partition("\n>>>")[0].split())


def sheet(fix: Fix, facts: Facts, names: Mapping[str, str]) -> str:
    """The sheet of one repair, as Markdown.

    Parameters
    ----------
    fix : Fix
    facts : Facts
    names : mapping
        By id, the name of its patch in the series, without its ending.
    """
    patch = patch_of(fix)
    before = ", ".join(f"{names[name]}.patch" for name in fix.after if name in names)
    ran = ", ".join(f"{name} {version}" for name, version in facts.versions.items())
    device = patch.added_tests(gpu=True)
    lines = [
        f"# {names[fix.id]}: {fix.title}",
        "",
        fault_of(fix),
        "",
        f"- upstream issue: {fix.issue or 'none is known'}",
        f"- forwarded: {fix.forwarded}; applied upstream: {fix.applied_upstream}",
        f"- patch: {names[fix.id]}.patch, for dask {facts.versions['dask']}; after: {before or 'none'}",
        f"- files: {', '.join(patch.files)}",
        f"- affected: {records.affected(fix.id)}",
        f"- the probe, without the patch: {facts.faults[fix.id] or 'finds nothing'}",
    ]
    if fix.changes_numpy:
        lines.append("- it cures a wrong value on NumPy or masked chunks")
    lines += ["", "## Smallest reproducer", "", "```python", *_AS_IT_IS, PREAMBLE.rstrip("\n"), ""]
    lines += [source for source, _ in facts.stock[fix.id]]
    lines += ["```", "", *_outputs("Stock dask", facts.stock[fix.id])]
    lines += _outputs("With the series applied", facts.patched[fix.id])
    lines += [f"As run: {ran}; on a CPU, with the stand-in. With CuPy, `import cupy` is in its place.", ""]
    if fix.id in unasked(facts):
        lines += [f"The calls could not be run here: {unasked(facts)[fix.id].rstrip('.')}.", ""]
    elif facts.stock[fix.id] == facts.patched[fix.id]:
        lines += ["The calls could not show it here; what the probe says above is what can be seen.", ""]
    lines += ["## Tests", "", "Fail without the patch and pass with it, on a CPU:", ""]
    lines += [f"- {test}" for test in patch.added_tests(gpu=False)]
    if device:
        lines += ["", "Need a GPU:", "", *(f"- {test}" for test in device)]
    return "\n".join([*lines, "", "## Measured", "", *records.measured(fix.id)]) + "\n"


def _outputs(title: str, shown: list[list[str]]) -> list[str]:
    lines = [f"{title}:", "", "```"]
    for source, output in shown:
        lines += [f">>> {source}".replace("\n", "\n... ")] + ([output] if output else [])
    return [*lines, "```", ""]
