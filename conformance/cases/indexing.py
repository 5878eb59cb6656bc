"""Reading elements: every form of key, on the host, on the device and lazy."""

from __future__ import annotations

import numpy as np

from . import within

case = within(names=("Array.__getitem__",))
every = within(names=("Array.__getitem__",), accepts="biufc", shapes="1d 2d 3d empty")
taken = within()
pointwise = within(names=("Array.vindex",), numpy=False)  # NumPy has no vindex
whole = within(names=("Array.blocks",), numpy=False)

CASES = (
    case("[0]", lambda da, b: b.x[0]),
    case("[-1]", lambda da, b: b.x[-1]),
    case("[0, 0]", lambda da, b: b.x[0, 0]),
    case("[np.int64]", lambda da, b: b.x[np.int64(3), np.int64(-1)]),
    case("[:]", lambda da, b: b.x[:]),
    case("[::-1]", lambda da, b: b.x[::-1]),
    case("[1:]", lambda da, b: b.x[1:]),
    every("[::2]", lambda da, b: b.x[::2]),
    case("[2:9:3, ::-2]", lambda da, b: b.x[2:9:3, ::-2]),
    case("[-3:, :-2]", lambda da, b: b.x[-3:, :-2]),
    case("[5:5]", lambda da, b: b.x[5:5]),
    case("[100:]", lambda da, b: b.x[100:]),
    case("[...]", lambda da, b: b.x[...]),
    case("[..., None]", lambda da, b: b.x[..., None]),
    case("[None]", lambda da, b: b.x[None]),
    case("[:, None, 2:]", lambda da, b: b.x[:, None, 2:]),
    case("[..., 1]", lambda da, b: b.cube[..., 1]),
    case("[1, ..., 2]", lambda da, b: b.cube[1, ..., 2]),
    case("[()]", lambda da, b: b.x[()]),
    case("[list]", lambda da, b: b.x[[0, 3, -1, 3]]),
    case("[:, list]", lambda da, b: b.x[:, [7, 0, 0]]),
    case("[[]]", lambda da, b: b.x[[]]),
    case("[list, slice]", lambda da, b: b.x[[5, 1], 2:6]),
    case("[list, int]", lambda da, b: b.x[[5, 1], 2]),
    case("[host index]", lambda da, b: b.x[b.host(np.array([4, 4, -2]))]),
    case("[:, host index]", lambda da, b: b.x[:, b.host(np.array([4, 4, -2]))]),
    case("[host index i4]", lambda da, b: b.x[b.host(np.array([4, 4, -2], "i4"))]),
    case("[device index]", lambda da, b: b.x[b.device(np.array([4, 4, -2]))]),
    case("[:, device index]", lambda da, b: b.x[:, b.device(np.array([1, 6]))]),
    case("[dask index]", lambda da, b: b.x[b.index]),
    case("[:, dask index]", lambda da, b: b.x[:, b.index % 8]),
    case("[dask index, slice]", lambda da, b: b.x[b.index, 2:5]),
    case("[0d dask index]", lambda da, b: b.x[b.index[2]]),
    case("[argsort of a list]", lambda da, b: b.v[[22, 0, 11, 5, 1]]),
    case("[sorted list]", lambda da, b: b.v[[0, 2, 4, 6, 20]]),
    case("[host mask]", lambda da, b: b.x[b.host(np.arange(13) % 3 == 0)]),
    case("[list mask]", lambda da, b: b.v[[True, False] * 11 + [True]]),
    case("[:, host mask]", lambda da, b: b.x[:, b.host(np.arange(8) > 4)]),
    case("[device mask]", lambda da, b: b.x[b.device(np.arange(13) % 3 == 0)]),
    case("[:, device mask]", lambda da, b: b.x[:, b.device(np.arange(8) > 4)]),
    case("[dask mask rows]", lambda da, b: b.x[b.mask]),
    case("[:, dask mask]", lambda da, b: b.x[:, b.y[0] > 0]),
    case("[dask mask rows, slice]", lambda da, b: b.x[b.mask, 1:4]),
    every("[x > x]", lambda da, b: b.x[b.x != b.x[..., :1]], shapes="1d 2d 3d", compare="unordered"),  # order by chunks
    case("[x > 0]", lambda da, b: b.x[b.x > 0], compare="unordered"),  # dask goes chunk by chunk
    case("[1d x > 0]", lambda da, b: b.v[b.v > 0]),
    case("[1d host mask]", lambda da, b: b.v[b.host(np.arange(23) % 2 == 1)]),
    case("[1d device mask]", lambda da, b: b.v[b.device(np.arange(23) % 2 == 1)]),
    case("[full mask host]", lambda da, b: b.x[b.host(np.eye(13, 8) == 0)], compare="unordered"),
    case("[full mask device]", lambda da, b: b.x[b.device(np.eye(13, 8) == 0)], compare="unordered"),
    case("[3d mask]", lambda da, b: b.cube[b.cube > 0.5], compare="unordered"),
    case("[empty mask]", lambda da, b: b.v[b.v > 1e9]),
    case("[bools]", lambda da, b: b.ints[b.bools], compare="unordered"),
    case("[numpy by dask mask]", lambda da, b: da.asarray(b.host(np.arange(23.0)))[b.v > 0], result="other"),
    case("[numpy by dask index]", lambda da, b: da.asarray(b.host(np.arange(23.0)))[b.index], result="other"),
    case("[int of record]", lambda da, b: b.cube[:, 2][:, 1]),
    case("[chained]", lambda da, b: b.x[1:][:, ::2][::-1][[0, 2]]),
    case("[unknown][:, 1]", lambda da, b: b.x[b.mask][:, 1]),
    case("[unknown][mask]", lambda da, b: b.v[b.v > 0][b.v[b.v > 0] < 1]),
    case("[unknown][..., None]", lambda da, b: b.v[b.v > 0][..., None]),
    taken("take[axis=0]", lambda da, b: da.take(b.x, [0, 3, -1], axis=0)),
    taken("take[axis=1,host]", lambda da, b: da.take(b.x, b.host(np.array([7, 0])), axis=1)),
    taken("take[axis=0,device]", lambda da, b: da.take(b.x, b.device(np.array([7, 0])), axis=0)),
    taken("take[axis=0,dask]", lambda da, b: da.take(b.x, b.index, axis=0)),
    taken("take[int]", lambda da, b: da.take(b.x, 2, axis=1)),
    pointwise("vindex[lists]", lambda da, b: b.x.vindex[[0, 3, 12], [1, 1, 7]]),
    pointwise("vindex[list, slice]", lambda da, b: b.x.vindex[[0, 3, 12], :]),
    pointwise("vindex[2d lists]", lambda da, b: b.x.vindex[[[0, 3], [12, 1]], [[1, 1], [7, 0]]]),
    pointwise("vindex[host]", lambda da, b: b.x.vindex[b.host(np.array([0, -1])), b.host(np.array([1, -2]))]),
    pointwise("vindex[device]", lambda da, b: b.x.vindex[b.device(np.array([0, 12])), b.device(np.array([1, 7]))]),
    pointwise("vindex[3d]", lambda da, b: b.cube.vindex[:, [0, 4], [1, 3]]),
    pointwise("vindex[one]", lambda da, b: b.v.vindex[[22, 0, 0]]),
    whole("blocks[0]", lambda da, b: b.x.blocks[0]),
    whole("blocks[:, -1]", lambda da, b: b.x.blocks[:, -1]),
    whole("blocks[list]", lambda da, b: b.x.blocks[[2, 0]]),
    whole("blocks[::-1]", lambda da, b: b.x.blocks[::-1, 0]),
    within(names=("Array.partitions",), numpy=False)("partitions[1]", lambda da, b: b.x.partitions[1]),
)
