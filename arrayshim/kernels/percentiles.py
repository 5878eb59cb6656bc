"""Percentiles of an array from those of its chunks, where the chunks are.

The algorithm is that of ``dask.array.percentile.merge_percentiles`` (Copyright (c) 2014, Anaconda, Inc. and
contributors, BSD 3-Clause License), in as many steps for a thousand percentiles as for one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

#: Sorted values, how far each is (percent times elements), and how far is asked for -> what is there.
Pick = Callable[[Any, Any, Any], Any]


def _around(passed: Any, wanted: Any) -> tuple[Any, Any]:
    left = np.minimum(np.searchsorted(passed, wanted, side="left"), len(passed) - 1)
    right = np.searchsorted(passed, wanted, side="right") - 1
    return np.minimum(left, right), np.maximum(left, right)


def _linear(ranked: Any, passed: Any, wanted: Any) -> Any:
    return np.interp(wanted, passed, ranked)


def _lower(ranked: Any, passed: Any, wanted: Any) -> Any:
    return ranked[_around(passed, wanted)[0]]


def _higher(ranked: Any, passed: Any, wanted: Any) -> Any:
    return ranked[_around(passed, wanted)[1]]


def _midpoint(ranked: Any, passed: Any, wanted: Any) -> Any:
    low, high = _around(passed, wanted)
    return 0.5 * (ranked[low] + ranked[high])


def _nearest(ranked: Any, passed: Any, wanted: Any) -> Any:
    low, high = _around(passed, wanted)
    return ranked[np.where(abs(passed[low] - wanted) > abs(passed[high] - wanted), high, low)]


MERGED: dict[str, Pick] = {
    "linear": _linear,
    "lower": _lower,
    "higher": _higher,
    "midpoint": _midpoint,
    "nearest": _nearest,
}
"""The methods that are defined for an array in chunks."""


def check_merged(method: str) -> None:
    """Refuse a method that is not defined for an array in chunks, in dask's words.

    Raises
    ------
    ValueError
    """
    if method not in MERGED:
        raise ValueError(
            f"method is {method!r}; over more than one chunk the interpolation method can only be 'linear', 'lower', "
            "'higher', 'midpoint', or 'nearest': choose one of these, or rechunk to one chunk"
        )


def merge(
    finalq: Any, qs: Sequence[Any], parts: Sequence[tuple[Any, int]], method: str, running_sum: Callable[[Any], Any]
) -> Any:
    """Percentiles of all the data.

    Parameters
    ----------
    finalq : array, 1-d
        Of the type of the data, in [0, 100].
    qs : sequence of array, 1-d
        The percentiles that each of `parts` holds, rising from 0 to 100.
    parts : sequence of (array, int)
        Those percentiles of a chunk, and the length of the chunk; what comes from an empty one is left out.
    method : str
        A key of `MERGED`; for data that are no numbers it is "nearest".
    running_sum : callable
        Adds up from left to right. Another order rounds otherwise, and then the last one is not found at 100.

    Returns
    -------
    array of the type of the data

    Raises
    ------
    ValueError
        If all chunks are empty, or the method is unknown.
    """
    held = [(q, values, n) for q, (values, n) in zip(qs, parts, strict=True) if n]
    if not held:
        raise ValueError("No non-trivial arrays found")
    values = np.concatenate([values for _, values, _ in held])
    if not np.issubdtype(values.dtype, np.number):
        method = "nearest"
    check_merged(method)
    counts = np.concatenate([(_steps(q) * n).astype(finalq.dtype) for q, _, n in held])
    order = np.argsort(values)
    return MERGED[method](values[order], running_sum(counts[order]), finalq * sum(n for *_, n in held))


def _steps(q: Any) -> Any:
    return np.concatenate([q[:1], q[1:] - q[:-1]])
