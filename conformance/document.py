"""The record of a run: what one JSON file holds, how it is made, read and checked against `schema.json`."""

from __future__ import annotations

import datetime
import json
import platform
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any

from arrayshim.conformance.compact import unpack
from arrayshim.conformance.schema import faults
from arrayshim.errors import ArrayshimError, BackendError

SCHEMA = "arrayshim-conformance-1"

#: Every outcome, from good to bad. What is silently wrong is worse than what fails loudly.
OUTCOMES = (
    "pass",
    "skip",
    "not implemented by the backend",
    "blocked",
    "computed early",
    "meta lies",
    "error",
    "timeout",
    "crash",
    "wrong shape",
    "wrong dtype",
    "wrong chunk type",
    "wrong value",
)
RANK = {outcome: rank for rank, outcome in enumerate(OUTCOMES)}


class DocumentError(ArrayshimError, ValueError):
    """A file that is not the record of a run."""


def counts(cases: Iterable[Mapping[str, Any]]) -> dict[str, int]:
    """Number of cases by outcome, in the order of `OUTCOMES`; outcomes that did not occur are left out."""
    found = Counter(case["outcome"] for case in cases)
    return {outcome: found[outcome] for outcome in OUTCOMES if found[outcome]}


def run_name(backend: str, *, stock: bool, array_expr: bool = False) -> str:
    """``<backend>-<stock|repaired>``, followed by ``-expr`` in dask's expression mode. It is fit to be a file name."""
    safe = re.sub(r"[^A-Za-z0-9._-]+", "_", backend).lstrip(".-") or "backend"
    return f"{safe[:80]}-{'stock' if stock else 'repaired'}{'-expr' if array_expr else ''}"


def library_version(backend: Any) -> str:
    """The version of the library that the chunks of a backend come from; empty where it tells none.

    The type of the chunks goes before the namespace, which is NumPy's own for a library that relies on its protocols.
    """
    modules = [cls.__module__ for cls in getattr(backend, "chunk_types", ())]
    modules.append(getattr(backend.namespace, "__name__", ""))
    for root in dict.fromkeys(str(name).partition(".")[0] for name in modules):
        version = getattr(sys.modules.get(root), "__version__", None)
        if isinstance(version, str):
            return version
        with suppress(metadata.PackageNotFoundError, ValueError):
            return metadata.version(root)
    return ""


def execution_target(backend: Any) -> dict[str, str | None]:
    """What the chunks are computed on.

    A backend may say so itself, in an attribute or function `target`. Otherwise chunks with the CUDA array interface
    are on the first GPU, and all others on the processor.

    Returns
    -------
    dict
        ``kind``, ``device_model``, ``runtime_version``, ``driver_version``.

    Raises
    ------
    BackendError
        Where `target` raises, or gives no mapping.
    """
    from arrayshim.conformance.benchmarks import machine

    own = getattr(backend, "target", None)
    if callable(own):
        try:
            own = own()
        except Exception as error:
            told = " ".join(f"{type(error).__name__}: {error}".split())
            raise BackendError(f"backend {backend.name!r}: target() raises {told}, expected a mapping") from error
        if not (own is None or isinstance(own, Mapping)):
            raise BackendError(f"backend {backend.name!r}: target() gives {type(own).__name__}, expected a mapping")
    on_gpu = any(hasattr(cls, "__cuda_array_interface__") for cls in backend.chunk_types)
    if own is None and on_gpu and (gpus := machine.gpus()):
        versions = machine.versions()
        own = {
            "kind": "gpu",
            "device_model": gpus[0]["name"],
            "runtime_version": versions["cuda_runtime"],
            "driver_version": versions["cuda_driver"],
        }
    if own is None:
        own = {"kind": "cpu", "device_model": machine.cpu_name(), "runtime_version": platform.python_version()}
    fields = ("kind", "device_model", "runtime_version", "driver_version")
    return {name: None if own.get(name) is None else str(own[name]) for name in fields}


def document(
    cases: Sequence[Mapping[str, Any]],
    *,
    backend: Any,
    stock: bool,
    catalogue: str,
    level: str,
    array_expr: bool = False,
    **settings: Any,
) -> dict[str, Any]:
    """The record of a run as plain data.

    It is a superset of the compliance record of data-apis/array-api issue 462.

    Parameters
    ----------
    cases : sequence of mapping
        The records that the runner gave, in the order of the catalogue.
    backend : object
        The backend that ran: name, namespace, chunk types.
    stock : bool
        Whether the repairs were off.
    catalogue : str
        Hash of the whole catalogue, whatever part of it ran.
    level : str
        ``quick``, ``full`` or ``fuzz``.
    array_expr : bool
        Whether dask was in its expression mode.
    **settings
        What else was asked for, such as `only`, `family` or `shard`; kept under ``settings``.

    Returns
    -------
    dict
        What ``schema.json`` describes.
    """
    from arrayshim.conformance.benchmarks import machine

    versions = machine.versions()
    return {
        "schema": SCHEMA,
        "name": run_name(backend.name, stock=stock, array_expr=array_expr),
        "version": library_version(backend),
        "timestamp": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "platform": platform.platform(),
        "execution_target": execution_target(backend),
        "python": platform.python_version(),
        "test_suite": {
            "name": "arrayshim.conformance",
            "version": versions["arrayshim"],
            "catalogue": catalogue,
            "level": level,
        },
        "backend": backend.name,
        "stock": stock,
        "array_expr": array_expr,
        "versions": {name: None if found is None else str(found) for name, found in versions.items()},
        "settings": settings,
        "data": {"counts": counts(cases), "cases": len(cases)},
        "cases": [dict(case) for case in cases],
    }


def load(path: Path) -> dict[str, Any]:
    """Read the record of a run.

    Raises
    ------
    DocumentError
        Where the file cannot be read, is not JSON or breaks the schema; the message names the first fault.
    """
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DocumentError(f"{path}: {error.strerror or error}; expected the JSON file of a run") from None
    except (UnicodeDecodeError, ValueError) as error:
        raise DocumentError(f"{path} is not JSON ({error}); expected a file written by --out") from None
    for fault in faults(found):
        raise DocumentError(f"{path}: {fault}; expected a file written by --out of this version")
    names = Counter(case["case"] for case in found["cases"])
    for name, number in names.items():
        if number > 1:
            raise DocumentError(f"{path}: case {name!r} occurs {number} times, expected once")
    try:
        whole: dict[str, Any] = unpack(found)
    except ValueError as error:
        raise DocumentError(f"{path}: {error}; expected a file written by --out of this version") from None
    return whole
