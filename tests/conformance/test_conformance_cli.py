"""`arrayshim conformance`: what it prints and writes, and its exit status. The runner is a made-up one."""

from __future__ import annotations

import json
import signal
from types import SimpleNamespace

import dask
import dask.array as da
import pytest
from click.testing import CliRunner
from run_records import record, run_of

from arrayshim import cli
from arrayshim.conformance import catalogue, document, execute, known, report
from arrayshim.conformance.cli import conformance

cli.main.add_command(conformance)
ITEMS = ("sums/sum", "sums/mean", "sums/std", "fft/fft")


class Item:
    """As much of a case of the catalogue as the command asks for."""

    def __init__(self, name):
        self.name = name


@pytest.fixture
def outcomes():
    """Outcome by case, for the made-up runner; what is missing passes. Under `stock`, those of the stock run."""
    return {"stock": {}}


@pytest.fixture(autouse=True)
def made_up(monkeypatch, tmp_path, outcomes):
    """Instead of running, give the records that a test asks for."""
    calls = []

    def run(spec, *, stock, on_record, **options):
        calls.append({"spec": spec, "stock": stock, **options})
        wanted = outcomes["stock"] if stock else outcomes
        records = [record(name, wanted.get(name, "pass"), wanted.get(name, "")) for name in ITEMS]
        for one in records:
            on_record(one)
        return records

    monkeypatch.setattr(execute.runner, "run", run)
    monkeypatch.setattr(catalogue, "select", lambda level, **_: tuple(map(Item, ITEMS)))
    monkeypatch.setattr(catalogue, "items", lambda: tuple(map(Item, ITEMS)))
    monkeypatch.setattr(catalogue, "digest", lambda: "c0ffee")
    monkeypatch.setattr(known, "FOLDER", tmp_path / "known")
    return calls


def run(*args):
    result = CliRunner().invoke(cli.main, ["conformance", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args):
    """The one line of a mistake."""
    result = run(*args)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    return line


def expect(tmp_path, *lines, name="strict.toml"):
    path = tmp_path / "known" / name
    path.parent.mkdir(exist_ok=True)
    text = '[[expected]]\ncases = "{}"\noutcome = "{}"\nreason = "r"\nlink = "https://x"\n'
    path.write_text("".join(text.format(case, outcome) for case, outcome in lines))
    return path


def test_all_pass(made_up):
    result = run("--backend", "strict", "--jobs", 3, "--timeout", 5, "--shard", "2/3", "--level", "quick")
    assert result.exit_code == 0
    assert "strict-repaired, 4 cases: 4 pass" in result.stdout
    assert "All is as known." in result.stdout
    (call,) = made_up
    assert (call["spec"], call["stock"], call["jobs"], call["timeout"]) == ("strict", False, 3, 5.0)
    assert (call["level"], call["shard"], call["only"], call["family"]) == ("quick", (2, 3), None, ())


def test_names_of_a_later_dask_are_told(monkeypatch):
    assert "not required" not in run("--backend", "strict").stdout
    monkeypatch.setattr(da, "brand_new", lambda x: x, raising=False)
    monkeypatch.setattr(da, "__all__", [*da.__all__, "brand_new"])
    result = run("--backend", "strict")
    assert result.exit_code == 0
    assert f"new in dask {dask.__version__}, not required of the suite yet: brand_new" in result.stdout.splitlines()


def test_progress_is_told_where_there_is_no_terminal():
    lines = run("--backend", "strict").stdout.splitlines()
    assert [line for line in lines if line.startswith("strict-repaired: ")] == [
        "strict-repaired: 4 cases; first, what NumPy gives",
        *(f"strict-repaired: {done}/4, {done} pass" for done in (1, 2, 3, 4)),
    ]


def test_an_unexpected_failure(outcomes):
    outcomes["sums/mean"] = "error"
    result = run("--backend", "strict")
    assert result.exit_code == 1
    assert "  sums/mean: error, expected pass: error" in result.stdout.splitlines()
    assert "# sums/mean: this script reproduces it" in result.stdout
    assert "import dask.array as da" in result.stdout


def test_a_known_failure(tmp_path, outcomes):
    outcomes["sums/mean"] = "error"
    expect(tmp_path, ("sums/mean", "error"))
    result = run("--backend", "strict")
    assert result.exit_code == 0
    assert "1 did not pass, 1 of these as known." in result.stdout


def test_an_unexpected_pass(tmp_path):
    expect(tmp_path, ("sums/mean", "error"))
    result = run("--backend", "strict")
    assert result.exit_code == 1
    assert "sums/mean: pass, expected error" in result.stdout


def test_an_entry_that_matches_no_case(tmp_path):
    expect(tmp_path, ("sums/product", "error"))
    result = run("--backend", "strict")
    assert result.exit_code == 1
    assert "sums/product: no case matches entry 1, expected error" in result.stdout


def test_an_entry_about_a_case_that_was_not_asked_for(tmp_path, monkeypatch):
    expect(tmp_path, ("sums/other", "error"))
    monkeypatch.setattr(catalogue, "items", lambda: tuple(map(Item, [*ITEMS, "sums/other"])))
    assert run("--backend", "strict", "--only", "sum$").exit_code == 0


def test_stock_has_known_failures_of_its_own(tmp_path, outcomes, made_up):
    outcomes["stock"]["fft/fft"] = "meta lies"
    expect(tmp_path, ("fft/*", "meta lies"), name="strict-stock.toml")
    assert run("--backend", "strict", "--stock").exit_code == 0
    assert run("--backend", "strict").exit_code == 0
    assert [call["stock"] for call in made_up] == [True, False]


def test_both_shows_the_difference(tmp_path, outcomes):
    outcomes["stock"].update({"fft/fft": "meta lies", "sums/sum": "error"})
    outcomes["sums/std"] = "wrong value"
    result = run("--backend", "strict", "--both", "--out", tmp_path / "out")
    assert result.exit_code == 1
    assert "strict-stock -> strict-repaired: 2 better, 1 worse" in result.stdout
    assert "  worse: sums/std: pass -> wrong value (wrong value)" in result.stdout.splitlines()
    ends = ("html", "json", "md", "xml")
    wanted = [f"strict-{mode}.{end}" for mode in ("repaired", "stock") for end in ends]
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["strict-both.html", *wanted]


def test_the_files_hold_what_was_asked_for(tmp_path):
    run("--backend", "strict", "--family", "sums, fft", "--only", "s", "--shard", "1/2", "--out", tmp_path)
    found = document.load(tmp_path / "strict-repaired.json")
    assert found["settings"] == {
        "only": "s",
        "family": ["sums", "fft"],
        "shard": [1, 2],
        "timeout": 60,
        "fail_fast": False,
    }
    assert found["test_suite"]["catalogue"] == "c0ffee"


def test_expression_mode_has_names_of_its_own(tmp_path, made_up):
    assert run("--backend", "strict", "--array-expr", "--out", tmp_path).exit_code == 0
    assert made_up[0]["array_expr"] is True
    assert (tmp_path / "strict-repaired-expr.json").is_file()


def test_fail_fast_stops_at_what_is_not_as_known(tmp_path, outcomes):
    expect(tmp_path, ("sums/sum", "error"), ("fft/fft", "error"))
    outcomes.update({"sums/sum": "error", "sums/mean": "error"})
    result = run("--backend", "strict", "--fail-fast", "--out", tmp_path)
    assert result.exit_code == 1
    assert "1 not as known:" in result.stdout
    cases = document.load(tmp_path / "strict-repaired.json")["cases"]
    assert [case["case"] for case in cases] == ["sums/sum", "sums/mean"]


def test_a_first_file_of_known_failures(tmp_path, outcomes):
    outcomes["sums/mean"] = "error"
    path = tmp_path / "new.toml"
    result = run("--backend", "strict", "--write-known", path)
    assert result.exit_code == 1
    assert f"wrote {path}; look through its reasons and links" in result.stdout
    path.write_text(path.read_text().replace('link = ""', 'link = "https://x"'))
    assert run("--backend", "strict", "--known", path).exit_code == 0
    path.write_text(reviewed := path.read_text().replace("mean: error", "what a person wrote"))
    assert f"--known {path} keeps" in refused("--backend", "strict", "--write-known", path)
    assert path.read_text() == reviewed
    assert run("--backend", "strict", "--known", path, "--write-known", path).exit_code == 0
    assert 'reason = "what a person wrote"' in path.read_text()


def test_the_file_of_the_suite_itself_is_written_anew(tmp_path, outcomes):
    outcomes["sums/mean"] = "error"
    expect(tmp_path, ("sums/mean", "error"))
    own = tmp_path / "known" / "strict.toml"
    assert run("--backend", "strict", "--write-known", own).exit_code == 0
    assert 'reason = "r"' in own.read_text()


@pytest.mark.parametrize(
    ("target", "words"),
    [(lambda: 1 / 0, "target() raises ZeroDivisionError: division by zero"), (lambda: 5, "target() gives int")],
)
def test_a_target_that_cannot_be_had_is_told_before_the_run(made_up, monkeypatch, target, words):
    backend = execute.loading.load("strict")
    told = SimpleNamespace(**{name: getattr(backend, name) for name in execute.loading.REQUIRED}, target=target)
    monkeypatch.setattr(execute.loading, "load", lambda spec: told)
    assert words in refused("--backend", "strict")
    assert made_up == []


def test_interrupted(monkeypatch):
    def stop(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(execute.runner, "run", stop)
    assert run("--backend", "strict").exit_code == 130


@pytest.fixture
def stopped(monkeypatch):
    """Ctrl-C after two cases, of which one failed."""

    def stop(spec, *, on_record, **options):
        for name, outcome in zip(ITEMS, ("pass", "error"), strict=False):
            on_record(record(name, outcome, "found, expected"))
        raise KeyboardInterrupt

    monkeypatch.setattr(execute.runner, "run", stop)


def test_what_ctrl_c_leaves_is_told_in_one_line_and_kept(stopped, tmp_path):
    result = run("--backend", "strict", "--out", tmp_path)
    assert result.exit_code == 130
    assert result.stderr == ""
    line = result.stdout.splitlines()[-1]
    assert line.startswith("interrupted after 2 of 4 cases: 1 pass, 1 error; wrote ")
    assert not (tmp_path / "strict-repaired.json").exists()
    left = document.load(tmp_path / "strict-repaired-incomplete.json")
    assert [case["case"] for case in left["cases"]] == list(ITEMS[:2])
    assert left["settings"]["incomplete"] == "2 of 4 cases"
    assert "interrupted after 2 of 4 cases" in (tmp_path / "strict-repaired-incomplete.md").read_text()


def test_ctrl_c_ends_both_runs_and_writes_nothing_of_none(stopped, monkeypatch, tmp_path):
    result = run("--backend", "strict", "--both")
    assert result.exit_code == 130
    assert result.stdout.count("interrupted after") == 1
    monkeypatch.setattr(catalogue, "select", lambda level, **_: (Item("fft/other"),))
    result = run("--backend", "strict", "--out", tmp_path)
    assert (result.exit_code, list(tmp_path.glob("*.json"))) == (130, [])
    assert result.stdout.splitlines()[-1] == "interrupted after 0 of 1 cases: no case"


def test_a_run_that_skipped_all_is_not_green(outcomes):
    outcomes.update(dict.fromkeys(ITEMS, "skip"))
    result = run("--backend", "strict")
    assert result.exit_code == 1
    assert "Nothing was tried: all 4 cases were skipped." in result.stdout
    assert "as known" not in result.stdout
    outcomes[ITEMS[0]] = "pass"
    assert run("--backend", "strict").exit_code == 0


def test_a_library_that_is_missing_is_told_with_what_to_install(monkeypatch):
    from arrayshim.conformance import backends

    def missing(name):
        raise ModuleNotFoundError("No module named 'cupy'", name="cupy")

    monkeypatch.setattr(backends, "get", missing)
    line = refused("--backend", "cupy")
    assert line.startswith(
        "arrayshim: backend 'cupy': No module named 'cupy'; to have it: pip install 'arrayshim[cu13]'"
    )


@pytest.mark.parametrize(
    ("args", "words"),
    [
        ([], "--backend is missing"),
        (["--backend", "no_such"], "no_such"),
        (["--backend", "json:no_such"], "no_such"),
        (["--backend", "strict", "--stock", "--both"], "exclude each other"),
        (["--backend", "strict", "--only", "("], "not a regular expression"),
        (["--backend", "strict", "--shard", "3/2"], "no part"),
        (["--backend", "strict", "--shard", "0/2"], "no part"),
        (["--backend", "strict", "--shard", "half"], "no part"),
        (["--backend", "strict", "--jobs", "0"], "--jobs"),
        (["--backend", "strict", "--timeout", "0"], "--timeout"),
        (["--backend", "strict", "--timeout", "nan"], "--timeout"),
        (["--backend", "strict", "--timeout", "inf"], "--timeout"),
        (["--backend", "strict", "--write-known", "/"], "'/' is a folder, a file was expected"),
        (["--backend", "strict", "--write-known", f"{__file__}/new.toml"], "a folder was expected"),
        (["--backend", "strict", "--level", "all"], "--level"),
        (["--backend", "strict", "--known", "/no/such.toml"], "No such file"),
        (["--backend", "strict", "--both", "--write-known", "x"], "for one run"),
        (["--backend", "strict", "--out", __file__], "a folder was expected"),
        (["compare", "/no/a.json", "/no/b.json"], "No such file"),
        (["compare", __file__, __file__], "is not JSON"),
        (["page", "/no/a.json", "--out", "x.html"], "No such file"),
        (["--backed", "strict"], "--backed"),
    ],
)
def test_mistakes(args, words):
    assert words in refused(*args)


def test_a_broken_file_of_known_failures_is_told_before_the_run(tmp_path, made_up):
    expect(tmp_path, ("sums/mean", "pass"))
    assert "strict.toml: entry 1" in refused("--backend", "strict")
    assert made_up == []


def test_a_selection_that_is_empty(monkeypatch):
    monkeypatch.setattr(catalogue, "select", lambda level, **_: ())
    assert "no case is left" in refused("--backend", "strict", "--only", "x")


def test_a_second_ctrl_c_does_not_cost_what_was_done(tmp_path, monkeypatch):
    def interrupted(spec, *, on_record, **_):
        on_record(record("sums/sum"))
        try:
            signal.raise_signal(signal.SIGINT)
        finally:
            signal.raise_signal(signal.SIGINT)  # while the workers are ended

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    monkeypatch.setattr(execute.runner, "run", interrupted)
    try:
        result = run("--backend", "strict", "--out", tmp_path)
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, before)
    assert result.exit_code == 130
    assert "interrupted after 1 of 4 cases: 1 pass; wrote " in result.stdout
    assert [case["case"] for case in document.load(tmp_path / "strict-repaired-incomplete.json")["cases"]] == [
        "sums/sum"
    ]


# compare and page


@pytest.fixture
def two(tmp_path):
    before = run_of([record("a/b"), record("a/c", "error")], stock=True)
    after = run_of([record("a/b"), record("a/c")])
    return [report.put(tmp_path / f"{name}.json", report.as_json(it)) for name, it in (("A", before), ("B", after))]


def test_compare_says_what_changed(two):
    result = run("compare", *two)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == [
        "better: a/c: error -> pass",
        "toy-stock -> toy-repaired: 0 worse, 1 better, 0 new, 0 gone",
    ]


def test_compare_fails_where_something_got_worse(two):
    result = run("compare", *two[::-1])
    assert result.exit_code == 1
    assert result.stdout.splitlines()[0] == "worse: a/c: pass -> error"


def test_compare_of_different_catalogues_says_so(two, tmp_path):
    other = report.put(tmp_path / "C.json", report.as_json(run_of([record("a/b")], catalogue="beef")))
    assert "different catalogues" in run("compare", two[0], other).stdout


def test_several_runs_on_one_page(two, tmp_path):
    out = tmp_path / "pages" / "all.html"
    result = run("page", *two, "--out", out)
    assert result.exit_code == 0
    text = out.read_text()
    assert json.dumps("toy-stock") in text
    assert json.dumps("toy-repaired") in text
