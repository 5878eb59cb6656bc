"""Shows how far a run is: a bar with the counts by outcome on a terminal, a line for every tenth elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import TracebackType
from typing import Any

from arrayshim.conformance.document import OUTCOMES

_STYLES = {"pass": "green", "skip": "dim", "blocked": "dim", "not implemented by the backend": "dim"}
_STYLES |= {"computed early": "yellow", "meta lies": "yellow"}
_FIRST = "first, what NumPy gives"


class Live:
    """Counts records as they come, and shows it; a context manager, to be called with each record.

    Parameters
    ----------
    console : rich.console.Console
    title : str
        Name of the run.
    total : int or None
        Number of cases to come; None where nobody knows.
    """

    def __init__(self, console: Any, title: str, total: int | None) -> None:
        self._console, self._title, self._total = console, title, total
        self._counts: Counter[str] = Counter()
        self._bar: Any = None

    def __enter__(self) -> Live:
        if self._console.is_terminal:
            from rich import progress

            self._bar = progress.Progress(
                progress.TextColumn("{task.description}", markup=False),
                progress.BarColumn(bar_width=20),
                progress.MofNCompleteColumn(),
                progress.TimeElapsedColumn(),
                _counts_column(self._counts),
                console=self._console,
            )
            self._bar.start()
            self._task = self._bar.add_task(f"{self._title}: {_FIRST}", total=self._total)
        elif self._total:
            self._console.print(f"{self._title}: {self._total} cases; {_FIRST}", highlight=False, markup=False)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, record: Mapping[str, Any]) -> None:
        self._counts[record["outcome"]] += 1
        done = self._counts.total()
        if self._bar is not None:
            self._bar.update(self._task, completed=done, description=self._title)
        elif self._total and done * 10 // self._total > (done - 1) * 10 // self._total:
            line = f"{self._title}: {done}/{self._total}, {in_words(self._counts)}"
            self._console.print(line, highlight=False, markup=False)


def _counts_column(counts: Counter[str]) -> Any:
    from rich import progress
    from rich.text import Text

    class Column(progress.ProgressColumn):
        def render(self, task: Any) -> Text:
            shown: Text = coloured(counts)
            return shown

    return Column()


def in_words(counts: Mapping[str, int]) -> str:
    """``812 pass, 30 meta lies``; outcomes that did not occur are left out."""
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts.get(outcome)) or "no case"


def coloured(counts: Mapping[str, int]) -> Any:
    """The same as a rich text in the colours of the outcomes."""
    from rich.text import Text

    parts = [
        Text(f"{counts[outcome]} {outcome}", style=_STYLES.get(outcome, "red"))
        for outcome in OUTCOMES
        if counts.get(outcome)
    ]
    return Text(", ").join(parts) if parts else Text("no case")
