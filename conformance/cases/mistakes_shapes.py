"""Mistakes in shapes, dtypes and chunks: each must raise what NumPy-backed dask raises, and as early."""

from __future__ import annotations

import numpy as np

from . import within

Axis = np.exceptions.AxisError

unary = within(family="unary", raises=TypeError)
binary = within(family="binary", raises=TypeError)
operator = within("Array.", family="operators", raises=TypeError)
product = within(family="products", raises=ValueError)
joined = within(family="joining", raises=ValueError)
moved = within(family="manipulation", raises=ValueError)
reshaped = within(family="reshaping", raises=ValueError)
method = within("Array.", family="methods", raises=TypeError)
padded = within(family="padding", raises=ValueError)
chunked = within(family="blocks", raises=ValueError, numpy=False)
unknown = within(family="unknown_sizes", raises=ValueError, numpy=False)
overlapped = within(family="overlap", raises=ValueError, numpy=False)
applied = within(family="gufuncs", raises=ValueError, numpy=False)
created = within(family="creation", raises=ValueError)

CASES = (
    unary("invert[bad float]", lambda da, b: da.invert(b.x)),
    unary("invert[bad complex]", lambda da, b: da.invert(b.complexes)),
    binary("bitwise_and[bad float]", lambda da, b: da.bitwise_and(b.x, b.y)),
    binary("bitwise_or[bad scalar]", lambda da, b: da.bitwise_or(b.ints, 1.5)),
    binary("bitwise_xor[bad float]", lambda da, b: da.bitwise_xor(b.x, b.ints)),
    binary("left_shift[bad float]", lambda da, b: da.left_shift(b.x, 2)),
    binary("floor_divide[bad complex]", lambda da, b: da.floor_divide(b.complexes, b.complexes)),
    binary("arctan2[bad complex]", lambda da, b: da.arctan2(b.complexes, b.x)),
    binary("ldexp[bad float]", lambda da, b: da.ldexp(b.x, b.y)),
    binary("add[bad shapes]", lambda da, b: da.add(b.x, b.v), raises=ValueError),
    operator("__add__[bad shapes]", lambda da, b: b.x + b.v, raises=ValueError),
    operator("__and__[bad float]", lambda da, b: b.x & b.ints),
    operator("__sub__[bad bools]", lambda da, b: b.bools - b.bools),
    operator("__lshift__[bad float]", lambda da, b: b.x << 2),
    operator("__matmul__[bad shapes]", lambda da, b: b.x @ b.x, raises=ValueError),
    operator("__bool__[bad size]", lambda da, b: bool(b.x), raises=ValueError),
    operator("__int__[bad size]", lambda da, b: int(b.x)),
    operator("__len__[bad 0d]", lambda da, b: len(b.x.sum())),
    product("matmul[bad shapes]", lambda da, b: da.matmul(b.x, b.x)),
    product("matmul[bad scalar]", lambda da, b: da.matmul(b.x, 3)),
    product("dot[bad shapes]", lambda da, b: da.dot(b.x, b.v)),
    product("vdot[bad shapes]", lambda da, b: da.vdot(b.v, b.v[1:])),
    product("tensordot[bad shapes]", lambda da, b: da.tensordot(b.x, b.y, axes=((0,), (1,)))),
    product("tensordot[bad axes]", lambda da, b: da.tensordot(b.x, b.y, axes=3), raises=IndexError),
    product("einsum[bad shapes]", lambda da, b: da.einsum("ij,ij->i", b.x, b.x[:, 1:])),
    product("einsum[bad number of subscripts]", lambda da, b: da.einsum("ijk->i", b.x)),
    product("einsum[bad output]", lambda da, b: da.einsum("ij->k", b.x)),
    product("einsum[bad casting]", lambda da, b: da.einsum("ij->i", b.ints, dtype="f4"), raises=TypeError),
    joined("concatenate[bad shapes]", lambda da, b: da.concatenate([b.x, b.y[:, 1:]], axis=0)),
    joined("concatenate[bad ndim]", lambda da, b: da.concatenate([b.x, b.v])),
    joined("concatenate[bad axis=2]", lambda da, b: da.concatenate([b.x, b.y], axis=2), raises=Axis),
    joined("concatenate[bad empty list]", lambda da, b: da.concatenate([])),
    joined("stack[bad shapes]", lambda da, b: da.stack([b.x, b.y[1:]])),
    joined("stack[bad axis=4]", lambda da, b: da.stack([b.x, b.y], axis=4), raises=Axis),
    joined("stack[bad empty list]", lambda da, b: da.stack([])),
    joined("block[bad shapes]", lambda da, b: da.block([[b.x, b.y[1:]]])),
    joined("vstack[bad shapes]", lambda da, b: da.vstack([b.x, b.v])),
    joined("append[bad ndim]", lambda da, b: da.append(b.x, b.v, axis=0)),
    moved("broadcast_to[bad shape]", lambda da, b: da.broadcast_to(b.x, (13, 9))),
    moved("broadcast_arrays[bad shapes]", lambda da, b: da.broadcast_arrays(b.x, b.v)),
    moved("transpose[bad axes=(0,0)]", lambda da, b: da.transpose(b.x, (0, 0))),
    moved("transpose[bad number of axes]", lambda da, b: da.transpose(b.x, (0, 1, 2))),
    moved("swapaxes[bad axis=2]", lambda da, b: da.swapaxes(b.x, 0, 2), raises=Axis),
    moved("moveaxis[bad axis=5]", lambda da, b: da.moveaxis(b.x, 5, 0), raises=Axis),
    moved("moveaxis[bad number of axes]", lambda da, b: da.moveaxis(b.x, [0, 1], [0])),
    moved("roll[bad number of axes]", lambda da, b: da.roll(b.x, (1, 2), axis=(0,)), numpy=False),  # NumPy broadcasts
    moved("rot90[bad axes=(0,0)]", lambda da, b: da.rot90(b.x, axes=(0, 0))),
    moved("squeeze[bad axis=0]", lambda da, b: da.squeeze(b.x, axis=0)),
    moved("expand_dims[bad axis=9]", lambda da, b: da.expand_dims(b.x, 9), raises=Axis),
    moved("flip[bad axis=2]", lambda da, b: da.flip(b.x, 2), raises=Axis),
    moved("fliplr[bad 1d]", lambda da, b: da.fliplr(b.v)),
    moved("repeat[bad -1]", lambda da, b: da.repeat(b.x, -1, axis=0)),
    moved("tile[bad -1]", lambda da, b: da.tile(b.x, -1)),
    moved("diagonal[bad 1d]", lambda da, b: da.diagonal(b.v)),
    moved("diagonal[bad axis1=axis2]", lambda da, b: da.diagonal(b.cube, axis1=1, axis2=1)),
    moved("diag[bad 3d]", lambda da, b: da.diag(b.cube)),
    reshaped("reshape[bad size]", lambda da, b: da.reshape(b.x, (13, 9))),
    reshaped("reshape[bad -1,-1]", lambda da, b: da.reshape(b.x, (-1, -1))),
    method("astype[bad casting]", lambda da, b: b.x.astype("i4", casting="safe")),
    method("astype[bad keyword]", lambda da, b: b.x.astype("i4", bogus=1)),
    method("view[bad size]", lambda da, b: b.x[:, :3].view("c16"), raises=ValueError),
    padded("pad[bad mode]", lambda da, b: da.pad(b.x, 1, mode="bogus")),
    padded("pad[bad width=-1]", lambda da, b: da.pad(b.x, -1)),
    padded("pad[bad keyword]", lambda da, b: da.pad(b.x, 1, mode="edge", constant_values=3)),
    chunked("rechunk[bad sum]", lambda da, b: da.rechunk(b.x, ((5, 5), (8,)))),
    chunked("rechunk[bad axis=5]", lambda da, b: da.rechunk(b.x, {5: 2}), raises=Axis),
    chunked("rechunk[bad method]", lambda da, b: da.rechunk(b.x, 5, method="bogus"), raises=NotImplementedError),
    chunked("map_blocks[bad drop_axis]", lambda da, b: da.map_blocks(lambda chunk: chunk, b.x, drop_axis=5)),
    chunked("map_blocks[bad function]", lambda da, b: da.map_blocks(3, b.x), raises=TypeError),
    chunked("blockwise[bad shapes]", lambda da, b: da.blockwise(np.add, "ij", b.x, "ij", b.y[1:], "ij")),
    unknown("rechunk[bad unknown]", lambda da, b: da.rechunk(b.v[b.v > 0], 3)),
    unknown("reshape[bad unknown]", lambda da, b: da.reshape(b.v[b.v > 0], (2, -1))),
    unknown("flip[bad unknown]", lambda da, b: da.flip(b.v[b.v > 0], 0)),
    unknown("pad[bad unknown]", lambda da, b: da.pad(b.v[b.v > 0], 1)),
    unknown("argmax[bad unknown]", lambda da, b: da.argmax(b.v[b.v > 0])),
    unknown("concatenate[bad unknown]", lambda da, b: da.concatenate([b.x[b.mask], b.y], axis=1)),
    unknown("broadcast_to[bad unknown]", lambda da, b: da.broadcast_to(b.v[b.v > 0], (3, 7))),
    overlapped("map_overlap[bad depth]", lambda da, b: da.map_overlap(lambda c: c, b.x, depth=99, boundary="reflect")),
    within("overlap.", family="overlap", raises=ValueError, numpy=False)(
        "overlap[bad depth]", lambda da, b: da.overlap.overlap(b.x, depth={0: 50, 1: 1}, boundary="none")
    ),
    within("lib.stride_tricks.", family="overlap", raises=ValueError)(
        "sliding_window_view[bad window]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.v, 99)
    ),
    within("lib.stride_tricks.", family="overlap", raises=Axis)(
        "sliding_window_view[bad axis=5]", lambda da, b: da.lib.stride_tricks.sliding_window_view(b.x, 2, axis=5)
    ),
    applied("apply_gufunc[bad signature]", lambda da, b: da.apply_gufunc(np.mean, "(i->", b.x)),
    applied(
        "apply_gufunc[bad core dimension]",
        lambda da, b: da.apply_gufunc(np.add, "(i),(i)->(i)", b.x, b.v, output_dtypes=float),
    ),
    applied(
        "apply_gufunc[bad chunks]",
        lambda da, b: da.apply_gufunc(lambda x: x.mean(axis=-1), "(i)->()", b.x, output_dtypes=float),
    ),
    applied("apply_along_axis[bad axis=3]", lambda da, b: da.apply_along_axis(lambda r: r, 3, b.x), raises=Axis),
    applied("apply_over_axes[bad axis=4]", lambda da, b: da.apply_over_axes(da.sum, b.x, [4]), raises=Axis),
    applied("coarsen[bad factor]", lambda da, b: da.coarsen(np.sum, b.x, {0: 3})),
    applied("gradient[bad axis=4]", lambda da, b: da.gradient(b.x, axis=4), raises=Axis, numpy=True),
    applied("gradient[bad spacing]", lambda da, b: da.gradient(b.x, 1.0, 2.0, 3.0), raises=TypeError, numpy=True),
    applied("gradient[bad edge_order]", lambda da, b: da.gradient(b.x, edge_order=7), numpy=True),
    created("full_like[bad value]", lambda da, b: da.full_like(b.x, b.v)),
    created("meshgrid[bad indexing]", lambda da, b: da.meshgrid(b.v, b.w, indexing="bogus")),
    created(
        "from_array[bad chunks]",
        lambda da, b: da.from_array(b.device(np.arange(9.0)), chunks=((3, 3),)),
        numpy=False,
    ),
)
