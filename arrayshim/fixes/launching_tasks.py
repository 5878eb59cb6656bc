"""A task that only starts work on a device is handed to a thread of a pool, which costs more than the task itself.

>>> da.from_array(cupy_array, chunks=10_000).sum().compute()    # 16 chunks: 2.5 ms for threads, 0.9 ms of kernels

A launch returns at once, and threads that start launches take the interpreter's lock from each other. Where all of a
task are functions of arrayshim, of arrays on a device, the thread that schedules runs it; every other task, whatever a
user wrote among them, goes to the pool as before. The table `starts` says where that thread is to the device what a
thread of the pool would be: on the first device and on the stream that all threads have.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from typing import Any

import numpy as np
from dask import local
from dask._task_spec import (
    Alias,
    DataNode,
    GraphNode,
    NestedContainer,
    Task,
    TaskRef,
    _execute_subgraph,
    _identity_cast,
)
from dask.array import chunk, core, reductions

from arrayshim import kernels
from arrayshim.fix import Fix, original
from arrayshim.fixes import device_merges as merges
from arrayshim.fixes import device_reductions as steps
from arrayshim.fixes import numel
from arrayshim.kernels.starting import waits
from arrayshim.residency import devices_seen, is_device

FIX = Fix(
    __name__,
    title="a task that only launches kernels needs no thread of its own",
    affects=">=2025.1",
    after=("device_merges", "device_reductions", "numel"),
    forwarded="not-needed",
    reason="which functions return before a device has done what they ask is known to the kernels alone",
)

GET_ASYNC = "dask.local.get_async"

_PLAIN = frozenset({type(None), bool, int, float, complex, str, slice, TaskRef, Alias})
_GETTERS = (core.getter, core.getter_nofancy, core.getter_inline, operator.getitem)
#: What steps of ours are given to know what is asked for.
_FINDERS = {
    chunk: ("min", "max", "argmin", "argmax", "nanmin", "nanmax"),
    reductions: ("_nanargmin", "_nanargmax", "_arg_combine", "arg_agg", "nanarg_agg"),
}
_Known = frozenset[Any]


@FIX.probe
def faulty() -> str | None:
    from threading import get_ident

    from arrayshim import strict

    kind, seen = strict.fresh_type("Launched"), []
    kernels.starts.add(kind, lambda x: True)
    x = strict.asarray([1.0], kind=kind)
    is_device(x)  # as a process meets its first device
    graph = {
        "x": DataNode("x", x),
        "y": Task("y", np.negative, TaskRef("x")),
    }
    try:
        with ThreadPoolExecutor(1) as pool:
            after = (None, None, None, lambda *task: seen.append(task[-1]), None)
            local.get_async(pool.submit, 1, graph, ["y"], get_id=get_ident, callbacks=[after])
    finally:
        kernels.starts.remove(kind)
    return None if seen == [get_ident()] else "a task that only launches a kernel is handed to a thread of a pool"


@FIX.replaces(GET_ASYNC)
def get_async(submit: Any, *args: Any, **kwargs: Any) -> Any:
    pool = getattr(submit, "__self__", None)
    # Threads that an initializer has prepared may be on another device, or stream, than others.
    bare = isinstance(pool, ThreadPoolExecutor) and getattr(pool, "_initializer", None) is None
    # Without devices there is nothing to look for, in any task.
    if bare and devices_seen():
        submit = partial(_submit, submit, cache(_known))
    return original(GET_ASYNC)(submit, *args, **kwargs)


def _known() -> _Known:
    """The functions that start work on a device, given its arrays, and do not wait for it; as they are now."""
    ours = (entry.function for fix in (steps.FIX, merges.FIX, numel.FIX) for entry in fix.replacements)
    finders = (getattr(owner, name) for owner, names in _FINDERS.items() for name in names if hasattr(owner, name))
    named = (merges._merge, core._enforce_dtype, core.finalize, reductions._sqrt)
    return frozenset({*ours, *finders, *named, *_GETTERS} - {merges._tree_reduce})


def _submit(stock: Any, known: Callable[[], _Known], run: Any, batch: Any) -> Any:
    here = all(_starts(task[1], known) for task in batch)
    return (local.synchronous_executor.submit if here else stock)(run, batch)


def _starts(info: Any, known: Callable[[], _Known]) -> bool:
    """Whether a task, with the values it needs, only starts work that this thread may start as well as another."""
    if not (isinstance(info, tuple) and isinstance(info[0], GraphNode)):
        return False
    # Most tasks are told by the first of their values, which costs less than to look into all of them.
    if isinstance(next(iter(info[1].values()), None), np.ndarray | np.generic | None):
        return False
    values = _leaves(list(info[1].values()))
    first = next(values, None)
    if (row := kernels.starts.dispatch(type(first))) is waits or not row(first):
        return False
    return all(type(value) is type(first) for value in values) and _harmless(info[0], known())


def _leaves(value: Any) -> Iterator[Any]:
    """The arrays of nested lists and dicts."""
    if isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _leaves(part)
    else:
        yield value


def _harmless(node: Any, known: _Known) -> bool:
    """Whether all that a node of a graph calls is known, and all that it is given plain."""
    if type(node) in _PLAIN:
        return True
    if isinstance(node, Task):
        if node.func is _execute_subgraph:
            inner, _, _, *given = node.args
            return all(_harmless(part, known) for part in (*inner.values(), *given))
        called = node.func is _identity_cast or _called(node.func, known) or isinstance(node, NestedContainer)
        return called and all(_harmless(part, known) for part in (*node.args, *node.kwargs.values()))
    if type(node) is DataNode:
        return _harmless(node.value, known)
    if isinstance(node, tuple | list):
        return all(_harmless(part, known) for part in node)
    if isinstance(node, type | np.dtype | np.generic):
        return True
    return callable(node) and not isinstance(node, GraphNode) and _called(node, known)


def _called(function: Any, known: _Known) -> bool:
    if isinstance(function, partial):
        given = (*function.args, *function.keywords.values())
        return _called(function.func, known) and all(_harmless(part, known) for part in given)
    if isinstance(function, np.ufunc):
        return True
    try:
        return function in known
    except TypeError:  # no hash
        return False
