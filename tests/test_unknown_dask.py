"""On a dask that nobody has tested: the same source is swapped, for another the probes decide, once."""

from __future__ import annotations

import json
import warnings

import pytest

import arrayshim
from arrayshim import applying, compat, fixes, registration
from arrayshim.errors import UntestedDaskWarning


@pytest.fixture
def unknown(fake_dask, monkeypatch, tmp_path):
    """The fake dask in an unknown version, with a cache of its own, and stock at first."""
    with arrayshim.scope(only=()), warnings.catch_warnings():
        # what is said of it has tests of its own, below
        warnings.simplefilter("ignore", UntestedDaskWarning)
        monkeypatch.setattr(registration, "_told", set())
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
        monkeypatch.setattr(compat, "dask_version", lambda: "9999.1.0")
        yield fake_dask
        arrayshim.disable()
        monkeypatch.undo()


def probed(fix):
    """Count the runs of a probe."""
    runs = []
    stock = fix._probes[0]
    fix._probes[0] = lambda: runs.append(fix.id) or stock()
    return runs


def applied_here(module):
    return module.answer(1) == 3


def test_same_source_is_swapped_without_a_probe(unknown, monkeypatch):
    fix = unknown.add_fix(affects="<2026")
    source = {"dask.arrayshim_fake.answer": [compat.fingerprint(unknown.module.answer)]}
    monkeypatch.setattr(compat, "tested", lambda: {"dask": ["2026.1"], "sources": source})
    runs = probed(fix)
    arrayshim.enable(only=["fake"])
    assert applied_here(unknown.module)
    arrayshim.disable()
    assert runs == []


def test_other_source_is_swapped_where_that_cures(unknown, status_of):
    fix = unknown.add_fix()
    runs = probed(fix)
    arrayshim.enable(only=["fake"])
    assert runs == ["fake", "fake"]  # before, and after
    assert applied_here(unknown.module)
    assert status_of("fake").state == "applied"
    arrayshim.disable()
    assert not applied_here(unknown.module)


def test_other_source_is_given_back_where_the_swap_does_not_cure(unknown, status_of):
    unknown.add_fix(more=5)
    stock = unknown.module.answer
    arrayshim.enable(only=["fake"])
    status = status_of("fake")
    assert status.state == "drifted"
    assert status.detail.endswith("the repair does not cure it: answer(1) is 7")
    assert unknown.module.answer is stock


def test_a_healthy_dask_is_left_alone(unknown, status_of):
    fix = unknown.add_fix()
    exec("def answer(x): return x + 2", vars(unknown.module))
    runs = probed(fix)
    arrayshim.enable(only=["fake"])
    assert runs == ["fake"]
    assert not applying.applied
    assert status_of("fake").state == "healthy"


def test_a_probe_that_fails_leaves_dask_alone(unknown, status_of):
    fix = unknown.add_fix()
    fix._probes[0] = lambda: 1 / 0
    arrayshim.enable(only=["fake"])
    status = status_of("fake")
    assert (status.state, status.detail) == (
        "unknown",
        "the probe itself failed: ZeroDivisionError: division by zero",
    )
    assert unknown.module.answer(1) == 2


def test_a_probe_that_fails_after_the_swap_rolls_back(unknown, status_of):
    fix = unknown.add_fix()
    fix._probes[0] = lambda: "answer is wrong" if unknown.module.answer(1) == 2 else 1 / 0
    arrayshim.enable(only=["fake"])
    assert status_of("fake").state == "drifted"
    assert unknown.module.answer(1) == 2


@pytest.mark.parametrize(("more", "state"), [(1, "applied"), (5, "drifted")])
def test_the_answer_is_asked_for_once(unknown, status_of, more, state):
    fix = unknown.add_fix(more=more)
    runs = probed(fix)
    arrayshim.enable(only=["fake"])
    assert len(runs) == 2
    arrayshim.disable()
    arrayshim.enable(only=["fake"])
    assert len(runs) == 2
    assert status_of("fake").state == state


@pytest.mark.parametrize(
    ("more", "said"), [(1, "1 repairs are applied;"), (5, r"0 repairs are applied; left out: fake \(drifted\);")]
)
def test_it_says_once_what_it_did(unknown, more, said):
    unknown.add_fix(more=more)
    with pytest.warns(UntestedDaskWarning, match=f"dask 9999.1.0 is none .* so its probes decided: {said}"):
        arrayshim.enable(only=["fake"])
    arrayshim.disable()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arrayshim.enable(only=["fake"])


def test_it_is_silent_where_the_source_is_a_tested_one(unknown, monkeypatch):
    unknown.add_fix(affects="<2026")
    source = {"dask.arrayshim_fake.answer": [compat.fingerprint(unknown.module.answer)]}
    monkeypatch.setattr(compat, "tested", lambda: {"dask": ["2026.1"], "sources": source})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        arrayshim.enable(only=["fake"])


def test_another_version_of_arrayshim_or_dask_asks_again(unknown, monkeypatch):
    fix = unknown.add_fix()
    runs = probed(fix)
    arrayshim.enable(only=["fake"])
    for name, value in (("dask_version", lambda: "9999.2.0"), ("__version__", "99")):
        monkeypatch.setattr(compat, name, value)
        arrayshim.disable()
        del runs[:]
        arrayshim.enable(only=["fake"])
        assert len(runs) == 2


@pytest.mark.parametrize("content", ["", "{", "[1, 2]", '{"KEY": 3}', '{"KEY": {"fake": 3}}', "\ufeff\x00"])
def test_a_corrupt_cache_is_harmless(unknown, content):
    unknown.add_fix()
    path = compat.Verdicts().path
    path.parent.mkdir(parents=True)
    path.write_text(content.replace("KEY", compat.Verdicts().key))
    arrayshim.enable(only=["fake"])
    assert applied_here(unknown.module)
    assert json.loads(path.read_text())[compat.Verdicts().key] == {"fake": "cured"}


def test_a_cache_that_cannot_be_written_is_harmless(unknown, monkeypatch, tmp_path):
    unknown.add_fix()
    occupied = tmp_path / "occupied"
    occupied.write_text("a file where a folder should be")
    monkeypatch.setenv("XDG_CACHE_HOME", str(occupied))
    arrayshim.enable(only=["fake"])
    assert applied_here(unknown.module)


def test_nothing_is_written_where_nothing_was_asked(unknown, monkeypatch):
    unknown.add_fix()
    monkeypatch.setattr(compat, "tested", lambda: {"dask": ["9999.1.0"], "sources": {}})
    arrayshim.enable(only=["fake"])
    assert applied_here(unknown.module)
    assert not compat.Verdicts().path.exists()


def test_the_real_fixes_are_all_cured_by_probing(unknown, monkeypatch):
    """As on a dask whose source has changed everywhere, and whose faults are still there."""
    monkeypatch.setattr(compat, "tested", lambda: {"dask": [], "sources": {}})
    arrayshim.enable()
    assert {status.id: status.state for status in arrayshim.status() if status.state != "applied"} == {}


def test_the_real_fixes_are_swapped_where_the_source_is_the_same(unknown, monkeypatch):
    names = {name for fix in fixes.collect().values() for name in compat.watched(fix)}
    here = {name: [compat.fingerprint(compat.live(name))] for name in names}
    monkeypatch.setattr(compat, "tested", lambda: {"dask": [], "sources": here})
    arrayshim.enable()
    assert {status.state for status in arrayshim.status()} == {"applied"}
    assert not compat.Verdicts().path.exists()


def test_a_range_is_read_as_pip_reads_it(monkeypatch):
    monkeypatch.setattr(compat, "dask_version", lambda: "2026.8.0")
    held = ["", ">=2025.1", "<2026.9", "==2026.8", "!=2026.7", ">=2025.1, <2027", ">2026.7.1", "<=2026.8.0"]
    assert [spec for spec in held if not compat.in_range(spec)] == []
    missed = ["<2026.8", ">2026.8.0", ">=2026.8.1", "!=2026.8.0", ">=2025.1,<2026.1"]
    assert [spec for spec in missed if compat.in_range(spec)] == []


@pytest.mark.parametrize("version", ["0+unknown", "0+untagged.1.gabc", "no version at all"])
def test_a_version_that_says_nothing_is_newer_than_every_tested_one(monkeypatch, version):
    monkeypatch.setattr(compat, "dask_version", lambda: version)
    assert not compat.is_tested()
    assert compat.in_range(">=2025.10")
    assert not compat.in_range("<2025.10")


def test_a_fingerprint_sees_through_a_decorator_and_not_past_it():
    import functools

    def make(text):
        def plain():
            return text

        return plain

    def one():
        return 1

    def two():
        return 2

    @functools.wraps(one)
    def around_one():
        return one()

    @functools.wraps(two)
    def around_two():
        return one()

    prints = [compat.fingerprint(f) for f in (one, two, around_one, around_two)]
    assert len(set(prints)) == 4
    assert compat.fingerprint(make("a")) == compat.fingerprint(make("b"))
