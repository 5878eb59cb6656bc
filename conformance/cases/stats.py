"""dask.array.stats: tests of means, of frequencies and of shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import within

# The results are named tuples, and NumPy has no such tests.
case = within("stats.", numpy=False, requires=("scipy",))


def stats() -> Any:
    from dask.array import stats

    return stats


CASES = (
    case("ttest_ind", lambda da, b: tuple(stats().ttest_ind(b.x, b.y))),
    case("ttest_ind[equal_var=False]", lambda da, b: tuple(stats().ttest_ind(b.x, b.y, equal_var=False))),
    case("ttest_ind[axis=1]", lambda da, b: tuple(stats().ttest_ind(b.x, b.y, axis=1))),
    case("ttest_1samp", lambda da, b: tuple(stats().ttest_1samp(b.x, 0.5))),
    case("ttest_1samp[axis=1]", lambda da, b: tuple(stats().ttest_1samp(b.x, 0.5, axis=1))),
    case("ttest_rel", lambda da, b: tuple(stats().ttest_rel(b.x, b.y))),
    case("ttest_rel[1d]", lambda da, b: tuple(stats().ttest_rel(b.v, b.w))),
    case("chisquare", lambda da, b: tuple(stats().chisquare(b.x * b.x + 1))),
    case("chisquare[expected]", lambda da, b: tuple(stats().chisquare(b.v * b.v, b.w * b.w + 1))),
    case("chisquare[statistic]", lambda da, b: stats().chisquare(b.x * b.x + 1)[0]),
    case("power_divergence", lambda da, b: tuple(stats().power_divergence(b.x * b.x + 1))),
    case("power_divergence[log]", lambda da, b: stats().power_divergence(b.v * b.v + 1, lambda_="log-likelihood")[0]),
    case("power_divergence[neyman]", lambda da, b: stats().power_divergence(b.v * b.v + 1, lambda_="neyman")[0]),
    case("power_divergence[ddof]", lambda da, b: tuple(stats().power_divergence(b.v * b.v + 1, ddof=1))),
    case("skew", lambda da, b: stats().skew(b.x)),
    case("skew[axis=1]", lambda da, b: stats().skew(b.x, axis=1)),
    case("skew[1d]", lambda da, b: stats().skew(b.v)),
    case("skewtest", lambda da, b: tuple(stats().skewtest(b.x))),
    case("skewtest[1d]", lambda da, b: tuple(stats().skewtest(b.v))),
    case("kurtosis", lambda da, b: stats().kurtosis(b.x)),
    case("kurtosis[fisher=False]", lambda da, b: stats().kurtosis(b.x, fisher=False)),
    case("kurtosis[axis=1]", lambda da, b: stats().kurtosis(b.tall.T, axis=1)),
    case("kurtosistest", lambda da, b: tuple(stats().kurtosistest(b.tall))),
    case("kurtosistest[1d]", lambda da, b: tuple(stats().kurtosistest(b.v))),
    case("normaltest", lambda da, b: tuple(stats().normaltest(b.tall))),
    case("normaltest[1d]", lambda da, b: tuple(stats().normaltest(b.v))),
    case("f_oneway", lambda da, b: tuple(stats().f_oneway(b.v, b.w))),
    case("f_oneway[three]", lambda da, b: tuple(stats().f_oneway(b.v, b.w, b.v + b.array(np.arange(23.0))))),
    case("moment", lambda da, b: stats().moment(b.x)),
    case("moment[2]", lambda da, b: stats().moment(b.x, 2)),
    case("moment[3,axis=1]", lambda da, b: stats().moment(b.x, 3, axis=1)),
)
