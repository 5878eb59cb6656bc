"""The operations of the reduction kernels: which type of the source each one is, and NumPy's rules for the dtypes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

#: Names of the source's types, by kind and bytes.
ELEMENTS = {
    "b1": "b1",
    **{f"{kind}{size}": f"{kind}{8 * size}" for kind in "iu" for size in (1, 2, 4, 8)},
    "f2": "f16",
    "f4": "f32",
    "f8": "f64",
    "c8": "c8",
    "c16": "c16",
}


@dataclass(frozen=True, slots=True)
class Operation:
    """What is compiled and what comes out.

    Attributes
    ----------
    code : str
        A type of the source.
    results : tuple of dtype
    reads : str
        What lies in memory, in the words of the source.
    """

    code: str
    results: tuple[np.dtype[Any], ...]
    reads: str = ""


Rule = Callable[[np.dtype[Any], "np.dtype[Any] | None"], "Operation | None"]


def element(dtype: np.dtype[Any]) -> str | None:
    """The source's name of a dtype, or None."""
    return ELEMENTS.get(f"{dtype.kind}{dtype.itemsize}") if dtype.isnative else None


def total(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """What NumPy adds a dtype up in."""
    if dtype.kind in "bi":
        return np.dtype(np.int64)
    return np.dtype(np.uint64) if dtype.kind == "u" else dtype


def _flag(value: bool) -> str:
    return "true" if value else "false"


def _total(*, times: bool, skip: bool) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        result = total(dtype) if wanted is None else wanted
        if result.kind == "b" or not np.can_cast(dtype, result, "same_kind"):
            return None
        code = element(result)
        flags = f"{_flag(skip)}, {_flag(times)}"
        return Operation(f"Total<{element(dtype)}, {code}, {code}, {flags}>", (result,)) if code else None

    return rule


def _inexact(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> np.dtype[Any] | None:
    """The dtype of a mean; None where it is not ours to say."""
    if wanted is not None:
        return wanted if wanted.kind in "fc" and np.can_cast(dtype, wanted, "same_kind") else None
    return np.dtype(np.float64) if dtype.kind in "biu" else dtype


def _mean(*, skip: bool, parts: bool) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        result = _inexact(dtype, wanted)
        if result is None or not element(result):
            return None
        # NumPy takes means of half precision in single precision.
        via = np.dtype(np.float32) if result == np.float16 and wanted is None else result
        names = f"{element(dtype)}, {element(via)}, {element(result)}"
        return Operation(f"Mean<{names}, {_flag(skip)}, {_flag(parts)}>", (result,) * (1 + parts))

    return rule


def _extreme(*, most: bool, skip: bool) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        name = element(dtype)
        skipping = skip and dtype.kind in "fc"
        return Operation(f"Extreme<{name}, {name}, {_flag(most)}, {_flag(skipping)}>", (dtype,))

    return rule


def _ptp(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
    return None if dtype.kind == "b" else Operation(f"Ptp<{element(dtype)}>", (dtype,))


def _count(kind: int, result: Any) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        out = np.dtype(result) if wanted is None else wanted
        return Operation(f"Count<{element(dtype)}, {element(out)}, {kind}>", (out,)) if element(out) else None

    return rule


def _arg(*, most: bool, skip: bool) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        skipping = skip and dtype.kind in "fc"
        code = f"Arg<{element(dtype)}, {_flag(most)}, {_flag(skipping)}>"
        return Operation(code, (np.dtype(np.int64), dtype))

    return rule


def _moment(order: int, kind: int, *, skip: bool = False) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        result = wanted
        if result is None:
            result = np.dtype(np.float64) if dtype.kind in "biu" else np.zeros(0, dtype).real.dtype
        if result.kind != "f" or not element(result):
            return None
        added = dtype if dtype.kind == "c" else result
        results = (added, np.dtype(np.int64), result) if kind == 3 else (result,)
        names = f"{element(dtype)}, {element(added)}, {element(result)}"
        if dtype.kind != "c":
            return Operation(f"Moment<{names}, {order}, {_flag(skip)}, {kind}>", results)
        return Operation(f"ComplexMoment<{names}, {_flag(skip)}, {kind}>", results) if order == 2 else None

    return rule


def _norm(kind: int) -> Rule:
    def rule(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
        result = _inexact(dtype, None)
        if dtype.kind == "c" or result is None:
            return None
        return Operation(f"Norm<{element(dtype)}, {element(result)}, {kind}>", (result,))

    return rule


def _token(dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
    reads = "c16" if dtype.itemsize == 16 else f"u{8 * dtype.itemsize}"
    return Operation(f"Hash<{reads}>", (np.dtype(np.uint64),), reads)


RULES: dict[str, Rule] = {
    "sum": _total(times=False, skip=False),
    "nansum": _total(times=False, skip=True),
    "prod": _total(times=True, skip=False),
    "nanprod": _total(times=True, skip=True),
    "mean": _mean(skip=False, parts=False),
    "nanmean": _mean(skip=True, parts=False),
    "mean_parts": _mean(skip=False, parts=True),
    "nanmean_parts": _mean(skip=True, parts=True),
    "min": _extreme(most=False, skip=False),
    "max": _extreme(most=True, skip=False),
    "nanmin": _extreme(most=False, skip=True),
    "nanmax": _extreme(most=True, skip=True),
    "ptp": _ptp,
    "count_nonzero": _count(0, np.int64),
    "nannumel": _count(1, np.int64),
    "any": _count(2, np.bool_),
    "all": _count(3, np.bool_),
    "argmin": _arg(most=False, skip=False),
    "argmax": _arg(most=True, skip=False),
    "nanargmin": _arg(most=False, skip=True),
    "nanargmax": _arg(most=True, skip=True),
    "var": _moment(2, 0),
    "std": _moment(2, 1),
    "nanvar": _moment(2, 0, skip=True),
    "nanstd": _moment(2, 1, skip=True),
    **{f"moment{order}": _moment(order, 2) for order in (2, 3, 4)},
    **{f"moment_parts{order}": _moment(order, 3) for order in (2, 3, 4)},
    **{f"nanmoment_parts{order}": _moment(order, 3, skip=True) for order in (2, 3, 4)},
    **{f"norm{kind}": _norm(kind) for kind in (0, 1, 2)},
    "token": _token,
}
"""Operations by name. A rule says which type of the source does it for a dtype, and a wanted one; None: not ours."""


@lru_cache(maxsize=1024)
def operation(name: str, dtype: np.dtype[Any], wanted: np.dtype[Any] | None) -> Operation | None:
    """The operation `name` of `RULES` for a dtype, or None where the kernels do not have it."""
    reads = element(dtype)
    found = RULES[name](dtype, wanted) if reads else None
    return replace(found, reads=reads) if found and reads and not found.reads else found
