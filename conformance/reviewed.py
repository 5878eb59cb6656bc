"""What of a reviewed file of known failures still holds after a run; its patterns, reasons and links stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from arrayshim.conformance.globs import globs
from arrayshim.conformance.known import FINE, Entry, Known, pattern


def still(before: Known, outcomes: Mapping[str, str], names: Iterable[str]) -> tuple[list[Entry], set[str]]:
    """The entries that hold, without what no longer does.

    A failure belongs to the first entry that matches it and allows its outcome. A pattern stays where it matches such a
    failure, or a case that did not run or was skipped; what else it matches becomes an exception from it. Where most of
    what a pattern matches is another thing, the failures are spelled out in its place.

    Parameters
    ----------
    before : Known
        What was known so far.
    outcomes : mapping of str to str
        What became of the cases that ran.
    names : iterable of str
        Full names of all cases, whether they ran or not.

    Returns
    -------
    entries : list of Entry
        In their order. Held against `outcomes`, none of them gives a surprise.
    theirs : set of str
        The failures that belong to them.
    """
    everything = list(dict.fromkeys([*outcomes, *names]))
    matching = [_matched(entry.cases, _unmatched(entry.but, everything)) for entry in before.entries]
    owner: dict[str, int] = {}
    for number, (entry, matched) in enumerate(zip(before.entries, matching, strict=True)):
        for name in matched:
            outcome = outcomes.get(name)
            if outcome is None or outcome == "skip":  # nothing is known of it: it stays where it is
                fits = before.index(name) == number
            else:
                fits = outcome not in FINE and outcome in entry.outcome
            if fits:
                owner.setdefault(name, number)
    found = []
    for number, entry in enumerate(before.entries):
        mine = [name for name in everything if owner.get(name) == number]
        # an entry further up holds for these, or no entry need
        foreign = {name for name in everything if owner.get(name, number) < number}
        foreign |= {name for name in everything if name not in owner and outcomes.get(name, "skip") == "skip"}
        if kept := _kept(entry, mine, foreign, everything):
            found.append(kept)
    return found, {name for name in owner if outcomes.get(name, "skip") != "skip"}


def _kept(entry: Entry, mine: Sequence[str], foreign: set[str], everything: Sequence[str]) -> Entry | None:
    cases: list[str] = []
    left = dict.fromkeys(mine)
    for glob in entry.cases:
        matched = _matched([glob], _unmatched(entry.but, everything))
        own = [name for name in matched if name in left]
        others = [name for name in matched if name not in mine and name not in foreign]
        if own:
            cases += [glob] if len(others) <= len(own) else globs(own, everything)
        for name in own:
            del left[name]
    if not cases:
        return None
    matched = _matched(cases, everything)
    wrong = [name for name in matched if name not in mine and name not in foreign]
    old = [glob for glob in entry.but if _matched([glob], matched) and not _matched([glob], mine)]
    new = globs(_unmatched(old, wrong), matched)
    return replace(entry, cases=tuple(dict.fromkeys(cases)), but=tuple(dict.fromkeys([*old, *new])))


def _matched(globs: Sequence[str], names: Iterable[str]) -> list[str]:
    found = pattern(globs)
    return [name for name in names if found.fullmatch(name)]


def _unmatched(globs: Sequence[str], names: Iterable[str]) -> list[str]:
    found = pattern(globs)
    return [name for name in names if not found.fullmatch(name)]
