"""Elements on a device are read and written as by NumPy, whatever the key, its side, and the chunks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import dask.array as da
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from indexed import KIND, assigned, device, lazy, lazy_host

#: Where an operand is: how it is made there, and how for NumPy chunks.
SIDES = {
    "host": (np.asarray, np.asarray),
    "device": (device, np.asarray),
    "lazy host": (lazy_host, lazy_host),
    "lazy device": (lazy, lazy_host),
}

many = settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def cuts(draw: Any, size: int) -> tuple[int, ...]:
    """Chunks of an axis, empty ones among them."""
    ends = sorted(draw(st.lists(st.integers(0, size), max_size=3)))
    return tuple(np.diff([0, *ends, size]).tolist())


@st.composite
def tables(draw: Any) -> tuple[Any, Any, Any]:
    """An ndarray of one or two axes, the same with strict chunks, and with NumPy's."""
    shape = draw(st.lists(st.integers(0, 5), min_size=1, max_size=2))
    data = np.arange(float(np.prod(shape))).reshape(shape) * 1.5 - 2
    stock = da.from_array(data, chunks=data.shape if 0 in data.shape else tuple(draw(cuts(n)) for n in shape))
    return data, stock.map_blocks(device, dtype=data.dtype, meta=device(np.empty((0,) * data.ndim))), stock


@st.composite
def axis_keys(draw: Any, size: int) -> tuple[Any, Any, Any]:
    """A key for one axis: what NumPy gets, the same wherever it may be, and the same for NumPy chunks."""
    forms = ["slice"] + ["index", "mask", "list"] * (size > 0) + ["number"] * (size > 0)
    form = draw(st.sampled_from(forms))
    if form == "slice":
        bound = st.none() | st.integers(-size - 1, size + 1)
        key = slice(draw(bound), draw(bound), draw(st.sampled_from([None, 1, 2, -1, -3])))
        return key, key, key
    if form == "number":
        key = draw(st.integers(-size, size - 1))
        return key, key, key
    if form == "mask":
        values = np.array(draw(st.lists(st.booleans(), min_size=size, max_size=size)), dtype=bool)
    else:
        numbers = st.lists(st.integers(-size, size - 1), min_size=1, max_size=4, unique_by=lambda i: i % size)
        values = np.array(draw(numbers), dtype=draw(st.sampled_from(["i8", "i4"])))
    if form == "list":
        return values, values.tolist(), values.tolist()
    made, stock = SIDES[draw(st.sampled_from(sorted(SIDES)))]
    return values, made(values), stock(values)


@st.composite
def keys(draw: Any, data: Any) -> tuple[Any, Any, Any]:
    """A key for all axes or the first; at most one of its items an array, as dask has it."""
    if draw(st.integers(0, 4)) == 0 and data.size:
        mask = np.array(draw(st.lists(st.booleans(), min_size=data.size, max_size=data.size))).reshape(data.shape)
        made, stock = SIDES[draw(st.sampled_from(["lazy host", "lazy device"]))]
        chunks = tuple((n + 1) // 2 for n in data.shape)
        return mask, made(mask, chunks), stock(mask, chunks)
    first = draw(axis_keys(data.shape[0]))
    if data.ndim == 1 or draw(st.booleans()):
        return first
    other = draw(axis_keys(data.shape[1]))
    if all(isinstance(key[0], np.ndarray) for key in (first, other)):
        other = (slice(None),) * 3
    return (first[0], other[0]), (first[1], other[1]), (first[2], other[2])


def right(call: Callable[[], Any], expected: Any) -> bool:
    """Whether dask does with NumPy chunks what NumPy does; at many an empty chunk it does not."""
    try:
        return bool(np.array_equal(call().compute(scheduler="sync"), expected))
    except Exception:
        return False


def agrees(result: Any, expected: Any) -> None:
    """Value, dtype, shape, chunk type and meta."""
    found = result.compute(scheduler="sync")
    assert type(found) is KIND
    assert type(result._meta) is KIND
    assert (result._meta.ndim, result._meta.dtype) == (np.ndim(expected), expected.dtype)
    np.testing.assert_array_equal(found.get(), expected, strict=np.ndim(expected) > 0)


@many
@given(st.data())
def test_getitem(draw: Any) -> None:
    data, x, stock = draw.draw(tables())
    host, key, stock_key = draw.draw(keys(data))
    if right(lambda: stock[stock_key], data[host]):
        agrees(x[key], data[host])


@many
@given(st.data())
def test_getitem_of_unknown_sizes(draw: Any) -> None:
    data, x, stock = draw.draw(tables())
    rows = np.arange(data.shape[0]) % 2 == 0
    made, stock_made = SIDES[draw.draw(st.sampled_from(["lazy host", "lazy device"]))]
    columns = [(slice(None), -1), (slice(None), slice(1, None))] if data.ndim > 1 and data.shape[1] else []
    key = draw.draw(st.sampled_from([..., (..., None), *columns]))
    chosen = data[rows]
    if right(lambda: stock[stock_made(rows)][key], chosen[key]):
        agrees(x[made(rows)][key], chosen[key])
    if right(lambda: stock[stock_made(rows)].compute_chunk_sizes()[::-1], chosen[::-1]):
        agrees(x[made(rows)].compute_chunk_sizes()[::-1], chosen[::-1])


@many
@given(st.data())
def test_setitem(draw: Any) -> None:
    data, x, stock = draw.draw(tables())
    host, key, stock_key = draw.draw(keys(data))
    through_mask = isinstance(host, np.ndarray) and host.dtype == bool and host.ndim == data.ndim and key is not host
    shape = () if through_mask or draw.draw(st.booleans()) else data[host].shape
    value = np.arange(float(np.prod(shape))).reshape(shape) + 100 if np.prod(shape) else np.array(100.0)
    made, stock_made = SIDES[draw.draw(st.sampled_from(sorted(SIDES)))]
    expected = assigned(data, host, value)
    if right(lambda: assigned(stock, stock_key, stock_made(value)), expected):
        agrees(assigned(x, key, made(value)), expected)
