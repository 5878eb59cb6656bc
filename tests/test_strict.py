"""StrictArray: what it refuses, keeps on the device and counts. Expected values are NumPy's or arithmetic."""

from __future__ import annotations

import copy
import operator
import pickle
import threading
import warnings
from collections.abc import Callable
from typing import Any

import cloudpickle
import numpy as np
import pytest

from arrayshim import strict
from arrayshim.strict import StrictArray

HOST = np.array([1.5, -2.0, 0.25, 4.0])


@pytest.fixture
def x() -> Any:
    return strict.to_device(HOST)


def same(got: Any, expected: Any) -> None:
    """`got` is a strict array of these values, shape and dtype."""
    expected = np.asarray(expected)
    assert type(got) is StrictArray
    assert got.dtype == expected.dtype
    assert got.shape == expected.shape
    np.testing.assert_array_equal(strict.to_host(got), expected)


# -- what is refused -----------------------------------------------------------------------------------------------
REFUSED: dict[str, Callable[[Any], Any]] = {
    "asarray": np.asarray,
    "array of one": lambda x: np.array([x]),
    "list of scalars": lambda x: np.array([x[0], x[1]]),
    "operand on the right": lambda x: x + HOST,
    "operand on the left": lambda x: HOST + x,
    "0-d operand": lambda x: x + np.array(1.0),
    "list operand": lambda x: x + [1, 2, 3, 4],
    "in place": lambda x: operator.iadd(x, HOST),
    "host += device": lambda x: operator.iadd(HOST.copy(), x),
    "ufunc": lambda x: np.add(x, HOST),
    "out on the host": lambda x: np.add(x, x, out=np.empty(4)),
    "where=": lambda x: np.add(x, x, where=x > 0),
    "concatenate": lambda x: np.concatenate([x, HOST]),
    "stack": lambda x: np.stack([x, HOST]),
    "where": lambda x: np.where(x > 0, x, HOST),
    "dot": lambda x: np.dot(x, HOST),
    "isin": lambda x: np.isin(x, HOST),
    "clip": lambda x: np.clip(x, HOST, 9),
    "missing function": lambda x: np.insert(x, 0, 1),
    "missing keyword": lambda x: np.sum(x, initial=1),
    "missing ufunc": np.spacing,
    "index by a device scalar": lambda x: [1, 2, 3][x.astype(int)[0]],
    "hash": hash,
    "len of 0-d": lambda x: len(x.sum()),
    "iteration of 0-d": lambda x: list(x.sum()),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_refuses_with_a_type_error(call: Callable[[Any], Any], x: Any) -> None:
    with pytest.raises(TypeError):
        call(x)


def test_refusal_of_conversion_names_the_remedy(x: Any) -> None:
    with pytest.raises(
        TypeError, match=r"Implicit conversion to a NumPy array is not allowed\. Please use `\.get\(\)`"
    ):
        np.asarray(x)


@pytest.mark.parametrize("key", [slice(1, 3), Ellipsis, slice(None)])
def test_basic_assignment_refuses_a_host_array(x: Any, key: Any) -> None:
    with pytest.raises(ValueError, match=r"non-scalar numpy\.ndarray"):
        x[key] = HOST[: x[key].size]


@pytest.mark.parametrize("dtype", [object, "U3", "M8[s]", ">f8", np.longdouble])
def test_dtypes_that_no_device_has(dtype: Any) -> None:
    with pytest.raises(ValueError, match="Unsupported dtype"):
        StrictArray((2,), dtype=dtype)


@pytest.mark.parametrize("name", ["maximum", "logical_or", "minimum"])
def test_reduce_of_other_ufuncs_is_missing(x: Any, name: str) -> None:
    with pytest.raises(NotImplementedError):
        getattr(np, name).reduce(x)


# -- what stays on the device --------------------------------------------------------------------------------------
KEPT: dict[str, Callable[[Any], Any]] = {
    "sum": np.sum,
    "sum method": lambda a: a.sum(axis=0),
    "mean": np.mean,
    "element": lambda a: a[1],
    "all elements": lambda a: a[()],
    "python scalars": lambda a: 2 * a + 1,
    "numpy scalars": lambda a: a * np.float64(2),
    "comparison": lambda a: a > 0,
    "index list": lambda a: a[[3, 0]],
    "mask": lambda a: a[a > 0],
    "new axis": lambda a: a[None, ..., ::2],
    "power": lambda a: a**2,
    "reflected power": lambda a: 2.0**a,
    "matmul": lambda a: a @ a,
    "sort": np.sort,
    "argsort": np.argsort,
    "unique": np.unique,
    "cumsum": np.cumsum,
    "median": np.median,
    "percentile": lambda a: np.percentile(a, [25, 50]),
    "searchsorted": lambda a: np.searchsorted(np.sort(a), a),
    "where": lambda a: np.where(a > 0, a, 0),
    "concatenate": lambda a: np.concatenate([a, a]),
    "reshape": lambda a: a.reshape(2, 2).T,
    "einsum": lambda a: np.einsum("i,i", a, a),
    "fft": np.fft.fft,
    "norm": np.linalg.norm,
    "sqrt": lambda a: np.sqrt(a * a),
    "accumulate": np.add.accumulate,
    "outer": lambda a: np.add.outer(a, a),
    "astype": lambda a: a.astype("f4"),
    "like": lambda a: np.zeros_like(a, dtype=int),
    "gradient": np.gradient,
    "diff": np.diff,
    "pad": lambda a: np.pad(a, 2, mode="reflect"),
}


@pytest.mark.parametrize("call", KEPT.values(), ids=KEPT)
def test_agrees_with_numpy_and_copies_nothing(call: Callable[[Any], Any], x: Any) -> None:
    with strict.conversions() as seen:
        got = call(x)
    assert seen.count == 0
    assert isinstance(got, StrictArray)
    expected = np.asarray(call(HOST))
    assert (got.dtype, got.shape) == (expected.dtype, expected.shape)
    np.testing.assert_allclose(strict.to_host(got), expected, rtol=1e-12, atol=1e-12)


def test_host_data_crosses_through_like(x: Any) -> None:
    same(np.asarray(HOST, like=x), HOST)
    same(np.asarray([1, 2], like=x), [1, 2])
    assert np.asarray(x, like=x) is x


def test_index_arrays_wrap_around() -> None:
    x = strict.asarray(np.arange(3))
    same(x[[1, 3]], [1, 0])
    same(x[np.array([-4, 7])], [2, 1])
    same(np.take(x, [5]), [2])
    x[[1, 3]] = 10
    same(x, [10, 10, 2])
    with pytest.raises(IndexError):
        x[3]


def test_values_that_a_device_array_takes(x: Any) -> None:
    x[1:3] = 7
    x[[0, 3]] = np.array([8.0, 9.0])
    same(x, [8.0, 7.0, 7.0, 9.0])
    x[x > 7.5] = [1, 2]
    x[1] = np.array(5.0)
    same(x, [1.0, 5.0, 7.0, 2.0])


def test_views_share_memory(x: Any) -> None:
    view = x[::2]
    view[0] = 100
    assert float(x[0]) == 100
    assert view.base is x
    assert not view.flags.owndata
    assert x.flags.owndata
    assert x[[0]].base is None


@pytest.mark.parametrize(
    ("left", "right", "dtype"),
    [
        ("u1", 1, "u1"),
        ("u1", 1.5, "f8"),
        ("f4", 1.5, "f4"),
        ("f4", np.float64(1), "f8"),
        ("?", 1, "i8"),
        ("f2", 1j, "c8"),
    ],
)
def test_promotion_of_scalars(left: str, right: Any, dtype: str) -> None:
    got = strict.asarray(np.ones(2, left)) + right
    assert got.dtype == np.dtype(dtype) == (np.ones(2, left) + right).dtype


def test_nothing_is_a_nan_without_a_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        empty = strict.asarray(np.zeros((0, 2)))
        same(empty.mean(axis=0), [np.nan, np.nan])
        same(np.nanmedian(strict.asarray([np.nan])), np.nan)
        same(np.nanargmax(strict.asarray([np.nan, np.nan])), -1)
        same(np.std(strict.asarray([1.0]), ddof=1), np.nan)


def test_empty_like_takes_the_shape_of_its_prototype_for_an_empty_tuple(x: Any) -> None:
    assert np.empty_like(x, shape=()).shape == (4,)
    assert np.empty_like(x, shape=(0, 0)).shape == (0, 0)


def test_ufunc_at_adds_up_what_falls_on_one_place() -> None:
    x = strict.asarray([0.0, 0.0])
    np.add.at(x, strict.asarray([0, 0, 3]), 1.0)
    same(x, [2.0, 1.0])
    with pytest.raises(TypeError):
        np.add.at(strict.asarray(np.zeros(2, "u1")), strict.asarray([0]), 1)


# -- what is counted -----------------------------------------------------------------------------------------------
EXPLICIT: dict[str, tuple[Callable[[Any], Any], int]] = {
    "float": (lambda x: float(x[0]), 8),
    "int": (lambda x: int(x[0]), 8),
    "bool": (lambda x: bool(x[0]), 8),
    "complex": (lambda x: complex(x[0]), 8),
    "item": (lambda x: x[0].item(), 8),
    "tolist": (lambda x: x.tolist(), 32),
    "get": (lambda x: x.get(), 32),
    "to_host": (strict.to_host, 32),
    "repr": (repr, 32),
    "format": ("{}".format, 32),
    "pickle": (pickle.dumps, 32),
    "token": (lambda x: x.__dask_tokenize__(), 32),
    "nothing": (lambda x: x[:0].get(), 0),
}


@pytest.mark.parametrize(("call", "nbytes"), EXPLICIT.values(), ids=EXPLICIT)
def test_explicit_copies_are_counted(call: Callable[[Any], Any], nbytes: int, x: Any) -> None:
    with strict.conversions() as outer, strict.conversions() as inner:
        call(x)
    call(x)
    assert (inner.count, inner.bytes) == (outer.count, outer.bytes) == (bool(nbytes), nbytes)


def test_counting_in_many_threads(x: Any) -> None:
    with strict.conversions() as seen:
        threads = [threading.Thread(target=lambda: [float(x[0]) for _ in range(100)]) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert (seen.count, seen.bytes) == (800, 6400)


# -- copies, types, namespaces -------------------------------------------------------------------------------------
@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x)),
                                   lambda x: cloudpickle.loads(cloudpickle.dumps(x))])  # fmt: skip
def test_clones_are_equal_and_apart(clone: Callable[[Any], Any], x: Any) -> None:
    cloned = clone(x)
    same(cloned, HOST)
    cloned[0] = 0
    same(x, HOST)


def test_tokens_follow_the_content() -> None:
    from dask.base import tokenize

    a, b = strict.asarray([1, 2]), strict.asarray([1, 2])
    assert tokenize(a) == tokenize(b) == tokenize(a[::-1][::-1])
    assert tokenize(a) != tokenize(strict.asarray([1, 3]))
    assert tokenize(a) != tokenize(strict.asarray([1, 2], kind=strict.fresh_type("Other")))


def test_a_fresh_type_is_a_stranger(x: Any) -> None:
    other = strict.fresh_type("Other")
    y = strict.to_device(HOST, kind=other)
    assert type(y.sum()) is other
    assert type(other(shape=(0, 0), dtype="f4")) is other
    assert type(strict.namespace_of(other).ones(2)) is other
    assert not issubclass(other, StrictArray)
    for mix in (lambda: x + y, lambda: np.concatenate([x, y]), lambda: np.asarray(y, like=x)):
        with pytest.raises(TypeError):
            mix()
    same(cloudpickle.loads(cloudpickle.dumps(strict.asarray([1]))), [1])
    assert type(cloudpickle.loads(cloudpickle.dumps(y))) is other


def test_the_namespace_has_what_cupy_has() -> None:
    xp = strict.namespace
    same(xp.linspace(0, 1, 3), [0.0, 0.5, 1.0])
    same(xp.linalg.inv(xp.eye(2)), np.eye(2))
    assert xp.ndarray is StrictArray
    assert xp.float32 is np.float32
    for name in ("insert", "nanquantile", "block"):
        with pytest.raises(AttributeError):
            getattr(xp, name)


def test_random_draws_on_the_device() -> None:
    for draw in (
        lambda: strict.namespace.random.RandomState(7).normal(10, 1, size=(3, 2)),
        lambda: strict.namespace.random.default_rng(7).random((3, 2)),
        lambda: pickle.loads(pickle.dumps(strict.RandomState(np.arange(4)))).normal(size=(3, 2)),
    ):
        first, second = draw(), draw()
        assert type(first) is StrictArray
        assert first.shape == (3, 2)
        same(first, strict.to_host(second))
    with pytest.raises(AttributeError):
        strict.namespace.random.default_rng(7).normal()  # CuPy's Generator has none


def test_to_device_and_to_host_check_what_they_are_given(x: Any) -> None:
    with pytest.raises(TypeError, match=r"a numpy\.ndarray was expected"):
        strict.to_device([1, 2])  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a strict array was expected"):
        strict.to_host(HOST)
    strict.to_host(x)[0] = 0  # a copy
    same(x, HOST)
