"""Elements of an operand that are there and do not count: masked ones, where a library has such.

A backend with ``hide(chunk, places)`` gets operands in which some are hidden. NumPy-backed dask, the oracle of the
others, hides nothing; so such operands are given only to cases that NumPy takes as they are, and what the backend's
own arrays give there, without dask, is the oracle.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from .layouts import BASE, Variation

#: Operands that have hidden elements, and which of six: others are indices, masks and matrices to be solved.
_REST = {"x": 4, "y": 1, "v": 4, "w": 1, "cube": 4, "ints": 4, "complexes": 4, "nans": 4}

#: Functions by which NumPy forgets what is hidden, where dask does not. What can stand in for a hidden element, so that
#: they give what is right without knowing: NaN where elements are only moved, and are hidden where they arrive; 0 where
#: products or sizes are summed, and a hidden one must not count. Either answer is taken, NumPy's and this.
_MOVING = (
    *("append", "block", "concat", "concatenate", "delete", "dstack", "fft.fftshift", "fft.ifftshift", "hstack"),
    *("insert", "pad", "stack", "vstack"),
)
_SUMMING = ("count_nonzero", "linalg.norm", "tensordot", "vdot")
STAND_INS: Mapping[str, tuple[float, ...]] = {
    **dict.fromkeys(_MOVING, (np.nan,)),
    **dict.fromkeys(_SUMMING, (0.0, np.nan)),
}


def stand_ins(code: str) -> Iterator[tuple[Callable[[Any, Any], Any], Callable[[Any], Any]]]:
    """For the code of a case: how to fill its operands, and how to hide what came of it."""
    called = re.findall(r"\b(?:da|np)\.([\w.]+)\(", code)
    found = dict.fromkeys(value for name in called for value in STAND_INS.get(name, ()))
    for value in found:
        yield partial(_filled, value), _nans_hidden if value != value else np.ma.asarray


def _filled(value: float, host: Any, away: Any) -> Any:
    if value != value and host.dtype.kind not in "fc":
        raise TypeError(f"{host.dtype} has no NaN")
    return np.where(away, np.asarray(value, host.dtype), host)


def _nans_hidden(x: Any) -> Any:
    return np.ma.masked_where(np.isnan(x), x) if np.asarray(x).dtype.kind in "fc" else x


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
