"""The catalogue is complete, its crossing is that of its cases, and choosing from it is exact."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import dask.array as da
import numpy as np
import pytest

from arrayshim.conformance import catalogue, crossing, exempt, modes, names
from arrayshim.conformance.case import Case
from arrayshim.conformance.layouts import DTYPES, LAYOUTS, Variation


def test_names_are_those_of_dask() -> None:
    found = names.derive()
    # one of each source
    assert {
        "mean",
        "linalg.qr",
        "fft.rfft",
        "random.Generator.normal",
        "random.RandomState.randint",
        "random.default_rng",
        "ma.filled",
        "stats.skew",
        "overlap.map_overlap",
        "lib.stride_tricks.sliding_window_view",
        "Array.mean",
        "Array.T",
        "Array.__add__",
        "Array.__eq__",
        "Array.__setitem__",
        "np.mean",
        "np.linalg.norm",
        "np.fft.fft",
    } <= set(found)
    assert not [name for name in found if not names.exists(name)]
    assert not {"linalg", "Array.__dask_graph__", "Array.__dict__", "linalg.partial", "random.Array"} & set(found)


def test_a_name_nobody_has_does_not_exist() -> None:
    assert not names.exists("linalg.no_such_function")
    assert not names.exists("no_such.module")
    assert names.exists("np.concat")  # dask knows it as concatenate


def test_names_of_a_later_dask_are_told_apart() -> None:
    assert names.added(("mean", "brand_new", "Array.brand_new")) == ("brand_new", "Array.brand_new")


def test_a_name_of_a_later_dask_is_required_once_it_is_committed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(da, "brand_new", np.add, raising=False)
    monkeypatch.setattr(da, "__all__", [*da.__all__, "brand_new"])
    monkeypatch.setattr(da.Array, "brand_new", property(lambda x: x), raising=False)
    assert names.added(names.derive()) == ("Array.brand_new", "brand_new")
    assert catalogue.uncovered(exempt.EXEMPT) == ()
    monkeypatch.setattr(names, "BASELINE", tmp_path / "names.json")
    names.write_baseline()
    assert names.added(names.derive()) == ()
    assert catalogue.uncovered(exempt.EXEMPT) == ("Array.brand_new", "brand_new")


def test_every_name_has_a_case_or_a_reason() -> None:
    assert catalogue.uncovered(exempt.EXEMPT) == ()


def test_exemptions_have_reasons_and_are_needed() -> None:
    covered = {name for case in catalogue.cases() for name in case.names}
    assert all(len(reason.split()) > 2 for reason in exempt.EXEMPT.values())
    assert not covered & set(exempt.EXEMPT)


def test_a_name_without_a_case_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tuple(case for case in catalogue.cases() if "linalg.qr" not in case.names)
    monkeypatch.setattr(catalogue, "cases", lambda package=catalogue.DEFAULT: kept)
    assert "linalg.qr" in catalogue.uncovered(exempt.EXEMPT)


def test_cases_cover_names_that_exist() -> None:
    assert catalogue.unknown() == {}


def test_there_are_enough_and_each_is_named_once() -> None:
    found = [item.name for item in catalogue.items()]
    assert len(found) >= 2500
    assert len(set(found)) == len(found)
    assert not [name for name in found if "\n" in name]


def test_cases_build_on_cases() -> None:
    there = {case.full_name for case in catalogue.cases()}
    assert not [case.full_name for case in catalogue.cases() if not there.issuperset(case.builds_on)]


def test_quick_has_every_name_once() -> None:
    chosen = catalogue.select("quick")
    everything = {name for case in catalogue.cases() for name in case.names}
    assert {name for item in chosen for name in item.case.names} == everything
    assert len(chosen) <= len(everything)


def test_shards_are_a_partition() -> None:
    whole = [item.name for item in catalogue.select("quick")]
    parts = [[item.name for item in catalogue.select("quick", shard=(i, 3))] for i in (1, 2, 3)]
    assert sorted(name for part in parts for name in part) == sorted(whole)
    assert {len(part) for part in parts} <= {len(whole) // 3, len(whole) // 3 + 1}


def test_only_and_family_choose() -> None:
    found = catalogue.select(only=r"^reductions/mean\[axis=0", family=("reductions",))
    assert found
    assert all(item.name.startswith("reductions/mean[axis=0") for item in found)


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"level": "some"}, "level='some', expected one of quick, full, fuzz"),
        ({"only": "("}, "is no regular expression"),
        ({"family": ("nothing",)}, "family='nothing', expected one of "),
        ({"shard": (4, 3)}, "shard=4/3, expected I/N"),
    ],
)
def test_a_bad_choice_is_told_in_one_line(asked: dict[str, object], message: str) -> None:
    with pytest.raises(catalogue.CatalogueError, match=re.escape(message)) as caught:
        catalogue.select(**asked)  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_digest_sees_another_call(monkeypatch: pytest.MonkeyPatch) -> None:
    before = catalogue.digest()
    items = catalogue.items()
    changed = (replace(items[0], case=replace(items[0].case, call=lambda da, b: b.v)), *items[1:])
    assert catalogue.digest() == before
    monkeypatch.setattr(catalogue, "items", lambda package=catalogue.DEFAULT: changed)
    assert catalogue.digest() != before


# the crossing


def test_committed_crossing_is_that_of_the_catalogue() -> None:
    assert crossing.outdated(catalogue.cases()) == []


def test_crossing_says_why_what_is_left_out() -> None:
    rows = json.loads(crossing.FILE.read_text(encoding="utf-8"))["rows"]
    for row in rows.values():
        assert all(row.get("refused", {}).values())
        assert all(row.get("unlike numpy", {}).values())
        assert not set(row["run"]) & set(row.get("refused", {}))


@pytest.fixture
def operation() -> Case:
    everything = {"accepts": "biufc", "shapes": "0d 1d 2d 3d empty unknown"}
    return Case(name="f", family="t", names=("f",), call=lambda da, b: b.x, **everything)


def test_crossing_is_pairwise(operation: Case) -> None:
    rows = [Variation.parse(text) for text in crossing.draw([operation])["t/f"]]
    base = Variation()
    assert {row.dtype for row in rows} | {base.dtype} == set(DTYPES)
    assert {row.layout for row in rows} | {base.layout} == set(LAYOUTS)


def test_every_dtype_meets_every_layout() -> None:
    drawn = crossing.draw(catalogue.cases()).values()
    met = {(v.dtype, v.layout) for rows in drawn for v in map(Variation.parse, rows)}
    assert met >= {(d, layout) for d in DTYPES for layout in LAYOUTS} - {("f8", "uneven")}


def test_crossing_heeds_what_a_case_accepts(operation: Case) -> None:
    narrow = replace(operation, accepts="f", shapes="1d")
    rows = [Variation.parse(text) for text in crossing.draw([narrow])["t/f"]]
    assert rows
    assert {np.dtype(row.dtype).kind for row in rows} == {"f"}
    assert {row.place.shapes for row in rows} == {"1d"}


def test_crossing_is_drawn_the_same_again(operation: Case) -> None:
    assert crossing.draw([operation]) == crossing.draw([operation])
    assert crossing.draw([operation]) != crossing.draw([operation], seed=1)


def test_another_form_of_an_operation_gets_few_rows(operation: Case) -> None:
    drawn = crossing.draw([operation, replace(operation, name="f[again]")])
    assert len(drawn["t/f[again]"]) == crossing.FEW


def test_write_keeps_what_the_oracle_says(operation: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crossing, "FILE", tmp_path / "crossing.json")

    def judge(case: Case, variation: Variation) -> tuple[str, str]:
        if variation.dtype == "b1":
            return "refused", "TypeError: no"
        return ("unlike numpy", "wrong value: x") if variation.dtype == "f2" else ("run", "")

    crossing.committed.cache_clear()
    try:
        crossing.write([operation], judge)
        rows = crossing.committed()["t/f"]
        assert {Variation.parse(text).dtype for text, like in rows.items() if not like} == {"f2"}
        assert not [text for text in rows if text.startswith("b1")]
        assert crossing.outdated([operation]) == []
        assert crossing.outdated([replace(operation, accepts="f")]) == ["t/f: drawn otherwise"]
        assert crossing.outdated([]) == ["t/f: gone"]
    finally:
        crossing.committed.cache_clear()


def test_a_dask_without_a_list_of_its_own_has_the_names_known_that_are_there(monkeypatch):
    # as dask 2025.1 has none
    whole = names.derive()
    monkeypatch.delattr(da, "__all__")
    monkeypatch.delattr(da, "histogram2d")
    assert set(whole) - set(names.derive()) >= {"histogram2d"}
    assert set(names.derive()) < set(whole)


def test_a_dask_that_does_not_know_expressions_is_in_the_other_mode(monkeypatch):
    monkeypatch.delattr(da, "array_expr_enabled")
    assert modes.name() == "dask"
