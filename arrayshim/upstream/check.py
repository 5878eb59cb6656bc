"""`arrayshim upstream check`: the proof of the patches on the newest dask, a column of the matrix on any other."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from arrayshim.upstream import asked, columns, comparing, proofs, sources, suite
from arrayshim.upstream.asked import Request
from arrayshim.upstream.installing import installed
from arrayshim.upstream.patches import MADE_FOR, UpstreamError, chosen
from arrayshim.upstream.trees import Place, Tree

Say = Callable[[str], None]


@dataclass(slots=True)
class Result:
    """One line of the answer."""

    part: str
    what: str
    held: bool
    detail: str = ""
    seconds: float = 0.0


@dataclass(slots=True)
class Answer:
    """All of a check; `data` is what only the JSON has."""

    dask: str
    source: str
    results: list[Result] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def held(self) -> bool:
        """Whether everything that was looked at holds."""
        return all(result.held for result in self.results)


@contextmanager
def _timed(answer: Answer, part: str, what: str) -> Iterator[Result]:
    result = Result(part, what, held=True)
    start = time.perf_counter()
    try:
        yield result
    finally:
        result.seconds = round(time.perf_counter() - start, 1)
        answer.results.append(result)


def check(request: Request, say: Say) -> Answer:
    """Do it.

    Raises
    ------
    UpstreamError
        Something asked for is not to be had, or not so; there is no such dask; pip or git failed.
    """
    asked.early(request)
    with tempfile.TemporaryDirectory(prefix="arrayshim-check-") as name:
        work = Path(name).resolve()
        say(f"fetching dask {request.dask}")
        source = sources.pristine(request.dask, work / "stock")
        answer = Answer(sources.version_in(work / "stock"), source)
        asked.late(request, answer.dask, work / "stock")
        if answer.dask != MADE_FOR:
            _column(request, work, answer, say)
            return answer
        stock = Tree.of(work / "stock")
        fixes = chosen(request.only)
        if "patches" in request.parts:
            _patches(request, stock, work, fixes, answer, say)
        if {"series", "cases", "suite"} & set(request.parts):
            _series(request, stock, work, fixes, answer, say)
        return answer


def _patches(request: Request, stock: Tree, work: Path, fixes: list[Any], answer: Answer, say: Say) -> None:
    done = 0

    def prove(fix: Any) -> proofs.Proof:
        nonlocal done
        proof = proofs.prove(stock, work / f"alone-{fix.id}", fix)
        done += 1
        say(f"patches: {done}/{len(fixes)}, {fix.id}: {proof.problem or 'proved'}")
        return proof

    with ThreadPoolExecutor(request.jobs) as pool:
        found = list(pool.map(prove, fixes))
    answer.data["patches"] = [proof.as_dict() for proof in found]
    for proof in found:
        words = f"{len(proof.tests)} tests fail before and pass after; the probe before: {proof.fault}"
        answer.results.append(Result("patches", proof.id, not proof.problem, proof.problem or words, proof.seconds))


def _series(request: Request, stock: Tree, work: Path, fixes: list[Any], answer: Answer, say: Say) -> None:
    say(f"series: {len(fixes)} patches with git am -3")
    with _timed(answer, "series", f"{len(fixes)} patches, probes") as result:
        try:
            tree = proofs.stacked(stock, work / "series", fixes)
        except UpstreamError as refusal:
            result.held, result.detail = False, str(refusal)
            return
        # what runs on them from here on runs on what pip has installed
        before, after = (installed(it.folder, work / f"{it.folder.name}.environment") for it in (stock, tree))
        problems = proofs.probed(after, fixes)
        result.held, result.detail = not problems, "; ".join(problems) or "all apply in order; every probe is healthy"
    with _timed(answer, "series", "style") as result:
        found = proofs.style(stock, tree)
        result.held, result.detail = not found, "; ".join(found[:8]) or "ruff says nothing new"
    with _timed(answer, "series", "expression mode") as result:
        say("series: dask's tests with array.query-planning on")
        lost = proofs.expression_mode(before, after)
        if not lost:
            result.detail, lost = suite.in_expression_mode(before, after, work / "expressions", say=say)
        result.held = not lost
        result.detail = (
            "; ".join(lost[:8]) or f"all is collected; of what dask marks for it, {result.detail}, no new failure"
        )
    if "cases" in request.parts:
        _cases(request, before, after, work, answer, say)
    if "suite" in request.parts:
        _suite(request, before, after, work, answer, say)


def _cases(request: Request, stock: Place, patched: Place, work: Path, answer: Answer, say: Say) -> None:
    with _timed(answer, "cases", "conformance, strict") as result:
        ids = ",".join(fix.id for fix in chosen(request.only)) if request.only else ""
        found = comparing.compare(stock, patched, work, ids=ids, only=request.cases, jobs=request.jobs, say=say)
        answer.data["cases"] = {
            "number": found.cases,
            "differences": [[it.case, it.needs, it.ours, it.patched] for it in found.differences],
        }
        explained = len(found.differences) - len(found.real)
        same = found.cases - len(found.differences)
        result.what = f"{found.cases} cases of strict"
        result.held = not found.real
        result.detail = f"{same} the same, {explained} need what has no patch, {len(found.real)} differ"
        result.detail += "".join(f"; {it.case}: {it.ours} / {it.patched}"[:300] for it in found.real[:12])


def _suite(request: Request, stock: Place, patched: Place, work: Path, answer: Answer, say: Say) -> None:
    with _timed(answer, "suite", "dask/array/tests") as result:
        sides = [suite.Side("stock", stock), suite.Side("patched", patched)]
        files = suite.files_of(stock.folder, request.shard)
        added = [name for name in suite.files_of(patched.folder) if not (stock.folder / name).is_file()]
        if request.jobs > 1:
            before, after = suite.run(sides, files, work, say=say)
        else:
            (before,), (after,) = (suite.run([side], files, work / side.name, say=say) for side in sides)
        again = [test for test in suite.worse(before, after) if not test.endswith("(gone)")]
        if again:  # one that fails by chance is no news
            (second,) = suite.run(sides[1:], again, work / "again", say=say)
            after.update(second)
        if added:
            (new,) = suite.run(sides[1:], added, work / "added", say=say)
            after.update(new)
        lost = suite.worse(before, after)
        answer.data["suite"] = {"stock": suite.counts(before), "patched": suite.counts(after), "worse": lost}
        result.held = not lost
        result.detail = f"stock {suite.counts(before)}, patched {suite.counts(after)}"
        result.detail += f"; new failures: {', '.join(lost[:12])}" if lost else "; no new failure"


def _column(request: Request, work: Path, answer: Answer, say: Say) -> None:
    """The patches are for the newest dask; of another, arrayshim's repairs are looked at."""
    with _timed(answer, "column", "probes and states") as result:
        say(f"probes on dask {answer.dask}")
        column = columns.measure(work / "stock")
        problems = columns.problems(column)
        answer.data["column"] = column
        counted = ", ".join(f"{number} {word}" for word, number in columns.counts(column).items())
        result.held, result.detail = not problems, "; ".join(problems) or counted
    if "cases" in request.parts:
        with _timed(answer, "column", "conformance, strict") as result:
            say("cases with arrayshim")
            held, result.what, result.detail = columns.conformance(work / "stock", request.cases, request.jobs)
            result.held = held
            column["conformance"] = result.detail
    if "suite" in request.parts:
        with _timed(answer, "column", "dask/array/tests") as result:
            found = suite.with_arrayshim(work / "stock", request.shard, work / "tests", jobs=request.jobs, say=say)
            answer.data["suite"] = asdict(found)
            result.held = not found.unlike
            result.detail = f"{found.stock}, with arrayshim {found.ours}"
            same = f"unlike: {', '.join(found.unlike[:12])}" if found.unlike else "the same, test by test"
            result.detail += f"; {same}"


def cores() -> int:
    """Processes that can run at a time."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
