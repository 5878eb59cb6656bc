"""Known failures: strict both ways, and the files that cannot be used."""

from __future__ import annotations

import inspect

import dask
import dask.array
import pytest
from run_records import record

from arrayshim.conformance import known, skeleton
from arrayshim.conformance.known import Entry, Known, KnownError

LINK = "https://github.com/dask/dask/issues/4888"


def entry(*cases, outcome="error", **more):
    return Entry(cases=cases, outcome=(outcome,), reason="because", link=LINK, **more)


def surprises(entries, records, catalogue=()):
    return [(it.case, it.got, it.expected) for it in Known(entries).surprises(records, catalogue)]


def test_all_as_known():
    records = [record("a/b", "error"), record("a/c"), record("a/d", "skip")]
    assert surprises([entry("a/b")], records) == []


def test_an_unexpected_failure():
    assert surprises([], [record("a/b", "meta lies")]) == [("a/b", "meta lies", "pass")]


def test_an_unexpected_pass():
    assert surprises([entry("a/*")], [record("a/b"), record("a/c", "error")]) == [("a/b", "pass", "error")]


def test_another_failure_than_the_known_one():
    assert surprises([entry("a/b")], [record("a/b", "wrong value")]) == [("a/b", "wrong value", "error")]


def test_several_outcomes_may_be_allowed():
    both = Entry(cases=("a/*",), outcome=("error", "crash"), reason="because", link=LINK)
    records = [record("a/b", "error"), record("a/c", "crash"), record("a/d", "wrong value")]
    assert surprises([both], records) == [("a/d", "wrong value", "error or crash")]


def test_an_entry_that_matches_no_case():
    assert surprises([entry("a/b"), entry("a/x*")], [record("a/b", "error")]) == [
        ("a/x*", "no case matches entry 2", "error")
    ]


def test_an_entry_about_a_case_that_did_not_run():
    records, entries = [record("a/b")], [entry("a/c")]
    assert surprises(entries, records, catalogue=["a/b", "a/c"]) == []
    assert surprises(entries, records, catalogue=["a/b"]) == [("a/c", "no case matches entry 1", "error")]


def test_a_skipped_case_is_no_surprise():
    assert surprises([entry("a/b")], [record("a/b", "skip")]) == []


def test_the_first_entry_that_matches_holds():
    entries = [entry("a/b[axis=0]", outcome="crash"), entry("a/b*")]
    records = [record("a/b", "error"), record("a/b[axis=0]", "crash")]
    assert surprises(entries, records) == []
    assert surprises(entries[::-1], records) == [
        ("a/b[axis=0]", "crash", "error"),
        ("a/b[axis=0]", "no case matches entry 2", "crash"),
    ]


def test_exceptions_from_a_pattern():
    records = [record("a/b", "error"), record("a/b[out]"), record("a/c", "error")]
    assert surprises([entry("a/*", but=("a/b[*",))], records) == []


@pytest.mark.parametrize("name", ["a/b[axis=(0, 1)]", "a/b@?,uneven", "a/b[x**2]", "a/b[a.b|c]", "a/b[new\nline]"])
def test_only_the_star_is_special(name):
    assert surprises([entry(name)], [record(name, "error")]) == []
    assert Known([entry("a/b[axis]", "a/b@?")]).entry("a/ba") is None
    assert Known([entry("a/b@?")]).entry("a/b@i") is None


GOOD = f'[[expected]]\ncases = ["a/b"]\noutcome = "error"\nreason = "because"\nlink = "{LINK}"\n'


def read(tmp_path, text):
    path = tmp_path / "toy.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return known.load(path)


def test_a_file_is_read(tmp_path):
    (found,) = read(tmp_path, GOOD + 'fix = "numel"\nbut = "a/c"\n').entries
    assert found == Entry(cases=("a/b",), outcome=("error",), reason="because", link=LINK, fix="numel", but=("a/c",))
    assert read(tmp_path, "").entries == ()


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (GOOD.replace('reason = "because"\n', ""), "has no 'reason'"),
        (GOOD.replace(f'link = "{LINK}"\n', ""), "has no 'link'"),
        (GOOD.replace("because", " "), "'reason' is empty"),
        (GOOD.replace(LINK, ""), "'link' is empty"),
        (GOOD.replace(LINK, "javascript:alert(1)"), "expected https://"),
        (GOOD.replace(LINK, "arrayshim/fixes/no_such.patch"), "the package has no such file"),
        (GOOD.replace('["a/b"]', "[]"), "'cases' is empty"),
        (GOOD.replace('["a/b"]', "3"), "'cases' is int"),
        (GOOD.replace('"error"', '"pass"'), "outcome='pass', expected one of"),
        (GOOD.replace('"error"', '"eror"'), "outcome='eror', expected one of"),
        (GOOD.replace("reason", "raeson"), "did you mean 'reason'"),
        (GOOD + 'dask = "about 2025"\n', "expected a range of versions"),
        ("[expected]\n", "write [[expected]]"),
        ("[[expcted]]\n", "'expcted' is unknown"),
        ("[[expected]\n", "is not TOML"),
        (b"\xff\xfe", "is not TOML"),
    ],
)
def test_a_file_that_cannot_be_used(tmp_path, text, fault):
    with pytest.raises(KnownError, match=r"toy\.toml") as caught:
        read(tmp_path, text)
    assert fault in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_file(tmp_path):
    with pytest.raises(KnownError, match="No such file"):
        known.load(tmp_path / "none.toml")


def test_a_link_may_be_a_file_of_the_package(tmp_path):
    (found,) = read(tmp_path, GOOD.replace(LINK, "arrayshim/registration.py")).entries
    assert found.link == "arrayshim/registration.py"


@pytest.mark.parametrize(
    ("name", "stock", "array_expr", "file"),
    [
        ("cupy", False, False, "cupy.toml"),
        ("cupy", True, False, "cupy-stock.toml"),
        ("strict", False, True, "strict-expr.toml"),
        ("../../etc/x", True, True, "_.._etc_x-stock-expr.toml"),
        ("a-repaired-b", False, False, "a-repaired-b.toml"),
    ],
)
def test_the_name_of_the_file(name, stock, array_expr, file):
    assert known.path_of(name, stock=stock, array_expr=array_expr) == known.FOLDER / file


@pytest.mark.parametrize("path", sorted(known.FOLDER.glob("*.toml")), ids=lambda path: path.name)
def test_the_committed_files_are_in_order(path):
    assert known.load(path).entries


# A first file, written from a run


def rewritten(tmp_path, records, before=None):
    """A skeleton with its links filled in, read again."""
    text = skeleton.toml(skeleton.entries(records, before), name="toy-repaired", date="2026-01-31")
    return read(tmp_path, text.replace('link = ""', f'link = "{LINK}"'))


def test_a_skeleton_says_exactly_what_happened(tmp_path):
    records = [
        record("a/b", "error", "no axis [da.b(x)]"),
        record("a/b[axis=0]", "error", "no axis [da.b(x, axis=0)]"),
        record("a/bc"),
        record("a/d[x]@f4", "meta lies", 'say "no" \\ \x7f'),
        record("a/d[x]@i8", "meta lies", "other"),
        record("a/d[y]", "wrong value"),
        record("z/all", "crash", "line\nline"),
        record("z/every", "crash"),
    ]
    found = rewritten(tmp_path, records)
    assert found.surprises(records) == []
    assert found.entry("a/b[axis=0]").reason == "no axis"


def test_a_skeleton_links_to_where_dask_defines_the_operation():
    records = [record("a/b", "error", names=["no_such", "linalg.qr"]), record("a/c", "crash", names=["np.no_such"])]
    records.append(record("a/d", "error", names=[]))
    links = [it.link for it in skeleton.entries(records)]
    version = dask.__version__
    lines = inspect.getsource(dask.array.linalg).splitlines()
    number = next(number for number, line in enumerate(lines, 1) if line.startswith("def qr("))
    assert links[0] == f"https://github.com/dask/dask/blob/{version}/dask/array/linalg.py#L{number}"
    assert links[2] == f"https://github.com/dask/dask/blob/{version}/dask/array"
    assert links[1].startswith(f"https://github.com/dask/dask/blob/{version}/dask/array/core.py#L")


def test_a_skeleton_blames_a_library_in_its_own_documentation():
    records = [record("a/b", "not implemented by the backend", "backend alone=TypeError: no", names=["mean"])]
    (found,) = skeleton.entries(records, docs="https://toy.example")
    assert (found.reason, found.link) == ("backend alone=TypeError: no", "https://toy.example")


def test_a_skeleton_cannot_be_used_before_its_links_are_there(tmp_path, monkeypatch):
    monkeypatch.setattr(skeleton, "place", lambda names: ("", ""))
    records = [record("a/b", "error", "no")]
    text = skeleton.toml(skeleton.entries(records), name="toy", date="2026-01-31")
    with pytest.raises(KnownError, match="'link' is empty"):
        read(tmp_path, text)


def test_a_skeleton_keeps_what_was_known(tmp_path):
    before = Known([entry("a/*", fix="numel")])
    records = [record("a/b", "error", "new words"), record("a/c"), record("a/d", "crash", "bang")]
    found = rewritten(tmp_path, records, before)
    assert found.surprises(records) == []
    assert (found.entry("a/b").reason, found.entry("a/b").fix) == ("because", "numel")
    assert found.entry("a/d").reason == "bang"


def test_patterns_of_a_skeleton_match_nothing_else():
    names = ["a/b", "a/b[0]", "a/b[1]", "a/b[1]@f4", "a/b[1]@i8", "a/bb", "c/d", "c/e"]
    wanted = ["a/b[1]@f4", "a/b[1]@i8", "a/b", "c/d", "c/e"]
    patterns = list(skeleton.globs(wanted, names))
    held = Known([entry(*patterns)])
    assert [name for name in names if held.entry(name)] == ["a/b", "a/b[1]@f4", "a/b[1]@i8", "c/d", "c/e"]
    assert "c/*" in patterns


def test_an_entry_may_be_about_some_versions_of_dask(tmp_path):
    entries = [
        GOOD.replace('["a/b"]', f'"{case}"') + f'dask = "{range_}"\n'
        for case, range_ in [("a/old", "<2000"), ("a/new", ">=2000,<3000")]
    ]
    found = read(tmp_path, "\n".join(entries))
    assert [entry.cases for entry in found.entries] == [("a/new",)]
    assert not found.surprises([record("a/old"), record("a/new", outcome="error")])
    kept = rewritten(tmp_path, [record("a/old"), record("a/new", outcome="error")], found)
    assert [entry.cases for entry in kept.elsewhere] == [("a/old",)]
    assert [entry.dask for entry in kept.elsewhere + kept.entries] == ["<2000", ">=2000,<3000"]
