"""scipy.sparse matrices and arrays, which have methods but no NEP-18: what they lack is refused, not guessed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import scipy.sparse as sp

from arrayshim import kernels
from arrayshim.errors import UnsupportedError

_METHODS = ("sum", "mean", "min", "max", "argmin", "argmax")
_LACKING = sorted({*kernels.REDUCTIONS, "chunk_percentile"} - set(_METHODS))


def _method(name: str) -> Callable[..., Any]:
    def reduce(x: Any, axis: int | None = None, keepdims: bool = False, **kwargs: Any) -> Any:
        if keepdims:
            raise UnsupportedError(f"{name} of {type(x).__name__} has no keepdims; reduce x.toarray() instead")
        return getattr(x, name)(axis=axis, **kwargs)

    return reduce


def _refusal(name: str) -> Callable[..., Any]:
    operation = name.removeprefix("chunk_")

    def refuse(x: Any, *args: Any, **kwargs: Any) -> Any:
        raise UnsupportedError(
            f"scipy.sparse has no {operation} for {type(x).__name__}; use x.toarray(), or sparse.COO(x)"
        )

    return refuse


for _cls in (sp.spmatrix, sp.sparray):
    for _name in _METHODS:
        kernels.TABLES[_name].add(_cls, _method(_name))
    for _name in _LACKING:
        kernels.TABLES[_name].add(_cls, _refusal(_name))
