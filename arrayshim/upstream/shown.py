"""What `arrayshim upstream check` shows: where it is, then one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from typing import Any

from arrayshim.upstream.check import Answer

#: How many cases of a kind the terminal gets; the JSON has all of them.
MOST = 6


@contextmanager
def live() -> Iterator[Callable[[str], None]]:
    """Gives a function that shows where the work is: one line that changes on a terminal, lines elsewhere."""
    from rich.console import Console

    console = Console(stderr=True)
    if console.is_terminal:
        with console.status("") as status:
            yield lambda text: status.update(text)
        return
    last = [""]

    def say(text: str) -> None:
        # numbers alone do not make a new line
        kind = "".join(c for c in text if not c.isdigit())
        if kind != last[0]:
            console.print(text, highlight=False, markup=False, soft_wrap=True)
        last[0] = kind

    yield say


def table(answer: Answer) -> None:
    """Print the answer."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    made = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for column in ("part", "what", "verdict", "seconds", "detail"):
        made.add_column(column, overflow="fold", justify="right" if column == "seconds" else "left")
    for it in answer.results:
        verdict = Text("holds", "green") if it.held else Text("does not hold", "bold red")
        made.add_row(Text(it.part), Text(it.what), verdict, Text(f"{it.seconds:.1f}"), Text(it.detail))
    console = Console()
    console = console if console.is_terminal else Console(width=1000)
    console.print(made)
    listed = answer.data.get("cases", {}).get("differences", [])
    for needs, number in Counter(needs for _, needs, *_ in listed).most_common():
        names = [case for case, it, *_ in listed if it == needs]
        more = f" and {number - MOST} more" if number > MOST else ""
        text = f"{number} cases need {needs or 'nothing that is known, and differ'}: {', '.join(names[:MOST])}{more}"
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    counts = Counter(it.held for it in answer.results)
    text = f"dask {answer.dask} ({answer.source}): {counts[True]} hold, {counts[False]} do not"
    console.print(text, highlight=False, markup=False, soft_wrap=True)


def as_data(answer: Answer) -> dict[str, Any]:
    """For JSON."""
    return {**asdict(answer), "held": answer.held}
