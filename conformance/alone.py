"""The call of a case on a backend without dask: whose fault is it, and what does a library with hidden elements say?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np

from . import sources
from .case import Case
from .checks import Oracle
from .hidden import stand_ins
from .inputs import Operands
from .layouts import Variation
from .observe import one_line
from .seen import Eyes, leaves


class _Followed(Operands):
    """What the case leaves on the host is beside the data: that it has to get there is no matter of the backend."""

    def host(self, host: Any) -> Any:
        return self.device(host)


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one namespace made of the call."""

    parts: list[tuple[str, Any]] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    error: str = ""
    raised: type[Exception] | None = None


class Alone:
    """The same call on the backend without dask, made when somebody asks.

    Parameters
    ----------
    case : Case
    backend : object
    variation : Variation
    eyes : Eyes
    hide : callable, optional
        The backend's, by which elements of the operands are hidden.
    """

    def __init__(self, case: Case, backend: Any, variation: Variation, eyes: Eyes, *, hide: Any = None) -> None:
        self._case, self._backend, self._variation, self._eyes = case, backend, variation, eyes
        self._hide = hide
        self._made: dict[int, _Attempt] = {}

    def _attempt(self, number: int) -> _Attempt:
        """With the library's own function, or with NumPy's, which asks the array."""
        if number not in self._made:
            backend = self._backend
            kind = _Followed if self._hide is None else Operands
            operands = kind(
                backend.to_device, backend.namespace, plain=True, variation=self._variation, hide=self._hide
            )
            try:
                asked = self._case.asked or self._case.call
                found = list(leaves(asked((backend.namespace, np)[number], operands)))
                attempt = _Attempt(found, [self._eyes.seen(x).kind for _, x in found])
            except Exception as error:
                attempt = _Attempt(error=f"{type(error).__name__}: {one_line(error)[:200]}", raised=type(error))
            self._made[number] = attempt
        return self._made[number]

    @property
    def error(self) -> str:
        """Why the backend cannot, or nothing."""
        errors = [self._attempt(number).error for number in (0, 1)]
        # that a namespace has no such function says less than what NumPy's function said
        return min(errors, key=lambda error: error.startswith("AttributeError: module")) if all(errors) else ""

    def refuses(self, kinds: tuple[type[Exception], ...]) -> bool:
        """Whether it raises one of these."""
        attempts = [self._attempt(number).raised for number in (0, 1)]
        return all(attempts) and any(raised is not None and issubclass(raised, kinds) for raised in attempts)

    def kinds(self) -> list[str]:
        """What kind each part is without dask; empty where the call is not NumPy's."""
        if not self._case.numpy:
            return []
        return self._attempt(1 if self._attempt(0).error else 0).kinds

    def oracles(self, stock: Oracle) -> list[tuple[Oracle, Callable[[], list[str]]]]:
        """What the backend's own arrays give: by NumPy's function, by the library's of that name, and by a stand-in.

        Parameters
        ----------
        stock : Oracle
            Of NumPy-backed dask, for what is no matter of values.

        Returns
        -------
        list
            Oracles, each with the kinds of its parts, as `Context.alone`. Empty where NumPy has nothing to say.
        """
        if not self._case.asked:
            return []
        found: list[tuple[Oracle, Callable[[], list[str]]]] = []
        for parts, kinds in (*self._own(), *self._stood_in()):
            if len(parts) != len(stock.stock.parts):
                continue
            found.append((replace(stock, plain=parts), partial(list, kinds)))
            as_stock = [
                (path, _as_wide(value, part.value))
                for (path, value), part in zip(parts, stock.stock.parts, strict=True)
            ]
            found.append((replace(stock, plain=as_stock), partial(list, kinds)))
        return found

    def _own(self) -> Iterator[_Parts]:
        for attempt in (self._attempt(1), self._attempt(0)):
            if not attempt.error:
                yield [(path, self._eyes.home(x)) for path, x in attempt.parts], attempt.kinds

    def _stood_in(self) -> Iterator[_Parts]:
        asked = self._case.asked or self._case.call
        for fill, hidden in stand_ins(sources.body(asked)):
            operands = Operands(np.asarray, np, plain=True, variation=self._variation, hide=fill)
            try:
                parts = [(path, hidden(x)) for path, x in leaves(asked(np, operands))]
            except Exception:  # no NaN for this dtype
                continue
            yield parts, ["own"] * len(parts)


_Parts = tuple[list[tuple[str, Any]], list[str]]


def _as_wide(value: Any, stock: Any) -> Any:
    """A value in the precision that NumPy-backed dask gives it: means of masked arrays are wider than asked for."""
    here, there = getattr(value, "dtype", None), getattr(stock, "dtype", None)
    if here is None or there is None or value is np.ma.masked or here.kind != there.kind or here.kind not in "fc":
        return value
    return value.astype(there)
