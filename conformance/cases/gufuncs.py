"""Generalized ufuncs over the chunks."""

from __future__ import annotations

import numpy as np

from . import within

# NumPy has none of these.
case = within(numpy=False)

CASES = (
    case("apply_gufunc", lambda da, b: da.apply_gufunc(lambda c: c * 2, "()->()", b.x, output_dtypes="f8")),
    case("apply_gufunc[no dtype]", lambda da, b: da.apply_gufunc(lambda c: c * 2, "()->()", b.x)),
    case("apply_gufunc[(i)->()]", lambda da, b: da.apply_gufunc(lambda c: c.sum(axis=-1), "(i)->()", b.tall)),
    case(
        "apply_gufunc[allow_rechunk]",
        lambda da, b: da.apply_gufunc(lambda c: c.mean(axis=-1), "(i)->()", b.x, allow_rechunk=True),
    ),
    case(
        "apply_gufunc[two outputs]",
        lambda da, b: da.apply_gufunc(lambda c: (c.mean(axis=-1), c.std(axis=-1)), "(i)->(),()", b.tall),
    ),
    case(
        "apply_gufunc[output_dtypes]",
        lambda da, b: da.apply_gufunc(
            lambda c: (c.min(axis=-1), c.argmax(axis=-1)), "(i)->(),()", b.tall, output_dtypes=("f8", "i8")
        ),
    ),
    case("apply_gufunc[(),()->()]", lambda da, b: da.apply_gufunc(lambda p, q: p + q, "(),()->()", b.x, b.x)),
    case(
        "apply_gufunc[(i),(i)->()]",
        lambda da, b: da.apply_gufunc(lambda p, q: (p * q).sum(axis=-1), "(i),(i)->()", b.tall, b.tall),
    ),
    case("apply_gufunc[host]", lambda da, b: da.apply_gufunc(np.add, "(),()->()", b.x, b.host(np.ones(1)))),
    case("apply_gufunc[device]", lambda da, b: da.apply_gufunc(np.add, "(),()->()", b.x, b.device(np.ones(1)))),
    case("apply_gufunc[scalar]", lambda da, b: da.apply_gufunc(np.add, "(),()->()", b.x, 2.0)),
    case(
        "apply_gufunc[axis]",
        lambda da, b: da.apply_gufunc(lambda c: c.sum(axis=-1), "(i)->()", b.tall.T, axis=0),
    ),
    case(
        "apply_gufunc[axes]",
        lambda da, b: da.apply_gufunc(lambda c: c.sum(axis=-1), "(i)->()", b.tall.T, axes=[(0,), ()]),
    ),
    case(
        "apply_gufunc[keepdims]",
        lambda da, b: da.apply_gufunc(lambda c: c.sum(axis=-1), "(i)->()", b.tall, axis=-1, keepdims=True),
    ),
    case(
        "apply_gufunc[output_sizes]",
        lambda da, b: da.apply_gufunc(lambda c: c[..., :2] * 3, "(i)->(j)", b.tall, output_sizes={"j": 2}),
    ),
    case(
        "apply_gufunc[vectorize]",
        lambda da, b: da.apply_gufunc(lambda r: r.sum(), "(i)->()", b.tall, vectorize=True, output_dtypes="f8"),
    ),
    case(
        "apply_gufunc[vectorize,scalar]",
        lambda da, b: da.apply_gufunc(lambda t: t * 2, "()->()", b.v, vectorize=True, output_dtypes="f8"),
    ),
    case("apply_gufunc[meta]", lambda da, b: da.apply_gufunc(lambda c: c * 2, "()->()", b.x, meta=b.x._meta)),
    case("apply_gufunc[needs elements]", lambda da, b: da.apply_gufunc(lambda c: c - c.max(), "()->()", b.x)),
    case("as_gufunc", lambda da, b: da.as_gufunc("(i)->()", output_dtypes="f8")(lambda c: c.mean(axis=-1))(b.tall)),
    case("gufunc", lambda da, b: da.gufunc(lambda c: c.max(axis=-1), signature="(i)->()", output_dtypes="f8")(b.tall)),
    case(
        "gufunc[vectorize]",
        lambda da, b: da.gufunc(lambda r: r.max(), signature="(i)->()", output_dtypes="f8", vectorize=True)(b.tall),
    ),
)
