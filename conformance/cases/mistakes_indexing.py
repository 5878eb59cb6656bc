"""Mistakes in indexing, assignment and selection: each must raise what NumPy-backed dask raises, and as early."""

from __future__ import annotations

import numpy as np

from arrayshim.conformance.case import assign

from . import within

Axis = np.exceptions.AxisError

read = within(family="indexing", names=("Array.__getitem__",), raises=IndexError)
read_dask = within(family="indexing", names=("Array.__getitem__",), raises=(ValueError, IndexError))
taken = within(family="indexing", raises=IndexError)
pointwise = within(family="indexing", names=("Array.vindex",), raises=IndexError, numpy=False)  # NumPy has no vindex
whole = within(family="indexing", names=("Array.blocks",), raises=IndexError, numpy=False)
written = within(family="assignment", names=("Array.__setitem__",), raises=IndexError)
selected = within(family="selection", raises=ValueError)
unknown = within(family="unknown_sizes", names=("Array.__getitem__",), raises=ValueError, numpy=False)

CASES = (
    read("[bad 13]", lambda da, b: b.x[13]),
    read("[bad -14]", lambda da, b: b.x[-14]),
    read("[0, bad 8]", lambda da, b: b.x[0, 8]),
    read("[bad number of indices]", lambda da, b: b.x[0, 0, 0]),
    read("[bad list]", lambda da, b: b.x[[0, 13]]),
    read("[bad host index]", lambda da, b: b.x[b.host(np.array([0, 13]))]),
    read("[:, bad host index]", lambda da, b: b.x[:, b.host(np.array([0, -9]))]),
    read("[bad device index]", lambda da, b: b.x[b.device(np.array([0, 13]))]),
    read("[bad dask index]", lambda da, b: b.x[b.index + 20]),
    read("[bad host mask]", lambda da, b: b.x[b.host(np.ones(5, bool))]),
    read("[bad device mask]", lambda da, b: b.x[b.device(np.ones(5, bool))]),
    read("[bad list mask]", lambda da, b: b.v[[True] * 24]),
    read_dask("[bad dask mask]", lambda da, b: b.x[b.mask[:5]]),  # dask: chunks do not add up
    read_dask("[bad full mask]", lambda da, b: b.x[b.bools[:, :5]]),  # dask: cannot be broadcast
    read("[bad float]", lambda da, b: b.x[1.5]),
    read("[bad list of floats]", lambda da, b: b.x[[1.5, 2.0]]),
    read("[::bad 0]", lambda da, b: b.x[::0], raises=ValueError),
    taken("take[bad list]", lambda da, b: da.take(b.x, [0, 99], axis=0)),
    taken("take[bad host]", lambda da, b: da.take(b.x, b.host(np.array([0, -99])), axis=1)),
    taken("take[bad device]", lambda da, b: da.take(b.x, b.device(np.array([0, 99])), axis=0)),
    taken("take[bad axis=3]", lambda da, b: da.take(b.x, [0], axis=3), raises=Axis),
    pointwise("vindex[bad list]", lambda da, b: b.x.vindex[[0, 13], [0, 0]]),
    pointwise("vindex[bad device]", lambda da, b: b.x.vindex[b.device(np.array([0, 13])), b.device(np.array([0, 0]))]),
    pointwise("vindex[bad lengths]", lambda da, b: b.x.vindex[[0, 1, 2], [0, 1]]),
    pointwise("vindex[bad mask]", lambda da, b: b.x.vindex[[True, False], [0, 1]]),
    pointwise("vindex[bad number of indices]", lambda da, b: b.x.vindex[[0], [0], [0]]),
    whole("blocks[bad 9]", lambda da, b: b.x.blocks[9]),
    whole("blocks[bad lists]", lambda da, b: b.x.blocks[[0, 1], [0, 1]], raises=ValueError),
    written("[bad 13] = scalar", lambda da, b: assign(b.x, 13, 1.0)),
    written("[bad list] = scalar", lambda da, b: assign(b.x, [0, 13], 1.0)),
    written("[bad host index] = scalar", lambda da, b: assign(b.x, b.host(np.array([0, 13])), 1.0)),
    written("[bad device index] = scalar", lambda da, b: assign(b.x, b.device(np.array([0, 13])), 1.0)),
    written("[bad host mask] = scalar", lambda da, b: assign(b.x, b.host(np.ones(5, bool)), 1.0)),
    written("[bad device mask] = scalar", lambda da, b: assign(b.x, b.device(np.ones(5, bool)), 1.0)),
    written("[bad dask mask] = scalar", lambda da, b: assign(b.x, b.bools[:5], 1.0)),
    written("[bad number of indices] = scalar", lambda da, b: assign(b.x, (0, 0, 0), 1.0)),
    written("[bad float] = scalar", lambda da, b: assign(b.x, 1.5, 1.0)),
    written("[0:3] = bad host", lambda da, b: assign(b.x, slice(0, 3), b.host(np.zeros(7))), raises=ValueError),
    written("[0:3] = bad device", lambda da, b: assign(b.x, slice(0, 3), b.device(np.zeros(7))), raises=ValueError),
    written("[0:3] = bad dask", lambda da, b: assign(b.x, slice(0, 3), b.array(np.zeros((4, 8)))), raises=ValueError),
    selected("choose[bad index]", lambda da, b: da.choose(b.ints, [b.x, b.y])),
    selected("select[bad lengths]", lambda da, b: da.select([b.x > 0], [b.x, b.y])),
    selected("select[bad condition]", lambda da, b: da.select([b.x], [b.y]), raises=TypeError),
    selected("where[bad number of arguments]", lambda da, b: da.where(b.x > 0, b.x)),
    selected("where[bad shapes]", lambda da, b: da.where(b.x > 0, b.x, b.v)),
    selected("compress[bad condition]", lambda da, b: da.compress(b.bools, b.x, axis=0)),
    selected("compress[bad length]", lambda da, b: da.compress([True] * 20, b.x, axis=0), raises=IndexError),
    selected("compress[bad axis=2]", lambda da, b: da.compress([True, False], b.x, axis=2), raises=Axis),
    selected("clip[bad shapes]", lambda da, b: da.clip(b.x, b.v, None)),
    selected("piecewise[bad lengths]", lambda da, b: da.piecewise(b.x, [b.x > 0], [1, 2, 3])),
    selected("unravel_index[bad index]", lambda da, b: da.unravel_index(b.array(np.array([0, 500])), (13, 8))),
    selected(
        "ravel_multi_index[bad index]",
        lambda da, b: da.ravel_multi_index(b.array(np.array([[0, 20], [1, 2]])), (13, 8)),
    ),
    unknown("[bad int]", lambda da, b: b.v[b.v > 0][0]),
    unknown("[bad list]", lambda da, b: b.v[b.v > 0][[0, 1]]),
    unknown("[bad slice]", lambda da, b: b.v[b.v > 0][30:2:-3]),
)
