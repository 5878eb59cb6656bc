"""da.random.RandomState: every distribution, with scalar parameters and with arrays of them, drawn by the backend."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import within

# The numbers themselves are each library's own; NumPy's take no chunks.
case = within("random.RandomState.", numpy=False, compare="shape", requires=("random",))


def state(da: Any, namespace: Any) -> Any:
    return da.random.RandomState(7, namespace.random.RandomState)


CASES = (
    case(
        "beta",
        lambda da, b: state(da, b.namespace).beta(2.0, 3.0, size=(7, 5), chunks=(4, 3)),
        also=("random.RandomState",),
    ),
    case("beta[dask]", lambda da, b: state(da, b.namespace).beta(0.5 + b.bools * 0.25, 3.0)),
    case("binomial", lambda da, b: state(da, b.namespace).binomial(9, 0.4, size=(7, 5), chunks=(4, 3))),
    case("binomial[dask]", lambda da, b: state(da, b.namespace).binomial(9, 0.5 + b.bools * 0.25)),
    case("chisquare", lambda da, b: state(da, b.namespace).chisquare(3.0, size=(7, 5), chunks=(4, 3))),
    case("chisquare[dask]", lambda da, b: state(da, b.namespace).chisquare(0.5 + b.bools * 0.25)),
    case("exponential", lambda da, b: state(da, b.namespace).exponential(2.0, size=(7, 5), chunks=(4, 3))),
    case("exponential[dask]", lambda da, b: state(da, b.namespace).exponential(0.5 + b.bools * 0.25)),
    case("f", lambda da, b: state(da, b.namespace).f(3.0, 5.0, size=(7, 5), chunks=(4, 3))),
    case("f[dask]", lambda da, b: state(da, b.namespace).f(0.5 + b.bools * 0.25, 5.0)),
    case("gamma", lambda da, b: state(da, b.namespace).gamma(2.0, 1.5, size=(7, 5), chunks=(4, 3))),
    case("gamma[dask]", lambda da, b: state(da, b.namespace).gamma(0.5 + b.bools * 0.25, 1.5)),
    case("geometric", lambda da, b: state(da, b.namespace).geometric(0.3, size=(7, 5), chunks=(4, 3))),
    case("geometric[dask]", lambda da, b: state(da, b.namespace).geometric(0.5 + b.bools * 0.25)),
    case("gumbel", lambda da, b: state(da, b.namespace).gumbel(0.0, 1.0, size=(7, 5), chunks=(4, 3))),
    case("gumbel[dask]", lambda da, b: state(da, b.namespace).gumbel(0.5 + b.bools * 0.25, 1.0)),
    case("hypergeometric", lambda da, b: state(da, b.namespace).hypergeometric(10, 12, 8, size=(7, 5), chunks=(4, 3))),
    case("hypergeometric[dask]", lambda da, b: state(da, b.namespace).hypergeometric(b.ints * 0 + 9, 12, 8)),
    case("laplace", lambda da, b: state(da, b.namespace).laplace(0.0, 1.0, size=(7, 5), chunks=(4, 3))),
    case("laplace[dask]", lambda da, b: state(da, b.namespace).laplace(0.5 + b.bools * 0.25, 1.0)),
    case("logistic", lambda da, b: state(da, b.namespace).logistic(0.0, 1.0, size=(7, 5), chunks=(4, 3))),
    case("logistic[dask]", lambda da, b: state(da, b.namespace).logistic(0.5 + b.bools * 0.25, 1.0)),
    case("lognormal", lambda da, b: state(da, b.namespace).lognormal(0.0, 1.0, size=(7, 5), chunks=(4, 3))),
    case("lognormal[dask]", lambda da, b: state(da, b.namespace).lognormal(0.5 + b.bools * 0.25, 1.0)),
    case("logseries", lambda da, b: state(da, b.namespace).logseries(0.4, size=(7, 5), chunks=(4, 3))),
    case("logseries[dask]", lambda da, b: state(da, b.namespace).logseries(0.5 + b.bools * 0.25)),
    case(
        "negative_binomial",
        lambda da, b: state(da, b.namespace).negative_binomial(5, 0.4, size=(7, 5), chunks=(4, 3)),
    ),
    case("negative_binomial[dask]", lambda da, b: state(da, b.namespace).negative_binomial(5, 0.5 + b.bools * 0.25)),
    case(
        "noncentral_chisquare",
        lambda da, b: state(da, b.namespace).noncentral_chisquare(3.0, 1.0, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "noncentral_chisquare[dask]",
        lambda da, b: state(da, b.namespace).noncentral_chisquare(0.5 + b.bools * 0.25, 1.0),
    ),
    case("noncentral_f", lambda da, b: state(da, b.namespace).noncentral_f(3.0, 5.0, 1.0, size=(7, 5), chunks=(4, 3))),
    case("noncentral_f[dask]", lambda da, b: state(da, b.namespace).noncentral_f(0.5 + b.bools * 0.25, 5.0, 1.0)),
    case("normal", lambda da, b: state(da, b.namespace).normal(1.0, 2.0, size=(7, 5), chunks=(4, 3))),
    case("normal[dask]", lambda da, b: state(da, b.namespace).normal(0.5 + b.bools * 0.25, 2.0)),
    case("pareto", lambda da, b: state(da, b.namespace).pareto(3.0, size=(7, 5), chunks=(4, 3))),
    case("pareto[dask]", lambda da, b: state(da, b.namespace).pareto(0.5 + b.bools * 0.25)),
    case("poisson", lambda da, b: state(da, b.namespace).poisson(4.0, size=(7, 5), chunks=(4, 3))),
    case("poisson[dask]", lambda da, b: state(da, b.namespace).poisson(0.5 + b.bools * 0.25)),
    case("power", lambda da, b: state(da, b.namespace).power(3.0, size=(7, 5), chunks=(4, 3))),
    case("power[dask]", lambda da, b: state(da, b.namespace).power(0.5 + b.bools * 0.25)),
    case("rayleigh", lambda da, b: state(da, b.namespace).rayleigh(2.0, size=(7, 5), chunks=(4, 3))),
    case("rayleigh[dask]", lambda da, b: state(da, b.namespace).rayleigh(0.5 + b.bools * 0.25)),
    case("standard_cauchy", lambda da, b: state(da, b.namespace).standard_cauchy(size=(7, 5), chunks=(4, 3))),
    case("standard_exponential", lambda da, b: state(da, b.namespace).standard_exponential(size=(7, 5), chunks=(4, 3))),
    case("standard_gamma", lambda da, b: state(da, b.namespace).standard_gamma(2.0, size=(7, 5), chunks=(4, 3))),
    case("standard_gamma[dask]", lambda da, b: state(da, b.namespace).standard_gamma(0.5 + b.bools * 0.25)),
    case("standard_normal", lambda da, b: state(da, b.namespace).standard_normal(size=(7, 5), chunks=(4, 3))),
    case("standard_t", lambda da, b: state(da, b.namespace).standard_t(4.0, size=(7, 5), chunks=(4, 3))),
    case("standard_t[dask]", lambda da, b: state(da, b.namespace).standard_t(0.5 + b.bools * 0.25)),
    case("triangular", lambda da, b: state(da, b.namespace).triangular(-1.0, 0.0, 2.0, size=(7, 5), chunks=(4, 3))),
    case("triangular[dask]", lambda da, b: state(da, b.namespace).triangular(-1.0, 0.5 + b.bools * 0.25, 2.0)),
    case("uniform", lambda da, b: state(da, b.namespace).uniform(-1.0, 2.0, size=(7, 5), chunks=(4, 3))),
    case("uniform[dask]", lambda da, b: state(da, b.namespace).uniform(0.5 + b.bools * 0.25, 2.0)),
    case("vonmises", lambda da, b: state(da, b.namespace).vonmises(0.0, 2.0, size=(7, 5), chunks=(4, 3))),
    case("vonmises[dask]", lambda da, b: state(da, b.namespace).vonmises(0.5 + b.bools * 0.25, 2.0)),
    case("wald", lambda da, b: state(da, b.namespace).wald(1.0, 2.0, size=(7, 5), chunks=(4, 3))),
    case("wald[dask]", lambda da, b: state(da, b.namespace).wald(0.5 + b.bools * 0.25, 2.0)),
    case("weibull", lambda da, b: state(da, b.namespace).weibull(2.0, size=(7, 5), chunks=(4, 3))),
    case("weibull[dask]", lambda da, b: state(da, b.namespace).weibull(0.5 + b.bools * 0.25)),
    case("zipf", lambda da, b: state(da, b.namespace).zipf(3.0, size=(7, 5), chunks=(4, 3))),
    case("zipf[dask]", lambda da, b: state(da, b.namespace).zipf(b.bools + 2.5)),
    case("random", lambda da, b: state(da, b.namespace).random(size=(7, 5), chunks=(4, 3))),
    case("random_sample", lambda da, b: state(da, b.namespace).random_sample(size=(7, 5), chunks=(4, 3))),
    case("tomaxint", lambda da, b: state(da, b.namespace).tomaxint(size=(7, 5), chunks=(4, 3))),
    case("randint", lambda da, b: state(da, b.namespace).randint(2, 9, size=(7, 5), chunks=(4, 3))),
    case("randint[one bound]", lambda da, b: state(da, b.namespace).randint(9, size=(7, 5), chunks=(4, 3))),
    case("randint[dtype]", lambda da, b: state(da, b.namespace).randint(2, 9, size=(7, 5), chunks=(4, 3), dtype="i4")),
    case("random_integers", lambda da, b: state(da, b.namespace).random_integers(2, 9, size=(7, 5), chunks=(4, 3))),
    case(
        "multinomial",
        lambda da, b: state(da, b.namespace).multinomial(9, [0.2, 0.3, 0.5], size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "seed",
        lambda da, b: (lambda r: (r.seed(3), r.normal(size=(7, 5), chunks=(4, 3)))[1])(state(da, b.namespace)),
    ),
    case(
        "normal[host]",
        lambda da, b: state(da, b.namespace).normal(b.host(np.full(5, 0.5)), 2.0, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "normal[device]",
        lambda da, b: state(da, b.namespace).normal(b.device(np.full(5, 0.5)), 2.0, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "uniform[host]",
        lambda da, b: state(da, b.namespace).uniform(b.host(np.full(5, 0.5)), 2.0, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "uniform[device]",
        lambda da, b: state(da, b.namespace).uniform(b.device(np.full(5, 0.5)), 2.0, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "poisson[host]",
        lambda da, b: state(da, b.namespace).poisson(b.host(np.full(5, 0.5)), size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "poisson[device]",
        lambda da, b: state(da, b.namespace).poisson(b.device(np.full(5, 0.5)), size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "gamma[host]",
        lambda da, b: state(da, b.namespace).gamma(b.host(np.full(5, 0.5)), 1.5, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "gamma[device]",
        lambda da, b: state(da, b.namespace).gamma(b.device(np.full(5, 0.5)), 1.5, size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "binomial[host]",
        lambda da, b: state(da, b.namespace).binomial(9, b.host(np.full(5, 0.5)), size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "binomial[device]",
        lambda da, b: state(da, b.namespace).binomial(9, b.device(np.full(5, 0.5)), size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "exponential[host]",
        lambda da, b: state(da, b.namespace).exponential(b.host(np.full(5, 0.5)), size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "exponential[device]",
        lambda da, b: state(da, b.namespace).exponential(b.device(np.full(5, 0.5)), size=(7, 5), chunks=(4, 3)),
    ),
    case("normal[scale=dask]", lambda da, b: state(da, b.namespace).normal(0.0, b.bools + 0.5)),
    case("normal[loc,scale=dask]", lambda da, b: state(da, b.namespace).normal(b.x, b.bools + 0.5)),
    case("normal[row=dask]", lambda da, b: state(da, b.namespace).normal(b.x[0], 1.0, size=(5, 8), chunks=(2, 4))),
    case("normal[3d]", lambda da, b: state(da, b.namespace).normal(0.0, 1.0, size=(3, 4, 5), chunks=(2, 2, 5))),
    case("normal[0d]", lambda da, b: state(da, b.namespace).normal(0.0, 1.0, size=())),
    case("uniform[empty]", lambda da, b: state(da, b.namespace).uniform(0.0, 1.0, size=(0, 3))),
    case("choice[int]", lambda da, b: state(da, b.namespace).choice(9, size=(7, 5), chunks=(4, 3))),
    case(
        "choice[int,p=list]",
        lambda da, b: state(da, b.namespace).choice(3, size=(7, 5), chunks=(4, 3), p=[0.2, 0.3, 0.5]),
    ),
    case("choice[dask]", lambda da, b: state(da, b.namespace).choice(b.v, size=(7, 5), chunks=(4, 3))),
    case(
        "choice[device]",
        lambda da, b: state(da, b.namespace).choice(b.device(np.arange(9.0)), size=(7, 5), chunks=(4, 3)),
    ),
    case(
        "choice[host]",
        lambda da, b: state(da, b.namespace).choice(b.host(np.arange(9.0)), size=(7, 5), chunks=(4, 3)),
        result="other",
    ),
    case(
        "choice[dask,p=dask]",
        lambda da, b: state(da, b.namespace).choice(b.v[:4], size=(7, 5), chunks=(4, 3), p=b.v[:4] * 0 + 0.25),
    ),
    case("choice[dask,p=host]", lambda da, b: state(da, b.namespace).choice(b.v[:4], 9, p=b.host(np.full(4, 0.25)))),
    case("choice[replace=False]", lambda da, b: state(da, b.namespace).choice(b.v, 5, replace=False)),
    case("permutation[int]", lambda da, b: state(da, b.namespace).permutation(9)),
    case("permutation[dask]", lambda da, b: state(da, b.namespace).permutation(b.v)),
    case("permutation[2d]", lambda da, b: state(da, b.namespace).permutation(b.x)),
)
