"""How far a computation is: tasks counted by dask's own hooks, shown by a rich bar per leg."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dask.callbacks import Callback

Show = Callable[[int, int], None]
"""Called with the number of finished tasks and of all tasks of the running computation."""


def silent(done: int, total: int) -> None:
    """Show nothing."""


class TaskCount(Callback):  # type: ignore[misc]
    """Counts the tasks of the local schedulers, while used as a context manager."""

    def __init__(self, show: Show) -> None:
        super().__init__()
        self._show = show
        self._done = self._total = 0

    def _start_state(self, dsk: Any, state: dict[str, Any]) -> None:
        self._total = len(state["ready"]) + len(state["waiting"])

    def _posttask(self, key: Any, result: Any, dsk: Any, state: Any, worker_id: Any) -> None:
        self._done += 1
        self._show(self._done, self._total)


class ClusterCount:
    """Counts the tasks that the in-process scheduler of a local cluster sees finished.

    The futures of a single `compute` tell of its last task only, hence a plugin in the scheduler.
    """

    def __init__(self, cluster: Any) -> None:
        from distributed.diagnostics.plugin import SchedulerPlugin

        counter = self

        class Plugin(SchedulerPlugin):  # type: ignore[misc]
            def update_graph(self, scheduler: Any, *, tasks: Any = (), **kwargs: Any) -> None:
                counter._total += len(tasks)

            def transition(self, key: Any, start: str, finish: str, *args: Any, **kwargs: Any) -> None:
                if start == "processing" and finish == "memory":
                    counter._done += 1
                    counter._show(counter._done, counter._total)

        self._show: Show = silent
        self._done = self._total = 0
        cluster.scheduler.add_plugin(Plugin(), name="arrayshim-demo-progress")

    @contextmanager
    def showing(self, show: Show) -> Iterator[None]:
        """Count from zero, for one computation."""
        self._done = self._total = 0
        self._show = show
        try:
            yield
        finally:
            self._show = silent


class LegBar:
    """The bar of one leg: one unit for each operation, filled by the share of its tasks that are finished."""

    def __init__(self, bars: Any, name: str) -> None:
        self._bars = bars
        self._task = bars.add_task(name, total=None, doing="starting")
        self._finished = 0

    def says(self, doing: str) -> None:
        """Say what the leg is doing."""
        self._bars.update(self._task, doing=doing)

    def begin(self, operations: int) -> None:
        """The leg is ready to measure so many operations."""
        self._bars.update(self._task, total=operations)

    def tasks(self, done: int, total: int) -> None:
        """The running operation has finished `done` of its `total` tasks."""
        self._bars.update(self._task, completed=self._finished + min(1.0, done / max(total, 1)))

    def finish_operation(self) -> None:
        """The running operation is over."""
        self._finished += 1
        self._bars.update(self._task, completed=self._finished)


class Bars:
    """A group of live bars on standard error; nothing is shown unless that is a terminal."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description:<12}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[doing]}"),
            console=console,
            disable=not console.is_terminal,
        )

    def __enter__(self) -> Bars:
        self._progress.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self._progress.stop()

    def leg(self, name: str) -> LegBar:
        """A new bar below the others."""
        return LegBar(self._progress, name)
