"""The catalogue itself: complete, cut out of its files without loss, right on NumPy, and as wide as it says."""

from __future__ import annotations

import inspect
import re
import warnings
from collections import Counter
from types import CodeType, ModuleType
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest

import arrayshim
from arrayshim.conformance import case as case_module
from arrayshim.conformance import catalogue, exempt, measure, names, sources
from arrayshim.conformance.case import Case
from arrayshim.conformance.cases import dispatch
from arrayshim.conformance.inputs import Operands

CASES = catalogue.cases()
FAMILIES = sorted({case.family for case in CASES})
METHODS = [
    "inverted_cdf",
    "averaged_inverted_cdf",
    "closest_observation",
    "interpolated_inverted_cdf",
    "hazen",
    "weibull",
    "linear",
    "median_unbiased",
    "normal_unbiased",
    "lower",
    "higher",
    "midpoint",
    "nearest",
]
MODES = ["constant", "edge", "linear_ramp", "maximum", "mean", "minimum", "reflect", "symmetric", "wrap", "empty"]


def named(pattern: str) -> list[Case]:
    return [case for case in CASES if re.search(pattern, case.full_name)]


def test_every_name_of_dask_has_a_case_or_a_reason():
    assert catalogue.uncovered(exempt.EXEMPT) == ()


def test_no_case_covers_a_name_that_dask_has_not():
    assert catalogue.unknown() == {}


def test_an_exempt_name_is_one_of_dask_and_has_no_case():
    covered = {name for case in CASES for name in case.names}
    known = set(names.baseline()["names"])
    for name, reason in exempt.EXEMPT.items():
        assert name in known
        assert name not in covered
        assert len(reason.split()) >= 3


def test_a_name_without_a_case_is_found():
    assert "mean" in catalogue.uncovered(set(), package="arrayshim.conformance.cases.sets")
    assert "unique" not in catalogue.uncovered(set(), package="arrayshim.conformance.cases.sets")


def test_names_are_readable_and_stand_for_one_case():
    assert [name for name, n in Counter(case.full_name for case in CASES).items() if n > 1] == []
    assert [case.full_name for case in CASES if "@" in case.name or "/" in case.family or "\n" in case.name] == []


def test_the_catalogue_is_as_large_as_promised():
    assert len(CASES) >= 1000
    assert len(catalogue.items()) >= 2500


def essence(code: CodeType) -> Any:
    """What a function says, whatever file it was compiled in."""
    constants = [essence(c) if isinstance(c, CodeType) else c for c in code.co_consts if not isinstance(c, str)]
    return code.co_names, code.co_varnames, repr(constants)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_case_can_be_cut_out_of_its_file(family):
    for case in (c for c in CASES if c.family == family):
        assert list(inspect.signature(case.call).parameters) == ["da", "b"], case.full_name
        again = eval(f"lambda da, b: {sources.body(case.call)}")
        assert essence(again.__code__) == essence(case.call.__code__), case.full_name


@pytest.mark.parametrize("family", FAMILIES)
def test_a_case_needs_numpy_and_helpers_with_a_source_only(family):
    for case in (c for c in CASES if c.family == family):
        seen = inspect.getclosurevars(case.call)
        assert seen.nonlocals == {}, case.full_name
        for name, value in seen.globals.items():
            if isinstance(value, ModuleType):
                assert (name, value) == ("np", np), case.full_name
            else:
                assert inspect.isfunction(value), case.full_name
                assert value.__module__ in (case.call.__module__, case_module.__name__), case.full_name
                assert len(inspect.getsource(value).splitlines()) <= 10, f"{case.full_name}: {name} is no small helper"


def parts(result: Any) -> list[Any]:
    if isinstance(result, list | tuple):
        return [part for item in result for part in parts(item)]
    return [result]


def here(case: Case) -> bool:
    return "backend" not in case.requires and measure._missing(case) is None


@pytest.mark.timeout(300)
@pytest.mark.parametrize("family", FAMILIES)
def test_stock_dask_gives_what_numpy_gives(family):
    first = catalogue.firsts()
    chosen = [c for c in CASES if c.family == family and c.numpy and here(c) and c.full_name in first]
    for case in chosen:
        with arrayshim.scope(only=()), warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            lazy = case.call(da, Operands(np.asarray, np))
            got = parts(dask.compute(lazy, scheduler="sync")[0])
            want = parts(case.call(np, Operands(np.asarray, np, plain=True)))
        assert len(got) == len(want), case.full_name
        for a, b in zip(got, want, strict=True):
            if isinstance(b, str | type(None)):
                assert a == b, case.full_name
                continue
            assert np.shape(a) == np.shape(b), case.full_name
            assert np.asarray(a).dtype == np.asarray(b).dtype, case.full_name
            if case.compare == "value" and np.asarray(b).dtype.kind in "biufc":
                bound = case.rtol or 1e-9
                near = np.isclose(np.ma.filled(a, 0), np.ma.filled(b, 0), rtol=bound, atol=bound, equal_nan=True)
                assert near.all(), case.full_name
            elif case.compare == "unordered":
                assert np.allclose(np.sort(a, axis=None), np.sort(b, axis=None)), case.full_name


@pytest.mark.parametrize("method", METHODS)
def test_every_method_of_quantiles(method):
    for function in ("quantile", "nanquantile", "nanpercentile"):
        assert named(rf"^quantiles/{function}\[{method}\]$")


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_of_pad(mode):
    assert named(rf"^padding/pad\[{mode}\b")
    np.pad(np.arange(4.0), 1, mode=mode)  # and it is one of NumPy's


@pytest.mark.parametrize("order", ["fro", "nuc", "inf", "-inf", "1", "-1", "2", "-2", "1d,0", "1d,3"])
def test_every_order_of_norm(order):
    assert named(rf"^linalg/norm\[{re.escape(order)}\]$")


@pytest.mark.parametrize("where", ["host", "device", "dask"])
@pytest.mark.parametrize("what", ["index", "mask"])
@pytest.mark.parametrize("family", ["indexing", "assignment"])
def test_every_residence_of_a_key(family, what, where):
    assert named(rf"^{family}/.*\b{where} {what}")


@pytest.mark.parametrize("owner", ["RandomState", "Generator"])
def test_every_distribution_of_a_backend_is_drawn(owner):
    methods = [n for n in names.baseline()["names"] if n.startswith(f"random.{owner}.")]
    covered = {name: case for case in CASES for name in case.names if case.compare == "shape"}
    missing = [n for n in methods if n not in covered and n not in exempt.EXEMPT]
    assert missing == []
    arrays = {name for case in named(r"\[dask\]$") for name in case.names}
    assert {f"random.{owner}.{n}" for n in ("normal", "uniform", "poisson", "gamma", "binomial", "beta")} <= arrays


def test_what_is_crossed_says_with_what():
    crossed = [case for case in CASES if case.accepts]
    assert len(crossed) >= 60
    for case in crossed:
        assert set(case.accepts) <= set("biufc"), case.full_name
        assert set(case.shapes.split()) <= {"0d", "1d", "2d", "3d", "empty", "unknown"}, case.full_name
        assert "x" in sources.operands(case.call), case.full_name
    assert set().union(*(case.accepts for case in crossed)) == set("biufc")


def test_a_backend_is_configured_on_memory_that_holds_other_numbers_each_time():
    # a pool hands out what was freed before: cupy.empty(()) twice is not the same number, nor a token
    written: list[float] = []
    for _ in range(2):
        found = dispatch.configured("numpy", lambda number: written.append(number.item()), lambda: da.ones(3))
        assert found.shape == (3,)
    assert len(written) == len(set(written)) == 512
