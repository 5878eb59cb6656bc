"""Every method of element streams that is a distribution, with parameters; and arrays of these, wherever they are."""

from __future__ import annotations

import dask.array as da
import numpy as np

import arrayshim

ROWS, COLUMNS = 9, 6

#: Method -> the parameters of the first of two columns, and of the second.
DRAWN = {
    "beta": ((0.5, 2.0), (3.0, 1.5)),
    "binomial": ((20, 0.3), (1000, 0.7)),
    "chisquare": ((3.0,), (0.5,)),
    "exponential": ((2.0,), (0.1,)),
    "f": ((3.0, 5.0), (1.0, 9.0)),
    "gamma": ((2.5, 1.5), (0.3, 2.0)),
    "geometric": ((0.3,), (0.9,)),
    "gumbel": ((1.0, 2.0), (-1.0, 0.5)),
    "hypergeometric": ((15, 10, 7), (150, 100, 160)),
    "integers": ((-7, 1000), (5, 2**40)),
    "laplace": ((1.0, 2.0), (-1.0, 0.5)),
    "logistic": ((1.0, 2.0), (-1.0, 0.5)),
    "lognormal": ((0.5, 0.7), (-1.0, 0.2)),
    "logseries": ((0.8,), (0.2,)),
    "multinomial": ((4, [0.2, 0.3, 0.5]), (90, [0.2, 0.3, 0.5])),
    "negative_binomial": ((4.5, 0.3), (20, 0.6)),
    "noncentral_chisquare": ((3.0, 2.0), (0.7, 2.5)),
    "noncentral_f": ((3.0, 20.0, 2.0), (2.0, 30.0, 1.0)),
    "normal": ((1.0, 2.0), (-1.0, 0.5)),
    "pareto": ((3.0,), (1.5,)),
    "poisson": ((3.5,), (400.0,)),
    "power": ((2.5,), (0.7,)),
    "rayleigh": ((2.0,), (0.5,)),
    "standard_gamma": ((2.5,), (0.3,)),
    "standard_t": ((4.0,), (9.0,)),
    "triangular": ((-1.0, 0.0, 3.0), (0.0, 1.0, 1.0)),
    "uniform": ((-1.0, 3.0), (5.0, 5.5)),
    "vonmises": ((0.5, 2.0), (-1.0, 30.0)),
    "wald": ((2.0, 3.0), (0.5, 1.0)),
    "weibull": ((1.7,), (0.6,)),
    "zipf": ((2.5,), (6.0,)),
}
#: Those of which no parameter may be an array with a value per element, and what they are given.
PLAIN = {
    "choice": (9,),
    "dirichlet": ([0.5, 1.0, 3.5],),
    "multivariate_hypergeometric": ([3, 4, 5], 6),
    "permutation": (ROWS,),
    "random": (),
    "random_raw": (),
    "standard_cauchy": (),
    "standard_exponential": (),
    "standard_normal": (),
}


def rng(like="numpy", seed=3):
    """A generator of element streams, made anew: equal seeds draw equal numbers."""
    return arrayshim.random.default_rng(seed, like=like, stream="element")


def numbers(method):
    """Parameters of a method that are numbers."""
    return DRAWN[method][0] if method in DRAWN else PLAIN[method]


def drawn(method, like="numpy", shape=(ROWS, COLUMNS), chunks="auto"):
    """An array of a method with parameters that are numbers; a permutation has as many rows and no columns."""
    if method == "permutation":
        x = rng(like).permutation(ROWS)
        return x if chunks == "auto" else x.rechunk(chunks[:1])
    return getattr(rng(like), method)(*numbers(method), size=shape, chunks=chunks)


def given_as(kind, values, device):
    """Values of parameters in one of the ways in which users have them."""
    if kind in ("list", "numpy"):
        return values.tolist() if kind == "list" else values
    if kind == "dask":
        return da.from_array(values, chunks=4)
    there = device(values)
    return da.from_array(there, chunks=4, asarray=False, name=False) if kind.startswith("dask of") else there


def with_arrays(method, like, kind):
    """An array whose columns have the parameters of `DRAWN` by turns, each parameter an array of one of the kinds."""
    device = arrayshim.backends.backend_of(like).to_device
    parameters = []
    for one, other in zip(*DRAWN[method], strict=True):
        if isinstance(one, list) or one == other:
            parameters.append(one)
        else:
            parameters.append(given_as(kind, np.array([one, other] * (COLUMNS // 2)), device))
    return getattr(rng(like), method)(*parameters, size=(ROWS, COLUMNS), chunks=(5, 6))


def with_numbers(method, like="numpy"):
    """The same numbers as arrays in memory, drawn with numbers, all columns with the one and then with the other."""
    columns = [
        getattr(rng(like), method)(*numbers, size=(ROWS, COLUMNS), chunks=-1).compute(scheduler="sync")
        for numbers in DRAWN[method]
    ]
    whole = columns[0].copy()
    whole[:, 1::2] = columns[1][:, 1::2]
    return whole
