"""Comparing what was computed with what the oracle says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

#: Relative tolerance by dtype, of the largest value in the array; integers, booleans and the rest must be equal.
RTOL: Mapping[str, float] = {"f2": 2e-2, "f4": 5e-5, "f8": 1e-10, "c8": 5e-5, "c16": 1e-10}


def tolerance(dtypes: list[Any], own: Mapping[str, float]) -> float:
    """That of the least precise of some dtypes; `own`: the backend's, which go before."""
    found = [own.get(np.dtype(d).str[1:], RTOL.get(np.dtype(d).str[1:], 0.0)) for d in dtypes if d is not None]
    return max(found, default=RTOL["f8"])


def difference(got: Any, want: Any, *, rtol: float, atol: float | None = None) -> str | None:
    """Where two host values differ.

    Parameters
    ----------
    got, want : array_like or object
        Of equal shape, if arrays. NaN equals NaN, a masked element equals a masked element.
    rtol : float
        Of the largest finite value of `want`.
    atol : float, optional
        Added to it.

    Returns
    -------
    str or None
        ``value[2, 1]=3.0, expected 4.0``, the worst one; None when they agree.
    """
    if not _is_array(want) and not _is_array(got):
        return None if _same(got, want) else f"value={_short(got)}, expected {_short(want)}"
    if isinstance(got, np.ma.MaskedArray) or isinstance(want, np.ma.MaskedArray):
        here, there = np.ma.getmaskarray(np.ma.asarray(got)), np.ma.getmaskarray(np.ma.asarray(want))
        if here.shape != there.shape or (here != there).any():
            return f"mask={_short(here)}, expected {_short(there)}"
        got, want = (np.ma.asarray(a).filled(_filler(a)) for a in (got, want))
    a, b = np.asarray(got), np.asarray(want)
    if a.dtype.kind not in "biufc" or b.dtype.kind not in "biufc":
        return None if np.array_equal(a, b) else f"value={_short(a)}, expected {_short(b)}"
    with np.errstate(all="ignore"):
        return _numeric(a, b, rtol, atol)


def _numeric(a: Any, b: Any, rtol: float, atol: float | None) -> str | None:
    equal = (a == b) | (_is_nan(a) & _is_nan(b))
    if equal.all():
        return None
    if a.dtype.kind in "fc" or b.dtype.kind in "fc":
        wide = np.result_type(a, b, np.float64)
        a, b = a.astype(wide), b.astype(wide)
        finite = np.isfinite(a) & np.isfinite(b)
        scale = float(np.abs(b[finite]).max(initial=0.0))
        gap = np.where(finite, np.abs(a - b), np.inf)
        if a.dtype.kind == "c":
            equal |= _close_parts(a, b, rtol * scale + (atol or 0.0))
        equal |= finite & (gap <= rtol * scale + (atol or 0.0))
        if equal.all():
            return None
        gap = np.where(equal, 0, gap)
    else:
        gap = ~equal
    where = np.unravel_index(int(np.argmax(gap)), gap.shape)
    place = f"[{', '.join(map(str, map(int, where)))}]" if where else ""
    return f"value{place}={_short(a[where])}, expected {_short(b[where])}"


def _close_parts(a: Any, b: Any, allowed: float) -> Any:
    """A complex value may be infinite or NaN in one part only; then each part is compared."""
    parts = [(a.real, b.real), (a.imag, b.imag)]
    close = [(p == q) | (np.isnan(p) & np.isnan(q)) | (np.abs(p - q) <= allowed) for p, q in parts]
    return close[0] & close[1]


def _is_nan(x: Any) -> Any:
    return np.isnan(x) if x.dtype.kind in "fc" else np.zeros(x.shape, bool)


def _filler(a: Any) -> Any:
    kind = np.asarray(a).dtype.kind
    return 0 if kind in "biufc" else None


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray | np.generic | int | float | complex)


def _same(got: Any, want: Any) -> bool:
    try:
        return bool(got == want) or (got != got and want != want)
    except Exception:  # what cannot be compared is compared by how it looks
        return repr(got) == repr(want)


def _short(x: Any) -> str:
    if isinstance(x, np.generic):
        x = x.item()
    text = " ".join((np.array2string(x, threshold=8, edgeitems=2) if isinstance(x, np.ndarray) else repr(x)).split())
    return text if len(text) <= 120 else text[:117] + "..."


def in_order(x: Any) -> Any:
    """A host array with its elements sorted, for results whose order nobody promised."""
    flat = np.asarray(x).ravel()
    return flat[np.lexsort((flat.imag, flat.real))] if flat.dtype.kind == "c" else np.sort(flat)
