"""`device_merges`: pieces go to the kernel of their type as they are; NumPy's graphs and values are as before."""

from __future__ import annotations

import warnings

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels, strict
from arrayshim.fixes.device_merges import FIX
from arrayshim.kernels import merging

rng = np.random.default_rng(8)
DATA = rng.permutation(24 * 20).reshape(24, 20).astype("f8")
HOLED = np.where(DATA % 7 == 2, np.nan, DATA)
PLAIN = ("sum", "prod", "min", "max", "any", "all", "nansum", "nanprod", "nanmin", "nanmax")
ARGS = ("argmin", "argmax", "nanargmin", "nanargmax")


@pytest.fixture
def kind():
    """A type whose `merged` row does it by NumPy; the list `kind.asked` has the operation of each merge."""
    found = strict.fresh_type("Fast")
    found.asked = []

    def row(first, *, name, parts, axis, keepdims, dtype=None, order=2, ddof=0):
        found.asked.append((name, len(parts)))
        assert all(first.shape[i] == 1 for i in axis)
        pieces = [[part.get() for part in piece] for piece in parts]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            results = by_numpy(name, pieces, dtype, order, ddof)
        rest = tuple(n for i, n in enumerate(first.shape) if keepdims or i not in axis)
        results = [np.asarray(r).reshape(rest + np.shape(r)[first.ndim :]) for r in results]
        return [strict.asarray(result, kind=found) for result in results]

    def arg_parts(x, *, name, axis, offset, total_shape):
        """A dict of two arrays, as CuPy's: an array with fields would go to dask's functions."""
        values, find = x.get(), getattr(np, name)
        empty = np.isnan(values).all(axis=axis, keepdims=True)
        filled = np.where(empty, 0, values)
        at = find(filled, axis=axis, keepdims=True)
        best = np.where(empty, np.nan, getattr(np, name.replace("arg", ""))(filled, axis=axis, keepdims=True))
        if axis is None:
            places = np.unravel_index(at, values.shape)
            at = np.ravel_multi_index([p + o for p, o in zip(places, offset, strict=True)], total_shape)
            return tuple(strict.asarray(part, kind=found) for part in (best, at))
        return tuple(strict.asarray(part, kind=found) for part in (best, at + offset))

    rows = {"merged": row, "arg_parts": arg_parts}
    for name, function in rows.items():
        kernels.TABLES[name].add(found, function)
    yield found
    for name in rows:
        kernels.TABLES[name].remove(found)


def by_numpy(name, pieces, dtype, order, ddof):
    stacked = [np.stack(part) for part in zip(*pieces, strict=True)]
    if "arg" in name:
        # Pieces of NaN alone lose to all others.
        worst = np.inf if name.endswith("min") else -np.inf
        at = getattr(np, name)(
            np.where(np.isnan(stacked[0]), worst, stacked[0]) if "nan" in name else stacked[0], axis=0
        )
        return [np.take_along_axis(part, at[None], 0)[0] for part in stacked[::-1]]
    if name.startswith("mean"):
        total, n = (part.sum(axis=0) for part in stacked)
        return [total, n] if "parts" in name else [(total / n).astype(dtype)]
    if name.startswith("moment"):
        totals, ns, ms = stacked
        total, n = totals.sum(axis=0), ns.sum(axis=0)
        away = np.where(ns == 0, 0, totals / ns - total / n)
        if name == "moment":
            assert order == 2
            return [((ms[..., 0] + ns * away**2).sum(axis=0) / (n - ddof)).astype(dtype)]
        return [total, n, (ms + (ns * away**2)[..., None]).sum(axis=0)]
    typed = {"dtype": dtype} if dtype is not None else {}
    return [getattr(np, name)(stacked[0], axis=0, **typed)]


def lazy(host, kind, chunks=5):
    return da.from_array(strict.asarray(host, kind=kind), chunks=chunks, name=False, asarray=False)


def test_the_smallest_call_failed_before():
    with arrayshim.scope(only=()):
        assert FIX.diagnose() == "pieces of a type that has a kernel to merge them are joined one by one"
    assert FIX.diagnose() is None


@pytest.mark.parametrize("chunks", [5, (24, 3), 30, ((1, 23), (7, 13))])
@pytest.mark.parametrize("axis", [None, 0, 1])
@pytest.mark.parametrize("name", [*PLAIN, *ARGS, "mean", "var", "std", "nanmean", "nanvar"])
def test_pieces_go_to_the_kernel(kind, name, axis, chunks):
    host = HOLED if name.startswith("nan") else DATA
    if "prod" in name:
        host = host % 3 + 1
    for keepdims in (False, True):
        result = getattr(da, name)(lazy(host, kind, chunks), axis=axis, keepdims=keepdims)
        kind.asked.clear()
        got = result.compute(scheduler="sync")
        want = getattr(np, name)(host, axis=axis, keepdims=keepdims)
        assert type(got) is type(result._meta) is kind
        assert got.shape == np.shape(want) == result.shape
        assert got.dtype == result.dtype == want.dtype
        np.testing.assert_allclose(got.get(), want, rtol=1e-12)
        assert kind.asked
        assert all(count <= 16 for _, count in kind.asked)


def test_a_step_takes_as_many_pieces_as_were_asked_for(kind):
    x = lazy(np.arange(64.0), kind, 2)
    for options, steps in (({}, [16, 16, 2]), ({"split_every": 8}, [8] * 4 + [4]), ({"split_every": 32}, [32])):
        kind.asked.clear()
        assert float(x.sum(**options).compute(scheduler="sync").get()) == 2016
        assert [count for _, count in kind.asked] == steps
    kind.asked.clear()
    with dask.config.set({"split_every": 4}):
        x.mean().compute(scheduler="sync")
    assert [count for _, count in kind.asked] == [4] * 8 + [4, 4] + [2]


def test_what_the_kernel_refuses_is_done_by_dask(kind):
    kernels.merged.add(kind, lambda first, **options: kind.asked.append(options["name"]))
    for name in (*PLAIN, *ARGS, "mean", "std", "nanvar"):
        host = HOLED[:6, :6] if name.startswith("nan") else DATA[:6, :6]
        for axis in (None, 1):
            kind.asked.clear()
            got = getattr(da, name)(lazy(host, kind, 2), axis=axis).compute(scheduler="sync")
            np.testing.assert_allclose(got.get(), getattr(np, name)(host, axis=axis), rtol=1e-12)
            assert kind.asked


def test_steps_of_others_get_joined_pieces(kind):
    def spread(x, axis=None, keepdims=None):
        return x.max(axis=axis, keepdims=keepdims)

    x = lazy(DATA, kind)
    kind.asked.clear()
    got = da.reduction(x, spread, spread, dtype=x.dtype).compute(scheduler="sync")
    assert float(got.get()) == DATA.max()
    assert not kind.asked
    assert merging.merged("sum", x, axis=(0,), keepdims=False) is None


def test_all_nan_is_refused_as_before(kind):
    def nothing(x, **options):
        best = np.full((1, 1), np.nan)
        return strict.asarray(best, kind=kind), strict.asarray(np.zeros((1, 1), "i8"), kind=kind)

    kernels.arg_parts.add(kind, nothing)
    x = lazy(np.full((4, 4), np.nan), kind, 2)
    with pytest.raises(ValueError, match="All NaN slice encountered"):
        da.nanargmin(x).compute(scheduler="sync")
    assert kind.asked == [("nanargmin", 4)]


@pytest.mark.parametrize("chunks", [3, (24, 7), -1])
@pytest.mark.parametrize("host", [DATA, HOLED, DATA.astype("f4"), DATA > 90, DATA.astype("i2")], ids=str)
def test_numpy_chunks_are_as_before(host, chunks):
    def everything():
        x = da.from_array(host, chunks=chunks, name=False)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            for name in (*PLAIN, *ARGS, "mean", "var", "nanmean", "nanstd"):
                for axis in (None, 1):
                    lazy = getattr(da, name)(x, axis=axis)
                    yield lazy.compute(scheduler="sync"), len(lazy.dask)

    with arrayshim.scope(only=()):
        stock = list(everything())
    for (got, tasks), (want, before) in zip(everything(), stock, strict=True):
        assert (type(got), tasks) == (type(want), before)
        assert np.asarray(got).tobytes() == np.asarray(want).tobytes()
