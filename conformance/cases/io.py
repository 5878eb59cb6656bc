"""Into dask and out of it: from_array, from_delayed, store, files, and dask's own compute."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import within

# NumPy has none of these.
case = within(numpy=False)
# It makes the chunks of what dask draws and loads, and is no public name.
inner = within(numpy=False, names=())


def stored(x: Any, target: Any, **options: Any) -> Any:
    x.store(target, scheduler="sync", **options)
    return target


def through_npy_stack(da: Any, x: Any, axis: int = 0) -> Any:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        da.to_npy_stack(folder, x, axis=axis)
        return da.from_npy_stack(folder, mmap_mode=None).compute(scheduler="sync")


def through_zarr(da: Any, x: Any) -> Any:
    import zarr

    kept = zarr.storage.MemoryStore()
    da.to_zarr(x, kept)
    return da.from_zarr(kept)


def through_hdf5(write: Any) -> Any:
    import tempfile

    import h5py

    with tempfile.TemporaryDirectory() as folder:
        write(f"{folder}/kept.h5")
        with h5py.File(f"{folder}/kept.h5") as file:
            return file["x"][:]


CASES = (
    case("from_array[device]", lambda da, b: da.from_array(b.device(np.arange(24.0).reshape(6, 4)), chunks=(2, 3))),
    case("from_array[device,one chunk]", lambda da, b: da.from_array(b.device(np.arange(6.0)), chunks=-1)),
    case("from_array[device,name=False]", lambda da, b: da.from_array(b.device(np.arange(6.0)), chunks=4, name=False)),
    case("from_array[device,name]", lambda da, b: da.from_array(b.device(np.arange(6.0)), chunks=4, name="mine")),
    case("from_array[device,asarray=False]", lambda da, b: da.from_array(b.device(np.arange(6.0)), 4, asarray=False)),
    case("from_array[device,inline]", lambda da, b: da.from_array(b.device(np.arange(6.0)), 4, inline_array=True)),
    case("from_array[device,lock]", lambda da, b: da.from_array(b.device(np.arange(6.0)), chunks=4, lock=True)),
    case("from_array[device,fancy=False]", lambda da, b: da.from_array(b.device(np.arange(6.0)), 4, fancy=False)),
    case(
        "from_array[device,meta]",
        lambda da, b: da.from_array(b.device(np.arange(6.0)), 4, meta=b.device(np.ones(0))),
    ),
    case("from_array[device,0d]", lambda da, b: da.from_array(b.device(np.array(7.0)), chunks=())),
    case("from_array[device,bool]", lambda da, b: da.from_array(b.device(np.arange(6) > 3), chunks=4)),
    case("from_array[device,empty]", lambda da, b: da.from_array(b.device(np.ones((0, 3))), chunks=2)),
    case("from_array[device,strided]", lambda da, b: da.from_array(b.device(np.ones((6, 8)))[::2, ::2], chunks=2)),
    case("from_array[host]", lambda da, b: da.from_array(b.host(np.arange(6.0)), chunks=4), result="numpy"),
    case("from_array[host,then map]", lambda da, b: da.from_array(b.host(np.ones(6)), 4).map_blocks(b.device)),
    case("from_array[list]", lambda da, b: da.from_array([1, 2, 3], chunks=2), result="numpy"),
    case("from_array[sum]", lambda da, b: da.from_array(b.device(np.arange(24.0).reshape(6, 4)), chunks=2).sum(axis=0)),
    case("from_array[slice]", lambda da, b: da.from_array(b.device(np.arange(24.0).reshape(6, 4)), chunks=2)[1:, ::2]),
    case("from_delayed", lambda da, b: da.from_delayed(b.v.to_delayed()[1], b.v.blocks[1].shape, dtype="f8")),
    case("from_delayed[meta]", lambda da, b: da.from_delayed(b.v.to_delayed()[0], b.v.blocks[0].shape, meta=b.v._meta)),
    case("from_delayed[unknown]", lambda da, b: da.from_delayed(b.v.to_delayed()[0], (np.nan,), meta=b.v._meta)),
    case("from_delayed[then add]", lambda da, b: da.from_delayed(b.v.to_delayed()[0], b.v.blocks[0].shape, "f8") + 1),
    inner("from_func", lambda da, b: da.core.from_func(abs, (6,), "f8", args=(b.device(np.arange(6.0)),))),
    inner("from_func[then add]", lambda da, b: da.core.from_func(abs, (6,), "f8", args=(b.device(np.ones(6)),)) + 1),
    case("store[host]", lambda da, b: stored(b.x, b.host(np.zeros((13, 8)))), result="numpy"),
    case("store[device]", lambda da, b: stored(b.x, b.device(np.zeros((13, 8))))),
    case("store[host,lock=False]", lambda da, b: stored(b.x, b.host(np.zeros((13, 8))), lock=False), result="numpy"),
    case(
        "store[host,regions]",
        lambda da, b: stored(b.x, b.host(np.zeros((20, 20))), regions=(slice(2, 15), slice(0, 8))),
        result="numpy",
    ),
    case("store[host,dtype]", lambda da, b: stored(b.ints, b.host(np.zeros((13, 8), "f4"))), result="numpy"),
    case("store[bool to host]", lambda da, b: stored(b.bools, b.host(np.zeros((13, 8), bool))), result="numpy"),
    case(
        "store[several]",
        lambda da, b: (lambda p, q: (da.store([b.x, b.v], [p, q], scheduler="sync"), p, q)[1:])(
            b.host(np.zeros((13, 8))), b.host(np.zeros(23))
        ),
        result="numpy",
    ),
    case(
        "store[host chunks to device]",
        lambda da, b: stored(da.from_array(b.host(np.arange(6.0)), chunks=4), b.device(np.zeros(6))),
    ),
    case(
        "store[return_stored]",
        lambda da, b: b.x.store(b.host(np.zeros((13, 8))), return_stored=True),
        result="other",
    ),
    case("Array.store", lambda da, b: stored(b.v, b.host(np.zeros(23))), result="numpy"),
    case("to_npy_stack", lambda da, b: through_npy_stack(da, b.x), also=("from_npy_stack",), result="numpy"),
    case("to_npy_stack[axis=1]", lambda da, b: through_npy_stack(da, b.x, axis=1), result="numpy"),
    case("from_npy_stack", lambda da, b: through_npy_stack(da, b.ints), result="numpy"),
    case("to_zarr", lambda da, b: through_zarr(da, b.x.rechunk(5)), requires=("zarr",), result="numpy"),
    case("from_zarr", lambda da, b: through_zarr(da, b.ints.rechunk(5)) + 1, requires=("zarr",), result="numpy"),
    case(
        "Array.to_zarr",
        lambda da, b: (lambda z: (b.x.rechunk(5).to_zarr(z), z[:])[1])(
            __import__("zarr").zeros((13, 8), chunks=(5, 5), dtype="f8")
        ),
        requires=("zarr",),
        result="numpy",
    ),
    case(
        "to_hdf5",
        lambda da, b: through_hdf5(lambda path: da.to_hdf5(path, "/x", b.x)),
        requires=("h5py",),
        result="numpy",
    ),
    case(
        "Array.to_hdf5",
        lambda da, b: through_hdf5(lambda path: b.ints.to_hdf5(path, "/x")),
        requires=("h5py",),
        result="numpy",
    ),
    case(
        "Array.to_dask_dataframe",
        lambda da, b: b.v.to_dask_dataframe(columns="v")["v"].compute(scheduler="sync").to_numpy(),
        requires=("pandas", "pyarrow"),
        result="numpy",
    ),
    case("Array.to_delayed", lambda da, b: b.v.to_delayed()[2].compute(scheduler="sync")),
    case("compute", lambda da, b: da.compute(b.x, b.x.sum(), scheduler="sync")),
    case("Array.compute", lambda da, b: b.x.compute(scheduler="sync")),
    case("Array.compute[0d]", lambda da, b: b.x.sum().compute(scheduler="sync")),
    case("Array.compute[threads]", lambda da, b: b.x.sum(axis=0).compute(scheduler="threads")),
    case("Array.compute[unknown]", lambda da, b: b.v[b.v > 0].compute(scheduler="sync")),
    case("Array.persist", lambda da, b: (b.x + 1).persist(scheduler="sync")),
    case("Array.persist[unknown]", lambda da, b: b.v[b.v > 0].persist(scheduler="sync")),
    case("assert_eq", lambda da, b: da.assert_eq(b.x, b.x, scheduler="sync"), result="scalar"),
)
