"""`fused_chains`: inner tasks that have one order only run in it; the others are put in order by dask as before."""

from __future__ import annotations

import dask
import dask.array as da
import dask.order
import numpy as np
import pytest
from dask._task_spec import Alias, DataNode, List, Task, TaskRef, execute_graph

import arrayshim
from arrayshim.fixes.fused_chains import FIX

DATA = np.arange(24.0).reshape(4, 6)


@pytest.fixture
def ordered(monkeypatch):
    """Graphs that are put in order."""
    found = []
    order = dask.order.order

    def counted(dsk, *args, **kwargs):
        found.append(dsk)
        return order(dsk, *args, **kwargs)

    monkeypatch.setattr(dask.order, "order", counted)
    return found


def chain(length, func=abs):
    steps = [Task(("x", 0), func, TaskRef("given"))]
    steps += [Task(("x", k), func, TaskRef(("x", k - 1))) for k in range(1, length)]
    return {"given": DataNode(None, -3), **{step.key: step for step in reversed(steps)}}


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "a chain of two tasks is put in order before it runs"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("length", [1, 2, 5])
def test_a_chain_runs_without_being_put_in_order(ordered, length):
    graph = chain(length, lambda x: x + 1)
    assert execute_graph(graph, keys=[("x", length - 1)]) == {("x", length - 1): length - 3}
    assert not ordered
    with arrayshim.scope(only=()):
        assert dask._task_spec.execute_graph(graph, keys=[("x", length - 1)]) == {("x", length - 1): length - 3}
    assert len(ordered) == 1


@pytest.mark.parametrize(
    "graph",
    [
        {"a": Task("a", abs, -1), "b": Task("b", abs, -2), "c": Task("c", max, TaskRef("a"), TaskRef("b"))},
        {"a": Task("a", abs, -2), "b": Task("b", abs, TaskRef("a")), "c": Task("c", max, TaskRef("a"), TaskRef("b"))},
        {"a": Task("a", abs, -1), "b": Task("b", abs, -2), "c": Task("c", abs, TaskRef("b"))},
        {"a": DataNode("a", 2), "b": DataNode("b", 3), "c": DataNode("c", 2)},
    ],
    ids=["tree", "diamond", "forest", "values"],
)
def test_what_is_no_chain_is_left_to_dask(ordered, graph):
    assert execute_graph(dict(graph), keys=["c"])["c"] == 2
    assert len(ordered) == 1


def test_calls_that_ask_for_more_are_left_to_dask(ordered):
    graph = chain(2)
    assert execute_graph(graph)[("x", 0)] == 3
    assert execute_graph(list(graph.values())[1:], cache={"given": -3}, keys=[("x", 1)])[("x", 1)] == 3
    assert execute_graph(graph, keys=[("x", 0), ("x", 1)]).keys() == {("x", 0), ("x", 1)}
    assert len(ordered) == 3
    with pytest.raises(Exception, match=r"[Cc]ycle"):
        execute_graph({"a": Task("a", abs, TaskRef("b")), "b": Task("b", abs, TaskRef("a"))}, keys=["a"])


def test_results_of_compute_get_their_form_without_being_put_in_order(ordered):
    assert execute_graph(chain(2), cache={}, keys={("x", 1)}) == {("x", 1): 3}
    assert dask.core.get({"x": -1, "y": (abs, "x")}, "y") == 1
    assert not ordered


def test_nested_values_and_aliases():
    graph = {
        "one": DataNode(None, 1),
        "list": Task("list", sum, List(TaskRef("one"), 5, TaskRef("one"))),
        "other": Alias("other", "list"),
        "end": Task("end", divmod, TaskRef("other"), TaskRef("one")),
    }
    assert execute_graph(graph, keys=["end"]) == {"end": (7, 0)}


def test_a_value_is_let_go_when_it_was_used():
    class Value:
        alive = 0

        def __init__(self, before=None):
            Value.alive += 1

        def __del__(self):
            Value.alive -= 1

    def step(before):
        seen.append(Value.alive)
        return Value()

    seen = []
    execute_graph({"a": Task("a", Value), **{k: Task(k, step, TaskRef(p)) for k, p in ("ba", "cb", "dc")}}, keys=["d"])
    assert seen == [1, 1, 1]


def test_an_error_is_that_of_the_task():
    with pytest.raises(TypeError, match="bad operand"):
        execute_graph({"a": Task("a", str, 1), "b": Task("b", abs, TaskRef("a"))}, keys=["b"])


@pytest.mark.parametrize("chunks", [2, (3, 2), -1])
@pytest.mark.parametrize("fuse", [True, False])
def test_numpy_chunks_are_as_before(chunks, fuse):
    def everything():
        x = da.from_array(DATA, chunks=chunks, name=False)
        y = da.from_array(DATA[::-1], chunks=chunks, name=False)
        with dask.config.set({"optimization.fuse.active": fuse}):
            lazy = [(x + 1).sum(), x[1:, ::2].std(axis=0), (x * y - x.mean()).T, (x + 1)[:, 2:] @ y[:, :4].T]
            return [one.compute(scheduler="sync") for one in lazy]

    ours = everything()
    with arrayshim.scope(only=()):
        stock = everything()
    for got, want in zip(ours, stock, strict=True):
        assert type(got) is type(want)
        assert got.tobytes() == want.tobytes()
