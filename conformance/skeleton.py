"""Writes a first file of known failures from a run; a person then betters the reasons and links."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from arrayshim.conformance.known import FINE, Entry, Known
from arrayshim.conformance.places import place

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


def operation(case: str) -> str:
    """What a case is about, without its arguments and inputs: ``reductions/mean[axis=0]@f4`` is ``reductions/mean``.

    A name that is nothing but arguments, as ``indexing/[::2]``, stays whole.
    """
    found = re.split(r"[\[@]", case, maxsplit=1)[0]
    return case.partition("@")[0] if found.endswith("/") else found


def cause(message: str) -> str:
    """What a message says, without the call at its end, addresses in memory and what was expected; on one line."""
    line = re.sub(r"\s*\[[^][]*\]$", "", " ".join(message.split()).partition(", expected ")[0])
    for pattern, reason in REASONS:
        if re.search(pattern, line):
            return reason
    line = re.sub(r"\b0x[0-9a-f]+\b|\b[0-9a-f]{32}\b|(\{|\[\[|array\().*", "...", line)
    return line if len(line) <= 160 else line[:159] + "…"


def entries(records: Sequence[Mapping[str, Any]], before: Known | None = None, *, docs: str = "") -> list[Entry]:
    """One entry for each way in which a function of dask failed.

    Parameters
    ----------
    records : sequence of mapping
        Records of cases.
    before : Known, optional
        What was known so far; where it holds still, its reason, link and repair are kept.
    docs : str
        Address of the documentation of the backend's library: the link of what it does not implement.

    Returns
    -------
    list of Entry
        In the order of the catalogue. Unless `before` had better ones, the reason is what the messages have in common,
        and the link goes to where dask defines the function; it is empty where dask does not.
    """
    before = before or Known()
    groups: dict[tuple[Any, ...], list[Mapping[str, Any]]] = defaultdict(list)
    for record in records:
        outcome = record["outcome"]
        if outcome in FINE:
            continue
        number = before.index(record["case"])
        if number is not None and outcome in before.entries[number].outcome:
            groups[("kept", number)].append(record)
        elif docs and outcome == "not implemented by the backend":
            groups[(outcome, cause(record["message"]), "", docs)].append(record)
        else:
            groups[(outcome, cause(record["message"]), *place(tuple(record["names"])))].append(record)
    names = [record["case"] for record in records]
    found = []
    for key, members in groups.items():
        cases = tuple(globs([record["case"] for record in members], names))
        if key[0] == "kept":
            old = before.entries[key[1]]
            found.append(Entry(cases=cases, outcome=old.outcome, reason=old.reason, link=old.link, fix=old.fix))
            continue
        outcome, reason, function, link = key
        fixes = Counter(record.get("fix") for record in members)
        found.append(
            Entry(
                cases=cases,
                outcome=(outcome,),
                reason=f"{function}: {reason or outcome}" if function else reason or outcome,
                link=link,
                fix=next(iter(fixes)) if len(fixes) == 1 else None,
            )
        )
    return found


def globs(wanted: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Patterns that match exactly the cases `wanted` among all `names`.

    A whole family, a whole operation, or one call with all its inputs is one or two patterns; the rest is spelled out.
    """
    left = dict.fromkeys(wanted)
    everything = list(names)
    levels = (
        lambda name: name.partition("/")[0] + "/",
        lambda name: operation(name) + "[",
        lambda name: operation(name) + "@",
        lambda name: name.rpartition("@")[0] + "@" if "@" in name else "",
    )
    for level in levels:
        for prefix in dict.fromkeys(map(level, list(left))):
            under = [name for name in everything if prefix and name.startswith(prefix)]
            if len(under) > 1 and all(name in left for name in under):
                yield f"{prefix}*"
                for name in under:
                    del left[name]
    yield from left


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
