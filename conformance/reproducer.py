"""The script that shows a failure with nothing but dask and the backend."""

from __future__ import annotations

import ast
from typing import Any

from . import inputs, refusals, sources
from .case import Case
from .hidden import places
from .layouts import BASE, Variation

_ARRAY = """
def array(host, chunks=...):
    host = np.asarray(host)
    if chunks is ...:
        chunks = tuple((n + 1) // 2 for n in host.shape)
    meta = to_device(np.empty((0,) * host.ndim, host.dtype))
    return da.from_array(host, chunks=chunks).map_blocks({move}, dtype=host.dtype, meta=meta{extra})
"""

_MOVES = {
    "transposed": "lambda chunk: to_device(np.ascontiguousarray(chunk.T)).T",
    "strided": "strided",
    "read-only": "read_only",
}

_HELPERS = {
    "strided": """
def strided(chunk):
    wide = np.zeros([2 * n for n in chunk.shape], chunk.dtype)
    wide[(slice(None, None, 2),) * chunk.ndim] = chunk
    return to_device(wide)[(slice(None, None, 2),) * chunk.ndim]
""",
    "read_only": """
def read_only(chunk):
    chunk = to_device(chunk.copy())
    chunk.flags.writeable = False
    return chunk
""",
}


def script(
    case: Case,
    variation: Variation | None,
    preamble: str,
    *,
    title: str,
    stock: bool,
    backend: str = "numpy",
    mode: str = "",
    hidden: bool = False,
) -> str:
    """Write the script.

    Parameters
    ----------
    case : Case
    variation : Variation or None
        What its operand was crossed with.
    preamble : str
        Defines `to_device`, `to_host` and `namespace`.
    backend : str
        Name of the backend.
    title : str
        First line: what was found.
    stock : bool
        Without arrayshim's repairs; otherwise they are imported, for they are what failed.
    mode : str
        ``array-expr`` to switch that on.
    hidden : bool
        Whether elements of the operands were hidden; the preamble defines `hide` then.

    Returns
    -------
    str
        Python code.
    """
    variation = variation or BASE
    used = sources.operands(case.call)
    lines = [f"# {' '.join(title.split())}"]
    if stock and "arrayshim" in preamble:
        lines += ["import os", 'os.environ["ARRAYSHIM_DISABLE"] = "all"  # for its stand-in of a device array only']
    if mode:
        lines += ["import dask", 'dask.config.set({"array.query-planning": True})']
    lines += ["import numpy as np", "import dask.array as da"]
    lines += ["" if stock else "import arrayshim  # the repairs", preamble.strip()]
    text = "\n".join(line for line in lines if line) + "\n"
    text += f"backend = {backend!r}\n" if "backend" in used else ""
    text += _operands(used, variation, hidden)
    text += sources.surroundings(case.call)
    text += _call(case, "expression" if mode else "graph")
    return text


def _operands(used: tuple[str, ...], variation: Variation, hidden: bool) -> str:
    text, body = "", ""
    crossed = {"x", "y"} & set(used)
    move = _MOVES.get(variation.place.memory, "to_device") if crossed else "to_device"
    text += _HELPERS.get(move, "")
    if set(used) - {"namespace", "device", "host", "backend"}:
        text += _ARRAY.format(move="to_device", extra="") + "\n"
    for name in used:
        if name == "device":
            body += "device = to_device\n"
        elif name == "host":
            body += "host = np.array\n"
        elif name in inputs.NAMES:
            code, chunks, place = inputs.definition(name, variation)
            body += f"{name} = array({code}, {chunks})\n"
            if place is not None and move != "to_device":
                like = f"dtype={name}.dtype, meta={name}._meta"
                body += f"{name} = da.from_array({code}, {chunks}).map_blocks({move}, {like})\n"
            away = places(name, variation, inputs.host_array(name, variation).shape, code) if hidden else None
            if away is not None:
                there = f"da.from_array({away}, {chunks})"
                body += f"{name} = da.map_blocks(hide, {name}, {there}, dtype={name}.dtype, meta={name}._meta)\n"
            if place is not None and not place.known:
                nan = f"(({'np.nan, ' * len(chunks[0])}), *{name}.chunks[1:])"
                body += f"{name} = {name}.map_blocks(lambda chunk: chunk, dtype={name}.dtype, meta={name}._meta, "
                body += f"chunks={nan})\n"
    return text + body


class _Bare(ast.NodeTransformer):
    """``b.x`` becomes ``x``."""

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "b":
            return ast.Name(node.attr, node.ctx)
        return node


#: How the chunks are computed one by one; arrays of the expression mode have no `to_delayed`.
_CHUNKS = {
    "graph": 'da.compute(*part.to_delayed().ravel().tolist(), scheduler="sync")',
    "expression": "dask.get(dict(part.__dask_graph__()), list(dask.core.flatten(part.__dask_keys__())))",
}


def _call(case: Case, chunks: str) -> str:
    body = sources.body(case.call)
    if case.call.__name__ == "<lambda>":
        body = ast.unparse(ast.fix_missing_locations(_Bare().visit(ast.parse(body, mode="eval"))))
    note = f"# must raise {refusals.named(case)}\n" if case.raises else ""
    return f"""
{note}result = {body}
for part in result if isinstance(result, (tuple, list)) else [result]:
    if isinstance(part, da.Array):
        print("promised:", type(part._meta), part.dtype, part.shape)
        chunks = {_CHUNKS[chunks]}
        print("chunks:  ", sorted({{str(type(c)) for c in chunks}}), sorted({{str(c.dtype) for c in chunks}}))
        part = part.compute(scheduler="sync")
    print("computed:", type(part), part, sep="\\n")
"""
