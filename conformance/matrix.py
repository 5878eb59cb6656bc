"""The matrix by family: of one run, and of the committed ones, for the README; whether these are up to date."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arrayshim.conformance import modes
from arrayshim.conformance.document import OUTCOMES, SCHEMA, DocumentError, load

RESULTS = Path(__file__).with_name("results")
BEGIN = "<!-- conformance matrix: begin. Written by `python -m arrayshim.conformance.report --readme README.md` -->"
END = "<!-- conformance matrix: end -->"
_LEGEND = "Passed / ran, by family: stock dask → dask with arrayshim, one number where they are the same."


def families(cases: Iterable[Mapping[str, Any]]) -> dict[str, Counter[str]]:
    """Number of cases by family, in the order of the catalogue, and by outcome."""
    found: dict[str, Counter[str]] = {}
    for case in cases:
        found.setdefault(case["family"], Counter())[case["outcome"]] += 1
    return found


def skipped(cases: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """Why cases were skipped, and how many each: what is missing here, or in the mode that dask was in."""
    return Counter(modes.reason(case["message"]) for case in cases if case["outcome"] == "skip").most_common()


def lacking(cases: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """Cases that dask's expression mode does not implement, without their family, by family."""
    found: dict[str, list[str]] = {}
    for case in cases:
        if case["outcome"] == "skip" and modes.reason(case["message"]) == modes.LACKING:
            found.setdefault(case["family"], []).append(case["case"].partition("/")[2])
    return found


def share(counts: Mapping[str, int]) -> str:
    """Passed of those that ran (skipped ones did not), as in ``81.9 %``. Rounded down: 100 % means all of them."""
    ran = sum(counts.values()) - counts.get("skip", 0)
    if not ran:
        return "-"
    permille = counts.get("pass", 0) * 1000 // ran
    return f"{permille // 10}.{permille % 10} %" if permille < 1000 else "100 %"


def cell(text: object) -> str:
    """Text for a cell of a Markdown table: on one line, nothing of it is markup."""
    line = " ".join(str(text).split())
    for mark in "\\`*_[]|~#":
        line = line.replace(mark, "\\" + mark)
    return line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def table(head: Sequence[object], rows: Iterable[Sequence[object]], *, left: int = 1) -> str:
    """A Markdown table; the first `left` columns are aligned left, the others right. Cells are given as Markdown."""
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def by_outcome(cases: Sequence[Mapping[str, Any]]) -> str:
    """Markdown: a line for each family, a column for each outcome that occurs."""
    found = families(cases)
    total = sum(found.values(), Counter())
    shown = [outcome for outcome in OUTCOMES if total[outcome] or outcome == "pass"]
    lines = [
        [
            name,
            counts.total(),
            *(counts[outcome] or ("" if outcome != "pass" else 0) for outcome in shown),
            share(counts),
        ]
        for name, counts in [*((cell(name), counts) for name, counts in found.items()), ("**all**", total)]
    ]
    return table(["family", "cases", *shown, "passed"], lines)


def by_backend(runs: Sequence[Mapping[str, Any]], *, head: str = "family") -> str:
    """Markdown: a line for each family, titled `head`; a column for each backend, with passed / ran in it.

    Where a backend has a stock and a repaired run, both are in its column: ``134 → 135 / 178``, or ``52 / 54`` where
    the repairs change nothing.
    """
    columns = {name: [families(run["cases"]) for run in group] for name, group in _pairs(runs).items()}
    names = dict.fromkeys(name for found in columns.values() for one in found for name in one)
    lines = [
        [cell(name), *(_ratios([one.get(name, Counter()) for one in found]) for found in columns.values())]
        for name in names
    ]
    totals = [[sum(one.values(), Counter()) for one in found] for found in columns.values()]
    lines.append(["**all**", *(f"{_ratios(total)}<br>**{_arrow(map(share, total))}**" for total in totals)])
    return table([head, *map(cell, columns)], lines)


def _pairs(runs: Sequence[Mapping[str, Any]]) -> dict[str, list[Mapping[str, Any]]]:
    """Runs by the head of their column: a stock run and the repaired one of the same backend, or one by itself."""
    groups: dict[tuple[str, bool], list[Mapping[str, Any]]] = {}
    for run in runs:
        groups.setdefault((run["backend"], run["array_expr"]), []).append(run)
    found: dict[str, list[Mapping[str, Any]]] = {}
    for (backend, array_expr), group in groups.items():
        if sorted(run["stock"] for run in group) == [False, True]:
            found[backend + "-expr" * array_expr] = sorted(group, key=lambda run: not run["stock"])
        else:
            found |= {run["name"]: [run] for run in group}
    return found


def _ratios(counted: Sequence[Mapping[str, int]]) -> str:
    pairs = [(counts.get("pass", 0), sum(counts.values()) - counts.get("skip", 0)) for counts in counted]
    if not any(ran for _, ran in pairs):
        return "-" if any(counted) else ""
    if len({ran for _, ran in pairs}) == 1:
        return f"{_arrow(str(passed) for passed, _ in pairs)} / {pairs[0][1]}"
    return _arrow(f"{passed} / {ran}" for passed, ran in pairs)


def _arrow(texts: Iterable[str]) -> str:
    return " → ".join(dict.fromkeys(texts))


def origin(run: Mapping[str, Any]) -> str:
    """One line: where and when a run was made, on which versions."""
    target, versions = run["execution_target"], run["versions"]
    on = target["device_model"] or target["kind"]
    if target["driver_version"]:
        on += f", runtime {target['runtime_version']}, driver {target['driver_version']}"
    libraries = [f"dask {versions.get('dask')}", f"NumPy {versions.get('numpy')}"]
    if run["backend"] not in ("numpy", "strict") and run["version"]:
        libraries.append(f"{run['backend']} {run['version']}")
    part = run.get("settings", {}).get("incomplete")
    when = f"{run['timestamp'][:10]}, interrupted after {part}" if part else run["timestamp"][:10]
    return f"{when}, {on}, Python {run['python']}, {', '.join(libraries)}"


def origins(runs: Sequence[Mapping[str, Any]]) -> str:
    """Markdown: a line for each column of `by_backend`, with where and when its runs were made."""
    found = {name: dict.fromkeys(map(origin, group)) for name, group in _pairs(runs).items()}
    return "".join(f"- {cell(name)}: {cell('; '.join(where))}\n" for name, where in found.items())


def committed(folder: Path = RESULTS) -> list[tuple[Path, dict[str, Any]]]:
    """The runs in a folder of results, by name; JSON files of other kinds are passed over."""
    found = []
    for path in sorted(folder.glob("*.json")):
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except ValueError:
            raise DocumentError(f"{path} is not JSON; expected a result") from None
        if isinstance(content, dict) and content.get("schema") == SCHEMA:
            found.append((path, load(path)))
    return found


def outdated(path: Path, run: Mapping[str, Any], *, catalogue: str, names: Collection[str]) -> str | None:
    """None where a committed run is of today's catalogue, else one line that names the cases that are new or gone.

    Parameters
    ----------
    path : Path
        For the sentence.
    run : mapping
        As `document.load` gives it.
    catalogue : str
        Hash of today's catalogue.
    names : collection of str
        Full names of its cases.
    """
    ran, today = {case["case"] for case in run["cases"]}, set(names)
    parts = [f"{title}: {_some(cases)}" for title, cases in (("new", today - ran), ("gone", ran - today)) if cases]
    if not parts and run["test_suite"]["catalogue"] == catalogue:
        return None
    what = "; ".join(parts) or "the same names, other calls"
    return (
        f"{path.name} is of catalogue {run['test_suite']['catalogue']}, today's is {catalogue} ({what}); run it again"
    )


def _some(names: Collection[str], most: int = 12) -> str:
    shown = ", ".join(sorted(names)[:most])
    return f"{shown} and {len(names) - most} more" if len(names) > most else shown


def readme(text: str, runs: Sequence[Mapping[str, Any]]) -> str:
    """A README with the matrix of `runs` between its two markers.

    Raises
    ------
    DocumentError
        Where the markers are not there, once each and in order.
    """
    head, begin, rest = text.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not (begin and end) or text.count(BEGIN) != 1 or text.count(END) != 1:
        raise DocumentError(f"the README has not both markers, once each; expected the lines {BEGIN} and {END}")
    body = f"{_LEGEND}\n\n{by_backend(runs)}\n{origins(runs)}" if runs else "No run has been committed.\n"
    return f"{head}{BEGIN}\n{body}{END}{tail}"
