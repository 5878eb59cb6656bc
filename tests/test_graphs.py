"""Graphs that travel: loudly refused where arrayshim is missing, right where it can be imported."""

from __future__ import annotations

import cloudpickle
import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict

DATA = np.array([1.0, 5.0, 2.0, 8.0, 4.0, 4.0])
#: Each with its value by arithmetic: the mean is 4, the differences from it are -3, 1, -2, 4, 0, 0.
BUILT = {
    "mean": (lambda x: x.mean(axis=0), 4.0),
    "var": (lambda x: x.var(), 5.0),
    "std": (lambda x: x.std(axis=0) ** 2, 5.0),
    "moment": (lambda x: da.reductions.moment(x, 3), 5.0),
    "einsum": (lambda x: da.einsum("i,i->", x, x), 126.0),
    "percentile": (lambda x: da.percentile(x.rechunk(-1), [50]), 4.0),
    "sum": (lambda x: x.sum(), 24.0),
    "max": (lambda x: x.max(), 8.0),
    "argmax": (lambda x: x.argmax(), 3.0),
}
EXPECTED = pytest.approx({name: value for name, (_, value) in BUILT.items()})


NO_ARRAYSHIM = """
import base64, pickle, sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "arrayshim":
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocker())
said = {{}}
for name, graph in {graphs!r}.items():
    try:
        pickle.loads(base64.b64decode(graph))
        said[name] = "it was unpickled"
    except ModuleNotFoundError as error:
        said[name] = error.name.partition(".")[0]
answer(said)
"""

WITH_ARRAYSHIM = """
import base64, pickle, sys
said = {{}}
assert "arrayshim" not in sys.modules
for name, graph in {graphs!r}.items():
    value = pickle.loads(base64.b64decode(graph)).compute(scheduler="sync")
    said[name] = type(value).__name__, float(value.reshape(()))
answer(said)
"""


def graphs(make):
    import base64

    x = da.from_array(make(DATA), chunks=2, name=False, asarray=False)
    return {name: base64.b64encode(cloudpickle.dumps(build(x))).decode() for name, (build, _) in BUILT.items()}


def test_without_arrayshim_they_are_refused_by_name(bare):
    said = bare(NO_ARRAYSHIM.format(graphs=graphs(np.asarray)))
    assert said == dict.fromkeys(BUILT, "arrayshim")


@pytest.mark.parametrize(
    ("make", "kind"), [(np.asarray, ("float64", "ndarray", "int64")), (strict.asarray, ("StrictArray",))]
)
def test_where_arrayshim_can_be_imported_they_are_right(bare, make, kind):
    said = bare(WITH_ARRAYSHIM.format(graphs=graphs(make)))
    assert {name: value for name, (_, value) in said.items()} == EXPECTED
    assert {name for name, (type_name, _) in said.items() if type_name not in kind} == set()


def test_keys_are_not_those_of_stock_dask():
    x = da.from_array(DATA, chunks=2)
    with arrayshim.scope():
        ours = {name: set(dict(build(x).__dask_graph__())) for name, (build, _) in BUILT.items()}
    with arrayshim.scope(only=()):
        stock = {name: set(dict(build(x).__dask_graph__())) for name, (build, _) in BUILT.items()}
    given = set(x.__dask_keys__())
    for name in BUILT:
        computed = {key for key in ours[name] & stock[name] if key not in given and not str(key).startswith("('array-")}
        if name != "percentile":  # it makes its name of the arguments alone
            assert computed == set(), name


def test_the_same_graph_has_the_same_keys():
    x = da.from_array(DATA, chunks=2)
    for name, (build, _) in BUILT.items():
        assert build(x).name == build(x).name, name


@pytest.mark.filterwarnings("ignore")  # of distributed, about its own affairs
def test_they_run_on_a_cluster():
    from distributed import Client, LocalCluster

    x = da.from_array(strict.asarray(DATA), chunks=2, name=False, asarray=False)
    built = {name: build(x) for name, (build, _) in BUILT.items()}
    with (
        LocalCluster(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None) as cluster,
        Client(cluster),
    ):
        values = dict(zip(built, dask.compute(*built.values()), strict=True))
    assert {type(value).__name__ for value in values.values()} == {"StrictArray"}
    assert {name: float(value.reshape(())) for name, value in values.items()} == EXPECTED
