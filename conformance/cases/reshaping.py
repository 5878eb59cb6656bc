"""Other shapes and other chunks for the same elements."""

from __future__ import annotations

from . import within

case = within()
every = within(accepts="biufc", shapes="0d 1d 2d 3d empty")
own = within(numpy=False)

CASES = (
    every("reshape[-1]", lambda da, b: da.reshape(b.x, (-1,))),
    case("reshape[1d->3d]", lambda da, b: da.reshape(b.v[:12], (2, 3, 2))),
    case("reshape[2d->3d]", lambda da, b: da.reshape(b.x, (13, 4, 2))),
    case("reshape[3d->2d]", lambda da, b: da.reshape(b.cube, (6, 20))),
    case("reshape[3d->2d,-1]", lambda da, b: da.reshape(b.cube, (-1, 4))),
    case("reshape[1d->2d]", lambda da, b: da.reshape(b.v[:20], (4, 5))),
    case("reshape[added ones]", lambda da, b: da.reshape(b.x, (1, 13, 1, 8))),
    case("reshape[0d->1d]", lambda da, b: da.reshape(b.x.sum(), (1,))),
    case("reshape[empty]", lambda da, b: da.reshape(b.x[:0], (0, 4, 2))),
    own("reshape[merge_chunks=False]", lambda da, b: da.reshape(b.cube, (30, 4), merge_chunks=False)),
    own("reshape[limit]", lambda da, b: da.reshape(b.cube, (6, 20), limit="80 B")),
    own("reshape_blockwise", lambda da, b: da.reshape_blockwise(b.square, 64)),  # chunk after chunk
    own("reshape_blockwise[chunks]", lambda da, b: da.reshape_blockwise(b.cube, (30, 4))),
    every("ravel", lambda da, b: da.ravel(b.x), shapes="0d 1d 2d 3d empty unknown"),
    case("ravel[3d]", lambda da, b: da.ravel(b.cube)),
    own("rechunk[int]", lambda da, b: da.rechunk(b.x, 5), accepts="biufc", shapes="0d 1d 2d 3d"),
    own("rechunk[tuple]", lambda da, b: da.rechunk(b.x, (13, 2))),
    own("rechunk[-1]", lambda da, b: da.rechunk(b.x, -1)),
    own("rechunk[dict]", lambda da, b: da.rechunk(b.x, {0: 4})),
    own("rechunk[uneven]", lambda da, b: da.rechunk(b.x, ((1, 12), (3, 3, 2)))),
    own("rechunk[auto]", lambda da, b: da.rechunk(b.x, "auto", block_size_limit=200)),
    own("rechunk[zero length]", lambda da, b: da.rechunk(b.x, ((6, 0, 7), (8,)))),
    own("rechunk[empty]", lambda da, b: da.rechunk(b.x[:0], -1)),
    own("rechunk[empty,split]", lambda da, b: da.rechunk(b.x[:, :0], (5, 1))),
    own("rechunk[balance]", lambda da, b: da.rechunk(b.v, 10, balance=True)),
    own("rechunk[tasks]", lambda da, b: da.rechunk(b.x, 5, method="tasks")),
    own("rechunk[threshold]", lambda da, b: da.rechunk(b.cube, (1, 5, 4), threshold=1, method="tasks")),
    own("Array.rechunk", lambda da, b: b.x.rechunk((6, 8))),
    case("Array.reshape", lambda da, b: b.x.reshape((13, 2, 4))),
    case("Array.reshape[arguments]", lambda da, b: b.x.reshape(13, 2, -1)),
    own("Array.reshape[merge_chunks]", lambda da, b: b.cube.reshape((30, 4), merge_chunks=False)),
    case("Array.ravel", lambda da, b: b.cube.ravel()),
    case("Array.flatten", lambda da, b: b.x.flatten()),
    own("unify_chunks", lambda da, b: da.unify_chunks(b.x, "ij", b.y, "ij")[1]),
)
