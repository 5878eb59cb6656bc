"""Every upstream patch is right: dask has the fault and fails the patch's tests before it, and neither after it."""

from __future__ import annotations

import importlib.util
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import dask
import pytest
from patching import MADE_FOR, PATCHES, DaskCopy, DoesNotApplyError, Patch

from arrayshim.fixes import collect
from arrayshim.upstream.patches import needed_by

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(shutil.which("git") is None, reason="needs git, to apply the patches"),
]

each_patch = pytest.mark.parametrize("patch", [pytest.param(Patch.read(path), id=path.stem) for path in PATCHES])


def has_gpu() -> bool:
    """Whether CuPy is installed and sees a device."""
    if importlib.util.find_spec("cupy") is None:
        return False
    import cupy

    return bool(cupy.is_available())


@pytest.fixture
def dask_copy() -> Iterator[DaskCopy]:
    """A copy of the installed dask, gone after the test: pytest's own folders would keep it."""
    with tempfile.TemporaryDirectory(prefix="arrayshim-patches-") as folder:
        yield DaskCopy.into(Path(folder).resolve())


def apply(copy: DaskCopy, patch: Patch, *options: str) -> None:
    """Apply, or skip where the installed dask is not the one that the patch is made for."""
    try:
        copy.apply(patch, *options)
    except DoesNotApplyError as refusal:
        if dask.__version__ == MADE_FOR:
            raise
        pytest.skip(f"made for dask {MADE_FOR}, does not apply to {dask.__version__}: {refusal}")


def apply_needed(copy: DaskCopy, patch: Patch) -> None:
    """Apply the patches of the fixes that come before."""
    for earlier in needed_by(patch.path.stem):
        path = collect()[earlier].patch
        if path is not None:
            apply(copy, Patch.read(path))


@each_patch
def test_patch_cures_the_fault(patch: Patch, dask_copy: DaskCopy) -> None:
    fix_id = patch.path.stem
    apply_needed(dask_copy, patch)
    apply(dask_copy, patch, "--check")
    tests = patch.added_tests(gpu=False)

    dask_copy.apply(patch, "--include=*/tests/*")
    before = dask_copy.examine(fix_id, tests)
    idle = [test for test in tests if "failed" not in before.outcomes.get(test, ())]
    assert not idle, f"pass without the patch: {idle}\n{before.output}"
    assert before.fault != "", f"the probe finds no fault in dask {dask.__version__} without the patch"

    dask_copy.apply(patch, "--exclude=*/tests/*")
    after = dask_copy.examine(fix_id, [*tests, *patch.changed_tests()])
    assert after.passed(tests), after.output
    assert not any("failed" in outcomes for outcomes in after.outcomes.values()), after.output
    assert after.fault == "", "the probe still finds the fault"


@pytest.mark.gpu
@pytest.mark.skipif(not has_gpu(), reason="needs a CUDA device and CuPy")
@each_patch
def test_patch_on_a_gpu(patch: Patch, dask_copy: DaskCopy) -> None:
    tests = patch.added_tests(gpu=True)
    if not tests:
        pytest.skip("the patch has no test for the GPU")
    apply_needed(dask_copy, patch)
    apply(dask_copy, patch)
    after = dask_copy.examine(patch.path.stem, tests, hide_cupy=False)
    assert after.passed(tests), after.output


def test_patches_apply_together(dask_copy: DaskCopy) -> None:
    paths = [fix.patch for fix in collect().values() if fix.patch is not None]
    # By name: a plain install has copies of its own.
    assert sorted(path.name for path in paths) == [path.name for path in PATCHES]
    for path in paths:
        apply(dask_copy, Patch.read(path))
    imported = dask_copy.run("import dask.array as da; assert da.ones(3).sum().compute() == 3")
    assert imported.returncode == 0, imported.stderr


def test_every_fix_has_a_patch_or_a_reason() -> None:
    bare = [
        fix.id for fix in collect().values() if fix.patch is None and not (fix.forwarded == "not-needed" and fix.reason)
    ]
    assert bare == [], "neither <id>.patch nor forwarded='not-needed' with a reason"


@each_patch
def test_header(patch: Patch) -> None:
    fix = collect()[patch.path.stem]
    assert patch.header["From"] == "arrayshim developers <arrayshim@example.invalid>"
    subject = patch.header["Subject"].replace("\n", "")
    assert subject.startswith("[PATCH] ")
    assert len(subject) <= len("[PATCH] ") + 72
    # DEP-3
    assert patch.fields["Origin"] == "arrayshim"
    assert patch.fields["Forwarded"] == fix.forwarded
    assert patch.fields["Applied-Upstream"] == "no" or patch.fields["Applied-Upstream"].startswith("https://")
    assert patch.fields["Applied-Upstream"] == fix.applied_upstream
    assert patch.fields.keys() <= {"Bug", "Origin", "Forwarded", "Applied-Upstream"}
    if "Bug" in patch.fields:
        assert re.fullmatch(r"https://github\.com/dask/dask/issues/\d+", patch.fields["Bug"])
    if fix.issue is not None:
        assert patch.fields.get("Bug") == fix.issue


@each_patch
def test_scope(patch: Patch) -> None:
    assert all(name.startswith("dask/") for name in patch.files), "more than the installed package"
    assert not any("changelog" in name for name in patch.files)
    assert any("/tests/" not in name for name in patch.files), "no code"
    assert patch.added_tests(gpu=False), "no test that runs without a GPU"
    assert not re.search(r"^\+.*[ \t]$", patch.text, flags=re.MULTILINE), "blanks at the end of a line"


def test_tests_of_a_patch_are_told_apart() -> None:
    text = """\
From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001
From: Somebody <somebody@example.invalid>
Subject: [PATCH] Mend it

It was broken.

Bug: https://github.com/dask/dask/issues/1
Forwarded: no
---
 dask/array/tests/test_a.py | 6 +++--

diff --git a/dask/array/a.py b/dask/array/a.py
--- a/dask/array/a.py
+++ b/dask/array/a.py
@@ -1 +1 @@
+def mended():
diff --git a/dask/array/tests/test_a.py b/dask/array/tests/test_a.py
--- a/dask/array/tests/test_a.py
+++ b/dask/array/tests/test_a.py
@@ -1,2 +1,4 @@
 def test_kept():
-def test_changed():
+def test_changed(x):
+def test_new():
diff --git a/dask/array/tests/test_cupy_a.py b/dask/array/tests/test_cupy_a.py
--- a/dask/array/tests/test_cupy_a.py
+++ b/dask/array/tests/test_cupy_a.py
@@ -1 +1 @@
+def test_device():
"""
    patch = Patch(Path("a.patch"), text)
    assert patch.header["Subject"] == "[PATCH] Mend it"
    assert patch.fields == {"Bug": "https://github.com/dask/dask/issues/1", "Forwarded": "no"}
    assert patch.files == ["dask/array/a.py", "dask/array/tests/test_a.py", "dask/array/tests/test_cupy_a.py"]
    assert patch.added_tests(gpu=False) == ["dask/array/tests/test_a.py::test_new"]
    assert patch.added_tests(gpu=True) == ["dask/array/tests/test_cupy_a.py::test_device"]
    assert patch.changed_tests() == ["dask/array/tests/test_a.py::test_changed"]
