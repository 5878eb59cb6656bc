"""`false_metas`: where chunks meet against their metas, the first task names the operation and `meta=`."""

from __future__ import annotations

import pickle

import dask.array as da
import numpy as np
import pytest
from dask.array.blockwise import blockwise

import arrayshim
from arrayshim import strict
from arrayshim._moves import Meeting
from arrayshim.errors import ResidenceError
from arrayshim.fixes.false_metas import FIX

DATA = np.arange(6.0)
MATRIX = np.arange(16.0).reshape(4, 4) + 9 * np.eye(4)


def device(values):
    return da.from_array(strict.asarray(values), chunks=2, name=False, asarray=False)


def host(values):
    return da.from_array(values, chunks=2)


def unmoved(block):
    return block + 0


def host_said_device(values):
    return host(values).map_blocks(unmoved, meta=strict.asarray(np.empty((0,) * values.ndim)))


def device_said_host(values):
    return device(values).map_blocks(unmoved, meta=np.empty((0,) * values.ndim))


def assigned(x, key, value):
    x = x.copy()
    x[key] = value
    return x


OPERATIONS = {
    "concatenate": lambda a, b: da.concatenate([a, b]),
    "stack": lambda a, b: da.stack([a, b]),
    "block": lambda a, b: da.block([a, b]),
    "append": lambda a, b: da.append(a, b),
    "insert": lambda a, b: da.insert(a, [1, 2], b[:2], 0),
    "ediff1d": lambda a, b: da.ediff1d(a, to_end=b[:1]),
    "sum of joined": lambda a, b: da.concatenate([a, b]).rechunk(3).sum(),
    "cumsum of joined": lambda a, b: da.cumsum(da.concatenate([a, b]), axis=0),
    "isin": lambda a, b: da.isin(a, b),
    "outer": lambda a, b: da.outer(a, b),
    "where": lambda a, b: da.where(a > 2, a, b),
    "clip": lambda a, b: da.clip(a, b, b + 1),
    "searchsorted": lambda a, b: da.searchsorted(a, b),
    "bincount": lambda a, b: da.bincount(a.astype(int), weights=b),
    "histogram": lambda a, b: da.histogram(a, bins=3, range=(0, 6), weights=b)[0],
    "average": lambda a, b: da.average(a, weights=b),
    "select": lambda a, b: da.select([a > 2], [b], 0),
    "choose": lambda a, b: da.choose((a > 2).astype(int), [a, b]),
    "ravel_multi_index": lambda a, b: da.ravel_multi_index(da.stack([a.astype(int) % 2, b.astype(int) % 2]), (2, 2)),
    "apply_gufunc": lambda a, b: da.apply_gufunc(np.add, "(),()->()", a, b),
    "cov": lambda a, b: da.cov(a, b),
}
PAIRS = {
    "device, host": lambda values: (device(values), host_said_device(values)),
    "host, device": lambda values: (host_said_device(values), device(values)),
    "host, false device": lambda values: (host(values), device_said_host(values)),
    "false device, host": lambda values: (device_said_host(values), host(values)),
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_first_task_says_what_is_wrong(name, pair):
    with pytest.raises(ResidenceError, match=r"[a-z_]+: a chunk is StrictArray and another ndarray.*give meta="):
        OPERATIONS[name](*PAIRS[pair](DATA)).compute(scheduler="sync")


@pytest.mark.parametrize("pair", ["host, device", "host, false device"])
@pytest.mark.parametrize(
    ("operation", "build"),
    [
        ("getitem", lambda a, b: a[b.astype(int) % 6]),
        ("getitem", lambda a, b: a[b > 2]),
        ("getitem", lambda a, b: da.take(a, b.astype(int) % 6)),
        ("setitem", lambda a, b: assigned(a, b.astype(int) % 6, 0.0)),
        ("add", lambda a, b: da.add(a, 1, where=b > 2, out=a.copy())),
    ],
)
def test_what_cannot_follow_host_data_that_are_said_to_be_elsewhere(operation, build, pair):
    with pytest.raises(ResidenceError, match=rf"^{operation}.*: a chunk is StrictArray and .*give meta="):
        build(*PAIRS[pair](DATA)).compute(scheduler="sync")


ALONE = {
    "lu": lambda f: da.linalg.lu(f(MATRIX))[2],
    "lu of inv": lambda f: da.linalg.inv(f(MATRIX)),
    "lu of solve": lambda f: da.linalg.solve(f(MATRIX), f(MATRIX[0])),
    "unique": lambda f: da.unique(f(DATA)),
    "unique with counts": lambda f: da.unique(f(DATA), return_counts=True)[1],
    "digitize": lambda f: da.digitize(f(DATA), np.array([1.0, 3.0])),
    "digitize with lazy bins": lambda f: da.digitize(f(DATA), host(np.array([1.0, 3.0]))),
    "frompyfunc": lambda f: da.frompyfunc(lambda x: x, 1, 1)(f(DATA)),
}


@pytest.mark.parametrize("name", ALONE)
def test_what_works_on_host_chunks_alone_says_what_it_found(name):
    device(DATA).sum().compute(scheduler="sync")
    operation = name.split()[0].replace("frompyfunc", ".*")
    with pytest.raises(ResidenceError, match=rf"^{operation}: a chunk is StrictArray.*give meta="):
        ALONE[name](device_said_host).compute(scheduler="sync")


def partly(values, meta):
    """Chunks of both kinds in turn."""

    def put(block, block_info=None):
        return strict.asarray(block) if sum(block_info[0]["chunk-location"]) % 2 else block + 0

    return host(values).map_blocks(put, meta=meta(np.empty((0,) * values.ndim)))


PARTLY = {
    "lu": lambda x, m: da.linalg.lu(m)[2],
    "argtopk": lambda x, m: da.argtopk(x, 2),
    "bincount": lambda x, m: da.bincount(x.astype(int), minlength=9),
    "percentile": lambda x, m: da.percentile(x, [25, 50]),
    "matmul": lambda x, m: m @ m,
    "cumsum": lambda x, m: da.cumsum(x, axis=0, method="blelloch"),
}


@pytest.mark.parametrize("meta", [np.asarray, strict.asarray])
@pytest.mark.parametrize("name", PARTLY)
def test_chunks_of_one_array_that_are_not_of_one_kind(name, meta):
    device(DATA).sum().compute(scheduler="sync")
    with pytest.raises(ResidenceError, match=rf"^{name}.*: a chunk is StrictArray.*give meta="):
        PARTLY[name](partly(DATA, meta), partly(MATRIX, meta)).compute(scheduler="sync")


def test_percentiles_of_host_chunks_that_are_said_to_be_elsewhere():
    with pytest.raises(ResidenceError, match=r"^percentile: a chunk is StrictArray.*give meta="):
        da.percentile(host_said_device(DATA), [25, 50]).compute(scheduler="sync")


@pytest.mark.parametrize("pair", ["host, device", "host, false device"])
@pytest.mark.parametrize(
    "build",
    [
        lambda a, b: da.histogramdd((a, b), bins=(2, 2), range=((0, 9), (0, 9)))[0],
        lambda a, b: da.histogram2d(a, a, bins=(2, 2), range=((0, 9), (0, 9)), weights=b)[0],
        lambda a, b: da.histogram(a, bins=b.rechunk(-1))[0],
    ],
)
def test_counts_in_bins_of_host_chunks(build, pair):
    with pytest.raises(ResidenceError, match=r"^histogram.*: a chunk is StrictArray.*give meta="):
        build(*PAIRS[pair](DATA)).compute(scheduler="sync")


def test_what_the_host_refuses_is_refused_in_its_words():
    device(DATA).sum().compute(scheduler="sync")
    with pytest.raises(ValueError, match=r"^`?bins"):
        da.digitize(host(DATA), np.array([1.0, 3.0, 2.0]))
    with pytest.raises(ValueError, match="infs or NaNs"):
        da.linalg.lu(host(MATRIX * np.nan))[0].compute(scheduler="sync")


def test_digits_and_factors_of_numpy_are_stock():
    device(DATA).sum().compute(scheduler="sync")

    def build():
        found = [*da.linalg.lu(host(MATRIX)), da.digitize(host(DATA), [1.0, 3.0]), da.argtopk(host(DATA), -2)]
        found += da.unique(host(DATA % 3), return_index=True, return_inverse=True, return_counts=True)
        return [*found, da.percentile(host(DATA), [5, 50]), da.bincount(host(DATA.astype(int))), host(MATRIX) @ MATRIX]

    ours = build()
    with arrayshim.scope(only=()):
        stock = [x.compute(scheduler="sync") for x in build()]
    for mine, theirs in zip(ours, stock, strict=True):
        np.testing.assert_array_equal(mine.compute(scheduler="sync"), theirs, strict=True)
        assert type(mine._meta) is np.ndarray


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("name", ["solve_triangular", "lstsq"])
def test_linear_systems(name, pair):
    a, b = PAIRS[pair](MATRIX)
    if name == "lstsq":
        solution = da.linalg.lstsq(a.rechunk((2, 4)), b)[0]
    else:
        solution = da.linalg.solve_triangular(a, b)
    with pytest.raises(ResidenceError, match="give meta="):
        solution.compute(scheduler="sync")


def test_the_smallest_call_failed_before():
    a, b = PAIRS["host, false device"](DATA)
    with arrayshim.scope(only=()):
        assert "a host chunk joined to a device chunk" in FIX.diagnose()
        with pytest.raises(TypeError, match="Implicit conversion"):
            da.concatenate([a, b]).compute(scheduler="sync")
    assert FIX.diagnose() is None


def test_asarray_of_what_is_said_to_be_on_the_host():
    with pytest.raises(ResidenceError, match="give meta="):
        np.asarray(device_said_host(DATA))
    np.testing.assert_array_equal(np.asarray(host(DATA)), DATA)


def test_errors_that_are_not_of_residence_are_left_alone():
    a, b = host(DATA), host(DATA)
    device(DATA).sum().compute()
    with pytest.raises(ValueError, match="invalid entry in choice"):
        da.choose(a.astype(int), [a, b]).compute(scheduler="sync")
    with pytest.raises(IndexError):
        a[b.astype(int) + 6].compute(scheduler="sync")


def test_functions_of_users_keep_their_errors():
    def picky(a, b):
        raise TypeError("only my own arrays, please")

    x = blockwise(picky, "i", device(DATA), "i", host(DATA), "i", dtype=float, meta=np.empty(0))
    with pytest.raises(TypeError, match=r"^only my own arrays, please$"):
        x.compute(scheduler="sync")


def test_names_and_values_of_numpy_are_stock():
    device(DATA).sum().compute()
    a, b = host(DATA), host(DATA[::-1])

    def build():
        return [a[b.astype(int)], da.select([a > b], [b], 0), da.outer(a, b), a + b]

    ours = build()
    with arrayshim.scope(skip=["false_metas"]):
        stock = build()
    for mine, theirs in zip(ours, stock, strict=True):
        assert mine.name == theirs.name
        np.testing.assert_array_equal(mine.compute(), theirs.compute(), strict=True)


def test_what_is_wrapped_travels():
    task = pickle.loads(pickle.dumps(Meeting(np.outer, "outer")))
    np.testing.assert_array_equal(task(DATA, DATA), np.outer(DATA, DATA))
