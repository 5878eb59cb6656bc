"""Finding a backend by name, by ``module:object`` or by entry point, and reading what it says of itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from importlib import import_module, metadata
from typing import Any

import numpy as np

from arrayshim.errors import BackendError
from arrayshim.residency import Transfers, transfers

from .seen import Eyes

GROUP = "arrayshim.backends"
REQUIRED = ("name", "namespace", "to_device", "to_host", "chunk_types")

#: What an attribute must be, in words and as a check: a wrong one would end a long run, or skip all of it, unnoticed.
SHAPES: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "name": ("a text that is not empty", lambda x: isinstance(x, str) and bool(x.strip())),
    "to_device": ("a function", callable),
    "to_host": ("a function", callable),
    "chunk_types": (
        "a tuple of types, not empty",
        lambda x: isinstance(x, tuple) and _all(x, lambda cls: isinstance(cls, type)),
    ),
    "dtypes": ('a tuple of codes such as ("f4", "i8", "b1")', lambda x: x is None or _all(x, _is_code)),
    "rtol": ("a mapping of dtypes to numbers", lambda x: isinstance(x, Mapping)),
    "variants": ("a tuple of names", lambda x: not isinstance(x, str) and isinstance(x, Sequence)),
    **dict.fromkeys(
        ("hide", "synchronize", "random_state", "register"),
        ("a function", lambda x: x is None or callable(x)),
    ),
    "count_transfers": ("a function that gives a context manager", callable),
    "docs": ("a text", lambda x: isinstance(x, str)),
    "target": ("a mapping, or a function that gives one", lambda x: x is None or callable(x) or isinstance(x, Mapping)),
}

#: Backends that are modules of their own.
MODULES = {"strict-unregistered": "arrayshim.conformance.unregistered"}


def load(spec: str) -> Any:
    """A backend.

    Parameters
    ----------
    spec : str
        ``strict``; ``mylib.dask:backend``; or the name of an entry point in the group `GROUP`.

    Returns
    -------
    object
        With at least `name`, `namespace`, `to_device`, `to_host`, `chunk_types`. The suite also reads, where they are
        there: `synchronize`, `dtypes`, `rtol`, `random_state`, `variants`, `register`, `registered` (False: leave it
        unregistered), `count_transfers` (a context manager whose value has a `count`; without it,
        what arrayshim itself moves to the host is counted), `preamble` (code for reproducers that defines
        `to_device`, `to_host` and `namespace`), `target` (the `execution_target` of reports, or a
        function that gives it).

    Raises
    ------
    BackendError
        In one line: what was looked for, and what is there.
    """
    try:
        found = _find(spec)
    except BackendError:
        raise
    except (Exception, SystemExit) as error:  # a module may be a script, and end the process
        told = " ".join(f"{type(error).__name__}: {error}".split())
        raise BackendError(f"backend {spec!r} cannot be loaded: {told}") from error
    missing = [attribute for attribute in REQUIRED if not hasattr(found, attribute)]
    if missing:
        raise BackendError(f"backend {spec!r} lacks {', '.join(missing)}; a backend has {', '.join(REQUIRED)}")
    for attribute, (wanted, fits) in SHAPES.items():
        if hasattr(found, attribute) and not fits(value := getattr(found, attribute)):
            raise BackendError(f"backend {spec!r}: {attribute} is {_shortened(value)}, expected {wanted}")
    return found


def _shortened(value: Any) -> str:
    line = " ".join(repr(value).split())
    return line if len(line) <= 80 else f"{line[:79]}…"


def _all(found: Any, fits: Callable[[Any], bool]) -> bool:
    """Of a collection that is not empty, and not a text, which is a collection of letters."""
    return not isinstance(found, str) and isinstance(found, Collection) and len(found) > 0 and all(map(fits, found))


def _is_code(dtype: Any) -> bool:
    """The suite compares with its own names of dtypes, which are those of `numpy.dtype.str` without the order."""
    try:
        return isinstance(dtype, str | np.dtype) and np.dtype(dtype).str[1:] == dtype
    except TypeError:
        return False


def _find(spec: str) -> Any:
    if ":" in spec:
        module, _, attribute = spec.partition(":")
        found: Any = import_module(module)
        for part in attribute.split("."):
            found = getattr(found, part)
        return found
    if spec in MODULES:
        return import_module(MODULES[spec])
    points = {point.name: point for point in metadata.entry_points(group=GROUP)}
    if spec in points:
        return points[spec].load()
    from arrayshim.conformance import backends, traits

    try:
        return traits.describe(backends.get(spec))
    except ModuleNotFoundError as error:
        package = backends.PACKAGES.get(error.name or "", error.name)
        raise BackendError(f"backend {spec!r}: {error}; to have it: pip install {package}") from error
    except (LookupError, ValueError, ImportError) as error:
        there = f"; entry points: {', '.join(sorted(points))}" if points else ""
        raise BackendError(f"backend {spec!r}: {' '.join(str(error).split())}{there}") from error


def eyes(backend: Any) -> Eyes:
    """How arrays of a backend are recognised and brought home."""
    types = backend.chunk_types

    def is_own(cls: type) -> bool:
        return cls in types or any(t is not np.ndarray and issubclass(cls, t) for t in types)

    return Eyes(is_own, backend.to_host, _scalars(backend), _transfers(backend))


def _scalars(backend: Any) -> bool:
    """Whether 0-d results of the backend itself are NumPy scalars."""
    try:
        return isinstance(backend.to_device(np.ones(2)).sum(), np.generic)
    except Exception:
        return False


def _transfers(backend: Any) -> Callable[[], AbstractContextManager[Any]]:
    counter: Callable[[], AbstractContextManager[Any]] = getattr(backend, "count_transfers", _moved_home)
    return counter


@dataclass(slots=True)
class _MovedHome:
    """What arrayshim brought to the host. Where that is nothing, the library may have done so: nobody knows."""

    moved: Transfers

    @property
    def count(self) -> int | None:
        return self.moved.to_host or None


@contextmanager
def _moved_home() -> Iterator[_MovedHome]:
    with transfers() as moved:
        yield _MovedHome(moved)


def preamble(backend: Any, spec: str) -> str:
    """Code that defines `to_device`, `to_host` and `namespace`, for scripts that know nothing of this suite.

    Parameters
    ----------
    backend : object
    spec : str
        What it was loaded by.
    """
    given = getattr(backend, "preamble", None)
    if given is not None:
        return str(given).strip() + "\n"
    if ":" in spec:
        module, _, attribute = spec.partition(":")
        load = f"from {module} import {attribute.partition('.')[0]}\n"
    else:
        points = [point for point in metadata.entry_points(group=GROUP) if point.name == spec]
        module, _, attribute = points[0].value.partition(":") if points else ("", "", "")
        load = f"from {module} import {attribute.partition('.')[0]}\n"
        if not points:
            attribute = "backend"
            load = f"from arrayshim.conformance import loading\nbackend = loading.load({spec!r})\n"
    return load + "".join(f"{name} = {attribute}.{name}\n" for name in ("to_device", "to_host", "namespace"))


def registration(backend: Any) -> str:
    """Code that registers a backend with arrayshim as the suite does, after its preamble; none where it does not."""
    if not getattr(backend, "registered", True):
        return ""
    return (
        "arrayshim.register_backend(arrayshim.Backend(\n"
        f"    name={backend.name!r}, namespace=namespace, to_device=to_device, to_host=to_host,\n"
        "    chunk_types=(type(to_device(np.zeros((1, 1)))),),\n"
        "))\n"
    )
