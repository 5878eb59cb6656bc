"""Values by rank: by a sort, for any array that has one; only libraries with kernels of their own have the top."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from arrayshim.kernels.generic import beside


def at_ranks(sample: Any, indices: Sequence[Any], *, each: bool = False) -> list[Any]:
    """What lies at ranks of the slices along the first axis, once they are sorted.

    Parameters
    ----------
    sample : array, shape (n, ...), n > 0
    indices : sequence of int or array of int
        Ranks from 0 to n - 1, the same in every slice. Host arrays are put beside the sample.
    each : bool, keyword-only
        Whether the ranks are arrays that end in the axes of a slice, of the type of the sample, instead.

    Returns
    -------
    list of array of the type of `sample`
        For each index, an array of its shape, with the axes of a slice behind where it has not got them.
    """
    ranked = np.sort(sample, axis=0)
    return [_picked(ranked, index, each) for index in indices]


def _picked(ranked: Any, index: Any, each: bool) -> Any:
    if isinstance(index, int):
        return ranked[index]
    if not each:
        return ranked[beside(index, ranked)]
    return np.take_along_axis(ranked, index.reshape((-1,) + ranked.shape[1:]), axis=0).reshape(index.shape)


def no_top(a: Any, k: int, axis: int, *, places: bool) -> None:
    """The `k` largest along an axis, or the `-k` smallest, or where they are; in the order of their places.

    This row says None: NumPy's `partition`, and what other libraries have in its place, is good enough for theirs.
    """
    return
