"""Putting arrays together, of like and unlike residence."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
every = within(accepts="biufc", shapes="1d 2d 3d empty unknown")

CASES = (
    every("concatenate", lambda da, b: da.concatenate([b.x, b.x])),
    case("concatenate[axis=-1]", lambda da, b: da.concatenate([b.x, b.x], axis=-1)),
    case("concatenate[three]", lambda da, b: da.concatenate([b.x, b.y, b.x])),
    case("concatenate[dtypes]", lambda da, b: da.concatenate([b.x, b.ints])),
    case("concatenate[complex]", lambda da, b: da.concatenate([b.x, b.complexes])),
    case("concatenate[with empty]", lambda da, b: da.concatenate([b.x[:0], b.x])),
    case("concatenate[axis=None]", lambda da, b: da.concatenate([b.v, b.x.ravel()], axis=0)),
    case("concatenate[host]", lambda da, b: da.concatenate([b.x, b.host(np.ones((2, 8)))])),
    case("concatenate[host first]", lambda da, b: da.concatenate([b.host(np.ones((2, 8))), b.x])),
    case("concatenate[device]", lambda da, b: da.concatenate([b.x, b.device(np.ones((2, 8)))])),
    case("concatenate[unknown]", lambda da, b: da.concatenate([b.x[b.mask], b.x])),
    case("concatenate[unknown,unknown]", lambda da, b: da.concatenate([b.v[b.v > 0], b.w[b.w > 0]])),
    case("concatenate[one]", lambda da, b: da.concatenate([b.x])),
    every("stack", lambda da, b: da.stack([b.x, b.x]), shapes="0d 1d 2d 3d empty"),
    case("stack[axis=1]", lambda da, b: da.stack([b.x, b.y], axis=1)),
    case("stack[axis=-1]", lambda da, b: da.stack([b.x, b.y, b.x], axis=-1)),
    case("stack[dtypes]", lambda da, b: da.stack([b.x, b.ints])),
    case("stack[host]", lambda da, b: da.stack([b.x, b.host(np.ones((13, 8)))])),
    case("stack[device]", lambda da, b: da.stack([b.x, b.device(np.ones((13, 8)))])),
    case("stack[0d]", lambda da, b: da.stack([b.x.sum(), b.x.max()])),
    case("vstack", lambda da, b: da.vstack([b.x, b.x])),
    case("vstack[1d]", lambda da, b: da.vstack([b.v, b.w])),
    case("vstack[host]", lambda da, b: da.vstack([b.v, b.host(np.ones(23))])),
    case("hstack", lambda da, b: da.hstack([b.x, b.x])),
    case("hstack[1d]", lambda da, b: da.hstack([b.v, b.w])),
    case("hstack[host]", lambda da, b: da.hstack([b.x, b.host(np.ones((13, 1)))])),
    case("dstack", lambda da, b: da.dstack([b.x, b.x])),
    case("dstack[1d]", lambda da, b: da.dstack([b.v, b.w])),
    case("dstack[device]", lambda da, b: da.dstack([b.x, b.device(np.ones((13, 8)))])),
    case("block[flat]", lambda da, b: da.block([b.x, b.x])),
    case("block[nested]", lambda da, b: da.block([[b.square, b.square], [b.square, b.spd]])),
    case("block[1d]", lambda da, b: da.block([b.v, b.w, b.v])),
    case("block[host]", lambda da, b: da.block([[b.square, b.host(np.ones((8, 1)))]])),
    case("block[device]", lambda da, b: da.block([[b.square], [b.device(np.ones((1, 8)))]])),
    case("block[unlike ranks]", lambda da, b: da.block([b.x, b.y[:, :1]])),
    case("meshgrid", lambda da, b: da.meshgrid(b.v, b.w[:4])),
    case("meshgrid[ij]", lambda da, b: da.meshgrid(b.v, b.w[:4], indexing="ij")),
    case("meshgrid[sparse]", lambda da, b: da.meshgrid(b.v, b.w[:4], sparse=True)),
    case("meshgrid[three]", lambda da, b: da.meshgrid(b.v[:3], b.w[:4], b.v[:2])),
    case("meshgrid[device]", lambda da, b: da.meshgrid(b.v, b.device(np.arange(3.0)))),
    case("meshgrid[one]", lambda da, b: da.meshgrid(b.v)),
)
