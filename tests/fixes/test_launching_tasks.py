"""`launching_tasks`: what only starts work on a device runs in the thread that schedules, all else in the pool."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import dask
import dask.array as da
import dask.multiprocessing
import dask.threaded
import numpy as np
import pytest
from dask._task_spec import DataNode, Task, TaskRef

import arrayshim
from arrayshim import kernels, probes, strict
from arrayshim.fixes import launching_tasks
from arrayshim.fixes.launching_tasks import FIX
from arrayshim.kernels.starting import waits
from arrayshim.residency import is_device

DATA = np.arange(48.0).reshape(6, 8)
OPS = ("sum", "prod", "min", "max", "any", "all", "mean", "var", "std", "argmin", "argmax", "nansum", "nanmax")


@pytest.fixture
def kind():
    """A type of chunks whose functions only start work."""
    found = strict.fresh_type("Device")
    kernels.starts.add(found, lambda x: True)
    kernels.merged.add(found, lambda first, **options: None)
    assert is_device(
        strict.asarray([1.0], kind=found)
    )  # by which the process has met a device, as by an import of CuPy
    yield found
    kernels.starts.remove(found)
    kernels.merged.remove(found)


@pytest.fixture
def threads():
    """Threads that ran tasks, by key."""
    found = {}

    class Seen(dask.callbacks.Callback):
        def _posttask(self, key, result, dsk, state, worker_id):
            found[key] = worker_id

    with Seen():
        yield found


def lazy_of(kind, host=DATA, chunks=(3, 2)):
    return probes.dask_array(host, cls=kind, chunks=chunks)


def inline(threads):
    return {worker == threading.get_ident() for worker in threads.values()}


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "a task that only launches a kernel is handed to a thread of a pool"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("name", OPS)
@pytest.mark.parametrize("axis", [None, 0])
def test_reductions_of_a_device_run_where_they_are_scheduled(kind, threads, name, axis):
    got = getattr(da, name)(lazy_of(kind), axis=axis).compute(scheduler="threads")
    assert type(got) is kind
    np.testing.assert_allclose(strict.to_host(got), getattr(np, name)(DATA, axis=axis))
    assert inline(threads) == {True}


def test_values_and_errors_are_those_of_the_pool(kind):
    def everything(scheduler):
        x = lazy_of(kind)
        lazy = [x.sum(), x.std(axis=0), (x + x).max(), da.sqrt(x), x[::2].mean()]
        return [strict.to_host(one) for one in dask.compute(*lazy, scheduler=scheduler)]

    for got, want in zip(everything("threads"), everything("sync"), strict=True):
        assert got.tobytes() == want.tobytes()

    class Broken(Exception):
        pass

    def fail(a, **kwargs):
        raise Broken("of the kernel")

    kernels.sum.add(kind, fail)
    try:
        with pytest.raises(Broken, match="of the kernel"):
            lazy_of(kind).sum().compute(scheduler="threads")
    finally:
        kernels.sum.remove(kind)


def mine(chunk):
    return chunk


@pytest.mark.parametrize(
    "lazy",
    [
        lambda x: x.map_blocks(mine),
        lambda x: x.map_blocks(mine).sum(),
        lambda x: da.reduction(x, chunk=mine_chunk, aggregate=mine_chunk, dtype="f8", concatenate=True),
        lambda x: x.map_blocks(np.flip, meta=x._meta),
    ],
    ids=["blocks", "fused", "reduction", "library"],
)
def test_functions_of_the_user_run_in_the_pool(kind, threads, lazy):
    with dask.config.set(pool=ThreadPoolExecutor(2)):
        lazy(lazy_of(kind)).compute(scheduler="threads")
    assert False in inline(threads)


def mine_chunk(chunk, axis, keepdims):
    return kernels.sum(chunk, axis=axis, keepdims=keepdims)


def seen_in(threads, function, *values, submit, **kwargs):
    """Whether a task ran in this thread."""
    graph = {f"x{i}": DataNode(f"x{i}", value) for i, value in enumerate(values)}
    graph["y"] = Task("y", function, *(TaskRef(key) for key in graph), **kwargs)
    threads.clear()
    dask.local.get_async(submit, 1, graph, ["y"], get_id=threading.get_ident)
    return inline(threads)


def test_which_tasks_run_here(kind, threads):
    on_device, host = strict.asarray([1.0], kind=kind), np.ones(1)
    with ThreadPoolExecutor(1) as pool:

        def here(*args, **kwargs):
            return seen_in(threads, *args, submit=pool.submit, **kwargs) == {True}

        assert here(np.negative, on_device)
        assert here(da.chunk.sum, on_device, axis=0)
        assert here(da.core.getter, on_device, b=(slice(1),), lock=False, asarray=False)
        assert not here(np.negative, host)
        assert not here(np.negative, strict.asarray([1.0]))
        assert not here(np.add, on_device, 1.0)
        assert not here(mine, on_device)
        assert not here(da.core.getter, on_device, b=(slice(1),), lock=threading.Lock(), asarray=False)
        kernels.starts.add(kind, lambda x: False)
        assert not here(np.negative, on_device)


def test_threads_that_were_prepared_keep_their_tasks(kind, threads):
    one = strict.asarray([1.0], kind=kind)
    with ThreadPoolExecutor(1, initializer=lambda: None) as pool:
        assert seen_in(threads, np.negative, one, submit=pool.submit) == {False}
    assert seen_in(threads, np.negative, one, submit=dask.local.synchronous_executor.submit) == {True}


def test_numpy_chunks_run_in_the_pool(threads):
    assert kernels.starts.dispatch(np.ndarray) is kernels.starts.dispatch(strict.StrictArray) is waits
    with dask.config.set(pool=ThreadPoolExecutor(2)):
        assert da.from_array(DATA, chunks=2).sum().compute(scheduler="threads") == DATA.sum()
    assert inline(threads) == {False}


def test_without_a_device_no_task_is_looked_at(monkeypatch):
    def looked(*args):
        raise AssertionError("a task was looked at")

    monkeypatch.setattr(launching_tasks, "_starts", looked)
    monkeypatch.setattr(launching_tasks, "devices_seen", lambda: False)
    assert da.from_array(DATA, chunks=2).sum().compute(scheduler="threads") == DATA.sum()


def test_every_scheduler_of_threads_and_processes_knows_it():
    assert dask.threaded.get_async is dask.multiprocessing.get_async is dask.local.get_async
    with arrayshim.scope(only=()):
        assert dask.threaded.get_async is dask.local.get_async
