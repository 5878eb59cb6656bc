"""Runs the fidelity table on one array library and records every outcome; compares two records.

    python -m arrayshim.conformance.benchmarks.fidelity run --backend cupy --out FILE.json
    python -m arrayshim.conformance.benchmarks.fidelity compare FILE.json OTHER.json
    python -m arrayshim.conformance.benchmarks.fidelity table              # renew arrayshim/strict_cupy.json

An outcome is a value (device, host or Python; dtype, shape, content to ten digits) or the class of an exception.
``--backend`` without ``run`` is understood too.
"""

from __future__ import annotations

import argparse
import ast
import json
import math
import multiprocessing
import os
import platform
import sys
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from .fidelity_calls import OPERANDS, calls

SCHEMA = 1
CHUNK = 40

# Relative and absolute tolerance by the dtype of a value: kernels round differently, and add in another order.
TOLERANCE = {"float16": (2e-3, 1e-3), "float32": (1e-5, 1e-6), "complex64": (1e-5, 1e-6)}
DEFAULT_TOLERANCE = (1e-9, 1e-12)

# After these the CUDA context is dead and every later outcome would be wrong.
FATAL = ("CUDARuntimeError", "CUDADriverError")


class DeadDeviceError(RuntimeError):
    """The device failed for good; names the expression that did it."""


def library(backend: str) -> tuple[Any, type]:
    """(namespace, array type) of a backend: "strict" or "cupy"."""
    if backend == "strict":
        from arrayshim import strict

        return strict.namespace, strict.StrictArray
    if backend == "cupy":
        import cupy

        return cupy, cupy.ndarray
    raise ValueError(f"{backend!r} found: 'strict' or 'cupy' was expected -> choose one of them")


def _number(value: Any) -> Any:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (complex, np.complexfloating)):
        return [_number(value.real), _number(value.imag)]
    if not math.isfinite(value):
        return str(float(value))
    return float(f"{float(value):.10g}") + 0.0  # no negative zero


def _content(host: np.ndarray[Any, Any]) -> Any:
    if host.dtype.fields is not None:
        return {name: _content(host[name]) for name in host.dtype.names or ()}
    return [_number(v) for v in host.ravel().tolist()]


def describe(value: Any, array_type: type) -> dict[str, Any]:
    """A JSON-able description of what an expression gave."""
    if isinstance(value, array_type):
        host = value.get()  # type: ignore[attr-defined]
        return {"is": "device", "dtype": str(host.dtype), "shape": list(host.shape), "value": _content(host)}
    if isinstance(value, np.ndarray):
        return {"is": "host", "dtype": str(value.dtype), "shape": list(value.shape), "value": _content(value)}
    if isinstance(value, np.generic):
        return {"is": "host scalar", "dtype": str(value.dtype), "value": _content(np.asarray(value))}
    if isinstance(value, np.dtype):
        return {"is": "dtype", "value": str(value)}
    if isinstance(value, type):
        return {"is": "type", "value": value.__name__}
    if isinstance(value, (bool, int, float, complex)):
        return {"is": type(value).__name__, "value": _number(value)}
    if value is None or isinstance(value, str):
        return {"is": type(value).__name__, "value": value}
    if isinstance(value, bytes):
        return {"is": "bytes", "value": value.hex()}
    if isinstance(value, (list, tuple)):
        kind = "list" if isinstance(value, list) else "tuple"
        return {"is": kind, "value": [describe(v, array_type) for v in value]}
    return {"is": "object", "value": type(value).__name__}


def _error_name(error: BaseException) -> str:
    """The first public class of the exception that is not NumPy's private refinement of it."""
    public = (c for c in type(error).__mro__ if not c.__name__.startswith("_") and "_exceptions" not in c.__module__)
    return next(public).__name__


def outcome(expression: str, xp: Any, array_type: type) -> dict[str, Any]:
    """Evaluate one expression on fresh operands and describe what it gives."""

    def to_device(data: Any) -> Any:
        return xp.asarray(np.asarray(data))

    scope: dict[str, Any] = {"np": np, "xp": xp, "d": to_device, "NAN": math.nan}
    tree = ast.parse(expression)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    scope |= {name: make(to_device) for name, make in OPERANDS.items() if name in names}
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            *statements, last = tree.body
            exec(compile(ast.Module(statements, []), "<call>", "exec"), scope)
            if isinstance(last, ast.Expr):
                return describe(eval(compile(ast.Expression(last.value), "<call>", "eval"), scope), array_type)
            exec(compile(ast.Module([last], []), "<call>", "exec"), scope)
            return {"is": "NoneType", "value": None}
    except Exception as error:
        if _error_name(error) in FATAL:
            raise DeadDeviceError(f"{expression!r} killed the device: {error}") from error
        return {"error": _error_name(error)}


def _run_chunk(job: tuple[str, list[str]]) -> dict[str, dict[str, Any]]:
    backend, expressions = job
    xp, array_type = library(backend)
    return {expression: outcome(expression, xp, array_type) for expression in expressions}


def run(backend: str, *, jobs: int = 1, only: Iterable[str] = ()) -> dict[str, Any]:
    """The record of a backend.

    Parameters
    ----------
    backend : {"strict", "cupy"}
        Where the expressions run.
    jobs : int
        Processes; CuPy compiles a kernel for most expressions, which is what takes the time.
    only : iterable of str
        Sections to run; all by default.

    Returns
    -------
    dict
        ``schema``, ``backend``, ``versions``, ``machine``, ``seconds`` and ``outcomes`` {expression: outcome}.
    """
    wanted = set(only)
    expressions = [e for e, section in calls().items() if not wanted or section in wanted]
    chunks = [(backend, expressions[i : i + CHUNK]) for i in range(0, len(expressions), CHUNK)]
    outcomes: dict[str, Any] = {}
    start = time.perf_counter()
    if jobs == 1:
        results: Iterable[dict[str, Any]] = map(_run_chunk, chunks)
        for found in results:
            outcomes |= found
    else:
        with multiprocessing.get_context("spawn").Pool(jobs) as pool:
            for found in pool.imap(_run_chunk, chunks):
                outcomes |= found
                print(f"{len(outcomes)}/{len(expressions)} calls", file=sys.stderr, flush=True)
    return {
        "schema": SCHEMA,
        "backend": backend,
        "versions": versions(backend),
        "machine": machine(backend),
        "seconds": round(time.perf_counter() - start, 1),
        "outcomes": {e: outcomes[e] for e in expressions},
    }


def versions(backend: str) -> dict[str, str]:
    """Versions of Python, NumPy and the library."""
    found = {"python": platform.python_version(), "numpy": np.__version__}
    if backend == "cupy":
        import cupy

        found["cupy"] = cupy.__version__
    return found


def machine(backend: str) -> str:
    """What the expressions ran on."""
    if backend != "cupy":
        return platform.machine()
    import cupy

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"]
    return str(name.decode() if isinstance(name, bytes) else name)


def _close(a: Any, b: Any, relative: float, absolute: float) -> bool:
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(_close(a[k], b[k], relative, absolute) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(_close(x, y, relative, absolute) for x, y in zip(a, b, strict=True))
    if isinstance(a, float) or isinstance(b, float):
        if not isinstance(a, (int, float)) or not isinstance(b, (int, float)):
            return False
        return math.isclose(a, b, rel_tol=relative, abs_tol=absolute)
    return type(a) is type(b) and bool(a == b)


def same(a: dict[str, Any], b: dict[str, Any]) -> bool:
    """Whether two outcomes agree: everything exactly, numbers to the accuracy of their dtype."""
    if a.keys() != b.keys() or any(a[k] != b[k] for k in a if k not in ("value",)):
        return False
    if a.get("is") in ("list", "tuple"):
        return len(a["value"]) == len(b["value"]) and all(
            same(x, y) for x, y in zip(a["value"], b["value"], strict=True)
        )
    return "value" not in a or _close(a["value"], b["value"], *TOLERANCE.get(a.get("dtype", ""), DEFAULT_TOLERANCE))


def differences(a: dict[str, Any], b: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """{expression: (outcome in a, outcome in b)} where two records disagree; an absent outcome is None."""
    left, right = a["outcomes"], b["outcomes"]
    pairs = {e: (left.get(e), right.get(e)) for e in {**left, **right}}
    return {e: (x, y) for e, (x, y) in pairs.items() if x is None or y is None or not same(x, y)}


def _short(outcome: dict[str, Any] | None) -> str:
    text = "absent" if outcome is None else outcome.get("error") or json.dumps(outcome)
    return text if len(text) < 160 else text[:157] + "..."


def _compare(arguments: argparse.Namespace) -> int:
    first, second = (json.loads(p.read_text(encoding="utf-8")) for p in (arguments.first, arguments.second))
    found = differences(first, second)
    for expression, (x, y) in found.items():
        print(f"{expression}\n    {first['backend']}: {_short(x)}\n    {second['backend']}: {_short(y)}")
    print(f"{len(found)} of {len(first['outcomes'])} outcomes differ")
    return 1 if found else 0


def _run(arguments: argparse.Namespace) -> int:
    jobs = arguments.jobs or (min(8, os.cpu_count() or 1) if arguments.backend == "cupy" else 1)
    try:
        record = run(arguments.backend, jobs=jobs, only=arguments.sections.split(",") if arguments.sections else ())
    except DeadDeviceError as error:
        print(error, file=sys.stderr)
        return 3
    lines = [f"  {json.dumps(e)}: {json.dumps(o, sort_keys=True)}" for e, o in record.pop("outcomes").items()]
    head = json.dumps(record, indent=1)[:-2]
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    arguments.out.write_text(f'{head},\n "outcomes": {{\n' + ",\n".join(lines) + "\n }\n}\n", encoding="utf-8")
    print(f"{len(lines)} calls on {arguments.backend} in {record['seconds']} s -> {arguments.out}")
    return 0


def _table(arguments: argparse.Namespace) -> int:
    from .fidelity_table import main as write_table

    return write_table(["--out", str(arguments.out)] if arguments.out else [])


def main(argv: list[str] | None = None) -> int:
    """Command line; exit status 0, 1 when two records differ, 2 on bad arguments, 3 when the device died."""
    argv = list(sys.argv[1:] if argv is None else argv)
    if argv and argv[0] not in ("run", "compare", "table", "-h", "--help"):
        argv.insert(0, "run")
    parser = argparse.ArgumentParser(prog="fidelity", description=(__doc__ or "").splitlines()[0])
    commands = parser.add_subparsers(required=True)
    runner = commands.add_parser("run", help="run the table on one library")
    runner.add_argument("--backend", choices=("strict", "cupy"), required=True)
    runner.add_argument("--out", type=Path, required=True)
    runner.add_argument("--jobs", type=int, default=0, help="processes (default: 1 for strict, up to 8 for cupy)")
    runner.add_argument("--sections", default="", help="comma-separated; all by default")
    runner.set_defaults(do=_run)
    comparer = commands.add_parser("compare", help="show where two records differ")
    comparer.add_argument("first", type=Path)
    comparer.add_argument("second", type=Path)
    comparer.set_defaults(do=_compare)
    tabler = commands.add_parser("table", help="renew the table of CuPy's signatures (needs CuPy, no GPU)")
    tabler.add_argument("--out", type=Path, default=None)
    tabler.set_defaults(do=_table)
    arguments = parser.parse_args(argv)
    status: int = arguments.do(arguments)
    return status


if __name__ == "__main__":
    raise SystemExit(main())
