"""`cold_tables`: five tables without a lazy CuPy hook get it, and tasks ask the table of the process they run in."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import hooks, kernels, strict, tables
from arrayshim.fixes.cold_tables import COLD, FIX

DATA = np.array([[1.0, 5.0], [2.0, 8.0]])


@pytest.fixture
def stock():
    with arrayshim.scope(only=()):
        yield


def test_the_tables_were_cold_before(stock):
    missed = FIX.diagnose()
    arrayshim.enable(only=["cold_tables"])
    assert FIX.diagnose() is None
    if missed is not None:  # dask had met CuPy already
        assert missed == "no lazy CuPy hook on: percentile, einsum, empty, divide, to_cupy"
    for name in COLD:
        assert "cupy" in tables.get(name)._lazy or any(tables.root(cls) == "cupy" for cls in tables.get(name)._lookup)


def test_the_hook_goes_with_the_fix(stock):
    before = {name: dict(tables.get(name)._lazy) for name in tables.NAMES}
    arrayshim.enable(only=["cold_tables"])
    assert {name for name in COLD if "cupy" in tables.get(name)._lazy} == set(COLD)
    assert tables.get("to_cupy")._lazy["numpy"] is hooks.hook_of("cupy")
    arrayshim.disable()
    assert {name: dict(tables.get(name)._lazy) for name in tables.NAMES} == before


@pytest.mark.parametrize("kind", ["StrictArray", "Fresh"])
def test_einsum_of_device_chunks(stock, kind):
    kind = strict.StrictArray if kind == "StrictArray" else strict.fresh_type(kind)
    arrayshim.enable(only=["cold_tables"])
    x = da.from_array(strict.asarray(DATA, kind=kind), chunks=1, name=False, asarray=False)
    product = da.einsum("ij,jk->ik", x, x).compute()
    assert type(product) is kind
    assert product.get().tolist() == [[11.0, 45.0], [18.0, 74.0]]
    assert float(da.einsum("ij,ij", x, x).compute()) == 1 + 25 + 4 + 64


def test_the_chunk_functions_are_ours_and_ask_the_table(stock):
    x = da.from_array(DATA[0], chunks=1)
    arrayshim.enable(only=["cold_tables"])
    called = []

    class Chunk(np.ndarray):
        pass

    def percentile(a, q, method):
        called.append(type(a))
        return kernels.chunk_percentile(np.asarray(a), q, method)

    tables.get("percentile").register(Chunk, percentile)
    try:
        value = da.percentile(x.map_blocks(lambda chunk: chunk.view(Chunk), dtype="f8"), [0, 100]).compute()
    finally:
        del tables.get("percentile")._lookup[Chunk]
    assert called == [Chunk, Chunk]
    assert value.tolist() == [1.0, 5.0]


def test_who_imports_the_table_from_percentile_registers_with_the_table(stock):
    import sys

    arrayshim.enable(only=["cold_tables"])
    bound = sys.modules["dask.array.percentile"].percentile_lookup

    class Chunk:
        pass

    bound.register(Chunk, len)
    try:
        assert bound.dispatch(Chunk) is len
        assert tables.get("percentile").dispatch(Chunk) is len
    finally:
        del tables.get("percentile")._lookup[Chunk]


@pytest.mark.parametrize("subscripts", ["ij,jk->ik", "ij->ji", "ij->", "ij,ij->i"])
def test_numpy_chunks_as_before(stock, subscripts):
    x = da.from_array(DATA, chunks=1)
    operands = [x] * (subscripts.count(",") + 1)
    before = da.einsum(subscripts, *operands).compute()
    arrayshim.enable(only=["cold_tables"])
    np.testing.assert_array_equal(da.einsum(subscripts, *operands).compute(), before, strict=True)
    np.testing.assert_array_equal(before, np.einsum(subscripts, *[DATA] * len(operands)))
