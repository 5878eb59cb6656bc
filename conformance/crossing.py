"""The committed crossing of cases with dtypes, layouts and special values.

Pairwise: for each operation every dtype it accepts and every layout it takes occurs, and over the catalogue every dtype
meets every layout. Further cases of the same operation (another axis, another keyword) get a few rows each.

Drawn once with a fixed seed by `draw`, written to ``crossing.json``, and read from there at run time, so that a run is
the same run everywhere. What NumPy-backed dask refuses is committed too, with its reason, and not run; so is where it
gives something else than NumPy.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np

from .case import Case
from .layouts import BASE, DTYPES, LAYOUTS, VALUES, Variation

FILE = Path(__file__).parent / "crossing.json"
SEED = 2019
#: Rows of a case whose operation an earlier case has crossed in full.
FEW = 4


@cache
def committed() -> dict[str, dict[str, bool]]:
    """By case: variations that are run, and whether NumPy-backed dask agrees with NumPy there."""
    if not FILE.exists():
        return {}
    rows: dict[str, dict[str, bool]] = {}
    for case, found in json.loads(FILE.read_text(encoding="utf-8"))["rows"].items():
        rows[case] = {text: text not in found.get("unlike numpy", {}) for text in found["run"]}
    return rows


def draw(cases: Iterable[Case], seed: int = SEED) -> dict[str, list[str]]:
    """What each case is crossed with, before anybody asks whether NumPy takes it.

    Parameters
    ----------
    cases : iterable of Case
    seed : int
        Each case draws from a stream of its own, so that a new one leaves the rows of others alone.

    Returns
    -------
    dict
        By full name of a case: variations as text, in order.
    """
    drawn: dict[str, list[str]] = {}
    done: set[str] = set()
    known = list(cases)
    for case in known:
        if case.accepts:
            rows = [str(v) for v in _rows(case, random.Random(f"{seed} {case.full_name}"))]
            drawn[case.full_name] = rows[:FEW] if done.issuperset(case.names) else rows
            done.update(case.names)
    _complete(known, drawn)
    return drawn


def _complete(cases: list[Case], drawn: dict[str, list[str]]) -> None:
    """Give every pair of dtype and layout that chance left out to the first operation that takes it."""
    met = {tuple(text.split(",")[:2]) for rows in drawn.values() for text in rows} | {(BASE.dtype, BASE.layout)}
    for dtype, layout in product(DTYPES, LAYOUTS):
        if (dtype, layout) not in met:
            for case in cases:
                if np.dtype(dtype).kind in case.accepts and LAYOUTS[layout].shapes in case.shapes.split():
                    drawn[case.full_name].append(str(Variation(dtype, layout)))
                    break


def _rows(case: Case, stream: random.Random) -> list[Variation]:
    dtypes = [d for d in DTYPES if np.dtype(d).kind in case.accepts]
    shapes = set(case.shapes.split())
    layouts = [name for name, layout in LAYOUTS.items() if layout.shapes in shapes]
    stream.shuffle(dtypes)
    stream.shuffle(layouts)
    found = []
    for i in range(max(len(dtypes), len(layouts))):
        dtype, layout = dtypes[i % len(dtypes)], layouts[i % len(layouts)]
        special = np.dtype(dtype).kind in "fc" and LAYOUTS[layout].shape and 0 not in LAYOUTS[layout].shape
        row = Variation(dtype, layout, stream.choice(VALUES) if special else "plain")
        if row != BASE and row not in found:
            found.append(row)
    return found


def write(cases: Iterable[Case], judge: Callable[[Case, Variation], tuple[str, str]], seed: int = SEED) -> None:
    """Draw, ask the oracle of each row, and commit.

    Parameters
    ----------
    cases : iterable of Case
    judge : callable
        ``judge(case, variation) -> (verdict, reason)`` with verdict ``run``, ``unlike numpy`` (NumPy-backed dask gives
        something else than NumPy) or ``refused``.
    seed : int
    """
    known = {case.full_name: case for case in cases}
    rows: dict[str, Any] = {}
    for name, drawn in draw(known.values(), seed).items():
        row: dict[str, Any] = {"run": []}
        for text in drawn:
            verdict, reason = judge(known[name], Variation.parse(text))
            if verdict != "refused":
                row["run"].append(text)
            if verdict != "run":
                row.setdefault(verdict, {})[text] = reason
        rows[name] = row
    text = json.dumps({"seed": seed, "rows": rows}, indent=1, sort_keys=True)
    FILE.write_text(text + "\n", encoding="utf-8")
    committed.cache_clear()


def outdated(cases: Iterable[Case]) -> list[str]:
    """How the committed crossing differs from one drawn today; empty if it does not."""
    there = json.loads(FILE.read_text(encoding="utf-8"))
    today = draw(cases, there["seed"])
    wrong = [f"{name}: gone" for name in there["rows"].keys() - today.keys()]
    for name, drawn in today.items():
        row = there["rows"].get(name)
        if row is None:
            wrong.append(f"{name}: new")
        elif sorted([*row["run"], *row.get("refused", {})]) != sorted(drawn):
            wrong.append(f"{name}: drawn otherwise")
    return sorted(wrong)
