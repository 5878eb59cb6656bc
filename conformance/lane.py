"""One worker process seen from outside: ask it, wait so long and no longer, replace it when it is lost."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

from arrayshim.errors import BackendError

from .worker import Settings, receive, send

#: Until a worker has imported dask and the backend.
START_SECONDS = 300.0


class Lost(Exception):
    """The worker ended in the middle of a request; the message says how."""


class Late(Exception):
    """The worker did not answer in time, and was ended."""


class Refused(Exception):
    """The worker answered with an error of its own."""


class Lane:
    """A worker process that is started when it is first asked, and again after it was lost.

    Parameters
    ----------
    settings : Settings
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.hello: dict[str, Any] = {}
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._errors: Any = None
        self._lock = threading.Lock()
        self._closed = False

    def ask(self, request: str, *arguments: Any, timeout: float) -> Any:
        """Send a request and wait for the answer.

        Parameters
        ----------
        request : str
            Name of a method of `worker.Worker`.
        *arguments
            Anything that can be pickled.
        timeout : float
            Seconds.

        Raises
        ------
        Lost, Late, Refused
            The worker is started afresh at the next request after the first two.
        BackendError
            The worker could not be started, for want of the backend.
        """
        self.start()
        assert self._process is not None
        assert self._process.stdin is not None
        try:
            send(self._process.stdin, (request, *arguments))  # type: ignore[arg-type]
        except (BrokenPipeError, OSError) as error:
            raise Lost(self._post_mortem()) from error
        return self._wait(timeout)

    def _wait(self, timeout: float) -> Any:
        try:
            answer = self._answers.get(timeout=timeout)
        except queue.Empty:
            self.close(final=False)
            raise Late(f"{timeout:g} s") from None
        if answer is None:
            raise Lost(self._post_mortem())
        fine, value = answer
        if not fine:
            raise Refused(value)
        return value

    def start(self) -> None:
        """Start the process if there is none."""
        with self._lock:
            if self._closed:
                raise Lost("the run was stopped")
            if self._process is not None:
                return
            self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
            self._answers = queue.SimpleQueue()
            path = os.pathsep.join(entry for entry in sys.path if entry and Path(entry).exists())
            self._process = subprocess.Popen(
                [sys.executable, "-m", "arrayshim.conformance.worker"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, **self._environment(), "PYTHONPATH": path},
                start_new_session=True,  # Ctrl-C is for this side, which then ends the worker
            )
        threading.Thread(target=self._read, args=(self._process, self._answers), daemon=True).start()
        send(self._process.stdin, self.settings)  # type: ignore[arg-type]
        try:
            self.hello = self._wait(START_SECONDS)
        except (Lost, Refused) as error:
            self.close(final=False)
            raise BackendError(f"no worker for {self.settings.backend!r}: {str(error).split(': ', 1)[-1]}") from None

    def _environment(self) -> dict[str, str]:
        found = {"ARRAYSHIM_DISABLE": "all", "PYTHONFAULTHANDLER": "1"}
        if self.settings.array_expr:
            found["DASK_ARRAY__QUERY_PLANNING"] = "True"
        # a worker each for the cores; a pool of threads inside each library would only wait for the others
        for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
            if name not in os.environ:
                found[name] = "1"
        return found

    @staticmethod
    def _read(process: subprocess.Popen[bytes], answers: queue.SimpleQueue[Any]) -> None:
        try:
            while True:
                answers.put(receive(process.stdout))  # type: ignore[arg-type]
        except Exception:  # end of the pipe, or what a dying process left in it
            answers.put(None)

    def _post_mortem(self) -> str:
        """How the process ended, and the last line it had to say."""
        assert self._process is not None
        try:
            code = self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            code = None
        said = self._said()
        self.close(final=False)
        if code is None:
            how = "closed its pipe"
        elif code < 0:
            try:
                how = signal.Signals(-code).name
            except ValueError:
                how = f"signal {-code}"
        else:
            how = f"exit {code}"
        return how + (f" ({said})" if said else "")

    def _said(self) -> str:
        if self._errors is None:
            return ""
        self._errors.seek(0)
        lines = self._errors.read().decode(errors="replace").splitlines()
        fatal = [line for line in lines if line.startswith("Fatal Python error")]
        last = [line.strip() for line in lines if line.strip() and not line.startswith((" ", "\t"))]
        return str((fatal or last[-1:] or [""])[-1][:200])

    def close(self, *, final: bool = True) -> None:
        """End the process; `final`: for good."""
        with self._lock:
            self._closed = self._closed or final
            process, self._process = self._process, None
            errors, self._errors = self._errors, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                try:
                    if stream is not None:
                        stream.close()
                except OSError:
                    pass
        if errors is not None:
            errors.close()
