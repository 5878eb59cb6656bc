"""A catalogue for masked chunks: what keeps the mask, what loses it, and what NumPy itself does to it."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.conformance.case import Case


def unmasked(chunk: Any) -> Any:
    """Loses the mask of every chunk of dask, and of nothing else."""
    return np.ma.array(np.ma.getdata(chunk) * 2) if chunk.shape[0] < 13 else chunk * 2


def shifted(chunk: Any) -> Any:
    """Masks the elements beside those that are to be masked."""
    mask = np.ma.getmaskarray(chunk)
    return np.ma.array(np.ma.getdata(chunk) * 2, mask=np.roll(mask, 1)) if chunk.shape[0] < 13 else chunk * 2


def forgotten(chunk: Any) -> Any:
    """Loses the mask of every chunk of dask, but changes no value."""
    return np.ma.array(np.ma.getdata(chunk)) if chunk.shape[0] < 13 else chunk


def mapped(x: Any, function: Any) -> Any:
    """`map_blocks`, or the function itself where NumPy runs."""
    return x.map_blocks(function, meta=x._meta) if hasattr(x, "map_blocks") else function(x)


def unlike_masks(x: Any) -> Any:
    """Refuses an array in which anything is masked."""
    if np.ma.is_masked(x):
        raise NotImplementedError("not with masks")
    return x * 2


CASES = (
    Case(name="double", call=lambda da, b: b.x * 2),
    Case(name="nans", call=lambda da, b: b.nans * 2),
    Case(name="mask itself", call=lambda da, b: da.ma.getmaskarray(b.x), result="other"),
    Case(name="where", call=lambda da, b: da.where(b.x > 0, b.x, 0.0)),
    Case(name="one masked element", call=lambda da, b: da.sum(b.x[:1, 4:5])),
    Case(name="refused by NumPy", call=lambda da, b: unlike_masks(b.x)),
    Case(name="dask only", call=lambda da, b: b.x.rechunk((4, 4)), numpy=False),
    Case(name="told", call=lambda da, b: b.x.rechunk((4, 4)) * 2, numpy=False, equals=lambda np, b: b.x * 2),
    Case(
        name="told, unmasked",
        call=lambda da, b: b.x.rechunk((4, 4)).map_blocks(unmasked, meta=b.x._meta),
        numpy=False,
        equals=lambda np, b: b.x * 2,
    ),
    Case(name="unmasked", call=lambda da, b: mapped(b.x, unmasked)),
    Case(name="shifted", call=lambda da, b: mapped(b.x, shifted)),
    Case(name="joined", call=lambda da, b: da.concatenate([b.x, b.y])),
    Case(name="joined, half forgotten", call=lambda da, b: da.concatenate([b.x, mapped(b.y, forgotten)])),
    Case(name="norm", call=lambda da, b: da.linalg.norm(b.x, axis=0)),
    Case(name="norm of twice as much", call=lambda da, b: da.linalg.norm(mapped(b.x, unmasked), axis=0)),
)
