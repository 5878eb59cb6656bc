"""The tasks of residency: one that moves a chunk, and one that says what is wrong where a meta was false."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from arrayshim._nested import is_hosted, leaves
from arrayshim._transfers import count
from arrayshim.errors import ResidenceError

#: What is an operand everywhere.
SCALARS = (bool, int, float, complex, str, bytes, np.generic, type(None))


@dataclass(frozen=True, slots=True)
class Move:
    """Task that puts a host chunk where the others are; a chunk that is there already stays."""

    place: Any
    operation: str

    __name__: ClassVar[str] = "move"

    @classmethod
    def beside(cls, like: Any, operation: str) -> Move:
        """The task for the place of an array, meta or dask array."""
        from arrayshim._moving import ToDevice
        from arrayshim.backends import backend_of

        return cls(ToDevice.of(backend_of(like)), operation)

    def __call__(self, chunk: Any) -> Any:
        if isinstance(chunk, SCALARS) or is_hosted(chunk):
            chunk = np.asarray(chunk)
        if isinstance(chunk, np.ndarray):
            count(chunk, self.operation, to_host=False)
        return self.place(chunk)

    def __dask_tokenize__(self) -> tuple[Any, ...]:
        from dask.base import normalize_token

        # What this returns is not looked at again, and the place holds functions, whose addresses are of one process.
        return "arrayshim.Move", normalize_token(self.place), self.operation


def in_tasks(x: Any, task: Move, meta: Any) -> Any:
    """A dask array of the chunks of `x`, each moved by a task of its own."""
    # Not by map_blocks: fused into what uses it, the move would be made anew for each of the chunks that it meets.
    from dask.array.core import Array
    from dask.base import tokenize
    from dask.core import flatten
    from dask.highlevelgraph import HighLevelGraph

    name = f"move-{tokenize(x.name, task)}"
    layer = {(name, *key[1:]): (task, key) for key in flatten(x.__dask_keys__())}
    return Array(HighLevelGraph.from_collections(name, layer, dependencies=[x]), name, x.chunks, meta=meta)


#: How a library says that it cannot work with arrays of another place.
REFUSALS = (TypeError, AttributeError, NotImplementedError, ValueError)


@dataclass(frozen=True, slots=True)
class Meeting:
    """A function of chunks whose failure, where host and device chunks meet against all metas, says so."""

    function: Callable[..., Any]
    operation: str

    @property
    def __name__(self) -> str:
        return self.operation

    def __call__(self, *chunks: Any, **kwargs: Any) -> Any:
        try:
            return self.function(*chunks, **kwargs)
        except REFUSALS as error:
            self.explain(error, *chunks, *kwargs.values())
            raise

    def explain(self, error: Exception, *chunks: Any) -> None:
        """Raise what went wrong in place of `error`, where the chunks tell."""
        explain(error, self.operation, *chunks)

    def __dask_tokenize__(self) -> Any:
        from dask.base import normalize_token

        # What is computed is what the function computes: so are the names.
        return normalize_token(self.function)


@dataclass(frozen=True, slots=True)
class Promised(Meeting):
    """A function of chunks that were said to be in host memory, whose failure on a chunk of a device says so."""

    def explain(self, error: Exception, *chunks: Any) -> None:
        from arrayshim.residency import is_device

        device = next(filter(is_device, leaves(list(chunks))), None)
        if device is not None:
            raise broken_promise(device, self.operation) from error


def explain(error: Exception, operation: str, *chunks: Any) -> None:
    """Raise the error of a false meta in place of `error`, where device and host chunks, in lists too, have met."""
    mixed = unlike(leaves(list(chunks)))
    if mixed is not None:
        raise false_meta(*mixed, operation) from error


def unlike(chunks: Iterable[Any]) -> tuple[Any, Any] | None:
    """A device chunk and a host one among `chunks`, if there are both."""
    from arrayshim.residency import is_device

    chunks = list(chunks)
    device = next((x for x in chunks if is_device(x)), None)
    host = next((x for x in chunks if isinstance(x, np.ndarray)), None)
    return None if device is None or host is None else (device, host)


def broken_promise(device: Any, operation: str) -> ResidenceError:
    """The error of a task for chunks in host memory, as their metas say, that gets one of a device."""
    return ResidenceError(
        f"{operation}: a chunk is {type(device).__name__}, and by its meta it is a NumPy array; give meta= where an "
        "array was made by from_delayed, map_blocks or the like and its meta does not say what its chunks are"
    )


def false_meta(device: Any, host: Any, operation: str) -> ResidenceError:
    """The error of a task in which chunks meet that cannot, which by true metas would have been seen before."""
    return ResidenceError(
        f"{operation}: a chunk is {type(device).__name__} and another {type(host).__name__}, and nothing moves them in "
        "a task; give meta= where an array was made by from_delayed, map_blocks or the like and its meta does not say "
        "what its chunks are, or bring all of them to one side with to_backend"
    )
