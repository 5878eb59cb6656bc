"""Methods of dask arrays; the functions of the same names have their own families."""

from __future__ import annotations

import numpy as np

from arrayshim.conformance.case import rechunked

from . import within

case = within("Array.")
own = within("Array.", numpy=False)
every = within("Array.", accepts="biufc", shapes="0d 1d 2d 3d empty unknown")

CASES = (
    case("sum", lambda da, b: b.x.sum()),
    case("sum[axis=0,keepdims]", lambda da, b: b.x.sum(axis=0, keepdims=True)),
    case("sum[dtype]", lambda da, b: b.ints.sum(axis=1, dtype="f4")),
    case("prod", lambda da, b: b.x.prod(axis=1)),
    case("mean", lambda da, b: b.x.mean()),
    case("mean[axis=-1]", lambda da, b: b.x.mean(axis=-1)),
    case("std", lambda da, b: b.x.std(axis=0)),
    case("std[ddof=1]", lambda da, b: b.x.std(ddof=1)),
    case("var", lambda da, b: b.x.var(axis=1)),
    case("var[keepdims]", lambda da, b: b.x.var(axis=0, keepdims=True)),
    case("min", lambda da, b: b.x.min()),
    case("min[axis=0]", lambda da, b: b.x.min(axis=0)),
    case("max", lambda da, b: b.x.max()),
    case("max[axis=1,keepdims]", lambda da, b: b.x.max(axis=1, keepdims=True)),
    case("any", lambda da, b: b.bools.any(axis=0)),
    case("all", lambda da, b: b.bools.all(axis=1)),
    case("argmin", lambda da, b: b.x.argmin(axis=0)),
    case("argmin[all]", lambda da, b: b.x.argmin()),
    case("argmax", lambda da, b: b.x.argmax(axis=1)),
    case("argmax[keepdims]", lambda da, b: b.x.argmax(axis=1, keepdims=True)),
    own("moment", lambda da, b: b.x.moment(3, axis=0)),
    own("moment[all]", lambda da, b: b.x.moment(4)),
    case("cumsum", lambda da, b: b.x.cumsum(axis=0)),
    own("cumsum[blelloch]", lambda da, b: b.x.cumsum(axis=1, method="blelloch")),
    case("cumprod", lambda da, b: b.x.cumprod(axis=1)),
    own("cumprod[blelloch]", lambda da, b: b.x.cumprod(axis=0, method="blelloch")),
    case("trace", lambda da, b: b.x.trace(offset=1)),
    case("dot", lambda da, b: b.x.dot(b.square)),
    case("dot[host]", lambda da, b: b.x.dot(b.host(np.ones((8, 2))))),
    case("dot[device]", lambda da, b: b.x.dot(b.device(np.ones((8, 2))))),
    case("clip", lambda da, b: b.x.clip(-0.5, 0.5)),
    case("clip[max]", lambda da, b: b.x.clip(max=0.5)),
    case("round", lambda da, b: b.x.round(1)),
    case("round[0]", lambda da, b: b.x.round()),
    case("conj", lambda da, b: b.complexes.conj()),
    case("choose", lambda da, b: (b.ints % 2).choose([b.x, b.y])),
    case("nonzero", lambda da, b: b.ints.nonzero()),
    case("repeat", lambda da, b: b.x.repeat(2, axis=0)),
    case("squeeze", lambda da, b: b.x[:1].squeeze()),
    case("squeeze[axis]", lambda da, b: b.x[:, :1].squeeze(axis=1)),
    case("swapaxes", lambda da, b: b.cube.swapaxes(0, 2)),
    case("transpose", lambda da, b: b.x.transpose()),
    case("transpose[axes]", lambda da, b: b.cube.transpose((1, 2, 0))),
    case("transpose[arguments]", lambda da, b: b.cube.transpose(2, 1, 0)),
    case("transpose[negative]", lambda da, b: b.cube.transpose(-1, 0, 1)),
    every("astype[f4]", lambda da, b: b.x.astype("f4")),
    case("astype[c16]", lambda da, b: b.x.astype("c16")),
    case("astype[i8]", lambda da, b: b.x.astype("i8")),
    case("astype[bool]", lambda da, b: b.x.astype(bool)),
    case("astype[same]", lambda da, b: b.x.astype("f8")),
    case("astype[copy=False]", lambda da, b: b.x.astype("f8", copy=False)),
    case("astype[casting=safe]", lambda da, b: b.ints.astype("f8", casting="safe")),
    case("astype[casting=unsafe]", lambda da, b: b.x.astype("i4", casting="unsafe")),
    every("copy", lambda da, b: b.x.copy()),
    case("copy[one chunk]", lambda da, b: rechunked(b.x, -1).copy()),
    case("view", lambda da, b: b.x.view("i8")),
    case("view[smaller]", lambda da, b: b.x.view("i4")),
    case("view[larger]", lambda da, b: b.array(np.arange(16, dtype="i4").reshape(4, 4), (2, 4)).view("i8")),
    own("shuffle", lambda da, b: b.x.shuffle([[0, 5], [3]], axis=0)),
    own("compute_chunk_sizes", lambda da, b: b.x[b.mask].compute_chunk_sizes()),
    own("compute_chunk_sizes[then slice]", lambda da, b: b.v[b.v > 0].compute_chunk_sizes()[2:5]),
    own("map_blocks[method]", lambda da, b: b.x.map_blocks(np.negative)),
    own("to_svg", lambda da, b: b.x.to_svg(), result="scalar"),
)
