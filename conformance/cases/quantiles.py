"""Medians, quantiles and percentiles by each of NumPy's methods."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
ordered = within(accepts="iuf", shapes="1d 2d 3d")
# The percentiles of many chunks are approximate: NumPy-backed dask is the oracle.
approximate = within(numpy=False)

CASES = (
    ordered("median[axis=0]", lambda da, b: da.median(b.x, axis=0), accepts="biuf"),
    case("median[axis=-1]", lambda da, b: da.median(b.x, axis=-1)),
    case("median[axis=(0,1)]", lambda da, b: da.median(b.x, axis=(0, 1))),
    case("median[axis=1,keepdims]", lambda da, b: da.median(b.x, axis=1, keepdims=True)),
    case("median[3d,axis=(0,2)]", lambda da, b: da.median(b.cube, axis=(0, 2))),
    case("median[nan]", lambda da, b: da.median(b.nans, axis=0)),
    case("nanmedian[axis=0]", lambda da, b: da.nanmedian(b.x, axis=0)),
    case("nanmedian[nan,axis=0]", lambda da, b: da.nanmedian(b.nans, axis=0)),
    case("nanmedian[nan,axis=-1,keepdims]", lambda da, b: da.nanmedian(b.nans, axis=-1, keepdims=True)),
    case("nanmedian[nan,axis=(0,1)]", lambda da, b: da.nanmedian(b.nans, axis=(0, 1))),
    case("quantile[axis=0]", lambda da, b: da.quantile(b.x, 0.3, axis=0)),
    ordered("quantile[axis=-1]", lambda da, b: da.quantile(b.x, 0.3, axis=-1)),
    case("quantile[q=list]", lambda da, b: da.quantile(b.x, [0.0, 0.25, 1.0], axis=0)),
    case("quantile[q=host]", lambda da, b: da.quantile(b.x, b.host(np.array([0.1, 0.9])), axis=1)),
    case("quantile[q=device]", lambda da, b: da.quantile(b.x, b.device(np.array([0.1, 0.9])), axis=1)),
    case("quantile[q=0d host]", lambda da, b: da.quantile(b.x, b.host(np.array(0.1)), axis=0)),
    case("quantile[keepdims]", lambda da, b: da.quantile(b.x, [0.1, 0.9], axis=1, keepdims=True)),
    case("quantile[axis=(0,1)]", lambda da, b: da.quantile(b.x, 0.5, axis=(0, 1))),
    case("quantile[nan]", lambda da, b: da.quantile(b.nans, 0.3, axis=0)),
    case("quantile[inverted_cdf]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="inverted_cdf")),
    case(
        "quantile[averaged_inverted_cdf]",
        lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="averaged_inverted_cdf"),
    ),
    case("quantile[closest_observation]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="closest_observation")),
    case(
        "quantile[interpolated_inverted_cdf]",
        lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="interpolated_inverted_cdf"),
    ),
    case("quantile[hazen]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="hazen")),
    case("quantile[weibull]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="weibull")),
    case("quantile[linear]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="linear")),
    case("quantile[median_unbiased]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="median_unbiased")),
    case("quantile[normal_unbiased]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="normal_unbiased")),
    case("quantile[lower]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="lower")),
    case("quantile[higher]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="higher")),
    case("quantile[midpoint]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="midpoint")),
    case("quantile[nearest]", lambda da, b: da.quantile(b.x, [0.1, 0.8], 0, method="nearest")),
    case("quantile[weights]", lambda da, b: da.quantile(b.x, 0.3, axis=0, method="inverted_cdf", weights=b.x * b.x)),
    case("nanquantile[axis=0]", lambda da, b: da.nanquantile(b.x, 0.3, axis=0)),
    case("nanquantile[nan,axis=-1]", lambda da, b: da.nanquantile(b.nans, 0.3, axis=-1)),
    case("nanquantile[nan,q=list]", lambda da, b: da.nanquantile(b.nans, [0.0, 0.25, 1.0], axis=0)),
    case("nanquantile[nan,q=host]", lambda da, b: da.nanquantile(b.nans, b.host(np.array([0.1, 0.9])), axis=1)),
    case("nanquantile[nan,keepdims]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.9], axis=1, keepdims=True)),
    case("nanquantile[inverted_cdf]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="inverted_cdf")),
    case(
        "nanquantile[averaged_inverted_cdf]",
        lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="averaged_inverted_cdf"),
    ),
    case(
        "nanquantile[closest_observation]",
        lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="closest_observation"),
    ),
    case(
        "nanquantile[interpolated_inverted_cdf]",
        lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="interpolated_inverted_cdf"),
    ),
    case("nanquantile[hazen]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="hazen")),
    case("nanquantile[weibull]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="weibull")),
    case("nanquantile[linear]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="linear")),
    case("nanquantile[median_unbiased]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="median_unbiased")),
    case("nanquantile[normal_unbiased]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="normal_unbiased")),
    case("nanquantile[lower]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="lower")),
    case("nanquantile[higher]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="higher")),
    case("nanquantile[midpoint]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="midpoint")),
    case("nanquantile[nearest]", lambda da, b: da.nanquantile(b.nans, [0.1, 0.8], 0, method="nearest")),
    case("nanpercentile[nan,axis=0]", lambda da, b: da.nanpercentile(b.nans, 30, axis=0)),
    case("nanpercentile[nan,q=list]", lambda da, b: da.nanpercentile(b.nans, [0, 25, 100], axis=1)),
    case(
        "nanpercentile[inverted_cdf]",
        lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="inverted_cdf"),
    ),
    case(
        "nanpercentile[averaged_inverted_cdf]",
        lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="averaged_inverted_cdf"),
    ),
    case(
        "nanpercentile[closest_observation]",
        lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="closest_observation"),
    ),
    case(
        "nanpercentile[interpolated_inverted_cdf]",
        lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="interpolated_inverted_cdf"),
    ),
    case("nanpercentile[hazen]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="hazen")),
    case("nanpercentile[weibull]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="weibull")),
    case("nanpercentile[linear]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="linear")),
    case(
        "nanpercentile[median_unbiased]",
        lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="median_unbiased"),
    ),
    case(
        "nanpercentile[normal_unbiased]",
        lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="normal_unbiased"),
    ),
    case("nanpercentile[lower]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="lower")),
    case("nanpercentile[higher]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="higher")),
    case("nanpercentile[midpoint]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="midpoint")),
    case("nanpercentile[nearest]", lambda da, b: da.nanpercentile(b.nans, [10, 80], axis=1, method="nearest")),
    approximate("percentile", lambda da, b: da.percentile(b.v, 30)),
    approximate("percentile[q=list]", lambda da, b: da.percentile(b.v, [0, 25, 50, 75, 100])),
    approximate("percentile[q=100]", lambda da, b: da.percentile(b.v, 100)),
    approximate("percentile[q=100,midpoint]", lambda da, b: da.percentile(b.v, [50, 100], method="midpoint")),
    approximate("percentile[q=host]", lambda da, b: da.percentile(b.v, b.host(np.array([10, 90])))),
    approximate("percentile[q=device]", lambda da, b: da.percentile(b.v, b.device(np.array([10, 90])))),
    approximate("percentile[int]", lambda da, b: da.percentile(b.ints[:, 0], [0, 30, 100])),
    approximate("percentile[unknown]", lambda da, b: da.percentile(b.v[b.v > 0], [0, 30, 100])),
    approximate("percentile[dask]", lambda da, b: da.percentile(b.v, [0, 30, 100], internal_method="dask")),
    approximate(
        "percentile[tdigest]",
        lambda da, b: da.percentile(b.v, [0, 30, 100], internal_method="tdigest"),
        requires=("crick",),
    ),
    case("percentile[one chunk]", lambda da, b: da.percentile(b.array(np.arange(9.0), -1), [0, 30, 100])),
    approximate("percentile[linear]", lambda da, b: da.percentile(b.v, [0, 20, 50, 90, 100], method="linear")),
    approximate("percentile[linear,int]", lambda da, b: da.percentile(b.ints[:, 1], [10, 50], method="linear")),
    approximate("percentile[lower]", lambda da, b: da.percentile(b.v, [0, 20, 50, 90, 100], method="lower")),
    approximate("percentile[lower,int]", lambda da, b: da.percentile(b.ints[:, 1], [10, 50], method="lower")),
    approximate("percentile[higher]", lambda da, b: da.percentile(b.v, [0, 20, 50, 90, 100], method="higher")),
    approximate("percentile[higher,int]", lambda da, b: da.percentile(b.ints[:, 1], [10, 50], method="higher")),
    approximate("percentile[midpoint]", lambda da, b: da.percentile(b.v, [0, 20, 50, 90, 100], method="midpoint")),
    approximate("percentile[midpoint,int]", lambda da, b: da.percentile(b.ints[:, 1], [10, 50], method="midpoint")),
    approximate("percentile[nearest]", lambda da, b: da.percentile(b.v, [0, 20, 50, 90, 100], method="nearest")),
    approximate("percentile[nearest,int]", lambda da, b: da.percentile(b.ints[:, 1], [10, 50], method="nearest")),
)
