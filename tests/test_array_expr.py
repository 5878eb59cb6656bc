"""dask's expression mode (`array.query-planning: True`): the import breaks nothing, and what it bypasses says so."""

from __future__ import annotations

CODE = """
import dask
dask.config.set({"array.query-planning": True})
import dask.array as da
import snapshot
assert da.ARRAY_EXPR_ENABLED
import numpy as np
for _ in range(2):  # what dask imports and remembers on that occasion stays
    x = da.from_array(np.array([1.0, 5.0]), chunks=1, name=False, asarray=False)
    da.ones((4, 4), chunks=2).mean().compute(), x.mean(axis=0).compute(), x.sum(axis=0).compute()
before = snapshot.take()
import arrayshim
from arrayshim import strict

x = da.from_array(strict.asarray(np.array([1.0, 5.0, 3.0, 7.0])), chunks=2, name=False, asarray=False)
got = {name: getattr(x, name)(axis=0).compute(scheduler="sync") for name in ("mean", "sum")}
states = {status.id: [status.state, arrayshim.fixes.collect()[status.id].array_expr] for status in arrayshim.status()}
arrayshim.disable()
left = [
    place
    for place in snapshot.differences(before, snapshot.take())
    if not place.endswith("StrictArray]") and "distributed" not in place.lower()
]
answer({
    "mean of ones": float(da.ones((4, 4), chunks=2).mean().compute()),
    "strict": {name: [type(value).__name__, float(value)] for name, value in got.items()},
    "states": states,
    "left": left,
})
"""


def test_expression_mode(bare):
    seen = bare(CODE)
    assert seen["mean of ones"] == 1.0
    assert seen["strict"] == {"mean": ["StrictArray", 4.0], "sum": ["StrictArray", 16.0]}
    assert seen["left"] == []
    wrong = {
        fix_id: state
        for fix_id, (state, reaches) in seen["states"].items()
        if state != ("applied" if reaches else "bypassed")
    }
    assert wrong == {}
    assert {state for state, _ in seen["states"].values()} == {"applied", "bypassed"}
