"""The loop of rejection methods over a whole array: draw for all, then again for those that are left."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

#: Each method here takes more than a third of what is proposed: more rounds than this are no chance.
ROUNDS = 1000


def part(parameter: Any, index: Any) -> Any:
    """The elements of a parameter for the numbers at `index`; a parameter without axes holds for all.

    Parameters
    ----------
    parameter : number or array
        Of full shape, if it has one.
    index : array of int64 or None
        Into the flattened numbers; None for all.
    """
    if not np.ndim(parameter):
        return parameter
    flat = parameter.reshape(-1)
    return flat if index is None else flat[index]


def accepted(size: Any, attempt: Callable[[Any, int], tuple[Any, Any]], refusal: str = "") -> Any:
    """Numbers of which each was proposed until it was accepted.

    Parameters
    ----------
    size : tuple of int
    attempt : callable
        ``attempt(index, n) -> (proposed, accepted)``, each of shape (n,); `index` says for which of the flattened
        numbers, None for all.
    refusal : str
        What is wrong, by all probability, when a number is never accepted.

    Returns
    -------
    array of shape `size`

    Raises
    ------
    ValueError
        With `refusal`, after 1000 rounds.

    Notes
    -----
    Waits for the device once a round, for the number of those left. About log(n) rounds.
    """
    values, taken = attempt(None, math.prod(size))
    left = np.flatnonzero(~taken)
    for _ in range(ROUNDS):
        if not left.size:
            return values.reshape(size)
        proposed, taken = attempt(left, left.size)
        # What was rejected is written too, and then again.
        values[left] = proposed
        left = left[~taken]
    raise ValueError(refusal or "a number was rejected a thousand times; is a parameter out of range or NaN?")
