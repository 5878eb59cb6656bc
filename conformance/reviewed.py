"""What of a reviewed file of known failures still holds after a run; its patterns, reasons and links stay."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from arrayshim.conformance.globs import globs
from arrayshim.conformance.known import FINE, Entry, Known, pattern


def still(before: Known, outcomes: Mapping[str, str], names: Iterable[str]) -> tuple[list[Entry], set[str]]:
    """The entries that hold, without what no longer does.

    A failure belongs to the first entry that matches it and allows its outcome. A pattern stays where it matches such a
    failure, or nothing that ran (a skipped case did not); what else it matches becomes an exception from it. Where most
    of what a pattern matches is another thing, the failures are spelled out in its place.

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
    matching = [_unmatched(entry.but, _matched(entry.cases, everything)) for entry in before.entries]
    owner: dict[str, int] = {}
    for number, (entry, matched) in enumerate(zip(before.entries, matching, strict=True)):
        for name in matched:
            outcome = outcomes.get(name, "skip")
            # what did not run stays where it is
            if before.index(name) == number if outcome == "skip" else outcome not in FINE and outcome in entry.outcome:
                owner.setdefault(name, number)
    ran = {name for name, outcome in outcomes.items() if outcome != "skip"}
    free = {name for name in everything if name not in owner and name not in ran}
    belonging: list[list[str]] = [[] for _ in before.entries]
    for name in everything:
        if name in owner:
            belonging[owner[name]].append(name)
    found = []
    for entry, matched, mine in zip(before.entries, matching, belonging, strict=True):
        # `free`: an entry further up holds for these, or no entry need
        matched = [name for name in matched if name not in free]
        if ran.intersection(mine) or (mine and not ran.intersection(matched)):
            found.append(_kept(entry, mine, matched, ran, everything))
        free.update(mine)
    return found, ran.intersection(owner)


def _kept(
    entry: Entry, mine: Sequence[str], matched: Sequence[str], ran: Collection[str], everything: Sequence[str]
) -> Entry:
    """An entry for the cases that are its own, among those that it matches and that are not free to be matched."""
    own, left = set(mine), set(mine)
    cases: list[str] = []
    for glob in entry.cases:
        here = _matched([glob], matched)
        new = [name for name in here if name in left]
        if any(name in ran for name in new) or (new and not any(name in ran for name in here)):
            cases += [glob] if sum(name not in own for name in here) <= len(new) else globs(new, everything)
            left.difference_update(new)
    matched = _matched(cases, matched)
    wrong = [name for name in matched if name not in own]
    said = _matched(cases, everything)
    old = [glob for glob in entry.but if _matched([glob], said) and not _matched([glob], mine)]
    return replace(entry, cases=tuple(dict.fromkeys(cases)), but=tuple(dict.fromkeys([*old, *globs(wrong, said)])))


def _matched(globs: Sequence[str], names: Iterable[str]) -> list[str]:
    found, literal = pattern([glob for glob in globs if "*" in glob]), {glob for glob in globs if "*" not in glob}
    return [name for name in names if name in literal or found.fullmatch(name)]


def _unmatched(globs: Sequence[str], names: Iterable[str]) -> list[str]:
    found = pattern(globs)
    return [name for name in names if not found.fullmatch(name)]
