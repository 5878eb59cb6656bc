"""The reductions that pass over NaN."""

from __future__ import annotations

import numpy as np

from . import AXIAL, EVERY, within

case = within()
over_all = within(accepts="biufc", shapes=EVERY)
along = within(accepts="biufc", shapes=AXIAL)
own = within(numpy=False)

CASES = (
    over_all("nansum", lambda da, b: da.nansum(b.x)),
    case("nansum[axis=0]", lambda da, b: da.nansum(b.x, axis=0)),
    case("nansum[nan]", lambda da, b: da.nansum(b.nans)),
    case("nansum[nan,axis=-1]", lambda da, b: da.nansum(b.nans, axis=-1)),
    case("nansum[nan,axis=(0,1),keepdims]", lambda da, b: da.nansum(b.nans, axis=(0, 1), keepdims=True)),
    case("nansum[dtype=f4]", lambda da, b: da.nansum(b.nans, axis=0, dtype="f4"), rtol=1e-5),  # four-byte sums
    own("nansum[split_every=2]", lambda da, b: da.nansum(b.nans, axis=0, split_every=2)),
    case("nansum[out]", lambda da, b: da.nansum(b.nans, axis=0, out=b.array(np.zeros(8)))),
    case("nanprod", lambda da, b: da.nanprod(b.x)),
    case("nanprod[axis=0]", lambda da, b: da.nanprod(b.x, axis=0)),
    case("nanprod[nan]", lambda da, b: da.nanprod(b.nans)),
    case("nanprod[nan,axis=1,keepdims]", lambda da, b: da.nanprod(b.nans, axis=1, keepdims=True)),
    own("nanprod[split_every=2]", lambda da, b: da.nanprod(b.nans, axis=0, split_every=2)),
    case("nanmean", lambda da, b: da.nanmean(b.x)),
    along("nanmean[axis=0]", lambda da, b: da.nanmean(b.x, axis=0)),
    case("nanmean[nan]", lambda da, b: da.nanmean(b.nans)),
    case("nanmean[nan,axis=0]", lambda da, b: da.nanmean(b.nans, axis=0)),
    case("nanmean[nan,axis=-1,keepdims]", lambda da, b: da.nanmean(b.nans, axis=-1, keepdims=True)),
    case("nanmean[nan,axis=(0,1)]", lambda da, b: da.nanmean(b.nans, axis=(0, 1))),
    case("nanmean[dtype=f4]", lambda da, b: da.nanmean(b.nans, axis=0, dtype="f4"), rtol=1e-5),  # four-byte sums
    own("nanmean[split_every=2]", lambda da, b: da.nanmean(b.nans, axis=0, split_every=2)),
    along("nanstd", lambda da, b: da.nanstd(b.x)),
    case("nanstd[axis=0]", lambda da, b: da.nanstd(b.x, axis=0)),
    case("nanstd[nan]", lambda da, b: da.nanstd(b.nans)),
    case("nanstd[nan,axis=0]", lambda da, b: da.nanstd(b.nans, axis=0)),
    case("nanstd[nan,axis=-1,keepdims]", lambda da, b: da.nanstd(b.nans, axis=-1, keepdims=True)),
    case("nanstd[nan,ddof=1]", lambda da, b: da.nanstd(b.nans, axis=0, ddof=1)),
    own("nanstd[split_every=2]", lambda da, b: da.nanstd(b.nans, split_every=2)),
    case("nanvar", lambda da, b: da.nanvar(b.x)),
    case("nanvar[axis=0]", lambda da, b: da.nanvar(b.x, axis=0)),
    case("nanvar[nan]", lambda da, b: da.nanvar(b.nans)),
    case("nanvar[nan,axis=1]", lambda da, b: da.nanvar(b.nans, axis=1)),
    case("nanvar[nan,axis=0,ddof=1,keepdims]", lambda da, b: da.nanvar(b.nans, axis=0, ddof=1, keepdims=True)),
    own("nanvar[split_every=2]", lambda da, b: da.nanvar(b.nans, axis=0, split_every=2)),
    case("nanmin", lambda da, b: da.nanmin(b.x)),
    case("nanmin[axis=0]", lambda da, b: da.nanmin(b.x, axis=0)),
    case("nanmin[nan]", lambda da, b: da.nanmin(b.nans)),
    case("nanmin[nan,axis=-1]", lambda da, b: da.nanmin(b.nans, axis=-1)),
    case("nanmin[nan,axis=0,keepdims]", lambda da, b: da.nanmin(b.nans, axis=0, keepdims=True)),
    own("nanmin[split_every=2]", lambda da, b: da.nanmin(b.nans, axis=0, split_every=2)),
    case("nanmax", lambda da, b: da.nanmax(b.x)),
    along("nanmax[axis=0]", lambda da, b: da.nanmax(b.x, axis=0)),
    case("nanmax[nan]", lambda da, b: da.nanmax(b.nans)),
    case("nanmax[nan,axis=-1]", lambda da, b: da.nanmax(b.nans, axis=-1)),
    case("nanmax[nan,axis=(0,1),keepdims]", lambda da, b: da.nanmax(b.nans, axis=(0, 1), keepdims=True)),
    own("nanmax[split_every=2]", lambda da, b: da.nanmax(b.nans, axis=1, split_every=2)),
    case("nanargmin", lambda da, b: da.nanargmin(b.x)),
    along("nanargmin[axis=0]", lambda da, b: da.nanargmin(b.x, axis=0)),
    case("nanargmin[nan]", lambda da, b: da.nanargmin(b.nans)),
    case("nanargmin[nan,axis=-1]", lambda da, b: da.nanargmin(b.nans, axis=-1)),
    case("nanargmin[nan,axis=0,keepdims]", lambda da, b: da.nanargmin(b.nans, axis=0, keepdims=True)),
    case("nanargmax", lambda da, b: da.nanargmax(b.x)),
    case("nanargmax[axis=0]", lambda da, b: da.nanargmax(b.x, axis=0)),
    case("nanargmax[nan]", lambda da, b: da.nanargmax(b.nans)),
    case("nanargmax[nan,axis=-1]", lambda da, b: da.nanargmax(b.nans, axis=-1)),
    case("nanargmax[nan,keepdims]", lambda da, b: da.nanargmax(b.nans, keepdims=True)),
)
