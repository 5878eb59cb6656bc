"""A fused chain of tasks has one order only, and dask computes it anew, by `dask.order`, each time the task runs.

>>> (da.from_array(x, chunks=1000) + 1).sum().compute()    # 100 to 250 us a chunk for nothing, whatever x is

Each task that fusion makes calls `execute_graph` on its two or three inner tasks. Where each of them needs at most one
of the others, besides values that are there, they run one after the other here.
"""

from __future__ import annotations

from typing import Any

from dask._task_spec import DataNode

from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="a chain of fused tasks runs without being put in order first",
    affects=">=2025.1",
)

EXECUTE = "dask._task_spec.execute_graph"


@FIX.probe
def faulty() -> str | None:
    import dask.order
    from dask._task_spec import Task, TaskRef, execute_graph

    def counted(dsk: Any, *args: Any, **kwargs: Any) -> Any:
        ordered.append(dsk)
        return order(dsk, *args, **kwargs)

    ordered: list[Any] = []
    order, dask.order.order = dask.order.order, counted
    try:
        chain = {"a": Task("a", abs, -1), "b": Task("b", abs, TaskRef("a"))}
        execute_graph(chain, keys=["b"])
    finally:
        dask.order.order = order
    return "a chain of two tasks is put in order before it runs" if ordered else None


def _chain(dsk: Any, last: Any) -> list[Any] | None:
    """Keys of the tasks that end in `last`, first to last; None unless this is their only order, and all there is."""
    if last not in dsk:
        return None
    values = {key for key, node in dsk.items() if type(node) is DataNode}
    chain = [last]
    while needed := dsk[last].dependencies - values:
        if len(needed) > 1 or not needed <= dsk.keys() or len(chain) == len(dsk):
            return None
        (last,) = needed
        chain.append(last)
    return chain[::-1] if len(chain) + len(values) == len(dsk) else None


@FIX.replaces(EXECUTE)
def execute_graph(dsk: Any, cache: Any = None, keys: Any = None) -> Any:
    # `dask.core.get`, which gives the results of `compute` their form, asks with a set.
    alone = type(dsk) is dict and not cache and isinstance(keys, list | set) and len(keys) == 1
    chain = _chain(dsk, next(iter(keys))) if alone else None
    if chain is None:
        return original(EXECUTE)(dsk, cache, keys)
    values = {key: node() for key, node in dsk.items() if type(node) is DataNode}
    before = None
    for key in chain:
        values[key] = dsk[key](values)
        if before is not None:
            del values[before]
        before = key
    return {before: values[before]}
