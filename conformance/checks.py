"""What is checked of a case, in this order, and the wording: ``what=got, expected wanted [the call]``."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from .case import Case
from .seen import Observation, Part, Seen
from .values import difference, in_order, tolerance

OUTCOMES = (
    "pass",
    "wrong value",
    "wrong dtype",
    "wrong shape",
    "wrong chunk type",
    "meta lies",
    "computed early",
    "error",
    "not implemented by the backend",
    "crash",
    "timeout",
    "blocked",
    "skip",
)

#: Outcomes that are no fault.
FINE = frozenset({"pass", "skip"})


@dataclass(frozen=True, slots=True)
class Oracle:
    """What a case must give.

    Parameters
    ----------
    stock : Observation
        Of NumPy-backed stock dask.
    plain : list of (path, value), optional
        Of NumPy itself; its values go before stock dask's.
    dtype : str, optional
        Of the operand that is crossed.
    """

    stock: Observation
    plain: list[tuple[str, Any]] | None = None
    dtype: str | None = None


@dataclass(frozen=True, slots=True)
class Context:
    """What the checks compare.

    Parameters
    ----------
    case : Case
    got : Observation
        Of the backend.
    oracle : Oracle
    chunk : str
        Name of the backend's type.
    rtol : mapping
        The backend's tolerances, by dtype.
    alone : callable
        Kinds of the parts that the backend gives without dask, which may be host arrays.
    """

    case: Case
    got: Observation
    oracle: Oracle
    chunk: str
    rtol: Mapping[str, float] = field(default_factory=dict)
    alone: Callable[[], list[str]] = list

    def pairs(self) -> Iterator[tuple[Part, Part]]:
        """Each part beside the oracle's."""
        return zip(self.got.parts, self.oracle.stock.parts, strict=True)

    def wanted(self, index: int) -> Any:
        """The value that a part must have: NumPy's own, or else stock dask's."""
        return self.oracle.plain[index][1] if self.oracle.plain is not None else self.oracle.stock.parts[index].value


Finding = tuple[str, str]


def _raised(c: Context) -> Iterator[Finding]:
    if c.got.error:
        yield "error", f"{c.got.stage}={c.got.error}, expected a result"


def _structure(c: Context) -> Iterator[Finding]:
    got, wanted = ([p.path for p in o.parts] for o in (c.got, c.oracle.stock))
    if got != wanted:
        yield "wrong shape", f"parts={len(got)}, expected {len(wanted)}"


def _laziness(c: Context) -> Iterator[Finding]:
    if c.got.computes > c.oracle.stock.computes:
        wanted = f"expected {c.oracle.stock.computes} while the graph is built"
        yield "computed early", f"computes={c.got.computes}, {wanted}"


#: What a part may be by `Case.result`: kinds of `Seen`, and how that is called.
_ALLOWED: dict[str, tuple[frozenset[str], str]] = {
    "chunk": (frozenset({"own"}), ""),
    "numpy": (frozenset({"host", "scalar"}), "ndarray"),
    "scalar": (frozenset({"scalar"}), "a scalar"),
}


def _chunk_type(c: Context) -> Iterator[Finding]:
    if c.case.result not in _ALLOWED:
        return
    allowed, name = _ALLOWED[c.case.result]
    for index, (part, wanted) in enumerate(c.pairs()):
        if wanted.meta is None and c.case.result == "chunk":
            continue  # there at once for NumPy too, such as the shape or the edges of a histogram
        for what, seen in (*((f"chunk{i}", s) for i, s in _numbered(part)), (f"computed{part.path}", part.whole)):
            # for NumPy proper, 0-d chunks are NumPy scalars and host memory is its own
            if seen.kind in allowed or (c.chunk == "ndarray" and seen.kind in ("own", "host")):
                continue
            if c.alone()[index : index + 1] != [seen.kind]:
                yield "wrong chunk type", f"type({what})={seen.type}, expected {name or c.chunk}"
                break


def _numbered(part: Part) -> Iterator[tuple[str, Seen]]:
    shape = [len(sizes) for sizes in part.chunks]
    for flat, seen in enumerate(part.blocks):
        block = np.unravel_index(flat, shape) if shape else ()
        yield part.path + "[" + ", ".join(map(str, map(int, block))) + "]", seen


def _meta(c: Context) -> Iterator[Finding]:
    for part, wanted in c.pairs():
        if part.meta is None:
            if wanted.meta is not None:
                yield "computed early", f"type(result{part.path})={part.whole.type}, expected a dask array"
            continue
        scalar = part.meta.type
        for seen in [*part.blocks, part.whole]:
            # a 0-d chunk of NumPy is a NumPy scalar; so is one of a masked array, and its meta the 0-d ndarray of that
            bare = seen.kind == "own" and seen.bare and part.meta.kind == "host" and not part.meta.ndim
            other = seen.kind != part.meta.kind or (seen.type != scalar and seen.ndim and part.meta.ndim)
            if other and not bare and not (c.chunk == "ndarray" and _same_lie(wanted, "type")):
                yield "meta lies", f"type(_meta{part.path})={part.meta.type}, expected {seen.type}"
                break
            if _fact(part.meta.dtype, seen.dtype) and not _same_lie(wanted, "dtype"):
                yield "meta lies", f"_meta{part.path}.dtype={part.meta.dtype}, expected {seen.dtype}"
                break
            if part.meta.ndim != seen.ndim and not _same_lie(wanted, "ndim"):
                yield "meta lies", f"_meta{part.path}.ndim={part.meta.ndim}, expected {seen.ndim}"
                break


def _fact(a: str | None, b: str | None) -> bool:
    return a is not None and b is not None and a != b


def _same_lie(part: Part, what: str) -> bool:
    """Whether NumPy-backed dask says as false a thing of the same call; then it is no matter of chunk types."""
    return part.meta is not None and any(
        getattr(part.meta, what) != getattr(seen, what) for seen in [*part.blocks, part.whole]
    )


def _shape(c: Context) -> Iterator[Finding]:
    for index, (part, wanted) in enumerate(c.pairs()):
        shape = np.shape(c.wanted(index))
        if np.shape(part.value) != shape:
            yield "wrong shape", f"shape{part.path}={np.shape(part.value)}, expected {shape}"
        elif part.meta is not None and _promised(part) not in (None, shape) and _promised(wanted) in (None, shape):
            yield "wrong shape", f"x{part.path}.shape={_promised(part)}, expected {shape}"


def _promised(part: Part) -> tuple[int, ...] | None:
    if any(np.isnan(n) for sizes in part.chunks for n in sizes):
        return None
    return tuple(int(sum(sizes)) for sizes in part.chunks)


def _dtype(c: Context) -> Iterator[Finding]:
    for index, (part, _) in enumerate(c.pairs()):
        dtype = getattr(c.wanted(index), "dtype", None)
        if dtype is not None and _fact(part.whole.dtype, str(dtype)):
            yield "wrong dtype", f"dtype{part.path}={part.whole.dtype}, expected {dtype}"


def _value(c: Context) -> Iterator[Finding]:
    if c.case.compare == "shape":
        return
    for index, (part, _) in enumerate(c.pairs()):
        got, wanted = part.value, c.wanted(index)
        if c.case.compare == "unordered":
            got, wanted = in_order(got), in_order(wanted)
        rtol = c.case.rtol
        if rtol is None:
            inexact = [d for d in (getattr(wanted, "dtype", None), c.oracle.dtype) if d is None or _inexact(d)]
            rtol = tolerance(inexact, c.rtol)
        found = difference(got, wanted, rtol=rtol, atol=c.case.atol)
        if found:
            yield "wrong value", found.replace("value", f"value{part.path}", 1)


def _inexact(dtype: Any) -> bool:
    return np.dtype(dtype).kind in "fc"


def _repeated(c: Context) -> Iterator[Finding]:
    """Only where NumPy-backed dask keeps the promise."""
    stock, got = c.oracle.stock, c.got
    if stock.token and got.token is False:
        yield "error", "token=another, expected the same when built twice"
    if stock.pickle and got.pickle is False:
        yield "error", f"pickle={got.notes.get('pickle', 'other keys')}, expected the same graph"
    if stock.threads is not False and got.threads is False:
        yield "wrong value", "threads=another result, expected that of sync"
    if stock.distributed is not False and got.distributed is False:
        yield "error", f"distributed={got.notes.get('distributed', 'another result')}, expected that of sync"


CHECKS: tuple[Callable[[Context], Iterator[Finding]], ...] = (
    _raised,
    _structure,
    _laziness,
    _chunk_type,
    _meta,
    _shape,
    _dtype,
    _value,
    _repeated,
)


def judge(context: Context) -> Finding:
    """The outcome of a case, and the message without the call; ``("pass", "")`` if nothing was found."""
    for check in CHECKS:
        for finding in check(context):
            return finding
    return "pass", ""
