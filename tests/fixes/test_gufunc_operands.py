"""`gufunc_operands`: the function of a gufunc gets device arrays and scalars, never NumPy arrays made of them."""

from __future__ import annotations

import pickle

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.gufunc_operands import FIX, WithScalars
from arrayshim.kernels.looping import Looped

RNG = np.random.default_rng(7)
TABLE = RNG.normal(size=(4, 3))
BLOCK = RNG.normal(size=(2, 4, 3))


@pytest.fixture(autouse=True)
def only_this():
    with arrayshim.scope(only=["gufunc_operands"]):
        yield


def lazy(values, chunks=-1):
    return da.from_array(strict.asarray(np.array(values)), chunks=chunks, name=False, asarray=False)


def same(result, expected, copies=0):
    with strict.conversions() as counted:
        value = result.compute(scheduler="sync")
    assert counted.count == copies
    assert type(value) is type(result._meta) is strict.StrictArray
    assert (result._meta.dtype, result._meta.ndim, result.shape) == (value.dtype, value.ndim, value.shape)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def total(row):
    assert (type(row), row.ndim) == (strict.StrictArray, 1)
    return row.sum()


def outer(p, q):
    return p[:, None] * q[None, :]


def extremes(row):
    return row.min(), row.argmax()


def test_the_smallest_call_failed_before():
    x = lazy([[1.0, 2.0], [3.0, 4.0]])
    with arrayshim.scope(only=()):
        assert (
            FIX.diagnose()
            == "apply_gufunc(vectorize=True) of device chunks: Implicit conversion to a NumPy array is not allowed"
        )
        with pytest.raises(TypeError, match="Implicit conversion"):
            da.apply_gufunc(total, "(i)->()", x, vectorize=True, output_dtypes=float).compute(scheduler="sync")
        with pytest.raises(TypeError, match="Unsupported type"):
            da.apply_gufunc(np.add, "(),()->()", x, 2.0).compute(scheduler="sync")
    assert FIX.diagnose() is None
    same(da.apply_gufunc(total, "(i)->()", x, vectorize=True, output_dtypes=float), np.array([3.0, 7.0]))
    same(da.apply_gufunc(np.add, "(),()->()", x, 2.0), np.array([[3.0, 4.0], [5.0, 6.0]]))


@pytest.mark.parametrize("chunks", [(-1, -1, -1), (1, 2, -1), (2, (1, 3), -1)])
@pytest.mark.parametrize("told", [{}, {"output_dtypes": "f8"}, {"meta": strict.asarray(np.empty(0))}])
def test_a_loop_over_the_leading_axes(chunks, told):
    x = lazy(BLOCK, chunks)
    result = da.apply_gufunc(lambda row: (row * row).sum(), "(i)->()", x, vectorize=True, **told)
    np.testing.assert_allclose(result.compute().get(), (BLOCK**2).sum(axis=-1), rtol=1e-14)
    same(result, np.array([[(row * row).sum() for row in table] for table in BLOCK]))


@pytest.mark.parametrize("chunks", [-1, 2, (1, 3)])
def test_a_loop_over_items(chunks):
    flat = TABLE[:, 0]
    same(da.apply_gufunc(lambda item: item * 2, "()->()", lazy(flat, (chunks,)), vectorize=True), flat * 2)


def test_loops_broadcast_and_core_dimensions_join():
    p, q = lazy(BLOCK[:, :1], (1, 1, -1)), lazy(TABLE, (2, -1))
    expected = np.einsum("abi,bj->abij", BLOCK[:, :1].repeat(4, axis=1), TABLE)
    same(da.apply_gufunc(outer, "(i),(j)->(i,j)", p, q, vectorize=True, output_dtypes=float), expected)


def test_several_results():
    least, place = da.apply_gufunc(extremes, "(i)->(),()", lazy(TABLE, (2, -1)), vectorize=True)
    same(least, TABLE.min(axis=1))
    same(place, TABLE.argmax(axis=1))


def test_a_new_dimension_an_axis_and_keepdims():
    x = lazy(TABLE, (2, -1))
    ends = da.apply_gufunc(lambda row: row[:2], "(i)->(j)", x, vectorize=True, output_sizes={"j": 2})
    same(ends, TABLE[:, :2])
    same(da.apply_gufunc(total, "(i)->()", x.T, axis=0, vectorize=True), [row.sum() for row in TABLE])
    kept = da.apply_gufunc(total, "(i)->()", x, axis=-1, keepdims=True, vectorize=True)
    same(kept, np.array([[row.sum()] for row in TABLE]))


def test_numbers_that_a_function_brings_to_the_host_move_back_together():
    x = lazy(TABLE, (2, -1))
    result = da.apply_gufunc(lambda row: float(row.get()[0]), "(i)->()", x, vectorize=True, output_dtypes="f4")
    same(result, TABLE[:, 0].astype("f4"), copies=4)


def test_keywords_and_scalars_come_as_they_were_passed():
    def raised(item, power, offset):
        assert (type(power), power, offset) == (int, 3, [1.0])
        return item**power + offset[0]

    flat = np.array([1.0, 2.0, 3.0])
    for vectorize in (True, False):
        for settled in ({}, {"output_dtypes": "f8"}):
            x = lazy(flat, 2)
            result = da.apply_gufunc(raised, "(),()->()", x, 3, offset=[1.0], vectorize=vectorize, **settled)
            same(result, np.array([2.0, 9.0, 28.0]))


@pytest.mark.parametrize("settled", [{}, {"output_dtypes": "f8"}])
def test_the_first_operand_does_not_decide_alone(settled):
    same(da.apply_gufunc(np.subtract, "(),()->()", 10.0, lazy([1.0, 2.0], 1), **settled), np.array([9.0, 8.0]))


@pytest.mark.parametrize("host", [np.array([5.0, 7.0]), np.array(5.0), da.from_array(np.array([5.0, 7.0]))])
def test_the_operands_of_a_ufunc_meet(host):
    expected = np.array([1.0, 2.0]) - np.asarray(host)
    same(da.apply_gufunc(np.subtract, "(),()->()", lazy([1.0, 2.0]), host), expected)


def test_nothing_to_loop_over():
    empty = lazy(np.empty((0, 3)))
    same(da.apply_gufunc(total, "(i)->()", empty, vectorize=True, output_dtypes="f8"), np.empty(0))
    loop = Looped(total, (("i",),), ((),))
    with pytest.raises(ValueError, match="nothing to loop over"):
        loop(strict.asarray(np.empty((0, 3))))
    with pytest.raises(ValueError, match="nothing to loop over"):
        Looped(total, (("i",),), (("j",),), (np.dtype("f8"),))(strict.asarray(np.empty((0, 3))))


@pytest.mark.parametrize(
    ("function", "inputs", "outputs", "message"),
    [
        (extremes, (("i",),), ((),), "returned 2 results"),
        (lambda row: row, (("i",),), (("i", "j"),), "result has shape"),
        (lambda row: row[:2], (("i",),), (("i",),), "dimension i has size 3, and 2"),
        (lambda row: row, (("i", "j", "k"),), ((),), "argument has shape"),
    ],
)
def test_what_does_not_fit_the_signature(function, inputs, outputs, message):
    with pytest.raises(ValueError, match=message):
        Looped(function, inputs, outputs)(strict.asarray(TABLE))


def test_the_loop_of_numpy_arrays_is_numpys():
    loop = Looped(np.sum, (("i",),), ((),), (np.dtype("f8"),))
    assert loop.signature == "(i)->()"
    np.testing.assert_array_equal(loop(TABLE), [row.sum() for row in TABLE], strict=True)


def test_names_are_the_same_each_time_and_tasks_travel():
    x = lazy(TABLE, (2, -1)).persist(scheduler="sync")
    results = [da.apply_gufunc(total, "(i)->()", x, vectorize=True, output_dtypes=float) for _ in range(2)]
    assert results[0].name == results[1].name
    assert any(name.startswith("vectorize_total-") for name in results[0].dask.layers)
    task = WithScalars(Looped(outer, (("i",), ("j",)), (("i", "j"),)), ((1, 2.0),))
    assert pickle.loads(pickle.dumps(task)) == task


def test_on_numpy_nothing_changes():
    x = da.from_array(TABLE, chunks=(2, -1))
    for settled in ({}, {"output_dtypes": "f8"}):
        calls = [
            lambda settled=settled: da.apply_gufunc(np.sum, "(i)->()", x, vectorize=True, **settled),
            lambda settled=settled: da.apply_gufunc(np.add, "(),()->()", x, 2.0, **settled),
            lambda settled=settled: da.gufunc(np.max, signature="(i)->()", vectorize=True, **settled)(x),
        ]
        for call in calls:
            with arrayshim.scope(only=()):
                stock = call()
            ours = call()
            np.testing.assert_array_equal(ours.compute(), stock.compute(), strict=True)


def test_dask_still_says_what_is_wrong():
    x = lazy(TABLE, (2, -1))
    with pytest.raises(ValueError, match="Only one of `meta` and `output_dtypes`"):
        da.apply_gufunc(total, "(i)->()", x, output_dtypes="f8", meta=np.empty(0))
    with pytest.raises(ValueError, match="list of 2 items"):
        da.apply_gufunc(extremes, "(i)->(),()", x, output_dtypes=("f8",), vectorize=True)
    with pytest.raises(TypeError, match="has to be of type string"):
        da.apply_gufunc(total, None, x)
    with pytest.raises(ValueError, match="requires 1 arguments, but 2 given"):
        da.apply_gufunc(total, "(i)->()", x, x, output_dtypes="f8")
