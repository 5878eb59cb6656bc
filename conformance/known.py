"""Known failures: what is expected to fail on a backend, why, and where that is discussed. Strict both ways.

A file is a list of entries::

    [[expected]]
    cases = ["linalg/lu*", "linalg/inv"]   # `*` stands for anything; no other character is special
    outcome = "error"                       # or a list, where it is not always the same
    reason = "scipy is called on device arrays"
    link = "https://github.com/dask/dask/issues/..."
    fix = "boolean_selection_meta"          # optional: the repair of arrayshim that cures it
    but = ["linalg/lu[object]"]             # optional: what `cases` would match too, and does pass
    dask = "<2026.7"                        # optional: the versions of dask that it is about; of others it says nothing

The first entry that matches a case is the one that holds.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from arrayshim.compat import in_range
from arrayshim.conformance.document import OUTCOMES, run_name
from arrayshim.errors import ArrayshimError

FOLDER = Path(__file__).with_name("known")
#: Outcomes that need no entry: the case passed, or what it needs is missing here.
FINE = ("pass", "skip")
_FIELDS = {"cases": True, "outcome": True, "reason": True, "link": True, "fix": False, "but": False, "dask": False}


class KnownError(ArrayshimError, ValueError):
    """A file of known failures that cannot be used."""


def pattern(globs: Iterable[str]) -> re.Pattern[str]:
    """Names hold brackets and question marks, so only the star is special."""
    return re.compile("|".join(f"(?:{'.*'.join(map(re.escape, glob.split('*')))})" for glob in globs) or "(?!)", re.S)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One expectation.

    Parameters
    ----------
    cases : tuple of str
        Full names of cases; ``*`` stands for anything.
    outcome : tuple of str
        What each of them is expected to be.
    reason : str
    link : str
        A URL, or a file of the package: ``arrayshim/fixes/<slug>.patch``.
    fix : str, optional
        Id of the repair that cures it.
    but : tuple of str
        Exceptions from `cases`.
    dask : str
        A version specifier; `load` leaves out what is about other versions than the installed one.
    """

    cases: tuple[str, ...]
    outcome: tuple[str, ...]
    reason: str
    link: str
    fix: str | None = None
    but: tuple[str, ...] = ()
    dask: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surprise:
    """Something that is not as known.

    Attributes
    ----------
    case : str
        The case; for an entry that matches none, its first pattern.
    expected, got : str
    message : str
        Of the case.
    """

    case: str
    expected: str
    got: str
    message: str = ""

    def __str__(self) -> str:
        return f"{self.case}: {self.got}, expected {self.expected}" + (f": {self.message}" if self.message else "")


class Known:
    """The expectations of one run, and what is known `elsewhere`: on other versions of dask."""

    def __init__(self, entries: Sequence[Entry] = (), elsewhere: Sequence[Entry] = ()) -> None:
        self.entries, self.elsewhere = tuple(entries), tuple(elsewhere)
        self._patterns = [(pattern(entry.cases), pattern(entry.but)) for entry in self.entries]

    def index(self, case: str) -> int | None:
        """Position of the entry that holds for a case."""
        for number, (cases, but) in enumerate(self._patterns):
            if cases.fullmatch(case) and not but.fullmatch(case):
                return number
        return None

    def entry(self, case: str) -> Entry | None:
        """The entry that holds for a case; None where it is expected to pass."""
        number = self.index(case)
        return None if number is None else self.entries[number]

    def holds(self, record: Mapping[str, Any]) -> bool:
        """Whether a case came out as expected."""
        entry = self.entry(record["case"])
        return record["outcome"] in (FINE if entry is None else (*entry.outcome, "skip"))

    def surprises(self, records: Iterable[Mapping[str, Any]], catalogue: Collection[str] = ()) -> list[Surprise]:
        """Hold what happened against what is known.

        Parameters
        ----------
        records : iterable of mapping
            Records of cases.
        catalogue : collection of str
            Full names of all cases there are, where `records` is only a part of them: an entry about a case that did
            not run is no surprise.

        Returns
        -------
        list of Surprise
            Unexpected failures, other failures than expected, unexpected passes, and entries that match no case. Empty
            where all is as known.
        """
        found: list[Surprise] = []
        used: set[int] = set()
        for record in records:
            number, outcome = self.index(record["case"]), record["outcome"]
            expected: tuple[str, ...] = FINE
            if number is not None:
                used.add(number)
                expected = (*self.entries[number].outcome, "skip")
            if outcome not in expected:
                wanted = " or ".join(name for name in expected if name != "skip") or "skip"
                found.append(
                    Surprise(case=record["case"], expected=wanted, got=outcome, message=record.get("message", ""))
                )
        unused = set(range(len(self.entries))) - used
        if unused:
            unused -= {self.index(case) for case in catalogue}
        for number in sorted(unused):
            entry = self.entries[number]
            found.append(
                Surprise(case=entry.cases[0], expected=entry.outcome[0], got=f"no case matches entry {number + 1}")
            )
        return found


def path_of(backend: str, *, stock: bool, array_expr: bool = False) -> Path:
    """Where the known failures of a run lie: ``known/<backend>.toml``, ``<backend>-stock.toml``, ``...-expr.toml``."""
    name = run_name(backend, stock=stock, array_expr=array_expr)
    if not stock:
        head, _, tail = name.rpartition("-repaired")
        name = head + tail
    return FOLDER / f"{name}.toml"


def of(document: Mapping[str, Any]) -> Known:
    """The suite's own known failures for the record of a run; none where it has no file for the backend."""
    path = path_of(document["backend"], stock=document["stock"], array_expr=document["array_expr"])
    return load(path) if path.is_file() else Known()


def load(path: Path) -> Known:
    """Read known failures.

    Parameters
    ----------
    path : Path

    Raises
    ------
    KnownError
        One line: the file, the entry, what is wrong with it.
    """
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise KnownError(f"{path}: {error.strerror or error}; expected a file of known failures") from None
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise KnownError(f"{path} is not TOML: {error}") from None
    for key in found:
        if key != "expected":
            raise KnownError(f"{path}: {key!r} is unknown, expected only [[expected]] tables")
    tables = found.get("expected", [])
    if not (isinstance(tables, list) and all(isinstance(table, dict) for table in tables)):
        raise KnownError(f"{path}: 'expected' is not a list of tables; write [[expected]]")
    entries = []
    for number, table in enumerate(tables, 1):
        for fault in _faults(table):
            raise KnownError(f"{path}: entry {number} ({table.get('cases', '?')}): {fault}")
        entries.append(_entry(table))
    return Known(
        [entry for entry in entries if in_range(entry.dask)], [entry for entry in entries if not in_range(entry.dask)]
    )


def _entry(table: Mapping[str, Any]) -> Entry:
    lists: dict[str, Any] = {name: _listed(table.get(name, [])) for name in ("cases", "outcome", "but")}
    named: dict[str, Any] = {name: table[name].strip() for name in ("fix", "dask") if name in table}
    return Entry(**lists, reason=table["reason"].strip(), link=table["link"].strip(), **named)


def _listed(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _faults(table: Mapping[str, Any]) -> Iterator[str]:
    for name in table:
        if name not in _FIELDS:
            near = difflib.get_close_matches(name, _FIELDS, n=1)
            yield f"{name!r} is unknown" + (
                f", did you mean {near[0]!r}?" if near else f"; known: {', '.join(_FIELDS)}"
            )
    for name, required in _FIELDS.items():
        if name not in table:
            if required:
                yield f"it has no {name!r}"
            continue
        value = table[name]
        many = name in ("cases", "outcome", "but")
        if not (isinstance(value, str) or (many and isinstance(value, list))):
            yield f"{name!r} is {type(value).__name__}, expected a text{' or a list of texts' if many else ''}"
        elif not _listed(value) or not all(isinstance(item, str) and item.strip() for item in _listed(value)):
            yield f"{name!r} is empty, expected a text"
    for outcome in _listed(table.get("outcome", ())):
        if outcome not in OUTCOMES or outcome in FINE:
            bad = ", ".join(name for name in OUTCOMES if name not in FINE)
            yield f"outcome={outcome!r}, expected one of {bad}"
    try:
        in_range(str(table.get("dask", "")))
    except KeyError:
        yield f"dask={table['dask']!r}, expected a range of versions such as '<2026.7'"
    if fault := _link_fault(str(table.get("link", "https://"))):
        yield fault


def _link_fault(link: str) -> str | None:
    if re.match(r"https?://", link):
        return None
    if link.startswith("arrayshim/"):
        inside = Path(__file__).parents[1]
        roots = (inside, inside.parent)  # of a clone, of an installation
        return (
            None if any((root / link).is_file() for root in roots) else f"link={link!r}: the package has no such file"
        )
    return f"link={link!r}, expected https://... or a file of the package, arrayshim/fixes/..."
