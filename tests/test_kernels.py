"""The kernels against NumPy and arithmetic."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
import scipy.sparse
import scipy.stats
import sparse
from duck import Duck, as_duck, on_host

from arrayshim import kernels, strict
from arrayshim.errors import UnsupportedError
from arrayshim.kernels import quantiles


@pytest.mark.parametrize("make", [strict.asarray, as_duck])
def test_numel_stays_with_the_data(make):
    x = make(np.ones((2, 3, 4), dtype="f4"))
    n = kernels.numel(x, axis=(0, -1), keepdims=True, dtype="i8")
    assert type(n) is type(x)
    assert n.shape == (1, 3, 1)
    assert n.dtype == np.int64
    np.testing.assert_array_equal(on_host(n), np.full((1, 3, 1), 8))
    assert on_host(kernels.numel(x, axis=1)).tolist() == [[3.0] * 4] * 2
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
            np.testing.assert_allclose(on_host(got), expected, rtol=1e-6)


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
