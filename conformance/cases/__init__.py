"""The cases: one module per family, one declarative line per case.

A module holds ``CASES``, a tuple of cases made with `within`. What a line may use is `da` (dask.array, or numpy when
NumPy itself is asked), `b` (the operands), `np`, literals, and the helpers of `arrayshim.conformance.case` that the
suite writes out in reproducers: a line is cut out of its file and must run on its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from arrayshim.conformance.case import Case

EVERY = "0d 1d 2d 3d empty unknown"
"""Shapes and chunks for a call that does not care."""
AXIAL = "1d 2d 3d"
"""... that needs an axis, and elements along it."""


def within(prefix: str = "", **defaults: Any) -> Callable[..., Case]:
    """A maker of cases that cover names of one part of dask.array.

    Parameters
    ----------
    prefix : str
        What precedes the names: ``linalg.``, ``Array.``, ``np.`` or nothing.
    **defaults
        Of `Case`, for each case made.

    Returns
    -------
    callable
        ``case(name, call, **options)``. The case covers what its name says before the bracket, and the names in `also`.
    """

    def case(name: str, call: Callable[[Any, Any], Any], *, also: tuple[str, ...] = (), **options: Any) -> Case:
        told = {"names": (prefix + name.partition("[")[0], *also), **defaults, **options}
        return Case(name=name, call=call, **told)

    return case
