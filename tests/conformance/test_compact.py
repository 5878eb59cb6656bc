"""A file of a run holds what its scripts share once, and reads back as it was."""

from __future__ import annotations

import json

import pytest
from run_records import record, run_of

from arrayshim.conformance import document, report
from arrayshim.conformance.compact import pack, unpack
from arrayshim.conformance.document import DocumentError
from arrayshim.conformance.schema import faults

HEAD = "import numpy as np\nimport dask.array as da\nimport the_library_of_the_backend\n\n"
TAIL = "for part in result if isinstance(result, (tuple, list)) else [result]:\n    print(type(part))\n"


def scripts(*bodies):
    texts = [f"# title {number}\n{HEAD}{body}\n{TAIL}" for number, body in enumerate(bodies)]
    return run_of([record(f"a/{number}", "error", reproducer=text) for number, text in enumerate(texts)])


def test_what_three_scripts_share_is_there_once():
    run = scripts("x = 1", "x = 2", "x = 3\n\n\n\ny = 4")
    packed = pack(run)
    assert packed["paragraphs"] == [HEAD, TAIL]
    assert [case["reproducer"] for case in packed["cases"]] == [
        ["# title 0\n", 0, "x = 1\n", 1],
        ["# title 1\n", 0, "x = 2\n", 1],
        ["# title 2\n", 0, "x = 3\n\n\n\ny = 4\n", 1],
    ]
    assert unpack(packed) == run
    assert list(faults(packed)) == []


@pytest.mark.parametrize("run", [scripts("x = 1", "x = 2"), scripts(), run_of([record("a/b")] * 2)])
def test_what_is_not_shared_stays_as_it_is(run):
    assert pack(run) == run
    assert unpack(run) == run


def test_a_file_is_smaller_and_reads_back(tmp_path):
    run = scripts(*(f"x = {n}" for n in range(100)))
    path = report.put(tmp_path / "x.json", report.as_json(run))
    assert document.load(path) == json.loads(json.dumps(run))
    assert path.stat().st_size < 0.7 * len(json.dumps(run))


def test_a_number_that_no_paragraph_has(tmp_path):
    packed = pack(scripts("x = 1", "x = 2", "x = 3"))
    packed["cases"][1]["reproducer"] = [0, 7]
    path = tmp_path / "x.json"
    path.write_text(json.dumps(packed))
    with pytest.raises(DocumentError, match=r"the script of a/1 has paragraph 7, expected 0 to 1; expected a file"):
        document.load(path)


def test_a_script_of_another_kind(tmp_path):
    packed = pack(scripts("x = 1", "x = 2", "x = 3"))
    packed["cases"][1]["reproducer"] = [None]
    assert list(faults(packed)) == ["cases[1].reproducer[0] is null, expected string or integer"]
