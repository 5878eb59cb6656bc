"""The files of a run: what they hold, that they are valid, and that no text of a run becomes markup."""

from __future__ import annotations

import base64
import copy
import hashlib
import html.parser
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import numpy as np
import pytest
from run_records import record, run_of

from arrayshim.conformance import catalogue, document, matrix, report
from arrayshim.conformance.document import OUTCOMES, DocumentError
from arrayshim.conformance.known import Entry, Known
from arrayshim.conformance.page import Run
from arrayshim.conformance.schema import faults, schema

HOSTILE = "</script><img src=x onerror=alert(1)>&lt;\"'`|*_[x](javascript:alert(1))\u2028\x00\x1b[31m\ud800@DATA@"


@pytest.fixture
def run():
    sums = [record("sums/sum"), record("sums/mean", "error", "no axis [da.mean(x)]")]
    sums.append(record("sums/std", "skip", "no scipy"))
    return run_of([*sums, record("fft/fft", "meta lies", "meta=ndarray, expected Toy [da.fft.fft(x)]", fix="numel")])


@pytest.fixture
def known():
    link = "https://github.com/dask/dask/issues/4888"
    return Known([Entry(cases=("sums/mean",), outcome=("error",), reason="axes are missing", link=link)])


@pytest.fixture
def hostile():
    return run_of([record(f"f/{HOSTILE}", "error", HOSTILE, reproducer=HOSTILE, names=[HOSTILE])], name=HOSTILE)


# JSON and its schema


def test_the_version_is_that_of_the_library_of_the_chunks(monkeypatch):
    chunk = type("Toy", (), {"__module__": "toy_of_this_test.core"})
    backend = SimpleNamespace(namespace=np, chunk_types=(chunk,))
    assert document.library_version(backend) == np.__version__  # where the library tells none
    monkeypatch.setitem(sys.modules, "toy_of_this_test", SimpleNamespace(__version__="7.1"))
    assert document.library_version(backend) == "7.1"
    backend.chunk_types = (np.ndarray,)
    assert document.library_version(backend) == np.__version__


def test_the_record_is_a_superset_of_the_compliance_record(run):
    wanted = ["schema", "name", "version", "timestamp", "platform", "execution_target", "python", "test_suite", "data"]
    assert set(wanted) <= set(run)
    assert set(run["execution_target"]) == {"kind", "device_model", "runtime_version", "driver_version"}
    assert run["name"] == "toy-repaired"
    assert run["data"] == {"counts": {"pass": 1, "skip": 1, "meta lies": 1, "error": 1}, "cases": 4}
    assert list(faults(run)) == []


def test_json_comes_back_as_it_was(tmp_path, run, hostile):
    for number, wanted in enumerate((run, hostile, run_of([]))):
        path = report.put(tmp_path / f"{number}.json", report.as_json(wanted))
        # A lone surrogate is written as the escape that JSON has for it.
        assert document.load(path) == json.loads(json.dumps(wanted))


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (lambda run: run.pop("cases"), "the document has no 'cases'"),
        (lambda run: run.update(schema="arrayshim-conformance-0"), "schema='arrayshim-conformance-0', expected"),
        (lambda run: run.update(name="../x-stock"), "name='../x-stock', expected to match"),
        (lambda run: run.update(timestamp="today"), "timestamp='today', expected to match"),
        (lambda run: run.update(stock="no"), "stock is string, expected boolean"),
        (lambda run: run["execution_target"].pop("kind"), "execution_target has no 'kind'"),
        (lambda run: run["test_suite"].update(level="all"), "test_suite.level='all', expected one of quick"),
        (lambda run: run["data"]["counts"].update(odd=1), "data.counts.odd is unknown"),
        (lambda run: run["cases"][1].update(outcome="odd"), "cases[1].outcome='odd', expected one of pass"),
        (lambda run: run["cases"][0].update(seconds=-1.0), "cases[0].seconds=-1.0, expected at least 0"),
        (lambda run: run["cases"][0].update(seconds=float("nan")), "cases[0].seconds is nan, expected number"),
        (lambda run: run["cases"][0].update(transfers=True), "cases[0].transfers is boolean, expected integer or null"),
        (lambda run: run["cases"][0].update(case=""), "cases[0].case is empty"),
        (lambda run: run["cases"][0].update(names=[1]), "cases[0].names[0] is integer, expected string"),
        (lambda run: run["cases"][0]["checks"].update(token=1), "cases[0].checks.token is integer"),
        (lambda run: run["cases"].append([]), "cases[4] is array, expected object"),
    ],
)
def test_the_schema_refuses(run, change, fault):
    broken = copy.deepcopy(run)
    change(broken)
    found = list(faults(broken))
    assert any(fault in one for one in found), found


def test_the_schema_knows_the_outcomes():
    rules = schema()["$defs"]
    assert tuple(rules["case"]["properties"]["outcome"]["enum"]) == OUTCOMES
    assert tuple(rules["counts"]["properties"]) == OUTCOMES


def test_the_outcomes_are_those_of_the_engine():
    from arrayshim.conformance import checks

    assert set(OUTCOMES) == set(checks.OUTCOMES)


@pytest.mark.parametrize(
    ("text", "fault"),
    [("", "is not JSON"), ("{}", "has no 'schema'"), ("[]", "is array, expected object"), ("\udcff", "is not JSON")],
)
def test_a_file_that_is_no_run(tmp_path, text, fault):
    path = tmp_path / "x.json"
    path.write_text(text, encoding="utf-8", errors="surrogateescape")
    with pytest.raises(DocumentError, match=r"x\.json") as caught:
        document.load(path)
    assert fault in str(caught.value)


def test_a_case_that_occurs_twice(tmp_path):
    path = report.put(tmp_path / "x.json", report.as_json(run_of([record("a/b"), record("a/b")])))
    with pytest.raises(DocumentError, match="'a/b' occurs 2 times"):
        document.load(path)


# JUnit


def test_junit_is_green_where_all_is_as_known(run, known):
    known = Known([*known.entries, Entry(cases=("fft/*",), outcome=("meta lies",), reason="r", link="https://x")])
    root = ElementTree.fromstring(report.junit(run, known))
    assert {name: root.get(name) for name in ("tests", "failures", "errors", "time")} == {
        "tests": "4",
        "failures": "0",
        "errors": "0",
        "time": "1.000",
    }
    assert [suite.get("skipped") for suite in root.findall("testsuite")] == ["2", "1"]
    skipped = [found.get("message") for found in root.iter("skipped")]
    assert skipped == [
        "known failure: axes are missing (https://github.com/dask/dask/issues/4888)",
        "no scipy",
        "known failure: r (https://x)",
    ]


def test_junit_is_red_for_each_surprise(run):
    passes = Entry(cases=("sums/sum",), outcome=("error",), reason="r", link="https://x")
    stale = Entry(cases=("gone/*",), outcome=("crash",), reason="r", link="https://x")
    crashed = {**run, "cases": [*run["cases"], record("sums/var", "crash", "signal 11")]}
    root = ElementTree.fromstring(report.junit(crashed, Known([passes, stale])))
    assert [case.get("name") for case in root.iter("testcase") if case.find("failure") is not None] == [
        "sum",
        "mean",
        "fft",
        "gone/*",
    ]
    (error,) = root.iter("error")
    assert (error.get("message"), error.get("type")) == ("signal 11", "crash")
    assert "import dask.array as da" in error.text
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("6", "4", "1")
    suites = root.findall("testsuite")
    assert [suite.get("tests") for suite in suites] == ["4", "1", "1"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", suites[0].get("timestamp"))


def test_junit_of_hostile_text(hostile):
    root = ElementTree.fromstring(report.junit(hostile, Known()))
    assert "<img" in root.find(".//failure").get("message")
    assert root.find(".//img") is None


# Markdown


def test_markdown_has_the_matrix_by_family(run, known):
    text = report.markdown(run, known)
    assert "| family | cases | pass | skip | meta lies | error | passed |" in text
    assert "| sums | 3 | 1 | 1 |  | 1 | 50.0 % |" in text
    assert "| fft | 1 | 0 |  | 1 |  | 0.0 % |" in text
    assert "| **all** | 4 | 1 | 1 | 1 | 1 | 33.3 % |" in text
    surprising, failed = text.split("## Did not pass")
    assert "fft/fft" in surprising.split("## Not as known")[1]
    assert "| no scipy | 1 |" in failed
    assert "axes are missing <https://github.com/dask/dask/issues/4888>" in failed


def test_markdown_of_hostile_text_is_text(hostile):
    text = report.markdown(
        hostile, Known([Entry(cases=("*",), outcome=("error",), reason=HOSTILE, link="https://x|<b>")])
    )
    assert "<img" not in text
    rows = [line for line in text.splitlines() if line.startswith("|") and "f/" in line]
    assert len(rows) == 1
    assert len(re.findall(r"(?<!\\)\|", rows[0])) == 5  # no cell of it has split


def test_a_share_is_never_rounded_up():
    assert matrix.share({"pass": 9999, "error": 1}) == "99.9 %"
    assert matrix.share({"pass": 2, "skip": 5}) == "100 %"
    assert matrix.share({"skip": 5}) == "-"


# HTML


class Elements(html.parser.HTMLParser):
    """Start tags of a page, and the text of its scripts."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.scripts, self.styles, self._into = [], [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self._into = {"script": self.scripts, "style": self.styles}.get(tag)

    def handle_endtag(self, tag):
        self._into = None

    def handle_data(self, data):
        if self._into is not None:
            self._into.append(data)


def test_the_page_needs_nothing_else(run, known):
    found = Elements(report.page([Run(document=run, known=known)]))
    addresses = [value for _, attributes in found.tags for name, value in attributes.items() if name in ("src", "href")]
    assert addresses == ["data:,"]
    assert "url(" not in "".join(found.styles)
    assert not [name for _, attributes in found.tags for name in attributes if name.startswith("on")]
    (policy,) = [it["content"] for tag, it in found.tags if it.get("http-equiv") == "Content-Security-Policy"]
    assert "default-src 'none'" in policy
    for text in (found.scripts[1], found.styles[0]):
        assert base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() in policy


def test_the_page_holds_the_runs(run, known):
    other = run_of([record("sums/sum", "wrong value", "value=1, expected 2"), record("sums/prod")], stock=True)
    data = json.loads(Elements(report.page([Run(document=run, known=known), Run(document=other)])).scripts[0])
    assert [case[0] for case in data["cases"]] == ["sums/sum", "sums/mean", "sums/std", "fft/fft", "sums/prod"]
    names = [kind["name"] for kind in data["outcomes"]]
    outcomes = [[names[it] if it >= 0 else None for it in column["outcomes"]] for column in data["runs"]]
    assert outcomes == [
        ["pass", "error", "skip", "meta lies", None],
        ["wrong value", None, None, None, "pass"],
    ]
    first, second = (column["details"] for column in data["runs"])
    assert first["1"] == {"message": "no axis [da.mean(x)]", "reproducer": "import dask.array as da\n", "known": 0}
    assert first["3"]["surprise"] == "meta lies, expected pass"
    assert data["runs"][0]["known"][0]["link"] == "https://github.com/dask/dask/issues/4888"
    assert second["0"]["message"] == "value=1, expected 2"
    assert data["fixes"]["numel"]["files"] == ["arrayshim/fixes/numel.py", "arrayshim/fixes/numel.patch"]
    assert data["fixes"]["numel"]["command"] == "arrayshim explain numel"
    assert data["fixes"]["numel"]["title"]


def test_a_repair_that_this_version_lacks(run):
    run = run_of([record("a/b", "error", fix="no_such_repair")])
    data = json.loads(Elements(report.page([Run(document=run)])).scripts[0])
    assert data["fixes"]["no_such_repair"]["issue"] is None
    assert data["fixes"]["no_such_repair"]["files"] == []
    assert data["fixes"]["no_such_repair"]["command"] is None


def test_hostile_text_stays_data(hostile):
    text = report.page([Run(document=hostile)])
    found = Elements(text)
    assert [tag for tag, _ in found.tags].count("script") == 2
    assert not [tag for tag, _ in found.tags if tag == "img"]
    data = json.loads(found.scripts[0])
    shown = HOSTILE.replace("\ud800", "?")
    assert data["runs"][0]["details"]["0"]["message"] == shown
    assert data["cases"][0][0] == f"f/{shown}"


@pytest.mark.skipif(shutil.which("chromium") is None, reason="chromium is not installed")
def test_hostile_text_in_a_browser(tmp_path, hostile):
    path = report.write_page(tmp_path / "page.html", [Run(document=hostile)])
    shell = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"]
    shell += ["--disable-background-networking", "--disable-component-update", "--disable-sync"]
    shell += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=3000", "--dump-dom", path.as_uri()]
    done = subprocess.run(shell, capture_output=True, text=True, timeout=120, check=True)
    drawn = Elements(done.stdout)
    assert ("button", "f") in [(tag, "f") for tag, it in drawn.tags if it.get("aria-expanded")]  # the script has run
    assert not [tag for tag, _ in drawn.tags if tag == "img"]


# Files, README and committed results


def test_all_four_files_are_written(tmp_path, run, known):
    paths = report.write(tmp_path / "new" / "folder", Run(document=run, known=known))
    assert [path.name for path in paths] == [f"toy-repaired.{end}" for end in ("json", "xml", "md", "html")]
    assert sorted(tmp_path.rglob("*.*")) == sorted(paths)


def test_a_hostile_name_stays_in_the_folder(tmp_path, hostile):
    for path in report.write(tmp_path, Run(document=hostile)):
        assert path.parent == tmp_path
        assert re.fullmatch(r"[A-Za-z0-9._-]+", path.name)
        path.read_text(encoding="utf-8")


def test_a_folder_that_cannot_be_written(tmp_path, run):
    (tmp_path / "file").touch()
    with pytest.raises(DocumentError, match="cannot be written"):
        report.write(tmp_path / "file", Run(document=run))


def test_the_readme_gets_the_matrix(tmp_path, run):
    results = tmp_path / "results"
    stock = run_of([record("sums/sum", "error"), record("fft/fft")], stock=True)
    for one in (run, stock):
        report.write(results, Run(document=one))
    (results / "other.json").write_text("[1]")
    readme = tmp_path / "README.md"
    readme.write_text(f"before\n{matrix.BEGIN}\nold\n{matrix.END}\nafter\n")
    assert report.main(["--readme", str(readme), "--results", str(results)]) == 0
    text = readme.read_text()
    assert text.startswith(f"before\n{matrix.BEGIN}\n")
    assert text.endswith(f"{matrix.END}\nafter\n")
    assert "old" not in text
    assert "| family | toy |" in text
    assert "| sums | 0 / 1 → 1 / 2 |" in text
    assert "| **all** | 1 / 2 → 1 / 3<br>**50.0 % → 33.3 %** |" in text
    assert text.count("- toy: ") == 1
    report.main(["--readme", str(readme), "--results", str(results)])
    assert readme.read_text() == text


def test_the_matrix_has_a_column_for_each_backend(run):
    cases = [record("sums/sum"), record("sums/std", "error"), record("fft/fft", "skip")]
    fixed = [record("sums/sum"), record("sums/std"), record("fft/fft", "skip")]
    runs = [
        run_of(cases, name="a", stock=True),
        run_of(fixed, name="a"),
        run_of([record("sums/sum")], name="b", stock=True),
        run_of(cases, name="c", stock=True),
        run_of(cases, name="c"),
        run_of(fixed, name="a", array_expr=True),
    ]
    head, _, *rows = matrix.by_backend(runs).splitlines()
    assert head == "| family | a | b-stock | c | a-repaired-expr |"
    assert rows == [
        "| sums | 1 → 2 / 2 | 1 / 1 | 1 / 2 | 2 / 2 |",
        "| fft | - |  | - | - |",
        "| **all** | 1 → 2 / 2<br>**50.0 % → 100 %** | 1 / 1<br>**100 %** | 1 / 2<br>**50.0 %** | 2 / 2<br>**100 %** |",
    ]
    assert matrix.by_backend(runs[::-1]).splitlines()[0] == "| family | a-repaired-expr | c | b-stock | a |"


@pytest.mark.parametrize("text", ["", matrix.BEGIN, f"{matrix.END}{matrix.BEGIN}", f"{matrix.BEGIN}{matrix.END}" * 2])
def test_a_readme_without_its_markers(tmp_path, capsys, text):
    readme = tmp_path / "README.md"
    readme.write_text(text)
    with pytest.raises(SystemExit, match="2"):
        report.main(["--readme", str(readme), "--results", str(tmp_path)])
    assert "both markers" in capsys.readouterr().err
    assert readme.read_text() == text


def test_a_run_of_another_catalogue_is_outdated(tmp_path, run):
    path = tmp_path / "toy.json"
    names = ["sums/sum", "sums/mean", "sums/std", "fft/fft"]
    assert matrix.outdated(path, run, catalogue="c0ffee", names=names) is None
    assert "the same names, other calls" in matrix.outdated(path, run, catalogue="beef", names=names)
    assert "(new: sums/ptp)" in matrix.outdated(path, run, catalogue="beef", names=[*names, "sums/ptp"])
    assert "gone: fft/fft" in matrix.outdated(path, run, catalogue="c0ffee", names=names[:3])


COMMITTED = matrix.committed()


def test_the_readme_has_the_matrix_of_the_committed_runs():
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    rewritten = matrix.readme(text, [run for _, run in COMMITTED])
    assert rewritten == text, "run `python -m arrayshim.conformance.report --readme README.md`"


@pytest.mark.parametrize(("path", "run"), COMMITTED, ids=[path.name for path, _ in COMMITTED])
def test_committed_results_are_of_todays_catalogue(path, run):
    names = {item.name for item in catalogue.items()}
    assert matrix.outdated(path, run, catalogue=catalogue.digest(), names=names) is None
