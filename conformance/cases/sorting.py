"""Order: the largest, where they are, and between which a value lies."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
own = within(numpy=False)

CASES = (
    own("topk", lambda da, b: da.topk(b.v, 3)),
    own("topk[k=-3]", lambda da, b: da.topk(b.v, -3)),
    own("topk[axis=0]", lambda da, b: da.topk(b.x, 3, axis=0)),
    own("topk[axis=-1]", lambda da, b: da.topk(b.x, 2, axis=-1), accepts="biuf", shapes="1d 2d 3d"),
    own("topk[axis=1,k=-2,split_every]", lambda da, b: da.topk(b.x, -2, axis=1, split_every=2)),
    own("topk[3d,axis=1]", lambda da, b: da.topk(b.cube, 2, axis=1)),
    own("topk[k beyond]", lambda da, b: da.topk(b.x, 20, axis=1)),
    own("argtopk", lambda da, b: da.argtopk(b.v, 3)),
    own("argtopk[k=-3]", lambda da, b: da.argtopk(b.v, -3)),
    own("argtopk[axis=0]", lambda da, b: da.argtopk(b.x, 3, axis=0)),
    own("argtopk[axis=-1]", lambda da, b: da.argtopk(b.x, 2, axis=-1)),
    own("argtopk[axis=1,k=-2,split_every]", lambda da, b: da.argtopk(b.x, -2, axis=1, split_every=2)),
    own("Array.topk", lambda da, b: b.v.topk(4)),
    own("Array.topk[axis=0,k=-2]", lambda da, b: b.x.topk(-2, axis=0)),
    own("Array.argtopk", lambda da, b: b.v.argtopk(4)),
    own("Array.argtopk[axis=0,k=-2]", lambda da, b: b.x.argtopk(-2, axis=0)),
    case("searchsorted", lambda da, b: da.searchsorted(b.array(np.arange(-3.0, 4.0)), b.x)),
    case("searchsorted[1d]", lambda da, b: da.searchsorted(b.array(np.arange(-3.0, 4.0)), b.v)),
    case("searchsorted[right]", lambda da, b: da.searchsorted(b.array(np.arange(-3, 4)), b.ints, side="right")),
    case("searchsorted[host values]", lambda da, b: da.searchsorted(b.v * 0, da.asarray(b.host(np.ones(3))))),
    case("searchsorted[host]", lambda da, b: da.searchsorted(da.asarray(b.host(np.arange(5.0))), b.v)),
    case("searchsorted[device values]", lambda da, b: da.searchsorted(b.v * 0, da.asarray(b.device(np.ones(3))))),
    case("searchsorted[3d]", lambda da, b: da.searchsorted(b.array(np.arange(5.0)), b.cube)),
    case("digitize[host]", lambda da, b: da.digitize(b.x, b.host(np.arange(-3.0, 4.0)))),
    case("digitize[device]", lambda da, b: da.digitize(b.x, b.device(np.arange(-3.0, 4.0)))),
    case("digitize[right]", lambda da, b: da.digitize(b.ints, b.host(np.arange(0, 9, 2)), right=True)),
    case("digitize[descending]", lambda da, b: da.digitize(b.v, b.host(np.arange(4.0, -4.0, -1.0)))),
    case("digitize[list]", lambda da, b: da.digitize(b.v, [-1.0, 0.0, 1.0])),
)
