"""The calls that are compared between ``arrayshim.strict`` and CuPy, one expression each.

An expression sees ``np`` (NumPy), ``xp`` (the device library's namespace), ``d`` (host to device) and the operands of
`OPERANDS`, made anew for every expression. Statements may come before it, separated by ``;``. What depends on chance,
on NumPy's version, or on the order in which a GPU adds is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .calls_functions import FUNCTIONS
from .calls_indexing import INDEXING
from .calls_linear import LINEAR
from .calls_making import CONVERSION, CREATION, LIKE
from .calls_operators import OPERATORS
from .calls_reductions import REDUCTIONS
from .calls_shapes import SHAPES
from .calls_ufuncs import UFUNCS

NAN = float("nan")

# Device operands: lower case. Host operands: `h...`.
OPERANDS: dict[str, Callable[[Any], Any]] = {
    "x": lambda d: d([1.5, -2.0, 0.25, 4.0]),
    "y": lambda d: d([0.5, 3.0, -1.0, 2.0]),
    "m": lambda d: d(np.arange(12.0).reshape(3, 4)),
    "t": lambda d: d(np.arange(24).reshape(2, 3, 4)),
    "i": lambda d: d([3, 1, 2, 0]),
    "u": lambda d: d(np.array([1, 2, 250], np.uint8)),
    "j": lambda d: d(np.array([1, -2, 3], np.int8)),
    "w": lambda d: d(np.array([1.5, 2.5, 3.5, 0.5], np.float32)),
    "p": lambda d: d(np.array([1.5, 2.5, 3.5, 0.5], np.float16)),
    "c": lambda d: d([1 + 2j, 3 - 1j, 0.5j, -2 + 0j]),
    "b": lambda d: d([True, False, True, False]),
    "q": lambda d: d([[4.0, 1.0], [1.0, 3.0]]),
    "z": lambda d: d(2.5),
    "k": lambda d: d(2),
    "e": lambda d: d(np.zeros(0)),
    "n": lambda d: d([1.0, NAN, 3.0, 2.0]),
    "r": lambda d: d([[1.0, NAN, 3.0], [NAN, NAN, NAN]]),
    "v": lambda d: d(np.array([(1, 2.5), (3, 4.5)], dtype=[("a", np.int32, ()), ("f", np.float32, ())])),
    "hx": lambda d: np.array([1.0, 2.0, 3.0, 4.0]),
    "hm": lambda d: np.arange(12.0).reshape(3, 4),
    "h0": lambda d: np.array(2.0),
    "hk": lambda d: np.array(2),
    "hs": lambda d: np.float64(2.0),
    "hi": lambda d: np.array([0, 2]),
    "hb": lambda d: np.array([True, False, True, False]),
}

SECTIONS = {
    "creation": CREATION,
    "like": LIKE,
    "conversion": CONVERSION,
    "operators": OPERATORS,
    "ufuncs": UFUNCS,
    "reductions": REDUCTIONS,
    "indexing": INDEXING,
    "shapes": SHAPES,
    "functions": FUNCTIONS,
    "linear": LINEAR,
}


def calls() -> dict[str, str]:
    """{expression: section}; an expression that stands twice is an error."""
    found: dict[str, str] = {}
    for section, text in SECTIONS.items():
        for line in filter(None, text.splitlines()):
            if line in found:
                raise ValueError(f"{line!r} found in {found[line]} and {section}: once was expected -> delete one")
            found[line] = section
    return found
