"""The files of a run: JSON, JUnit XML, Markdown and HTML; and the matrix in the README.

``python -m arrayshim.conformance.report --readme README.md`` writes the matrix of the committed runs between its
markers; ``--check`` says whether those are of today's catalogue.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from arrayshim.conformance import matrix
from arrayshim.conformance.compact import pack
from arrayshim.conformance.document import DocumentError
from arrayshim.conformance.junit import junit
from arrayshim.conformance.known import FINE, Known
from arrayshim.conformance.matrix import by_outcome, cell, origin, table
from arrayshim.conformance.page import Run, page

__all__ = ["Run", "as_json", "junit", "markdown", "page", "put", "write", "write_page"]


def as_json(run: Mapping[str, Any]) -> str:
    """A run as JSON, a line for each case, so that a difference between two files can be read.

    What many of its scripts have in common is there once; `document.load` puts it back.
    """
    run = pack(run)
    head = {key: value for key, value in run.items() if key != "cases"}
    text = json.dumps(head, indent=2, ensure_ascii=False, allow_nan=False)
    cases = ",\n".join("    " + json.dumps(case, ensure_ascii=False, allow_nan=False) for case in run["cases"])
    return text.removesuffix("\n}") + f',\n  "cases": [\n{cases}\n  ]\n}}\n'


def markdown(run: Mapping[str, Any], known: Known) -> str:
    """A run as Markdown: the matrix by family, what is not as known, what did not pass, why cases were skipped."""
    suite = run["test_suite"]
    parts = [
        f"# {cell(run['name'])}\n",
        f"{cell(origin(run))}. Level {suite['level']}, catalogue {cell(suite['catalogue'])}.\n",
        by_outcome(run["cases"]),
    ]
    if surprises := known.surprises(run["cases"]):
        lines = [[cell(it.case), cell(it.got), cell(it.expected), _short(it.message)] for it in surprises]
        parts += ["## Not as known\n", table(["case", "outcome", "expected", "message"], lines, left=4)]
    failed = [case for case in run["cases"] if case["outcome"] not in FINE]
    if failed:
        lines = [
            [cell(it["case"]), cell(it["outcome"]), _short(it["message"]), _why(known, it["case"])] for it in failed
        ]
        parts += ["## Did not pass\n", table(["case", "outcome", "message", "known"], lines, left=4)]
    if reasons := matrix.skipped(run["cases"]):
        counted = [[_short(reason), number] for reason, number in reasons]
        parts += ["## Skipped\n", table(["reason", "cases"], counted)]
    if lacking := matrix.lacking(run["cases"]):
        lines = [[cell(family), len(cases), cell(", ".join(cases))] for family, cases in lacking.items()]
        parts += ["## Not implemented in dask's expression mode\n", table(["family", "cases", "which"], lines, left=3)]
    return "\n".join(parts)


def _short(text: str, most: int = 240) -> str:
    line = " ".join(text.split())
    return str(cell(line if len(line) <= most else line[: most - 1] + "…"))


def _why(known: Known, case: str) -> str:
    entry = known.entry(case)
    if entry is None:
        return ""
    link = (
        f"<{entry.link}>" if entry.link.startswith("http") and not set(entry.link) & set("<>| ") else cell(entry.link)
    )
    return f"{_short(entry.reason)} {link}"


#: What `--out` writes, by the end of the file's name.
FORMATS: Mapping[str, Callable[[Run], str]] = {
    "json": lambda run: as_json(run.document),
    "xml": lambda run: junit(run.document, run.known),
    "md": lambda run: markdown(run.document, run.known),
    "html": lambda run: page([run]),
}


def write(folder: Path, run: Run) -> list[Path]:
    """Write a run as ``<name>.json``, ``.xml``, ``.md`` and ``.html``, each of them all or nothing.

    Parameters
    ----------
    folder : Path
        Made where it is missing.
    run : Run

    Returns
    -------
    list of Path
    """
    return [put(folder / f"{run.document['name']}.{end}", form(run)) for end, form in FORMATS.items()]


def write_page(path: Path, runs: Sequence[Run]) -> Path:
    """Write one HTML page of several runs."""
    return put(path, page(runs))


def put(path: Path, text: str) -> Path:
    """Write a text to a file, all or nothing; the folder is made where it is missing."""
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A message may hold half a surrogate pair, which no encoding has.
        part.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")
        os.replace(part, path)
    except OSError as error:
        raise DocumentError(f"{path} cannot be written: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            part.unlink()
    return path


def main(arguments: Sequence[str] | None = None) -> int:
    """``--readme FILE`` rewrites the matrix in FILE, ``--check`` names committed runs of another catalogue."""
    import argparse

    parser = argparse.ArgumentParser(prog="python -m arrayshim.conformance.report", description=__doc__)
    parser.add_argument("--readme", type=Path, metavar="FILE", help="rewrite the matrix in FILE")
    parser.add_argument("--check", action="store_true", help="exit 1 where a committed run is of another catalogue")
    parser.add_argument("--results", type=Path, default=matrix.RESULTS, metavar="DIR", help="where the runs are")
    options = parser.parse_args(arguments)
    try:
        runs = matrix.committed(options.results)
        if options.readme is not None:
            text = options.readme.read_text(encoding="utf-8")
            put(options.readme, matrix.readme(text, [run for _, run in runs]))
    except (DocumentError, OSError) as error:
        parser.error(" ".join(str(error).split()))
    return _check(runs) if options.check else 0


def _check(runs: Sequence[tuple[Path, Mapping[str, Any]]]) -> int:
    from arrayshim.conformance import catalogue

    today, names = catalogue.digest(), {item.name for item in catalogue.items()}
    faults = [matrix.outdated(path, run, catalogue=today, names=names) for path, run in runs]
    for fault in filter(None, faults):
        print(fault, file=sys.stderr)
    return int(any(faults))


if __name__ == "__main__":
    sys.exit(main())
