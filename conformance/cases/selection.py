"""Choosing among arrays and elements by condition or number."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
every = within(accepts="biufc", shapes="0d 1d 2d 3d empty unknown")

CASES = (
    case("where[x,x]", lambda da, b: da.where(b.x == b.x, b.x, b.x)),
    every("where[x,0]", lambda da, b: da.where(b.x != 0, b.x, 0)),
    case("where[dask,dask]", lambda da, b: da.where(b.x > 0, b.x, b.y)),
    case("where[dask,scalar]", lambda da, b: da.where(b.x > 0, b.x, np.nan)),
    case("where[scalar,scalar]", lambda da, b: da.where(b.x > 0, 1, 2)),
    case("where[broadcast]", lambda da, b: da.where(b.mask[:, None], b.x, b.y)),
    case("where[device condition]", lambda da, b: da.where(b.device(np.arange(8) > 3), b.x, b.y)),
    case("where[host condition]", lambda da, b: da.where(b.host(np.arange(8) > 3), b.x, b.y)),
    case("where[host]", lambda da, b: da.where(b.x > 0, b.x, b.host(np.arange(8.0)))),
    case("where[device]", lambda da, b: da.where(b.x > 0, b.device(np.arange(8.0)), b.x)),
    case("where[0d host]", lambda da, b: da.where(b.x > 0, b.x, b.host(np.array(7.0)))),
    case("where[0d dask]", lambda da, b: da.where(b.x > 0, b.x, b.y.mean())),
    case("where[True]", lambda da, b: da.where(True, b.x, b.y)),
    case("where[condition only]", lambda da, b: da.where(b.x > 0)),
    case("where[condition only,1d]", lambda da, b: da.where(b.v > 0)),
    case("nonzero", lambda da, b: da.nonzero(b.x > 0)),
    case("nonzero[1d]", lambda da, b: da.nonzero(b.v > 0)),
    case("nonzero[3d]", lambda da, b: da.nonzero(b.cube > 0)),
    case("nonzero[int]", lambda da, b: da.nonzero(b.ints)),
    case("flatnonzero", lambda da, b: da.flatnonzero(b.x > 0)),
    case("flatnonzero[1d]", lambda da, b: da.flatnonzero(b.v > 0)),
    case("argwhere", lambda da, b: da.argwhere(b.x > 0)),
    case("argwhere[1d]", lambda da, b: da.argwhere(b.v > 0)),
    case("argwhere[int]", lambda da, b: da.argwhere(b.ints)),
    case("extract", lambda da, b: da.extract(b.x > 0, b.x)),
    case("extract[1d]", lambda da, b: da.extract(b.v > 0, b.v)),
    case("extract[host]", lambda da, b: da.extract(b.host(np.arange(23) % 2 == 0), b.v)),
    case("extract[device]", lambda da, b: da.extract(b.device(np.arange(23) % 2 == 0), b.v)),
    case("compress[list]", lambda da, b: da.compress([True, False, True], b.x, axis=0)),
    case("compress[host]", lambda da, b: da.compress(b.host(np.arange(8) > 3), b.x, axis=1)),
    case("compress[device]", lambda da, b: da.compress(b.device(np.arange(8) > 3), b.x, axis=1)),
    case("compress[dask]", lambda da, b: da.compress(b.mask, b.x, axis=0)),
    case("compress[axis=None]", lambda da, b: da.compress([True, False, True], b.x)),
    case("compress[axis=None,dask]", lambda da, b: da.compress(b.v > 0, b.v)),
    case("choose", lambda da, b: da.choose(b.ints % 3, [b.x, b.y, b.x - b.y])),
    case("choose[host choices]", lambda da, b: da.choose(b.bools.astype(int), [b.x, b.host(np.zeros((13, 8)))])),
    case("choose[device choices]", lambda da, b: da.choose(b.bools.astype(int), [b.x, b.device(np.zeros((13, 8)))])),
    case("choose[scalars]", lambda da, b: da.choose(b.ints % 3, [10, 20, 30])),
    case("select", lambda da, b: da.select([b.x > 1, b.x < -1], [b.x, b.y])),
    case("select[default]", lambda da, b: da.select([b.x > 1, b.x < -1], [b.x, b.y], default=7.0)),
    case("select[host choices]", lambda da, b: da.select([b.x > 1, b.x < -1], [b.x, b.host(np.ones((13, 8)))])),
    case("select[device choices]", lambda da, b: da.select([b.x > 1, b.x < -1], [b.x, b.device(np.ones((13, 8)))])),
    case("piecewise[scalars]", lambda da, b: da.piecewise(b.x, [b.x < 0, b.x >= 0], [-1.0, 1.0])),
    case("piecewise[functions]", lambda da, b: da.piecewise(b.x, [b.x < 0, b.x >= 0], [lambda t: -t, lambda t: t * 2])),
    case("piecewise[default]", lambda da, b: da.piecewise(b.v, [b.v < 0], [lambda t: -t, 5.0])),
    case("unravel_index", lambda da, b: da.unravel_index(b.array(np.array([0, 22, 41, 7])), (7, 6))),
    case("unravel_index[order=F]", lambda da, b: da.unravel_index(b.array(np.array([0, 22, 41])), (7, 6), order="F")),
    case("unravel_index[3d]", lambda da, b: da.unravel_index(b.array(np.array([[0, 22], [41, 7]])), (7, 3, 2))),
    case("ravel_multi_index", lambda da, b: da.ravel_multi_index(b.array(np.array([[3, 6, 6], [4, 5, 1]])), (7, 6))),
    case(
        "ravel_multi_index[tuple]",
        lambda da, b: da.ravel_multi_index((b.array(np.array([3, 6])), b.array(np.array([4, 5]))), (7, 6)),
    ),
    case(
        "ravel_multi_index[mode=clip]",
        lambda da, b: da.ravel_multi_index(b.array(np.array([[3, 9], [4, -5]])), (7, 6), mode="clip"),
    ),
    case("tril", lambda da, b: da.tril(b.x), accepts="biufc", shapes="2d"),
    case("tril[k=1]", lambda da, b: da.tril(b.x, 1)),
    case("tril[k=-2,3d]", lambda da, b: da.tril(b.cube, -2)),
    case("triu", lambda da, b: da.triu(b.x)),
    case("triu[k=-1]", lambda da, b: da.triu(b.x, -1)),
    case("triu[k=2,3d]", lambda da, b: da.triu(b.cube, 2)),
    case("tril_indices_from", lambda da, b: da.tril_indices_from(b.square)),
    case("triu_indices_from", lambda da, b: da.triu_indices_from(b.square, k=1)),
)
