"""`arrayshim.meta`: arrays of size 0 that say what the chunks are."""

from __future__ import annotations

import warnings

import dask.array as da
import numpy as np
import pytest
from duck import Duck, as_duck
from honest import lazy

from arrayshim import meta, strict
from arrayshim.strict import StrictArray


def test_like():
    x = lazy(np.ones((4, 6), dtype="f4"))
    for source in (x, x._meta, strict.asarray(np.ones((4, 6), dtype="f4"))):
        found = meta.like(source)
        assert (type(found), found.dtype, found.shape) == (StrictArray, np.dtype("f4"), (0, 0))
    found = meta.like(x, ndim=1, dtype="i8")
    assert (type(found), found.dtype, found.shape) == (StrictArray, np.dtype("i8"), (0,))
    found = meta.like(x, ndim=0)
    assert (type(found), found.dtype, found.shape) == (StrictArray, np.dtype("f4"), ())


def test_arrays_that_know_themselves():
    x = lazy(np.ones(4))
    assert all(map(meta.knows_itself, (x, x._meta, as_duck(np.ones(2)))))
    host = np.ones(4)
    others = (host, host[0], np.ma.ones(4), da.ones(4), 1.0, [host], "x", None, np.ndarray, StrictArray)
    assert not any(map(meta.knows_itself, others))


def test_scipy_sparse_matrices_know_nothing_of_nep18():
    scipy_sparse = pytest.importorskip("scipy.sparse")
    assert not meta.knows_itself(scipy_sparse.csr_matrix((2, 2)))


def test_take_after():
    x = lazy(np.ones((4, 6)))
    lied = da.Array(x.sum(axis=0).dask, x.sum(axis=0).name, x.sum(axis=0).chunks, dtype="f8")
    assert type(lied._meta) is np.ndarray
    found = meta.take_after(lied, x)
    assert found is lied
    assert (type(found._meta), found._meta.dtype, found._meta.ndim) == (StrictArray, np.dtype("f8"), 1)
    host = da.ones(4)
    before = host._meta
    assert meta.take_after(host, np.ma.ones(4))._meta is before


class TestProbeCall:
    def test_on_nothing(self):
        seen = []
        found = meta.probe_call(
            lambda a, b, c: seen.append((a.shape, b, c)) or a + b, [lazy(np.ones(4))], [2], {"c": 3}
        )
        assert seen == [((0,), 2, 3)]
        assert (type(found), found.dtype, found.shape) == (StrictArray, np.dtype("f8"), (0,))

    def test_on_one_element(self):
        found = meta.probe_call(lambda a: a[0], [lazy(np.ones((4, 6), dtype="i4"))])
        assert (type(found), found.dtype, found.shape) == (StrictArray, np.dtype("i4"), (0,))

    @pytest.mark.parametrize("make", [np.asarray, np.ma.asarray])
    def test_numpy_is_not_tried_again(self, make):
        seen = []

        def refuse(a):
            seen.append(a.shape)
            raise ValueError

        assert meta.probe_call(refuse, [make(np.ones(3))], dtype="f8") is None
        assert seen == [(0,)]

    def test_the_kind_of_the_operands(self):
        def refuse(*args, **kwargs):
            warnings.warn("silent", stacklevel=1)
            raise RuntimeError

        x = lazy(np.ones((4, 6)))
        assert meta.probe_call(refuse, [x]) is None
        for args, kwargs in (([x], {}), ([np.ones(3), x], {}), ([], {"x": x})):
            found = meta.probe_call(refuse, args, [], kwargs, dtype="i2")
            assert (type(found), found.dtype) == (StrictArray, np.dtype("i2"))

    def test_what_is_no_array(self):
        assert meta.probe_call(lambda a: {"a": a.ndim}, [lazy(np.ones(4))]) == {"a": 1}
        found = meta.probe_call(lambda a: float(a.shape[0]), [lazy(np.ones(4))])
        assert (type(found), found.dtype, found.ndim) == (np.ndarray, np.dtype("f8"), 0)

    def test_lists_of_blocks(self):
        blocks = meta.Blocks([meta.Blocks([lazy(np.ones((4, 6)))])])
        found = meta.probe_call(lambda b: b[0][0].max(axis=0), [blocks])
        assert (type(found), found.dtype, found.shape) == (StrictArray, np.dtype("f8"), (0,))
        found = meta.probe_call(lambda b: b.fails, [blocks], dtype="f4")
        assert (type(found), found.dtype) == (StrictArray, np.dtype("f4"))

    def test_another_type_with_nep18(self):
        found = meta.probe_call(lambda a: a[0], [as_duck(np.ones((2, 3)))], dtype="f4")
        assert (type(found), found.dtype, found.shape) == (Duck, np.dtype("f4"), (0,))
