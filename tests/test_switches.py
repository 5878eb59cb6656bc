"""The switches: environment, dask's configuration, arguments, and what a wrong id does."""

from __future__ import annotations

import dask
import pytest

import arrayshim
from arrayshim import applying, config
from arrayshim.errors import ArrayshimWarning, UnknownFixError

FIRST = ["array_backend_reach", "boolean_selection_meta", "cold_tables", "numel", "percentile_unknown_type"]

APPLIED = """
import warnings
warnings.simplefilter("ignore")
import arrayshim
from arrayshim.applying import applied
at_import = list(applied)
arrayshim.enable(only=["numel"])
answer([at_import, list(applied)])
"""


@pytest.fixture(autouse=True)
def _stock_at_first():
    with arrayshim.scope(only=()):
        yield


def enabled(**selection):
    arrayshim.enable(**selection)
    return list(applying.applied)


def without(*ids):
    """All but these and what leans on them; a fix comes after those that it names."""
    left_out = set(ids)
    for fix in arrayshim.fixes.collect().values():
        if left_out & set(fix.after):
            left_out.add(fix.id)
    return [fix_id for fix_id in arrayshim.fixes.collect() if fix_id not in left_out]


def test_the_fixes_of_the_first_issue_are_there():
    assert set(FIRST) <= set(arrayshim.fixes.collect())
    assert enabled() == without()


@pytest.mark.parametrize(
    ("value", "left_out"),
    [
        ("all", without()),
        ("numel", ["numel"]),
        (" numel , boolean_selection_meta ,", ["numel", "boolean_selection_meta"]),
        ("", []),
        ("cold_tables", ["cold_tables", "percentile_unknown_type"]),  # which leans on it
    ],
)
def test_environment(monkeypatch, value, left_out):
    monkeypatch.setenv("ARRAYSHIM_DISABLE", value)
    assert enabled() == without(*left_out)


@pytest.mark.parametrize(
    ("value", "left_out"),
    [
        ("all", without()),
        ("numel", ["numel"]),
        ("numel,boolean_selection_meta", ["numel", "boolean_selection_meta"]),
        (["numel", "boolean_selection_meta"], ["numel", "boolean_selection_meta"]),
        (["all"], without()),
        (None, []),
        ([], []),
    ],
)
def test_configuration(value, left_out):
    with dask.config.set({"arrayshim.disable": value}):
        assert enabled() == without(*left_out)


def test_both_are_added_up(monkeypatch):
    monkeypatch.setenv("ARRAYSHIM_DISABLE", "numel")
    with dask.config.set({"arrayshim.disable": ["boolean_selection_meta"]}):
        assert config.disabled() == {"numel", "boolean_selection_meta"}
        assert enabled() == without("numel", "boolean_selection_meta")


def test_only_overrides_the_settings(monkeypatch):
    monkeypatch.setenv("ARRAYSHIM_DISABLE", "all")
    assert enabled() == []
    assert enabled(only=["numel"]) == ["numel"]
    assert enabled(only="numel") == ["numel"]
    assert enabled(only=["percentile_unknown_type"]) == ["cold_tables", "percentile_unknown_type"]
    assert enabled(only=()) == []


def test_skip():
    assert enabled(skip=["cold_tables"]) == without("cold_tables", "percentile_unknown_type")
    assert enabled(only=["numel", "cold_tables"], skip=["numel"]) == ["cold_tables"]


def test_disable_some():
    enabled()
    arrayshim.disable("numel", "cold_tables")
    assert list(applying.applied) == without("numel", "cold_tables", "percentile_unknown_type")
    arrayshim.disable("numel")
    assert list(applying.applied) == without("numel", "cold_tables", "percentile_unknown_type")


@pytest.mark.parametrize("value", ["nummel", "all the rest", "nummel,numel"])
def test_an_unknown_id_in_a_setting_is_a_warning(monkeypatch, value):
    monkeypatch.setenv("ARRAYSHIM_DISABLE", value)
    with pytest.warns(ArrayshimWarning, match=r"^arrayshim.disable: no fix is called '") as caught:
        applied = enabled()
    assert [warning.filename for warning in caught] == [__file__]
    assert applied == without(*(["numel"] if value.endswith(",numel") else []))


@pytest.mark.parametrize(
    "call",
    [
        lambda: arrayshim.enable(only=["nummel"]),
        lambda: arrayshim.enable(skip=["boolean_selection_meta", "nummel"]),
        lambda: arrayshim.disable("boolean_selection_meta", "nummel"),
        lambda: arrayshim.explain("nummel"),
        lambda: arrayshim.scope(only=["nummel"]).__enter__(),
    ],
)
def test_an_unknown_id_in_a_call_is_an_error_and_changes_nothing(call):
    enabled(skip=["boolean_selection_meta"])
    before = list(applying.applied)
    with pytest.raises(UnknownFixError) as error:
        call()
    assert str(error.value) == "no fix is called 'nummel'; did you mean 'numel'?"
    assert list(applying.applied) == before


@pytest.mark.parametrize("wrong", ["xyzzy", "", 3, None])
def test_an_id_like_none_is_answered_with_all_of_them(wrong):
    with pytest.raises(UnknownFixError, match=r"no fix is called .*; the ids are: .*numel") as error:
        arrayshim.disable(wrong)
    assert "\n" not in str(error.value)


def test_at_import_the_environment_counts(bare):
    assert bare(APPLIED, env={"ARRAYSHIM_DISABLE": "all"}) == [[], ["numel"]]


def test_at_import_the_configuration_counts_too(bare):
    env = {"ARRAYSHIM_DISABLE": "boolean_selection_meta,nonsense", "DASK_ARRAYSHIM__DISABLE": "numel"}
    assert bare(APPLIED, env=env) == [without("numel", "boolean_selection_meta"), ["numel"]]


def test_what_is_left_out_with_another_says_so():
    arrayshim.enable(skip=["cold_tables"])
    states = {item.id: item for item in arrayshim.status()}
    leaning, named = states["percentile_unknown_type"], states["cold_tables"]
    assert leaning.state == "faulty"
    assert leaning.detail.endswith("; left out with cold_tables, on which it leans")
    assert "left out with" not in named.detail
    arrayshim.disable()
    assert all("left out with" not in item.detail for item in arrayshim.status())
