"""A catalogue of calls that must raise, with one fault of every kind in how they do."""

from __future__ import annotations

from typing import Any

import dask.array
import numpy as np

from arrayshim.conformance.case import Case
from arrayshim.errors import UnsupportedError
from arrayshim.strict import StrictArray


def is_strict(x: Any) -> bool:
    """A dask array of strict chunks."""
    return type(getattr(x, "_meta", None)) is StrictArray


def is_bare(x: Any) -> bool:
    """A strict array without dask."""
    return isinstance(x, StrictArray)


def refuse(x: Any, error: type[Exception] = ValueError, *_: Any) -> Any:
    """What every one of these should do."""
    raise error("you cannot mean that")


def refuse_chunk(chunk: Any) -> Any:
    """Not before it is computed; the meta is let through."""
    return refuse(chunk) if 0 not in chunk.shape else chunk


def silent(x: Any) -> Any:
    """Gives numbers."""
    return x * 2 if is_strict(x) else refuse(x)


def another(x: Any) -> Any:
    """Fails, for another reason."""
    return refuse(x, KeyError if is_strict(x) else ValueError)


def related(x: Any) -> Any:
    """AxisError is an IndexError."""
    return refuse(x, IndexError if is_strict(x) else ValueError)


def late(x: Any) -> Any:
    """Only when it is computed."""
    return x.map_blocks(refuse_chunk, meta=x._meta) if is_strict(x) else refuse(x)


def soon(x: Any) -> Any:
    """While the graph is built, where NumPy-backed dask waits."""
    if isinstance(x, dask.array.Array) and not is_strict(x):
        return x.map_blocks(refuse_chunk, meta=x._meta)
    return refuse(x)


def costly(x: Any) -> Any:
    """Computes in order to find out."""
    if is_strict(x):
        x.sum().compute()
    return refuse(x)


def unchecked(x: Any) -> Any:
    """The library does not mind, with dask or without."""
    return x * 2 if is_strict(x) or is_bare(x) else refuse(x)


def welcome(x: Any) -> Any:
    """No mistake to NumPy itself."""
    return refuse(x) if isinstance(x, dask.array.Array) else x * 2


def helpless(x: Any) -> Any:
    """Does not do what it should, and so it cannot refuse what it should not."""
    return refuse(x, TypeError) if is_strict(x) else x * 2


def without(x: Any, *text: str) -> Any:
    """Has no masks, and says so."""
    if is_strict(x):
        raise UnsupportedError(*text)
    return x * 2


NEEDS: dict[str, Any] = {"names": ("ma.count",), "requires": ("masked",), "unsupported": True, "numpy": False}
MASKED = "da.ma.count: StrictArray has no masks; use nansum"

CASES = (
    Case(name="helpless", names=("sum",), call=lambda da, b: helpless(b.x), numpy=False),
    Case(name="refuses", call=lambda da, b: refuse(b.x), raises=ValueError),
    Case(name="silent", call=lambda da, b: silent(b.x), raises=ValueError),
    Case(name="another", call=lambda da, b: another(b.x), raises=ValueError),
    Case(name="one of two", call=lambda da, b: another(b.x), raises=(ValueError, KeyError)),
    Case(name="related", call=lambda da, b: related(b.x), raises=np.exceptions.AxisError),
    Case(name="unrelated", call=lambda da, b: related(b.x), raises=ValueError),
    Case(name="late", call=lambda da, b: late(b.x), raises=ValueError),
    Case(name="soon", call=lambda da, b: soon(b.x), raises=ValueError),
    Case(name="costly", call=lambda da, b: costly(b.x), raises=ValueError),
    Case(name="unchecked", call=lambda da, b: unchecked(b.x), raises=ValueError),
    Case(name="unchecked, dask's own", call=lambda da, b: unchecked(b.x), raises=ValueError, numpy=False),
    Case(name="no mistake", call=lambda da, b: b.x * 2, raises=ValueError),
    Case(name="no mistake to NumPy", call=lambda da, b: welcome(b.x), raises=ValueError),
    Case(name="blind", names=("sum",), call=lambda da, b: refuse(b.x, TypeError), raises=TypeError),
    Case(name="clear", call=lambda da, b: (without(b.x, MASKED), da.ma.count(b.x))[0], **NEEDS),
    Case(name="unclear", call=lambda da, b: (without(b.x, "no"), da.ma.count(b.x))[0], **NEEDS),
    Case(name="uncalled for", call=lambda da, b: (refuse, b.x * 2, da.ma.count)[1], **NEEDS),
    Case(name="skipped", call=lambda da, b: b.x * 2, requires=("masked",)),
)
