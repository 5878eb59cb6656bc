"""Signatures and numpydoc docstrings of the reductions, made from one table of their parameters."""

from __future__ import annotations

import inspect
from types import MappingProxyType
from typing import Any

_Empty = inspect.Parameter.empty

#: Name -> default, type, meaning.
PARAMETERS: MappingProxyType[str, tuple[Any, str, str]] = MappingProxyType(
    {
        "order": (_Empty, "int", "Of the moment, at least 0."),
        "q": (_Empty, "float, sequence or array", "What to compute; host data follow `a` to its device."),
        "axis": (None, "int or tuple of int, optional", "Default: all of them."),
        "dtype": (None, "dtype, optional", "Of the result, and to compute in."),
        "out": (None, "array, optional", "Where to write the result."),
        "keepdims": (False, "bool", "Keep the reduced axes with length one."),
        "ddof": (0, "float", "The divisor is the number of elements less this."),
        "initial": (None, "scalar, optional", "Starting value; not every library has it."),
        "where": (None, "array of bool, optional", "Elements to look at; not every library has it."),
        "mean": (None, "array, optional", "The mean, if known; not every library has it."),
        "correction": (None, "float, optional", "Another name of `ddof`; not every library has it."),
        "overwrite_input": (False, "bool", "Allow `a` to be reordered."),
        "method": ("linear", "str", "How to interpolate, by NumPy's names."),
        "weights": (None, "sequence or array, optional", "Host data follow `a` to its device."),
        "returned": (False, "bool", "Give the sum of the weights too."),
        "split_every": (None, "int or dict, optional", "Dask arrays only: how many chunks are merged at once."),
    }
)

_SCAN_METHOD = ("sequential", "{'sequential', 'blelloch'}", "Dask arrays only: the order in which chunks are scanned.")


#: Error, when it is raised, and the parameter that it takes (None: any function).
_RAISES: tuple[tuple[str, str, str | None], ...] = (
    ("AxisError", "If the array has no such `axis`.", "axis"),
    ("ValueError", "If `order` is no integer or negative.", "order"),
    ("ValueError", "If `q` is out of range or NaN, the `method` unknown, or `weights` do not fit.", "q"),
    ("UnsupportedError", "If the library of the array has no such function (scipy.sparse, for one).", None),
    ("TypeError", "If NumPy, dask or the library of the array does not know an argument that was given.", None),
)


def _parameter(name: str, names: tuple[str, ...]) -> tuple[Any, str, str]:
    return _SCAN_METHOD if name == "method" and "q" not in names else PARAMETERS[name]


def defaults(names: tuple[str, ...]) -> dict[str, Any]:
    """The defaults of those of `names`, keys of `PARAMETERS`, that have one."""
    return {name: default for name in names if (default := _parameter(name, names)[0]) is not _Empty}


def signature(names: tuple[str, ...], positional: int) -> inspect.Signature:
    """The signature ``(a, *names)`` with the defaults of the table.

    Parameters
    ----------
    names : tuple of str
        Keys of `PARAMETERS`.
    positional : int
        How many of them may be given by position; the others are keyword-only.
    """
    free, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    rest = [
        inspect.Parameter(name, free if place < positional else named, default=_parameter(name, names)[0])
        for place, name in enumerate(names)
    ]
    return inspect.Signature([inspect.Parameter("a", free), *rest])


def docstring(name: str, names: tuple[str, ...], summary: str, notes: str) -> str:
    """A numpydoc docstring.

    Parameters
    ----------
    name : str
        Of the function.
    names : tuple of str
        Its parameters after `a`, keys of `PARAMETERS`.
    summary, notes : str
        `notes` may be empty.
    """
    lines = [summary, "", "Parameters", "----------", "a : array, dask array or sequence"]
    lines.append("    Sequences may hold device scalars or dask arrays.")
    for each in names:
        _, kind, meaning = _parameter(each, names)
        lines += [f"{each} : {kind}", f"    {meaning}"]
    lines += ["", "Returns", "-------", "array or scalar", "    Of the kind of `a`; a dask array if `a` is one."]
    lines += ["", "Raises", "------"]
    for error, meaning, needs in _RAISES:
        if needs is None or needs in names:
            lines += [error, f"    {meaning}"]
    if notes:
        lines += ["", "Notes", "-----", notes]
    if name != "moment":
        lines += ["", "See Also", "--------", f"numpy.{name}"]
    return "\n".join(lines) + "\n"
