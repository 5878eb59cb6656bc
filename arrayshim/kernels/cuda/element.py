"""From a stream, a kind and places to a kernel of `element.cu` and its one parameter. Text and numbers; no device."""

from __future__ import annotations

import math
import struct
from pathlib import Path
from typing import Any

import numpy as np

from arrayshim.kernels._places import MASK, Kind, Places, Stream

SOURCE = (Path(__file__).parent / "element.cu").read_text()

MOST_AXES, MOST_GIVEN = 8, 4
THREADS = 256

#: The struct P of the source: names, codes of `struct`, lengths of arrays; no gaps.
_MEMBERS = (
    *((name, "Q", 0) for name in ("key0", "key1", "attempt", "number", "jump")),
    *((name, "Q", 0) for name in ("offset", "length", "rows", "total")),
    ("size", "Q", MOST_AXES),
    ("stride", "q", MOST_AXES),
    *((name, "Q", 0) for name in ("low", "most", "few")),
    *((name, "d", 0) for name in ("scale", "shift")),
    ("given", "d", MOST_GIVEN),
    *((name, "Q", 0) for name in ("out", "index")),
    *((name, "I", 0) for name in ("axes", "affine")),
)
BYTES = sum((8 if code != "I" else 4) * max(1, length) for _, code, length in _MEMBERS)
OPAQUE = np.dtype((np.void, BYTES))

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


#: The kernels of a kind, by the step between neighbours.
KERNELS = ("run", "stepped", "strided")


def code(kind: Kind) -> str:
    """The type of the source that makes a kind."""
    if kind.name == "integers":
        return f"Integers<{_INTEGERS[kind.dtype.char]}, {kind.bits} >"
    if kind.name == "normal":
        return "Normal<f64 >" if kind.dtype == np.float64 else "Normal<f32 >"
    if kind.name == "raw":
        return f"Each<Raw<{_INTEGERS[kind.dtype.char]} > >"
    return "Each<Random>" if kind.dtype == np.float64 else "Each<Random32>"


def program(made: str | None, before: str = "") -> str:
    """The CUDA source for a type of :func:`code`, with the kernels `KERNELS`; for None with the kernel ``words``.

    Before it stands what defines the type, where `SOURCE` does not.
    """
    head = f'extern "C" __global__ void __launch_bounds__({THREADS})'
    if made is None:
        return f"{SOURCE}\n{head} words(const P p) {{ all_words(p); }}\n"
    kernels = "\n".join(f"{head} {name}_(const P p) {{ {name}<K>(p); }}" for name in KERNELS)
    return f"{SOURCE}\n{before}typedef {made} K;\n{kernels}\n"


def parameter(
    stream: Stream, attempt: int, places: Places | None, kind: Kind | None = None, *, count: int = 0
) -> dict[str, Any] | None:
    """The members of the struct P, for :func:`packed`, without pointers; None where the places have too many axes.

    Parameters
    ----------
    stream : Stream
    attempt : int
    places : Places or None
        None for a list of indices.
    kind : Kind, optional
    count : int, keyword-only
        Of indices in a list.
    """
    axes = places.merged()[::-1] if places is not None else ((1, 1),)
    if len(axes) > MOST_AXES:
        return None
    made = dict(zip(("attempt", "number", "jump"), stream.counter(attempt), strict=True))
    made["key0"], made["key1"] = stream.key
    made["offset"], made["total"] = (places.offset & MASK, places.size) if places is not None else (0, count)
    made["axes"], made["length"] = len(axes), axes[0][0]
    made["rows"] = math.prod(n for n, _ in axes[1:])
    more: dict[str, Any] = {"size": [n for n, _ in axes], "stride": [step for _, step in axes]}
    if kind is not None:
        made["low"], made["most"], made["few"] = kind.low & MASK, kind.most, kind.rejected
        more["scale"], more["shift"] = kind.scale, kind.shift
        made["affine"] = (kind.scale != 1.0) + 2 * (kind.shift != 0.0)
    return {**made, **more}


_FORMAT = struct.Struct("=" + "".join(f"{shape or ''}{code}" for _, code, shape in _MEMBERS))


def packed(made: dict[str, Any]) -> Any:
    """The struct as one opaque value: NumPy takes microseconds for every member that is set."""
    values: list[Any] = []
    for name, _, length in _MEMBERS:
        if length:
            given = made.get(name, ())
            values += [*given, *[0] * (length - len(given))]
        else:
            values.append(made.get(name, 0))
    return np.frombuffer(_FORMAT.pack(*values), OPAQUE)


def serving(made: dict[str, Any], kind: Kind) -> tuple[int, int]:
    """Which of `KERNELS` serves a layout, and the threads that have something to do."""
    step, length = made["stride"][0], made["length"]
    # What a thread makes, as `Unit` of the source has it.
    unit = min(kind.per_block, 32 // kind.dtype.itemsize)
    if 1 <= step <= 3 * unit // 4 and (length >= 4 or made["rows"] == 1):
        return int(step != 1), (length * step // unit + 2) * made["rows"]
    return 2, made["total"]
