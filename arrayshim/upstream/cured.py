"""Which cases of the conformance suite each repair cures: ``python -m arrayshim.upstream.cured``, in a clone.

The cases are those that the committed runs on the stand-in have as failed by stock dask and passed with every repair.
A repair is needed by a case that fails again when it is left out, with those that lean on it; where several of such a
chain are needed, the last is recorded. Only repairs whose code a case has run are left out, one at a time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

from arrayshim.upstream import records


@contextmanager
def _watched(owners: Mapping[CodeType, str], folder: str) -> Iterator[set[str]]:
    """Notes the repairs whose code runs, in every thread."""
    touched: set[str] = set()

    def note(frame: FrameType, event: str, argument: Any) -> None:
        if event == "call":
            code = frame.f_code
            if code in owners:
                touched.add(owners[code])
            elif code.co_filename.startswith(folder):
                touched.add(os.path.basename(code.co_filename).removesuffix(".py"))

    sys.setprofile(note)
    threading.setprofile(note)
    try:
        yield touched
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def _owners() -> dict[CodeType, str]:
    from arrayshim.fixes import collect

    functions = ((r.function, fix.id) for fix in collect().values() for r in fix.replacements)
    return {function.__code__: fix_id for function, fix_id in functions if hasattr(function, "__code__")}


def innermost(needed: Iterable[str]) -> list[str]:
    """Those of some repairs that none of the others leans on."""
    from arrayshim.upstream.patches import needed_by

    found = list(needed)
    below = {earlier for name in found for earlier in needed_by(name)}
    return sorted(name for name in found if name not in below)


def measure(names: Iterable[str]) -> dict[str, list[str]]:
    """By case, the repairs that it needs; the cases must fail in stock dask and pass with all repairs.

    Notes
    -----
    For a process of its own: dask is stock when it starts, and the backend is registered when it ends.
    """
    import arrayshim
    from arrayshim import fixes
    from arrayshim.conformance import catalogue, loading
    from arrayshim.conformance import measure as suite
    from arrayshim.fixes import collect

    wanted = set(names)
    items = [item for item in catalogue.items() if item.name in wanted]
    expected = {item.name: suite.oracle(item) for item in items}
    backend = loading.load("strict")
    arrayshim.enable()
    arrayshim.register_backend(backend.backend)
    folder, owners = os.path.dirname(str(fixes.__file__)), _owners()
    # what a row of a table does is done by kernels
    always = {fix.id for fix in collect().values() if fix.rows or fix.hangs}
    candidates: dict[str, set[str]] = {}
    for item in items:
        with _watched(owners, folder) as touched:
            found = suite.subject(item, backend, expected[item.name])
        if found["outcome"] == "pass":
            candidates[item.name] = touched | always
        _progress(f"{item.name}: {found['outcome']}")
    needed: dict[str, list[str]] = {item.name: [] for item in items}
    for fix_id in collect():
        with arrayshim.scope(skip=[fix_id]):
            for item in items:
                if fix_id not in candidates.get(item.name, ()):
                    continue
                if suite.subject(item, backend, expected[item.name])["outcome"] != "pass":
                    needed[item.name].append(fix_id)
        _progress(f"without {fix_id}")
    return {name: innermost(ids) for name, ids in needed.items()}


def _progress(text: str) -> None:
    print(f"\r\x1b[K{text}" if sys.stderr.isatty() else text, end="" if sys.stderr.isatty() else "\n", file=sys.stderr)


def improved() -> list[str]:
    """Cases that the committed runs have as failed by stock dask and passed with every repair."""
    from arrayshim.conformance import matrix
    from arrayshim.conformance.document import load

    stock, repaired = (load(matrix.RESULTS / f"strict-{mode}.json") for mode in ("stock", "repaired"))
    before = {case["case"]: case["outcome"] for case in stock["cases"]}
    failed = {name for name, outcome in before.items() if outcome not in ("pass", "skip")}
    return [case["case"] for case in repaired["cases"] if case["outcome"] == "pass" and case["case"] in failed]


def _part(number: int, parts: int, file: Path) -> None:
    """Measure the cases of one process."""
    import warnings

    import dask
    import numpy as np

    import arrayshim

    arrayshim.disable()
    os.environ.pop("ARRAYSHIM_DISABLE", None)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    dask.config.set(scheduler="threads")
    file.write_text(json.dumps(measure(improved()[number::parts])), encoding="utf-8")


def main(arguments: list[str]) -> None:
    """Write `cured.json`."""
    import dask
    import numpy as np

    from arrayshim.conformance import catalogue
    from arrayshim.upstream.check import cores
    from arrayshim.upstream.trees import environment

    if arguments:
        _part(int(arguments[0]), int(arguments[1]), Path(arguments[2]))
        return
    parts = cores()
    found: dict[str, list[str]] = {name: [] for name in improved()}
    with tempfile.TemporaryDirectory(prefix="arrayshim-cured-") as work:
        files = [Path(work) / f"{number}.json" for number in range(parts)]
        command = [sys.executable, "-m", "arrayshim.upstream.cured"]
        started = [
            subprocess.Popen([*command, str(number), str(parts), str(file)], env=environment())
            for number, file in enumerate(files)
        ]
        codes = [process.wait() for process in started]
        if any(codes):
            raise SystemExit("a process failed; what it said stands above")
        for file in files:
            found.update(json.loads(file.read_text(encoding="utf-8")))
    head = {"dask": dask.__version__, "numpy": np.__version__, "catalogue": catalogue.digest()}
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(ids)}" for name, ids in found.items())
    text = json.dumps(head, indent=1).removesuffix("\n}") + f',\n "cases": {{\n{lines}\n }}\n}}\n'
    records.CURED.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
