"""`arrayshim bench random`: what it measures, prints and writes, on the host."""

from __future__ import annotations

import json
from functools import partial

import numpy as np
import pytest
from benching import bench, is_refused, is_refused_without_a_device

from arrayshim.conformance.benchmarks import random as benchmark
from arrayshim.conformance.benchmarks.bits import Outcome
from arrayshim.conformance.benchmarks.machine import gpu_missing

run = partial(bench, "random")


def test_a_cell_for_each_way(tmp_path):
    file = tmp_path / "speeds.json"
    result = run("--mb", "0.1", "--dists", "random,normal,integers", "--json", str(file))
    assert result.exit_code == 0, result.output
    document = json.loads(file.read_text())
    assert document["write_bytes_per_second"] > 0
    seen = {(row["distribution"], row["dtype"]): row for row in document["rows"]}
    assert seen.keys() == {(d, t) for d in ("random", "normal") for t in benchmark.DTYPES} | {
        ("integers", "int32"),
        ("integers", "int64"),
    }
    for row in seen.values():
        assert row["bytes"] == row["values"] * np.dtype(row["dtype"]).itemsize
        assert 50_000 < row["bytes"] <= 100_000
    doubles = seen["normal", "float64"]["seconds"]
    assert all(doubles[way] > 0 for way in ("library state", "library generator", "stock dask", "generator"))
    assert seen["normal", "float32"]["seconds"]["generator"] is None  # NumPy has none
    assert seen["random", "float32"]["seconds"]["library state"] is None
    # The element stream, over chunks and in one, each beside NumPy's Philox.
    for name, dtype in (("random", "float32"), ("random", "float64"), ("normal", "float64"), ("integers", "int32")):
        assert seen[name, dtype]["seconds"]["element"] > 0
        assert seen[name, dtype]["seconds"]["element chunk"] > 0
    assert seen["integers", "int32"]["seconds"]["library state"] > 0
    assert document["opening_seconds"]["generator"] > 0
    lines = result.stdout.splitlines()
    assert lines[0].startswith("write ")
    assert lines[1].endswith(" element / generator element chunk / generator")
    assert len(lines) == 2 + 6 + len(document["opening_seconds"])


def test_bits(tmp_path, monkeypatch):
    file = tmp_path / "speeds.json"
    some = ("--mb", "0.01", "--dists", "random", "--dtypes", "float64", "--ways", "generator")
    result = run(*some, "--bits", "--json", str(file))
    assert result.exit_code == 0, result.output
    (found,) = (x for name, x in json.loads(file.read_text())["bits"].items() if name != "element")
    assert (found["bytes"], found["suspicious"]) == (2**24, [])
    assert len(found["outcomes"]) > 70
    assert "Philox: " in result.stdout
    assert "none suspicious" in result.stdout

    def stuck(size, *, device):
        yield "stuck", iter([np.ones(2**16, np.uint32)])

    monkeypatch.setattr(benchmark, "tested_words", stuck)
    result = run(*some, "--bits")
    assert result.exit_code == 1
    assert "BAD: " in result.stdout


def test_a_line():
    row = benchmark.Row("normal", "float64", 1000, 8000, {"generator": 1e-6, "element": 2e-6, "state": None})
    ways = ("state", "generator", "element")
    assert benchmark.line(row, 16e9, ways).split() == ["normal", "float64", "-", "1", "(0.50)", "0.5", "(0.25)", "2.00"]
    assert benchmark.heading(ways).endswith("element / generator")
    ways, seconds = (
        ("generator", "element", "element chunk"),
        {"generator": 2e-6, "element": None, "element chunk": 3e-6},
    )
    row = benchmark.Row("normal", "float64", 1000, 8000, seconds)
    assert benchmark.line(row, 16e9, ways).split()[2:] == ["0.5", "(0.25)", "-", "0.3333", "(0.17)", "1.50"]
    good, bad = Outcome("ones[0]", 0.5, 1024), Outcome("ones[1]", 1e-12, 1024)
    assert benchmark.verdict("x", [good]) == "x: 1 p-values of 4096 bytes, the least 0.5 (ones[0]); none suspicious"
    assert benchmark.verdict("x", [good, bad]).endswith("the least 1e-12 (ones[1]); BAD: ones[1]")


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("--dists", "normal,nothing"), "'nothing' is not one of"),
        (("--dtypes", "float16"), "'float16' is not one of"),
        (("--mb", "0"), "--mb"),
        (("--json", "/no/such/folder/x.json"), "does not exist"),
    ],
)
def test_a_mistake_is_one_line(args, named):
    is_refused(run(*args), named)


@pytest.mark.skipif(gpu_missing() is None, reason="there is a device")
def test_without_a_device():
    is_refused_without_a_device("random")
