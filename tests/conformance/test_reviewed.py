"""A reviewed file of known failures goes through another run: what holds stays as a person wrote it."""

from __future__ import annotations

import re
from pathlib import Path

import dask
import pytest
from run_records import record, run_of

from arrayshim.conformance import known, matrix, report, skeleton
from arrayshim.conformance.known import Entry, Known

LINK = "https://github.com/dask/dask/issues/4888"
DASK = "https://github.com/dask/dask/blob"


def entry(*cases, outcome=("error",), **more):
    return Entry(cases=cases, outcome=outcome, **{"reason": "because", "link": LINK} | more)


def rewritten(records, *before, catalogue=()):
    """The new entries; held against the run that they are of, nothing surprises."""
    found = skeleton.entries(records, Known(before), catalogue=catalogue)
    assert Known(found).surprises(records, set(catalogue)) == []
    return found


def test_a_pattern_that_holds_stays():
    before = entry("a/b[*host]*", "a/c*", fix="numel")
    records = [record("a/b[host]", "error"), record("a/b[0d host]", "error"), record("a/c", "error"), record("a/b")]
    assert rewritten(records, before) == [before]


def test_a_failure_of_the_same_kind_joins_by_its_name():
    before = entry("a/b[*host]*")
    assert rewritten([record("a/b[host]", "error"), record("a/b[new host]", "error", "other words")], before) == [
        before
    ]


def test_what_passes_now_goes_or_becomes_an_exception():
    before = entry("a/b[*", "a/c", but=("a/b[out]",))
    records = [record(f"a/b[{n}]", "error") for n in "12345"]
    records += [record("a/b[6]"), record("a/b[out]"), record("a/c")]
    assert rewritten(records, before) == [entry("a/b[*", but=("a/b[out]", "a/b[6]"))]


def test_a_pattern_that_says_the_wrong_thing_is_spelled_out():
    records = [record("a/b[1]", "error"), *(record(f"a/b[{n}]") for n in "2345")]
    assert rewritten(records, entry("a/b[*")) == [entry("a/b[1]")]


def test_an_entry_that_nothing_belongs_to_goes():
    assert rewritten([record("a/b"), record("a/c", "error")], entry("a/b"), entry("a/c")) == [entry("a/c")]


def test_another_outcome_is_another_entry():
    records = [record("a/b", "error"), record("a/c", "error"), record("a/d", "crash", "bang", names=["mean"])]
    kept, new = rewritten(records, entry("a/*", reason="reviewed"))
    assert (kept.reason, kept.but) == ("reviewed", ("a/d",))
    assert (new.cases, new.outcome, new.reason) == (("a/d",), ("crash",), "mean: bang")


def test_an_exception_that_fails_is_looked_at_anew():
    before = entry("a/b*", but=("a/b[out]",))
    records = [record("a/b", "error"), record("a/b[in]", "error"), record("a/b[out]", "error", "no [f(x)]", names=[])]
    kept, new = rewritten(records, before)
    assert (kept, new.cases) == (before, ("a/b[out]",))


def test_the_order_of_entries_stays():
    before = entry("a/b[axis]", outcome=("crash",), reason="first"), entry("a/b*")
    records = [record("a/b", "error"), record("a/b[axis]", "crash")]
    assert rewritten(records, *before) == list(before)


def test_a_failure_belongs_to_the_first_entry_that_allows_its_outcome():
    first, second = entry("a/*", outcome=("crash",), reason="first"), entry("a/*", reason="second")
    records = [record("a/b", "crash"), record("a/c", "crash"), record("a/d", "error")]
    assert rewritten(records, first, second) == [
        entry("a/*", outcome=("crash",), reason="first", but=("a/d",)),
        second,
    ]


def test_what_was_skipped_or_did_not_run_stays_known():
    before = entry("a/b", "a/no_such"), entry("a/c"), entry("a/d")
    records = [record("a/b", "error"), record("a/c", "skip")]
    catalogue = ["a/b", "a/c", "a/d"]
    assert rewritten(records, *before, catalogue=catalogue) == [entry("a/b"), entry("a/c"), entry("a/d")]
    assert rewritten(records, *before) == [entry("a/b"), entry("a/c")]


def test_what_was_skipped_beside_what_passes_now_goes():
    before = entry("a/b*"), entry("a/c[*", "a/d[*")
    records = [record("a/b"), record("a/b[1]", "skip"), record("a/c[1]"), record("a/c[2]", "skip")]
    records += [record("a/d[1]", "error"), record("a/d[2]", "skip")]
    assert rewritten(records, *before) == [entry("a/d[*")]


def test_patterns_of_a_new_entry_leave_alone_what_did_not_run():
    (found,) = rewritten([record("a/b[1]", "error"), record("a/b[2]", "error")], catalogue=["a/b[3]"])
    assert found.cases == ("a/b[1]", "a/b[2]")


def test_twice_is_once():
    before = entry("a/*", but=("a/c",)), entry("b/*", outcome=("crash", "error"))
    records = [record("a/b", "error"), record("a/c"), record("a/d", "crash", "bang"), record("b/e", "error")]
    once = rewritten(records, *before)
    assert rewritten(records, *once) == once


# From a result, without a run


def test_a_file_is_rewritten_from_a_result(tmp_path, capsys):
    run = run_of([record("a/b", "error"), record("a/c")], name="toy", stock=True)
    report.put(tmp_path / "result.json", report.as_json(run))
    report.put(tmp_path / "toy-stock.toml", skeleton.toml([entry("a/*"), entry("a/d")], name="toy", date="2026-01-31"))
    assert skeleton.main([str(tmp_path / "result.json"), "--into", str(tmp_path)]) == 0
    assert known.load(tmp_path / "toy-stock.toml").entries == (entry("a/*", but=("a/c",)),)
    assert "toy-stock.toml: 1 entries" in capsys.readouterr().out


def test_a_first_file_from_a_result(tmp_path):
    report.put(
        tmp_path / "result.json", report.as_json(run_of([record("a/b", "not implemented by the backend", "no")]))
    )
    skeleton.main([str(tmp_path / "result.json"), "--into", str(tmp_path), "--docs", "https://toy.example"])
    (found,) = known.load(tmp_path / "toy.toml").entries
    assert (found.cases, found.reason, found.link) == (("a/b",), "no", "https://toy.example")


def test_reasons_of_another_reviewed_file(tmp_path):
    run = run_of([record("a/b", "error"), record("a/c", "error"), record("a/d", "error", "no")])
    report.put(tmp_path / "result.json", report.as_json(run))
    report.put(tmp_path / "toy.toml", skeleton.toml([entry("a/b")], name="toy", date="2026-01-31"))
    other = entry("a/b", "a/c", reason="as there"), entry("a/x")
    report.put(tmp_path / "other.toml", skeleton.toml(other, name="other", date="2026-01-31"))
    arguments = [tmp_path / "result.json", "--into", tmp_path, "--like", tmp_path / "other.toml"]
    assert skeleton.main([str(argument) for argument in arguments]) == 0
    first, second, third = known.load(tmp_path / "toy.toml").entries
    assert (first, second) == (entry("a/b"), entry("a/c", reason="as there"))
    assert third.cases == ("a/d",)


def test_a_result_that_cannot_be_read(tmp_path, capsys):
    with pytest.raises(SystemExit, match="2"):
        skeleton.main([str(tmp_path / "none.json"), "--into", str(tmp_path)])
    assert "none.json" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# The committed files


@pytest.fixture(scope="module", params=matrix.committed(), ids=lambda it: it[0].name)
def committed(request):
    return request.param


@pytest.fixture(scope="module")
def names():
    from arrayshim.conformance import catalogue

    return [item.name for item in catalogue.items()]


def test_a_committed_run_came_out_as_is_known(committed, names):
    _, run = committed
    assert [str(surprise) for surprise in known.of(run).surprises(run["cases"], set(names))] == []


def test_rewriting_a_committed_file_changes_nothing(committed, names):
    _, run = committed
    before = known.of(run)
    assert skeleton.entries(run["cases"], before, catalogue=names) == [*before.entries, *before.elsewhere]


@pytest.mark.parametrize("path", sorted(known.FOLDER.glob("*.toml")), ids=lambda path: path.name)
def test_the_repairs_that_a_committed_file_names_exist(path):
    from arrayshim.fixes import collect

    assert {entry.fix for entry in known.load(path).entries} - {None} <= set(collect())


@pytest.mark.parametrize("path", sorted(known.FOLDER.glob("*.toml")), ids=lambda path: path.name)
def test_links_into_dask_lead_to_a_line_of_code(path):
    root = Path(dask.__file__).parents[1]
    links = {entry.link for entry in known.load(path).entries}
    found = [match for link in links if (match := re.fullmatch(DASK + r"/([^/]+)/(dask/\S+?)(?:#L(\d+))?", link))]
    assert len(found) == sum(link.startswith(DASK) for link in links)
    for _, file, line in [match.groups() for match in found if match[1] == dask.__version__]:
        assert (root / file).exists(), file
        if line is not None:
            assert (root / file).read_text(encoding="utf-8").splitlines()[int(line) - 1].strip(), f"{file}#L{line}"


def test_the_files_of_an_installed_arrayshim_are_left_alone(tmp_path, monkeypatch, capsys):
    installed = tmp_path / "site-packages" / "arrayshim" / "conformance" / "known"
    installed.mkdir(parents=True)
    monkeypatch.setattr(known, "FOLDER", installed)
    report.put(tmp_path / "result.json", report.as_json(run_of([record("a/b", "error", "found, expected")])))
    with pytest.raises(SystemExit) as error:
        skeleton.main([str(tmp_path / "result.json")])
    assert error.value.code == 2
    assert "--into DIR is missing" in capsys.readouterr().err
    assert list(installed.iterdir()) == []
    assert skeleton.main([str(tmp_path / "result.json"), "--into", str(tmp_path / "mine")]) == 0
    assert len(list((tmp_path / "mine").glob("*.toml"))) == 1
