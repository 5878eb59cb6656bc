"""What NumPy calls to get the same, for cases that it does not take as they stand; and why others have no such oracle.

``rechunk``, ``blocks``, ``split_every`` and their like are dask's own, and what comes of them is not: a call of NumPy's
gives the same numbers. So these cases, too, are held against NumPy, and a backend that hides elements has an oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy

from .case import assign

#: Of `b.x` as it is drawn.
_ROWS, _COLUMNS = (5, 1, 4, 3), (3, 5)


def _each(x: Any, function: Callable[[Any], Any], rows: Any = _ROWS, columns: Any = _COLUMNS) -> Any:
    """A function of each block, put together."""
    x, top = x.copy(), 0
    for height in rows:
        left = 0
        for width in columns:
            x[top : top + height, left : left + width] = function(x[top : top + height, left : left + width])
            left += width
        top += height
    return x


def _moment(x: Any, order: int, axis: Any = None, ddof: int = 0, keepdims: bool = False) -> Any:
    """Central, of what is not hidden."""
    powers = (x - x.mean(axis=axis, keepdims=True)) ** order
    number = (powers * 0 + 1).sum(axis=axis, keepdims=keepdims)
    return powers.sum(axis=axis, keepdims=keepdims) / (number - ddof)


def _steps(numbers: Any, sizes: Any) -> Any:
    return numpy.repeat(numbers, sizes)


#: By full name of the case: ``equals(np, b)`` with NumPy and plain operands.
EQUALS: Mapping[str, Callable[[Any, Any], Any]] = {
    "assignment/[x > 0] = masked": lambda np, b: assign(np.ma.asarray(b.x), b.x > 0, np.ma.masked),
    "assignment/[1d x > 0] = masked": lambda np, b: assign(np.ma.asarray(b.v), b.v > 0, np.ma.masked),
    "assignment/[2:9] = masked": lambda np, b: assign(np.ma.asarray(b.x), slice(2, 9), np.ma.masked),
    "blocks/map_blocks": lambda np, b: b.x + b.x,
    "blocks/map_blocks[meta]": lambda np, b: b.x + 1,
    "blocks/map_blocks[dtype]": lambda np, b: b.x.astype("f4"),
    "blocks/map_blocks[two]": lambda np, b: b.x + b.x * 2,
    "blocks/map_blocks[scalar]": lambda np, b: b.x + 3,
    "blocks/map_blocks[keyword]": lambda np, b: b.x * 3.0,
    "blocks/map_blocks[broadcast]": lambda np, b: b.x + b.x[:1],
    "blocks/map_blocks[device]": lambda np, b: b.x + 1,
    "blocks/map_blocks[drop_axis]": lambda np, b: b.x.sum(axis=1),
    "blocks/map_blocks[new_axis]": lambda np, b: b.x[:, None],
    "blocks/map_blocks[block_id]": lambda np, b: (
        b.x + 4 + _steps(range(4), _ROWS)[:, None] + _steps(range(2), _COLUMNS)
    ),
    "blocks/map_blocks[block_info]": lambda np, b: b.x + _steps([0, 5, 6, 10], _ROWS)[:, None],
    "blocks/map_blocks[block_info,no dtype]": lambda np, b: b.x + _steps([0, 5, 6, 10], _ROWS)[:, None],
    "blocks/map_blocks[needs elements]": lambda np, b: _each(b.x, lambda c: c - c.max()),
    "blocks/map_blocks[needs elements,dtype]": lambda np, b: _each(b.x, lambda c: c - c.max()),
    "blocks/map_blocks[name]": lambda np, b: b.x * 2,
    "blocks/map_blocks[enforce_ndim]": lambda np, b: b.x * 2,
    "blocks/Array.map_blocks": lambda np, b: b.x * 2,
    "blocks/Array.map_blocks[drop_axis]": lambda np, b: b.x[0],
    "blocks/blockwise": lambda np, b: b.x + b.x,
    "blocks/blockwise[transposed]": lambda np, b: b.x.T,
    "blocks/blockwise[outer]": lambda np, b: b.v[:, None] * b.w,
    "blocks/blockwise[concatenate]": lambda np, b: b.x.sum(axis=1),
    "blocks/blockwise[concatenate=False]": lambda np, b: b.x.sum(axis=1),
    "blocks/blockwise[new_axes]": lambda np, b: b.v[:, None],
    "blocks/blockwise[adjust_chunks]": lambda np, b: b.x[[0, 5, 6, 10]],
    "blocks/blockwise[meta]": lambda np, b: b.x * 2,
    "blocks/blockwise[literal]": lambda np, b: b.x * 3,
    "blocks/blockwise[device literal]": lambda np, b: b.x + 1,
    "blocks/blockwise[align_arrays]": lambda np, b: b.x + b.y,
    "blocks/atop": lambda np, b: b.x + b.x,
    "blocks/reduction": lambda np, b: np.sum(b.x, dtype="f8"),
    "blocks/reduction[axis=0]": lambda np, b: np.max(b.x, axis=0),
    "blocks/reduction[keepdims]": lambda np, b: np.sum(b.x, axis=1, keepdims=True),
    "blocks/reduction[combine,split_every]": lambda np, b: np.sum(b.x, dtype="f8"),
    "blocks/reduction[concatenate=False]": lambda np, b: np.sum(b.v),
    "blocks/reduction[meta]": lambda np, b: np.sum(b.x, axis=0),
    "blocks/apply_along_axis[dtype,shape]": lambda np, b: np.apply_along_axis(np.cumsum, 1, b.x),
    "creation/ones_like[shape,chunks]": lambda np, b: np.ones_like(b.x, shape=(3, 4)),
    "creation/zeros_like[chunks]": lambda np, b: np.zeros_like(b.x),
    "cumulative/cumsum[sequential]": lambda np, b: np.cumsum(b.x, axis=0),
    "cumulative/cumsum[blelloch]": lambda np, b: np.cumsum(b.x, axis=0),
    "cumulative/cumsum[axis=-1,blelloch]": lambda np, b: np.cumsum(b.x, axis=-1),
    "cumulative/cumsum[axis=None,blelloch]": lambda np, b: np.cumsum(b.x),
    "cumulative/cumprod[blelloch]": lambda np, b: np.cumprod(b.x, axis=0),
    "cumulative/cumprod[axis=1,sequential]": lambda np, b: np.cumprod(b.x, axis=1),
    "cumulative/nancumsum[nan,blelloch]": lambda np, b: np.nancumsum(b.nans, axis=0),
    "cumulative/nancumprod[nan,blelloch]": lambda np, b: np.nancumprod(b.nans, axis=0),
    "cumulative/gradient[1d]": lambda np, b: np.gradient(b.v),
    "gufuncs/apply_gufunc": lambda np, b: b.x * 2,
    "gufuncs/apply_gufunc[no dtype]": lambda np, b: b.x * 2,
    "gufuncs/apply_gufunc[allow_rechunk]": lambda np, b: b.x.mean(axis=-1),
    "gufuncs/apply_gufunc[(),()->()]": lambda np, b: b.x + b.x,
    "gufuncs/apply_gufunc[host]": lambda np, b: b.x + 1,
    "gufuncs/apply_gufunc[device]": lambda np, b: b.x + 1,
    "gufuncs/apply_gufunc[scalar]": lambda np, b: b.x + 2.0,
    "gufuncs/apply_gufunc[vectorize,scalar]": lambda np, b: np.vectorize(lambda t: t * 2)(b.v),
    "gufuncs/apply_gufunc[meta]": lambda np, b: b.x * 2,
    "gufuncs/apply_gufunc[needs elements]": lambda np, b: _each(b.x, lambda c: c - c.max()),
    "indexing/vindex[lists]": lambda np, b: b.x[[0, 3, 12], [1, 1, 7]],
    "indexing/vindex[list, slice]": lambda np, b: b.x[[0, 3, 12]],
    "indexing/vindex[2d lists]": lambda np, b: b.x[[[0, 3], [12, 1]], [[1, 1], [7, 0]]],
    "indexing/vindex[host]": lambda np, b: b.x[[0, -1], [1, -2]],
    "indexing/vindex[device]": lambda np, b: b.x[[0, 12], [1, 7]],
    "indexing/vindex[3d]": lambda np, b: b.cube[:, [0, 4], [1, 3]].T,
    "indexing/vindex[one]": lambda np, b: b.v[[22, 0, 0]],
    "indexing/blocks[0]": lambda np, b: b.x[:5],
    "indexing/blocks[:, -1]": lambda np, b: b.x[:, 3:],
    "indexing/blocks[list]": lambda np, b: b.x[[6, 7, 8, 9, 0, 1, 2, 3, 4]],
    "indexing/blocks[::-1]": lambda np, b: b.x[[10, 11, 12, 6, 7, 8, 9, 5, 0, 1, 2, 3, 4], :3],
    "indexing/partitions[1]": lambda np, b: b.x[5:6],
    "io/from_delayed": lambda np, b: b.v[7:16],
    "io/from_delayed[meta]": lambda np, b: b.v[:7],
    "io/from_delayed[unknown]": lambda np, b: b.v[:7],
    "io/from_delayed[then add]": lambda np, b: b.v[:7] + 1,
    "io/store[host]": lambda np, b: assign(numpy.zeros((13, 8)), ..., b.x),
    "io/store[device]": lambda np, b: assign(b.device(numpy.zeros((13, 8))), ..., b.x),
    "io/store[host,lock=False]": lambda np, b: assign(numpy.zeros((13, 8)), ..., b.x),
    "io/store[host,regions]": lambda np, b: assign(numpy.zeros((20, 20)), (slice(2, 15), slice(8)), b.x),
    "io/store[host,dtype]": lambda np, b: assign(numpy.zeros((13, 8), "f4"), ..., b.ints),
    "io/store[several]": lambda np, b: (assign(numpy.zeros((13, 8)), ..., b.x), assign(numpy.zeros(23), ..., b.v)),
    "io/Array.store": lambda np, b: assign(numpy.zeros(23), ..., b.v),
    "io/Array.to_delayed": lambda np, b: b.v[16:18],
    "io/compute": lambda np, b: (b.x, b.x.sum()),
    "io/Array.compute": lambda np, b: b.x,
    "io/Array.compute[0d]": lambda np, b: b.x.sum(),
    "io/Array.compute[threads]": lambda np, b: b.x.sum(axis=0),
    "io/Array.compute[unknown]": lambda np, b: b.v[b.v > 0],
    "io/Array.persist": lambda np, b: b.x + 1,
    "io/Array.persist[unknown]": lambda np, b: b.v[b.v > 0],
    "manipulation/broadcast_to[chunks]": lambda np, b: np.broadcast_to(b.v, (4, 23)),
    "manipulation/shuffle[axis=0]": lambda np, b: b.x[[0, 5, 3, 12, 1]],
    "manipulation/shuffle[axis=1]": lambda np, b: b.x[:, [7, 0, 3, 3, 1, 2]],
    "manipulation/coarsen[sum]": lambda np, b: b.x[:12].reshape(6, 2, 4, 2).sum(axis=(1, 3)),
    "manipulation/coarsen[3d]": lambda np, b: b.cube.reshape(2, 3, 5, 2, 2).min(axis=(1, 4)),
    "masked/masked_greater[concatenate]": lambda np, b: np.ma.concatenate(
        [np.ma.masked_greater(b.x, 0.5), np.ma.masked_less(b.x, -0.5)]
    ),
    "masked/masked_greater[stack]": lambda np, b: np.ma.stack(
        [np.ma.masked_greater(b.x, 0.5), np.ma.masked_less(b.x, -0.5)]
    ),
    "methods/moment": lambda np, b: _moment(b.x, 3, axis=0),
    "methods/moment[all]": lambda np, b: _moment(b.x, 4),
    "methods/cumsum[blelloch]": lambda np, b: np.cumsum(b.x, axis=1),
    "methods/cumprod[blelloch]": lambda np, b: np.cumprod(b.x, axis=0),
    "methods/shuffle": lambda np, b: b.x[[0, 5, 3]],
    "methods/compute_chunk_sizes": lambda np, b: b.x[b.mask],
    "methods/compute_chunk_sizes[then slice]": lambda np, b: b.v[b.v > 0][2:5],
    "methods/map_blocks[method]": lambda np, b: -b.x,
    "mixed/map_blocks[host]": lambda np, b: b.x * 2.0,
    "mixed/blockwise[host]": lambda np, b: b.x * 2.0,
    "nan_reductions/nansum[split_every=2]": lambda np, b: np.nansum(b.nans, axis=0),
    "nan_reductions/nanprod[split_every=2]": lambda np, b: np.nanprod(b.nans, axis=0),
    "nan_reductions/nanmean[split_every=2]": lambda np, b: np.nanmean(b.nans, axis=0),
    "nan_reductions/nanstd[split_every=2]": lambda np, b: np.nanstd(b.nans),
    "nan_reductions/nanvar[split_every=2]": lambda np, b: np.nanvar(b.nans, axis=0),
    "nan_reductions/nanmin[split_every=2]": lambda np, b: np.nanmin(b.nans, axis=0),
    "nan_reductions/nanmax[split_every=2]": lambda np, b: np.nanmax(b.nans, axis=1),
    "overlap/map_overlap[asymmetric]": lambda np, b: -b.v,
    "overlap/map_overlap[small chunks]": lambda np, b: -b.x,
    "overlap/overlap[nearest,3d]": lambda np, b: b.cube[[0, 0, 1, 2, 1, 2, 3, 4, 5, 5]][..., [0, 0, 1, 2, 3, 2, 3, 3]],
    "pipelines/moments": lambda np, b: np.stack([_moment(b.x, k, axis=0) for k in (2, 3, 4)]),
    "pipelines/user function of block": lambda np, b: _each(b.x, lambda c: c - c.mean(axis=1, keepdims=True)),
    "pipelines/delayed round trip": lambda np, b: b.v[:3],
    "products/einsum[split_every]": lambda np, b: np.einsum("ij,jk->ik", b.x, b.square),
    "properties/A": lambda np, b: b.x.sum(),
    "reductions/sum[axis=0,split_every=2]": lambda np, b: np.sum(b.x, axis=0),
    "reductions/sum[split_every=dict]": lambda np, b: np.sum(b.x),
    "reductions/prod[axis=0,split_every=2]": lambda np, b: np.prod(b.x, axis=0),
    "reductions/mean[axis=0,split_every=2]": lambda np, b: np.mean(b.x, axis=0),
    "reductions/std[split_every=2]": lambda np, b: np.std(b.x),
    "reductions/var[axis=0,split_every=2]": lambda np, b: np.var(b.x, axis=0),
    "reductions/min[axis=0,split_every=2]": lambda np, b: np.min(b.x, axis=0),
    "reductions/max[axis=1,split_every=2]": lambda np, b: np.max(b.x, axis=1),
    "reductions/argmax[axis=0,split_every=2]": lambda np, b: np.argmax(b.x, axis=0),
    "reductions/moment[2]": lambda np, b: _moment(b.x, 2),
    "reductions/moment[3,axis=0]": lambda np, b: _moment(b.x, 3, axis=0),
    "reductions/moment[4]": lambda np, b: _moment(b.x, 4),
    "reductions/moment[4,axis=1,keepdims]": lambda np, b: _moment(b.x, 4, axis=1, keepdims=True),
    "reductions/moment[2,axis=0,ddof=1]": lambda np, b: _moment(b.x, 2, axis=0, ddof=1),
    "reductions/moment[5,split_every=2]": lambda np, b: _moment(b.x, 5, axis=0),
    "reshaping/reshape[merge_chunks=False]": lambda np, b: np.reshape(b.cube, (30, 4)),
    "reshaping/reshape[limit]": lambda np, b: np.reshape(b.cube, (6, 20)),
    "reshaping/reshape_blockwise[chunks]": lambda np, b: np.reshape(b.cube, (30, 4)),
    "reshaping/rechunk[int]": lambda np, b: b.x,
    "reshaping/rechunk[tuple]": lambda np, b: b.x,
    "reshaping/rechunk[-1]": lambda np, b: b.x,
    "reshaping/rechunk[dict]": lambda np, b: b.x,
    "reshaping/rechunk[uneven]": lambda np, b: b.x,
    "reshaping/rechunk[auto]": lambda np, b: b.x,
    "reshaping/rechunk[zero length]": lambda np, b: b.x,
    "reshaping/rechunk[empty]": lambda np, b: b.x[:0],
    "reshaping/rechunk[empty,split]": lambda np, b: b.x[:, :0],
    "reshaping/rechunk[balance]": lambda np, b: b.v,
    "reshaping/rechunk[tasks]": lambda np, b: b.x,
    "reshaping/rechunk[threshold]": lambda np, b: b.cube,
    "reshaping/Array.rechunk": lambda np, b: b.x,
    "reshaping/Array.reshape[merge_chunks]": lambda np, b: b.cube.reshape((30, 4)),
    "reshaping/unify_chunks": lambda np, b: [b.x, b.y],
    "stats/moment[2]": lambda np, b: _moment(b.x, 2, axis=0),
    "stats/moment[3,axis=1]": lambda np, b: _moment(b.x, 3, axis=1),
    "stats/skew": lambda np, b: _moment(b.x, 3, axis=0) / _moment(b.x, 2, axis=0) ** 1.5,
    "stats/skew[axis=1]": lambda np, b: _moment(b.x, 3, axis=1) / _moment(b.x, 2, axis=1) ** 1.5,
    "stats/skew[1d]": lambda np, b: _moment(b.v, 3) / _moment(b.v, 2) ** 1.5,
    "stats/kurtosis": lambda np, b: _moment(b.x, 4, axis=0) / _moment(b.x, 2, axis=0) ** 2 - 3,
    "stats/kurtosis[fisher=False]": lambda np, b: _moment(b.x, 4, axis=0) / _moment(b.x, 2, axis=0) ** 2,
    "unary/isnull": lambda np, b: np.isnan(b.nans),
    "unary/isnull[int]": lambda np, b: b.ints != b.ints,
    "unary/notnull": lambda np, b: ~np.isnan(b.nans),
    "unknown_sizes/cumsum[mask,blelloch]": lambda np, b: np.cumsum(b.v[b.v > 0]),
    "unknown_sizes/map_blocks[mask]": lambda np, b: b.v[b.v > 0] * 2,
    "unknown_sizes/rechunk[mask,other axis]": lambda np, b: b.x[b.mask],
    "unknown_sizes/Array.compute_chunk_sizes[mask]": lambda np, b: b.v[b.v > 0] + 1,
    "unknown_sizes/Array.compute_chunk_sizes[2d]": lambda np, b: b.x[b.mask][1:3],
}

#: Cases that draw operands which may hide elements, and that NumPy has no oracle for: full names, with stars, and why.
WITHOUT: Mapping[str, str] = {
    "*percentile*": "over several chunks dask's percentile is an approximation of its own",
    "*topk*": "NumPy has no such function, and `partition`, which dask asks, knows no masks",
    "creation/arange[like=dask]": "the operand says only which library is meant",
    "dispatch/*": "what leaves a library does so by the library's own function",
    "*/push*": "bottleneck fills NaNs, and sees no masks",
    "fft/fft_wrap*": "the transform sees the data and no masks, as that of NumPy does",
    "io/store[return_stored]": "what is read back is the target, which hides nothing",
    "io/*npy_stack*": "files of NumPy hold no masks",
    "io/*to_hdf5*": "files of HDF5 hold no masks",
    "io/*to_dask_dataframe": "pandas holds no masks",
    "io/*_zarr*": "files of zarr hold no masks",
    "io/assert_eq": "it gives no array",
    "linalg/qr[complex]": "LAPACK sees the data and no masks",
    "methods/to_svg": "it gives a drawing",
    "mixed/histogram*": "numpy.histogram counts what is hidden",
    "mixed/apply_gufunc[host dask]": "the function must see a host array, which NumPy has no other of",
    "overlap/map_overlap[meta]": "it draws the meta only",
    "padding/pad[*odd]": "dask takes no notice of reflect_type, on NumPy chunks as well",
    "pipelines/top three mean": "see topk",
    "properties/*": "it gives no elements",
    "reductions/moment[0]": "moments of order 0 and 1 are numbers that dask knows without looking at an element",
    "reductions/moment[1,axis=0]": "moments of order 0 and 1 are numbers that dask knows without looking at an element",
    "stats/*": "SciPy has tests of its own for masked arrays, and dask follows the others",
}
