"""CuPy's rules as data: signatures, ufunc loops, supported dtypes (read from ``strict_cupy.json`` on first use)."""

from __future__ import annotations

import functools
import inspect
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

_SUPPORTED = frozenset("?bhilqBHILQefdFD")


@functools.cache
def table() -> dict[str, Any]:
    """The whole table; see ``fidelity_table.build`` for its keys."""
    loaded: dict[str, Any] = json.loads(Path(__file__).parent.with_name("strict_cupy.json").read_text(encoding="utf-8"))
    return loaded


def native_dtype(dtype: Any) -> np.dtype[Any]:
    """`dtype` as CuPy would store it; ValueError for what cannot live on a device."""
    found: np.dtype[Any] = np.dtype(dtype)
    if found.char in _SUPPORTED and found.isnative:
        return found
    if not found.isnative:
        raise ValueError(f"Unsupported dtype {found} with big-endian byte-order")
    if found.kind == "V" and found.subdtype is None and found.itemsize and not found.hasobject:
        return found
    raise ValueError(f"Unsupported dtype {found}")


@functools.cache
def signature(words: str) -> inspect.Signature:
    """The signature that a string of parameter names of the table stands for."""
    parameters: list[inspect.Parameter] = []
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for word in words.split():
        name = word.strip("*=")
        if word == "/":
            parameters = [p.replace(kind=inspect.Parameter.POSITIONAL_ONLY) for p in parameters]
        elif word.startswith("**"):
            parameters.append(inspect.Parameter(name, inspect.Parameter.VAR_KEYWORD))
        elif word.startswith("*"):
            if name:
                parameters.append(inspect.Parameter(name, inspect.Parameter.VAR_POSITIONAL))
            kind = inspect.Parameter.KEYWORD_ONLY
        else:
            default = None if word.endswith("=") else inspect.Parameter.empty
            parameters.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(parameters)


def public_functions(module: Any) -> dict[str, Any]:
    """The public functions that `module` defines itself, by name."""
    return {n: v for n, v in vars(module).items() if n[0] != "_" and getattr(v, "__module__", None) == module.__name__}


@dataclass(frozen=True, slots=True)
class Loop:
    """One typed loop of a CuPy ufunc; `refused` loops exist to raise TypeError."""

    inputs: tuple[np.dtype[Any], ...]
    outputs: tuple[np.dtype[Any], ...]
    refused: bool


@dataclass(frozen=True, slots=True)
class UfuncRow:
    """What the table knows of one CuPy ufunc."""

    name: str
    loops: tuple[Loop, ...]
    out_loops: tuple[Loop, ...]
    casting: str
    scatter: str | None
    integers_compare_strongly: bool

    @property
    def nin(self) -> int:
        """Number of inputs."""
        return len(self.loops[0].inputs)

    @property
    def nout(self) -> int:
        """Number of outputs."""
        return len(self.loops[0].outputs)


def _loops(words: str) -> tuple[Loop, ...]:
    found = []
    for word in words.split():
        left, right = word.lstrip("!").split("->")
        found.append(Loop(tuple(map(np.dtype, left)), tuple(map(np.dtype, right)), word.startswith("!")))
    return tuple(found)


@functools.cache
def ufunc_row(name: str) -> UfuncRow | None:
    """CuPy's ufunc of that name (of ``cupyx.scipy.special`` too, as ``__array_ufunc__`` looks there), or None."""
    row = table()["ufuncs"].get(name) or table()["special"].get(name)
    if row is None:
        return None
    loops = _loops(row["loops"])
    return UfuncRow(
        name=name,
        loops=loops,
        out_loops=_loops(row["out_loops"]) if "out_loops" in row else loops,
        casting=row.get("casting", "same_kind"),
        scatter=row.get("scatter"),
        integers_compare_strongly=row.get("integers_compare_strongly", False),
    )


# A Python scalar adapts to the arrays beside it (NEP 50); a NumPy scalar counts with its own dtype.
_PYTHON_SCALARS: dict[type, tuple[np.dtype[Any], type | None]] = {
    bool: (np.dtype(bool), None),
    int: (np.dtype(np.int64), int),
    float: (np.dtype(np.float64), float),
    complex: (np.dtype(np.complex128), complex),
}


def describe(value: Any) -> tuple[np.dtype[Any], type | None]:
    """(dtype, Python type when the value is a weak scalar) of a ufunc operand; TypeError when CuPy knows no such."""
    if isinstance(value, np.ndarray):
        return value.dtype, None
    found = _PYTHON_SCALARS.get(type(value))
    if found is None:
        if isinstance(value, np.generic) and value.dtype.char in _SUPPORTED:
            return value.dtype, None
        raise TypeError(f"Unsupported type {type(value)}")
    if type(value) is int and value >= 1 << 63:
        return np.dtype(np.uint64), int
    return found


def _kind_score(kind: type) -> int:
    order: tuple[tuple[tuple[type, ...], int], ...] = (
        ((np.bool_,), 0),
        ((np.integer, int), 1),
        ((np.inexact, float, complex), 2),
    )
    return next((score for kinds, score in order if issubclass(kind, kinds)), 3)


def _adapts(dtypes: Sequence[np.dtype[Any]], weak: Sequence[type | None]) -> bool:
    """Whether the weak scalars may follow the arrays: only if their kind is not the higher one."""
    scalars = [_kind_score(w) for w in weak if w is not None]
    arrays = [_kind_score(d.type) for d, w in zip(dtypes, weak, strict=True) if w is None]
    return bool(scalars and arrays) and max(arrays) >= max(scalars)


def _fits(given: np.dtype[Any], loop: np.dtype[Any], weak: type | None) -> bool:
    if np.can_cast(given, loop):
        return True
    if weak is None:
        return False
    try:
        return bool(np.result_type(weak(0), loop) == loop)
    except TypeError:
        return False


@functools.lru_cache(maxsize=4096)
def _choose(name: str, dtypes: tuple[np.dtype[Any], ...], weak: tuple[type | None, ...]) -> Loop | None:
    row = ufunc_row(name)
    assert row is not None
    compares = row.integers_compare_strongly and int in weak
    if not _adapts(dtypes, weak) or (
        compares and any(d.kind in "iu" for d, w in zip(dtypes, weak, strict=True) if w is None)
    ):
        weak = (None,) * len(weak)
    for loop in row.loops:
        if all(_fits(d, t, w) for d, t, w in zip(dtypes, loop.inputs, weak, strict=True)):
            return loop
    return None


def choose_loop(row: UfuncRow, operands: Sequence[Any], dtype: np.dtype[Any] | None) -> Loop:
    """The loop that CuPy takes: the first that every operand can be cast to, or the first that yields `dtype`."""
    described = [describe(value) for value in operands]
    if dtype is None:
        dtypes = tuple(d for d, _ in described)
        loop = _choose(row.name, dtypes, tuple(w for _, w in described))
    else:
        dtypes = (dtype,)
        loop = next((lo for lo in row.out_loops if all(t == dtype for t in lo.outputs)), None)
    if loop is None or loop.refused:
        names = ", ".join(map(str, dtypes))
        raise TypeError(f"Wrong type ({names}) of arguments for cupy_{row.name}")
    return loop


def check_cast(given: np.dtype[Any], wanted: np.dtype[Any], casting: str, what: str) -> None:
    """TypeError when `given` may not be written into `wanted`."""
    if given != wanted and not np.can_cast(given, wanted, casting):  # type: ignore[arg-type]
        raise TypeError(f"Cannot cast {what} from {given!r} to {wanted!r} according to the rule {casting!r}")
