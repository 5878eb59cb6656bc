"""What changed between two runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from arrayshim.conformance.document import RANK

Kind = Literal["worse", "better", "new", "gone"]
KINDS: tuple[Kind, ...] = ("worse", "better", "new", "gone")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A case that is not what it was.

    Attributes
    ----------
    case : str
    kind : {"worse", "better", "new", "gone"}
        ``new`` and ``gone``: only one of the runs has the case.
    before, after : str
        Outcomes, or what else was measured: ``transfers 0``. Empty where the run lacks the case.
    message : str
        Of the second run.
    """

    case: str
    kind: Kind
    before: str = ""
    after: str = ""
    message: str = ""

    def __str__(self) -> str:
        arrow = " -> ".join(part for part in (self.before, self.after) if part)
        return f"{self.kind}: {self.case}: {arrow}" + (f" ({self.message})" if self.message else "")


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    """List what changed from one run to another.

    A case is worse where its outcome stands later in `document.OUTCOMES`, or, with the same outcome, where more data
    moves from the device to the host or one of the side checks (token, pickle, schedulers) no longer holds.

    Parameters
    ----------
    before, after : mapping
        Records of runs, as `document.load` gives them.

    Returns
    -------
    list of Change
        By kind, worse ones first; within a kind in the order of the run that has the case.
    """
    old = {case["case"]: case for case in before["cases"]}
    new = {case["case"]: case for case in after["cases"]}
    changes: list[Change] = []
    for name, case in new.items():
        if name in old:
            changes.extend(_changes(old[name], case))
        else:
            changes.append(Change(case=name, kind="new", after=case["outcome"], message=case["message"]))
    gone = (case for name, case in old.items() if name not in new)
    changes.extend(Change(case=case["case"], kind="gone", before=case["outcome"]) for case in gone)
    return sorted(changes, key=lambda change: KINDS.index(change.kind))


def _changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[Change]:
    name, before, after = new["case"], old["outcome"], new["outcome"]
    if before != after:
        kind: Kind = "worse" if RANK[after] > RANK[before] else "better"
        yield Change(case=name, kind=kind, before=before, after=after, message=new["message"])
        return
    was, now = old["transfers"], new["transfers"]
    if None not in (was, now) and was != now:
        kind = "worse" if now > was else "better"
        yield Change(case=name, kind=kind, before=f"transfers {was}", after=f"transfers {now}", message=new["message"])
    for check, held in new.get("checks", {}).items():
        if {old.get("checks", {}).get(check), held} == {True, False}:
            words = (f"{check} fails", f"{check} holds")
            before, after = words if held else reversed(words)
            kind = "better" if held else "worse"
            yield Change(case=name, kind=kind, before=before, after=after, message=new["message"])
