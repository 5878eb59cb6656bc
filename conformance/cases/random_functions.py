"""The functions of da.random: the backend of dask's configuration draws, which is NumPy unless somebody set it."""

from __future__ import annotations

import numpy as np

from . import within

# NumPy takes no chunks; the stream is seeded so that a graph built twice is the same.
case = within("random.", numpy=False, compare="shape", result="numpy")

CASES = (
    case("beta", lambda da, b: (da.random.seed(5), da.random.beta(2.0, 3.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("binomial", lambda da, b: (da.random.seed(5), da.random.binomial(9, 0.4, size=(7, 5), chunks=(4, 3)))[1]),
    case("chisquare", lambda da, b: (da.random.seed(5), da.random.chisquare(3.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("exponential", lambda da, b: (da.random.seed(5), da.random.exponential(2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("f", lambda da, b: (da.random.seed(5), da.random.f(3.0, 5.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("gamma", lambda da, b: (da.random.seed(5), da.random.gamma(2.0, 1.5, size=(7, 5), chunks=(4, 3)))[1]),
    case("geometric", lambda da, b: (da.random.seed(5), da.random.geometric(0.3, size=(7, 5), chunks=(4, 3)))[1]),
    case("gumbel", lambda da, b: (da.random.seed(5), da.random.gumbel(0.0, 1.0, size=(7, 5), chunks=(4, 3)))[1]),
    case(
        "hypergeometric",
        lambda da, b: (da.random.seed(5), da.random.hypergeometric(10, 12, 8, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case("laplace", lambda da, b: (da.random.seed(5), da.random.laplace(0.0, 1.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("logistic", lambda da, b: (da.random.seed(5), da.random.logistic(0.0, 1.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("lognormal", lambda da, b: (da.random.seed(5), da.random.lognormal(0.0, 1.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("logseries", lambda da, b: (da.random.seed(5), da.random.logseries(0.4, size=(7, 5), chunks=(4, 3)))[1]),
    case(
        "negative_binomial",
        lambda da, b: (da.random.seed(5), da.random.negative_binomial(5, 0.4, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case(
        "noncentral_chisquare",
        lambda da, b: (da.random.seed(5), da.random.noncentral_chisquare(3.0, 1.0, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case(
        "noncentral_f",
        lambda da, b: (da.random.seed(5), da.random.noncentral_f(3.0, 5.0, 1.0, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case("normal", lambda da, b: (da.random.seed(5), da.random.normal(1.0, 2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("pareto", lambda da, b: (da.random.seed(5), da.random.pareto(3.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("poisson", lambda da, b: (da.random.seed(5), da.random.poisson(4.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("power", lambda da, b: (da.random.seed(5), da.random.power(3.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("rayleigh", lambda da, b: (da.random.seed(5), da.random.rayleigh(2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case(
        "standard_cauchy",
        lambda da, b: (da.random.seed(5), da.random.standard_cauchy(size=(7, 5), chunks=(4, 3)))[1],
    ),
    case(
        "standard_exponential",
        lambda da, b: (da.random.seed(5), da.random.standard_exponential(size=(7, 5), chunks=(4, 3)))[1],
    ),
    case(
        "standard_gamma",
        lambda da, b: (da.random.seed(5), da.random.standard_gamma(2.0, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case(
        "standard_normal",
        lambda da, b: (da.random.seed(5), da.random.standard_normal(size=(7, 5), chunks=(4, 3)))[1],
    ),
    case("standard_t", lambda da, b: (da.random.seed(5), da.random.standard_t(4.0, size=(7, 5), chunks=(4, 3)))[1]),
    case(
        "triangular",
        lambda da, b: (da.random.seed(5), da.random.triangular(-1.0, 0.0, 2.0, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case("uniform", lambda da, b: (da.random.seed(5), da.random.uniform(-1.0, 2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("vonmises", lambda da, b: (da.random.seed(5), da.random.vonmises(0.0, 2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("wald", lambda da, b: (da.random.seed(5), da.random.wald(1.0, 2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("weibull", lambda da, b: (da.random.seed(5), da.random.weibull(2.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("zipf", lambda da, b: (da.random.seed(5), da.random.zipf(3.0, size=(7, 5), chunks=(4, 3)))[1]),
    case("random", lambda da, b: (da.random.seed(5), da.random.random(size=(7, 5), chunks=(4, 3)))[1]),
    case("random_sample", lambda da, b: (da.random.seed(5), da.random.random_sample(size=(7, 5), chunks=(4, 3)))[1]),
    case("randint", lambda da, b: (da.random.seed(5), da.random.randint(2, 9, size=(7, 5), chunks=(4, 3)))[1]),
    case(
        "random_integers",
        lambda da, b: (da.random.seed(5), da.random.random_integers(2, 9, size=(7, 5), chunks=(4, 3)))[1],
    ),
    case(
        "multinomial",
        lambda da, b: (da.random.seed(5), da.random.multinomial(9, [0.2, 0.8], size=(7, 5), chunks=(4, 3)))[1],
    ),
    case("choice", lambda da, b: (da.random.seed(5), da.random.choice(9, size=(7, 5), chunks=(4, 3)))[1]),
    case("permutation", lambda da, b: (da.random.seed(5), da.random.permutation(9))[1]),
    case(
        "seed",
        lambda da, b: (da.random.seed(b.host(np.array(5)).item()), da.random.normal(size=(7, 5), chunks=(4, 3)))[1],
    ),
    case("default_rng", lambda da, b: da.random.default_rng(5).normal(size=(7, 5), chunks=(4, 3))),
    case("RandomState", lambda da, b: da.random.RandomState(5).normal(size=(7, 5), chunks=(4, 3))),
    case("Generator", lambda da, b: da.random.Generator(np.random.PCG64(5)).normal(size=(7, 5), chunks=(4, 3))),
    case("normal[parameter=dask]", lambda da, b: (da.random.seed(5), da.random.normal(b.x, 1.0))[1], result="other"),
)
