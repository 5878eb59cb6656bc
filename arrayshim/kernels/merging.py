"""What chunks came to, made one by one kernel: the steps of dask's trees after the first; None where there is none.

The table `merged` has an `object` row that says None; the repair that calls it goes on with dask's own function then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

#: The arrays of a piece that is a dict, by the first word of the operation.
_NAMES = {"mean": ("total", "n"), "moment": ("total", "n", "M")}
_OF_EXTREMES = ("vals", "arg")


def no_merge(first: Any, **kwargs: Any) -> None:
    """No type but those of a library with kernels of its own merges pieces at once."""
    return


def knows(kind: type) -> bool:
    """Whether a type of chunks has a kernel that merges pieces."""
    from arrayshim import kernels

    return kernels.TABLES["merged"].dispatch(kind) is not no_merge


def _each(pieces: Any) -> Iterator[Any]:
    if isinstance(pieces, list):
        for piece in pieces:
            yield from _each(piece)
    else:
        yield pieces


def merged(name: str, pieces: Any, *, axis: Any, keepdims: bool, **options: Any) -> Any:
    """Merge pieces by the kernel of their type.

    Parameters
    ----------
    name : str
        ``"sum"``, ``"prod"``, ``"min"``, ``"max"``, ``"nanmin"``, ``"nanmax"``, ``"any"``, ``"all"``; ``"mean"`` and
        ``"moment"``, with ``"_parts"`` where more steps follow; ``"argmin"`` and its like.
    pieces : nested list
        Of arrays, or of dicts of arrays as dask's steps have them; a reduced axis has size 1 in each.
    axis : tuple of int
        That is reduced.
    keepdims : bool
    **options
        `dtype`, `order`, `ddof`.

    Returns
    -------
    list of array, or None
        None where dask's own function must do it.
    """
    from arrayshim import kernels

    if not isinstance(pieces, list):
        return None
    flat = list(_each(pieces))
    keys = _OF_EXTREMES if "arg" in name else _NAMES.get(name.partition("_")[0])
    if keys is None:
        parts: Sequence[Sequence[Any]] = [[piece] for piece in flat]
    elif all(isinstance(piece, dict) and piece.keys() == set(keys) for piece in flat):
        parts = [[piece[key] for key in keys] for piece in flat]
    else:
        return None
    first = parts[0][0]
    return kernels.TABLES["merged"].dispatch(type(first))(
        first, name=name, parts=parts, axis=axis, keepdims=keepdims, **options
    )
