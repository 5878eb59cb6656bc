"""`chosen_on_device`: choose, piecewise and isnull of chunks whose library does less of it than NumPy."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.fixes.chosen_on_device import FIX
from arrayshim.kernels import choosing

DATA = np.array([[1.0, 5.0, 2.0], [8.0, 3.0, -2.0]])
WHICH = np.array([[0, 1, 2], [2, 0, 1]])


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["chosen_on_device"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def lazy(values, kind, chunks=2):
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(result, expected, kind):
    value = result.compute()
    assert type(value) is type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (value.dtype, value.ndim)
    np.testing.assert_array_equal(value.get(), expected, strict=True)


def test_the_smallest_call_failed_before(kind):
    a, x = lazy(WHICH, kind), lazy(DATA, kind)
    with arrayshim.scope(only=()):
        assert "choose among device arrays" in FIX.diagnose()
        with pytest.raises(AttributeError):
            da.choose(a, [x, x, x]).compute()
    assert FIX.diagnose() is None
    same(da.choose(a, [x, -x, x * 2]), np.choose(WHICH, [DATA, -DATA, DATA * 2]), kind)


@pytest.mark.parametrize("chunks", [1, 2, (2, 3)])
@pytest.mark.parametrize(
    "choices",
    [
        [DATA, -DATA, DATA * 2],
        [DATA, DATA[0], DATA[:, :1]],
        [10, 20, 30],
        [1, 2.5, DATA],
        [DATA.astype("f4"), WHICH, WHICH > 1],
    ],
)
def test_choices(kind, chunks, choices):
    arrays = [lazy(c, kind) if isinstance(c, np.ndarray) else c for c in choices]
    same(da.choose(lazy(WHICH, kind, chunks), arrays), np.choose(WHICH, choices), kind)
    # and from host data
    same(da.choose(lazy(WHICH, kind, chunks), choices), np.choose(WHICH, choices), kind)


def test_a_choice_by_bool(kind):
    x = lazy(DATA, kind)
    same(da.choose(x > 2, [x, 0.0]), np.choose(DATA > 2, [DATA, 0.0]), kind)


@pytest.mark.parametrize("wrong", [3, -1])
def test_a_choice_that_is_not_there_is_refused_as_by_numpy(kind, wrong):
    with pytest.raises(ValueError, match="invalid entry in choice array"):
        np.choose(np.array([0, wrong]), [1, 2, 3])
    with pytest.raises(ValueError, match="invalid entry in choice array"):
        da.choose(lazy([0, wrong], kind), [1, 2, 3]).compute()


@pytest.mark.parametrize(
    ("conditions", "pieces", "arguments"),
    [
        (lambda x: [x < 2, x >= 2], [lambda t: -t, lambda t: t * 2], {}),
        (lambda x: [x < 2], [lambda t: -t, 7.0], {}),
        (lambda x: [x < 2, x > 4], [1.0, lambda t: t + 1, lambda t: t * 0], {}),
        (lambda x: [x > 100], [lambda t: t + 1], {}),
        (lambda x: [x < 4, x < 2], [lambda t: -t, lambda t: t * 10], {}),
        (lambda x: [x < 4], [lambda t, k: t + k], {"k": 3.0}),
        (lambda x: [x < 2], [5.0, 6.0], {}),
    ],
)
def test_pieces(kind, conditions, pieces, arguments):
    x = lazy(DATA, kind)
    expected = np.piecewise(DATA, conditions(DATA), pieces, **arguments)
    same(da.piecewise(x, conditions(x), pieces, **arguments), expected, kind)


def test_host_conditions(kind):
    mask = DATA < 2
    same(
        da.piecewise(lazy(DATA, kind), [da.from_array(mask, 2)], [lambda t: -t]),
        np.piecewise(DATA, [mask], [np.negative]),
        kind,
    )


def test_wrong_numbers_of_pieces_are_refused_as_by_numpy(kind):
    with pytest.raises(ValueError, match="with 1 condition"):
        choosing.piecewise(strict.asarray(DATA, kind=kind), [strict.asarray(DATA > 1, kind=kind)], [np.sin] * 3)


@pytest.mark.parametrize(
    "values", [[1.0, np.nan], [1, 2], [True, False], [complex(0, np.nan), 1j], np.array([np.inf, np.nan], "f4")]
)
def test_missing(kind, values):
    pd = pytest.importorskip("pandas")
    x = lazy(values, kind, 1)
    same(da.isnull(x), pd.isnull(np.array(values)), kind)
    same(da.notnull(x), pd.notnull(np.array(values)), kind)


@pytest.mark.parametrize("condition", [True, False, np.True_])
def test_one_condition_for_all_gives_device_chunks_either_way(kind, condition):
    x = lazy(DATA, kind)
    same(da.where(condition, x, np.zeros(3)), np.where(condition, DATA, np.zeros(3)), kind)
    same(da.where(condition, np.zeros(3), x), np.where(condition, np.zeros(3), DATA), kind)


def test_numpy_is_stock(kind):
    pytest.importorskip("pandas")
    x, a = da.from_array(DATA, chunks=2), da.from_array(WHICH, chunks=2)

    def built():
        return (
            da.choose(a, [x, -x, 3]),
            da.piecewise(x, [x < 2], [lambda t: -t, 7.0]),
            da.isnull(x),
            da.where(True, x, 1.0),
        )

    ours = built()
    with arrayshim.scope(only=()):
        stock = built()
    for mine, theirs in zip(ours, stock, strict=True):
        np.testing.assert_array_equal(mine.compute(), theirs.compute(), strict=True)
