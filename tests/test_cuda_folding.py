"""Merging the results of chunks: the kernels on the CPU against NumPy over the whole, and what they do not take."""

from __future__ import annotations

import ctypes
import math

import cuda_on_cpu
import numpy as np
import pytest

from arrayshim.kernels.cuda import folding

PLAIN = ("sum", "prod", "min", "max", "nanmin", "nanmax", "any", "all")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not cuda_on_cpu.available():
        pytest.skip("no g++")
    return tmp_path_factory.mktemp("folds")


def merge(folder, name, parts, *, dtype=None, order=2, ddof=0.0):
    """What the row of CuPy does on a device."""
    dtypes = tuple(part.dtype for part in parts[0])
    found = folding.folding(name, dtypes, None if dtype is None else np.dtype(dtype), order)
    shape = parts[0][0].shape
    tails = [part.shape[len(shape) :] for part in parts[0]] if len(found.results) > 1 else [()]
    results = [np.full(shape + tail, 77, kind) for kind, tail in zip(found.results, tails, strict=False)]
    addresses = [[part.ctypes.data for part in piece] for piece in parts]
    words = folding.query(math.prod(shape), ddof, addresses, [result.ctypes.data for result in results])
    assert words.nbytes == folding.QUERY.itemsize
    library = cuda_on_cpu.folding_library(folding.program(found.code, found.reads), folder)
    assert library.bytes_of_parameter() == folding.QUERY.itemsize
    library.launch(-(-math.prod(shape) // 256), ctypes.c_void_p(words.ctypes.data))
    return results


@pytest.mark.parametrize("char", ["d", "f", "q", "h", "D", "?", "e"])
@pytest.mark.parametrize("name", PLAIN)
def test_one_number_a_piece(folder, name, char):
    rng = np.random.default_rng(3)
    pieces = [np.asarray(rng.integers(-3, 4, (1, 300)), char) for _ in range(5)]
    if name.startswith("nan") and char in "dfe":
        pieces[2][:, :40] = np.nan
    if name in ("any", "all"):
        pieces = [piece != 0 for piece in pieces]
    (got,) = merge(folder, name, [[piece] for piece in pieces])
    want = getattr(np, name)(np.stack(pieces), axis=0)
    assert got.dtype == want.dtype
    np.testing.assert_allclose(got, want, rtol=0 if want.dtype.kind in "bi" else 1e-5)


@pytest.mark.parametrize("count", [1, 2, 32])
def test_any_number_of_pieces_in_their_order(folder, count):
    rng = np.random.default_rng(4)
    pieces = [rng.normal(size=7) for _ in range(count)]
    total = pieces[0].copy()
    for piece in pieces[1:]:
        total += piece
    (got,) = merge(folder, "sum", [[piece] for piece in pieces])
    assert got.tobytes() == total.tobytes()


@pytest.mark.parametrize("char", ["d", "f", "D"])
def test_means(folder, char):
    totals = [np.arange(4).astype(char) + k for k in range(3)]
    numbers = [np.array([0, 1, 2, 3]).astype(char) * k for k in range(3)]
    parts = list(zip(totals, numbers, strict=True))
    total, number = merge(folder, "mean_parts", parts)
    assert (total.tolist(), number.tolist()) == (sum(totals).tolist(), sum(numbers).tolist())
    with np.errstate(invalid="ignore", divide="ignore"):
        want = sum(totals) / sum(numbers)
    (got,) = merge(folder, "mean", parts, dtype=char)
    np.testing.assert_array_equal(got[1:], want[1:])
    assert not np.isfinite(got[0])


def parts_of(data, order, result="d"):
    """Total, number and central moments of each row."""
    n = np.full(data.shape[0], data.shape[1])
    away = data - data.mean(axis=1, keepdims=True)
    moments = np.stack([(abs(away) ** 2 if order == 2 else away**k).sum(axis=1) for k in range(2, order + 1)], axis=-1)
    return data.sum(axis=1), n.astype("i8"), moments.real.astype(result)


@pytest.mark.parametrize("order", [2, 3, 4])
def test_moments(folder, order):
    data = np.random.default_rng(5).exponential(2, (9, 60)) + 1e3
    pieces = [parts_of(data[:, cut], order) for cut in (slice(0, 10), slice(10, 11), slice(11, 60))]
    pieces.insert(1, tuple(np.zeros_like(part) for part in pieces[0]))
    total, number, moments = merge(folder, "moment_parts", pieces, order=order)
    want = parts_of(data, order)
    np.testing.assert_allclose(total, want[0], rtol=1e-14)
    np.testing.assert_array_equal(number, want[1])
    np.testing.assert_allclose(moments, want[2], rtol=1e-9)
    (got,) = merge(folder, "moment", pieces, dtype="d", order=order, ddof=1)
    np.testing.assert_allclose(got, want[2][:, -1] / 59, rtol=1e-9)


def test_moments_of_complex_numbers_and_of_too_few(folder):
    rng = np.random.default_rng(5)
    data = rng.normal(size=(3, 8)) + 1j * rng.normal(size=(3, 8))
    (got,) = merge(folder, "moment", [parts_of(data[:, :3], 2), parts_of(data[:, 3:], 2)], dtype="d")
    np.testing.assert_allclose(got, data.var(axis=1), rtol=1e-13)
    piece = parts_of(data.real[:, :2].copy(), 2)
    for ddof, want in ((2, np.inf), (3, np.nan)):
        np.testing.assert_array_equal(merge(folder, "moment", [piece], dtype="d", ddof=ddof)[0], want)
    empty = tuple(np.zeros_like(part) for part in piece)
    assert np.isnan(merge(folder, "moment", [empty, empty], dtype="d")[0]).all()


@pytest.mark.parametrize("char", ["d", "i"])
@pytest.mark.parametrize("name", ["argmin", "argmax", "nanargmin", "nanargmax"])
def test_the_first_of_equal_extremes(folder, name, char):
    host = np.random.default_rng(6).integers(0, 3, (40, 8)).astype(char)
    if char == "d":
        host[np.random.default_rng(7).random(host.shape) < 0.3] = np.nan
        host[-1] = 1
    cuts = [slice(24, 40), slice(0, 8), slice(8, 24)]  # chunks of an array in any order
    pieces = []
    for cut in cuts:
        part = host[cut]
        filled = np.where(np.isnan(part).all(axis=0), 0, part).astype(char) if name.startswith("nan") else part
        at = getattr(np, name)(filled, axis=0)
        pieces.append((np.take_along_axis(part, at[None], 0)[0].copy(), at + cut.start))
    index, best = merge(folder, name, pieces)
    np.testing.assert_array_equal(index, getattr(np, name)(host, axis=0))
    np.testing.assert_array_equal(best, np.take_along_axis(host, index[None], 0)[0])


def test_what_is_not_taken():
    f8, i8 = np.dtype("f8"), np.dtype("i8")
    assert folding.folding("sum", (np.dtype(object),), None, 2) is None
    assert folding.folding("sum", (f8,), i8, 2) is None
    assert folding.folding("mean", (f8, i8), f8, 2) is None
    assert folding.folding("mean", (f8, f8), np.dtype("f4"), 2) is None
    assert folding.folding("moment", (f8, i8, f8), f8, 5) is None
    assert folding.folding("moment", (f8, f8, f8), f8, 2) is None
    assert folding.folding("argmin", (f8, f8), None, 2) is None
