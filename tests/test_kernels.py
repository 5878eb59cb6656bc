"""The tables of kernels, and the kernels against NumPy and arithmetic."""

from __future__ import annotations

import ast
import itertools
import pickle
import threading
import warnings
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
import scipy.sparse
import scipy.stats
import sparse
from dask.base import tokenize
from duck import Duck, as_duck
from hypothesis import given, settings
from hypothesis import strategies as st

from arrayshim import kernels, strict
from arrayshim.errors import UnsupportedError
from arrayshim.kernels import order_statistics, quantiles, table


class A: ...


class B(A): ...


class C(A): ...


class D(B, C): ...


class E: ...


TYPES = (object, A, B, C, D, E)


def row(name):
    return lambda *args: name


def test_a_single_type_in_a_table_of_two_means_that_type_anywhere():
    two = table.Table("two", arrays=2)
    two.add((object, object), row("any"))
    two.add(A, row("a"))
    assert two(A(), E()) == two(E(), A()) == two(A(), A()) == two(B(), A()) == "a"
    assert two(E(), E()) == two(1, "x") == "any"


def test_numpy_rows_beside_library_rows():
    divide = table.Table("divide", arrays=2)
    divide.add((object, object), row("generic"))
    divide.add((np.ndarray, np.ndarray), row("numpy"))
    divide.add((np.ndarray, object), row("numpy first"))
    divide.add((object, np.ndarray), row("numpy second"))
    divide.add(A, row("library"))
    x, a = np.ones(2), A()
    assert divide(x, x) == "numpy"
    assert divide(x, 1) == "numpy first"
    assert divide(1, x) == "numpy second"
    assert divide(a, x) == divide(x, a) == divide(a, 1) == "library"
    divide.add((np.ndarray, A), row("settled"))
    assert divide(x, a) == "settled"
    assert divide(a, x) == "library"


def test_of_two_libraries_the_leftmost_specific_row_wins():
    two = table.Table("two", arrays=2)
    two.add((object, object), row("generic"))
    two.add(B, row("b"))
    two.add(E, row("e"))
    assert two(B(), E()) == "b"
    assert two(E(), B()) == "e"


def test_alternatives_missing_arguments_and_removal():
    two = table.Table("two", arrays=2, first=1)
    two.add((object, object), row("any"))
    two.add(((A, E), E), row("pair"))
    assert two("ij,j", E(), E()) == two("ij,j", A(), E()) == "pair"
    assert two("ii", E()) == "pair"
    assert set(two.rows()) == {(object, object), (A, E), (E, E)}
    two.remove(((A, E), E))
    assert two("ii", E()) == "any"
    with pytest.raises(KeyError):
        two.remove((A, E))


def test_a_late_row_reaches_types_that_were_dispatched_before():
    one = table.Table("one")
    one.add(object, row("any"))
    assert one(D()) == "any"
    one.add(B, row("b"))
    assert one(D()) == "b"


def test_errors_say_what_to_do():
    one = table.Table("one")
    with pytest.raises(UnsupportedError, match=r"no kernel 'one' for <int>; add one with arrayshim.kernels.one.add"):
        one(3)
    with pytest.raises(TypeError, match="needs an array as positional argument 1"):
        one()
    with pytest.raises(TypeError, match="made of types, got 'x'"):
        one.add("x", print)
    with pytest.raises(TypeError, match="3 types were given"):
        table.Table("two", arrays=2).add((A, B, C), print)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(TYPES)), max_size=8, unique=True))
def test_dispatch_takes_a_row_that_fits_and_none_that_fits_is_more_specific(signatures):
    two = table.Table("two", arrays=2)
    for signature in [(object, object), *signatures]:
        two.add(signature, row(signature))
    for types in itertools.product(TYPES, repeat=2):
        chosen = two.dispatch(*types)()
        assert all(map(issubclass, types, chosen))
        fitting = [s for s in signatures if all(map(issubclass, types, s))]
        assert not any(s != chosen and all(map(issubclass, s, chosen)) for s in fitting)


def test_tables_pickle_by_reference_and_have_one_token():
    for name, each in kernels.TABLES.items():
        assert pickle.loads(pickle.dumps(each)) is each
        assert cloudpickle.loads(cloudpickle.dumps(each)) is each
        assert getattr(kernels, name) is each
        assert tokenize(each) == tokenize(each)
        assert name in repr(each)
    assert len({tokenize(each) for each in kernels.TABLES.values()}) == len(kernels.TABLES)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kernels.nothing  # noqa: B018
    assert "nanquantile" in dir(kernels)


def test_kernels_never_import_dask():
    for path in Path(kernels.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            assert not any(name.split(".")[0] == "dask" for name in names), path


def test_library_rows_enter_with_the_first_array(bare):
    got = bare(
        """
        import sys
        import types

        class ndarray:
            __module__ = "cupy"

            def __array_function__(self, func, types, args, kwargs):
                return sorted(kwargs)

        library = types.ModuleType("cupy")
        library.ndarray = ndarray
        import numpy as np
        import arrayshim.kernels as kernels
        from arrayshim.kernels.generic import einsum

        before = "arrayshim.kernels.cupy" in sys.modules
        generic = kernels.einsum.dispatch(ndarray) is einsum  # a type of that name, but the library is not imported
        sys.modules["cupy"] = library
        kernels.mean.dispatch(type("Sub", (ndarray,), {}))
        own = kernels.einsum("ii", ndarray(), optimize=False, order="C", casting="no")
        answer([before, generic, "arrayshim.kernels.cupy" in sys.modules, own])
        """
    )
    assert got == [False, True, True, ["optimize"]]


def test_rows_of_a_library_are_loaded_once_by_many_threads(bare):
    got = bare(
        """
        import threading
        import numpy as np
        import sparse
        import arrayshim.kernels as kernels

        start = threading.Barrier(8)
        kinds = []

        def ask():
            start.wait()
            kinds.append(type(kernels.numel(sparse.COO.from_numpy(np.eye(2)), axis=(0,), keepdims=True)).__name__)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        answer(kinds)
        """
    )
    assert got == ["ndarray"] * 8


def test_adding_rows_while_others_dispatch():
    one = table.Table("one")
    one.add(object, row("any"))
    kinds = [type(f"K{i}", (), {}) for i in range(60)]
    wrong = []

    def add():
        for kind in kinds:
            one.add(kind, row(kind))

    def ask():
        for kind in kinds:
            found = one.dispatch(kind)()
            if found not in ("any", kind):
                wrong.append((kind, found))

    threads = [threading.Thread(target=f) for f in (add, ask, ask)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert [one.dispatch(kind)() for kind in kinds] == kinds


@pytest.mark.parametrize("make", [strict.asarray, as_duck])
def test_numel_stays_with_the_data(make):
    x = make(np.ones((2, 3, 4), dtype="f4"))
    n = kernels.numel(x, axis=(0, -1), keepdims=True, dtype="i8")
    assert type(n) is type(x)
    assert n.shape == (1, 3, 1)
    assert n.dtype == np.int64
    np.testing.assert_array_equal(_host(n), np.full((1, 3, 1), 8))
    assert _host(kernels.numel(x, axis=1)).tolist() == [[3.0] * 4] * 2
    assert kernels.numel(x, axis=None, keepdims=True).shape == (1, 1, 1)
    total = kernels.numel(x)
    assert isinstance(total, np.float64)
    assert total == 24


def test_numel_of_what_has_no_device_to_stay_on():
    for x in (scipy.sparse.csr_matrix(np.eye(3)), sparse.COO.from_numpy(np.eye(3))):
        n = kernels.numel(x, axis=(0,), keepdims=True)
        assert type(n) is np.ndarray
        np.testing.assert_array_equal(n, [[3.0, 3.0, 3.0]])
    masked = np.ma.array(np.ones((2, 3)), mask=[[0, 1, 1], [0, 0, 1]])
    np.testing.assert_array_equal(kernels.numel(masked, axis=(1,), keepdims=False), [1, 2])


def test_divide_take_tensordot_einsum_empty():
    x = strict.asarray([[1, 2], [3, 4]])
    half = kernels.divide(x, strict.asarray([2, 4]), dtype="f4")
    assert half.dtype == np.float32
    np.testing.assert_array_equal(half.get(), [[0.5, 0.5], [1.5, 1.0]])
    assert kernels.take(x, np.array([1, 0]), axis=1).get().tolist() == [[2, 1], [4, 3]]
    assert kernels.tensordot(x, x, axes=1).get().tolist() == [[7, 10], [15, 22]]
    product = kernels.einsum("ij,jk->ik", x, x, order="K", casting="safe", optimize=False)
    assert product.get().tolist() == [[7, 10], [15, 22]]
    assert kernels.einsum("ii", x, dtype=None).get() == 5
    with pytest.raises(TypeError):  # as CuPy's einsum, which would not do what was asked
        kernels.einsum("ii", x, order="F")
    third = kernels.einsum("ij->i", x / 3, dtype="f4", casting="same_kind")  # which CuPy's einsum does not know
    assert (type(third), third.dtype) == (strict.StrictArray, np.float32)
    np.testing.assert_allclose(third.get(), [1, 7 / 3], rtol=1e-6)
    assert kernels.einsum("ij->i", x, dtype="f4", casting="unsafe").get().tolist() == [3, 7]
    for told in ({}, {"casting": "no"}):
        with pytest.raises(TypeError, match="cannot cast an operand from int64 to float32"):
            kernels.einsum("ij->i", x, dtype="f4", **told)
    for like in (x, strict.StrictArray):
        made = kernels.empty((2, 3), "i2", like=like)
        assert (type(made), made.shape, made.dtype) == (strict.StrictArray, (2, 3), np.int16)
    assert kernels.empty(3, like=Duck).shape == (3,)
    assert type(kernels.empty(3, like=np.ma.array([1]))) is np.ma.MaskedArray
    assert type(kernels.divide(1.0, x)) is strict.StrictArray
    y = np.arange(3.0)
    assert type(kernels.take(y, [1])) is np.ndarray


def test_beside_puts_host_data_beside_each_kind():
    for like in (strict.asarray([1.0]), as_duck([1]), np.ones(1), np.ma.array([1]), sparse.COO.from_numpy(np.ones(1))):
        assert type(kernels.beside(np.arange(3), like)) is type(like)
        assert kernels.beside(like, like) is like
    assert type(kernels.beside(np.eye(2), scipy.sparse.csr_matrix(np.eye(2)))) is scipy.sparse.csr_matrix


def test_chunk_percentile_keeps_dasks_protocol():
    x = strict.asarray([3.0, 1.0, 2.0, 4.0])
    values, n = kernels.chunk_percentile(x, strict.asarray([0, 50, 100]))
    assert n == 4
    assert values.get().tolist() == [1, 2.5, 4]
    assert kernels.chunk_percentile(x[:0], [50]) == (None, 0)
    flags, _ = kernels.chunk_percentile(strict.asarray([True, False, True]), [0, 50, 100])
    assert flags.dtype == bool
    assert flags.get().tolist() == [False, True, True]
    days = as_duck(np.array(["2020-01-01", "2020-01-03"], dtype="M8[D]"))
    middle, _ = kernels.chunk_percentile(days, [50], "lower")
    assert middle.data.tolist() == [np.datetime64("2020-01-01").item()]


@pytest.mark.parametrize("make", [strict.asarray, as_duck, np.ma.asarray])
@pytest.mark.parametrize("q", [-1, 100.5, np.nan, [0, np.nan], np.array([0.5, 101.0])])
def test_host_quantiles_out_of_range_are_refused_in_numpys_words(make, q):
    x = make(np.arange(4.0))
    for name in ("percentile", "nanpercentile"):
        for kernel in (kernels.TABLES[name], getattr(np, name)):
            with pytest.raises(ValueError, match=r"^Percentiles must be in the range \[0, 100\]$"):
                kernel(np.arange(4.0) if kernel is getattr(np, name) else x, q)
    for name in ("quantile", "nanquantile"):
        with pytest.raises(ValueError, match=r"^Quantiles must be in the range \[0, 1\]$"):
            kernels.TABLES[name](x, np.divide(q, 50))
    if not isinstance(x, np.ma.MaskedArray):
        with pytest.raises(ValueError, match="Percentiles must be"):
            kernels.chunk_percentile(x, np.atleast_1d(q))


def test_kernels_of_quantiles_travel_by_name():
    for name in ("quantile", "nanquantile", "percentile", "nanpercentile"):
        kernel = getattr(quantiles, name)
        assert pickle.loads(pickle.dumps(kernel)) is kernel
        assert kernel.__doc__


@pytest.mark.parametrize("name", ["nanvar", "nanstd"])
@pytest.mark.parametrize("make", [strict.asarray, as_duck])
@pytest.mark.parametrize("options", [{"ddof": 2}, {"ddof": 5}, {"ddof": 1.5}, {"dtype": "f8"}, {"axis": 1, "ddof": 1}])
def test_spread_of_what_is_not_nan_is_numpys(name, make, options):
    rows = np.array([[1.0, np.nan, 4.0, 9.0], [np.nan, np.nan, 2.0, np.nan]], dtype="f4")
    for host in (rows, rows[:, :0], rows[0], rows * (1 + 2j)):
        if host.ndim == 1:
            options = {key: value for key, value in options.items() if key != "axis"}
        for keepdims in (False, True):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)
                # With a real dtype NumPy drops the imaginary part of the sum, and of nothing else.
                same = {"dtype": "c16"} if host.dtype.kind == "c" and "dtype" in options else {}
                expected = np.asarray(getattr(np, name)(host, keepdims=keepdims, **options | same).real)
                with strict.conversions() as seen:
                    got = kernels.TABLES[name](make(host), keepdims=keepdims, **options)
            assert seen.count == 0
            assert (type(got), got.shape, got.dtype) == (type(make(host)), expected.shape, expected.dtype)
            np.testing.assert_allclose(_host(got), expected, rtol=1e-6)


def test_spread_writes_to_out_and_wants_an_inexact_dtype():
    x, out = strict.asarray([1.0, np.nan, 3.0]), strict.asarray(np.zeros(1))
    assert kernels.nanvar(x, axis=0, ddof=1, keepdims=True, out=out) is out
    assert out.get().tolist() == [2]
    with pytest.raises(TypeError, match="dtype must be inexact"):
        kernels.nanvar(x, dtype=int)


def test_order_statistics_that_sparse_lacks_are_refused_in_one_line():
    x = sparse.COO.from_numpy(np.arange(4.0))
    for name in ("chunk_percentile", "median", "nanquantile", "average"):
        with pytest.raises(UnsupportedError, match=f"^sparse has no {name.removeprefix('chunk_')} for COO; use"):
            kernels.TABLES[name](x, 0)
    with pytest.raises(UnsupportedError, match=r"^scipy\.sparse has no percentile for csr_array; use"):
        kernels.chunk_percentile(scipy.sparse.csr_array(np.eye(2)), [50])


def _host(x):
    return x.get() if hasattr(x, "get") else getattr(x, "data", x)


ELEMENTS = st.one_of(st.integers(-50, 50).map(float), st.just(np.nan), st.floats(-1e6, 1e6, width=32))
FRACTIONS = st.floats(0, 1).map(lambda q: round(q, 3))


@st.composite
def samples(draw, elements=ELEMENTS):
    shape = draw(st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple))
    values = draw(st.lists(elements, min_size=int(np.prod(shape)), max_size=int(np.prod(shape))))
    dtype = draw(st.sampled_from(["f8", "f4", "i8", "u1"]))
    host = np.array(values).reshape(shape)
    host = np.nan_to_num(np.abs(host)).astype("i8").astype(dtype) if dtype in ("i8", "u1") else host.astype(dtype)
    axes = [None, *range(-len(shape), len(shape)), tuple(range(len(shape)))[-2:]]
    return host, draw(st.sampled_from(axes))


QUANTITIES = st.one_of(
    FRACTIONS, st.sampled_from([0, 1, 0.5, 1.0]), st.lists(FRACTIONS, min_size=1, max_size=4), FRACTIONS.map(np.float32)
)


@settings(max_examples=100, deadline=None)
@given(samples(), QUANTITIES, st.sampled_from(sorted(order_statistics.METHODS)), st.booleans(), st.booleans())
def test_quantiles_equal_numpys(case, q, method, keepdims, skip):
    host, axis = case
    name = "nanquantile" if skip else "quantile"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np, name)(host, q, axis=axis, method=method, keepdims=keepdims)
        got = kernels.TABLES[name](strict.asarray(host), q, axis=axis, method=method, keepdims=keepdims)
    assert type(got) is strict.StrictArray
    if not (skip and np.isnan(host).any() and host.dtype == np.float32):
        # Of float32 with NaN, the dtype of NumPy's result depends on whether the first slice is all NaN.
        assert got.dtype == np.asarray(expected).dtype
    assert got.shape == np.shape(expected)
    np.testing.assert_array_equal(got.get(), expected)


@settings(max_examples=30, deadline=None)
@given(samples(), st.lists(st.integers(0, 100), min_size=1, max_size=3), st.booleans())
def test_percentiles_equal_numpys(case, q, skip):
    host, axis = case
    name = "nanpercentile" if skip else "percentile"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np, name)(host, q, axis=axis)
        got = kernels.TABLES[name](strict.asarray(host), q, axis=axis)
    np.testing.assert_array_equal(got.get(), expected)


@settings(max_examples=40, deadline=None)
@given(samples(elements=st.one_of(st.integers(-9, 9).map(float), st.just(np.nan))), st.data(), st.booleans())
def test_weighted_quantiles_equal_numpys(case, data, skip):
    host, axis = case
    whole = data.draw(st.booleans()) or not isinstance(axis, int)
    shape = host.shape if whole else (host.shape[axis],)
    count = int(np.prod(shape))
    weights = np.array(data.draw(st.lists(st.integers(1, 5), min_size=count, max_size=count))).reshape(shape)
    q = data.draw(st.lists(FRACTIONS, min_size=1, max_size=3))
    name = "nanquantile" if skip else "quantile"
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore", RuntimeWarning)
        wide = (
            weights
            if whole or not skip
            else np.broadcast_to(
                weights.reshape([-1 if i == axis % host.ndim else 1 for i in range(host.ndim)]), host.shape
            )
        )
        expected = getattr(np, name)(host, q, axis=axis, method="inverted_cdf", weights=wide)
        got = kernels.TABLES[name](strict.asarray(host), q, axis=axis, method="inverted_cdf", weights=weights)
    np.testing.assert_array_equal(got.get(), expected)


def test_quantiles_written_to_out_and_from_device_quantities():
    x = strict.asarray([4.0, 1.0, 3.0])
    out = strict.asarray([0.0, 0.0])
    assert kernels.quantile(x, strict.asarray([0.5, 1.0]), out=out) is out
    assert out.get().tolist() == [3, 4]
    with strict.conversions() as seen:
        kernels.nanquantile(x, [0.2, 0.4], axis=0)
        kernels.quantile(x, strict.asarray(0.5))
    assert seen.count == 0


def test_quantile_errors_are_numpys():
    x = strict.asarray([[1.0, 2.0]])
    for args, options, error in (
        ((x, 0.5), {"method": "guess"}, ValueError),
        ((x, np.zeros((1, 1, 1))), {}, ValueError),
        ((x, 0.5), {"axis": 2}, np.exceptions.AxisError),
        ((x + 1j, 0.5), {}, TypeError),
        ((x[:0], 0.5), {"axis": 0}, IndexError),
        ((x, 0.5), {"weights": [1.0, 2.0]}, ValueError),
        ((x, 0.5), {"weights": [1.0, 2.0], "method": "inverted_cdf"}, TypeError),
        ((x, 0.5), {"weights": [1.0, 2.0, 3.0], "method": "inverted_cdf", "axis": 1}, ValueError),
    ):
        with pytest.raises(error):
            kernels.quantile(*args, **options)
        with pytest.raises(error):
            np.quantile(args[0].get(), *args[1:], **options)


@settings(max_examples=40, deadline=None)
@given(samples(elements=st.integers(-9, 9).map(float)), st.integers(2, 6), st.booleans())
def test_moments_are_means_of_powers(case, order, keepdims):
    host, axis = case
    got = kernels.moment(strict.asarray(host), order, axis=axis, keepdims=keepdims)
    wide = host.astype("f8")
    expected = np.mean((wide - wide.mean(axis=axis, keepdims=True)) ** order, axis=axis, keepdims=keepdims)
    assert type(got) is strict.StrictArray
    assert got.dtype == np.var(np.ones(1, host.dtype)).dtype
    assert got.shape == np.shape(expected)
    scale = 20.0**order
    np.testing.assert_allclose(got.get() / scale, expected / scale, atol=1e-5 if host.dtype == np.float32 else 1e-13)


def test_moments_of_known_numbers():
    host = np.array([1.0, 2.0, 4.0, 9.0])
    x = strict.asarray(host)
    assert kernels.moment(x, 2).get() == 9.5  # (9 + 4 + 0 + 25) / 4
    assert kernels.moment(x, 3).get() == 22.5  # (-27 - 8 + 0 + 125) / 4
    assert kernels.moment(x, 2, ddof=2).get() == 19
    assert np.isnan(kernels.moment(x, 2, ddof=5).get())
    assert (kernels.moment(x, 0).get(), kernels.moment(x, 1).get()) == (1, 0)
    assert kernels.moment(x, 4, dtype="f4").dtype == np.float32
    np.testing.assert_allclose(kernels.moment(x, 4).get(), scipy.stats.moment(host, order=4), rtol=1e-14)
    assert kernels.moment(strict.asarray([1j, -1j]), 2).get() == 1
    masked = np.ma.array([1.0, 2.0, 4.0, 9.0, 1000.0], mask=[0, 0, 0, 0, 1])
    assert kernels.moment(masked, 2) == 9.5


def test_masked_elements_do_not_count():
    x = np.ma.array([[1.0, 2.0, 50.0], [4.0, 7.0, 9.0], [0.0, 0.0, 0.0]], mask=[[0, 0, 1], [0, 0, 0], [1, 1, 1]])
    for name, args, expected in (
        ("median", (), [1.5, 7]),
        ("nanmedian", (), [1.5, 7]),
        ("quantile", (0.25,), [1.25, 5.5]),
        ("nanquantile", (0.25,), [1.25, 5.5]),
        ("percentile", (75,), [1.75, 8]),
        ("nanpercentile", (75,), [1.75, 8]),
        ("ptp", (), [1, 5]),
    ):
        got = kernels.TABLES[name](x, *args, axis=1)
        assert type(got) is np.ma.MaskedArray, name
        assert got.mask.tolist() == [False, False, True], name
        assert got.compressed().tolist() == expected, name
    assert kernels.average(x[0], weights=[1, 3, 100]) == 1.75
    whole = kernels.quantile(x.astype("i4"), [0, 1])
    assert whole.tolist() == [1, 9]
    assert kernels.quantile(x[2], 0.5) is np.ma.masked
    assert kernels.quantile(x[0], 0.5) == 1.5
    x[1, 0] = np.nan
    assert kernels.quantile(x, 0.5, axis=1).tolist()[0] == 1.5
    assert np.isnan(kernels.quantile(x, 0.5, axis=1)[1])
    assert kernels.nanquantile(x, 0.5, axis=1)[1] == 8
    assert kernels.quantile(x[0], 0.5, method="inverted_cdf", weights=[1, 3, 100]) == 2


def test_scipy_sparse_does_what_it_can_and_refuses_the_rest():
    x = scipy.sparse.csr_matrix([[1.0, 0.0, 5.0]])
    assert kernels.sum(x) == 6
    assert kernels.argmax(x) == 2
    assert kernels.max(x) == 5
    with pytest.raises(UnsupportedError, match="sum of csr_matrix has no keepdims"):
        kernels.sum(x, axis=1, keepdims=True)
    for name in ("prod", "cumsum", "std", "quantile"):  # NumPy's functions make object arrays of these
        with pytest.raises(UnsupportedError, match=f"scipy.sparse has no {name}"):
            kernels.TABLES[name](x)


def test_an_ndarray_goes_to_numpys_own_function():
    for name in ("quantile", "nanquantile", "percentile", "average", "sum", "median", "nanvar", "nanstd"):
        assert kernels.TABLES[name].dispatch(np.ndarray) is getattr(np, name)
    assert kernels.quantile.dispatch(strict.StrictArray) is quantiles.quantile
