"""The matrix of versions: what the probes and `arrayshim status` say of every repair on a dask with a NumPy.

`matrix.json` holds one column for each pair that ``.ci/run --matrix`` makes an environment for; the page of repairs
shows it, and a test holds it against the probes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arrayshim.upstream import records
from arrayshim.upstream.patches import UpstreamError
from arrayshim.upstream.trees import Place, environment

Column = dict[str, Any]

#: Asks each probe without and with its repair, and `status` in between; stock dask stands before it and after it.
MEASURE = """
import json, os, sys, warnings

warnings.simplefilter("ignore")
import dask.array, numpy
import arrayshim
from arrayshim import compat
from arrayshim.fixes import collect

def asked(fix):
    try:
        return "faulty" if fix.diagnose() else "healthy"
    except Exception as error:
        return f"unknown: {type(error).__name__}: {error}"

os.environ.pop("ARRAYSHIM_DISABLE", None)
states = {fix.id: [asked(fix), "in range" if compat.in_range(fix.affects) else "out of range"]
          for fix in collect().values()}
arrayshim.enable()
for status in arrayshim.status():
    states[status.id].append(status.state)
for fix in collect().values():
    states[fix.id].append(asked(fix))
arrayshim.disable()
print(json.dumps({"dask": dask.__version__, "numpy": numpy.__version__,
                  "python": ".".join(map(str, sys.version_info[:2])), "states": states}))
"""

#: What the four words of a repair must be: where dask has the fault, and where it has not.
_APPLIED, _HEALTHY = ["faulty", "in range", "applied", "healthy"], ["healthy", "out of range", "healthy", "healthy"]


def measure(folder: Path) -> Column:
    """The column of the dask in a folder, with the NumPy of this environment.

    Raises
    ------
    UpstreamError
        It cannot be imported.
    """
    done = Place(folder).python("-c", MEASURE)
    if done.returncode:
        last = (done.stderr.strip().splitlines() or ["it said nothing"])[-1]
        raise UpstreamError(f"the dask in {folder.name} cannot be probed: {last}")
    return dict(json.loads(done.stdout.splitlines()[-1]))


def problems(column: Column) -> list[str]:
    """Where the probes, the records and `status` do not agree."""
    return [
        f"{fix_id}: the probe says {words[0]}, the record {words[1]}, status {words[2]}, the probe then {words[3]}"
        for fix_id, words in column["states"].items()
        if words not in (_APPLIED, _HEALTHY)
    ]


def counts(column: Column) -> dict[str, int]:
    """How many repairs are in which state."""
    return dict(Counter(words[2] for words in column["states"].values()))


def key(column: Mapping[str, Any]) -> str:
    """What a column is called: the versions without their last part, where those differ in repairs of errors alone."""
    return f"dask {column['dask']}, NumPy {'.'.join(column['numpy'].split('.')[:2])}, Python {column['python']}"


def recorded() -> dict[str, Column]:
    """The columns of `matrix.json`, by what they are called."""
    return dict(records.read(records.MATRIX))


def record(column: Column) -> None:
    """Put a column into `matrix.json`, in the place of an earlier one of that name."""
    words = {fix_id: states[2] for fix_id, states in column["states"].items()}
    kept = {**column, "states": words}
    found = {**recorded(), key(column): kept}
    lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(found[name])}" for name in sorted(found, key=_order))
    records.MATRIX.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    records.read.cache_clear()


def _order(name: str) -> list[int]:
    return [int(number) for number in re.findall(r"\d+", name)]


def conformance(folder: Path, only: str, jobs: int) -> tuple[bool, str, str]:
    """Run the suite on strict with arrayshim on a dask: whether all is as known, what ran, and the outcomes."""
    with tempfile.TemporaryDirectory(prefix="arrayshim-column-") as out:
        options = ["--backend", "strict", "--jobs", str(jobs), "--out", out, *(["--only", only] if only else [])]
        variables = environment(folder)
        del variables["ARRAYSHIM_DISABLE"]
        done = subprocess.run(
            [sys.executable, "-m", "arrayshim", "conformance", *options], env=variables, capture_output=True, text=True
        )
        file = Path(out) / "strict-repaired.json"
        if not file.is_file():
            last = ((done.stderr or done.stdout).strip().splitlines() or ["it said nothing"])[-1]
            raise UpstreamError(f"the suite ended with status {done.returncode}: {last}")
        run = json.loads(file.read_text(encoding="utf-8"))
    found = ", ".join(f"{number} {outcome}" for outcome, number in run["data"]["counts"].items())
    said = [line.strip() for line in done.stdout.splitlines() if "not as known" in line or line.startswith("  strict")]
    return not done.returncode, f"{run['data']['cases']} cases of strict", "; ".join([found, *said[:6]])


def page() -> list[str]:
    """Lines of Markdown: the columns, repair by repair."""
    found = recorded()
    if not found:
        return []
    ids = list(dict.fromkeys(fix_id for column in found.values() for fix_id in column["states"]))
    names = [f"dask {it['dask']}<br>NumPy {it['numpy']}<br>Python {it['python']}" for it in found.values()]
    lines = ["## The matrix of versions", ""]
    lines += ["What `arrayshim status` says of each repair, the probes agreeing; one column is reproduced by"]
    lines += ["`arrayshim upstream check --dask VERSION`, all of them by `.ci/run --matrix`.", ""]
    lines += ["| repair | " + " | ".join(names) + " |", "| --- " * (len(names) + 1) + "|"]
    for fix_id in ids:
        lines.append(f"| `{fix_id}` | " + " | ".join(it["states"].get(fix_id, "-") for it in found.values()) + " |")
    lines.append("| conformance, strict | " + " | ".join(map(_conformance, found.values())) + " |")
    return lines


def _conformance(column: Mapping[str, Any]) -> str:
    """What the suite on strict gave in a column: as recorded, or in the committed run where that has its versions."""
    from arrayshim.conformance import matrix
    from arrayshim.conformance.document import load

    if "conformance" in column:
        return str(column["conformance"])
    run = load(matrix.RESULTS / "strict-repaired.json")
    ran = run["versions"]
    here = (ran["dask"], ran["numpy"], ".".join(ran["python"].split(".")[:2]))
    if here != (column["dask"], column["numpy"], column["python"]):
        return "not run"
    return ", ".join(f"{number} {outcome}" for outcome, number in run["data"]["counts"].items())


def main(arguments: list[str]) -> int:
    """Measure the column of this environment, and hold it against the recorded one or put it in its place."""
    import argparse
    from importlib.metadata import distribution

    from arrayshim.upstream.check import cores

    parser = argparse.ArgumentParser(prog="python -m arrayshim.upstream.columns", description=__doc__)
    parser.add_argument("--record", action="store_true", help="put it into matrix.json")
    parser.add_argument("--conformance", action="store_true", help="run the suite on the stand-in, too")
    options = parser.parse_args(arguments)
    folder = Path(str(distribution("dask").locate_file(""))).resolve()
    column = measure(folder)
    found = problems(column)
    if options.conformance:
        held, _, column["conformance"] = conformance(folder, "", cores())
        found += [] if held else [f"conformance: {column['conformance']}"]
    if options.record:
        record(column)
    found += disagreements(column)
    counted = ", ".join(f"{number} {state}" for state, number in counts(column).items())
    print("\n".join([f"{key(column)}: {counted}", *found]))
    return int(bool(found))


def disagreements(column: Column) -> list[str]:
    """Where a measured column is not what is recorded under its name."""
    known = recorded().get(key(column))
    if known is None:
        return [f"{key(column)} is not in matrix.json; .ci/run --matrix records it"]
    now = {fix_id: words[2] for fix_id, words in column["states"].items()}
    return [
        f"{fix_id}: {now.get(fix_id, 'no such repair')} here, {known['states'].get(fix_id, 'not there')} in matrix.json"
        for fix_id in sorted({*now, *known["states"]})
        if now.get(fix_id) != known["states"].get(fix_id)
    ]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
