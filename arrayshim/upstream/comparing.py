"""Patched dask without arrayshim against stock dask with it, case by case of the conformance suite on the stand-in."""

from __future__ import annotations

import pickle
import subprocess
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.upstream.cases import ROW, Seen
from arrayshim.upstream.patches import UpstreamError
from arrayshim.upstream.trees import Place

Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Difference:
    """A case that is not the same on both.

    Parameters
    ----------
    case : str
    ours, patched : str
        What was seen, in words.
    needs : str
        The repair without a patch that makes the difference, as leaving it out has shown; empty for a real difference.
    """

    case: str
    ours: str
    patched: str
    needs: str = ""


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many cases ran, and those that differ."""

    cases: int
    differences: list[Difference]

    @property
    def real(self) -> list[Difference]:
        """Those that no repair without a patch accounts for."""
        return [difference for difference in self.differences if not difference.needs]


def compare(
    stock: Place, patched: Place, work: Path, *, ids: str = "", only: str = "", jobs: int = 1, say: Progress
) -> Comparison:
    """Run the cases on both.

    Parameters
    ----------
    stock, patched : Place
        A dask each.
    work : pathlib.Path
        For files.
    ids : str
        The repairs of the series, with commas; empty for all of arrayshim, those without a patch included.
    only : str
        A regular expression that the names of the cases are searched for.
    jobs : int
        Processes at a time.
    say : callable
        Told how far it is.
    """
    oracles = work / "oracles.pickle"
    oracles.write_bytes(pickle.dumps(_all(stock, "oracles", work, only, jobs, "", ids, say)))
    ours: dict[str, Seen] = _all(stock, "ours", work, only, jobs, str(oracles), ids, say)
    theirs: dict[str, Seen] = _all(patched, "patched", work, only, jobs, str(oracles), ids, say)
    different = {case: words for case in ours if (words := differ(ours[case], theirs[case], case))}
    needed = _needs(stock, work, oracles, different, theirs, ids, say) if different else {}
    return Comparison(len(ours), [Difference(case, *words, needed.get(case, "")) for case, words in different.items()])


def _all(
    place: Place, role: str, work: Path, only: str, jobs: int, oracles: str, ids: str, say: Progress
) -> dict[str, Any]:
    files = [work / f"{role}-{number}.pickle" for number in range(1, jobs + 1)]
    shards = [f"{number}/{jobs}" for number in range(1, jobs + 1)]
    started = [_start(place, role, file, only, shard, oracles, ids) for file, shard in zip(files, shards, strict=True)]
    _follow(role, started, say)
    answer: dict[str, Any] = {}
    for file in files:
        answer.update(pickle.loads(file.read_bytes()))
    return answer


def _start(place: Place, *arguments: Any) -> subprocess.Popen[str]:
    command = [place.command, "-m", "arrayshim.upstream.cases", *map(str, arguments)]
    threads = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
    return subprocess.Popen(
        command, env=place.environment(**threads), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def _follow(role: str, processes: list[subprocess.Popen[str]], say: Progress) -> None:
    try:
        for line in processes[0].stdout or ():
            say(f"cases, {role}: {line.strip()}" + (f" of one of {len(processes)}" if len(processes) > 1 else ""))
        for process in processes:
            _, errors = process.communicate()
            if process.returncode:
                last = (errors.strip().splitlines() or ["it said nothing"])[-1]
                raise UpstreamError(f"the cases could not be run ({role}): {last}")
    finally:
        for process in processes:
            process.kill()
            process.wait()


def _needs(
    stock: Place, work: Path, oracles: Path, cases: Iterable[str], theirs: dict[str, Seen], ids: str, say: Progress
) -> dict[str, str]:
    """By case, what makes the difference: leaving that out gives the outcome of the patched dask."""
    names, found = "\n".join(cases), {}
    for role in ("without", "without rows"):
        file = work / f"{role}.pickle"
        _follow(role, [_start(stock, role, file, names, "1/1", oracles, ids)], say)
        for case, outcomes in pickle.loads(file.read_bytes()).items():
            ways = [way for way, outcome in outcomes.items() if outcome == theirs[case].outcome]
            if ways and case not in found:
                found[case] = ROW if ROW in ways else ", ".join(ways)
    return found


def differ(ours: Seen, theirs: Seen, case: str) -> tuple[str, str] | None:
    """What is not the same, in words for either side; None where all is.

    Outcomes always; where both pass also types and dtypes of every array and chunk, and values, to the tolerance of the
    suite.
    """
    if ours.outcome != theirs.outcome:
        return tuple(f"{it.outcome}: {it.message}".rstrip(": ") for it in (ours, theirs))  # type: ignore[return-value]
    if ours.outcome != "pass":
        return None
    here, there = ([types for types, _ in it.parts] for it in (ours, theirs))
    if repr(here) != repr(there):  # sizes of chunks may be nan, which is no nan's equal
        return str(here), str(there)
    if _is_random(case):
        return None
    for (types, one), (_, other) in zip(ours.parts, theirs.parts, strict=True):
        if found := _difference(one, other):
            return f"value{types[0]}", found
    return None


def _is_random(case: str) -> bool:
    from arrayshim.conformance import catalogue

    return any(item.name == case and item.case.compare == "shape" for item in catalogue.items())


def _difference(one: Any, other: Any) -> str | None:
    from arrayshim.conformance.values import difference, tolerance

    if np.shape(one) != np.shape(other):
        return f"shape {np.shape(other)}, with arrayshim {np.shape(one)}"
    dtypes = [value.dtype for value in (one, other) if getattr(value, "dtype", np.dtype("O")).kind in "fc"]
    found: str | None = difference(other, one, rtol=tolerance(dtypes, {}))
    return found
