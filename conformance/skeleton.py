"""Writes a file of known failures from a run; a person then betters the reasons and links of what is new in it.

``python -m arrayshim.conformance.skeleton RESULT.json`` does so from a run that was written with ``--out``, for the
file in ``known/`` that belongs to it: of a run on another machine, for instance. ``--into DIR`` says where the files of
a backend of your own are; those of an installed arrayshim are not written to.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from arrayshim.conformance.globs import globs, operation
from arrayshim.conformance.known import FINE, Entry, Known
from arrayshim.conformance.places import place
from arrayshim.conformance.reviewed import still

__all__ = ["cause", "entries", "globs", "main", "operation", "toml"]

_HEADER = """\
# Known failures of {name}, written from a run of {date}.
# The first entry that matches a case holds. `*` stands for anything. Both ways strict: see conformance/README.md.
"""

#: What a message says, in words that many cases share. The first that is found in it holds.
REASONS = (
    (r"^type\(_meta", "the meta is another type than the chunks"),
    (r"^_meta\S*\.dtype", "the meta has another dtype than the chunks"),
    (r"^_meta\S*\.ndim", "the meta has another number of dimensions than the chunks"),
    (r"^type\(", "chunks come out as another type"),
    (r"^(threads|distributed)=", "another result on another scheduler"),
    (r"^value", "another value than NumPy's"),
    (r"^(shape|x\S*\.shape|parts)", "another shape than NumPy's"),
    (r"^dtype", "another dtype than NumPy's"),
    (r"^(build|compute)=TypeError: Implicit conversion", "chunks, or an operand beside them, are handed to NumPy"),
    (r"^(build|compute)=.*(type <class 'numpy|incorrect type|Only cupy arrays)", "a host operand meets device chunks"),
)


def cause(message: str) -> str:
    """What a message says, without the call at its end, addresses in memory and what was expected; on one line."""
    line = re.sub(r"\s*\[[^][]*\]$", "", " ".join(message.split()).partition(", expected ")[0])
    for pattern, reason in REASONS:
        if re.search(pattern, line):
            return reason
    line = re.sub(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{32}\b|(\{|\[\[|array\().*", "...", line)
    return line if len(line) <= 160 else line[:159] + "…"


def entries(
    records: Sequence[Mapping[str, Any]], before: Known | None = None, *, docs: str = "", catalogue: Iterable[str] = ()
) -> list[Entry]:
    """What is known after a run: the entries so far that still hold, and one for each new way in which dask failed.

    Parameters
    ----------
    records : sequence of mapping
        Records of cases.
    before : Known, optional
        What was known so far. Where it holds still, its patterns, reasons, links and repairs are kept.
    docs : str
        Address of the documentation of the backend's library: the link of what it does not implement.
    catalogue : iterable of str
        Full names of all cases there are, where `records` is only a part of them: what is known of a case that did not
        run is kept.

    Returns
    -------
    list of Entry
        Those of `before` in their order, then the new ones in that of the catalogue, then what is known elsewhere. The
        reason of a new one is what the messages have in common, and the link goes to where dask defines the function;
        it is empty where dask does not.
    """
    outcomes = {record["case"]: record["outcome"] for record in records}
    found: list[Entry]
    found, theirs = still(before or Known(), outcomes, catalogue)
    groups: dict[tuple[str, str, str, str], list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        outcome = record["outcome"]
        if outcome in FINE or record["case"] in theirs:
            continue
        blamed = docs and outcome == "not implemented by the backend"
        groups[(outcome, cause(record["message"]), *(("", docs) if blamed else place(tuple(record["names"]))))].append(
            record
        )
    names = list(dict.fromkeys([*outcomes, *catalogue]))
    for (outcome, reason, function, link), members in groups.items():
        fixes = Counter(record.get("fix") for record in members)
        found.append(
            Entry(
                cases=tuple(globs([record["case"] for record in members], names)),
                outcome=(outcome,),
                reason=f"{function}: {reason or outcome}" if function else reason or outcome,
                link=link,
                fix=next(iter(fixes)) if len(fixes) == 1 else None,
            )
        )
    return [*found, *(before.elsewhere if before else ())]


def toml(found: Iterable[Entry], *, name: str, date: str) -> str:
    """Entries as a file that `known.load` reads, once no link is empty."""
    parts = [_HEADER.format(name=_line(name), date=_line(date))]
    for entry in found:
        lines = ["[[expected]]", f"cases = {_list(entry.cases)}"]
        one = len(entry.outcome) == 1
        lines.append(f"outcome = {_text(entry.outcome[0]) if one else _list(entry.outcome)}")
        lines += [f"reason = {_text(entry.reason)}", f"link = {_text(entry.link)}"]
        if entry.fix:
            lines.append(f"fix = {_text(entry.fix)}")
        if entry.but:
            lines.append(f"but = {_list(entry.but)}")
        if entry.dask:
            lines.append(f"dask = {_text(entry.dask)}")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def _line(text: str) -> str:
    return re.sub(r"[^\x20-\x7e]", "?", text)


def _text(text: str) -> str:
    # JSON's escapes are TOML's, but for DEL and for surrogates, which TOML cannot hold at all.
    return json.dumps(text.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")


def _list(items: Sequence[str]) -> str:
    short = f"[{', '.join(map(_text, items))}]"
    return short if len(short) <= 100 else "[\n" + "".join(f"    {_text(item)},\n" for item in items) + "]"


def _own_folder() -> Path | None:
    """The suite's own files, in a checkout; None where it is installed."""
    from arrayshim.conformance import known

    checkout = known.FOLDER.parents[1]
    return known.FOLDER if (checkout / "pyproject.toml").is_file() and (checkout / "arrayshim").is_dir() else None


def main(arguments: Sequence[str] | None = None) -> int:
    """Rewrite the file of known failures that belongs to each result."""
    import argparse

    from arrayshim.conformance import catalogue, known
    from arrayshim.conformance.document import DocumentError, load
    from arrayshim.conformance.report import put

    parser = argparse.ArgumentParser(prog="python -m arrayshim.conformance.skeleton", description=main.__doc__)
    parser.add_argument("results", type=Path, nargs="+", metavar="RESULT.json")
    parser.add_argument("--docs", default="", metavar="URL", help="documentation of the backend's library")
    parser.add_argument(
        "--like",
        type=Path,
        metavar="FILE",
        help="reviewed file of another run: its reasons for what is not known here",
    )
    parser.add_argument(
        "--into",
        type=Path,
        default=_own_folder(),
        metavar="DIR",
        help="where the files are; to be given except in a checkout of arrayshim, whose own they are",
    )
    options = parser.parse_args(arguments)
    if options.into is None:
        parser.error(f"--into DIR is missing: {known.FOLDER} is of the installed arrayshim, and is not written to")
    names = [item.name for item in catalogue.items()]
    for result in options.results:
        try:
            run = load(result)
            path = options.into / known.path_of(run["backend"], stock=run["stock"], array_expr=run["array_expr"]).name
            files = [file for file in (path if path.is_file() else None, options.like) if file is not None]
            before = Known([entry for file in files for entry in known.load(file).entries])
            found = entries(run["cases"], before, docs=options.docs, catalogue=names)
            put(path, toml(found, name=run["name"], date=run["timestamp"][:10]))
        except (DocumentError, known.KnownError) as error:
            parser.error(" ".join(str(error).split()))
        print(f"wrote {path}: {len(found)} entries")
    return 0


if __name__ == "__main__":
    sys.exit(main())
