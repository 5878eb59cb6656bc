"""The architectures of the demo, one record each: where chunks live, who schedules, and why it cannot run here."""

from __future__ import annotations

import logging
import signal
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from multiprocessing import resource_tracker
from typing import Any

from arrayshim.conformance.benchmarks import machine, workload
from arrayshim.conformance.benchmarks.progress import ClusterCount, Show, TaskCount
from arrayshim.conformance.benchmarks.sizing import SETTLED_SECONDS, Slots, cluster_slots


@dataclass(frozen=True, slots=True)
class Session:
    """A leg that is running.

    Attributes
    ----------
    compute : callable
        From a dask collection and a `Show` to its value.
    warm_up : callable
        From names of operations, a seed and the side of a chunk; prepares each worker process.
    peak_rss : callable
        Peak resident bytes of the process that works, of the largest one in a cluster; None where not known.
    """

    compute: Callable[[Any, Show], Any]
    warm_up: Callable[[Iterable[str], int, int], None]
    peak_rss: Callable[[], int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Leg:
    """One architecture.

    Attributes
    ----------
    name : str
    like : str
        Library of the chunks, "numpy" or "cupy".
    reason : callable
        None where this machine has what the leg needs, else why not. Never raises.
    slots : callable
        Workers and threads that the machine offers.
    free : callable
        Free bytes where the chunks live, over all workers.
    open : callable
        From slots to a context manager that gives a `Session`.
    least_chunk, start : int
        Sides of the smallest usual chunk, and of the first array by which the size is found.
    compiles : bool
        Whether kernels are compiled at their first use, so that the warm-up needs chunks of full size.
    settled : float
        Seconds that a run must last before the search for the size believes it; longer on a cluster, whose fixed costs
        hide how time grows.
    """

    name: str
    like: str
    reason: Callable[[], str | None]
    slots: Callable[[], Slots]
    free: Callable[[], int]
    open: Callable[[Slots], AbstractContextManager[Session]]
    least_chunk: int = 1_000
    start: int = 1_000
    compiles: bool = False
    settled: float = SETTLED_SECONDS


@contextmanager
def _local(slots: Slots, *, scheduler: str, like: str) -> Iterator[Session]:
    def compute(collection: Any, show: Show) -> Any:
        with TaskCount(show):
            return collection.compute(scheduler=scheduler, num_workers=slots.total)

    try:
        yield Session(compute, lambda ops, seed, chunk: workload.warm_up(ops, like, seed, chunk), machine.peak_rss)
    finally:
        if like == "cupy":
            machine.release_gpu()


@contextmanager
def _deaf_children() -> Iterator[None]:
    """Threads and processes started meanwhile never see Ctrl-C; this thread sees it at the end."""
    # A terminal sends Ctrl-C to all processes: workers would print tracebacks, and be missed when the cluster closes.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # its start would unblock the signal again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _cluster(slots: Slots, *, start: Callable[..., Any], like: str, **options: Any) -> Iterator[Session]:
    with ExitStack() as stack:
        # Shutting down is noisy: closed comms and late heartbeats are not the user's concern.
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        from distributed import Client

        folder = stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True))
        with _deaf_children():
            cluster = start(
                n_workers=slots.workers,
                threads_per_worker=slots.threads,
                dashboard_address=None,
                silence_logs=logging.CRITICAL,
                # The plan keeps the workers small; a limit could only make the nanny kill or the worker spill.
                memory_limit=None,
                local_directory=folder,
                **options,
            )
            stack.enter_context(cluster)
        client = stack.enter_context(Client(cluster, set_as_default=False))
        count = ClusterCount(cluster)

        def compute(collection: Any, show: Show) -> Any:
            with count.showing(show):
                return _result(client.compute(collection))

        def warm_up(ops: Iterable[str], seed: int, chunk: int) -> None:
            call = partial(client.submit, workload.warm_up, list(ops), like, seed, chunk, pure=False)
            for task in [call(workers=[worker]) for worker in list(cluster.scheduler.workers)]:
                _result(task)

        def peak_rss() -> int | None:
            return max(filter(None, client.run(machine.peak_rss).values()), default=None)

        yield Session(compute, warm_up, peak_rss)


def _result(future: Any) -> Any:
    """The future's result; Ctrl-C here leaves no half-awaited coroutine behind, as it does in `future.result()`."""
    done = threading.Event()
    future.add_done_callback(lambda _: done.set())
    while not done.wait(1):
        pass
    return future.result()


def _local_cluster(**options: Any) -> Any:
    from distributed import LocalCluster

    return LocalCluster(processes=True, **options)


def _cuda_cluster(**options: Any) -> Any:
    from dask_cuda import LocalCUDACluster

    return LocalCUDACluster(device_memory_limit=None, **options)


def _cuda_cluster_missing() -> str | None:
    reason: str | None = (
        machine.gpu_missing() or machine.missing("distributed") or machine.missing("dask_cuda", "dask-cuda")
    )
    if reason:
        return reason
    try:
        import dask_cuda  # noqa: F401
    except Exception as error:
        return f"dask-cuda does not import: {machine.first_line(error)}"
    return None


def _host_free() -> int:
    return int(machine.host_memory()[1])


def _all_gpus_free() -> int:
    count = machine.gpu_count()
    return int(count * machine.gpu_free(count))


LEGS: dict[str, Leg] = {
    leg.name: leg
    for leg in (
        Leg(
            name="cpu-single",
            like="numpy",
            reason=lambda: None,
            slots=lambda: Slots(1, 1),
            free=_host_free,
            open=partial(_local, scheduler="synchronous", like="numpy"),
        ),
        Leg(
            name="cpu-threads",
            like="numpy",
            reason=lambda: None,
            slots=lambda: Slots(1, machine.cores()),
            free=_host_free,
            open=partial(_local, scheduler="threads", like="numpy"),
        ),
        Leg(
            name="cpu-cluster",
            like="numpy",
            reason=lambda: machine.missing("distributed"),
            slots=lambda: cluster_slots(machine.cores()),
            free=_host_free,
            open=partial(_cluster, start=_local_cluster, like="numpy"),
            settled=2.0,
        ),
        Leg(
            name="gpu",
            like="cupy",
            reason=machine.gpu_missing,
            slots=lambda: Slots(1, 1),
            free=lambda: machine.gpu_free(1),
            open=partial(_local, scheduler="synchronous", like="cupy"),
            least_chunk=10_000,
            start=8_000,
            compiles=True,
        ),
        Leg(
            name="gpu-cluster",
            like="cupy",
            reason=_cuda_cluster_missing,
            slots=lambda: Slots(machine.gpu_count(), 1),
            free=_all_gpus_free,
            open=partial(_cluster, start=_cuda_cluster, like="cupy"),
            settled=2.0,
            least_chunk=10_000,
            start=8_000,
            compiles=True,
        ),
    )
}

BASELINE = "cpu-single"
