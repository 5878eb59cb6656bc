"""Mistakes in reductions, statistics, linear algebra and draws: each must raise as NumPy-backed dask does, as early."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import within

Axis = np.exceptions.AxisError
Linear = np.linalg.LinAlgError

reduced = within(family="reductions", raises=Axis)
refused = within(family="reductions", raises=ValueError)
of_nans = within(family="nan_reductions", raises=ValueError)
summed = within(family="cumulative", raises=Axis)
cut = within(family="quantiles", raises=ValueError)
counted = within(family="histograms", raises=ValueError)
sorted_ = within(family="sorting", raises=Axis, numpy=False)
linear = within("linalg.", family="linalg", raises=Linear)
factored = within("linalg.", family="linalg", raises=ValueError, numpy=False)
solved = within("linalg.", family="linalg", raises=Linear, requires=("scipy",))
normed = within("linalg.", family="linalg", raises=ValueError)
transformed = within("fft.", family="fft", raises=IndexError, requires=("fft",))
legacy = within("random.RandomState.", family="random_state", raises=ValueError, requires=("random",), numpy=False)
modern = within("random.Generator.", family="generator", raises=ValueError, requires=("random",), numpy=False)
tested = within("stats.", family="stats", raises=ValueError, requires=("scipy",), numpy=False)
out = within(family="ufunc_arguments", raises=ValueError)


def state(da: Any, namespace: Any) -> Any:
    return da.random.RandomState(7, namespace.random.RandomState)


def generator(da: Any, namespace: Any) -> Any:
    return da.random.default_rng(namespace.random.default_rng(7))


def stats() -> Any:
    from dask.array import stats

    return stats


CASES = (
    reduced("sum[bad axis=2]", lambda da, b: da.sum(b.x, axis=2)),
    reduced("sum[bad axis=-3]", lambda da, b: da.sum(b.x, axis=-3)),
    reduced("mean[bad axis=5]", lambda da, b: da.mean(b.x, axis=5)),
    reduced("var[bad axis=3]", lambda da, b: da.var(b.x, axis=3)),
    reduced("max[bad axis=2]", lambda da, b: da.max(b.x, axis=2)),
    reduced("ptp[bad axis=2]", lambda da, b: da.ptp(b.x, axis=2)),
    reduced("argmax[bad axis=2]", lambda da, b: da.argmax(b.x, axis=2)),
    refused("sum[bad axis=(0,0)]", lambda da, b: da.sum(b.x, axis=(0, 0))),
    refused("std[bad axis=(0,-2)]", lambda da, b: da.std(b.x, axis=(0, -2))),
    refused("argmax[bad axis=(0,1)]", lambda da, b: da.argmax(b.x, axis=(0, 1)), raises=TypeError),
    refused("argmax[bad empty]", lambda da, b: da.argmax(b.v[:0])),
    refused("argmin[bad empty,axis=0]", lambda da, b: da.argmin(b.x[:0], axis=0)),
    refused("min[bad empty]", lambda da, b: da.min(b.v[:0])),
    refused("sum[bad out]", lambda da, b: da.sum(b.x, axis=0, out=b.array(np.zeros(5)))),
    refused("average[bad weights]", lambda da, b: da.average(b.x, axis=0, weights=b.array(np.arange(5.0)))),
    refused(
        "average[bad weights,axis=None]",
        lambda da, b: da.average(b.x, weights=b.array(np.arange(8.0))),
        raises=TypeError,
    ),
    refused("moment[bad order=-1]", lambda da, b: da.moment(b.x, -1), numpy=False),
    refused("trace[bad 1d]", lambda da, b: da.trace(b.v)),
    refused("trace[bad axis1=axis2]", lambda da, b: da.trace(b.x, axis1=0, axis2=0)),
    of_nans("nansum[bad axis=2]", lambda da, b: da.nansum(b.nans, axis=2), raises=Axis),
    of_nans("nanargmax[bad axis=2]", lambda da, b: da.nanargmax(b.nans, axis=2), raises=Axis),
    of_nans("nanmin[bad empty]", lambda da, b: da.nanmin(b.v[:0])),
    of_nans("nanargmin[bad NaN]", lambda da, b: da.nanargmin(b.v * np.nan)),
    summed("cumsum[bad axis=2]", lambda da, b: da.cumsum(b.x, axis=2)),
    summed("cumprod[bad axis=-3]", lambda da, b: da.cumprod(b.x, axis=-3)),
    summed("cumsum[bad method]", lambda da, b: da.cumsum(b.x, axis=0, method="fast"), raises=ValueError, numpy=False),
    summed("diff[bad n=-1]", lambda da, b: da.diff(b.x, n=-1), raises=ValueError),
    summed("diff[bad axis=2]", lambda da, b: da.diff(b.x, axis=2)),
    cut("quantile[bad q=1.5]", lambda da, b: da.quantile(b.x, 1.5, axis=1)),
    cut("quantile[bad method]", lambda da, b: da.quantile(b.x, 0.5, axis=1, method="best")),
    cut("quantile[bad axis=2]", lambda da, b: da.quantile(b.x, 0.5, axis=2), raises=Axis),
    cut("nanquantile[bad method]", lambda da, b: da.nanquantile(b.nans, 0.1, axis=1, method="best")),
    cut("percentile[bad q=101]", lambda da, b: da.percentile(b.v, [101])),
    cut("percentile[bad method]", lambda da, b: da.percentile(b.v, [50], method="best")),
    cut("median[bad axis=2]", lambda da, b: da.median(b.x, axis=2), raises=Axis),
    cut("median[bad axis=None]", lambda da, b: da.median(b.x), raises=NotImplementedError, numpy=False),
    counted("histogram[bad range]", lambda da, b: da.histogram(b.v, bins=5, range=(1, 0))),
    counted("histogram[bad range of 3]", lambda da, b: da.histogram(b.v, bins=5, range=(1, 0, 3))),
    counted("histogram[bad no range]", lambda da, b: da.histogram(b.v, bins=5), numpy=False),
    counted("histogram[bad order of bins]", lambda da, b: da.histogram(b.v, bins=[0.0, 2.0, 1.0])),
    counted("histogram[bad bins=0]", lambda da, b: da.histogram(b.v, bins=0, range=(0, 1))),
    counted("histogram[bad bins=2d]", lambda da, b: da.histogram(b.v, bins=b.host(np.zeros((2, 2))))),
    counted("histogram[bad weights]", lambda da, b: da.histogram(b.v, bins=5, range=(0, 1), weights=b.w[1:])),
    counted("histogram2d[bad lengths]", lambda da, b: da.histogram2d(b.v, b.w[1:], bins=5, range=((0, 1), (0, 1)))),
    counted("bincount[bad float]", lambda da, b: da.bincount(b.v), raises=TypeError),
    counted("bincount[bad negative]", lambda da, b: da.bincount(b.ints[0] - 50)),
    counted("bincount[bad 2d]", lambda da, b: da.bincount(b.ints)),
    counted("bincount[bad weights]", lambda da, b: da.bincount(abs(b.ints[0]), weights=b.v)),
    counted("digitize[bad order of bins]", lambda da, b: da.digitize(b.v, [0.0, 2.0, 1.0])),
    counted("searchsorted[bad 2d]", lambda da, b: da.searchsorted(b.x, b.v)),
    counted("searchsorted[bad side]", lambda da, b: da.searchsorted(b.v, b.w, side="middle")),
    sorted_("topk[bad axis=2]", lambda da, b: da.topk(b.x, 2, axis=2)),
    sorted_("argtopk[bad axis=2]", lambda da, b: da.argtopk(b.x, 2, axis=2)),
    solved("inv[bad shape]", lambda da, b: da.linalg.inv(b.tall)),
    solved("inv[bad singular]", lambda da, b: da.linalg.inv(b.square * 0)),
    solved("solve[bad shape]", lambda da, b: da.linalg.solve(b.tall, b.v)),
    solved("solve[bad lengths]", lambda da, b: da.linalg.solve(b.square, b.v), raises=ValueError),
    solved("cholesky[bad shape]", lambda da, b: da.linalg.cholesky(b.tall)),
    solved("cholesky[bad 1d]", lambda da, b: da.linalg.cholesky(b.v)),
    solved("cholesky[bad definiteness]", lambda da, b: da.linalg.cholesky(-b.spd)),
    factored("lu[bad 1d]", lambda da, b: da.linalg.lu(b.v)),
    factored("lu[bad shape]", lambda da, b: da.linalg.lu(b.tall)),
    factored("lu[bad chunks]", lambda da, b: da.linalg.lu(b.square.rechunk((4, 8)))),
    factored("qr[bad chunks]", lambda da, b: da.linalg.qr(b.square), raises=NotImplementedError),
    factored("svd[bad chunks]", lambda da, b: da.linalg.svd(b.square), raises=NotImplementedError),
    factored("tsqr[bad chunks]", lambda da, b: da.linalg.tsqr(b.square)),
    factored("sfqr[bad chunks]", lambda da, b: da.linalg.sfqr(b.tall)),
    factored("solve_triangular[bad lengths]", lambda da, b: da.linalg.solve_triangular(b.tall, b.v)),
    linear("svd[bad 1d]", lambda da, b: da.linalg.svd(b.v)),
    linear("lstsq[bad lengths]", lambda da, b: da.linalg.lstsq(b.tall, b.v)),
    normed("norm[bad ord]", lambda da, b: da.linalg.norm(b.x, ord="bogus")),
    normed("norm[bad number of axes]", lambda da, b: da.linalg.norm(b.cube, ord=2, axis=(0, 1, 2))),
    normed("norm[bad axis=3]", lambda da, b: da.linalg.norm(b.x, axis=3), raises=Axis),
    normed("norm[bad 1d,nuc]", lambda da, b: da.linalg.norm(b.v, ord="nuc")),
    transformed("fft[bad axis=3]", lambda da, b: da.fft.fft(b.x, axis=3)),
    transformed("fft2[bad 1d]", lambda da, b: da.fft.fft2(b.v)),
    transformed("fft[bad chunks]", lambda da, b: da.fft.fft(b.x, axis=0), raises=ValueError, numpy=False),
    legacy("normal[bad scale=-1]", lambda da, b: state(da, b.namespace).normal(0.0, -1.0, size=9, chunks=4)),
    legacy("normal[bad shape]", lambda da, b: state(da, b.namespace).normal(b.x, 1.0, size=(3, 3))),
    legacy("normal[bad chunks]", lambda da, b: state(da, b.namespace).normal(size=(7, 5), chunks=((3, 3), (5,)))),
    legacy("beta[bad a=-1]", lambda da, b: state(da, b.namespace).beta(-1.0, 2.0, size=9, chunks=4)),
    legacy("binomial[bad p=2]", lambda da, b: state(da, b.namespace).binomial(9, 2.0, size=9, chunks=4)),
    legacy("poisson[bad lam=-1]", lambda da, b: state(da, b.namespace).poisson(-1.0, size=9, chunks=4)),
    legacy("randint[bad bounds]", lambda da, b: state(da, b.namespace).randint(9, 2, size=9, chunks=4)),
    legacy("choice[bad sum of p]", lambda da, b: state(da, b.namespace).choice(3, 5, p=[0.2, 0.2, 0.2])),
    legacy("choice[bad length of p]", lambda da, b: state(da, b.namespace).choice(3, 5, p=[0.5, 0.5])),
    legacy("choice[bad number,replace=False]", lambda da, b: state(da, b.namespace).choice(3, 5, replace=False)),
    legacy(
        "choice[bad chunks,replace=False]",
        lambda da, b: state(da, b.namespace).choice(9, 5, chunks=2, replace=False),
        raises=NotImplementedError,
    ),
    modern("normal[bad scale=-1]", lambda da, b: generator(da, b.namespace).normal(0.0, -1.0, size=9, chunks=4)),
    modern("gamma[bad shape=-1]", lambda da, b: generator(da, b.namespace).gamma(-1.0, size=9, chunks=4)),
    modern("binomial[bad p=2]", lambda da, b: generator(da, b.namespace).binomial(9, 2.0, size=9, chunks=4)),
    modern("poisson[bad lam=-1]", lambda da, b: generator(da, b.namespace).poisson(-1.0, size=9, chunks=4)),
    modern("integers[bad bounds]", lambda da, b: generator(da, b.namespace).integers(9, 2, size=9, chunks=4)),
    modern("random[bad dtype]", lambda da, b: generator(da, b.namespace).random(size=5, dtype="i4"), raises=TypeError),
    modern("choice[bad sum of p]", lambda da, b: generator(da, b.namespace).choice(3, 5, p=[0.2, 0.2, 0.2])),
    modern("choice[bad length of p]", lambda da, b: generator(da, b.namespace).choice(3, 5, p=[0.5, 0.5])),
    modern("choice[bad number,replace=False]", lambda da, b: generator(da, b.namespace).choice(3, 5, replace=False)),
    tested("moment[bad order=-1]", lambda da, b: stats().moment(b.x, moment=-1)),
    tested("skew[bad policy]", lambda da, b: stats().skew(b.x, nan_policy="some"), raises=NotImplementedError),
    out("add[bad out]", lambda da, b: da.add(b.x, b.y, out=b.array(np.zeros((3, 3))))),
)
