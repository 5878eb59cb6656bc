"""`mixed_operands`: what elementwise functions are given meets where the data are."""

from __future__ import annotations

import operator

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import ResidenceError
from arrayshim.fixes.mixed_operands import FIX

DATA = np.arange(12.0).reshape(4, 3)
ROW = np.array([1.0, 2.0, 4.0])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["mixed_operands"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    with strict.conversions() as seen:
        value = result.compute()
    assert seen.count == 0
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    x = lazy(DATA, kind)
    with arrayshim.scope(only=()):
        assert "a device array + an ndarray" in FIX.diagnose()
        with pytest.raises(TypeError):
            (x + ROW).compute()
    assert FIX.diagnose() is None
    same(x + ROW, DATA + ROW, kind)


@pytest.mark.parametrize("chunks", [(4, 3), (1, 1), ((3, 1), (1, 2))])
@pytest.mark.parametrize(
    "host",
    [ROW, da.from_array(ROW, chunks=1), DATA, da.from_array(DATA, chunks=(3, 2)), np.array(2.0), [1.0, 2.0, 4.0]],
    ids=["row", "dask row", "whole", "dask whole", "0d", "list"],
)
@pytest.mark.parametrize("function", [da.add, da.less, da.arctan2, da.maximum])
def test_either_side(kind, chunks, host, function):
    x = lazy(DATA, kind, chunks)
    plain = getattr(np, function.__name__)
    values = host.compute() if isinstance(host, da.Array) else host
    same(function(x, host), plain(DATA, values), kind)
    same(function(host, x), plain(values, DATA), kind)


@pytest.mark.parametrize("function", [operator.add, operator.pow, operator.lt, operator.truediv])
def test_operators(kind, function):
    x = lazy(DATA, kind)
    same(function(x, ROW), function(DATA, ROW), kind)
    with np.errstate(divide="ignore"):
        same(function(ROW, x), function(ROW, DATA), kind)


@pytest.mark.parametrize(
    "build",
    [
        lambda x, xp: xp.where(x > 3, x, np.zeros(3)),
        lambda x, xp: xp.where(x > 3, x, np.array(0.0)),
        lambda x, xp: xp.where(np.array([True, False, True]), x, -x),
        lambda x, xp: xp.clip(x, np.array([1.0, 0.0, 2.0]), np.array(7.0)),
        lambda x, xp: xp.clip(x, [1.0, 0.0, 2.0], 7),
        lambda x, xp: xp.isclose(x, ROW, atol=1.0),
        lambda x, xp: np.add(ROW, x),
        lambda x, xp: np.multiply(x, np.array(3, dtype="f4")),
        lambda x, xp: x + np.float32(1),
        lambda x, xp: (x > 3) & np.array([True, False, True]),
    ],
)
def test_functions(kind, build):
    same(build(lazy(DATA, kind), da), build(DATA, np), kind)


def test_0d_host_operands_keep_their_dtype(kind):
    x = lazy(DATA.astype("f4"), kind)
    same(x + np.array(1.0), DATA.astype("f4") + np.array(1.0), kind)
    same(x + da.asarray(np.array(1.0, dtype="f4")), DATA.astype("f4") + np.float32(1), kind)
    same(x.sum() + np.array([1.0, 2.0]), np.float64(66) + np.array([1.0, 2.0]), kind)


def test_unknown_chunks(kind):
    with arrayshim.scope(only=["mixed_operands", "boolean_selection_meta"]):
        x = lazy(DATA[:, 0], kind)
        chosen = da.from_array(DATA[:, 0], chunks=2)
        same(x[chosen > 2] + chosen[chosen > 2], np.array([6.0, 12.0, 18.0]), kind)


def test_chunks_are_those_of_numpy_and_move_one_by_one(kind):
    x, host = lazy(DATA, kind, (2, 3)), da.from_array(DATA, chunks=(4, 1))
    with arrayshim.transfers() as moves:
        result = x + host
        assert moves.number == 0
        assert result.chunks == (da.from_array(DATA, chunks=(2, 3)) + host).chunks == ((2, 2), (1, 1, 1))
        result.compute()
    assert moves.by_operation == {"add": (6, DATA.nbytes)}


def test_the_setting_raise(kind):
    x = lazy(DATA, kind)
    with dask.config.set({"arrayshim.mixed": "raise"}):
        with pytest.raises(ResidenceError, match=rf"add: dask array of {kind.__name__} \(4, 3\) is on a device"):
            x + ROW
        with pytest.raises(ResidenceError, match="where"):
            da.where(x > 1, x, da.ones(3))
        same(da.where(x > 3, x, np.array(0.0)), np.where(DATA > 3, DATA, 0.0), kind)


def test_shapes_that_do_not_fit_are_refused_as_by_numpy(kind):
    with pytest.raises(ValueError, match="could not be broadcast together"):
        lazy(DATA, kind) + np.ones(5)


def test_masked_and_strange_operands_are_refused_while_the_graph_is_built(kind):
    x = lazy(DATA, kind)
    with pytest.raises(ResidenceError, match=r"add: .*mask.*da\.ma\.filled"):
        x + np.ma.masked_greater(DATA, 3)
    with pytest.raises(ResidenceError, match="different devices"):
        x + lazy(DATA, strict.fresh_type("Elsewhere"))


def test_a_false_meta_is_named_by_the_first_task(kind):
    x = lazy(DATA, kind)
    same(x + 0, DATA, kind)
    hidden = x.map_blocks(operator.pos, meta=np.empty((0, 0)))
    for host in (ROW, da.from_array(ROW, chunks=2)):
        with pytest.raises(ResidenceError, match=rf"add: a chunk is {kind.__name__} and another ndarray.*give meta="):
            (hidden + host).compute()
    # beside a device by meta there is nothing false: what is there already stays
    assert type((hidden + x).compute()) is kind


def test_errors_of_the_function_itself_are_left_alone(kind):
    def wrong(a, b):
        raise TypeError("no such thing")

    x = lazy(DATA, kind)
    with pytest.raises(TypeError, match=r"^no such thing$"):
        da.core.elemwise(wrong, x, x, dtype=float).compute()


def test_numpy_values_and_names_are_stock(kind):
    x = lazy(DATA, kind)
    assert type(x._meta) is kind
    a, b = da.from_array(DATA, chunks=2), da.from_array(ROW, chunks=2)
    ours = a + b, da.where(a > b, a, ROW), a * np.array(2.0)
    with arrayshim.scope(only=()):
        stock = a + b, da.where(a > b, a, ROW), a * np.array(2.0)
    for mine, theirs in zip(ours, stock, strict=True):
        assert mine.name == theirs.name
        assert mine.chunks == theirs.chunks
        np.testing.assert_array_equal(mine.compute(), theirs.compute(), strict=True)


def test_masked_and_sparse_chunks_meet_numpy_as_before():
    sparse = pytest.importorskip("sparse")
    with arrayshim.scope(only=["mixed_operands"]):
        masked = da.from_array(np.ma.masked_greater(DATA, 5), chunks=2) + ROW
        assert type(masked.compute()) is np.ma.MaskedArray
        coo = da.from_array(sparse.COO.from_numpy(DATA), chunks=2, asarray=False) * ROW
        assert isinstance(coo.compute(), sparse.COO)
        np.testing.assert_array_equal(coo.compute().todense(), DATA * ROW)


@pytest.mark.parametrize("host", ["data", "out"])
def test_what_is_left_of_out_is_an_operand_too(kind, host):
    def operands():
        x, out = lazy(DATA, kind), lazy(-DATA, kind)
        return (da.from_array(DATA, chunks=3), out) if host == "data" else (x, da.from_array(-DATA, chunks=3))

    with arrayshim.scope(only=["mixed_operands", "ufunc_where"]):
        x, out = operands()
        assert da.add(x, 1, where=x > 3, out=out) is out
        same(out, np.where(DATA > 3, DATA + 1, -DATA), kind)
        x, out = operands()
        with (
            dask.config.set({"arrayshim.mixed": "raise"}),
            pytest.raises(ResidenceError, match=r"add: .*is on a device"),
        ):
            da.add(x, 1, where=x > 3, out=out)
        # without where=, nothing of it is read
        with dask.config.set({"arrayshim.mixed": "raise"}):
            same(da.add(lazy(DATA, kind), 1, out=da.from_array(DATA, chunks=3)), DATA + 1, kind)
