"""dask's own array tests, on one dask or on two: outcomes case by case, and what one has lost against the other.

``python -m arrayshim.upstream.suite`` runs all of `dask/array/tests` of the installed dask, without arrayshim and with
it; ``--commit N`` one part of N, which the commit decides, so that all of them are seen in the course of time.
"""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from arrayshim.upstream import trying
from arrayshim.upstream.patches import UpstreamError
from arrayshim.upstream.trees import Place

Progress = Callable[[str], None]

_INI = """\
[pytest]
markers =
    slow
    gpu
    network
    skip_with_pyarrow_strings
    xfail_with_pyarrow_strings
    array_expr
    normal_and_array_expr
xfail_strict = true
"""


#: The marks of the tests that dask runs with `array.query-planning` on; it has not the others yet.
EXPRESSIONS = "array_expr or normal_and_array_expr"


@dataclass(frozen=True, slots=True)
class Side:
    """A dask whose tests are run.

    Parameters
    ----------
    name : str
        In words.
    place : Place
    arrayshim : bool
        With arrayshim imported first, and its repairs on.
    env : mapping
        More variables.
    marked : str
        Only tests with these marks, as for `pytest -m`.
    """

    name: str
    place: Place
    arrayshim: bool = False
    env: Mapping[str, str] = field(default_factory=dict)
    marked: str = ""


def files_of(folder: Path, shard: tuple[int, int] = (1, 1)) -> list[str]:
    """Files of dask's array tests, relative to the folder; the i-th of n parts, by size, so that parts take alike."""
    sizes = {path: path.stat().st_size for path in (folder / "dask" / "array" / "tests").glob("test_*.py")}
    ordered = sorted(sizes, key=lambda path: (-sizes[path], path.name))
    index, parts = shard
    return sorted(str(path.relative_to(folder)) for path in ordered[index - 1 :: parts])


def run(sides: Iterable[Side], files: Iterable[str], work: Path, *, say: Progress) -> list[dict[str, str]]:
    """Run test files, or node ids, on several dasks at a time.

    Parameters
    ----------
    sides : iterable of Side
    files : iterable of str
    work : pathlib.Path
        For reports.
    say : callable
        Told how far the first is.

    Returns
    -------
    list of dict
        By node id, the outcome: `passed`, `failed` or `skipped`.

    Raises
    ------
    UpstreamError
        pytest did not come to its end.
    """
    sides, files = list(sides), list(files)
    folders = [work / f"suite-{number}" for number in range(len(sides))]
    started = [_start(side, files, folder) for side, folder in zip(sides, folders, strict=True)]
    try:
        while any(process.poll() is None for process in started):
            time.sleep(1)
            done = re.findall(r"\[\s*(\d+)%\]", _said(folders[0]))
            say(f"dask's tests, {sides[0].name}: {done[-1] if done else 0} %")
        codes = [process.wait() for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()
    answer = []
    for side, folder, code in zip(sides, folders, codes, strict=True):
        found = dict(trying.cases(folder / "report.xml"))
        if code not in (0, 1) or not found:
            last = (_said(folder).strip().splitlines() or ["it said nothing"])[-1]
            raise UpstreamError(f"dask's tests ({side.name}) ended with status {code}: {last}")
        answer.append(found)
    return answer


def _said(folder: Path) -> str:
    return (folder / "output.txt").read_text(encoding="utf-8", errors="replace")


def _start(side: Side, files: list[str], folder: Path) -> subprocess.Popen[str]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pytest.ini").write_text(_INI, encoding="utf-8")
    # Imported by pytest before dask is, as a user would.
    first = "import arrayshim\n\nassert arrayshim.status()[0].state == 'applied'\n"
    (folder / "first.py").write_text(first if side.arrayshim else "import dask.array\n", encoding="utf-8")
    variables = side.place.environment(folder, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1", **side.env)
    if side.arrayshim:
        del variables["ARRAYSHIM_DISABLE"]
    options = ["-q", "-c", str(folder / "pytest.ini"), f"--rootdir={side.place.folder}", "--tb=short", "-p", "first"]
    options += [f"--junitxml={folder / 'report.xml'}", "-p", "no:cacheprovider"]
    options += ["-m", side.marked] if side.marked else []
    with (folder / "output.txt").open("w", encoding="utf-8") as output:
        return subprocess.Popen(
            [side.place.command, "-m", "pytest", *options, *files],
            env=variables,
            cwd=side.place.folder,
            stdout=output,
            stderr=subprocess.STDOUT,
            text=True,
        )


def in_expression_mode(stock: Place, patched: Place, work: Path, *, say: Progress) -> tuple[str, list[str]]:
    """Run the tests that dask runs with `array.query-planning` on: their counts with a series, what it has lost."""
    env = {"DASK_ARRAY__QUERY_PLANNING": "True"}
    places = {"stock, expressions": stock, "patched, expressions": patched}
    sides = [Side(name, place, env=env, marked=EXPRESSIONS) for name, place in places.items()]
    (before,), (after,) = (run([s], files_of(s.place.folder), work / str(n), say=say) for n, s in enumerate(sides))
    return counts(after), worse(before, after)


def worse(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Node ids that fail in the second run and did not in the first, and functions whose every case is gone."""
    failed = [test for test, outcome in after.items() if outcome == "failed" and before.get(test) != "failed"]
    left = {test.partition("[")[0] for test in after}
    gone = {test.partition("[")[0] for test, outcome in before.items() if outcome == "passed"} - left
    return sorted(failed) + sorted(f"{test} (gone)" for test in gone)


def unlike(one: Mapping[str, str], other: Mapping[str, str]) -> list[str]:
    """Node ids whose outcomes are not the same in two runs."""
    return sorted(test for test in {*one, *other} if one.get(test) != other.get(test))


def counts(outcomes: Mapping[str, str]) -> str:
    """``4000 passed, 3 failed, 20 skipped``."""
    found = Counter(outcomes.values())
    return ", ".join(f"{found[word]} {word}" for word in ("passed", "failed", "skipped") if found[word])


def with_arrayshim(folder: Path, shard: tuple[int, int], work: Path, *, jobs: int, say: Progress) -> Compared:
    """Run the tests of a dask without arrayshim and with it; what differs is run again, for tests that fail by chance.

    Parameters
    ----------
    folder : pathlib.Path
        Has `dask/` in it.
    shard : (int, int)
        Which part of how many.
    work : pathlib.Path
    jobs : int
        1: one after the other.
    say : callable
    """
    sides = [Side("stock", Place(folder)), Side("with arrayshim", Place(folder), arrayshim=True)]
    groups = [sides] if jobs > 1 else [[side] for side in sides]

    def both(files: list[str], name: str) -> list[dict[str, str]]:
        return [
            it for number, group in enumerate(groups) for it in run(group, files, work / f"{name}{number}", say=say)
        ]

    stock, ours = both(files_of(folder, shard), "all")
    if again := [test for test in unlike(stock, ours) if test in stock and test in ours]:
        second = both(sorted({test.partition("[")[0] for test in again}), "again")
        stock.update(second[0])
        ours.update(second[1])
    return Compared(counts(stock), counts(ours), unlike(stock, ours))


@dataclass(frozen=True, slots=True)
class Compared:
    """Outcomes without and with arrayshim, counted, and the tests whose outcomes differ."""

    stock: str
    ours: str
    unlike: list[str]


def of_commit(parts: int, folder: Path) -> tuple[int, int]:
    """The part that the commit of a clone decides."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, capture_output=True, text=True)
    digits = done.stdout.strip() if done.returncode == 0 else "0"
    return int(digits[:12] or "0", 16) % parts + 1, parts


def main(arguments: list[str]) -> int:
    """Run the tests of the installed dask without and with arrayshim."""
    import argparse
    import tempfile
    from importlib.metadata import distribution

    parser = argparse.ArgumentParser(prog="python -m arrayshim.upstream.suite", description=__doc__)
    parser.add_argument("--commit", type=int, default=1, metavar="N", help="one part of N, by the commit")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args(arguments)
    shard = of_commit(options.commit, Path(__file__).parent)
    folder = Path(str(distribution("dask").locate_file(""))).resolve()
    print(f"dask's own tests, part {shard[0]} of {shard[1]}: {', '.join(files_of(folder, shard))}", flush=True)
    with tempfile.TemporaryDirectory(prefix="arrayshim-suite-") as work:
        found = with_arrayshim(folder, shard, Path(work).resolve(), jobs=options.jobs, say=lambda text: None)
    print(f"stock: {found.stock}\nwith arrayshim: {found.ours}")
    for test in found.unlike:
        print(f"not the same: {test}")
    return int(bool(found.unlike))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
