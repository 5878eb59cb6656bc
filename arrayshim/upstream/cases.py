"""The conformance suite on the stand-in, seen in full: ``python -m arrayshim.upstream.cases ROLE FILE ...``.

Roles, each a process of its own: `oracles` notes what NumPy-backed dask gives; `ours` runs the cases on this dask with
arrayshim, `patched` on this dask as it is, with the type registered as dask's own tables have CuPy; `without` runs some
cases with repairs left out, to say which of them a case needs. Results are pickled to FILE.
"""

from __future__ import annotations

import os
import pickle
import re
import signal
import sys
import warnings
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: Seconds for one case.
LIMIT = 120
#: What the suite's tables call what `arrayshim.register_backend` adds to dask, beside the ids of repairs.
ROW = "a backend's row"


@dataclass(frozen=True, slots=True)
class Seen:
    """What a case gave.

    Parameters
    ----------
    outcome, message : str
        As in a run of the suite.
    parts : list
        For each part of the result: path, whether lazy, types and dtypes (computed, meta, each chunk); its value.
    """

    outcome: str
    message: str
    parts: list[tuple[tuple[Any, ...], Any]]


class _Late(Exception):
    pass


@contextmanager
def _limited() -> Iterator[None]:
    def ring(*_: Any) -> None:
        raise _Late(f"over {LIMIT} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def _items(only: str, shard: str) -> list[Any]:
    from arrayshim.conformance import catalogue

    part, _, parts = shard.partition("/")
    found = [item for item in catalogue.items() if re.search(only, item.name)]
    return found[int(part) - 1 :: int(parts)]


def see(item: Any, backend: Any, oracle: Any) -> Seen:
    """Run one case on this dask, as it is now."""
    from arrayshim.conformance import measure

    last: list[Any] = []
    observe = measure.observe

    def noted(*args: Any, **kwargs: Any) -> Any:
        last[:] = [observe(*args, **kwargs)]
        return last[0]

    measure.observe = noted
    try:
        with _limited():
            found = measure.subject(item, backend, oracle)
    except _Late as late:
        found = {"outcome": "timeout", "message": str(late)}
    except Exception as error:
        found = {"outcome": "error", "message": f"{type(error).__name__}: {error}"}
    finally:
        measure.observe = observe
    parts = [(_types(part), part.value) for part in last[0].parts] if last else []
    return Seen(found["outcome"], found["message"], parts)


def _types(part: Any) -> tuple[Any, ...]:
    arrays = [part.whole, *([part.meta] if part.meta is not None else []), *part.blocks]
    return part.path, part.lazy, part.chunks, *((seen.type, seen.dtype, len(seen.shape)) for seen in arrays)


def _report(number: int, total: int) -> None:
    print(f"{number}/{total}", flush=True)


def run_role(role: str, file: Path, only: str, shard: str, oracles: Path | None, ids: list[str]) -> None:
    """Do what a process of this module is for, and pickle the answer."""
    import arrayshim
    from arrayshim.conformance import loading, measure

    items = _items(only, shard)
    answer: dict[str, Any] = {}
    if role == "oracles":
        for number, item in enumerate(items, start=1):
            answer[item.name] = measure.oracle(item)
            _report(number, len(items))
    else:
        assert oracles is not None
        expected = pickle.loads(oracles.read_bytes())
        backend = loading.load("strict")
        if role == "ours":
            arrayshim.enable(only=ids or None)
            arrayshim.register_backend(backend.backend)
        else:
            backend.register()
        for number, item in enumerate(items, start=1):
            answer[item.name] = see(item, backend, expected[item.name])
            _report(number, len(items))
    file.write_bytes(pickle.dumps(answer))


def needs(file: Path, names: Iterable[str], oracles: Path, ids: list[str], rows: bool) -> None:
    """By case, its outcome with each repair left out that has no patch; `rows`: with no backend registered, too."""
    import arrayshim
    from arrayshim.conformance import catalogue, loading
    from arrayshim.fixes import collect

    expected = pickle.loads(oracles.read_bytes())
    wanted = set(names)
    items = [item for item in catalogue.items() if item.name in wanted]
    bound = [fix.id for fix in collect().values() if fix.patch is None]
    backend = loading.load("strict")
    if rows:
        backend.register()
    applied = ids or list(collect())
    arrayshim.enable(only=applied)
    if not rows:
        arrayshim.register_backend(backend.backend)
    answer: dict[str, dict[str, str]] = {name: {} for name in wanted}
    ways = {ROW: [], f"{ROW}, {', '.join(bound)}": bound} if rows else {fix_id: [fix_id] for fix_id in bound}
    for number, (way, left_out) in enumerate(ways.items(), start=1):
        with arrayshim.scope(only=applied, skip=left_out):
            for item in items:
                answer[item.name][way] = see(item, backend, expected[item.name]).outcome
        _report(number, len(ways))
    file.write_bytes(pickle.dumps(answer))


def main(arguments: list[str]) -> None:
    """One process of the comparison."""
    import dask
    import numpy as np

    role, file, only, shard, oracles, named = arguments
    ids = [name for name in named.split(",") if name]
    os.environ.pop("ARRAYSHIM_DISABLE", None)
    dask.config.set(scheduler="threads")
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    if role in ("without", "without rows"):
        needs(Path(file), only.split("\n"), Path(oracles), ids, rows=role.endswith("rows"))
    else:
        run_role(role, Path(file), only, shard, Path(oracles) if oracles else None, ids)


if __name__ == "__main__":
    # the classes that are pickled belong to the module, not to __main__
    from arrayshim.upstream.cases import main as _main

    _main(sys.argv[1:])
