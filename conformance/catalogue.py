"""The catalogue: every case of the families, crossed with inputs, and the proof that no name is without one.

``python -m arrayshim.conformance.catalogue`` draws the crossing anew, which a new case with `accepts` makes necessary.
"""

from __future__ import annotations

import hashlib
import pkgutil
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import import_module
from typing import Any

from arrayshim.errors import ArrayshimError

from . import crossing, equals, inputs, names, refusals, sources
from .case import Case
from .layouts import Variation

DEFAULT = "arrayshim.conformance.cases"
LEVELS = ("quick", "full", "fuzz")


class CatalogueError(ArrayshimError, ValueError):
    """A catalogue, or a choice from it, that cannot be run."""


@dataclass(frozen=True, slots=True)
class Item:
    """One thing to run: a case, and what its operand is crossed with.

    Parameters
    ----------
    case : Case
    variation : Variation, optional
    like_numpy : bool
        False where NumPy-backed dask is known to give something else than NumPy for this operand; either is right then.
    """

    case: Case
    variation: Variation | None = None
    like_numpy: bool = True

    @property
    def name(self) -> str:
        """``family/name`` or ``family/name@dtype,layout``."""
        return self.case.full_name + (f"@{self.variation}" if self.variation else "")


@cache
def cases(package: str = DEFAULT) -> tuple[Case, ...]:
    """All cases of a package, its modules being the families, or of one module.

    Parameters
    ----------
    package : str
        Dotted name; each module of it holds ``CASES``, and is a family unless its cases name theirs.

    Raises
    ------
    CatalogueError
        Two cases of one name.
    """
    root = import_module(package)
    modules = [root]
    if hasattr(root, "__path__"):
        modules = [import_module(f"{package}.{m.name}") for m in pkgutil.iter_modules(root.__path__)]
    found: list[Case] = []
    for module in modules:
        family = module.__name__.rpartition(".")[2]
        found += [replace(case, family=case.family or family) for case in getattr(module, "CASES", ())]
    found.sort(key=lambda case: case.family)  # a module may hold cases of several families
    seen: set[str] = set()
    for case in found:
        if case.full_name in seen:
            raise CatalogueError(f"two cases are called {case.full_name!r}; a name stands for one case")
        seen.add(case.full_name)
    if package == DEFAULT:
        found = [case if case.numpy else replace(case, equals=equals.EQUALS.get(case.full_name)) for case in found]
    return tuple(_resting(found))


def _resting(found: Sequence[Case]) -> Iterable[Case]:
    """Let a case that must raise TypeError build on the first case of its name, if it can of its family, that need not.

    Arrays that will not go to the host raise TypeError as well, and that says nothing of the mistake.
    """
    right: dict[tuple[str, str], str] = {}
    for case in found:
        if not case.raises:
            for name in case.names:
                right.setdefault((case.family, name), case.full_name)
                right.setdefault(("", name), case.full_name)
    for case in found:
        if TypeError in refusals.told(case) and not case.builds_on:
            bases = (right.get((case.family, name)) or right.get(("", name)) for name in case.names)
            case = replace(case, builds_on=tuple(filter(None, bases)))
        yield case


@cache
def items(package: str = DEFAULT) -> tuple[Item, ...]:
    """Everything level `full` runs: each case, followed by its rows of the committed crossing."""
    rows = crossing.committed() if package == DEFAULT else {}
    found = []
    for case in cases(package):
        found.append(Item(case))
        for text, like_numpy in rows.get(case.full_name, {}).items():
            found.append(Item(case, Variation.parse(text), like_numpy))
    return tuple(found)


def firsts(package: str = DEFAULT) -> frozenset[str]:
    """Names of the cases of level `quick`: for each name, the first case that covers it and gives a result."""
    covered: set[str] = set()
    chosen = []
    for case in cases(package):
        if not case.raises and not covered.issuperset(case.names):
            covered.update(case.names)
            chosen.append(case.full_name)
    return frozenset(chosen)


def select(
    level: str = "full",
    *,
    only: str | None = None,
    family: Sequence[str] = (),
    shard: tuple[int, int] | None = None,
    package: str = DEFAULT,
) -> tuple[Item, ...]:
    """What to run.

    Parameters
    ----------
    level : {"quick", "full", "fuzz"}
    only : str, optional
        Regular expression searched for in the names.
    family : sequence of str
        Families to run; all if empty.
    shard : (int, int), optional
        The I-th of N parts, counted from 1.

    Raises
    ------
    CatalogueError
        An unknown level or family, a bad expression or shard.
    """
    if level not in LEVELS:
        raise CatalogueError(f"level={level!r}, expected one of {', '.join(LEVELS)}")
    try:
        pattern = re.compile(only or "")
    except re.error as error:
        raise CatalogueError(f"only={only!r} is no regular expression: {error}") from None
    if level == "fuzz":
        from . import fuzz

        found: tuple[Item, ...] = tuple(Item(case) for case in fuzz.CASES)
    else:
        found = items(package)
        if level == "quick":
            quick = firsts(package)
            found = tuple(item for item in found if item.variation is None and item.name in quick)
    families = list(dict.fromkeys(item.case.family for item in found))
    for name in family:
        if name not in families:
            raise CatalogueError(f"family={name!r}, expected one of {', '.join(families)}")
    found = tuple(i for i in found if (not family or i.case.family in family) and pattern.search(i.name))
    if shard is not None:
        part, parts = shard
        if not 1 <= part <= parts:
            raise CatalogueError(f"shard={part}/{parts}, expected I/N with 1 <= I <= N")
        found = found[part - 1 :: parts]
    return found


def digest(package: str = DEFAULT) -> str:
    """A hash of the catalogue: of every name, call and operand."""
    state = hashlib.sha256(repr((inputs.FIXED, inputs.definition("x"), inputs.definition("y"))).encode())
    for item in items(package):
        case = item.case
        asked = [item.name, sources.body(case.call), case.result, case.compare]
        if case.equals:
            asked.append(sources.body(case.equals))
        if case.raises or case.unsupported:
            asked.append(f"{refusals.named(case)} {case.unsupported}")
        state.update(("\0".join(asked) + "\n").encode())
    return state.hexdigest()[:16]


def uncovered(exempt: Iterable[str], package: str = DEFAULT) -> tuple[str, ...]:
    """Names of dask.array without a case: each is a fault of the catalogue.

    Parameters
    ----------
    exempt : iterable of str
        Names that need none.

    Returns
    -------
    tuple of str
        Those that a later dask has added are not among them; see `names.added`.
    """
    every = names.derive()
    covered = {name for case in cases(package) if not case.raises for name in case.names}
    return tuple(sorted(set(every) - covered - set(exempt) - set(names.added(every))))


def unknown(package: str = DEFAULT) -> dict[str, list[str]]:
    """Names that a case says it covers and that the committed list does not have, by case."""
    known = set(names.baseline()["names"])
    wrong: dict[str, list[str]] = {}
    for case in cases(package):
        strange = [name for name in case.names if name not in known]
        if strange:
            wrong[case.full_name] = strange
    return wrong


def find(name: str, package: str = DEFAULT) -> Item:
    """The item of a name.

    Raises
    ------
    CatalogueError
        There is none.
    """
    found: Any = _by_name(package).get(name)
    if found is None:
        raise CatalogueError(f"no case is called {name!r}")
    item: Item = found
    return item


def draw_crossing(seed: int = crossing.SEED) -> None:
    """Draw the crossing anew, ask the oracle of every row, and write ``crossing.json``."""
    import arrayshim

    from . import measure

    with arrayshim.scope(only=()):
        crossing.write(cases(), measure.vet, seed)
    items.cache_clear()
    _by_name.cache_clear()


@cache
def _by_name(package: str) -> dict[str, Item]:
    from . import fuzz

    return {item.name: item for item in (*items(package), *(Item(case) for case in fuzz.CASES))}


if __name__ == "__main__":
    import warnings

    warnings.simplefilter("ignore")
    from arrayshim.conformance.catalogue import draw_crossing as _draw

    _draw()
