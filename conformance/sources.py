"""The code of a case, cut out of its file, and what of its surroundings it needs to run on its own."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

Place = tuple[int, int]


@cache
def _file(path: str) -> tuple[str, dict[int, list[ast.Lambda]]]:
    text = Path(path).read_text(encoding="utf-8")
    found: dict[int, list[ast.Lambda]] = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Lambda):
            found.setdefault(node.lineno, []).append(node)
    return text, found


def _span(code: CodeType) -> tuple[Place, Place]:
    """Where the body of a function begins and ends."""
    places = [p for p in code.co_positions() if None not in p]
    spans: Any = [((line, column), (end, end_column)) for line, end, column, end_column in places]
    # what belongs to the function as a whole has no width
    spans = [span for span in spans if span[0] != span[1]]
    return min(start for start, _ in spans), max(end for _, end in spans)


def _node(call: Callable[..., Any]) -> tuple[str, ast.Lambda | None]:
    code = call.__code__
    text, lambdas = _file(code.co_filename)
    nodes = lambdas.get(code.co_firstlineno, [])
    if len(nodes) > 1:
        start, end = _span(code)
        # the smallest that holds all of the code: a lambda may hold others, and lie beside others
        around = [n for n in nodes if _start(n.body) <= start and end <= _end(n.body)]
        nodes = sorted(around, key=lambda n: (_start(n.body), [-k for k in _end(n.body)]))[-1:]
    return text, nodes[0] if nodes else None


@cache
def _lines(text: str) -> list[bytes]:
    return [line.encode() for line in text.splitlines()]


def _segment(text: str, node: Any) -> str:
    """As `ast.get_source_segment`, which splits the file each time."""
    lines = _lines(text)[node.lineno - 1 : node.end_lineno]
    lines[-1] = lines[-1][: node.end_col_offset]
    lines[0] = lines[0][node.col_offset :]
    return b"\n".join(lines).decode()


def _start(node: Any) -> Place:
    return node.lineno, node.col_offset


def _end(node: Any) -> Place:
    return node.end_lineno, node.end_col_offset


@cache
def body(call: Callable[..., Any]) -> str:
    """The expression that a case evaluates, on one line: ``da.mean(b.x, axis=0)``.

    Parameters
    ----------
    call : callable
        A lambda, or a function, whose name stands for it then.
    """
    if call.__name__ != "<lambda>":
        return f"{call.__name__}(da, b)"
    text, node = _node(call)
    if node is None:
        return "call(da, b)"
    return " ".join(_segment(text, node.body).split())


def shown(call: Callable[..., Any]) -> str:
    """The call as messages show it: ``da.mean(x, axis=0)``."""
    return re.sub(r"\bb\.", "", body(call))


def operands(call: Callable[..., Any]) -> tuple[str, ...]:
    """Attributes of `b` that a case reads."""
    if call.__name__ == "<lambda>":
        node = _node(call)[1]
        tree: ast.AST = node.body if node is not None else ast.Constant(None)
    else:
        tree = ast.parse(textwrap.dedent(inspect.getsource(call)))
    found = [
        n.attr
        for n in ast.walk(tree)
        if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "b"
    ]
    return tuple(dict.fromkeys(found))


def functions(call: Callable[..., Any]) -> tuple[str, ...]:
    """Functions of dask.array that a case calls, without what precedes them: ``ma.filled``."""
    node = _node(call)[1] if call.__name__ == "<lambda>" else None
    tree: ast.AST = node.body if node is not None else ast.parse(textwrap.dedent(inspect.getsource(call)))
    called = [ast.unparse(n.func) for n in ast.walk(tree) if isinstance(n, ast.Call)]
    return tuple(dict.fromkeys(name.removeprefix("da.") for name in called if re.fullmatch(r"da(\.\w+)+", name)))


def surroundings(call: Callable[..., Any]) -> str:
    """Code that defines every other name the case uses: imports, helpers with their source, constants."""
    return "".join(dict.fromkeys(_needed(call, set())))


def _is_own(helper: Callable[..., Any], call: Callable[..., Any]) -> bool:
    """Whether a helper is one of the catalogue; others can be imported by a script as well."""
    return helper.__module__ == call.__module__ or helper.__module__.startswith(__package__ or "")


def _bare(function: Callable[..., Any]) -> str:
    """Source of a helper without what only a reader of its own module needs: annotations, which name imports."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            node.returns = None
            if ast.get_docstring(node) is not None and len(node.body) > 1:
                del node.body[0]
        elif isinstance(node, ast.arg):
            node.annotation = None
    return ast.unparse(tree)


def _needed(call: Callable[..., Any], done: set[str]) -> Iterator[str]:
    scope = inspect.getclosurevars(call)
    defaults = call.__defaults__ or ()
    bound = dict(zip(list(inspect.signature(call).parameters)[::-1], defaults[::-1], strict=False))
    for name, value in {**scope.globals, **scope.nonlocals, **bound}.items():
        if name in done or name in ("np", "da", "b"):
            continue
        done.add(name)
        if isinstance(value, ModuleType):
            yield f"import {value.__name__} as {name}\n"
        elif inspect.isfunction(value) and value.__name__ == name and _is_own(value, call):
            yield from _needed(value, done)
            yield f"\n\n{_bare(value)}\n\n"
        elif inspect.isclass(value) or callable(value):
            module = getattr(value, "__module__", "builtins")
            if module != builtins.__name__:
                yield f"from {module} import {getattr(value, '__qualname__', name)} as {name}\n"
        else:
            yield f"{name} = {value!r}\n"
