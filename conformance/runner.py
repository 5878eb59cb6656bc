"""Run a selection of the catalogue on a backend, in worker processes that may be lost."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from . import catalogue
from .catalogue import DEFAULT, Item
from .checks import FINE
from .lane import Lane, Late, Lost, Refused
from .session import Record, Session
from .worker import Settings


def run(
    backend_spec: str,
    *,
    stock: bool = False,
    level: str = "full",
    only: str | None = None,
    family: Sequence[str] = (),
    jobs: int = 1,
    timeout: float = 60.0,
    shard: tuple[int, int] | None = None,
    fail_fast: bool = False,
    on_record: Callable[[Record], None] = lambda record: None,
    array_expr: bool = False,
    package: str = DEFAULT,
) -> list[Record]:
    """Run cases and judge them.

    Parameters
    ----------
    backend_spec : str
        As for `loading.load`.
    stock : bool
        Repairs off, and the backend registered by its own `register()`.
    level, only, family, shard, package
        As for `catalogue.select`.
    jobs : int
        Worker processes.
    timeout : float
        Seconds that one case may take.
    fail_fast : bool
        Stop after the first outcome that is neither `pass` nor `skip`.
    on_record : callable
        Called with each record as it comes, by one thread at a time.
    array_expr : bool
        In dask's expression mode.

    Returns
    -------
    list of dict
        One record per case, in the order of the catalogue; fewer where the run was stopped.

    Raises
    ------
    BackendError
        The backend cannot be loaded.
    CatalogueError
        The selection is wrong.
    KeyboardInterrupt
        Ctrl-C, after the workers were ended.
    """
    chosen = catalogue.select(level, only=only, family=family, shard=shard, package=package)
    session = Session(
        backend_spec, stock=stock, timeout=timeout, array_expr=array_expr, package=package, cluster=level == "full"
    )
    lanes = [Lane(session.settings) for _ in range(max(1, min(jobs, len(chosen) or 1)))]
    work = _Work(session, fail_fast=fail_fast, on_record=on_record)
    try:
        work.over(lanes, work.ask_oracle, chosen)
        for stage in _stages(chosen):
            work.over(lanes, work.ask_subject, stage)
    finally:
        for lane in lanes:
            lane.close()
    return [work.records[item.name] for item in chosen if item.name in work.records]


def target(backend_spec: str) -> dict[str, Any]:
    """The `execution_target` of reports on a backend: kind, device_model, runtime_version, driver_version.

    Raises
    ------
    BackendError
        The backend cannot be loaded.
    """
    lane = Lane(Settings(backend=backend_spec))
    try:
        return dict(lane.ask("target", timeout=60.0))
    except (Lost, Late, Refused):
        return {"kind": "unknown", "device_model": None, "runtime_version": None, "driver_version": None}
    finally:
        lane.close()


def _stages(chosen: Sequence[Item]) -> list[list[Item]]:
    """Items that build on none of the others, then those that build on these, and so on."""
    names = {item.name for item in chosen}
    stages: list[list[Item]] = []
    done: set[str] = set()
    left = list(chosen)
    while left:
        ready = [i for i in left if all(base in done or base not in names for base in i.case.builds_on)]
        if not ready:
            circle = ", ".join(item.name for item in left)
            raise catalogue.CatalogueError(f"builds_on goes in a circle: {circle}")
        stages.append(ready)
        done.update(item.name for item in ready)
        left = [item for item in left if item.name not in done]
    return stages


class _Work:
    """The queue that some lanes work off, each in a thread."""

    def __init__(self, session: Session, *, fail_fast: bool, on_record: Callable[[Record], None]) -> None:
        self.session, self.fail_fast, self.on_record = session, fail_fast, on_record
        self.oracles: dict[str, bytes | str] = {}
        self.records: dict[str, Record] = {}
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._error: BaseException | None = None

    def ask_oracle(self, lane: Lane, item: Item) -> None:
        """First leg."""
        self.oracles[item.name] = self.session.oracle(lane, item)

    def ask_subject(self, lane: Lane, item: Item) -> None:
        """Second leg."""
        failed = [b for b in item.case.builds_on if b in self.records and self.records[b]["outcome"] not in FINE]
        record = (
            self.session.blocked(item, failed[0])
            if failed
            else self.session.subject(lane, item, self.oracles[item.name])
        )
        with self._lock:
            if self._stop.is_set():
                return
            self.records[item.name] = record
            self.on_record(record)
            if self.fail_fast and record["outcome"] not in FINE:
                self._stop.set()

    def over(self, lanes: Sequence[Lane], step: Callable[[Lane, Item], None], items: Iterable[Item]) -> None:
        """Do a step for every item; Ctrl-C and errors of the suite itself end the workers and are raised here."""
        left = iter(items)

        def serve(lane: Lane) -> None:
            while not self._stop.is_set():
                with self._lock:
                    item = next(left, None)
                if item is None:
                    return
                try:
                    step(lane, item)
                except BaseException as error:
                    with self._lock:
                        self._error = self._error or error
                    self._stop.set()

        threads = [threading.Thread(target=serve, args=(lane,), daemon=True) for lane in lanes]
        for thread in threads:
            thread.start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.2)  # a join without limit would not let Ctrl-C through everywhere
        except BaseException:
            self._stop.set()
            for lane in lanes:
                lane.close()
            raise
        if self._error is not None:
            raise self._error
