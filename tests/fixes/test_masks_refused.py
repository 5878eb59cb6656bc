"""`masks_refused`: each function of da.ma names, for device chunks, what does on them what it does on NumPy's."""

from __future__ import annotations

import inspect
import re

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import strict
from arrayshim.errors import UnsupportedError
from arrayshim.fixes.masks_refused import FIX, INSTEAD

DATA = np.array([[1.0, 5.0, 0.0], [-8.0, 3.0, 3.0]])
MASK = np.array([[True, False, False], [False, True, False]])

#: Arguments of each function, and its result with NaN for what is masked; a dask array takes the place of `DATA`.
INF = np.where(MASK, np.inf, DATA)
NAN = np.where(MASK, np.nan, DATA)
MASKED = np.ma.array(DATA, mask=MASK)
CASES = {
    "count": ({"a": NAN, "axis": 0}, np.ma.count(MASKED, axis=0)),
    "empty_like": ({"a": DATA}, None),
    "filled": ({"a": NAN, "fill_value": 7.0}, MASKED.filled(7.0)),
    "fix_invalid": ({"a": INF, "fill_value": 7.0}, np.ma.fix_invalid(INF, fill_value=7.0).data),
    "getmaskarray": ({"a": NAN}, MASK),
    "masked_array": ({"data": DATA, "mask": MASK}, MASKED),
    "masked_equal": ({"a": DATA, "value": 3}, np.ma.masked_equal(DATA, 3)),
    "masked_greater": ({"a": DATA, "value": 3}, np.ma.masked_greater(DATA, 3)),
    "masked_greater_equal": ({"a": DATA, "value": 3}, np.ma.masked_greater_equal(DATA, 3)),
    "masked_inside": ({"x": DATA, "v1": 0, "v2": 3}, np.ma.masked_inside(DATA, 0, 3)),
    "masked_invalid": ({"a": INF}, np.ma.masked_invalid(INF)),
    "masked_less": ({"a": DATA, "value": 3}, np.ma.masked_less(DATA, 3)),
    "masked_less_equal": ({"a": DATA, "value": 3}, np.ma.masked_less_equal(DATA, 3)),
    "masked_not_equal": ({"a": DATA, "value": 3}, np.ma.masked_not_equal(DATA, 3)),
    "masked_outside": ({"x": DATA, "v1": 0, "v2": 3}, np.ma.masked_outside(DATA, 0, 3)),
    "masked_values": (
        {"x": DATA, "value": 3.1, "rtol": 0.0, "atol": 0.2},
        np.ma.masked_values(DATA, 3.1, rtol=0.0, atol=0.2),
    ),
    "masked_where": ({"condition": MASK, "a": DATA}, np.ma.masked_where(MASK, DATA)),
    "nonzero": ({"a": NAN}, np.ma.nonzero(MASKED)),
    "ones_like": ({"a": DATA}, np.ones((2, 3))),
    "where": ({"condition": MASK, "x": DATA, "y": -DATA}, np.where(MASK, DATA, -DATA)),
    "zeros_like": ({"a": DATA}, np.zeros((2, 3))),
}
#: These have no expression that is what they return.
OTHERS = {
    "average": {"a": DATA, "axis": 0},
    "getdata": {"a": DATA},
    "set_fill_value": {"a": DATA, "fill_value": 7.0},
}
EVERY = {name: arguments for name, (arguments, _) in CASES.items()} | OTHERS


@pytest.fixture
def only_this():
    with arrayshim.scope(only=["masks_refused"]):
        yield


def lazy(arguments, chunks, make):
    return {
        name: da.from_array(make(value), chunks=chunks, name=False, asarray=False)
        if isinstance(value, np.ndarray)
        else value
        for name, value in arguments.items()
    }


def call(name, arguments):
    # masked_greater and its like call their first parameter `a` and say `x`.
    return getattr(da.ma, name)(*list(arguments.values())[:1], **dict(list(arguments.items())[1:]))


def test_every_public_function_is_in_the_table():
    public = {name for name, value in vars(da.ma).items() if inspect.isfunction(value) and name[0] != "_"}
    own = {name for name in public if hasattr(np.ma, name)} - {"asanyarray"}
    assert own == set(INSTEAD) == set(EVERY)


def test_the_smallest_call_failed_before():
    x = lazy({"x": DATA}, 2, strict.asarray)["x"]
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "a mask is put on chunks whose type has none"
        assert type(da.ma.getmaskarray(x).compute()) is np.ndarray
        with pytest.raises(TypeError, match="Implicit conversion"):
            da.ma.masked_greater(x, 3).sum().compute(scheduler="sync")
    with arrayshim.scope(only=["masks_refused"]):
        assert FIX.diagnose() is None


@pytest.mark.parametrize("name", EVERY)
def test_refused_while_the_graph_is_built(only_this, name):
    arguments = lazy(EVERY[name], 2, strict.asarray)
    with pytest.raises(UnsupportedError) as refusal:
        call(name, arguments)
    message = str(refusal.value)
    assert message.startswith(f"da.ma.{name}: StrictArray chunks have no masks")
    assert INSTEAD[name] in message
    assert "\n" not in message


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("chunks", [2, (1, 3), -1])
def test_what_is_named_instead_does_it(name, chunks):
    arguments, expected = CASES[name]
    with arrayshim.scope(), strict.conversions() as copies:
        scope = {"da": da, "np": np, **lazy(arguments, chunks, strict.asarray)}
        result = eval(INSTEAD[name], scope)
        several = result if isinstance(result, tuple) else (result,)
        values = [part.compute(scheduler="sync") for part in several]
    assert copies.count == 0
    assert {type(value) for value in values} == {strict.StrictArray}
    wanted = expected if isinstance(expected, tuple) else (expected,)
    if expected is None:
        assert (values[0].shape, values[0].dtype) == (DATA.shape, DATA.dtype)
        return
    for value, part in zip(values, wanted, strict=True):
        np.testing.assert_array_equal(value.get(), part.filled(np.nan) if np.ma.isMA(part) else part)


@pytest.mark.parametrize("parameter", [1, "value"])
def test_a_device_parameter_is_refused_too(only_this, parameter):
    x = da.from_array(DATA, chunks=2)
    device = strict.asarray(DATA)
    given = ((x, device), {}) if parameter == 1 else ((x,), {"value": device})
    with pytest.raises(UnsupportedError, match=r"da\.ma\.masked_greater: StrictArray"):
        da.ma.masked_greater(*given[0], **given[1])


@pytest.mark.parametrize("make", [np.asarray, lambda value: np.ma.array(value, mask=MASK)])
@pytest.mark.parametrize("name", sorted(set(EVERY) - {"set_fill_value", "empty_like"}))
def test_numpy_and_masked_chunks_are_as_before(name, make):
    results = []
    for fixes in ((), ("masks_refused",)):
        with arrayshim.scope(only=fixes):
            result = call(name, lazy(EVERY[name], 2, make))
            several = result if isinstance(result, tuple) else (result,)
            results.append([(type(part._meta), part.compute(scheduler="sync")) for part in several])
    for (meta, value), (stock_meta, stock) in zip(*reversed(results), strict=True):
        assert (type(value), meta) == (type(stock), stock_meta)
        np.testing.assert_array_equal(np.ma.getmaskarray(value), np.ma.getmaskarray(stock))
        filled = [x.filled(0) if np.ma.isMA(x) else x for x in (value, stock)]
        np.testing.assert_array_equal(*filled, strict=True)


def test_the_fill_value_is_set_as_before(only_this):
    x = da.from_array(MASKED.copy(), chunks=2, asarray=False)
    assert da.ma.set_fill_value(x, 7.0) is None
    np.testing.assert_array_equal(da.ma.filled(x).compute(), MASKED.filled(7.0))


def test_a_mask_is_refused_by_assignment_too():
    with arrayshim.scope():
        x = da.from_array(strict.asarray(DATA), chunks=2, name=False, asarray=False)
        with pytest.raises(UnsupportedError, match="mask"):
            x[x > 3] = np.ma.masked


def test_the_sentence_is_that_of_a_call():
    assert all(re.search(r"\bda\.|^a\b|^\(~", text) for text in INSTEAD.values())
