"""dask's dispatch tables: memos, rows of others, and what is left after `disable()`."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim import kernels, strict, tables
from arrayshim.errors import ForeignPatchWarning


def _rows(types):
    found = {}
    for name in tables.NAMES:
        for cls in types:
            try:
                found[name, cls] = tables.get(name).dispatch(cls)
            except (TypeError, ImportError):  # no row, and none because there is no CuPy
                found[name, cls] = None
    return found


def test_rows_of_numpy_masked_and_sparse_chunks_are_stock():
    import scipy.sparse
    import sparse

    types = [np.ndarray, np.ma.MaskedArray, np.memmap, scipy.sparse.csr_matrix, scipy.sparse.csc_array, sparse.COO]
    with arrayshim.scope(only=()):
        stock = _rows(types)
        arrayshim.enable()
        ours = _rows(types)
    rows = {
        (name, cls.__name__)
        for (name, cls), function in ours.items()
        if getattr(function, "__code__", function) is not getattr(stock[name, cls], "__code__", stock[name, cls])
    }
    # What had no row, or NumPy's by default. sparse.COO keeps its explicit one (dask issue 7169).
    names = ("numel", "percentile", "einsum")
    fallbacks = {(name, cls) for name in names for cls in ("csr_matrix", "csc_array", "COO")}
    assert rows == fallbacks - {("numel", "COO")}
    for cls in (scipy.sparse.csr_matrix, scipy.sparse.csc_array):
        chunk = cls(np.eye(3))
        for arguments in ({"axis": (0,), "keepdims": True}, {"axis": None}, {"axis": 1, "dtype": "i8"}):
            counted, expected = ours["numel", cls](chunk, **arguments), stock["numel", cls](chunk, **arguments)
            assert type(counted) is type(expected)
            assert counted.dtype == expected.dtype
            np.testing.assert_array_equal(counted, expected, strict=True)


def theirs(*args, **kwargs):
    return "theirs"


@pytest.fixture
def chunk_type():
    """A type that nobody has registered, taken out of the tables afterwards."""
    cls = strict.fresh_type("Chunk")
    with arrayshim.scope(only=()):
        yield cls
        for name in tables.NAMES:
            tables.get(name)._lookup.pop(cls, None)


@pytest.mark.parametrize("before", [True, False])
@pytest.mark.parametrize("table", ["numel", "percentile", "empty", "divide", "einsum"])
def test_a_row_of_a_third_party_is_never_overwritten(chunk_type, before, table):
    def theirs(shape, dtype=float):
        return strict.asarray(np.empty(shape, dtype), kind=chunk_type)

    if not before:
        arrayshim.enable()
    tables.get(table).register(chunk_type, theirs)
    arrayshim.enable()
    x = da.from_array(strict.asarray([1.0, 2.0], kind=chunk_type), chunks=1, name=False, asarray=False)
    da.percentile(x, [50])
    assert tables.get(table).dispatch(chunk_type) is theirs
    assert {status.state for status in arrayshim.status()} == {"applied"}
    arrayshim.disable()
    assert tables.get(table).dispatch(chunk_type) is theirs


def test_a_fallback_of_a_third_party_from_before_is_left_alone(status_of):
    with arrayshim.scope(only=()):
        table = tables.get("numel")
        stock = table.dispatch(object)
        table.register(object, theirs)
        try:
            arrayshim.enable()
            assert table.dispatch(object) is theirs
            assert status_of("numel").state == "foreign"
            assert "numel[object]" in status_of("numel").detail
            arrayshim.disable()
            assert table.dispatch(object) is theirs
        finally:
            table.register(object, stock)


def test_a_fallback_of_a_third_party_from_since_survives(status_of):
    with arrayshim.scope(only=()):
        table = tables.get("numel")
        stock = table.dispatch(object)
        arrayshim.enable()
        assert table.dispatch(object) is kernels.numel
        table.register(object, theirs)
        try:
            assert status_of("numel").state == "foreign"
            with pytest.warns(ForeignPatchWarning, match="numel: entry <class 'object'> was replaced"):
                arrayshim.disable()
            assert table.dispatch(object) is theirs
        finally:
            table.register(object, stock)


def test_a_memo_of_the_fallback_from_before_is_repaired(chunk_type):
    stock = tables.get("numel").dispatch(chunk_type)
    assert chunk_type in tables.get("numel")._lookup
    arrayshim.enable()
    assert tables.get("numel").dispatch(chunk_type) is kernels.numel
    arrayshim.disable()
    assert tables.get("numel")._lookup[chunk_type] is stock


def test_what_is_learnt_of_a_type_is_forgotten(chunk_type):
    sub = type("Sub", (chunk_type,), {"__slots__": ()})
    arrayshim.enable()
    x = da.from_array(strict.asarray([1.0, 2.0], kind=chunk_type), chunks=1, name=False, asarray=False)
    da.percentile(x, [50])
    learnt = tables.get("empty").dispatch(chunk_type)
    assert type(learnt(3, dtype="f4")) is chunk_type
    assert tables.get("empty").dispatch(sub) is learnt
    arrayshim.disable("percentile_unknown_type")
    assert chunk_type not in tables.get("empty")._lookup
    assert sub not in tables.get("empty")._lookup
    with pytest.raises(TypeError, match="Only cupy arrays can be concatenated"):
        da.percentile(x, [50])
    assert tables.get("empty").dispatch(chunk_type) is np.empty
