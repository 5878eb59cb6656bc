"""Parameters of element streams that are NaN or infinite: the values of NumPy, where it has values."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

from arrayshim import strict
from arrayshim.random import default_rng


@pytest.mark.parametrize("like", [np.ndarray, strict.StrictArray], ids=["numpy", "strict"])
@pytest.mark.parametrize(
    ("method", "parameters"),
    [
        *[("standard_gamma", (bad,)) for bad in (np.nan, np.inf)],
        *[("gamma", (bad, 2.0)) for bad in (np.nan, np.inf)],
        *[("beta", pair) for pair in [(np.nan, 1.0), (1.0, np.nan), (np.inf, 1.0), (1.0, np.inf)]],
        *[("chisquare", (bad,)) for bad in (np.nan, np.inf)],
        *[("f", pair) for pair in [(np.nan, 1.0), (1.0, np.nan), (np.inf, 1.0), (1.0, np.inf)]],
        *[("standard_t", (bad,)) for bad in (np.nan, np.inf)],
        *[("vonmises", (0.0, bad)) for bad in (np.nan, np.inf)],
        *[("triangular", three) for three in [(-np.inf, 0.0, 1.0), (-1.0, 0.0, np.inf), (np.nan, 0.0, 1.0)]],
        # Of one degree of freedom and an infinite `nonc` NumPy draws finite numbers; here infinite ones, as of three.
        *[("noncentral_chisquare", pair) for pair in [(1.0, np.nan), (3.0, np.nan), (3.0, np.inf)]],
        *[("noncentral_f", triple) for triple in [(1.0, 1.0, np.nan), (3.0, 1.0, np.inf)]],
    ],
    ids=str,
)
def test_parameters_that_are_no_numbers_give_what_they_give_in_numpy(like, method, parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)
        expected = getattr(np.random.default_rng(1), method)(*parameters, size=4)
        drawn = getattr(default_rng(1, like=like, stream="element"), method)(*parameters, size=4).compute()
    drawn = drawn if like is np.ndarray else drawn.get()
    np.testing.assert_array_equal(np.isnan(drawn), np.isnan(expected))
    if method != "vonmises" and not np.isnan(expected).all():  # a direction of many
        np.testing.assert_array_equal(drawn, expected)
