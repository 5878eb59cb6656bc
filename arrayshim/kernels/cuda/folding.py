"""Merging the results of chunks: which type of the source does it, and the parameter of the kernel. No device."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.kernels.cuda.operations import Operation, element, operation
from arrayshim.kernels.cuda.program import SOURCE

#: Most pieces of a launch; their addresses are part of its parameter.
PIECES = 32

_TEXT = (Path(__file__).parent / "fold.cu").read_text()

#: The struct Q of the source.
QUERY = np.dtype(
    [
        ("size", "u8"),
        ("ddof", "f8"),
        *((f"out{k}", "u8") for k in range(3)),
        ("in", "u8", 3 * PIECES),
        ("count", "u4"),
    ],
    align=True,
)
#: Words of 64 bits that come before the addresses of the pieces, and in all.
AHEAD = int(dict(QUERY.fields or {})["in"][1]) // 8
WORDS = QUERY.itemsize // 8

_Dtypes = tuple["np.dtype[Any]", ...]


def _means(dtypes: _Dtypes, wanted: Any, order: int, *, parts: bool) -> Operation | None:
    total, number = dtypes
    if total != number or total.kind not in "fc" or wanted not in (None, total):
        return None
    name = element(total)
    via = "f32" if name == "f16" and not parts else name
    return Operation(f"Mean<{name}, {via}, {name}, false, {str(parts).lower()}>", (total,) * (1 + parts))


def _moments(dtypes: _Dtypes, wanted: Any, order: int, *, parts: bool) -> Operation | None:
    total, number, moments = dtypes
    known = number == np.int64 and total.kind in "fc" and moments.kind == "f" and wanted in (None, moments)
    if not known or not 2 <= order <= (2 if total.kind == "c" else 4):
        return None
    name, result, kind = element(total), element(moments), 3 if parts else 2
    if total.kind == "c":
        code = f"ComplexMoment<{name}, {name}, {result}, false, {kind}>"
    else:
        code = f"Moment<{name}, {name}, {result}, {order}, false, {kind}>"
    return Operation(code, dtypes if parts else (moments,))


def _places(dtypes: _Dtypes, most: bool, skip: bool) -> Operation | None:
    value, index = dtypes
    skipping = skip and value.kind in "fc"
    code = f"Place<{element(value)}, {str(most).lower()}, {str(skipping).lower()}>"
    return Operation(code, (index, value)) if index == np.int64 else None


@lru_cache(maxsize=1024)
def folding(name: str, dtypes: _Dtypes, wanted: np.dtype[Any] | None, order: int) -> Operation | None:
    """How pieces of an operation are merged, or None where the kernels do not have it.

    Parameters
    ----------
    name : str
        An operation whose results are merged by itself (``"sum"``, ``"nanmax"``); ``"mean"`` and ``"moment"`` for the
        last step of a tree, with ``"_parts"`` for those before; ``"argmin"`` and its like.
    dtypes : tuple of dtype
        Of the arrays of a piece.
    wanted : dtype, optional
        That the caller asked for.
    order : int
        Of a moment.
    """
    reads = element(dtypes[0])
    if reads is None:
        return None
    base, _, parts = name.partition("_")
    if base == "mean":
        found = _means(dtypes, wanted, order, parts=bool(parts))
    elif base == "moment":
        found = _moments(dtypes, wanted, order, parts=bool(parts))
    elif "arg" in base:
        found = _places(dtypes, base.endswith("max"), base.startswith("nan"))
    else:
        found = operation(name, dtypes[0], wanted)
    return None if found is None else Operation(found.code, found.results, reads)


def program(code: str, reads: str) -> str:
    """The CUDA source of a merge, with the kernel `fold`; arguments as the fields of `Operation`."""
    return (
        f"#define INDEX u64\n#define UNROLL 1\n#define PIECES {PIECES}\n{SOURCE}\n{_TEXT}\n"
        f"typedef {code} Op;\n"
        f'extern "C" __global__ void __launch_bounds__(256) fold(const Q q) {{ folded<Op, {reads}>(q); }}\n'
    )


def query(size: int, ddof: float, addresses: Sequence[Sequence[int]], outputs: Sequence[int]) -> Any:
    """The words of one `QUERY`, for pieces at these addresses and results at those."""
    words = np.zeros(WORDS, np.uint64)
    words[0] = size
    words[1:2].view(np.float64)[0] = ddof
    words[2 : 2 + len(outputs)] = outputs
    width = len(addresses[0])
    words[AHEAD : AHEAD + 3 * len(addresses)].reshape(-1, 3)[:, :width] = addresses
    words[-1] = len(addresses)
    return words
