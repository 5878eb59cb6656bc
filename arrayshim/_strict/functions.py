"""Calls ``cupy.<name>`` on strict arrays: CuPy's signature, its refusals of host arrays, then the computation."""

from __future__ import annotations

import functools
import inspect
from typing import Any

import numpy

from . import ufunc
from .host import HOST
from .linear import LINEAR
from .memory import contiguous, flatten_arrays, unwrap
from .native import NATIVE
from .policies import ARRAYS, NO_ARRAY_FIRST, REFUSES, TAKES_HOST
from .rules import signature, table, ufunc_row

np: Any = numpy


@functools.cache
def _row(module: str, name: str) -> str | None:
    words = table()["functions"].get(module, {}).get(name)
    return None if words is None else str(words)


def has(module: str, name: str) -> bool:
    """Whether CuPy has a function of that name of its own."""
    return _row(module, name) not in (None, "numpy")


@functools.cache
def _bind(qualified: str, words: str) -> inspect.Signature:
    return signature(words)


@functools.cache
def _roles(qualified: str, words: str) -> dict[str, tuple[bool, bool]]:
    """{parameter: (takes host arrays, must be an array)}."""
    takes = frozenset(TAKES_HOST.get(qualified, "").split())
    arrays = frozenset(ARRAYS.get(qualified, "").split())
    names = list(signature(words).parameters)
    first = names[0] if names and qualified not in NO_ARRAY_FIRST else ""
    return {n: (n in takes, n in arrays or (n == first and n not in takes)) for n in names}


def _check(kind: Any, qualified: str, name: str, value: Any, takes_host: bool, must_be_array: bool) -> None:
    """Raise what CuPy raises for a host value at this parameter."""
    if value is None or isinstance(value, kind):
        return
    refusal = REFUSES.get((qualified, name))
    if refusal is not None and (isinstance(value, np.ndarray) or name not in ARRAYS.get(qualified, "").split()):
        raise refusal(f"`{name}` should be a {kind.__name__}, found {type(value).__name__} -> copy it to the device")
    if (qualified, name) == ("searchsorted", "v") and not isinstance(value, (int, float, complex)):
        raise NotImplementedError("Only python scalars or ndarrays are supported for v")
    if takes_host:
        return
    host = next(flatten_arrays(value, lambda v: isinstance(v, np.ndarray)), None)
    if host is not None:
        raise TypeError(f"Unsupported type {type(host)}")
    if must_be_array and not isinstance(value, np.generic):
        raise AttributeError(f"{type(value).__name__!r} object has no attribute 'ndim'")


def call(kind: Any, module: str, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``cupy.<module>.<name>(*args, **kwargs)``.

    Raises
    ------
    AttributeError
        CuPy has no such function, or a list stands where it asks an array for an attribute.
    TypeError
        Parameters that CuPy's function lacks; NumPy arrays where it wants its own.
    """
    words = _row(module, name)
    if words is None:
        raise AttributeError(f"module 'cupy' has no attribute {name!r}")
    qualified = f"{module}.{name}" if module else name
    if ufunc_row(name) is not None and words == "*args **kwargs":
        return ufunc.call(kind, name, args, kwargs)
    try:
        bound = _bind(qualified, words).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"{name}() {error}") from None
    native = NATIVE.get(qualified)
    if native is not None:
        return native(kind, *args, **kwargs)
    if name == "matmul":
        _check_matmul(kind, args)
    roles = _roles(qualified, words)
    for parameter, value in bound.arguments.items():
        takes_host, must_be_array = roles[parameter]
        for item in (
            value if signature(words).parameters[parameter].kind is inspect.Parameter.VAR_POSITIONAL else (value,)
        ):
            _check(kind, qualified, parameter, item, takes_host, must_be_array and parameter != "operands")
    return compute(kind, qualified, args, kwargs)


def _check_matmul(kind: Any, args: tuple[Any, ...]) -> None:
    for value in args:
        if not isinstance(value, kind):
            raise TypeError(f"Argument has incorrect type (expected {kind.__name__}, got {type(value).__name__})")


def _implementation(qualified: str) -> Any:
    found = HOST.get(qualified) or LINEAR.get(qualified)
    if found is None:
        found = np
        for part in qualified.split("."):
            found = getattr(found, part)
    return found


def compute(kind: Any, qualified: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Run the implementation on host values and wrap what it returns; inputs that come back are themselves."""
    inputs = {
        id(v._host): v for v in flatten_arrays([list(args), list(kwargs.values())], lambda v: isinstance(v, kind))
    }
    with np.errstate(all="ignore"):
        result = _implementation(qualified)(
            *(unwrap(kind, a) for a in args), **{k: unwrap(kind, v) for k, v in kwargs.items()}
        )
    return wrap(kind, result, inputs)


def wrap(kind: Any, result: Any, inputs: dict[int, Any]) -> Any:
    """Strict arrays for NumPy arrays and NumPy scalars, at any depth."""
    if isinstance(result, np.ndarray):
        if id(result) in inputs:
            return inputs[id(result)]
        owner = next(
            (
                v
                for v in inputs.values()
                if result.base is not None and (result.base is v._host or result.base is v._host.base)
            ),
            None,
        )
        if owner is not None:
            return owner._view(result)
        return kind._wrap(contiguous(result))
    if isinstance(result, np.generic):
        return kind._wrap(np.asarray(result))
    if isinstance(result, tuple) and hasattr(result, "_make"):
        return type(result)._make(wrap(kind, r, inputs) for r in result)
    if isinstance(result, tuple):
        return tuple(wrap(kind, r, inputs) for r in result)
    if isinstance(result, list):
        return [wrap(kind, r, inputs) for r in result]
    return result
