"""The call of a case on a backend without dask: whose fault is it, and what does a library with hidden elements say?"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from .case import Case
from .checks import Oracle
from .inputs import Operands
from .layouts import Variation
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
            operands = _Followed(
                backend.to_device, backend.namespace, plain=True, variation=self._variation, hide=self._hide
            )
            try:
                found = list(leaves(self._case.call((backend.namespace, np)[number], operands)))
                attempt = _Attempt(found, [self._eyes.seen(x).kind for _, x in found])
            except Exception as error:
                attempt = _Attempt(error=f"{type(error).__name__}: {' '.join(str(error).split())[:200]}")
            self._made[number] = attempt
        return self._made[number]

    @property
    def error(self) -> str:
        """Why the backend cannot, or nothing."""
        first = self._attempt(0)
        return first.error if first.error and self._attempt(1).error else ""

    def kinds(self) -> list[str]:
        """What kind each part is without dask; empty where the call is not NumPy's."""
        if not self._case.numpy:
            return []
        return self._attempt(1 if self._attempt(0).error else 0).kinds

    def oracles(self, stock: Oracle) -> list[tuple[Oracle, Callable[[], list[str]]]]:
        """What the backend's own arrays give: by NumPy's function, and by the library's of that name.

        Parameters
        ----------
        stock : Oracle
            Of NumPy-backed dask, for what is no matter of values.

        Returns
        -------
        list
            Oracles, each with the kinds of its parts, as `Context.alone`. Empty where NumPy does not take the call.
        """
        found: list[tuple[Oracle, Callable[[], list[str]]]] = []
        for attempt in (self._attempt(1), self._attempt(0)) if self._case.numpy else ():
            if not attempt.error and len(attempt.parts) == len(stock.stock.parts):
                plain = [(path, self._eyes.home(x)) for path, x in attempt.parts]
                found.append((replace(stock, plain=plain), lambda kinds=attempt.kinds: kinds))  # type: ignore[misc]
        return found
