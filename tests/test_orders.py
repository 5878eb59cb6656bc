"""Dask is after `disable()`, object by object, what it was: in every order, after computing, in several threads."""

from __future__ import annotations

import importlib
import threading

import dask
import dask.array as da
import numpy as np
import snapshot

import arrayshim
from arrayshim import strict

#: Runs in a process of its own: a picture before, the steps, and what differs after each `disable()`.
ORDERS = """
import itertools, warnings
warnings.simplefilter("ignore")
import dask, dask.array as da, dask.array.cupy_entry_point, numpy as np
import snapshot

def compute(*more):
    for make in (np.asarray, np.ma.asarray, *more):
        x = da.from_array(make(np.arange(12.0)), chunks=5, name=False, asarray=False)
        for call in (
            lambda: x.mean(axis=0), lambda: x.std(), lambda: x[x > 3].sum(), lambda: da.einsum("i,i", x, x),
            lambda: da.percentile(x, 50),
        ):
            try:
                call().compute(scheduler="sync")
            except TypeError:  # where the repair is off, and masked percentiles
                pass
    da.eye(4, chunks=2).compute(scheduler="sync")

def memo(place, value):
    # What dask itself remembers of a type that it met: the function that the type would get anyway.
    met = place.endswith("StrictArray]") or "[arrayshim." in place  # a chunk's type, or a task's
    return met and value.__module__.partition(".")[0] in ("dask", "numpy")

compute()  # what dask imports and remembers on that occasion stays
before = snapshot.take()
import arrayshim
from arrayshim import strict
first = snapshot.take()
steps = {
    "enable": arrayshim.enable,
    "compute": lambda: compute(strict.asarray),
    "disable": arrayshim.disable,
    "some off": lambda: arrayshim.disable("numel", "cold_tables"),
    "some on": lambda: arrayshim.enable(only=["percentile_unknown_type"]),
    "scope": lambda: scope(),
}
def scope():
    with arrayshim.scope(skip=["numel"]):
        compute(strict.asarray)
        with arrayshim.scope(only=()):
            check("stock inside a scope")
    compute(strict.asarray)
wrong = []
def check(order):
    after = snapshot.take()
    for place in snapshot.differences(before, after):
        value = after.get(place)
        if not memo(place, value):
            wrong.append([order, place, repr(value)])
count = 0
for order in [
    *itertools.product([step for step in steps if step != "compute"], repeat=2),
    ("enable", "enable", "disable", "disable"), ("enable", "disable", "enable", "disable", "disable"),
    ("compute", "some off", "compute", "enable", "compute", "some on", "compute", "scope"),
]:
    arrayshim.enable()
    for step in order:
        steps[step]()
        if step == "disable":
            check([*order])
    arrayshim.disable()
    check([*order, "and disable"])
    count += 1
arrayshim.enable()
again = snapshot.take()
answer({"orders": count, "wrong": wrong[:20],
        "swapped": len(snapshot.differences(before, first)),
        "swapped again": [place for place in snapshot.differences(first, again) if not memo(place, again.get(place))]})
"""


def test_every_order_gives_dask_back(bare):
    seen = bare(ORDERS)
    assert seen["orders"] == 28
    assert seen["swapped"] > 100
    assert seen["wrong"] == []
    assert seen["swapped again"] == []


def lazily():
    x = da.from_array(np.arange(12.0), chunks=5)
    return x.mean(axis=0), x[x > 3].sum(), da.einsum("i,i", x, x)


def test_threads_leave_a_consistent_state():
    """Some enable, some disable, some compute; what they computed is right, and dask is whole at the end."""
    kind = strict.fresh_type("Threaded")
    with arrayshim.scope(only=()):
        importlib.import_module("dask.array.stats")  # a probe looks at it, and may or may not be asked below
        dask.compute(*lazily())  # what dask imports and remembers stays
        before = snapshot.take()
        start, wrong = threading.Barrier(6), []

        def switch(calls):
            start.wait()
            for call in calls:
                call()

        def compute():
            start.wait()
            for _ in range(15):
                got = dask.compute(*lazily(), scheduler="sync")
                if got != (5.5, 60.0, 506.0):
                    wrong.append(got)

        on, off, some = arrayshim.enable, arrayshim.disable, lambda: arrayshim.enable(only=["numel"])
        work = [
            *(threading.Thread(target=switch, args=(calls * 8,)) for calls in ([on, off], [off, some], [some, on, on])),
            threading.Thread(target=switch, args=([arrayshim.status] * 4,)),
            *(threading.Thread(target=compute) for _ in range(2)),
        ]
        for thread in work:
            thread.start()
        for thread in work:
            thread.join()
        assert wrong == []
        arrayshim.enable()
        assert {status.state for status in arrayshim.status()} == {"applied"}
        x = da.from_array(strict.asarray(np.arange(12.0), kind=kind), chunks=5, name=False, asarray=False)
        assert type(x.mean(axis=0).compute()) is kind
        arrayshim.disable()
        # Elsewhere dask imports and remembers what computing in threads needs.
        after = [place for place in snapshot.differences(before, snapshot.take()) if "dask.array" in place]
        left = [place for place in after if not place.endswith("Threaded]") and "normalize_token" not in place]
        assert left == []


def test_importing_in_two_threads_at_once(bare):
    states = bare(
        """
        import threading, importlib, dask.array
        start, got = threading.Barrier(4), []
        def load():
            start.wait()
            module = importlib.import_module("arrayshim")
            module.enable()
            got.append([status.state for status in module.status()])
        threads = [threading.Thread(target=load) for _ in range(4)]
        [thread.start() for thread in threads], [thread.join() for thread in threads]
        answer(got)
        """
    )
    assert len(states) == 4
    assert {state for each in states for state in each} == {"applied"}
