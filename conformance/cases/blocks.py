"""User functions on blocks: map_blocks, blockwise, reduction and their kin; the user gets exactly the chunks."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import within

# NumPy has none of these.
case = within(numpy=False)
every = within(numpy=False, accepts="biufc", shapes="0d 1d 2d 3d empty unknown")


def numbered(chunk: Any, block_id: Any = None, block_info: Any = None) -> Any:
    """Names its parameters as dask looks for them."""
    return chunk + (sum(block_id) if block_id else 0) + (block_info[0]["num-chunks"][0] if block_info else 0)


def placed(chunk: Any, block_info: Any = None) -> Any:
    """Adds where its block lies."""
    return chunk + (block_info[0]["array-location"][0][0] if block_info else 0)


CASES = (
    every("map_blocks", lambda da, b: da.map_blocks(lambda c: c + c, b.x)),
    case("map_blocks[meta]", lambda da, b: da.map_blocks(lambda c: c + 1, b.x, meta=b.x._meta)),
    case("map_blocks[dtype]", lambda da, b: da.map_blocks(lambda c: c.astype("f4"), b.x, dtype="f4")),
    case("map_blocks[two]", lambda da, b: da.map_blocks(lambda p, q: p + q, b.x, b.x * 2)),
    case("map_blocks[scalar]", lambda da, b: da.map_blocks(lambda p, q: p + q, b.x, 3)),
    case("map_blocks[keyword]", lambda da, b: da.map_blocks(lambda p, q: p * q, b.x, q=3.0)),
    case("map_blocks[broadcast]", lambda da, b: da.map_blocks(lambda p, q: p + q, b.x, b.x[:1])),
    case("map_blocks[device]", lambda da, b: da.map_blocks(lambda p, q: p + q, b.x, b.device(np.ones((1, 1))))),
    case(
        "map_blocks[drop_axis]",
        lambda da, b: da.map_blocks(lambda c: c.sum(axis=1), b.x.rechunk((5, 8)), drop_axis=1),
    ),
    case("map_blocks[new_axis]", lambda da, b: da.map_blocks(lambda c: c[:, None], b.x, new_axis=1)),
    case("map_blocks[chunks]", lambda da, b: da.map_blocks(lambda c: c[:2], b.square, chunks=((2, 2), (4, 4)))),
    case("map_blocks[block_id]", lambda da, b: da.map_blocks(numbered, b.x, dtype="f8")),
    case("map_blocks[block_info]", lambda da, b: da.map_blocks(placed, b.x, dtype="f8")),
    case("map_blocks[block_info,no dtype]", lambda da, b: da.map_blocks(placed, b.x)),
    case("map_blocks[needs elements]", lambda da, b: da.map_blocks(lambda c: c - c.max(), b.x)),
    case("map_blocks[needs elements,dtype]", lambda da, b: da.map_blocks(lambda c: c - c.max(), b.x, dtype="f8")),
    case("map_blocks[no array]", lambda da, b: da.map_blocks(lambda: b.device(np.ones(3)), chunks=((3,),), dtype="f8")),
    case("map_blocks[name]", lambda da, b: da.map_blocks(lambda c: c * 2, b.x, name="twice")),
    case("map_blocks[enforce_ndim]", lambda da, b: da.map_blocks(lambda c: c * 2, b.x, enforce_ndim=True)),
    case("Array.map_blocks", lambda da, b: b.x.map_blocks(lambda c: c * 2)),
    case("Array.map_blocks[drop_axis]", lambda da, b: b.x.map_blocks(lambda c: c[0], drop_axis=0, chunks=((3, 5),))),
    case("blockwise", lambda da, b: da.blockwise(lambda c: c + c, "ijk"[: b.x.ndim], b.x, "ijk"[: b.x.ndim])),
    case("blockwise[transposed]", lambda da, b: da.blockwise(lambda c: c.T, "ji", b.x, "ij", dtype="f8")),
    case("blockwise[outer]", lambda da, b: da.blockwise(lambda p, q: p[:, None] * q, "ij", b.v, "i", b.w, "j")),
    case(
        "blockwise[concatenate]",
        lambda da, b: da.blockwise(lambda c: c.sum(axis=1), "i", b.x, "ij", concatenate=True, dtype="f8"),
    ),
    case(
        "blockwise[concatenate=False]",
        lambda da, b: da.blockwise(lambda c: sum(p.sum(axis=1) for p in c), "i", b.x, "ij", dtype="f8"),
    ),
    case("blockwise[new_axes]", lambda da, b: da.blockwise(lambda c: c[:, None], "ij", b.v, "i", new_axes={"j": 1})),
    case(
        "blockwise[adjust_chunks]",
        lambda da, b: da.blockwise(lambda c: c[:1], "ij", b.x, "ij", adjust_chunks={"i": 1}, dtype="f8"),
    ),
    case("blockwise[meta]", lambda da, b: da.blockwise(lambda c: c * 2, "ij", b.x, "ij", meta=b.x._meta)),
    case("blockwise[literal]", lambda da, b: da.blockwise(lambda p, q: p * q, "ij", b.x, "ij", 3, None, dtype="f8")),
    case("blockwise[device literal]", lambda da, b: da.blockwise(np.add, "ij", b.x, "ij", b.device(np.ones(1)), None)),
    case("blockwise[align_arrays]", lambda da, b: da.blockwise(np.add, "ij", b.x, "ij", b.y, "ij", align_arrays=True)),
    case("atop", lambda da, b: da.atop(np.add, "ij", b.x, "ij", b.x, "ij", dtype="f8")),
    case("reduction", lambda da, b: da.reduction(b.x, np.sum, np.sum, dtype="f8"), accepts="f", shapes="1d 2d 3d"),
    case("reduction[axis=0]", lambda da, b: da.reduction(b.x, np.max, np.max, axis=0, dtype="f8")),
    case("reduction[keepdims]", lambda da, b: da.reduction(b.x, np.sum, np.sum, axis=1, keepdims=True, dtype="f8")),
    case(
        "reduction[combine,split_every]",
        lambda da, b: da.reduction(b.x, np.sum, np.sum, combine=np.sum, split_every=2, dtype="f8"),
    ),
    case(
        "reduction[concatenate=False]",
        lambda da, b: da.reduction(
            b.v, np.sum, lambda p, axis, keepdims: np.sum(sum(p)), concatenate=False, dtype="f8"
        ),
    ),
    case("reduction[meta]", lambda da, b: da.reduction(b.x, np.sum, np.sum, axis=0, dtype="f8", meta=b.x._meta)),
    case("apply_along_axis", lambda da, b: da.apply_along_axis(lambda r: r * 2, 1, b.x), numpy=True),
    case("apply_along_axis[reducing]", lambda da, b: da.apply_along_axis(lambda r: r.sum(), 0, b.x), numpy=True),
    case("apply_along_axis[dtype,shape]", lambda da, b: da.apply_along_axis(np.cumsum, 1, b.x, dtype="f8", shape=(8,))),
    case("apply_along_axis[ufunc]", lambda da, b: da.apply_along_axis(np.negative, 1, b.x), numpy=True),
    case("apply_along_axis[3d]", lambda da, b: da.apply_along_axis(lambda r: r[:2], -1, b.cube), numpy=True),
    case("apply_along_axis[argument]", lambda da, b: da.apply_along_axis(lambda r, k: r + k, 0, b.x, 3.0), numpy=True),
    case(
        "apply_over_axes",
        lambda da, b: da.apply_over_axes(lambda a, axis: a.sum(axis=axis), b.cube, [0, 2]),
        numpy=True,
    ),
    case("apply_over_axes[sum]", lambda da, b: da.apply_over_axes(np.sum, b.cube, [0, 2]), numpy=True),
    case("apply_over_axes[one]", lambda da, b: da.apply_over_axes(np.max, b.x, 1), numpy=True),
)
