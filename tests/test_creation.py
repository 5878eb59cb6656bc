"""Creation with `like=`: NumPy's values and dtypes, where they were asked for; nothing leaves a device."""

from __future__ import annotations

import dask
import dask.array as da
import numpy as np
import pytest
import scipy.sparse
from dask.base import tokenize
from duck import Duck, as_duck, registered, strict_backend

import arrayshim
from arrayshim import creation, strict
from arrayshim.conformance import backends as suite
from arrayshim.errors import BackendError, UnsupportedError

#: name, arguments, keywords: each called with NumPy too.
CALLS = [
    ("empty", ((3, 2),), {"dtype": "i4"}),
    ("ones", ((2, 3),), {}),
    ("ones", (4,), {"dtype": "i2"}),
    ("zeros", ((2, 3),), {"dtype": bool}),
    ("full", ((2, 3), 7), {}),
    ("full", ((3,), 2.5), {"dtype": "f4"}),
    ("arange", (7,), {}),
    ("arange", (2, 11, 3), {"dtype": "f4"}),
    ("arange", (5.0, 0.0, -0.75), {}),
    ("arange", (3, 1), {}),
    ("linspace", (0, 1, 7), {}),
    ("linspace", (2, 3, 5), {"endpoint": False, "dtype": "f4"}),
    ("eye", (5,), {}),
    ("eye", (4, 6, -2), {"dtype": "i4"}),
    ("identity", (4,), {}),
    ("tri", (5,), {}),
    ("tri", (4, 6, 1), {"dtype": bool}),
    ("indices", ((3, 4),), {}),
    ("indices", ((3, 4),), {"dtype": "f4", "sparse": True}),
    ("meshgrid", ([1, 2, 3], [4.0, 5.0]), {}),
    ("meshgrid", ([1, 2, 3], [4, 5], [6, 7]), {"indexing": "ij", "sparse": True}),
    ("fromfunction", (lambda i, j: i + 10 * j, (3, 4)), {"dtype": "i8"}),
    ("array", ([[1, 2], [3, 4]],), {"ndmin": 3}),
    ("asarray", ([1.5, 2.0],), {"dtype": "f4"}),
    ("asanyarray", (np.arange(5),), {}),
    ("diag", ([1, 2, 3],), {"k": 1}),
    ("diag", (np.arange(9).reshape(3, 3),), {"k": -1}),
    ("ones_like", (np.zeros((2, 3), dtype="i2"),), {}),
    ("zeros_like", ([[1, 2]],), {"dtype": "f4"}),
    ("full_like", (np.zeros(3), 4), {"shape": (2, 2)}),
    ("empty_like", (np.zeros((2, 0)),), {}),
]
IDS = [f"{i}-{name}" for i, (name, _, _) in enumerate(CALLS)]


def several(x):
    return x if isinstance(x, tuple) else (x,)


def check(made, expected, kind, to_host, *, lazy, known):
    for one, want in zip(several(made), several(expected), strict=True):
        if lazy:
            assert type(one) is da.Array
            assert type(one._meta) is kind
            assert (one.dtype, one.ndim) == (one._meta.dtype, one._meta.ndim)
            one = one.compute(scheduler="sync")
        assert type(one) is kind
        assert (one.shape, one.dtype) == (want.shape, want.dtype)
        if known:
            np.testing.assert_array_equal(to_host(one), want)


@pytest.mark.parametrize(("name", "args", "options"), CALLS, ids=IDS)
@pytest.mark.parametrize("library", ["numpy", "strict", "masked", "duck"])
def test_values_and_kinds(library, name, args, options):
    if library == "duck":
        like, kind, to_host = as_duck([1.0]), Duck, lambda x: x.data
    else:
        backend = suite.get(library)
        like, kind, to_host = backend, backend.chunk_types[0], backend.to_host
    expected = getattr(np, name)(*args, **options)
    for more in ({}, {"chunks": 2}):
        with strict.conversions() as seen:
            made = getattr(arrayshim, name)(*args, **options, like=like, **more)
        assert seen.count == 0
        check(made, expected, kind, to_host, lazy="chunks" in more, known=not name.startswith("empty"))


@pytest.mark.parametrize("name", ["ones", "arange", "asarray", "eye"])
def test_each_form_of_like(name):
    args = ([1, 2],) if name == "asarray" else (2,)
    expected = getattr(np, name)(*args)
    device = strict.asarray([1.0])
    with registered(strict_backend("fresh")) as backend:
        for like, kind in (
            ("numpy", np.ndarray),
            (np.ndarray, np.ndarray),
            ("fresh", backend.chunk_types[0]),
            (backend.to_device(np.ones(1)), backend.chunk_types[0]),
            (device, strict.StrictArray),
            (strict.StrictArray, strict.StrictArray),
            (Duck, Duck),
        ):
            made = getattr(arrayshim, name)(*args, like=like)
            assert type(made) is kind
            assert made.dtype == expected.dtype
        lazy = getattr(arrayshim, name)(*args, like=da.from_array(device, name=False))
        check(lazy, expected, strict.StrictArray, strict.to_host, lazy=True, known=True)
        with pytest.raises(BackendError, match="no array backend is called 'nothing'"):
            getattr(arrayshim, name)(*args, like="nothing")


def test_the_setting_of_dask_is_followed_by_host_data_only():
    device = strict.asarray([1.0, 2.0])
    with registered(strict_backend("fresh")) as backend, dask.config.set({"array.backend": "fresh"}):
        (kind,) = backend.chunk_types
        for made in (
            arrayshim.ones(3),
            arrayshim.asarray([1, 2]),
            arrayshim.array(np.arange(3)),
            arrayshim.diag([1, 2]),
            arrayshim.meshgrid([1], [2])[0],
            arrayshim.zeros_like([1, 2]),
            arrayshim.linspace(0, 1),
        ):
            assert type(made) is kind
        assert type(arrayshim.arange(3, chunks=2)._meta) is kind
        for made in (arrayshim.asarray(device), arrayshim.ones_like(device), arrayshim.diag(device)):
            assert type(made) is strict.StrictArray
        assert type(arrayshim.ones(3, like="numpy")) is np.ndarray
        x = da.from_array(device, name=False)
        assert arrayshim.asarray(x) is x
        assert type(arrayshim.ones_like(x)._meta) is strict.StrictArray
    assert type(arrayshim.ones(3)) is np.ndarray


def test_data_that_are_on_a_device_stay_there():
    x = strict.asarray([[1, 2], [3, 4]])
    assert arrayshim.asarray(x) is x
    assert arrayshim.array(x) is not x
    assert arrayshim.asarray(x, dtype="f4").dtype == np.float32
    assert arrayshim.diag(x).get().tolist() == [1, 4]
    assert arrayshim.diag(x[0], k=1).get().tolist() == [[0, 1, 0], [0, 0, 2], [0, 0, 0]]
    first, second = arrayshim.meshgrid(x[0], [5, 6, 7])
    assert type(first) is type(second) is strict.StrictArray
    assert second.get().tolist() == [[5, 5], [6, 6], [7, 7]]
    scalars = arrayshim.asarray([x[0, 0], 2, x[1, 1]])
    assert scalars.get().tolist() == [1, 2, 4]
    lazy = arrayshim.asarray(x, chunks=1)
    assert lazy.chunks == ((1, 1), (1, 1))
    assert type(lazy._meta) is strict.StrictArray
    assert lazy.compute(scheduler="sync").get().tolist() == [[1, 2], [3, 4]]


def test_lists_and_grids_of_dask_arrays():
    x = da.from_array(strict.asarray([1.0, 2.0]), chunks=1, name=False)
    stacked = arrayshim.asarray([x, strict.asarray([3.0, 4.0])])
    assert type(stacked._meta) is strict.StrictArray
    assert stacked.compute(scheduler="sync").get().tolist() == [[1, 2], [3, 4]]
    first, second = arrayshim.meshgrid(x, [5, 6, 7])
    for got, want in ((first, [[1, 2]] * 3), (second, [[5, 5], [6, 6], [7, 7]])):
        assert type(got._meta) is strict.StrictArray
        assert got.compute(scheduler="sync").get().tolist() == want
    assert arrayshim.array(x, ndmin=3, dtype="i4", chunks=2).shape == (1, 1, 2)
    square = arrayshim.diag(x)
    assert type(square._meta) is strict.StrictArray
    assert square.compute(scheduler="sync").get().tolist() == [[1, 0], [0, 2]]


def test_likes_of_dask_arrays():
    host = da.from_array(np.arange(6).reshape(2, 3), chunks=(1, 2))
    made = arrayshim.ones_like(host, like=strict.StrictArray)
    assert made.chunks == host.chunks
    assert made.dtype == host.dtype
    check(made, np.ones((2, 3), dtype=host.dtype), strict.StrictArray, strict.to_host, lazy=True, known=True)
    device = made
    with strict.conversions() as seen:
        back = arrayshim.full_like(device, 5, like="numpy").compute(scheduler="sync")
    assert seen.count == 0
    assert back.tolist() == [[5] * 3] * 2
    assert arrayshim.zeros_like(device, chunks=2, shape=(4,)).chunks == ((2, 2),)
    unknown = da.from_array(np.arange(4), chunks=2)
    unknown = unknown[unknown > 1]
    assert arrayshim.ones_like(unknown).compute(scheduler="sync").tolist() == [1, 1]
    eager = arrayshim.ones_like(np.zeros(5), chunks=2)
    assert eager.chunks == ((2, 2, 1),)


def test_to_backend_meta_moves_host_chunks_lazily_and_leaves_others():
    x = da.from_array(np.arange(6.0), chunks=4)
    device = strict.asarray([1.0])
    moved = creation.to_backend_meta(x, device)
    assert moved.chunks == x.chunks
    assert (type(moved._meta), moved.dtype, moved.ndim) == (strict.StrictArray, np.float64, 1)
    assert moved.compute(scheduler="sync").get().tolist() == list(range(6))
    assert creation.to_backend_meta(moved, device) is moved
    assert creation.to_backend_meta(x, "numpy") is x
    assert creation.to_backend_meta(x, device).name == moved.name
    assert creation.to_backend_meta(x, Duck).name != moved.name
    unknown = creation.to_backend_meta(x[x > 2], device)
    assert unknown.compute(scheduler="sync").get().tolist() == [3, 4, 5]
    masked = da.from_array(np.ma.array([1, 2], mask=[0, 1]))
    assert creation.to_backend_meta(masked, "numpy") is masked
    with pytest.raises(UnsupportedError, match="have no mask; fill them first"):
        creation.to_backend_meta(masked, device)


def test_nothing_leaves_a_device():
    x = strict.asarray([1.0, 2.0])
    lazy = da.from_array(x, chunks=1, name=False)
    with strict.conversions() as seen:
        for data, like in ((x, "numpy"), (x, np.ndarray), (x, Duck), (lazy, "numpy"), (lazy, as_duck([1]))):
            with pytest.raises(UnsupportedError, match="StrictArray data would have to leave their device to become"):
                arrayshim.asarray(data, like=like)
        with pytest.raises(UnsupportedError, match="no mask"):
            arrayshim.asarray(np.ma.array([1, 2], mask=[0, 1]), like=x)
    assert seen.count == 0


def test_arange_is_dasks_where_rounding_matters():
    for args in ((0, 1, 0.1), (2**53, 2**53 + 10, 3), (10, 0, -3), (1e16, 1e16 + 8, 2.0), (2.5, 8)):
        expected = da.arange(*args, chunks=3).compute(scheduler="sync")
        got = arrayshim.arange(*args, chunks=3, like=strict.StrictArray).compute(scheduler="sync")
        assert got.dtype == expected.dtype
        np.testing.assert_array_equal(got.get(), expected)
    with pytest.raises(TypeError, match="requires stop"):
        arrayshim.arange()
    assert arrayshim.arange(stop=3).tolist() == [0, 1, 2]


def test_names_tell_chunk_types_apart():
    for make in (
        lambda like: arrayshim.arange(6, chunks=2, like=like),
        lambda like: arrayshim.ones(6, chunks=2, like=like),
        lambda like: arrayshim.eye(4, chunks=2, like=like),
        lambda like: arrayshim.linspace(0, 1, 4, chunks=2, like=like),
        lambda like: arrayshim.indices((2, 2), chunks=2, like=like),
    ):
        names = {make(like).name for like in ("numpy", strict.StrictArray, Duck)}
        assert len(names) == 3
        assert make(strict.StrictArray).name == make(strict.StrictArray).name
    assert tokenize(arrayshim.ones(3, chunks=2, like=strict.StrictArray)) == tokenize(
        arrayshim.ones(3, chunks=2, like=strict.StrictArray)
    )


def test_numpy_likes_are_dasks_own_arrays():
    assert arrayshim.ones((4, 4), chunks=2).name == da.ones((4, 4), chunks=2).name
    assert arrayshim.arange(9, chunks=2).name == da.arange(9, chunks=2).name
    assert arrayshim.linspace(0, 1, 9, chunks=2).name == da.linspace(0, 1, 9, chunks=2).name


def test_details_of_numpys_signatures():
    step = arrayshim.linspace(0, 1, 5, retstep=True, like=strict.StrictArray)
    assert step[0].get().tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert step[1] == 0.25
    lazy = arrayshim.linspace(0, 1, 5, retstep=True, chunks=2, like=strict.StrictArray)
    assert lazy[1] == 0.25
    assert type(lazy[0]._meta) is strict.StrictArray
    assert arrayshim.ones((2, 3), order="F").flags.f_contiguous
    assert arrayshim.array(np.arange(3), copy=False) is not None
    x = np.arange(3)
    assert arrayshim.asarray(x) is x
    assert arrayshim.array(x) is not x
    masked = np.ma.array([1, 2], mask=[0, 1])
    assert arrayshim.asanyarray(masked) is masked
    doubled = arrayshim.fromfunction(lambda i, by: i * by, (3,), by=2, chunks=2)
    assert doubled.compute(scheduler="sync").tolist() == [0, 2, 4]
    assert arrayshim.indices((0, 3), chunks=2, like=strict.StrictArray).compute(scheduler="sync").shape == (2, 0, 3)
    with pytest.raises(TypeError):
        arrayshim.ones("no shape", like=strict.StrictArray)


@pytest.mark.parametrize("name", ["ones_like", "zeros_like", "empty_like", "full_like"])
def test_likes_of_scipy_sparse_are_scipy_sparse(name):
    value = (3,) if name == "full_like" else ()
    expected = {"ones_like": 1, "zeros_like": 0, "full_like": 3}.get(name)
    for data in (scipy.sparse.csr_array(np.eye(2)), scipy.sparse.csc_matrix(np.eye(2))):
        made = getattr(arrayshim, name)(data, *value)
        lazy = getattr(arrayshim, name)(da.from_array(data, chunks=1, asarray=False, name=False), *value)
        chunk = lazy.blocks[0, 1].compute(scheduler="sync")
        assert type(made) is type(chunk) is type(lazy._meta) is type(data)
        assert made.dtype == chunk.dtype == data.dtype
        assert (made.shape, chunk.shape, lazy.chunks) == ((2, 2), (1, 1), ((1, 1), (1, 1)))
        if expected is not None:
            assert made.toarray().tolist() == [[expected] * 2] * 2
            assert chunk.toarray().tolist() == [[expected]]


def test_linspace_in_chunks_has_one_axis():
    for axis in (0, -1):
        made = arrayshim.linspace(0, 1, 5, axis=axis, chunks=2)
        assert made.compute(scheduler="sync").tolist() == [0, 0.25, 0.5, 0.75, 1]
    with pytest.raises(UnsupportedError, match="makes one axis, number 0, got axis=1; leave it out"):
        arrayshim.linspace(0, 1, 5, axis=1, chunks=2)
    with pytest.raises(UnsupportedError, match="takes scalars, got an array as start or stop"):
        arrayshim.linspace([0, 1], 2, 5, chunks=2)


@pytest.mark.parametrize("name", sorted(set(creation.__all__) - {"to_backend_meta"}))
def test_docstrings_say_what_comes_back_and_what_is_refused(name):
    for section in ("Returns", "Raises"):
        assert f"    {section}\n    {'-' * len(section)}\n" in getattr(creation, name).__doc__
