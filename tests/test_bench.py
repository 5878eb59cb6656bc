"""`arrayshim bench reductions`: what it measures, prints and writes, on the host."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
from benching import bench, is_refused, is_refused_without_a_device

from arrayshim.conformance.benchmarks import reductions, reductions_calls
from arrayshim.conformance.benchmarks.machine import gpu_missing

run = partial(bench, "reductions")


def test_a_cell_for_each_way(tmp_path):
    file = tmp_path / "speeds.json"
    result = run(
        *("--mb", "0.01", "--ops", "sum,nanargmax,tokenize", "--dtypes", "float32,bool"),
        *("--layouts", "view,transposed", "--axes", "all,1", "--json", str(file)),
    )
    assert result.exit_code == 0, result.output
    document = json.loads(file.read_text())
    rows = document["rows"]
    assert len(rows) == 2 * 2 * (2 + 2 + 1)
    assert document["copy_bytes_per_second"] > 0
    for row in rows:
        ways = {"stock dask", "dask"} if row["op"] == "tokenize" else set(reductions.WAYS)
        assert row["seconds"].keys() == ways
        assert all(seconds > 0 for seconds in row["seconds"].values()), row
        assert 5000 < row["bytes"] < 12000
    lines = result.stdout.splitlines()
    assert lines[0].startswith("copy ")
    assert len(lines) == 2 + len(rows)


def test_operations_with_arguments(tmp_path):
    file = tmp_path / "speeds.json"
    result = run(
        *("--mb", "0.01", "--ops", ",".join(reductions_calls.SPECIAL), "--dtypes", "float32"),
        *("--layouts", "contiguous,view", "--json", str(file)),
    )
    assert result.exit_code == 0, result.output
    found = [(row["op"], row["dtype"], row["layout"], row["axis"]) for row in json.loads(file.read_text())["rows"]]
    for op, special in reductions_calls.SPECIAL.items():
        dtype = "int32" if special.integral else "float32"
        for axis in special.axes:
            assert (op, dtype, "contiguous", axis) in found
            assert ((op, dtype, "view", axis) in found) == (axis != "all" or not special.flat)
    for row in json.loads(file.read_text())["rows"]:
        assert row["seconds"].keys() == set(reductions.WAYS)
        assert all(seconds > 0 for seconds in row["seconds"].values()), row


def test_a_compact_file_has_a_line_for_each_row(tmp_path):
    file = tmp_path / "speeds.json"
    result = run(
        *("--mb", "0.01", "--ops", "sum,tokenize,median", "--dtypes", "int8", "--layouts", "view,fortran"),
        *("--ways", "library,dask", "--json", str(file), "--compact", "--seconds", "0.0001", "--warm", "2"),
    )
    assert result.exit_code == 0, result.output
    document = json.loads(file.read_text())
    assert document["columns"] == ["op", "dtype", "layout", "axis", "bytes", "library", "dask"]
    assert (document["request"]["seconds"], document["request"]["warm"]) == (0.0001, 2)
    assert len(document["rows"]) == 2 * (3 + 2 + 1)
    for row in document["rows"]:
        assert json.dumps(row) + "\n" in file.read_text().replace(",\n", "\n")
        assert all(seconds > 0 for seconds in row[6:])
        assert (row[5] is None) == (row[0] == "tokenize")


@pytest.mark.parametrize("op", reductions_calls.SPECIAL)
def test_all_ways_find_the_same(op):
    special = reductions_calls.SPECIAL[op]
    x = 1 + np.random.default_rng(1).random((40, 48))
    for axis in special.axes:
        given = reductions_calls.prepared(op, x, axis)
        known = reductions_calls.calls(op, given, np, axis)
        along = 0 if axis == "all" else int(axis)
        results = {way: call() for way, call in known.items()}
        if op in ("topk", "argtopk"):
            values = -np.sort(-given, axis=along).take(range(reductions_calls.TOP), along)
            got, chunk = results["dask"], results["arrayshim"]
            if op == "argtopk":
                got, chunk = (np.take_along_axis(given, places, along) for places in (got, chunk))
            np.testing.assert_array_equal(got, values)
            np.testing.assert_array_equal(-np.sort(-chunk, axis=along), values)
        else:
            for way, result in results.items():
                np.testing.assert_allclose(result, results["library"], rtol=1e-12, err_msg=way)


def test_what_a_library_lacks_has_no_speed():
    row = reductions.Row("sum", "bool", "view", "all", 8_000, {"library": None, "dask": 1e-6})
    text = reductions.line(row, 16e9, ("library", "dask"))
    assert text.split()[-3:] == ["-", "8", "(0.50)"]


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("--ops", "sum,nothing"), "'nothing' is not one of"),
        (("--layouts", "round"), "'round' is not one of"),
        (("--mb", "0"), "--mb"),
        (("--seconds", "0"), "--seconds"),
        (("--warm", "-1"), "--warm"),
        (("--json", "/no/such/folder/x.json"), "does not exist"),
    ],
)
def test_a_mistake_is_one_line(args, named):
    is_refused(run(*args), named)


@pytest.mark.skipif(gpu_missing() is None, reason="there is a device")
def test_without_a_device():
    is_refused_without_a_device("reductions")
