"""Elements of an operand that are there and do not count: masked ones, where a library has such.

A backend with ``hide(chunk, places)`` gets operands in which some are hidden. NumPy-backed dask, the oracle of the
others, hides nothing; so such operands are given only to cases that NumPy takes as they are, and what the backend's
own arrays give there, without dask, is the oracle.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .layouts import BASE, Variation

#: Operands that have hidden elements, and which of six: others are indices, masks and matrices to be solved.
_REST = {"x": 4, "y": 1, "v": 4, "w": 1, "cube": 4, "ints": 4, "complexes": 4, "nans": 4}


def places(name: str, variation: Variation, shape: tuple[int, ...], code: str) -> str | None:
    """NumPy code that says which elements of an operand are hidden.

    Parameters
    ----------
    name : str
        Of the operand.
    variation : Variation
        Of the case. `x` and `y` of the plain one hide every sixth element, so that some chunks have none; those with
        NaN hide the NaNs; others hide nothing.
    shape : tuple of int
        Of the operand.
    code : str
        That draws it.

    Returns
    -------
    str or None
        Of a boolean array of that shape; None where nothing is hidden.
    """
    if name not in _REST:
        return None
    if name in ("x", "y") and variation != BASE:
        return f"np.isnan({code})" if variation.values == "nan" else None
    return f"np.arange({math.prod(shape)}).reshape({shape}) % 6 == {_REST[name]}"


def host_places(name: str, variation: Variation, shape: tuple[int, ...], code: str) -> Any:
    """The boolean array itself, or None."""
    found = places(name, variation, shape, code)
    return None if found is None else eval(found, {"np": np})  # code of our own
