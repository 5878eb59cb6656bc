"""`arrayshim upstream`: the series applies and says what is so; what is proved would be found out if it were wrong."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import distribution
from pathlib import Path

import dask
import numpy as np
import pytest
from click.testing import CliRunner

import arrayshim
from arrayshim import cli
from arrayshim.conformance import catalogue
from arrayshim.fixes import collect
from arrayshim.upstream import columns, comparing, cured, patches, proofs, records, series, sources, suite, table
from arrayshim.upstream.cases import Seen
from arrayshim.upstream.patches import MADE_FOR, Patch, UpstreamError
from arrayshim.upstream.trees import Tree

pytestmark = pytest.mark.timeout(300)
git = pytest.mark.skipif(shutil.which("git") is None, reason="needs git, to apply the patches")
newest = pytest.mark.skipif(dask.__version__ != MADE_FOR, reason=f"the patches are made for dask {MADE_FOR}")

SITE = Path(str(distribution("dask").locate_file("")))
ONE, LEANING = "astype_casting", "diag_device"


def run(*args):
    result = CliRunner().invoke(cli.main, ["upstream", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def refused(*args):
    result = run(*args)
    assert result.exit_code == 2
    # what was being done goes before it
    return result.stderr.splitlines()[-1]


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("out") / "series"
    result = run("export", folder, "--only", f"{ONE},{LEANING}", "--dask", SITE)
    assert result.exit_code == 0, result.stderr
    return folder


@git
@newest
class TestExport:
    NAMES = ("0001-array_backend_reach", "0002-astype_casting", "0003-diag_device")

    def test_files(self, exported):
        wanted = {"series", *(f"{name}.{end}" for name in self.NAMES for end in ("patch", "md"))}
        assert {file.name for file in exported.iterdir()} == wanted
        assert (exported / "series").read_text().split() == [f"{name}.patch" for name in self.NAMES]
        assert not any(file.name.startswith(".series") for file in exported.parent.iterdir())

    def test_git_am_takes_it_in_order(self, exported, tmp_path):
        sources.pristine(str(SITE), tmp_path / "dask")
        tree = Tree.of(tmp_path / "dask")
        for name in (exported / "series").read_text().split():
            tree.am(Patch.read(exported / name))
        subjects = tree.git("log", "--format=%s").splitlines()
        assert len(subjects) == 1 + len(self.NAMES)
        wanted = Patch.read(collect()[ONE].patch).header["Subject"].replace("\n", "").removeprefix("[PATCH] ")
        assert wanted in subjects

    def test_a_sheet_says_what_is_so(self, exported):
        sheet = (exported / "0002-astype_casting.md").read_text()
        stock, repaired = re.findall(r"```\n(>>> .*?)```", sheet, flags=re.DOTALL)
        assert "TypeError: casting is not supported yet" in stock
        assert "StrictArray([0., 1., 2.])" in repaired
        assert f"dask {dask.__version__}" in sheet
        assert "dask/array/tests/test_astype_device.py::" in sheet or "::test_" in sheet
        assert "after: 0001-array_backend_reach.patch" in (exported / "0003-diag_device.md").read_text()

    def test_a_reproducer_as_it_stands_shows_the_fault(self, exported):
        """In a process where nothing has switched the repairs off."""
        sheet = (exported / "0002-astype_casting.md").read_text()
        (code,) = re.findall(r"```python\n(.*?)```", sheet, flags=re.DOTALL)
        free = {key: value for key, value in os.environ.items() if not key.startswith(("ARRAYSHIM", "DASK"))}
        done = subprocess.run([sys.executable, "-c", code], env=free, capture_output=True, text=True)
        assert done.returncode == 1
        assert done.stderr.splitlines()[-1].startswith("TypeError: casting is not supported yet")

    def test_a_folder_in_use_is_left_alone(self, tmp_path):
        (tmp_path / "mine").write_text("x")
        assert "is not empty" in refused("export", tmp_path, "--only", ONE)
        assert "is not empty" in refused("export", tmp_path, "--only", ONE, "--replace")
        assert [file.name for file in tmp_path.iterdir()] == ["mine"]

    def test_an_earlier_series_is_replaced_when_told(self, tmp_path):
        folder = tmp_path / "series"
        for name in ("series", "0001-old.patch"):
            folder.mkdir(exist_ok=True)
            (folder / name).write_text("x")
        assert "--replace" in refused("export", folder, "--only", ONE, "--dask", SITE)
        assert run("export", folder, "--only", ONE, "--dask", SITE, "--replace").exit_code == 0
        assert sorted(file.name for file in folder.iterdir()) == [
            "0001-astype_casting.md",
            "0001-astype_casting.patch",
            "series",
        ]
        assert [file.name for file in tmp_path.iterdir()] == ["series"]

    def test_nothing_is_left_of_a_series_that_fails(self, tmp_path, monkeypatch):
        def broken(*_):
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(series, "_write", broken)
        result = run("export", tmp_path / "out", "--only", ONE, "--dask", SITE)
        assert result.exit_code == 2
        assert "No space left" in result.stderr.splitlines()[-1]
        assert list(tmp_path.iterdir()) == []


def test_the_help_says_why_nothing_is_sent():
    assert "Nothing is ever sent" in run("--help").stdout
    for command in ("list", "show", "export", "check"):
        assert run(command, "--help").exit_code == 0


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["show", "numle"], "did you mean 'numel'"),
        (["show", "masks_refused"], "has no patch"),
        (["export", "OUT", "--only", "numle"], "did you mean 'numel'"),
        (["export", "OUT", "--dask", "newest"], "neither a version"),
        (["export", "OUT", "--dask", "/"], "no dask/__init__.py"),
        (["export", "OUT", "--dask", __file__], "cannot be unpacked"),
        (["export", "OUT", "--dask", "9.9.9.bad"], "neither a version"),
        (["export", "OUT", "--dask", "CUT"], "not a whole one; give a source distribution"),
        (["check", "--part", "all"], "--part"),
        (["check", "--shard", "3/2"], "--shard"),
        (["check", "--cases", "("], "--cases"),
        (["check", "--dask", "1.0.0"], "no source distribution of dask 1.0.0"),
    ],
)
def test_mistakes_are_one_line(args, named, tmp_path, monkeypatch):
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # no network in tests
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    cut = tmp_path / "dask-2026.8.0.tar.gz"
    cut.write_bytes(gzip.compress(bytes(10_000))[:20])
    places = {"OUT": tmp_path / "out", "CUT": cut}
    assert named in refused(*(places.get(arg, arg) for arg in args))


def test_list_has_every_repair(tmp_path):
    file = tmp_path / "list.json"
    result = run("list", "--json", file)
    assert result.exit_code == 0
    found = json.loads(file.read_text())
    assert [row["repair"] for row in found] == list(collect())
    for row in found:
        fix = collect()[row["repair"]]
        assert (row["upstream issue"], row["forwarded"]) == (fix.issue, fix.forwarded)
        assert bool(row["patch file"]) != bool(row["why no patch"])
        assert fix.id in result.stdout


def test_the_page_of_repairs_is_of_today():
    page = records.FOLDER.parents[1] / "conformance" / "results" / "REPAIRS.md"
    if not page.is_file():
        pytest.skip("no clone")
    assert page.read_text(encoding="utf-8") == table.page(), "python -m arrayshim.upstream.table writes it anew"


def test_the_calls_of_every_sheet_show_the_fault(bare):
    code = """
    import warnings
    warnings.simplefilter("ignore")
    from arrayshim.fixes import collect
    from arrayshim.upstream import examples
    import os
    ids = [fix.id for fix in collect().values() if fix.patch]
    shown = lambda: {name: [it.output for it in examples.show(examples.of(name))] for name in ids}
    stock = shown()
    os.environ.pop("ARRAYSHIM_DISABLE")
    import arrayshim
    arrayshim.enable()
    answer([stock, shown()])
    """
    stock, repaired = bare(code, env={"ARRAYSHIM_DISABLE": "all"})
    blind = {"dataframe_residence"}  # where there is no pyarrow
    assert {name for name in stock if stock[name] == repaired[name]} <= blind
    broken = {name: out[-1] for name, out in repaired.items() if re.match(r"\w*Error: ", out[-1])}
    assert set(broken) <= blind


def test_the_recorded_column_and_the_probes_agree():
    column = columns.measure(SITE)
    assert columns.problems(column) == []
    same = [it for it in columns.recorded().values() if it["dask"] == dask.__version__]
    if not same:
        pytest.skip(f"no column is recorded for dask {dask.__version__}")
    now = {fix_id: words[2] for fix_id, words in column["states"].items()}
    for known in same:
        assert known["states"] == now, ".ci/matrix FOLDER --record measures the columns anew"
    assert columns.counts(column) == {state: list(now.values()).count(state) for state in now.values()}


def test_a_column_in_which_status_errs_is_found_out():
    states = {"a": ["faulty", "in range", "applied", "healthy"], "b": ["healthy", "out of range", "healthy", "healthy"]}
    assert columns.problems({"states": states}) == []
    for wrong in (["healthy", "in range", "applied", "healthy"], ["faulty", "in range", "drifted", "faulty"]):
        (problem,) = columns.problems({"states": {**states, "c": wrong}})
        assert problem.startswith("c: ")


def test_the_records_are_of_repairs_and_cases_that_there_are():
    for said in records.read(records.AFFECTED)["versions"].values():
        assert set(said["found"]) <= set(collect())
    names = {item.name for item in catalogue.items()}
    for case, needed in records.read(records.CURED)["cases"].items():
        assert case in names
        assert set(needed) <= set(collect())


def test_since_when_is_the_oldest_faulty_version(monkeypatch):
    found = {"2024.1.0": "healthy", "2024.10.0": "faulty", "2025.1.0": "faulty", "2023.1.0": "not probed: why"}
    data = {"versions": {version: {"found": {"fake": word}} for version, word in found.items()}}
    monkeypatch.setattr(records, "read", lambda path: data)
    assert records.since("fake") == ("2024.10.0", "2024.1.0")
    assert records.affected("fake") == "since dask 2024.10.0; 2024.1.0 does not have the fault"
    del data["versions"]["2024.1.0"]
    assert records.affected("fake") == "dask 2024.10.0 and newer; 2023.1.0 and older cannot be probed"
    assert records.affected("other") == "no version was probed"


def test_the_last_of_a_chain_is_named():
    assert patches.needed_by(LEANING) == ["array_backend_reach"]
    assert cured.innermost([LEANING, "array_backend_reach", "numel"]) == [LEANING, "numel"]


@git
@newest
class TestProof:
    @pytest.fixture
    def stock(self, tmp_path):
        sources.pristine(str(SITE), tmp_path / "stock")
        return Tree.of(tmp_path / "stock")

    def test_a_patch_is_proved(self, stock, tmp_path):
        proof = proofs.prove(stock, tmp_path / "alone", collect()[ONE])
        assert proof.problem == ""
        assert proof.tests
        assert "casting is not supported yet" in proof.fault
        assert not (tmp_path / "alone").exists()

    @pytest.mark.parametrize(
        ("lost", "said"), [("code", "fail with the patch"), ("tests", "it adds no test that runs on a CPU")]
    )
    def test_half_a_patch_is_found_out(self, stock, tmp_path, monkeypatch, lost, said):
        head, *parts = re.split(r"(?m)^(?=diff --git )", patches.patch_of(collect()[ONE]).text)
        kept = [part for part in parts if ("/tests/" in part.partition("\n")[0]) == (lost == "code")]
        half = tmp_path / "half.patch"
        half.write_text(head + "".join(kept))
        monkeypatch.setattr(proofs, "patch_of", lambda fix: Patch.read(half))
        assert proofs.prove(stock, tmp_path / "alone", collect()[ONE]).problem.startswith(said)

    def test_one_that_does_not_apply_is_found_out(self, stock, tmp_path, monkeypatch):
        text = re.sub(r"(?m)^-(?!-)", "-other than ", patches.patch_of(collect()["numel"]).text)
        (tmp_path / "other.patch").write_text(text)
        monkeypatch.setattr(proofs, "patch_of", lambda fix: Patch.read(tmp_path / "other.patch"))
        assert "other.patch does not apply" in proofs.prove(stock, tmp_path / "alone", collect()["numel"]).problem


def test_differences_are_seen():
    def seen(value, *, dtype="float64", outcome="pass"):
        return Seen(outcome, "", [(("", True, ((2,),), ("StrictArray", dtype, 1)), value)])

    case = catalogue.items()[0].name
    one = seen(np.array([1.0, 2.0]))
    assert comparing.differ(one, seen(np.array([1.0, 2.0])), case) is None
    assert comparing.differ(one, seen(np.array([1.0, 2.5])), case)
    assert comparing.differ(one, seen(np.array([1.0, 2.0]), dtype="float32"), case)
    assert comparing.differ(one, seen(np.array([1.0, 2.0]), outcome="error"), case)
    failed = seen(np.array([0.0]), outcome="error")
    assert comparing.differ(failed, seen(None, outcome="error"), case) is None


def test_lost_tests_are_seen():
    before = {"a::x[1]": "passed", "a::x[2]": "failed", "a::y": "passed", "a::z": "skipped"}
    assert suite.worse(before, before) == []
    assert suite.worse(before, {"a::x[1]": "failed", "a::x[2]": "failed", "a::new": "failed"}) == [
        *("a::new", "a::x[1]", "a::y (gone)")
    ]
    assert suite.unlike(before, {**before, "a::z": "passed"}) == ["a::z"]


def test_every_test_file_is_in_one_part():
    if not (SITE / "dask" / "array" / "tests").is_dir():
        pytest.skip("this dask came without its tests")
    whole = suite.files_of(SITE, (1, 1))
    parts = [name for index in range(1, 6) for name in suite.files_of(SITE, (index, 5))]
    assert sorted(parts) == whole
    assert len(whole) > 20
    index, number = suite.of_commit(12, Path(arrayshim.__file__).parent)
    assert 1 <= index <= number == 12


def test_a_changed_dask_is_not_taken_for_the_released_one(tmp_path, monkeypatch):
    assert sources.is_version("2026.8.0")
    assert not sources.is_version(str(tmp_path))
    monkeypatch.setattr(sources, "_digest", lambda mode, content: "another")
    assert sources._installed(dask.__version__) is None
    with pytest.raises(UpstreamError, match="no dask/__init__"):
        sources.pristine(str(tmp_path), tmp_path / "copy")
