"""Writes ``arrayshim/strict_cupy.json``: what an installed CuPy has, and with which parameters.

``arrayshim.strict`` is driven by that file. CuPy need only be importable, no GPU is used: signatures come from
``inspect`` (Python functions) or from the first line of the docstring (Cython methods), the loops of the ufuncs from
the ufunc objects themselves.

A signature is written as one string of parameter names: ``"a axis= *, keepdims="`` reads as
``(a, axis=..., *, keepdims=...)``; defaults are CuPy's business and not kept.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
import re
from pathlib import Path

import numpy as np

_STARS: dict[object, str] = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
SUBMODULES = ("", "linalg", "fft", "lib.stride_tricks")

# CuPy's ndarray methods and routines run through these, which have no public name: ours -> (module, attribute).
PRIVATE_UFUNCS = {
    "_where": ("cupy._sorting.search", "_where_ufunc"),
    "_clip": ("cupy._core._routines_math", "clip"),
    "_round": ("cupy._core.core", "_round_ufunc"),
    "_round_negative": ("cupy._core.core", "_round_ufunc_neg_uint"),
    "_nan_to_num": ("cupy._math.misc", "_nan_to_num"),
    "_is_close": ("cupy._logic.comparison", "_is_close"),
    "_is_close_complex": ("cupy._logic.comparison", "_is_close_complex"),
    "_angle": ("cupy._core", "angle"),
    "_angle_deg": ("cupy._core", "angle_deg"),
    "_copy": ("cupy._core", "elementwise_copy"),
}


def _from_signature(signature: inspect.Signature) -> str:
    words: list[str] = []
    last = None
    for parameter in signature.parameters.values():
        kind = parameter.kind
        if last is inspect.Parameter.POSITIONAL_ONLY and kind is not last:
            words.append("/")
        if kind is inspect.Parameter.KEYWORD_ONLY and "*" not in {w[:1] for w in words}:
            words.append("*")
        prefix = _STARS.get(kind, "")
        has_default = parameter.default is not inspect.Parameter.empty
        words.append(prefix + parameter.name + ("=" if has_default else ""))
        last = kind
    if last is inspect.Parameter.POSITIONAL_ONLY:
        words.append("/")
    return " ".join(words)


def _from_docstring(method: object) -> str | None:
    """Cython writes ``name(self, int axis=-1, kind=None) -> type`` as the first line of a docstring."""
    lines = (getattr(method, "__doc__", None) or "").splitlines()
    found = re.match(r"[\w.]+\((.*)\)", lines[0]) if lines else None
    if found is None:
        return None
    words = []
    for part in filter(None, found[1].split(", ")):
        name, equals, _ = part.partition("=")
        name = name.split()[-1]
        if name != "self":
            words.append(name + equals)
    return " ".join(words)


def _signature(function: object, *, method: bool = False) -> str | None:
    try:
        words = _from_signature(inspect.signature(function))  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return _from_docstring(function)
    return words.removeprefix("self").lstrip() if method else words


def _loops(ops: object) -> str:
    words = []
    for op in ops.ops:  # type: ignore[attr-defined]
        chars = "".join(np.dtype(t).char for t in op.in_types), "".join(np.dtype(t).char for t in op.out_types)
        if "V" in chars[0]:
            continue
        words.append(f"{'!' if op.error_func is not None else ''}{chars[0]}->{chars[1]}")
    return " ".join(words)


def _ufunc(ufunc: object) -> dict[str, object]:
    row: dict[str, object] = {"loops": _loops(ufunc._ops)}  # type: ignore[attr-defined]
    if ufunc._out_ops is not None:  # type: ignore[attr-defined]
        row["out_loops"] = _loops(ufunc._out_ops)  # type: ignore[attr-defined]
    if ufunc._default_casting != "same_kind":  # type: ignore[attr-defined]
        row["casting"] = ufunc._default_casting  # type: ignore[attr-defined]
    if ufunc._scatter_op is not None:  # type: ignore[attr-defined]
        row["scatter"] = ufunc._scatter_op  # type: ignore[attr-defined]
    if ufunc._ops.promote_types is not None:  # type: ignore[attr-defined]
        row["integers_compare_strongly"] = True
    return row


def _walk(root: object, path: str) -> object:
    for part in filter(None, path.split(".")):
        root = getattr(root, part)
    return root


def build() -> dict[str, object]:
    """The table as JSON-able objects.

    Returns
    -------
    dict
        ``cupy``, ``numpy`` (versions); ``functions`` {submodule: {name: signature, "numpy" or None}}, where "numpy"
        means that CuPy's name is NumPy's own function and None that CuPy lacks it; ``ufuncs`` {name: loops};
        ``special`` (ufuncs of ``cupyx.scipy.special``); ``methods`` {name: signature}; ``attributes``; ``random``.
    """
    import cupy
    import cupyx.scipy.special as special

    ufunc_type = type(cupy.add)
    functions: dict[str, dict[str, str | None]] = {}
    ufuncs: dict[str, object] = {}
    for module in SUBMODULES:
        numpy_module, cupy_module = _walk(np, module), _walk(cupy, module)
        rows = functions[module] = {}
        for name in sorted({*dir(numpy_module), *dir(cupy_module)}):
            theirs, ours = getattr(cupy_module, name, None), getattr(numpy_module, name, None)
            if name.startswith("_") or isinstance(theirs or ours, type) or not callable(theirs or ours):
                continue
            if theirs is None:
                if not isinstance(ours, np.ufunc):
                    rows[name] = None
            elif theirs is ours:
                rows[name] = "numpy"
            elif isinstance(theirs, ufunc_type):
                ufuncs[name] = _ufunc(theirs)
                if not isinstance(ours, np.ufunc):
                    rows[name] = "*args **kwargs"
            else:
                rows[name] = _signature(theirs)
    for name, (module, attribute) in PRIVATE_UFUNCS.items():
        ufuncs[name] = _ufunc(getattr(importlib.import_module(module), attribute))

    members = {name: getattr(cupy.ndarray, name) for name in dir(cupy.ndarray) if not name.startswith("_")}
    random: dict[str, dict[str, str | None]] = {"": {}}
    for name in sorted(dir(cupy.random)):
        value = getattr(cupy.random, name)
        if inspect.isfunction(value) and not name.startswith("_"):
            random[""][name] = _signature(value)
    for cls in ("RandomState", "Generator"):
        members_of = getattr(cupy.random, cls)
        random[cls] = {
            n: _signature(getattr(members_of, n), method=True) for n in sorted(dir(members_of)) if n[0] != "_"
        }
    return {
        "cupy": cupy.__version__,
        "numpy": np.__version__,
        "functions": functions,
        "ufuncs": ufuncs,
        "special": {n: _ufunc(u) for n in sorted(dir(special)) if isinstance(u := getattr(special, n), ufunc_type)},
        "methods": {n: _signature(value, method=True) for n, value in members.items() if callable(value)},
        "attributes": sorted(name for name, value in members.items() if not callable(value)),
        "random": random,
    }


def main(argv: list[str] | None = None) -> int:
    """Write the table to ``--out`` (default: the file the library reads)."""
    parser = argparse.ArgumentParser(prog="fidelity_table", description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=None)
    out = parser.parse_args(argv).out
    if out is None:
        import arrayshim

        out = Path(arrayshim.__path__[0]) / "strict_cupy.json"
    text = json.dumps(build(), indent=0, sort_keys=True)
    # one row per line reads and diffs well; the default indentation makes 3,000 lines of it
    text = re.sub(r'\{\n("loops|"casting|"out_loops|"integers)([^}]*)\n\}', lambda m: m[0].replace("\n", " "), text)
    out.write_text(text + "\n", encoding="utf-8")
    print(f"wrote {out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
