"""`arrayshim demo`: plan all legs, then run each and collect a row per operation."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass

from arrayshim.conformance.benchmarks import sizing, workload
from arrayshim.conformance.benchmarks.legs import BASELINE, LEGS, Leg, Session
from arrayshim.conformance.benchmarks.machine import first_line
from arrayshim.conformance.benchmarks.progress import Bars, LegBar, Show, silent
from arrayshim.conformance.benchmarks.records import Report, Request, Row
from arrayshim.conformance.benchmarks.sizing import PlanError, Slots

SMALL_CHUNK = 16


@dataclass(frozen=True, slots=True)
class Plan:
    """A leg with the workers, threads and chunks that its memory allows."""

    leg: Leg
    slots: Slots
    free: int
    request: Request

    def chunk(self, n: int) -> int:
        """Side of the chunks for an array of side `n`."""
        if self.request.chunks is not None:
            return min(int(self.request.chunks), n)
        usual: int = sizing.default_chunk(n, least=self.leg.least_chunk, slots=self.slots.total)
        return min(usual, int(sizing.largest_chunk(self.free, self.slots.total)))


def plan_legs(report: Report) -> list[Plan]:
    """The legs that can run, in the order of the table; the others go to `report.skipped`.

    Raises
    ------
    PlanError
        The sizes asked for do not fit, or no leg can run. Nothing has run then.
    """
    request = report.request
    plans = []
    for leg in LEGS.values():
        if request.legs is not None and leg.name not in request.legs:
            continue
        if reason := leg.reason():
            report.skipped.append((leg.name, reason))
        else:
            plans.append(_plan(leg, report))
    if not plans:
        raise PlanError("--legs: none can run here; " + "; ".join(f"{name}: {why}" for name, why in report.skipped))
    return plans


def _plan(leg: Leg, report: Report) -> Plan:
    request, offered, free = report.request, leg.slots(), leg.free()
    if request.chunks is not None:
        least = min(request.chunks, request.size or request.chunks)
    else:
        least = min(sizing.FLOOR_CHUNK, sizing.largest_chunk(free, 1))
    slots = sizing.fit(offered, free, least)
    if slots is None:
        raise PlanError(
            f"--chunks: {least} needs {sizing.needed_bytes(1, least) / 1e9:.3g} GB for one thread of {leg.name}, half "
            f"of its free memory is {free / 2e9:.3g} GB; use --chunks {sizing.largest_chunk(free, 1)} or less, "
            f"or leave the leg out"
        )
    if slots != offered:
        report.notes.append(f"{leg.name}: {slots} workers x threads instead of {offered}, to keep half the memory free")
    plan = Plan(leg, slots, free, request)
    if request.size is not None:
        option = "--size" if request.chunks is None else "--chunks"
        sizing.check_chunk_count(request.size, plan.chunk(request.size), option)
    return plan


def run(report: Report) -> None:
    """Run every leg that this machine has, filling `report`.

    Raises
    ------
    PlanError
        Before anything runs.
    KeyboardInterrupt
        The report then holds the rows measured so far.
    """
    plans = plan_legs(report)
    with Bars() as bars:
        for plan in plans:
            bar = bars.leg(plan.leg.name)
            try:
                with plan.leg.open(plan.slots) as session:
                    _measure_leg(plan, session, bar, report)
            except Exception as error:
                moment = "stop" if any(row.leg == plan.leg.name for row in report.rows) else "start"
                report.rows.append(_failure(plan, moment, None, None, error))
                bar.says("failed")
            else:
                bar.says("done")


def _measure_leg(plan: Plan, session: Session, bar: LegBar, report: Report) -> None:
    request, name = report.request, plan.leg.name
    ops = request.ops or tuple(workload.OPS)
    bar.says("warming up")
    full = plan.chunk(request.size or workload.ORIGINAL_SIZE)
    session.warm_up(ops, request.seed, full if plan.leg.compiles else SMALL_CHUNK)
    n = request.size
    if n is None or request.ops is None:
        bar.says("finding the size")
        automatic = sizing.automatic_size(
            lambda side: _trial(plan, session, ops, side),
            start=min(plan.leg.start, n or plan.leg.start),
            enough=n,
            settled=plan.leg.settled,
        )
        if n is None:
            n = sizing.round_down(automatic, plan.chunk(automatic))
        elif n > automatic:
            ops = ("sum",)
            report.notes.append(f"{name}: {n} is above its automatic size of {automatic}: `sum` only, --ops says more")
    types = _chunk_types(plan, session, n)
    bar.begin(len(ops))
    for op in ops:
        bar.says(op)
        report.rows.append(_measure(plan, session, bar, report, op, n, types))
        bar.finish_operation()


def _trial(plan: Plan, session: Session, ops: tuple[str, ...], n: int) -> float:
    if plan.leg.compiles:  # the first run with another size of chunk compiles kernels
        _run_all(plan, session, ops, n)
    begin = time.perf_counter()
    _run_all(plan, session, ops, n)
    return time.perf_counter() - begin


def _run_all(plan: Plan, session: Session, ops: tuple[str, ...], n: int) -> None:
    for op in ops:
        try:
            _compute(plan, session, op, n, silent)
        except Exception:  # it is reported when it is measured
            continue


def _compute(plan: Plan, session: Session, op: str, n: int, show: Show) -> float:
    y = workload.thinned(workload.random_state(plan.request.seed, plan.leg.like), n, plan.chunk(n))
    return float(session.compute(workload.OPS[op].build(y), show))


def _chunk_types(plan: Plan, session: Session, n: int) -> str | None:
    # Full-size chunks on every slot: this also makes the workers' memory pools grow before the clock runs.
    try:
        y = workload.thinned(workload.random_state(plan.request.seed, plan.leg.like), n, plan.chunk(n))
        return " | ".join(sorted(set(session.compute(workload.chunk_types(y, plan.slots.total), silent))))
    except Exception:  # the operations will fail in the same way, and say how
        return None


def _measure(plan: Plan, session: Session, bar: LegBar, report: Report, op: str, n: int, types: str | None) -> Row:
    begin = time.perf_counter()
    try:
        value = _compute(plan, session, op, n, bar.tasks)
    except Exception as error:
        return _failure(plan, op, n, types, error)
    seconds = time.perf_counter() - begin
    expectation, stderr = workload.expected(op, n)
    rate = n * n * workload.ITEMSIZE / seconds
    estimate = workload.ORIGINAL_BYTES / rate
    base = next((row.gb_per_s for row in report.rows if (row.leg, row.op) == (BASELINE, op)), None)
    if plan.leg.name == BASELINE:
        base = rate / 1e9
    prices = report.request.prices
    price = prices.get(plan.leg.name, prices.get(""))
    known = math.isfinite(value)
    return Row(
        leg=plan.leg.name,
        op=op,
        workers=plan.slots.workers,
        threads=plan.slots.threads,
        n=n,
        chunk=plan.chunk(n),
        elements=n * n,
        chunk_type=types,
        seconds=seconds,
        gb_per_s=rate / 1e9,
        estimate_2tb_s=estimate,
        speedup=None if base is None else rate / 1e9 / base,
        cost_2tb=None if price is None else price * estimate / 3600,
        value=value if known else None,
        expected=expectation,
        stderr=stderr,
        verdict=workload.verdict(value, expectation, stderr),
        message=None if known else f"the result is {value}",
        peak_rss_bytes=session.peak_rss(),
    )


def _failure(plan: Plan, op: str, n: int | None, types: str | None, error: Exception) -> Row:
    expectation, stderr = (None, None) if n is None else workload.expected(op, n)
    return Row(
        leg=plan.leg.name,
        op=op,
        workers=plan.slots.workers,
        threads=plan.slots.threads,
        n=n,
        chunk=None if n is None else plan.chunk(n),
        elements=None if n is None else n * n,
        chunk_type=types,
        seconds=None,
        gb_per_s=None,
        estimate_2tb_s=None,
        speedup=None,
        cost_2tb=None,
        value=None,
        expected=expectation,
        stderr=stderr,
        verdict="error",
        message=first_line(error),
    )
