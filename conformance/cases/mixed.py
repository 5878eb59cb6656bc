"""Operands of unlike residence: chunks in host memory beside chunks of the backend, on either side."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import within

case = within()
own = within(numpy=False)


def doubled_by_host(chunk: Any, beside: Any) -> Any:
    """A user's function, which must get exactly what was passed: twice the chunk if the other is still on the host."""
    return chunk * (2.0 if type(beside) is np.ndarray else 0.0)


CASES = (
    case("add[host dask]", lambda da, b: da.add(b.x, da.asarray(b.host(np.ones((13, 8)))))),
    case("add[host dask first]", lambda da, b: da.add(da.asarray(b.host(np.ones((13, 8)))), b.x)),
    case("add[0d host dask]", lambda da, b: da.add(b.x, da.asarray(b.host(np.array(2.0))))),
    case("subtract[host dask row]", lambda da, b: da.subtract(b.x, da.asarray(b.host(np.arange(8.0))))),
    case("multiply[host dask column]", lambda da, b: da.multiply(da.asarray(b.host(np.arange(13.0)))[:, None], b.x)),
    case("maximum[host dask]", lambda da, b: da.maximum(b.x, da.asarray(b.host(np.zeros(8))))),
    case("arctan2[host dask]", lambda da, b: da.arctan2(b.x, da.asarray(b.host(np.ones(8))))),
    case("power[host dask]", lambda da, b: da.power(b.x, da.asarray(b.host(np.full(8, 2))))),
    case("less[host dask]", lambda da, b: da.less(b.x, da.asarray(b.host(np.zeros(8))))),
    case("logical_and[host dask]", lambda da, b: da.logical_and(b.bools, da.asarray(b.host(np.arange(8) > 3)))),
    case("isclose[host dask]", lambda da, b: da.isclose(b.x, da.asarray(b.host(np.zeros(8))), atol=1.0)),
    case("allclose[host dask]", lambda da, b: da.allclose(b.x * 0, da.asarray(b.host(np.zeros((13, 8)))))),
    case("where[host dask]", lambda da, b: da.where(b.x > 0, b.x, da.asarray(b.host(np.zeros((13, 8)))))),
    case("where[host dask condition]", lambda da, b: da.where(da.asarray(b.host(np.arange(8) > 3)), b.x, b.y)),
    case("where[0d host dask]", lambda da, b: da.where(b.x > 0, b.x, da.asarray(b.host(np.array(0.0))))),
    case("clip[host dask]", lambda da, b: da.clip(b.x, da.asarray(b.host(np.zeros(8))), 1.0)),
    case("select[host dask]", lambda da, b: da.select([b.x > 1], [da.asarray(b.host(np.ones((13, 8))))], 0.0)),
    case("choose[host dask]", lambda da, b: da.choose(b.ints % 2, [b.x, da.asarray(b.host(np.ones((13, 8))))])),
    case("dot[host dask]", lambda da, b: da.dot(b.x, da.asarray(b.host(np.ones((8, 3)))))),
    case("matmul[host dask]", lambda da, b: da.matmul(b.x, da.asarray(b.host(np.ones((8, 3)))))),
    case("matmul[host dask first]", lambda da, b: da.matmul(da.asarray(b.host(np.ones((3, 13)))), b.x)),
    case("tensordot[host dask]", lambda da, b: da.tensordot(b.x, da.asarray(b.host(np.ones((8, 3)))), axes=1)),
    case("einsum[host dask]", lambda da, b: da.einsum("ij,jk->ik", b.x, da.asarray(b.host(np.ones((8, 3)))))),
    case("vdot[host dask]", lambda da, b: da.vdot(b.v, da.asarray(b.host(np.ones(23))))),
    case("outer[host dask]", lambda da, b: da.outer(b.v, da.asarray(b.host(np.arange(3.0))))),
    case("concatenate[host dask]", lambda da, b: da.concatenate([b.x, da.asarray(b.host(np.ones((2, 8))))])),
    case("concatenate[host dask first]", lambda da, b: da.concatenate([da.asarray(b.host(np.ones((2, 8)))), b.x])),
    case("stack[host dask]", lambda da, b: da.stack([b.x, da.asarray(b.host(np.ones((13, 8))))])),
    case("vstack[host dask]", lambda da, b: da.vstack([b.v, da.asarray(b.host(np.ones(23)))])),
    case("block[host dask]", lambda da, b: da.block([[b.square, da.asarray(b.host(np.ones((8, 2))))]])),
    case("append[host dask]", lambda da, b: da.append(b.v, da.asarray(b.host(np.ones(3))))),
    case(
        "average[weights=host dask]",
        lambda da, b: da.average(b.x, axis=1, weights=da.asarray(b.host(np.arange(8.0)))),
    ),
    case("cov[y=host]", lambda da, b: da.cov(b.v, b.host(np.arange(23.0)))),
    case("cov[y=host dask]", lambda da, b: da.cov(b.v, da.asarray(b.host(np.arange(23.0))))),
    case("corrcoef[y=host]", lambda da, b: da.corrcoef(b.v, b.host(np.arange(23.0)))),
    case("isin[host dask]", lambda da, b: da.isin(b.ints, da.asarray(b.host(np.array([3, 4]))))),
    case("union1d[host dask]", lambda da, b: da.union1d(b.ints, da.asarray(b.host(np.array([100, 3]))))),
    own(
        "histogram[weights=host dask]",
        lambda da, b: da.histogram(b.v, 5, (-3, 3), weights=da.from_array(b.host(np.ones(23)), b.v.chunks))[0],
    ),
    case(
        "histogram[bins=host dask]",
        lambda da, b: da.histogram(b.x, bins=da.asarray(b.host(np.arange(-3.0, 4.0))))[0],
    ),
    own(
        "histogram2d[host dask]",
        lambda da, b: da.histogram2d(b.v, da.from_array(b.host(np.ones(23)), b.v.chunks), 3, ((-2, 2), (0, 2)))[0],
    ),
    own(
        "bincount[weights=host dask]",
        lambda da, b: da.bincount(b.index + 13, da.from_array(b.host(np.arange(7.0)), b.index.chunks), 30),
    ),
    case("take[host dask index]", lambda da, b: da.take(b.x, da.asarray(b.host(np.array([0, 3]))), axis=0)),
    case("extract[host dask]", lambda da, b: da.extract(da.asarray(b.host(np.arange(23) > 3)), b.v)),
    case(
        "getitem[host dask mask]",
        lambda da, b: b.v[da.asarray(b.host(np.arange(23) > 3))],
        names=("Array.__getitem__",),
    ),
    case(
        "getitem[host dask index]",
        lambda da, b: b.v[da.asarray(b.host(np.array([4, 2])))],
        names=("Array.__getitem__",),
    ),
    case("searchsorted[host dask]", lambda da, b: da.searchsorted(da.asarray(b.host(np.arange(-3.0, 4.0))), b.x)),
    case("meshgrid[host]", lambda da, b: da.meshgrid(b.v, da.asarray(b.host(np.arange(3.0)))), result="other"),
    own("map_blocks[host]", lambda da, b: da.map_blocks(doubled_by_host, b.x, b.host(np.ones((1, 1))))),
    own(
        "blockwise[host]",
        lambda da, b: da.blockwise(doubled_by_host, "ij", b.x, "ij", b.host(np.ones(8)), "j", dtype="f8"),
    ),
    own(
        "apply_gufunc[host dask]",
        lambda da, b: da.apply_gufunc(doubled_by_host, "(),()->()", b.x, da.asarray(b.host(np.ones(1)))),
    ),
    own(
        "map_overlap[host]",
        lambda da, b: da.map_overlap(
            doubled_by_host, b.square, da.from_array(b.host(np.ones((8, 8))), 4), depth=1, boundary=0
        ),
    ),
    own(
        "lstsq[right=host dask]",
        lambda da, b: da.linalg.lstsq(b.tall, da.from_array(b.host(np.ones(40)), 10))[0],
        names=("linalg.lstsq",),
    ),
    own(
        "solve_triangular[right=host dask]",
        lambda da, b: da.linalg.solve_triangular(da.triu(b.square), da.from_array(b.host(np.ones(8)), 4)),
        names=("linalg.solve_triangular",),
        requires=("scipy",),
    ),
    case("add[np.float64]", lambda da, b: da.add(b.x, np.float64(2.5))),
    case("multiply[np.int32]", lambda da, b: da.multiply(b.x, np.int32(3))),
    case("add[list]", lambda da, b: da.add(b.x, [1, 2, 3, 4, 5, 6, 7, 8])),
    case("multiply[0d host]", lambda da, b: da.multiply(b.x, b.host(np.array(2.0)))),
    case("multiply[0d device]", lambda da, b: da.multiply(b.x, b.device(np.array(2.0)))),
    case("add[device first]", lambda da, b: da.add(b.device(np.ones((13, 8))), b.x)),
    case("nan_to_num[then host]", lambda da, b: da.nan_to_num(b.nans) + b.host(np.ones(8))),
)
