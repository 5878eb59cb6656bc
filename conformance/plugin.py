"""The same cases as pytest items, from any folder.

::

    pytest -p arrayshim.conformance.plugin --pyargs arrayshim.conformance --shim-backend strict

There is no entry point for it: pytest would import arrayshim, and so repair dask, in every session of the environment.
Cases run in worker processes here too, one for the oracle and one for the backend.
"""

from __future__ import annotations

import argparse
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arrayshim.conformance import cases, catalogue
from arrayshim.conformance.catalogue import Item
from arrayshim.conformance.checks import FINE
from arrayshim.conformance.lane import Lane
from arrayshim.conformance.session import Record, Session
from arrayshim.errors import ArrayshimError

FOLDER = Path(cases.__file__).parent
_STATE = pytest.StashKey["_State"]()


class _State:
    """What the items of a session share."""

    def __init__(self, config: pytest.Config) -> None:
        options = config.option
        self.session = Session(
            options.shim_backend,
            stock=options.shim_stock,
            timeout=options.shim_timeout,
            array_expr=options.shim_array_expr,
            cluster=options.shim_level == "full",
        )
        chosen = catalogue.select(options.shim_level)
        self.families: dict[str, list[Item]] = {}
        for item in chosen:
            self.families.setdefault(item.case.family, []).append(item)
        self.lanes = Lane(self.session.settings), Lane(self.session.settings)
        self.records: dict[str, Record] = {}
        self.known = _known(options)

    def record(self, item: Item) -> Record:
        """Run an item, after those it builds on."""
        if item.name not in self.records:
            for base in item.case.builds_on:
                if self.record(catalogue.find(base))["outcome"] not in FINE:
                    self.records[item.name] = self.session.blocked(item, base)
                    return self.records[item.name]
            stock, subject = self.lanes
            self.records[item.name] = self.session.subject(subject, item, self.session.oracle(stock, item))
        return self.records[item.name]

    def close(self) -> None:
        """End the workers."""
        for lane in self.lanes:
            lane.close()


def _known(options: Any) -> Any:
    from arrayshim.conformance import known, loading

    if options.shim_known is not None:
        return known.load(options.shim_known)
    name = loading.load(options.shim_backend).name
    path = known.path_of(name, stock=options.shim_stock, array_expr=options.shim_array_expr)
    return known.load(path) if path.is_file() else known.Known()


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value <= threading.TIMEOUT_MAX:  # no lock can wait longer; `inf` and `nan` are floats
        raise argparse.ArgumentTypeError(f"{text} seconds, expected more than 0 and a number that a clock has")
    return value


def pytest_addoption(parser: pytest.Parser) -> None:
    """Options, all beginning with ``--shim-``."""
    group = parser.getgroup("arrayshim conformance")
    group.addoption("--shim-backend", metavar="NAME", help="numpy, strict, cupy, ...; module:object; an entry point")
    group.addoption("--shim-stock", action="store_true", help="without the repairs")
    group.addoption("--shim-level", default="full", choices=catalogue.LEVELS, help="quick: every name once")
    group.addoption("--shim-timeout", type=_seconds, default=60.0, metavar="SECONDS", help="of one case")
    group.addoption("--shim-known", type=Path, metavar="FILE", help="known failures, instead of the suite's own")
    group.addoption("--shim-array-expr", action="store_true", help="in dask's expression mode")


def _state(config: pytest.Config) -> _State:
    if _STATE not in config.stash:
        if not config.option.shim_backend:
            raise pytest.UsageError("--shim-backend is missing; give numpy, strict, cupy, sparse, ... or your own")
        try:
            config.stash[_STATE] = _State(config)
        except ArrayshimError as error:
            raise pytest.UsageError(str(error)) from None
    return config.stash[_STATE]


def pytest_collection(session: pytest.Session) -> None:
    """Find out about a bad backend now: while families are collected it would be one error for each."""
    if session.config.option.shim_backend or any("arrayshim.conformance" in arg for arg in session.config.args):
        _state(session.config)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """A family is a file of the suite; no other file is looked at."""
    if file_path.parent != FOLDER or file_path.suffix != ".py" or file_path.stem.startswith("_"):
        return None
    return Family.from_parent(parent, path=file_path)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End the workers."""
    if _STATE in config.stash:
        config.stash[_STATE].close()


class Family(pytest.File):
    """The cases of one family."""

    def collect(self) -> Iterator[pytest.Item]:
        """In the order of the catalogue."""
        for item in _state(self.config).families.get(self.path.stem, []):
            name = item.name.partition("/")[2]
            yield CaseItem.from_parent(self, name=name, item=item)


class NotAsExpected(Exception):
    """A case that did not pass; holds its record."""

    def __init__(self, record: Record) -> None:
        super().__init__(f"{record['outcome']}: {record['message']}")
        self.record = record


class CaseItem(pytest.Item):
    """One case. A known failure is a strict xfail, if it fails as known."""

    def __init__(self, *, item: Item, **arguments: Any) -> None:
        super().__init__(**arguments)
        self.item = item

    def runtest(self) -> None:
        """Run it, and raise what is to be shown."""
        state = _state(self.config)
        entry = state.known.entry(self.item.name)
        record = state.record(self.item)
        self.user_properties += [("outcome", record["outcome"]), ("transfers", record["transfers"])]
        if entry is not None and (record["outcome"] == "pass" or record["outcome"] in entry.outcome):
            reason = f"{entry.reason} ({entry.link})" if entry.link else entry.reason
            self.add_marker(pytest.mark.xfail(reason=reason, strict=True))
        if record["outcome"] == "skip":
            pytest.skip(record["message"])
        if record["outcome"] not in FINE:
            raise NotAsExpected(record)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """Message and script."""
        if isinstance(excinfo.value, NotAsExpected):
            script = excinfo.value.record["reproducer"]
            return f"{excinfo.value}\n" + (f"\nIt can be reproduced so:\n\n{script}" if script else "")
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case stands."""
        return self.path, self.item.case.call.__code__.co_firstlineno - 1, self.item.name
