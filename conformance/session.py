"""What the runs of one backend share: how a worker is asked, and what is recorded of its answer or its end."""

from __future__ import annotations

import importlib.util
import os
from typing import Any

from . import catalogue, reproducer, sources
from .catalogue import DEFAULT, Item
from .checks import FINE
from .lane import Lane, Late, Lost, Refused
from .worker import Settings

Record = dict[str, Any]

#: What stock dask and NumPy gave, by catalogue, mode and item: the second run of `--both` need not ask again.
_oracles: dict[tuple[str, bool, str], bytes] = {}

_UNCHECKED = ("token", "pickle", "threads", "distributed")


class Session:
    """What the runs of one backend share.

    Parameters
    ----------
    backend : str
        As for `loading.load`.
    stock, timeout, array_expr, package
        As for `run`.
    cluster : bool
        Run the first case of each name on a `distributed` cluster too, where that is installed.
    """

    def __init__(
        self,
        backend: str,
        *,
        stock: bool = False,
        timeout: float = 60.0,
        array_expr: bool = False,
        package: str = DEFAULT,
        cluster: bool = False,
    ) -> None:
        self.timeout = timeout
        clustered = catalogue.firsts(package) if cluster and importlib.util.find_spec("distributed") else frozenset()
        self.settings = Settings(
            backend=backend,
            stock=stock,
            array_expr=array_expr,
            package=package,
            disable=os.environ.get("ARRAYSHIM_DISABLE"),
            cluster=clustered,
        )

    def oracle(self, lane: Lane, item: Item) -> bytes | str:
        """Ask a worker that has stock dask still; a text says why there is no oracle."""
        key = (self.settings.package, self.settings.array_expr, item.name)
        if key not in _oracles:
            try:
                _oracles[key] = lane.ask("oracle", item.name, timeout=self.timeout)
            except (Lost, Late, Refused) as error:
                return f"{type(error).__name__.lower()}: {error}"
        return _oracles[key]

    def subject(self, lane: Lane, item: Item, oracle: bytes | str) -> Record:
        """Ask a worker for the backend's record."""
        if isinstance(oracle, str):
            message = f"NumPy-backed dask={oracle}, expected a result [{sources.shown(item.case.call)}]"
            return self._record(lane, item, {"outcome": "error", "message": message})
        try:
            found = lane.ask("subject", item.name, oracle, timeout=self._limit(item))
        except Lost as error:
            found = self._failed(item, "crash", f"worker={error}, expected a result")
        except Late as error:
            found = self._failed(item, "timeout", f"seconds=over {error}, expected a result")
            found["seconds"] = self._limit(item)
        except Refused as error:
            # what this worker says next may be wrong: memory ran out, or a case wanted to end its process
            lane.close(final=False)
            fatal = str(error).startswith(("MemoryError", "SystemExit"))
            found = self._failed(item, "crash" if fatal else "error", f"worker={error}, expected a result")
        if found.pop("poisoned", False):
            lane.close(final=False)
            found["message"] += f" [{sources.shown(item.case.call)}]"
        return self._record(lane, item, found)

    def _limit(self, item: Item) -> float:
        """Many chains are one case."""
        return self.timeout * (10 if hasattr(item.case, "run") else 1)

    @staticmethod
    def _failed(item: Item, outcome: str, message: str) -> Record:
        return {"outcome": outcome, "message": f"{message} [{sources.shown(item.case.call)}]"}

    def _record(self, lane: Lane, item: Item, found: Record) -> Record:
        record = {
            "case": item.name,
            "family": item.case.family,
            "names": list(item.case.names),
            "outcome": found["outcome"],
            "message": found["message"],
            "seconds": found.get("seconds", 0.0),
            "transfers": found.get("transfers"),
            "reproducer": found.get("reproducer", ""),
            "fix": None,
            "checks": found.get("checks") or dict.fromkeys(_UNCHECKED),
        }
        if record["outcome"] not in {*FINE, "blocked"} and not record["reproducer"]:
            record["reproducer"] = reproducer.script(
                item.case,
                item.variation,
                lane.hello.get("preamble", ""),
                title=f"{item.name}: {record['outcome']}: {record['message']}",
                stock=self.settings.stock,
                backend=lane.hello.get("name", self.settings.backend),
                mode="array-expr" if self.settings.array_expr else "",
                hidden=found.get("hidden", False),
            )
        return record

    def blocked(self, item: Item, by: str) -> Record:
        """The record of a case that another one stands in the way of."""
        message = f"builds on={by}, which failed, expected to pass [{sources.shown(item.case.call)}]"
        return self._record(Lane(self.settings), item, {"outcome": "blocked", "message": message})
