"""What CuPy's ufuncs compute, by NumPy's; where the two differ in a value, CuPy's is given."""

from __future__ import annotations

from typing import Any

import numpy

from .rules import UfuncRow

np: Any = numpy

# Names under which CuPy's ufunc does what NumPy's ufunc of another name does.
_NUMPY_NAME = {
    "_copy": "positive",
    "alltrue": "logical_and",
}


def _where(condition: Any, x: Any, y: Any) -> Any:
    return np.where(condition, x, y)


def _clip(x: Any, low: Any, high: Any) -> Any:
    # when the bounds cross CuPy takes the upper one for all, NumPy too
    return np.minimum(np.maximum(x, low), high)


def _round(x: Any, decimals: Any) -> Any:
    if x.dtype.kind == "b":
        return x.astype(np.float16)
    return np.round(x, int(decimals)) if int(decimals) > 0 or x.dtype.kind not in "iu" else x.copy()


def _round_negative(x: Any, decimals: Any) -> Any:
    return x.astype(np.float16) if x.dtype.kind == "b" else np.round(x, -int(decimals))


def _nan_to_num(x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if x.dtype.kind not in "fc":
        return x.copy()
    return np.nan_to_num(x, nan=nan[()], posinf=posinf[()], neginf=neginf[()])


def _is_close(a: Any, b: Any, rtol: Any, atol: Any, equal_nan: Any) -> Any:
    close = np.abs(a - b) <= atol + rtol * np.abs(b)
    finite = np.isfinite(a) & np.isfinite(b)
    return np.where(finite, close, (a == b) | (equal_nan & np.isnan(a) & np.isnan(b)))


def _integer_power(x: Any, y: Any) -> Any:
    """``x ** y`` that, as CuPy's kernel, gives 0 (or 1, or -1) for a negative exponent instead of raising."""
    if y.dtype.kind != "i" or not (np.asarray(y) < 0).any():
        return np.power(x, y)
    positive = np.power(x, np.maximum(y, 0))
    odd = np.where(y % 2 == 0, 1, -1)
    return np.where(y >= 0, positive, np.where(x == 1, 1, np.where(x == -1, odd, 0))).astype(positive.dtype)


def _reciprocal(x: Any) -> Any:
    return np.where(x == 0, x, np.reciprocal(np.where(x == 0, 1, x))) if x.dtype.kind in "iu" else np.reciprocal(x)


_COMPUTE: dict[str, Any] = {
    "_where": _where,
    "_clip": _clip,
    "_round": _round,
    "_round_negative": _round_negative,
    "_nan_to_num": _nan_to_num,
    "_is_close": _is_close,
    "_is_close_complex": _is_close,
    "_angle": np.angle,
    "_angle_deg": lambda z: np.angle(z, deg=True),
    "fix": np.trunc,
    "i0": np.i0,
    "reciprocal": _reciprocal,
    "sinc": np.sinc,
    "power": _integer_power,
    "pow": _integer_power,
}


def numpy_function(row: UfuncRow) -> Any:
    """What computes a ufunc of the table on host values already cast to its loop."""
    found = _COMPUTE.get(row.name) or getattr(np, _NUMPY_NAME.get(row.name, row.name), None)
    if found is None:
        import scipy.special  # only CuPy's special ufuncs get here, and SciPy's own ufunc asked for them

        found = getattr(scipy.special, row.name)
    return found
