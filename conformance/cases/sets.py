"""Distinct values and membership."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
every = within(accepts="biufc", shapes="0d 1d 2d 3d empty unknown")

CASES = (
    every("unique", lambda da, b: da.unique(b.x)),
    case("unique[ints]", lambda da, b: da.unique(b.ints)),
    case("unique[1d]", lambda da, b: da.unique(b.ints[:, 0])),
    case("unique[bool]", lambda da, b: da.unique(b.bools)),
    case("unique[index]", lambda da, b: da.unique(b.ints.ravel(), return_index=True)),
    case("unique[inverse]", lambda da, b: da.unique(b.ints.ravel(), return_inverse=True)),
    case("unique[counts]", lambda da, b: da.unique(b.ints.ravel(), return_counts=True)),
    case("unique[2d,counts]", lambda da, b: da.unique(b.ints, return_counts=True)),
    case("unique[2d,index]", lambda da, b: da.unique(b.ints, return_index=True)),
    case("unique[index,inverse,counts]", lambda da, b: da.unique(b.ints[0], True, True, True)),
    case("unique[floats,counts]", lambda da, b: da.unique(b.v, return_counts=True)),
    case("unique[single chunk]", lambda da, b: da.unique(b.array(np.array([3, 1, 1]), -1), return_counts=True)),
    case("unique[unknown]", lambda da, b: da.unique(b.ints.ravel()[b.ints.ravel() > 3])),
    case("union1d", lambda da, b: da.union1d(b.ints, b.ints + 3)),
    case("union1d[1d]", lambda da, b: da.union1d(b.v, b.w)),
    case("union1d[host]", lambda da, b: da.union1d(b.ints, b.host(np.array([100, 3])))),
    case("union1d[device]", lambda da, b: da.union1d(b.ints, b.device(np.array([100, 3])))),
    case("isin[list]", lambda da, b: da.isin(b.ints, [3, 4, 5])),
    case("isin[host]", lambda da, b: da.isin(b.ints, b.host(np.array([3, 4, 5])))),
    case("isin[device]", lambda da, b: da.isin(b.ints, b.device(np.array([3, 4, 5])))),
    case("isin[dask]", lambda da, b: da.isin(b.ints, b.index)),
    case("isin[invert]", lambda da, b: da.isin(b.ints, [3, 4, 5], invert=True)),
    case("isin[assume_unique]", lambda da, b: da.isin(b.index[:3], b.index[4:6], assume_unique=True)),
    case("isin[2d test elements]", lambda da, b: da.isin(b.ints, b.ints[:2, :2])),
    case("isin[self]", lambda da, b: da.isin(b.x, b.x), accepts="biufc", shapes="1d 2d 3d"),
    case("isin[scalar]", lambda da, b: da.isin(b.ints, 3)),
)
