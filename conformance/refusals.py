"""Calls that must raise: a user's mistake, which NumPy-backed dask refuses, and what a backend cannot do at all."""

from __future__ import annotations

import builtins
from dataclasses import dataclass

import numpy as np

from arrayshim.errors import UnsupportedError

from . import sources
from .case import Case
from .seen import Observation


@dataclass(frozen=True, slots=True)
class Refusal:
    """What must be raised.

    Parameters
    ----------
    kinds : tuple of exception classes
        One of these, or a subclass.
    called : str
        How messages call these.
    early : bool
        While the graph is built; an error that comes when it is computed is too late then. Too early is never wrong.
    names : tuple of str
        One of these must occur in the message; any message will do if empty.
    computes : int
        How many computes there may be before.
    """

    kinds: tuple[type[Exception], ...]
    called: str
    early: bool
    names: tuple[str, ...] = ()
    computes: int = 0

    @property
    def text(self) -> str:
        """How messages call it."""
        about = f" about {' or '.join(self.names)}" if self.names else ""
        return self.called + about + (" while the graph is built" if self.early else "")


def told(case: Case) -> tuple[type[Exception], ...]:
    """`Case.raises` as a tuple."""
    return case.raises if isinstance(case.raises, tuple) else (case.raises,)


def kinds(case: Case) -> tuple[type[Exception], ...]:
    """What may be raised: `Case.raises`, and what NumPy's own exceptions are a kind of.

    A caller who is ready for NumPy's ``AxisError`` catches it as that, as a ValueError or as an IndexError; dask raises
    now the one, now the other.
    """
    found: list[type[Exception]] = []
    for kind in told(case):
        found.append(kind)
        if kind.__module__.partition(".")[0] == np.__name__:
            found += [base for base in kind.__bases__ if base.__module__ == builtins.__name__]
    return tuple(dict.fromkeys(found))


def named(case: Case) -> str:
    """``ValueError or IndexError``."""
    return " or ".join(kind.__name__ for kind in told(case))


def met(case: Case, stock: Observation) -> bool:
    """Whether NumPy-backed dask raises what the case says."""
    return stock.raised is not None and issubclass(stock.raised, kinds(case))


def of_call(case: Case, stock: Observation) -> Refusal:
    """Of a user's mistake: as NumPy-backed dask refuses it."""
    return Refusal(kinds(case), named(case), early=stock.stage == "build", computes=stock.computes)


def of_backend(case: Case) -> Refusal:
    """Of a call that needs what the backend lacks: one clear error, before anything is computed."""
    module = case.names[0].rpartition(".")[0]  # of all that the call needs, these functions are to refuse
    names = tuple(name for name in sources.functions(case.call) if name.startswith(f"{module}."))
    return Refusal((UnsupportedError,), UnsupportedError.__name__, early=True, names=names or case.names)


def judge(got: Observation, wanted: Refusal) -> tuple[str, str]:
    """The outcome and the message without the call.

    A result where an error is wanted is a ``wrong value``: nobody is told that the numbers mean nothing. Another error,
    or one that comes too late, is an ``error``.
    """
    if got.raised is None:
        shown = got.parts[0].whole.type if got.parts else "nothing"
        return "wrong value", f"result={shown}, expected {wanted.text}"
    on_time = got.stage == "build" or not wanted.early
    told = not wanted.names or any(name in got.error for name in wanted.names)
    if not (issubclass(got.raised, wanted.kinds) and on_time and told):
        return "error", f"{got.stage}={got.error}, expected {wanted.text}"
    if got.computes > wanted.computes:
        return "computed early", f"computes={got.computes}, expected {wanted.computes} while the graph is built"
    return "pass", ""
