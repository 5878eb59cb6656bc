"""One multipledispatch table per chunk-level operation, filled for a library when its first array arrives."""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from multipledispatch.conflict import supercedes
from multipledispatch.dispatcher import Dispatcher

from arrayshim.errors import UnsupportedError

Kernel = Callable[..., Any]
Signature = tuple[type, ...]

LIBRARIES: Mapping[str, str] = MappingProxyType(
    {
        "cupy": "cupy",
        "cupyx": "cupy",
        "sparse": "sparse",
        "scipy": "scipy_sparse",
        "numpy.ma": "masked",
    }
)
"""Leading part of a type's module -> the module of this package that has its rows."""

_loading = threading.RLock()
_started: set[str] = set()
_loaded: set[str] = set()


def _library(cls: type) -> str | None:
    parts = str(getattr(cls, "__module__", "")).split(".")
    for root in (parts[0], ".".join(parts[:2])):
        if root in LIBRARIES and root in sys.modules:
            return LIBRARIES[root]
    return None


def load_rows(*types: type) -> None:
    """Import the kernel modules of the libraries that `types` come from; those imported before cost nothing.

    Parameters
    ----------
    *types : type
        Array types. A library counts only if the process has already imported it.
    """
    wanted = {name for cls in types for base in cls.__mro__ if (name := _library(base))}
    for name in sorted(wanted - _loaded):
        # Not the tables' own locks: a module that another thread is importing may need those to add its rows.
        with _loading:
            if name in _started:
                continue
            _started.add(name)
            try:
                importlib.import_module(f"arrayshim.kernels.{name}")
            except BaseException:
                _started.discard(name)
                raise
            _loaded.add(name)


class Table:
    """The kernels of one operation, chosen by the types of its array arguments.

    Parameters
    ----------
    name : str
        Name of the operation; the table pickles as the attribute `name` of `arrayshim.kernels`.
    arrays : int, keyword-only
        How many positional arguments decide. One that is absent counts as the type of the one before it.
    first : int, keyword-only
        Position of the first argument that decides (1 for ``einsum(subscripts, *operands)``).

    Notes
    -----
    The most specific row wins. Where two rows would be equally specific, as ``(A, object)`` and ``(object, B)``
    are for ``(A, B)``, the row that speaks of another type than NumPy's wins, then the one that is nearer in the
    method resolution order of the leftmost argument; a row added for ``(A, B)`` itself settles it otherwise.
    multipledispatch holds the rows and says which is more specific; its own choice between ambiguous rows, which
    comes with a warning and depends on hashes, is not asked for.
    """

    def __init__(self, name: str, *, arrays: int = 1, first: int = 0) -> None:
        self.name = self.__name__ = name
        self.arrays = arrays
        self.first = first
        self._lock = threading.Lock()
        self._rows = Dispatcher(name)
        self._cache: dict[Signature, Kernel] = {}

    def add(self, types: type | tuple[Any, ...], func: Kernel) -> Kernel:
        """Add a row, or replace the one that has the same types.

        Parameters
        ----------
        types : type or tuple
            One type per array argument; a tuple in place of a type means each of its members. A single type
            for a table of several array arguments means: that type in any of them, anything in the others.
        func : callable
            The kernel.

        Returns
        -------
        callable
            `func`, so that the method can serve in an assignment.
        """
        with self._lock:
            for signature in _signatures(types, self.arrays):
                self._rows.add(signature, func)
            self._cache = {}
        return func

    def remove(self, types: type | tuple[Any, ...]) -> None:
        """Take away the rows that :meth:`add` made for `types`.

        Raises
        ------
        KeyError
            If there is no such row.
        """
        with self._lock:
            for signature in _signatures(types, self.arrays):
                del self._rows.funcs[signature]
            self._cache = {}

    def rows(self) -> dict[Signature, Kernel]:
        """The rows that were added, as ``{(type, ...): kernel}``; a copy."""
        with self._lock:
            return dict(self._rows.funcs)

    def dispatch(self, *types: type) -> Kernel:
        """The kernel for arguments of these types.

        Parameters
        ----------
        *types : type
            At least one; absent ones count as the last given.

        Returns
        -------
        callable

        Raises
        ------
        UnsupportedError
            If no row fits.
        """
        key = types[: self.arrays] + types[-1:] * (self.arrays - len(types))
        try:
            return self._cache[key]
        except KeyError:
            pass
        load_rows(*key)
        with self._lock:
            fitting = [row for row in self._rows.funcs if supercedes(key, row)]
            if not fitting:
                names = ", ".join(cls.__name__ for cls in key)
                raise UnsupportedError(
                    f"arrayshim has no kernel {self.name!r} for <{names}>; "
                    f"add one with arrayshim.kernels.{self.name}.add(types, function)"
                )
            specific = [row for row in fitting if not any(supercedes(other, row) for other in fitting if other != row)]
            func: Kernel = self._rows.funcs[max(specific, key=partial(_rank, key))]
            self._cache[key] = func
        return func

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        types = tuple(map(type, args[self.first : self.first + self.arrays]))
        if not types:
            raise TypeError(f"{self.name}() needs an array as positional argument {self.first + 1}")
        return self.dispatch(*types)(*args, **kwargs)

    def __repr__(self) -> str:
        return f"<arrayshim.kernels.{self.name}: {len(self._rows.funcs)} rows>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _by_name, (self.name,)

    def __dask_tokenize__(self) -> tuple[str, str]:
        return "arrayshim.kernels", self.name


def _rank(types: Signature, row: Signature) -> tuple[bool, tuple[int, ...]]:
    foreign = any(cls is not object and cls.__module__.split(".")[0] != "numpy" for cls in row)
    # A virtual base is not in the order of resolution, and is as far as object.
    pairs = zip(types, row, strict=True)
    return foreign, tuple(-cls.__mro__.index(base) if base in cls.__mro__ else -len(cls.__mro__) for cls, base in pairs)


def _signatures(types: type | tuple[Any, ...], arrays: int) -> list[Signature]:
    if isinstance(types, type):
        types = (types,)
    if len(types) == 1 and arrays > 1:
        found: list[Signature] = []
        for cls in _alternatives(types[0]):
            for mask in range(1, 2**arrays):
                found.append(tuple(cls if mask >> place & 1 else object for place in range(arrays)))
        return found
    if len(types) != arrays:
        raise TypeError(f"{len(types)} types were given for a row, the table has {arrays} array arguments")
    signatures: list[Signature] = [()]
    for entry in types:
        signatures = [head + (cls,) for head in signatures for cls in _alternatives(entry)]
    return signatures


def _alternatives(entry: Any) -> tuple[type, ...]:
    options = entry if isinstance(entry, tuple) else (entry,)
    for cls in options:
        if not isinstance(cls, type):
            raise TypeError(f"a row is made of types, got {cls!r}; pass type(x) for an array x")
    return tuple(options)


def _by_name(name: str) -> Table:
    table: Table = getattr(importlib.import_module("arrayshim.kernels"), name)
    return table
