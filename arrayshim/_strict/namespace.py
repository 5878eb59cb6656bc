"""What ``import cupy`` is to ``cupy.ndarray``: the functions of a strict type, with CuPy's names and signatures."""

from __future__ import annotations

from typing import Any

import numpy

from . import functions, ufunc
from .random import random_namespace
from .rules import table, ufunc_row

np: Any = numpy

_CONSTANTS = frozenset(
    ("pi", "e", "inf", "nan", "newaxis", "euler_gamma", "bool_", "bool", "int8", "int16", "int32", "int64")
    + ("uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "complex64", "complex128", "intp")
    + ("uintp", "dtype", "number", "integer", "signedinteger", "unsignedinteger", "inexact", "floating")
    + ("complexfloating", "generic", "finfo", "iinfo")
)


class Ufunc:
    """``cupy.<name>``: call it, or use ``at``, ``outer``, ``reduce``, ``accumulate``, ``reduceat``."""

    def __init__(self, kind: Any, name: str) -> None:
        row = ufunc_row(name)
        assert row is not None
        self._kind, self.__name__, self.nin, self.nout = kind, name, row.nin, row.nout

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return ufunc.call(self._kind, self.__name__, args, kwargs)

    def __getattr__(self, name: str) -> Any:
        if name not in ("at", "outer", "reduce", "accumulate", "reduceat"):
            raise AttributeError(f"cupy.ufunc has no attribute {name!r}")
        return lambda *args, **kwargs: ufunc.method(self._kind, self.__name__, name, args, kwargs)


class Namespace:
    """Functions, ufuncs, types and submodules (``linalg``, ``fft``, ``random``, ``lib.stride_tricks``) by attribute."""

    def __init__(self, kind: Any, module: str = "") -> None:
        self._kind, self._module = kind, module
        self.__name__ = f"strict.{module}" if module else "strict"
        if not module:
            self.ndarray = kind

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        kind, module = self._kind, self._module
        path = f"{module}.{name}" if module else name
        if path in ("linalg", "fft", "lib", "lib.stride_tricks"):
            return Namespace(kind, path)
        if path == "random":
            return random_namespace(kind)
        if not module and name in table()["ufuncs"]:
            return Ufunc(kind, name)
        row = table()["functions"].get(module, {}).get(name)
        if row == "numpy" or (not module and name in _CONSTANTS) or path == "linalg.LinAlgError":
            source: Any = np
            for part in path.split("."):
                source = getattr(source, part)
            return source
        if row is None:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")

        def function(*args: Any, **kwargs: Any) -> Any:
            return functions.call(kind, module, name, args, kwargs)

        function.__name__ = name
        return function

    def __repr__(self) -> str:
        return f"<{self.__name__}: functions of {self._kind.__name__}>"
