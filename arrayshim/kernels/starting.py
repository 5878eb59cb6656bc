"""Whether what is done to an array is only started by the thread that asks for it."""

from __future__ import annotations

from typing import Any


def waits(x: Any) -> bool:
    """The row of the table `starts` for any type: whoever asks for a result has it when the call returns."""
    return False
