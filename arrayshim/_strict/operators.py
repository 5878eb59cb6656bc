"""The operators of a strict array, and the methods that are functions with the array first: made from tables."""

from __future__ import annotations

import warnings
from typing import Any

import numpy

from . import functions, ufunc
from .rules import signature, table

np: Any = numpy


def _defers_to(self: Any, other: Any) -> bool:
    """Whether `other` asks to do the operation itself (NEP 13, and the older priority)."""
    absent = object()
    theirs = getattr(other, "__array_ufunc__", absent)
    if theirs is not absent:
        return theirs is None
    return bool(getattr(self, "__array_priority__", 0) < getattr(other, "__array_priority__", 0))


def _binary(name: str) -> tuple[Any, Any, Any]:
    """``x <op> y``, ``y <op> x`` and ``x <op>= y``."""
    public = getattr(np, name)

    def call(kind: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        if name == "matmul":
            return functions.call(kind, "", name, (x, y), kwargs)
        return ufunc.call(kind, name, (x, y), kwargs)

    def forward(self: Any, other: Any) -> Any:
        if isinstance(other, self._kind):
            return call(self._kind, self, other)
        return NotImplemented if _defers_to(self, other) else public(self, other)

    def backward(self: Any, other: Any) -> Any:
        return call(self._kind, other, self)

    def in_place(self: Any, other: Any) -> Any:
        return call(self._kind, self, other, out=self)

    return forward, backward, in_place


def _plain(value: Any, method: str) -> bool:
    """Whether `value` compares as any object does, by identity."""
    return getattr(type(value), method) is getattr(object, method)


def _compare(name: str) -> Any:
    public = getattr(np, name)

    def compare(self: Any, other: Any) -> Any:
        if isinstance(other, self._kind):
            return ufunc.call(self._kind, name, (self, other), {})
        if _defers_to(self, other):
            return NotImplemented
        if isinstance(other, np.ndarray) and other.ndim == 0:
            other = other.item()
        # None, Ellipsis and other plain objects equal no number
        if name in ("equal", "not_equal") and (
            other is None or (_plain(other, "__eq__") and (name == "equal" or _plain(other, "__ne__")))
        ):
            return self._kind._wrap(np.full(self.shape, name == "not_equal"))
        return public(self, other)

    return compare


def _unary(name: str) -> Any:
    return lambda self: ufunc.call(self._kind, name, (self,), {})


def _positive(self: Any) -> Any:
    if self.dtype == np.bool_:
        warnings.warn(
            "Applying '+' to a non-numerical array is ill-defined. Returning a copy, "
            "but in the future this will error.",
            DeprecationWarning,
            stacklevel=2,
        )
        return self.copy()
    return ufunc.call(self._kind, "positive", (self,), {})


# Powers that CuPy computes by another ufunc: (type of the exponent, exponent) -> (ufunc, kinds left as they are).
_POWERS = {
    (int, 2): ("square", "ifc"),
    (float, 2.0): ("square", "fc"),
    (float, 0.5): ("sqrt", "fc"),
    (float, -1.0): ("reciprocal", "fc"),
}
_power, _rpower, _ipower = _binary("power")


def _pow(self: Any, other: Any, modulo: Any = None) -> Any:
    fast = _POWERS.get((type(other), other)) if type(other) in (int, float) else None
    if fast is None:
        return _power(self, other)
    name, kinds = fast
    dtype = None if self.dtype.kind in kinds else np.result_type(self.dtype, other)
    return ufunc.call(self._kind, name, (self,), {"dtype": dtype})


_OPERATORS = {
    "add": "add",
    "sub": "subtract",
    "mul": "multiply",
    "matmul": "matmul",
    "truediv": "true_divide",
    "floordiv": "floor_divide",
    "mod": "remainder",
    "divmod": "divmod",
    "lshift": "left_shift",
    "rshift": "right_shift",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
}
_COMPARE = {"lt": "less", "le": "less_equal", "eq": "equal", "ne": "not_equal", "gt": "greater", "ge": "greater_equal"}
_UNARY = {"neg": "negative", "abs": "absolute", "invert": "invert"}

# Methods that are a function with the array first.
_FUNCTION_METHODS = (
    ("all", "any", "argmax", "argmin", "argpartition", "argsort", "choose", "clip", "cumprod", "cumsum", "diagonal")
    + ("max", "mean", "min", "nonzero", "prod", "ptp", "put", "ravel", "repeat", "round", "squeeze", "std", "sum")
    + ("swapaxes", "take", "trace", "var")
)
# Where the method names a parameter otherwise than the function does.
_RENAMED = {"clip": {"min": "a_min", "max": "a_max"}, "put": {"indices": "ind", "values": "v"}}


def _method(name: str) -> Any:
    words = table()["methods"][name]
    bind = signature(words)
    names = {word.strip("*="): _RENAMED.get(name, {}).get(word.strip("*="), word.strip("*=")) for word in words.split()}
    required = {"a_min": None, "a_max": None} if name == "clip" else {}

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            given = bind.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{name}() {error}") from None
        options = required | {names[k]: v for k, v in given.items()}
        return functions.call(self._kind, "", name, (self,), options)

    method.__name__ = name
    method.__qualname__ = f"StrictBase.{name}"
    method.__doc__ = f"``cupy.ndarray.{name}({words})``."
    return method


def _compress(self: Any, condition: Any, axis: Any = None, out: Any = None) -> Any:
    """``cupy.ndarray.compress``."""
    return functions.call(self._kind, "", "compress", (condition, self, axis, out), {})


def members() -> dict[str, Any]:
    """Every operator, and every method that the table describes, by attribute name."""
    found: dict[str, Any] = {"__pow__": _pow, "__rpow__": _rpower, "__ipow__": _ipower, "__pos__": _positive}
    for short, name in _OPERATORS.items():
        found[f"__{short}__"], found[f"__r{short}__"], in_place = _binary(name)
        if short not in ("matmul", "divmod"):
            found[f"__i{short}__"] = in_place
    found |= {f"__{short}__": _compare(name) for short, name in _COMPARE.items()}
    found |= {f"__{short}__": _unary(name) for short, name in _UNARY.items()}
    found |= {name: _method(name) for name in _FUNCTION_METHODS}
    found["compress"] = _compress
    return found
