"""The JSON schema of a run, and where data break it; as much of JSON Schema as ``schema.json`` uses."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

_TYPES: Mapping[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}


@cache
def schema() -> dict[str, Any]:
    """The JSON schema of a run, as committed in ``schema.json``."""
    loaded: dict[str, Any] = json.loads(Path(__file__).with_name("schema.json").read_text(encoding="utf-8"))
    return loaded


def faults(value: Any, rule: Mapping[str, Any] | None = None, where: str = "") -> Iterator[str]:
    """Where `value` breaks a JSON schema.

    Understands type, const, enum, required, properties, additionalProperties, items, minimum, minLength, pattern, and
    ``$ref`` into ``$defs``.

    Parameters
    ----------
    value : object
        Plain data, as `json.loads` gives it.
    rule : mapping, optional
        The (sub)schema; default `schema()`.
    where : str
        Path of `value`, for the sentences.

    Yields
    ------
    str
        One sentence per fault: ``cases[3].outcome='odd', expected one of ...``.
    """
    rule = schema() if rule is None else rule
    if "$ref" in rule:
        rule = schema()["$defs"][rule["$ref"].rpartition("/")[2]]
    name = where or "the document"
    kinds = [rule["type"]] if isinstance(rule.get("type"), str) else rule.get("type", [])
    if kinds and not any(_is(value, kind) for kind in kinds):
        yield f"{name} is {_kind(value)}, expected {' or '.join(kinds)}"
        return
    if "const" in rule and value != rule["const"]:
        yield f"{name}={value!r}, expected {rule['const']!r}"
    if "enum" in rule and value not in rule["enum"]:
        yield f"{name}={value!r}, expected one of {', '.join(map(str, rule['enum']))}"
    if "minimum" in rule and _is(value, "number") and not value >= rule["minimum"]:
        yield f"{name}={value!r}, expected at least {rule['minimum']}"
    if isinstance(value, str):
        if len(value) < rule.get("minLength", 0):
            yield f"{name} is empty, expected a text"
        if "pattern" in rule and not re.search(rule["pattern"], value):
            yield f"{name}={value!r}, expected to match {rule['pattern']}"
    elif isinstance(value, dict):
        yield from _object_faults(value, rule, where)
    elif isinstance(value, list) and "items" in rule:
        for number, item in enumerate(value):
            yield from faults(item, rule["items"], f"{where}[{number}]")


def _object_faults(value: dict[str, Any], rule: Mapping[str, Any], where: str) -> Iterator[str]:
    known = rule.get("properties", {})
    for key in rule.get("required", ()):
        if key not in value:
            yield f"{where or 'the document'} has no {key!r}"
    for key, item in value.items():
        other = rule.get("additionalProperties", True)
        path = f"{where}.{key}" if where else key
        if key in known:
            yield from faults(item, known[key], path)
        elif other is False:
            yield f"{path} is unknown"
        elif isinstance(other, dict):
            yield from faults(item, other, path)


def _is(value: Any, kind: str) -> bool:
    if isinstance(value, bool) and kind != "boolean":
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False  # JSON has neither NaN nor infinity
    return isinstance(value, _TYPES[kind])


def _kind(value: Any) -> str:
    return next((kind for kind in _TYPES if _is(value, kind)), repr(value))
