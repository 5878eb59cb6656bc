"""Sums of products: dot, matmul, tensordot, einsum and their kin, with both operands lazy or one of them not."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
own = within(numpy=False)
matrix = within(accepts="biufc", shapes="2d")

CASES = (
    matrix("dot[x,x.T]", lambda da, b: da.dot(b.x, b.x.T), accepts="iufc"),
    case("dot[1d,1d]", lambda da, b: da.dot(b.v, b.w)),
    case("dot[2d,1d]", lambda da, b: da.dot(b.x, b.y[0])),
    case("dot[1d,2d]", lambda da, b: da.dot(b.v[:13], b.x)),
    case("dot[3d,2d]", lambda da, b: da.dot(b.cube, b.square[:4])),
    case("dot[host]", lambda da, b: da.dot(b.x, b.host(np.ones((8, 3))))),
    case("dot[device]", lambda da, b: da.dot(b.x, b.device(np.ones((8, 3))))),
    case("dot[int]", lambda da, b: da.dot(b.ints, b.ints.T)),
    case("vdot", lambda da, b: da.vdot(b.v, b.w)),
    case("vdot[2d]", lambda da, b: da.vdot(b.x, b.y)),
    case("vdot[complex]", lambda da, b: da.vdot(b.complexes, b.complexes)),
    case("outer", lambda da, b: da.outer(b.v, b.w)),
    case("outer[2d]", lambda da, b: da.outer(b.x, b.v)),
    case("outer[host]", lambda da, b: da.outer(b.v, b.host(np.arange(3.0)))),
    case("outer[device]", lambda da, b: da.outer(b.v, b.device(np.arange(3.0)))),
    case("outer[host first]", lambda da, b: da.outer(da.asarray(b.host(np.arange(3.0))), b.v)),
    matrix("matmul[x,x.T]", lambda da, b: da.matmul(b.x, b.x.T), accepts="iufc"),
    case("matmul[1d,1d]", lambda da, b: da.matmul(b.v, b.w)),
    case("matmul[2d,1d]", lambda da, b: da.matmul(b.x, b.y[0])),
    case("matmul[1d,2d]", lambda da, b: da.matmul(b.v[:13], b.x)),
    case("matmul[3d,2d]", lambda da, b: da.matmul(b.cube, b.square[:4])),
    case("matmul[2d,3d]", lambda da, b: da.matmul(b.square[:3, :5], b.cube)),
    case("matmul[3d,3d]", lambda da, b: da.matmul(b.cube, da.swapaxes(b.cube, 1, 2))),
    case("matmul[int]", lambda da, b: da.matmul(b.ints, b.ints.T)),
    own("matmul[bool]", lambda da, b: da.matmul(b.bools, b.bools.T)),  # dask counts, NumPy asks whether any
    case("matmul[complex]", lambda da, b: da.matmul(b.complexes, b.complexes.T)),
    case("matmul[host]", lambda da, b: da.matmul(b.x, b.host(np.ones((8, 3))))),
    case("matmul[host first]", lambda da, b: da.matmul(b.host(np.ones((3, 13))), b.x)),
    case("matmul[device]", lambda da, b: da.matmul(b.x, b.device(np.ones((8, 3))))),
    case("tensordot[axes=1]", lambda da, b: da.tensordot(b.x, b.y.T, axes=1)),
    case("tensordot[axes=2]", lambda da, b: da.tensordot(b.x, b.y, axes=2)),
    case("tensordot[axes=0]", lambda da, b: da.tensordot(b.v[:4], b.w[:3], axes=0)),
    case("tensordot[axes=lists]", lambda da, b: da.tensordot(b.cube, b.cube, axes=([0, 2], [0, 2]))),
    case("tensordot[axes=(1,0)]", lambda da, b: da.tensordot(b.x, b.square, axes=(1, 0))),
    case("tensordot[int]", lambda da, b: da.tensordot(b.ints, b.ints.T, axes=1)),
    case("tensordot[complex]", lambda da, b: da.tensordot(b.complexes, b.complexes.T, axes=1)),
    case("tensordot[host]", lambda da, b: da.tensordot(b.x, b.host(np.ones((8, 3))), axes=1)),
    case("tensordot[device]", lambda da, b: da.tensordot(b.x, b.device(np.ones((8, 3))), axes=1)),
    case("einsum[ij,jk]", lambda da, b: da.einsum("ij,jk->ik", b.x, b.square)),
    case("einsum[ij->]", lambda da, b: da.einsum("ij->", b.x)),
    case("einsum[ij->ji]", lambda da, b: da.einsum("ij->ji", b.x)),
    case("einsum[ii->i]", lambda da, b: da.einsum("ii->i", b.square)),
    case("einsum[ii]", lambda da, b: da.einsum("ii", b.square)),
    case("einsum[i,j]", lambda da, b: da.einsum("i,j", b.v, b.w)),
    case("einsum[ij,ij->i]", lambda da, b: da.einsum("ij,ij->i", b.x, b.y)),
    case("einsum[...]", lambda da, b: da.einsum("...j,jk->...k", b.cube, b.square[:4])),
    case("einsum[three]", lambda da, b: da.einsum("ij,jk,kl->il", b.square, b.spd, b.square)),
    case("einsum[optimize]", lambda da, b: da.einsum("ij,jk,kl->il", b.square, b.spd, b.square, optimize="greedy")),
    case("einsum[dtype]", lambda da, b: da.einsum("ij,jk->ik", b.ints, b.ints.T, dtype="f8")),
    case("einsum[int]", lambda da, b: da.einsum("ij,kj->ik", b.ints, b.ints)),
    case("einsum[complex]", lambda da, b: da.einsum("ij,kj->ik", b.complexes, b.complexes)),
    case("einsum[casting]", lambda da, b: da.einsum("ij->i", b.ints, dtype="f4", casting="unsafe")),
    case("einsum[host]", lambda da, b: da.einsum("ij,jk->ik", b.x, b.host(np.ones((8, 3))))),
    case("einsum[device]", lambda da, b: da.einsum("ij,jk->ik", b.x, b.device(np.ones((8, 3))))),
    own("einsum[split_every]", lambda da, b: da.einsum("ij,jk->ik", b.x, b.square, split_every=2)),
)
