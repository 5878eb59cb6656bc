"""`mixed_joins`: what is joined meets where one of the parts is on a device."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.mixed_joins import FIX

DATA = np.arange(12.0).reshape(4, 3)
LINE = np.array([1.0, 4.0, 9.0, 16.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["mixed_joins"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    with strict.conversions() as seen:
        value = result.compute()
        blocks = [result.blocks[i].compute() for i in np.ndindex(result.numblocks)]
    assert seen.count == 0
    assert {type(value), type(result._meta), *map(type, blocks)} == {kind}
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    x = lazy(LINE, kind)
    with arrayshim.scope(only=()):
        assert "a device array joined with an ndarray" in FIX.diagnose()
        with pytest.raises(TypeError):
            da.concatenate([x, LINE]).compute()
    assert FIX.diagnose() is None
    same(da.concatenate([x, LINE]), np.concatenate([LINE, LINE]), kind)


@pytest.mark.parametrize("chunks", [1, (4, 3), ((3, 1), (1, 2))])
@pytest.mark.parametrize("function", ["concatenate", "stack"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_joins(kind, chunks, function, axis):
    x = lazy(DATA, kind, chunks)
    join, plain = getattr(da, function), getattr(np, function)
    host = DATA.astype("f4") + 1
    for parts in ([x, host], [host, x], [da.from_array(host, chunks=2), x, x], (x, host)):
        values = [DATA if part is x else host for part in parts]
        same(join(parts, axis=axis), plain(values, axis=axis), kind)


@pytest.mark.parametrize(
    "build",
    [
        lambda xp, x, y: xp.vstack([x, LINE]),
        lambda xp, x, y: xp.hstack([LINE, x]),
        lambda xp, x, y: xp.append(x, [1.0, 2.0]),
        lambda xp, x, y: xp.append(x, 1.0),
        lambda xp, x, y: xp.block([[y, np.ones((4, 1))], [np.zeros((1, 4))]]),
        lambda xp, x, y: np.concatenate([LINE, x]),
        lambda xp, x, y: xp.ediff1d(x, to_begin=np.array([7.0]), to_end=[8.0, 9.0]),
        lambda xp, x, y: xp.stack([x.sum(), 1.0]),
        lambda xp, x, y: xp.diff(x, prepend=0.0, append=LINE[:2]),
        lambda xp, x, y: xp.diff(y, axis=0, append=np.array(1.0)),
        lambda xp, x, y: xp.diff(y, n=2, axis=-1, prepend=np.ones((4, 2))),
        lambda xp, x, y: xp.insert(x, [0, 3], [7.0, 8.0], axis=0),
        lambda xp, x, y: xp.insert(x, 2, 7.0, axis=0),
        lambda xp, x, y: xp.insert(x, [0, 2], xp.asarray(np.array(7.0)), axis=0),
        lambda xp, x, y: xp.insert(y, 2, x.sum(), axis=1),
        lambda xp, x, y: xp.diff(xp.asarray(LINE), prepend=x),
        lambda xp, x, y: xp.diff(xp.asarray(DATA), axis=0, append=x.sum()),
        lambda xp, x, y: xp.insert(y, slice(1, 3), [[1.0, 2.0, 3.0]], axis=0),
        lambda xp, x, y: xp.insert(y, 1, [1.0, 2.0, 3.0], axis=-2),
        lambda xp, x, y: xp.delete(x, [0, 2], axis=0),
    ],
)
def test_what_joins(kind, build):
    same(build(da, lazy(LINE, kind), lazy(DATA, kind)), build(np, LINE, DATA), kind)


def test_differences_of_dask_ends_stay_lazy(kind):
    x, end = lazy(LINE, kind), lazy([25.0], kind)
    host = da.from_array(np.array([0.0]), chunks=1)
    with dask.callbacks.Callback(start=lambda dsk: pytest.fail("computed while the graph was built")):
        result = da.diff(x, prepend=host, append=end)
    same(result, np.array([1.0, 3.0, 5.0, 7.0, 9.0]), kind)


def test_wrong_orders_are_refused_as_by_dask(kind):
    with pytest.raises(ValueError, match="order must be non-negative"):
        da.diff(lazy(LINE, kind), -1, prepend=LINE)
    x = lazy(LINE, kind)
    assert da.diff(x, 0, prepend=LINE) is x


@pytest.mark.parametrize(("shapes", "axis"), [(((4,), ()), 0), (((), ()), 0), (((4,), (4,)), 1), (((4,), (4, 1)), 0)])
def test_what_cannot_be_joined_is_refused_as_by_numpy(kind, shapes, axis):
    values = [np.ones(shape) for shape in shapes]
    with pytest.raises(ValueError) as theirs:
        da.concatenate([da.from_array(value) for value in values], axis=axis)
    with pytest.raises(type(theirs.value)) as ours:
        da.concatenate([lazy(value, kind) for value in values], axis=axis)
    assert str(ours.value) == str(theirs.value)


def test_the_setting_raise(kind):
    x = lazy(LINE, kind)
    with dask.config.set({"arrayshim.mixed": "raise"}):
        for join, operation in ((da.concatenate, "concatenate"), (da.stack, "stack")):
            with pytest.raises(ResidenceError, match=rf"{operation}: dask array of {kind.__name__} \(4,\)"):
                join([x, LINE])


def test_chunks_move_one_by_one(kind):
    with arrayshim.transfers() as moves:
        da.concatenate([lazy(LINE, kind), da.from_array(LINE, chunks=1)]).compute()
    assert moves.by_operation == {"concatenate": (4, LINE.nbytes)}


def test_numpy_and_masked_are_stock(kind):
    a, masked = da.from_array(DATA, chunks=2), da.from_array(np.ma.masked_greater(DATA, 3), chunks=2)

    def built():
        return (
            da.concatenate([a, DATA]),
            da.stack([a, a], axis=1),
            da.diff(a, prepend=0.0),
            da.insert(a, 1, 3.0, axis=0),
            da.concatenate([masked, a]),
            da.concatenate(iter([a, a])),
        )

    ours = built()
    with arrayshim.scope(only=()):
        stock = built()
    for mine, theirs in zip(ours, stock, strict=True):
        assert (mine.name, mine.chunks, type(mine._meta)) == (theirs.name, theirs.chunks, type(theirs._meta))
        mine, theirs = mine.compute(), theirs.compute()
        assert type(mine) is type(theirs)
        np.testing.assert_array_equal(np.ma.filled(mine, -1.0), np.ma.filled(theirs, -1.0), strict=True)
