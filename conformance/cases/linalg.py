"""dask.array.linalg: factorizations, solutions and norms."""

from __future__ import annotations

import numpy as np

from . import within

case = within("linalg.")
own = within("linalg.", numpy=False)
# Signs of a factor are the library's choice; their absolute values and the products are not.
scipy = within("linalg.", numpy=False, requires=("scipy",))

CASES = (
    case("norm", lambda da, b: da.linalg.norm(b.x), accepts="biufc", shapes="1d 2d 3d"),
    case("norm[keepdims]", lambda da, b: da.linalg.norm(b.x, keepdims=True)),
    case("norm[axis=0]", lambda da, b: da.linalg.norm(b.x, axis=0)),
    case("norm[axis=1,keepdims]", lambda da, b: da.linalg.norm(b.x, axis=1, keepdims=True)),
    case("norm[axis=(0,1)]", lambda da, b: da.linalg.norm(b.x, axis=(0, 1))),
    case("norm[3d,axis=(0,2)]", lambda da, b: da.linalg.norm(b.cube, axis=(0, 2))),
    case("norm[fro]", lambda da, b: da.linalg.norm(b.x, "fro")),
    case("norm[nuc]", lambda da, b: da.linalg.norm(b.tall, "nuc")),
    case("norm[inf]", lambda da, b: da.linalg.norm(b.x, np.inf)),
    case("norm[-inf]", lambda da, b: da.linalg.norm(b.x, -np.inf)),
    case("norm[1]", lambda da, b: da.linalg.norm(b.x, 1)),
    case("norm[-1]", lambda da, b: da.linalg.norm(b.x, -1)),
    case("norm[2]", lambda da, b: da.linalg.norm(b.tall, 2)),
    case("norm[-2]", lambda da, b: da.linalg.norm(b.tall, -2)),
    case("norm[1d,inf]", lambda da, b: da.linalg.norm(b.v, np.inf)),
    case("norm[1d,-inf]", lambda da, b: da.linalg.norm(b.v, -np.inf)),
    case("norm[1d,0]", lambda da, b: da.linalg.norm(b.v, 0)),
    case("norm[1d,1]", lambda da, b: da.linalg.norm(b.v, 1)),
    case("norm[1d,2]", lambda da, b: da.linalg.norm(b.v, 2)),
    case("norm[1d,3]", lambda da, b: da.linalg.norm(b.v, 3)),
    case("norm[1d,0.5]", lambda da, b: da.linalg.norm(b.v, 0.5)),
    case("norm[axis=0,ord=3]", lambda da, b: da.linalg.norm(b.x, 3, axis=0)),
    case("norm[axis=1,ord=inf]", lambda da, b: da.linalg.norm(b.x, np.inf, axis=1)),
    case("norm[complex]", lambda da, b: da.linalg.norm(b.complexes)),
    case("qr[r]", lambda da, b: abs(da.linalg.qr(b.tall)[1])),
    case("qr[q]", lambda da, b: abs(da.linalg.qr(b.tall)[0])),
    case("qr[product]", lambda da, b: da.dot(*da.linalg.qr(b.tall))),
    own("qr[wide]", lambda da, b: da.dot(*da.linalg.qr(b.tall.T.rechunk((5, 10))))),
    case("qr[f4]", lambda da, b: da.dot(*da.linalg.qr(b.tall.astype("f4")))),
    own("qr[complex]", lambda da, b: da.dot(*da.linalg.qr(b.complexes.rechunk((6, 8))))),
    own("tsqr", lambda da, b: da.dot(*da.linalg.tsqr(b.tall))),
    own("tsqr[svd]", lambda da, b: da.linalg.tsqr(b.tall, compute_svd=True)[1]),
    own("sfqr", lambda da, b: da.dot(*da.linalg.sfqr(b.tall.T.rechunk((5, 10))))),
    case("svd[s]", lambda da, b: da.linalg.svd(b.tall)[1]),
    own("svd[u]", lambda da, b: abs(da.linalg.svd(b.tall)[0])),
    case("svd[v]", lambda da, b: abs(da.linalg.svd(b.tall)[2])),
    own("svd[product]", lambda da, b: (lambda u, s, v: (u * s).dot(v))(*da.linalg.svd(b.tall))),
    own("svd[wide]", lambda da, b: da.linalg.svd(b.tall.T.rechunk((5, 10)))[1]),
    own("svd[one chunk]", lambda da, b: da.linalg.svd(b.square.rechunk(-1))[1]),
    own("svd[coerce_signs=False]", lambda da, b: abs(da.linalg.svd(b.tall, coerce_signs=False)[2])),
    own("svd_compressed", lambda da, b: da.linalg.svd_compressed(b.tall, 5, seed=1)[1], rtol=1e-7),
    own("svd_compressed[iterations]", lambda da, b: da.linalg.svd_compressed(b.tall, 5, "QR", 1, seed=1)[1]),
    own("svd_compressed[uneven]", lambda da, b: da.linalg.svd_compressed(b.tall, 5, n_oversamples=0, seed=1)[1]),
    own("svd_compressed[u]", lambda da, b: abs(da.linalg.svd_compressed(b.tall, 5, seed=2)[0])),
    own("compression_level", lambda da, b: da.linalg.compression_level(100, 5), result="scalar"),
    own("compression_matrix", lambda da, b: da.linalg.compression_matrix(b.tall, 5, seed=1), compare="shape"),  # draws
    own(
        "compression_matrix[iterations]",
        lambda da, b: da.linalg.compression_matrix(b.tall, 5, n_power_iter=1, iterator="power", seed=1),
        compare="shape",
    ),
    scipy("cholesky", lambda da, b: da.linalg.cholesky(b.spd)),  # the upper factor, NumPy's is the lower
    scipy("cholesky[lower]", lambda da, b: da.linalg.cholesky(b.spd, lower=True)),
    scipy("cholesky[one chunk]", lambda da, b: da.linalg.cholesky(b.spd.rechunk(-1), lower=True)),
    scipy("lu", lambda da, b: da.linalg.lu(b.square)),
    scipy("lu[one chunk]", lambda da, b: da.linalg.lu(b.square.rechunk(-1))),
    scipy("lu[product]", lambda da, b: (lambda p, lower, upper: p.dot(lower).dot(upper))(*da.linalg.lu(b.square))),
    case("inv", lambda da, b: da.linalg.inv(b.square), requires=("scipy",)),
    scipy("inv[one chunk]", lambda da, b: da.linalg.inv(b.square.rechunk(-1))),
    case("solve", lambda da, b: da.linalg.solve(b.square, b.square[0]), requires=("scipy",)),
    case("solve[2d]", lambda da, b: da.linalg.solve(b.square, b.spd[:, :4]), requires=("scipy",)),
    scipy("solve[pos]", lambda da, b: da.linalg.solve(b.spd, b.square[0], assume_a="pos")),
    case(
        "solve[right=host]",
        lambda da, b: da.linalg.solve(b.square, da.asarray(b.host(np.arange(8.0)))),
        requires=("scipy",),
    ),
    scipy("solve_triangular", lambda da, b: da.linalg.solve_triangular(da.triu(b.square), b.square[0])),
    scipy("solve_triangular[lower]", lambda da, b: da.linalg.solve_triangular(da.tril(b.square), b.spd, lower=True)),
    scipy(
        "solve_triangular[one chunk]",
        lambda da, b: da.linalg.solve_triangular(da.triu(b.square).rechunk(-1), b.square[0].rechunk(-1)),
    ),
    case("lstsq", lambda da, b: da.linalg.lstsq(b.tall, b.tall[:, 0] * 2 + b.tall[:, 1])[0]),
    case("lstsq[residuals]", lambda da, b: da.linalg.lstsq(b.tall, b.tall[:, 0] ** 2)[1]),
    own("lstsq[rank]", lambda da, b: da.linalg.lstsq(b.tall, b.tall[:, 0] ** 2)[2]),
    case("lstsq[singular values]", lambda da, b: da.linalg.lstsq(b.tall, b.tall[:, 0] ** 2)[3]),
    own("lstsq[2d]", lambda da, b: da.linalg.lstsq(b.tall, b.tall[:, :2].rechunk((10, 2)) ** 2)[0]),
)
