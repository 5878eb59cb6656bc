"""Neighbourhoods: overlapping chunks with each boundary, and windows."""

from __future__ import annotations

import numpy as np

from . import within

# NumPy has none of these.
case = within("overlap.", numpy=False)
top = within(numpy=False)
windows = within("lib.stride_tricks.")

CASES = (
    top("map_overlap", lambda da, b: da.map_overlap(lambda c: c * 2, b.square, depth=1)),
    top(
        "map_overlap[reflect]",
        lambda da, b: da.map_overlap(lambda c: c + c.mean(), b.square, depth=1, boundary="reflect"),
    ),
    top("map_overlap[periodic]", lambda da, b: da.map_overlap(np.negative, b.square, depth=2, boundary="periodic")),
    top("map_overlap[nearest]", lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary="nearest")),
    top("map_overlap[none]", lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary="none")),
    top("map_overlap[constant]", lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary=7.0)),
    top("map_overlap[nan]", lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary=np.nan)),
    top("map_overlap[depth=dict]", lambda da, b: da.map_overlap(np.negative, b.square, depth={0: 2, 1: 1}, boundary=0)),
    top(
        "map_overlap[boundary=dict]",
        lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary={0: "reflect", 1: 0}),
    ),
    top("map_overlap[asymmetric]", lambda da, b: da.map_overlap(np.negative, b.v, depth=(1, 2), boundary="none")),
    top(
        "map_overlap[shift]",
        lambda da, b: da.map_overlap(lambda c: c - c[::-1], b.square, depth=1, boundary="reflect"),
    ),
    top(
        "map_overlap[trim=False]",
        lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary="reflect", trim=False),
    ),
    top("map_overlap[two]", lambda da, b: da.map_overlap(np.add, b.square, b.spd, depth=1, boundary="reflect")),
    top("map_overlap[meta]", lambda da, b: da.map_overlap(np.negative, b.square, depth=1, boundary=0, meta=b.x._meta)),
    top(
        "map_overlap[dtype]",
        lambda da, b: da.map_overlap(lambda c: c.astype("f4"), b.square, depth=1, boundary=0, dtype="f4"),
    ),
    top("map_overlap[small chunks]", lambda da, b: da.map_overlap(np.negative, b.x, depth=3, boundary="reflect")),
    top("Array.map_overlap", lambda da, b: b.square.map_overlap(np.negative, 1, "reflect")),
    case("overlap", lambda da, b: da.overlap.overlap(b.square, {0: 1, 1: 2}, {0: "reflect", 1: "periodic"})),
    case("overlap[none]", lambda da, b: da.overlap.overlap(b.square, 1, "none")),
    case("overlap[constant]", lambda da, b: da.overlap.overlap(b.square, 2, 7.0)),
    case("overlap[nearest,3d]", lambda da, b: da.overlap.overlap(b.cube, {0: 1, 2: 1}, "nearest")),
    case("overlap_internal", lambda da, b: da.overlap.overlap_internal(b.square, {0: 1, 1: 2})),
    case(
        "trim_overlap",
        lambda da, b: da.overlap.trim_overlap(da.overlap.overlap(b.square, 1, "reflect"), 1, "reflect"),
    ),
    case("trim_internal", lambda da, b: da.overlap.trim_internal(b.square, {0: 1, 1: 1})),
    case("trim_internal[none]", lambda da, b: da.overlap.trim_internal(b.square, {0: 1, 1: 1}, boundary="none")),
    top(
        "overlap.map_overlap",
        lambda da, b: da.overlap.map_overlap(np.negative, b.square, depth=1, boundary="reflect"),
    ),
    case(
        "add_dummy_padding",
        lambda da, b: da.overlap.add_dummy_padding(b.square, {0: 1}, {0: "none"})[1:-1],
    ),
    case("boundaries", lambda da, b: da.overlap.boundaries(b.square, {0: 2, 1: 1}, {0: "reflect", 1: 0.0})),
    case("periodic", lambda da, b: da.overlap.periodic(b.square, axis=0, depth=2)),
    case("reflect", lambda da, b: da.overlap.reflect(b.square, axis=1, depth=2)),
    case("reflect[depth=1]", lambda da, b: da.overlap.reflect(b.square, axis=0, depth=1)),
    case("nearest", lambda da, b: da.overlap.nearest(b.square, axis=0, depth=2)),
    case("constant", lambda da, b: da.overlap.constant(b.square, axis=0, depth=2, value=7.0)),
    top("overlap.sliding_window_view", lambda da, b: da.overlap.sliding_window_view(b.square, (3, 2))),
    case("push", lambda da, b: da.overlap.push(b.nans, None, 0), requires=("bottleneck",)),
    case("ensure_minimum_chunksize", lambda da, b: da.overlap.ensure_minimum_chunksize(3, (1, 1, 3)), result="scalar"),
    case("coerce_depth", lambda da, b: da.overlap.coerce_depth(2, 1), result="scalar"),
    case("coerce_depth_type", lambda da, b: da.overlap.coerce_depth_type(2, {0: 1, 1: 2}), result="scalar"),
    case("coerce_boundary", lambda da, b: da.overlap.coerce_boundary(2, "none"), result="scalar"),
    windows("sliding_window_view", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.v, 3)),
    windows("sliding_window_view[2d]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.square, (3, 2))),
    windows("sliding_window_view[axis=0]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.square, 3, axis=0)),
    windows("sliding_window_view[axis=-1]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.x, 2, axis=-1)),
    windows(
        "sliding_window_view[twice]",
        lambda da, b: da.lib.stride_tricks.sliding_window_view(b.square, (2, 2), (0, 0)),
    ),
    windows("sliding_window_view[mean]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.v, 4).mean(axis=-1)),
    windows("sliding_window_view[int]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.ints, 2, axis=1)),
)
