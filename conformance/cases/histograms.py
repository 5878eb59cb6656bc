"""Counting: in bins of one and more dimensions, and by number."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
own = within(numpy=False)
weighted = within(requires=("dask>=2026.7",))

CASES = (
    case("histogram[bins,range]", lambda da, b: da.histogram(b.x, bins=5, range=(-3, 3))[0]),
    case("histogram[edges]", lambda da, b: da.histogram(b.x, bins=5, range=(-3, 3)), result="other"),
    case("histogram[1d]", lambda da, b: da.histogram(b.v, bins=4, range=[-2, 2])[0]),
    case("histogram[int]", lambda da, b: da.histogram(b.ints, bins=6, range=(-5, 20))[0]),
    case("histogram[bins=list]", lambda da, b: da.histogram(b.x, bins=[-3, -1, 0, 2])[0]),
    case("histogram[bins=host]", lambda da, b: da.histogram(b.x, bins=b.host(np.array([-3.0, -1.0, 0.0, 2.0])))[0]),
    case("histogram[bins=device]", lambda da, b: da.histogram(b.x, bins=b.device(np.array([-3.0, -1.0, 0.0, 2.0])))[0]),
    case("histogram[bins=dask]", lambda da, b: da.histogram(b.x, bins=b.array(np.array([-3.0, -1.0, 0.0, 2.0])))[0]),
    case("histogram[density]", lambda da, b: da.histogram(b.x, bins=5, range=(-3, 3), density=True)[0]),
    case("histogram[bins=list,density]", lambda da, b: da.histogram(b.v, bins=[-3, -1, 0, 2], density=True)[0]),
    case("histogram[weights=dask]", lambda da, b: da.histogram(b.x, 5, (-3, 3), weights=b.x * b.x)[0]),
    case("histogram[1d,weights=dask]", lambda da, b: da.histogram(b.v, 5, (-3, 3), weights=b.v * b.v)[0]),
    case("histogram[weights,density]", lambda da, b: da.histogram(b.x, 5, (-3, 3), weights=b.x * b.x, density=True)[0]),
    case("histogram[range=dask]", lambda da, b: da.histogram(b.x, bins=5, range=[b.x.min(), b.x.max()])[0]),
    case("histogram[unknown]", lambda da, b: da.histogram(b.v[b.v > 0], bins=5, range=(-3, 3))[0]),
    case("histogram[nan]", lambda da, b: da.histogram(b.nans[:3], bins=5, range=(-3, 3))[0]),
    case("histogram2d", lambda da, b: da.histogram2d(b.v, b.v * 2, bins=4, range=((-2, 2), (-4, 4)))[0]),
    case("histogram2d[bins=two]", lambda da, b: da.histogram2d(b.v, b.v * 2, bins=(3, 4), range=((-2, 2), (-4, 4)))[0]),
    case("histogram2d[bins=lists]", lambda da, b: da.histogram2d(b.v, b.v * 2, bins=[[-2, 0, 1], [-4, 0, 4]])[0]),
    case(
        "histogram2d[density]",
        lambda da, b: da.histogram2d(b.v, b.v * 2, bins=4, range=((-2, 2), (-4, 4)), density=True)[0],
    ),
    case(
        "histogram2d[weights]",
        lambda da, b: da.histogram2d(b.v, b.v * 2, bins=4, range=((-2, 2), (-4, 4)), weights=b.v * b.v)[0],
    ),
    case("histogram2d[edges]", lambda da, b: da.histogram2d(b.v, b.v, 3, ((-2, 2), (-4, 4))), result="other"),
    case("histogramdd", lambda da, b: da.histogramdd((b.v, b.v * 2, -b.v), bins=3, range=((-2, 2),) * 3)[0]),
    own(
        "histogramdd[2d]",
        lambda da, b: da.histogramdd(b.tall[:, :2].rechunk((10, 2)), bins=3, range=((-2, 2), (-2, 2)))[0],
    ),
    case("histogramdd[bins=lists]", lambda da, b: da.histogramdd((b.v, -b.v), bins=([-2, 0, 2], [-2, 0, 1]))[0]),
    case(
        "histogramdd[bins=host]",
        lambda da, b: da.histogramdd((b.v, -b.v), bins=(b.host(np.arange(-2.0, 3)), b.host(np.arange(-3.0, 3))))[0],
    ),
    case(
        "histogramdd[density]",
        lambda da, b: da.histogramdd((b.v, -b.v), bins=(3, 4), range=((-2, 2), (-2, 2)), density=True)[0],
    ),
    case(
        "histogramdd[weights]",
        lambda da, b: da.histogramdd((b.v, -b.v), bins=(3, 4), range=((-2, 2), (-2, 2)), weights=b.v * b.v)[0],
    ),
    case("bincount", lambda da, b: da.bincount(b.array(np.array([3, 1, 1, 0, 5])), minlength=8)),
    case("bincount[no minlength]", lambda da, b: da.bincount(b.array(np.array([3, 1, 1, 0, 5])))),
    case("bincount[weights=dask]", lambda da, b: da.bincount(b.index + 13, weights=b.index * 0.5, minlength=30)),
    case(
        "bincount[weights,no minlength]",
        lambda da, b: da.bincount(b.array(np.array([3, 1, 1, 0])), weights=b.array(np.array([0.5, 1.5, 2.5, 3.5]))),
    ),
    own("bincount[split_every]", lambda da, b: da.bincount(b.index + 13, minlength=6, split_every=2)),
    case("corrcoef", lambda da, b: da.corrcoef(b.x)),
    case("corrcoef[columns]", lambda da, b: da.corrcoef(b.tall, rowvar=False)),
    case("corrcoef[y]", lambda da, b: da.corrcoef(b.v, b.v * b.v)),
    case("cov", lambda da, b: da.cov(b.x)),
    case("cov[1d]", lambda da, b: da.cov(b.v)),
    case("cov[y]", lambda da, b: da.cov(b.v, b.v * b.v)),
    case("cov[columns]", lambda da, b: da.cov(b.tall, rowvar=False)),
    case("cov[ddof=0]", lambda da, b: da.cov(b.x, ddof=0)),
    case("cov[bias]", lambda da, b: da.cov(b.x, bias=True)),
    weighted("cov[fweights=host]", lambda da, b: da.cov(b.tall.T, fweights=b.host(np.arange(40) % 3))),
    weighted("cov[aweights=list]", lambda da, b: da.cov(b.square, aweights=[1, 2, 3, 4, 5, 6, 7, 8])),
    weighted("cov[aweights=dask]", lambda da, b: da.cov(b.square, aweights=b.spd[0] * b.spd[0])),
    case("cov[complex]", lambda da, b: da.cov(b.complexes)),
)
