"""A newer dask that nobody has tested, made by editing a copy of the installed one: arrayshim fits itself to it."""

from __future__ import annotations

import re
import shutil
import subprocess
from importlib.metadata import distribution

import pytest

import arrayshim
from arrayshim.upstream.trees import git_environment

pytestmark = pytest.mark.timeout(300)

GONE, CHANGED, REPAIRED = "fft_wrap_sample", "boolean_selection_meta", "numel"

#: For each file of dask, what is written in the place of what.
EDITS = {
    "array/fft.py": [("fft_wrap", "wrap_of_fft")],
    "array/slicing.py": [
        ("def slice_with_bool_dask_array(x, index):", "def slice_with_bool_dask_array(x, index, *, lazily):")
    ],
    "array/core.py": [
        ("slice_with_bool_dask_array(self, index2)", "slice_with_bool_dask_array(self, index2, lazily=True)")
    ],
}

ASK = """
import os, sys, warnings

warnings.simplefilter("always")
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    import arrayshim
    arrayshim.enable()
    arrayshim.disable()
    arrayshim.enable()
import dask, dask.array as da, numpy as np

x = np.arange(24.0).reshape(4, 6)
d = da.from_array(x, chunks=(2, 3))
same = [
    np.array_equal(d[d > 3].compute(), x[x > 3]),
    np.array_equal(d.mean(axis=0).compute(), x.mean(axis=0)),
    np.array_equal(da.fft.fft(d.rechunk((4, 3)), axis=0).compute(), np.fft.fft(x, axis=0)),
    np.array_equal((d @ d.T).compute(), x @ x.T),
]
ours = [w for w in caught if issubclass(w.category, arrayshim.errors.ArrayshimWarning)]
answer({
    "dask": dask.__version__,
    "states": {status.id: [status.state, status.detail] for status in arrayshim.status()},
    "said": [str(w.message) for w in ours],
    "numpy": same,
})
"""


@pytest.fixture(scope="module")
def edited(tmp_path_factory):
    """A copy of dask, calling itself 9999.1.0: one target renamed, one with another signature, one fault repaired."""
    folder = tmp_path_factory.mktemp("edited")
    installed = distribution("dask")
    dask = folder / "dask"
    shutil.copytree(str(installed.locate_file("dask")), dask, ignore=shutil.ignore_patterns("__pycache__", "tests"))
    for metadata in {file.parts[0] for file in installed.files or () if file.parts[0].endswith(".dist-info")}:
        shutil.copytree(str(installed.locate_file(metadata)), folder / metadata)
    for name, pairs in EDITS.items():
        text = (dask / name).read_text()
        for before, after in pairs:
            assert before in text
            text = text.replace(before, after)
        (dask / name).write_text(text)
    version = (dask / "_version.py").read_text()
    (dask / "_version.py").write_text(re.sub(r"= '[\d.]+'", "= '9999.1.0'", version))
    patch = arrayshim.fixes.collect()[REPAIRED].patch
    subprocess.run(
        ["git", "apply", "--exclude=*/tests/*", str(patch)],
        cwd=folder,
        check=True,
        env=git_environment(folder),
    )
    return folder


@pytest.fixture(scope="module")
def found(edited, bare, tmp_path_factory):
    cache = {"XDG_CACHE_HOME": str(tmp_path_factory.mktemp("verdicts"))}
    return [bare(ASK, path=(edited,), env=cache) for _ in range(2)]


@pytest.mark.skipif(shutil.which("git") is None, reason="needs git, to apply a patch")
class TestEdited:
    def test_it_is_the_copy(self, found):
        assert [answer["dask"] for answer in found] == ["9999.1.0"] * 2

    def test_a_target_that_is_gone(self, found):
        state, detail = found[0]["states"][GONE]
        assert state == "drifted"
        assert detail == "dask.array.fft.fft_wrap: dask.array.fft has no 'fft_wrap'; this dask lacks the target"

    def test_a_signature_that_has_changed(self, found):
        state, detail = found[0]["states"][CHANGED]
        assert state == "drifted"
        assert "the repair does not cure it" in detail
        assert "lazily" in detail

    def test_a_fault_that_is_repaired(self, found):
        assert found[0]["states"][REPAIRED] == ["healthy", ""]

    def test_what_leans_on_nothing_of_it_is_applied(self, found):
        leaning = {fix.id for fix in arrayshim.fixes.collect().values() if {GONE, CHANGED} & _closure(fix.id)}
        others = {fix_id: state for fix_id, (state, _) in found[0]["states"].items() if fix_id not in leaning}
        assert {fix_id for fix_id, state in others.items() if state != "applied"} == {REPAIRED}

    def test_one_warning_in_total(self, found):
        (said,) = found[0]["said"]
        assert "dask 9999.1.0" in said
        for fix_id in (GONE, CHANGED, REPAIRED):
            assert fix_id in said

    def test_the_second_process_finds_the_same(self, found):
        assert found[1]["states"] == found[0]["states"]
        assert len(found[1]["said"]) <= 1

    def test_numpy_still_works(self, found):
        assert found[0]["numpy"] == [True] * 4

    def test_the_import_survives_warnings_that_are_errors(self, edited, bare, tmp_path):
        code = "import arrayshim; answer({s.id: s.state for s in arrayshim.status()}['percentile_unknown_type'])"
        options = ("-W", "error::UserWarning")
        assert bare(code, path=(edited,), env={"XDG_CACHE_HOME": str(tmp_path)}, options=options) == "applied"


def _closure(fix_id):
    after = arrayshim.fixes.collect()[fix_id].after
    return {fix_id, *after, *(name for earlier in after for name in _closure(earlier))}
