"""The public names of dask.array, taken from the dask that is installed, and those that a later one added."""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

#: Submodules of dask.array whose public functions count, under the prefix that their names carry here.
MODULES = ("linalg", "fft", "random", "ma", "stats", "overlap", "lib.stride_tricks")

#: What Python or dask asks of any object; no operation on an array.
PLUMBING = frozenset(
    f"__{name}__"
    for name in (
        "array_priority",
        "await",
        "class",
        "dict",
        "div",
        "long",
        "module",
        "nonzero",
        "rdiv",
        "slots",
        "weakref",
    )
)
COMPARISONS = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")

#: The names of the dask that the catalogue was written for.
BASELINE = Path(__file__).parent / "names.json"


def derive() -> tuple[str, ...]:
    """Every name that the catalogue has to cover.

    Returns
    -------
    tuple of str
        Sorted: ``mean``, ``linalg.qr``, ``random.Generator.normal``, ``Array.mean``, ``Array.__add__``, ``np.mean``.
    """
    da = import_module("dask.array")
    listed = getattr(da, "__all__", None)
    if listed is None:  # an older dask: those of the names known that it has
        listed = [name for name in baseline()["names"] if hasattr(da, name)]
    found = {name for name in listed if not isinstance(getattr(da, name), ModuleType)}
    for prefix in MODULES:
        found.update(f"{prefix}.{name}" for name in _defined_in(f"dask.array.{prefix}"))
    for owner in ("RandomState", "Generator"):
        methods = vars(inspect.unwrap(getattr(da.random, owner)))
        found.update(f"random.{owner}.{name}" for name in methods if not name.startswith("_"))
    found.update(f"Array.{name}" for name in _of_array(da.Array))
    found.update(_through_array_function(da))
    return tuple(sorted(found))


def _defined_in(path: str) -> Iterator[str]:
    """Public names that a module defines itself; read from its source, so that a repair in place changes nothing.

    What a module imports may be missing here, as SciPy for ``stats``; its names are the same then.
    """
    spec = find_spec(path)
    assert spec is not None
    assert spec.origin is not None
    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    try:
        module: Any = import_module(path)
    except ImportError:
        module = None
    defined = [node for node in tree.body if not isinstance(node, ast.Import | ast.ImportFrom | ast.Expr)]
    names: list[str] = []
    for node in defined or tree.body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.append(node.name)
        elif isinstance(node, ast.Assign):
            targets = [t.elts if isinstance(t, ast.Tuple) else [t] for t in node.targets]
            assigned = [t.id for group in targets for t in group if isinstance(t, ast.Name)]
            if "__all__" in assigned:
                yield from ast.literal_eval(node.value)
                return
            names += [name for name in assigned if module is not None]  # a number, as like as not
        elif isinstance(node, ast.ImportFrom):  # a module that only passes names on
            names += [alias.asname or alias.name for alias in node.names if node.module != "__future__"]
    yield from (n for n in names if not n.startswith("_") and (module is None or callable(getattr(module, n, None))))


def _of_array(cls: type) -> Iterator[str]:
    plain = set(dir(object)) | PLUMBING
    for name in dir(cls):
        if name.startswith("__"):
            if name in COMPARISONS or (name not in plain and not name.startswith("__dask_")):
                yield name
        elif not name.startswith("_"):
            yield name


def _through_array_function(da: Any) -> Iterator[str]:
    dispatched = type(np.mean)
    for prefix, module, there in (("np", np, da), ("np.linalg", np.linalg, da.linalg), ("np.fft", np.fft, da.fft)):
        for name in dir(module):
            function = getattr(module, name)
            if name.startswith("_") or not isinstance(function, dispatched):
                continue
            if function.__module__ == module.__name__ and callable(getattr(there, function.__name__, None)):
                yield f"{prefix}.{name}"


def baseline() -> dict[str, Any]:
    """What is committed: ``{"dask": version, "names": [...]}``."""
    found: dict[str, Any] = json.loads(BASELINE.read_text(encoding="utf-8"))
    return found


def added(names: tuple[str, ...]) -> tuple[str, ...]:
    """Those of `names` that the committed list lacks: new in a later dask, not required of the catalogue yet."""
    known = set(baseline()["names"])
    return tuple(name for name in names if name not in known)


def exists(name: str) -> bool:
    """Whether the installed dask has a name."""
    if name.startswith("np."):  # `np.concat` reaches dask under the name `concatenate`
        prefix, _, last = name.removeprefix("np.").rpartition(".")
        function = getattr(getattr(np, prefix) if prefix else np, last, None)
        name = ".".join(filter(None, (prefix, getattr(function, "__name__", last))))
    found: Any = import_module("dask.array")
    for index, part in enumerate(name.split(".")):
        if not hasattr(found, part):
            try:
                found = import_module(f"dask.array.{'.'.join(name.split('.')[: index + 1])}")
            except ImportError:
                return False
        else:
            found = getattr(found, part)
    return True


def write_baseline() -> None:
    """Commit the names of the dask that is installed. Run where stock dask is (``ARRAYSHIM_DISABLE=all``)."""
    import dask

    text = json.dumps({"dask": dask.__version__, "names": derive()}, indent=1)
    BASELINE.write_text(text + "\n", encoding="utf-8")
