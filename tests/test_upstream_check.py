"""`arrayshim upstream check` refuses early what it cannot do, and runs on what pip has installed."""

from __future__ import annotations

import base64
import csv
import hashlib
import io
import zipfile
from importlib.metadata import distribution
from pathlib import Path

import dask
import numpy as np
import pytest
from click.testing import CliRunner

from arrayshim import cli
from arrayshim.fixes import collect
from arrayshim.upstream import asked, installing, sheets, sources, suite
from arrayshim.upstream.patches import MADE_FOR

pytestmark = pytest.mark.timeout(300)

SITE = Path(str(distribution("dask").locate_file("")))
newest = pytest.mark.skipif(dask.__version__ != MADE_FOR, reason=f"the patches are made for dask {MADE_FOR}")


def refused(*args):
    result = CliRunner().invoke(cli.main, ["upstream", "check", *map(str, args)])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 2
    return result.stderr.splitlines()[-1]


@pytest.fixture
def unfetched(monkeypatch):
    """Nothing may be fetched."""

    def fetch(*args, **kwargs):
        raise AssertionError(f"fetched: {args}")

    monkeypatch.setattr(sources, "pristine", fetch)


@pytest.mark.usefixtures("unfetched")
@pytest.mark.parametrize(
    ("args", "named"),
    [
        (["--only", "numle"], "did you mean 'numel'"),
        (["--only", "masks_refused"], "has no patch"),
        (["--dask", "newest"], "neither a version"),
        (["--dask", "/"], "no dask/__init__.py"),
        (["--dask", "2025.1.0", "--only", "numel"], "--only chooses patches"),
        (["--dask", "2025.1.0", "--part", "series"], "--part series is of the patches"),
        (["--record"], "--record is for another dask"),
        (["--cases", "no such case"], "is found in no case"),
        (["--json", "/no/such/folder/file.json"], "cannot be written"),
        (["--part", "nothing"], "--part"),
        (["--shard", "\u00b9/\u00b2"], "--shard"),
        (["--shard", "0/0"], "--shard"),
        (["--jobs", "0"], "--jobs"),
    ],
)
def test_mistakes_are_told_before_anything_is_fetched(args, named):
    assert named in refused(*args)


@pytest.mark.usefixtures("unfetched")
def test_what_is_not_installed_is_told_before_anything_is_fetched(monkeypatch):
    monkeypatch.setattr(asked, "find_spec", lambda name: None if name == "scipy" else name)
    assert "check needs scipy, not installed here; pip install scipy" in refused()


@pytest.mark.usefixtures("unfetched")
def test_results_of_before_outlast_a_refusal(tmp_path):
    (tmp_path / "kept.json").write_text("kept")
    refused("--json", tmp_path / "kept.json", "--cases", "no such case")
    refused("--json", tmp_path / "new.json", "--cases", "no such case")
    assert [file.name for file in tmp_path.iterdir()] == ["kept.json"]
    assert (tmp_path / "kept.json").read_text() == "kept"


@newest
def test_a_part_of_its_tests_that_a_dask_has_not_is_told_before_anything_is_run():
    number = len(suite.files_of(SITE))
    if not number:
        pytest.skip("this dask came without its tests")
    assert f"it has {number}; give I/N" in refused("--dask", SITE, "--shard", "999/999")


def fake(folder, version, value):
    (folder / "dask").mkdir(parents=True)
    (folder / "dask" / "__init__.py").write_text(f"value = {value!r}\n")
    (folder / "dask" / "data.yaml").write_text("kept: true\n")
    info = folder / "dask.egg-info"
    info.mkdir()
    (info / "PKG-INFO").write_text(f"Metadata-Version: 2.1\nName: dask\nVersion: {version}\n")
    (info / "entry_points.txt").write_text("[dask.array.backends]\nfake = dask:value\n")
    return folder


def test_a_wheel_is_what_its_record_says(tmp_path):
    made = installing.wheel(fake(tmp_path / "source", "9999.1.0", 1), tmp_path)
    assert made.name == "dask-9999.1.0-py3-none-any.whl"
    with zipfile.ZipFile(made) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    rows = list(csv.reader(io.StringIO(content["dask-9999.1.0.dist-info/RECORD"].decode())))
    assert {name for name, *_ in rows} == set(content)
    for name, digest, size in rows[:-1]:
        wanted = base64.urlsafe_b64encode(hashlib.sha256(content[name]).digest()).decode().rstrip("=")
        assert (digest, size) == (f"sha256={wanted}", str(len(content[name])))
    assert content["dask/data.yaml"] == b"kept: true\n"


def test_what_is_installed_is_what_runs(tmp_path):
    code = (
        "import dask, numpy; from importlib.metadata import entry_points, version; "
        "print(dask.value, version('dask'), len(entry_points(group='dask.array.backends', name='fake')), "
        "numpy.__version__, dask.__file__)"
    )
    for number, version in enumerate(("9999.1.0", "9999.2.0")):
        source = fake(tmp_path / version, version, number)
        place = installing.installed(source, tmp_path / "environment")
        done = place.python("-c", code)
        assert done.returncode == 0, done.stderr
        value, found, entries, numpy, file = done.stdout.split()
        assert (value, found, entries, numpy) == (str(number), version, "1", np.__version__)
        assert Path(file) == place.folder / "dask" / "__init__.py"
        assert place.folder.is_relative_to(tmp_path / "environment")


def test_a_sheet_says_why_its_calls_were_not_run():
    fix_id = "numel"
    calls = {fix_id: [["x", "ModuleNotFoundError: No module named 'library'"]]}
    versions = dict.fromkeys(("dask", "numpy", "python"), "1")
    facts = sheets.Facts(versions, calls, calls, {fix_id: "cannot be asked here: No module named 'library'"})
    assert sheets.unasked(facts) == {fix_id: "No module named 'library'"}
    text = sheets.sheet(collect()[fix_id], facts, {fix_id: "0001-numel"})
    assert "The calls could not be run here: No module named 'library'." in text
    assert sheets.unasked(sheets.Facts(versions, calls, calls, {fix_id: "a fault"})) == {}
