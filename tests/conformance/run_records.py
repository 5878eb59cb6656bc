"""Made-up records of runs, for the tests of reports: nothing is computed."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np

from arrayshim.conformance.document import document


def record(case, outcome="pass", message="", **more):
    """One record as the runner gives it."""
    family, _, name = case.partition("/")
    made = {
        "case": case,
        "family": family,
        "names": [name.partition("[")[0]],
        "outcome": outcome,
        "message": message,
        "seconds": 0.25,
        "transfers": 0,
        "reproducer": "" if outcome in ("pass", "skip") else "import dask.array as da\n",
        "fix": None,
        "checks": {"token": True, "pickle": True, "threads": True, "distributed": None},
    }
    return made | more


def run_of(cases, *, name="toy", stock=False, catalogue="c0ffee", **more):
    """The record of a run on a made-up backend of NumPy's arrays."""
    backend = SimpleNamespace(name=name, namespace=np, chunk_types=(np.ndarray,))
    return document(cases, backend=backend, stock=stock, catalogue=catalogue, level="full", **more)
