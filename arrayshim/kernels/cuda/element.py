"""From a stream, a kind and places to a kernel of `element.cu` and its one parameter. Text and numbers; no device."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.kernels._places import MASK, Kind, Places, Stream

SOURCE = (Path(__file__).parent / "element.cu").read_text()

MOST_AXES = 8
THREADS = 256

#: The struct P of the source.
PARAMETER = np.dtype(
    [
        *((name, "u8") for name in ("key0", "key1", "attempt", "number", "jump")),
        *((name, "u8") for name in ("offset", "length", "rows", "total")),
        ("size", "u8", MOST_AXES),
        ("stride", "i8", MOST_AXES),
        *((name, "u8") for name in ("low", "most")),
        *((name, "f8") for name in ("scale", "shift")),
        *((name, "u8") for name in ("out", "index")),
        *((name, "u4") for name in ("axes", "affine")),
    ],
    align=True,
)
OPAQUE = np.dtype((np.void, PARAMETER.itemsize))

_INTEGERS = {
    "?": "unsigned char",
    "b": "signed char",
    "h": "short",
    "i": "int",
    "l": "i64",
    "q": "i64",
    "B": "unsigned char",
    "H": "unsigned short",
    "I": "u32",
    "L": "u64",
    "Q": "u64",
}


def code(kind: Kind) -> str:
    """The type of the source that makes a kind."""
    if kind.name == "integers":
        return f"Integers<{_INTEGERS[kind.dtype.char]} >"
    if kind.name == "normal":
        return "Normal<f64 >" if kind.dtype == np.float64 else "Normal<f32 >"
    if kind.name == "raw":
        return "Raw"
    return "Random" if kind.dtype == np.float64 else "Random32"


def program(made: str | None) -> str:
    """The CUDA source for a type of :func:`code` with the kernels ``run_`` and ``strided_``; for None with ``words``."""
    head = f'extern "C" __global__ void __launch_bounds__({THREADS})'
    if made is None:
        return f"{SOURCE}\n{head} words(const P p) {{ all_words(p); }}\n"
    return (
        f"{SOURCE}\ntypedef {made} K;\n"
        f"{head} run_(const P p) {{ run<K>(p); }}\n{head} strided_(const P p) {{ strided<K>(p); }}\n"
    )


def parameter(stream: Stream, attempt: int, places: Places | None, kind: Kind | None = None) -> Any:
    """One `PARAMETER` without pointers; None where the places have too many axes.

    Parameters
    ----------
    stream : Stream
    attempt : int
    places : Places or None
        None for a list of indices.
    kind : Kind, optional
    """
    made = np.zeros(1, PARAMETER)
    entry = made[0]
    entry["key0"], entry["key1"] = stream.key
    entry["attempt"], entry["number"], entry["jump"] = stream.counter(attempt)
    if places is not None:
        axes = places.merged()[::-1]
        if len(axes) > MOST_AXES:
            return None
        entry["offset"], entry["axes"] = places.offset & MASK, len(axes)
        entry["length"], entry["total"] = axes[0][0], places.size
        entry["rows"] = math.prod(n for n, _ in axes[1:])
        for k, (n, step) in enumerate(axes):
            entry["size"][k], entry["stride"][k] = n, step
    if kind is not None:
        entry["low"], entry["most"] = kind.low & MASK, kind.most
        entry["scale"], entry["shift"] = kind.scale, kind.shift
        entry["affine"] = (kind.scale != 1.0) + 2 * (kind.shift != 0.0)
    return made


def is_run(entry: Any) -> bool:
    """Whether the elements of a row are neighbours, and enough for a thread to make a block of them."""
    return bool(entry["stride"][0] == 1 and (entry["length"] >= 4 or entry["rows"] == 1))
