"""The process that cases run in: ``python -m arrayshim.conformance.worker``, spoken to in pickles over its pipes.

It starts with stock dask and answers for the oracle. The first case of the backend turns it into a subject, for good:
repairs on and the backend registered, or neither, as it was told.
"""

from __future__ import annotations

import faulthandler
import logging
import os
import pickle
import struct
import sys
import threading
import time
import warnings
from dataclasses import dataclass
from typing import Any, BinaryIO

import dask
import numpy as np

LENGTH = struct.Struct("!I")


def send(stream: BinaryIO, message: Any) -> None:
    """Write one message."""
    data = pickle.dumps(message)
    stream.write(LENGTH.pack(len(data)) + data)
    stream.flush()


def receive(stream: BinaryIO) -> Any:
    """Read one message; EOFError where the other side is gone."""
    head = stream.read(LENGTH.size)
    if len(head) < LENGTH.size:
        raise EOFError
    size = LENGTH.unpack(head)[0]
    data = stream.read(size)
    if len(data) < size:
        raise EOFError
    return pickle.loads(data)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a worker is told when it starts.

    Parameters
    ----------
    backend : str
        As for `loading.load`.
    stock : bool
        Leave the repairs off.
    array_expr : bool
        dask's expression mode.
    package : str
        The catalogue.
    disable : str or None
        ``ARRAYSHIM_DISABLE`` of the user.
    cluster : frozenset of str
        Names of the items that run on a `distributed` cluster too.
    """

    backend: str
    stock: bool = False
    array_expr: bool = False
    package: str = "arrayshim.conformance.cases"
    disable: str | None = None
    cluster: frozenset[str] = frozenset()


class Worker:
    """Answers requests.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        from . import loading

        # a client, once there is one, would take over what a case computes by itself, uncounted
        dask.config.set(scheduler="threads")
        self.settings = settings
        self.backend = loading.load(settings.backend)
        self._subject = False
        self._client: Any = None

    def hello(self) -> dict[str, Any]:
        """What the other side wants to know of the backend, before anything runs."""
        from . import loading

        text = loading.preamble(self.backend, self.settings.backend)
        if self.settings.stock:
            text += getattr(self.backend, "stock_preamble", "")
        else:
            text += loading.registration(self.backend)
        return {"name": self.backend.name, "preamble": text}

    def target(self) -> dict[str, Any]:
        """The `execution_target` of a report."""
        found = getattr(self.backend, "target", None)
        default = {"kind": "cpu", "device_model": None, "runtime_version": None, "driver_version": None}
        return {**default, **(found() if callable(found) else found or {})}

    def oracle(self, name: str) -> bytes:
        """What NumPy-backed stock dask gives, and NumPy itself; as bytes, which the subject gets back."""
        from . import catalogue, measure

        if self._subject:
            raise RuntimeError("this worker has left stock dask already; an oracle must be asked before")
        return pickle.dumps(measure.oracle(catalogue.find(name, self.settings.package)))

    def subject(self, name: str, oracle: bytes) -> dict[str, Any]:
        """Run an item on the backend: outcome, message, seconds, transfers, checks, and whether to go on here."""
        from . import catalogue, measure

        self._become_subject()
        client = self._cluster() if name in self.settings.cluster else None
        start = time.perf_counter()
        item = catalogue.find(name, self.settings.package)
        found = measure.subject(item, self.backend, pickle.loads(oracle), client=client)
        found.setdefault("seconds", round(time.perf_counter() - start, 4))
        try:
            getattr(self.backend, "synchronize", lambda: None)()
        except Exception as error:  # the device is lost to this process; nothing that follows would say anything
            found.update(outcome="crash", message=f"synchronize={type(error).__name__}: {error}", poisoned=True)
        return found

    def _become_subject(self) -> None:
        if self._subject:
            return
        self._subject = True
        import arrayshim

        if self.settings.stock:
            getattr(self.backend, "register", lambda: None)()
            return
        arrayshim.enable()
        if getattr(self.backend, "registered", True):
            arrayshim.register_backend(getattr(self.backend, "backend", self.backend))

    def _cluster(self) -> Any:
        if self._client is None:
            from distributed import Client

            dask.config.set({"distributed.admin.log-length": 0})
            logging.getLogger("distributed").setLevel(logging.CRITICAL)
            self._client = Client(
                processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None, set_as_default=False
            )
        return self._client


def _follow(parent: int) -> None:
    """End with the process that started this one, even in the middle of a case that hangs."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def main() -> None:
    """Serve until the pipe closes."""
    inward, outward = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a case prints must not get among the messages
    faulthandler.enable()
    threading.Thread(target=_follow, args=(os.getppid(),), daemon=True).start()
    settings: Settings = receive(inward)
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    if settings.disable is None:
        os.environ.pop("ARRAYSHIM_DISABLE", None)
    else:
        os.environ["ARRAYSHIM_DISABLE"] = settings.disable
    try:
        worker = Worker(settings)
        send(outward, (True, worker.hello()))
    except Exception as error:
        send(outward, (False, f"{type(error).__name__}: {error}"))
        return
    while True:
        try:
            request, *arguments = receive(inward)
        except EOFError:
            os._exit(0)  # threads of a cluster or of a case are not waited for
        try:
            answer = True, getattr(worker, request)(*arguments)
        except MemoryError as error:
            # a library's own kind of it counts as well
            answer = False, f"MemoryError: {error}"
        except (Exception, SystemExit) as error:
            answer = False, f"{type(error).__name__}: {error}"
        send(outward, answer)


if __name__ == "__main__":
    # the classes that travel in pickles belong to the module, not to __main__
    from arrayshim.conformance.worker import main as _main

    _main()
