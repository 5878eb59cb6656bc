"""Running sums and products, differences and slopes."""

from __future__ import annotations

import numpy as np

from . import AXIAL, within

case = within()
along = within(accepts="biufc", shapes=AXIAL)
own = within(numpy=False)

CASES = (
    along("cumsum[axis=0]", lambda da, b: da.cumsum(b.x, axis=0)),
    case("cumsum[axis=-1]", lambda da, b: da.cumsum(b.x, axis=-1)),
    case("cumsum[axis=None]", lambda da, b: da.cumsum(b.x, axis=None)),
    case("cumsum[axis=1]", lambda da, b: da.cumsum(b.x, axis=1)),
    case("cumsum[dtype=f4]", lambda da, b: da.cumsum(b.ints, axis=0, dtype="f4")),
    case("cumsum[out]", lambda da, b: da.cumsum(b.x, axis=0, out=b.array(np.zeros((13, 8))))),
    own("cumsum[sequential]", lambda da, b: da.cumsum(b.x, axis=0, method="sequential")),
    own("cumsum[blelloch]", lambda da, b: da.cumsum(b.x, axis=0, method="blelloch"), accepts="biufc", shapes=AXIAL),
    own("cumsum[axis=-1,blelloch]", lambda da, b: da.cumsum(b.x, axis=-1, method="blelloch")),
    own("cumsum[axis=None,blelloch]", lambda da, b: da.cumsum(b.x, axis=None, method="blelloch")),
    case("cumprod[axis=0]", lambda da, b: da.cumprod(b.x, axis=0)),
    case("cumprod[axis=-1]", lambda da, b: da.cumprod(b.x, axis=-1)),
    case("cumprod[axis=None]", lambda da, b: da.cumprod(b.v, axis=None)),
    case("cumprod[dtype=f8]", lambda da, b: da.cumprod(b.ints, axis=0, dtype="f8")),
    own("cumprod[blelloch]", lambda da, b: da.cumprod(b.x, axis=0, method="blelloch")),
    own("cumprod[axis=1,sequential]", lambda da, b: da.cumprod(b.x, axis=1, method="sequential")),
    along("nancumsum[axis=0]", lambda da, b: da.nancumsum(b.x, axis=0)),
    case("nancumsum[nan,axis=1]", lambda da, b: da.nancumsum(b.nans, axis=1)),
    case("nancumsum[nan,axis=None]", lambda da, b: da.nancumsum(b.nans, axis=None)),
    case("nancumsum[dtype=f4]", lambda da, b: da.nancumsum(b.nans, axis=0, dtype="f4"), rtol=1e-5),  # four-byte sums
    own("nancumsum[nan,blelloch]", lambda da, b: da.nancumsum(b.nans, axis=0, method="blelloch")),
    case("nancumprod[axis=0]", lambda da, b: da.nancumprod(b.x, axis=0)),
    case("nancumprod[nan,axis=1]", lambda da, b: da.nancumprod(b.nans, axis=1)),
    case("nancumprod[nan,axis=None]", lambda da, b: da.nancumprod(b.nans, axis=None)),
    own("nancumprod[nan,blelloch]", lambda da, b: da.nancumprod(b.nans, axis=0, method="blelloch")),
    along("diff", lambda da, b: da.diff(b.x)),
    case("diff[axis=0]", lambda da, b: da.diff(b.x, axis=0)),
    case("diff[n=2]", lambda da, b: da.diff(b.x, n=2)),
    case("diff[n=3,axis=0]", lambda da, b: da.diff(b.x, n=3, axis=0)),
    case("diff[n=0]", lambda da, b: da.diff(b.x, n=0)),
    case("diff[prepend=scalar]", lambda da, b: da.diff(b.x, axis=0, prepend=0.0)),
    case("diff[append=scalar]", lambda da, b: da.diff(b.x, axis=0, append=1.0)),
    case("diff[prepend=host]", lambda da, b: da.diff(b.x, axis=0, prepend=b.host(np.ones((2, 8))))),
    case("diff[append=device]", lambda da, b: da.diff(b.x, axis=0, append=b.device(np.ones((2, 8))))),
    case("diff[prepend,append=dask]", lambda da, b: da.diff(b.v, prepend=b.w, append=b.w)),
    case("diff[length=1]", lambda da, b: da.diff(b.x[:1], axis=0)),
    case("diff[empty]", lambda da, b: da.diff(b.x[:0], axis=0)),
    case("diff[empty,other axis]", lambda da, b: da.diff(b.x[:0], axis=1)),
    case("ediff1d", lambda da, b: da.ediff1d(b.v)),
    case("ediff1d[2d]", lambda da, b: da.ediff1d(b.x)),
    case("ediff1d[to_begin=scalar]", lambda da, b: da.ediff1d(b.v, to_begin=-1.0)),
    case("ediff1d[to_end=list]", lambda da, b: da.ediff1d(b.v, to_end=[7.0, 8.0])),
    case("ediff1d[to_begin,to_end=host]", lambda da, b: da.ediff1d(b.v, b.host(np.ones(2)), b.host(np.zeros(3)))),
    case("ediff1d[to_begin=device]", lambda da, b: da.ediff1d(b.v, to_begin=b.device(np.ones(2)))),
    case("ediff1d[to_end=dask]", lambda da, b: da.ediff1d(b.v, to_end=b.w)),
    case("gradient", lambda da, b: da.gradient(b.square)),
    own("gradient[1d]", lambda da, b: da.gradient(b.v)),  # a list of one, where NumPy gives the array itself
    case("gradient[axis=-1]", lambda da, b: da.gradient(b.x, axis=-1)),
    case("gradient[axis=(0,1)]", lambda da, b: da.gradient(b.square, axis=(0, 1))),
    case("gradient[3d,axis=1]", lambda da, b: da.gradient(b.cube, axis=1)),
    case("gradient[spacing]", lambda da, b: da.gradient(b.square, 2.0)),
    case("gradient[spacings]", lambda da, b: da.gradient(b.square, 2.0, 0.5)),
    case("gradient[axis=0,edge_order=2]", lambda da, b: da.gradient(b.square, axis=0, edge_order=2)),
    case("gradient[coordinates=list]", lambda da, b: da.gradient(b.x, [0, 1, 2, 4, 5, 7, 8, 9], axis=1)),
    case("gradient[coordinates=host]", lambda da, b: da.gradient(b.square, b.host(np.arange(8.0) ** 2), axis=0)),
    case("gradient[coordinates=device]", lambda da, b: da.gradient(b.square, b.device(np.arange(8.0) ** 2), axis=0)),
    case(
        "gradient[coordinates,edge_order=2]",
        lambda da, b: da.gradient(b.square[0], np.arange(8.0) ** 2, axis=0, edge_order=2),
    ),
    own("push[axis=0]", lambda da, b: da.push(b.nans, None, 0), requires=("bottleneck",)),
    own("push[n=1,axis=1]", lambda da, b: da.push(b.nans, 1, 1), requires=("bottleneck",)),
)
