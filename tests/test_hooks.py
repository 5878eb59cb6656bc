"""dask's lazy hooks: late, repeated and in every order they overwrite no row, neither ours nor another's."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest

import arrayshim
from arrayshim import hooks, tables

FAKE = Path(__file__).parent / "fake"

#: Each case runs in a fork, so that it meets a dask that nothing has used.
SETUP = """
import json, os, sys
import numpy as np
import dask.array as da, cupy
from importlib import import_module
from dask.array import backends, dispatch

TABLES = {
    "concatenate": dispatch.concatenate_lookup, "take": dispatch.take_lookup, "tensordot": dispatch.tensordot_lookup,
    "einsum": dispatch.einsum_lookup, "empty": dispatch.empty_lookup, "divide": dispatch.divide_lookup,
    "percentile": dispatch.percentile_lookup, "numel": dispatch.numel_lookup, "nannumel": dispatch.nannumel_lookup,
    "to_numpy": dispatch.to_numpy_dispatch, "to_cupy": dispatch.to_cupy_dispatch,
}

def name(function):
    return f"{function.__module__}.{function.__name__}"

def seen(*names):
    return {n: name(TABLES[n].dispatch(np.ndarray if n == "to_cupy" else cupy.ndarray)) for n in names or TABLES}

def theirs(*args): ...

def forked(cases, run):
    found = []
    for case in cases:
        read, write = os.pipe()
        child = os.fork()
        if not child:
            try:
                os.write(write, json.dumps(run(case)).encode())
            except BaseException as error:
                os.write(write, json.dumps(f"{type(error).__name__}: {error}").encode())
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as pipe:
            found.append([case, json.loads(pipe.read())])
        os.waitpid(child, 0)
    return found
"""

CUPYS = {
    "concatenate": "cupy.concatenate",
    "take": "cupy.take",
    "tensordot": "cupy.tensordot",
    "einsum": "dask.array.backends._cupy_einsum",
    "empty": "cupy.empty",
    "divide": "arrayshim.kernels.table.divide",
    "percentile": "dask.array.backends.percentile",
    "numel": "dask.array.backends._numel_arraylike",
    "nannumel": "dask.array.backends._nannumel",
    "to_numpy": "dask.array.backends.cupy_to_numpy",
    "to_cupy": "dask.array.backends.numpy_to_cupy",
}

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs os.fork, for a dask that nothing has used")


@needs_fork
def test_a_cold_table_reaches_the_library_whichever_is_first(bare):
    found = bare(
        SETUP
        + """
def run(first):
    import arrayshim
    return {**seen(first), **seen()}
answer(forked(list(TABLES), run))
""",
        path=(FAKE,),
    )
    assert [first for first, _ in found] == list(CUPYS)
    assert {first: rows for first, rows in found if rows != CUPYS} == {}


EVENTS = """
def event(what):
    if what == "import":
        import arrayshim
    elif what == "hook":
        backends.register_cupy()
    elif what == "entry point":
        import_module("dask.array.cupy_entry_point").CupyBackendEntrypoint()
    elif what == "memo":
        seen("einsum", "empty")
    elif what == "theirs":
        TABLES["take"].register(cupy.ndarray, theirs)
        TABLES["divide"].register(cupy.ndarray, theirs)

def run(order):
    for what in order:
        event(what)
    rows = seen()
    import arrayshim
    arrayshim.disable()
    kept = [name(TABLES[n]._lookup[cupy.ndarray]) for n in ("take", "divide") if cupy.ndarray in TABLES[n]._lookup]
    held = [(n, f) for n, table in TABLES.items() for f in [*table._lookup.values(), *table._lazy.values()]]
    ours = [n for n, f in held if f.__module__.startswith("arrayshim")]
    return {"rows": rows, "kept": kept, "ours": ours}
"""


@needs_fork
def test_hooks_late_and_repeated_in_every_order_overwrite_no_row(bare):
    events = ("import", "hook", "entry point", "theirs", "memo")
    orders = [order for order in itertools.permutations(events, 3) if "import" in order]
    orders += list(itertools.permutations(events, 5))[::10]
    orders += [("hook", "hook", "import", "hook", "hook", "entry point", "theirs", "hook")]
    found = bare(SETUP + EVENTS + f"\nanswer(forked({orders!r}, run))", path=(FAKE,))
    wrong = []
    for order, seen in found:
        expected = dict(CUPYS)
        if "theirs" in order:
            expected["divide"] = "__main__.theirs"
            # What dask's own hook overwrites before arrayshim is there is lost.
            since = order[order.index("theirs") :]
            until_import = since[: since.index("import")] if "import" in since else []
            if not {"hook", "entry point"} & {*until_import}:
                expected["take"] = "__main__.theirs"
        survived = "theirs" not in order or "__main__.theirs" in seen["kept"]
        if seen["rows"] != expected or seen["ours"] or not survived:
            wrong.append((order, seen))
    assert len(found) == 36 + 12 + 1
    assert wrong == []


@needs_fork
def test_subclasses_and_unknown_types_that_came_too_early_are_repaired(bare):
    found = bare(
        SETUP
        + """
class Sub(cupy.ndarray): ...
class Unknown: ...

def rows():
    return {n: [name(TABLES[n].dispatch(cls)) for cls in (Sub, Unknown)] for n in ("divide", "numel", "einsum")}

def run(early):
    before = rows() if early else None
    pending = {n: dict(table._lazy) for n, table in TABLES.items()}
    import arrayshim
    enabled = rows()
    arrayshim.disable()
    memos = [n for n, table in TABLES.items() for f in table._lookup.values() if f.__module__.startswith("arrayshim")]
    same = all(pending[n] == dict(table._lazy) for n, table in TABLES.items())
    return {"before": before, "enabled": enabled, "memos": memos, "hooks": same}
answer(forked([True, False], run))
""",
        path=(FAKE,),
    )
    for early, seen in found:
        if early:
            assert seen["before"]["divide"] == ["dask.array.numpy_compat.divide"] * 2
            assert seen["before"]["numel"][1] == "dask.array.backends._numel_ndarray"
        assert seen["enabled"]["divide"] == ["arrayshim.kernels.table.divide", "dask.array.numpy_compat.divide"]
        assert seen["enabled"]["numel"] == ["dask.array.backends._numel_arraylike", "arrayshim.kernels.table.numel"]
        assert seen["memos"] == []
        assert seen["hooks"]


@needs_fork
def test_sparse_chunks_are_counted_in_numpy(bare):
    """dask issue 7169, whether dask's hook for sparse has fired before arrayshim came or not."""
    found = bare(
        SETUP
        + """
import sparse

def run(first):
    if first == "dask":
        TABLES["numel"].dispatch(sparse.COO)
    import arrayshim
    count = TABLES["numel"].dispatch(sparse.COO)
    counted = count(np.eye(2), axis=(0,), keepdims=True)
    return [name(count), type(counted).__name__, counted.tolist()]
answer(forked(["dask", "arrayshim"], run))
""",
        path=(FAKE,),
    )
    for _, seen in found:
        assert seen == ["dask.array.backends._numel_ndarray", "ndarray", [[2.0, 2.0]]]


def theirs(*args, **kwargs):
    return "theirs"


def test_a_hook_that_fails_leaves_what_it_wrote_to_be_undone(monkeypatch):
    with arrayshim.scope(only=()):
        arrayshim.enable()
        table, cls = tables.get("take"), type("Half", (), {"__module__": "cupyx"})

        def half():
            table.register(cls, theirs)
            raise ImportError("half-way")

        hook = hooks.hook_of("cupyx")
        monkeypatch.setattr(hook, "stock", half)
        with pytest.raises(ImportError, match="half-way"):
            hook()
        assert not hook.fired
        assert table._lookup[cls] is theirs
        monkeypatch.undo()
        arrayshim.disable()
        assert cls not in table._lookup


def test_a_hook_travels_as_a_name():
    import pickle

    hook = hooks.hook_of("cupy")
    assert pickle.loads(pickle.dumps(hook)) is hook
