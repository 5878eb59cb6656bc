"""Ctrl-C, which impatient people press twice: the first ends a run, the second must not cost what it had done."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def only_once() -> Iterator[None]:
    """Within the block the first Ctrl-C is a KeyboardInterrupt, and those that follow are ignored.

    Ending the workers and writing what is there takes about a second. Nothing is changed outside the main thread, or
    where somebody else handles the signal.
    """
    ours = threading.current_thread() is threading.main_thread()
    if not ours or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return

    def first(number: int, frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        raise KeyboardInterrupt

    signal.signal(signal.SIGINT, first)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
