"""What is noted of a run of a case: of each part of its result, and of every chunk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from dask.callbacks import Callback


@dataclass(slots=True)
class Seen:
    """An array or scalar: whose it is, and what it says of itself.

    Parameters
    ----------
    kind : {"own", "host", "scalar", "other"}
        The backend's type, ndarray, NumPy or Python scalar, anything else.
    type : str
        Its name.
    dtype : str or None
    shape : tuple
    bare : bool
        A NumPy scalar, or `numpy.ma.masked`, which takes the place of one where all elements were masked.
    """

    kind: str
    type: str
    dtype: str | None = None
    shape: tuple[Any, ...] = ()
    bare: bool = False

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return len(self.shape)


@dataclass(slots=True)
class Part:
    """One part of a result: a dask array, or something that was there at once.

    Parameters
    ----------
    path : str
        ``[0]`` for the first of a tuple; empty if the result has one part.
    lazy : bool
    meta, blocks, whole : Seen
        Of a dask array: what it promises, its chunks, and the whole; of anything else only `whole`.
    chunks : tuple
        Of a dask array.
    value : object
        In host memory.
    """

    path: str
    lazy: bool
    whole: Seen
    value: Any
    meta: Seen | None = None
    chunks: tuple[tuple[float, ...], ...] = ()
    blocks: list[Seen] = field(default_factory=list)


@dataclass(slots=True)
class Observation:
    """What one run showed."""

    parts: list[Part] = field(default_factory=list)
    computes: int = 0
    transfers: int | None = None
    token: bool | None = None
    pickle: bool | None = None
    threads: bool | None = None
    distributed: bool | None = None
    notes: dict[str, str] = field(default_factory=dict)
    error: str = ""
    raised: type[BaseException] | None = None
    stage: str = ""


class Computes(Callback):  # type: ignore[misc]
    """Counts what is computed inside a block."""

    count = 0

    def _start(self, dsk: Any) -> None:
        self.count += 1


def called(kind: type) -> str:
    """What messages call a type. Another library's `ndarray` is no NumPy array: it has the library's name before it."""
    library = kind.__module__.partition(".")[0]
    return f"{library}.{kind.__name__}" if kind.__name__ == "ndarray" and library != "numpy" else kind.__name__


@dataclass(frozen=True, slots=True)
class Eyes:
    """How arrays of a backend are recognised and brought home.

    Parameters
    ----------
    is_own : callable
        ``is_own(type) -> bool``.
    to_host : callable
    scalars : bool
        Whether the backend's own 0-d results are NumPy scalars, as NumPy's are.
    transfers : callable
        Context manager with a `count`, or with None where they cannot be counted.
    """

    is_own: Callable[[type], bool]
    to_host: Callable[[Any], Any]
    scalars: bool
    transfers: Callable[[], AbstractContextManager[Any]] = nullcontext

    def seen(self, x: Any) -> Seen:
        """Note what an array says of itself."""
        shape = tuple(getattr(x, "shape", ()))
        hollow = x is np.ma.masked  # one object for all dtypes
        dtype = str(x.dtype) if hasattr(x, "dtype") and not hollow else None
        if self.is_own(type(x)) or (hollow and self.scalars):
            kind = "own"
        elif isinstance(x, np.ndarray):
            kind = "host"
        elif isinstance(x, np.generic):
            kind = "own" if self.scalars else "scalar"
        elif isinstance(x, bool | int | float | complex | str):
            kind = "scalar"
        else:
            kind = "other"
        return Seen(kind, called(type(x)), dtype, shape, hollow or isinstance(x, np.generic))

    def home(self, x: Any) -> Any:
        """A host value of anything."""
        if self.is_own(type(x)):
            return self.to_host(x)
        if isinstance(x, np.ndarray | np.generic | bool | int | float | complex | str | type(None)):
            return x
        if hasattr(x, "__dask_graph__") or not hasattr(x, "dtype"):
            return x if isinstance(x, bytes | slice | range | np.dtype) else repr(type(x))
        try:
            return np.asarray(x)
        except TypeError:  # another device's: the check of the chunk type says so
            return repr(type(x))


def leaves(result: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The parts of nested tuples, lists and dicts."""
    if isinstance(result, tuple | list):
        for index, item in enumerate(result):
            yield from leaves(item, f"{path}[{index}]")
    elif isinstance(result, dict):
        for key in sorted(result, key=str):
            yield from leaves(result[key], f"{path}[{key!r}]")
    else:
        yield path, result
