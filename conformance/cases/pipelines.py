"""Short programs as users write them: several operations, each of which has cases of its own."""

from __future__ import annotations

import numpy as np

from arrayshim.conformance.case import rechunked

from . import within

case = within(names=())
own = within(names=(), numpy=False)

CASES = (
    case("standardized", lambda da, b: (b.x - b.x.mean(axis=0)) / b.x.std(axis=0)),
    case("min max scaled", lambda da, b: (b.x - b.x.min(axis=0)) / (b.x.max(axis=0) - b.x.min(axis=0))),
    case("softmax", lambda da, b: da.exp(b.x) / da.exp(b.x).sum(axis=1, keepdims=True)),
    case("log sum exp", lambda da, b: da.log(da.exp(b.x - b.x.max(axis=1, keepdims=True)).sum(axis=1))),
    case("gram matrix", lambda da, b: b.x.T @ b.x / b.x.shape[0]),
    case("centred covariance", lambda da, b: (b.x - b.x.mean(axis=0)).T.dot(b.x - b.x.mean(axis=0))),
    case("squared distances", lambda da, b: ((b.x[:, None, :] - b.x[None, :, :]) ** 2).sum(axis=-1)),
    case(
        "nearest centre",
        lambda da, b: ((b.x[:, None] - b.device(np.eye(3, 8))[None]) ** 2).sum(axis=-1).argmin(axis=1),
    ),
    case(
        "nearest centre of host",
        lambda da, b: abs(b.x[:, None] - b.host(np.eye(3, 8))[None]).sum(axis=-1).argmin(axis=1),
    ),
    case("fill nan with mean", lambda da, b: da.where(da.isnan(b.nans), da.nanmean(b.nans, axis=0), b.nans)),
    case("fill nan with 0", lambda da, b: da.where(da.isnan(b.nans), 0.0, b.nans).sum(axis=0)),
    case("clip outliers", lambda da, b: da.clip(b.x, b.x.mean() - b.x.std(), b.x.mean() + b.x.std())),
    case("share above mean", lambda da, b: (b.x > b.x.mean(axis=0)).mean(axis=0)),
    case("positive only", lambda da, b: b.x[b.x.sum(axis=1) > 0].mean(axis=0)),
    case("positive only, then scaled", lambda da, b: b.v[b.v > 0] / b.v[b.v > 0].max()),
    case("count by class", lambda da, b: da.stack([(b.ints == k).sum() for k in range(3)])),
    case("one hot", lambda da, b: (b.index[:, None] == da.asarray(b.device(np.arange(-3, 13)))).astype("f4")),
    case("moving difference", lambda da, b: (b.v[1:] - b.v[:-1]) ** 2),
    case("cumulative share", lambda da, b: da.cumsum(abs(b.v), axis=0) / abs(b.v).sum()),
    case("power spectrum", lambda da, b: abs(da.fft.fft(b.array(np.eye(6, 8), (2, 8)))) ** 2),
    case(
        "low pass",
        lambda da, b: da.fft.irfft(da.fft.rfft(b.array(np.eye(6, 8), (2, 8))) * b.device(np.arange(5) < 3)),
    ),
    case("complex from polar", lambda da, b: abs(b.x) * da.exp(1j * b.y)),
    case("upper half", lambda da, b: da.triu(b.x.T @ b.x, 1).sum()),
    case("weighted mean", lambda da, b: (b.x * b.y).sum(axis=0) / b.y.sum(axis=0)),
    case("augmented", lambda da, b: da.concatenate([b.x, da.ones_like(b.x[:, :1])], axis=1)),
    case("flattened in chunks", lambda da, b: da.ravel(b.cube[:, :, ::2]).reshape((6, 10))),
    case("image mean of blocks", lambda da, b: b.square.reshape((4, 2, 4, 2)).mean(axis=(1, 3))),
    case("mean of int", lambda da, b: b.ints.mean(axis=0).astype("f4")),
    case("mirror", lambda da, b: da.concatenate([b.x, b.x[::-1]])[::2]),
    case("antisymmetric", lambda da, b: da.outer(b.v, b.w) - da.outer(b.w, b.v)),
    case("histogram of standardized", lambda da, b: da.histogram((b.v - b.v.mean()) / b.v.std(), 5, (-3, 3))[0]),
    case("bins by digitize", lambda da, b: da.bincount(da.digitize(b.v, b.device(np.arange(-3.0, 4.0))), minlength=9)),
    case("values at host index", lambda da, b: b.x[b.host(np.array([3, 1, 2]))].sum(axis=1)),
    case("values at device index", lambda da, b: b.x[b.device(np.array([3, 1, 2]))].sum(axis=1)),
    case("where then nonzero", lambda da, b: da.nonzero(da.where(b.v > 0, b.v, 0.0))[0]),
    case("product of means", lambda da, b: da.prod(b.x.mean(axis=0))),
    case("norm of rows", lambda da, b: b.x / da.linalg.norm(b.x, axis=1, keepdims=True)),
    case("masked mean", lambda da, b: (b.x * b.bools).sum(axis=0) / b.bools.sum(axis=0)),
    own("smoothed", lambda da, b: b.square.map_overlap(lambda c: (c + c[::-1]) / 2, depth=1, boundary="reflect")),
    case("whitened by svd", lambda da, b: abs(da.linalg.svd(b.tall - b.tall.mean(axis=0))[1])),
    case("rechunked mean", lambda da, b: rechunked(rechunked(b.x, (13, 2)).mean(axis=0), 3)),
    own("blocks swapped", lambda da, b: da.concatenate([b.square.blocks[1], b.square.blocks[0]])),
    own("top three mean", lambda da, b: da.topk(b.x, 3, axis=1).mean(axis=1)),
    own("moments", lambda da, b: da.stack([da.moment(b.x, k, axis=0) for k in (2, 3, 4)])),
    own(
        "user function of block",
        lambda da, b: b.x.map_blocks(lambda c: c - c.mean(axis=1, keepdims=True), dtype="f8"),
    ),
    own(
        "delayed round trip",
        lambda da, b: da.concatenate([da.from_delayed(d, (1,), "f8") for d in b.v[:3].rechunk(1).to_delayed()]),
    ),
)
