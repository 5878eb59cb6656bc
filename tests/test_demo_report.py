"""The demo's table, JSON and picture."""

from __future__ import annotations

import json
import os
import tempfile
import xml.etree.ElementTree as ET

import pytest
from rich.console import Console

from arrayshim.conformance.benchmarks import demo_report
from arrayshim.conformance.benchmarks.records import Report, Request, Row


def row(**changes):
    values = {
        "leg": "cpu-single",
        "op": "sum",
        "workers": 2,
        "threads": 4,
        "n": 12_000,
        "chunk": 1_000,
        "elements": 144_000_000,
        "chunk_type": "numpy.ndarray",
        "seconds": 4.5,
        "gb_per_s": 0.256,
        "estimate_2tb_s": 7812.5,
        "speedup": 1.0,
        "cost_2tb": None,
        "value": 396_000_123.25,
        "expected": 396_000_000.0,
        "stderr": 6_000.0,
        "verdict": "ok",
    }
    return Row(**values | changes)


FAILED = dict.fromkeys(("seconds", "gb_per_s", "estimate_2tb_s", "speedup", "value", "chunk_type"))


def report(**options):
    rows = [
        row(),
        row(op="mean", value=11.00012, expected=11.0, stderr=1 / 6_000, cost_2tb=1.25),
        row(leg="gpu", op="mean", verdict="error", message=f"TypeError: [red]no[/red] {'very ' * 30}long", **FAILED),
    ]
    return Report(Request(**options), rows=rows, skipped=[("gpu-cluster", "dask-cuda is not installed")])


def printed(width, **options):
    console = Console(width=width, no_color=True)
    with console.capture() as capture:
        console.print(demo_report.table(report(**options), width))
    return capture.get()


def test_wide_table_is_one_line_for_each_row():
    lines = printed(1000).splitlines()
    (line,) = [line for line in lines if " sum " in line]
    wanted = "cpu-single 2 x 4 sum 12,000² numpy.ndarray 4.5 0.256 2 h 10 min 1 x 396,000,123 396,000,000 ± 6,000 ok"
    assert " ".join(line.split()) == wanted
    (line,) = [line for line in lines if "11.00012" in line]
    assert "11.00000 ± 0.00017" in line
    (line,) = [line for line in lines if "gpu " in line]
    assert line.rstrip().endswith("error: TypeError: [red]no[/red] " + "very " * 30 + "long")
    (line,) = [line for line in lines if "gpu-cluster" in line]
    assert line.rstrip().endswith("skipped: dask-cuda is not installed")


def test_cost_only_with_a_price():
    assert "2 TB cost" not in printed(1000)
    lines = printed(1000, prices={"": 2.5}).splitlines()
    assert any("2 TB cost" in line for line in lines)
    assert [line.split()[-6:-5] for line in lines if "11.00012" in line] == [["1.25"]]


@pytest.mark.parametrize("width", [60, 80, 100, 150, 200])
@pytest.mark.parametrize("prices", [{}, {"": 1.0}])
def test_narrow_table_loses_nothing(width, prices):
    text = printed(width, prices=prices)
    assert "…" not in text
    assert max(map(len, text.splitlines())) <= width
    joined = "".join(text.split())
    if width >= 80:
        for part in ("cpu-single", "12,000²", "396,000,123", "0.256", "skipped:", "4.5"):
            assert part in joined
    assert joined.count("very") == 30


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.51, "0.51 s"),
        (13.0, "13 s"),
        (99.9, "99.9 s"),
        (99.96, "1 min 40 s"),
        (3599.6, "60 min 0 s"),
        (3600.0, "1 h 0 min"),
        (9540.0, "2 h 39 min"),
        (36_000_000.0, "10,000 h 0 min"),
    ],
)
def test_duration(seconds, text):
    assert demo_report.duration(seconds) == text


@pytest.mark.parametrize(
    ("value", "stderr", "text"),
    [
        (687_500_123_456.7, 250_000.0, "687,500,123,457"),
        (11.000123456, 4e-6, "11.0001235"),
        (124_999.6, 204.1, "125,000"),
        (0.5, 0.0, "0.5"),
        (-3.25, 0.5, "-3.25"),
    ],
)
def test_to_precision(value, stderr, text):
    assert demo_report.to_precision(value, stderr) == text


@pytest.mark.parametrize(
    ("value", "text"), [(0.12345, "0.123"), (9.996, "10"), (999.4, "999"), (999.6, "1,000"), (1664.2, "1,664")]
)
def test_large_numbers_are_written_out(value, text):
    assert demo_report.rounded(value) == text


def test_document_is_json_with_everything():
    data = json.loads(json.dumps(demo_report.document(report(size=12_000, prices={"": 2.0})), allow_nan=False))
    assert {"date", "versions", "hardware", "request", "rows", "skipped", "interrupted", "exit_code"} <= set(data)
    assert {"leg", "op", "seconds", "value", "expected", "stderr", "verdict"} <= set(data["rows"][0])
    assert data["rows"][0]["value"] == 396_000_123.25
    assert data["rows"][2]["value"] is None
    assert data["skipped"] == [{"leg": "gpu-cluster", "reason": "dask-cuda is not installed"}]
    assert data["request"]["prices"] == {"": 2.0}
    assert data["exit_code"] == 1  # of the row that failed
    assert {"arrayshim", "python", "numpy", "dask", "distributed", "cupy", "cuda_driver"} <= set(data["versions"])
    assert data["versions"]["dask"]
    assert data["hardware"]["cpu"]
    assert data["hardware"]["cores"] >= 1


@pytest.mark.parametrize(
    ("verdicts", "interrupted", "code"),
    [(["ok"], False, 0), ([], False, 0), (["ok", "WRONG"], False, 1), (["error"], False, 1), (["WRONG"], True, 130)],
)
def test_exit_code(verdicts, interrupted, code):
    made = Report(Request(), rows=[row(verdict=verdict) for verdict in verdicts], interrupted=interrupted)
    assert made.exit_code == code


def test_json_is_all_or_nothing(tmp_path):
    file = tmp_path / "out.json"
    file.write_text("old")
    with pytest.raises(ValueError, match="JSON compliant"):
        demo_report.write_json(file, {"value": float("nan")})
    assert file.read_text() == "old"
    demo_report.write_json(file, {"value": "±"})
    assert json.loads(file.read_text(encoding="utf-8")) == {"value": "±"}
    assert os.listdir(tmp_path) == ["out.json"]


def test_a_plot_that_fails_leaves_nothing(tmp_path, monkeypatch):
    figure = pytest.importorskip("matplotlib.figure")

    def full(self, path, **options):
        path.write_bytes(b"half")
        raise OSError("disk full")

    monkeypatch.setattr(figure.Figure, "savefig", full)
    with pytest.raises(OSError, match="disk full"):
        demo_report.write_plot(tmp_path / "bars.png", report())
    assert os.listdir(tmp_path) == []


def test_plot_png(tmp_path):
    pytest.importorskip("matplotlib")
    demo_report.write_plot(tmp_path / "bars.png", report())
    assert (tmp_path / "bars.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")


def test_plot_svg_names_legs_and_operations(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    with matplotlib.rc_context({"svg.fonttype": "none"}):
        demo_report.write_plot(tmp_path / "bars.SVG", report())
    root = ET.parse(tmp_path / "bars.SVG").getroot()
    texts = {element.text for element in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"cpu-single", "sum", "mean"} <= texts
    assert "gpu" not in texts  # nothing was measured there


def test_plot_of_nothing(tmp_path):
    pytest.importorskip("matplotlib")
    demo_report.write_plot(tmp_path / "bars.svg", Report(Request()))
    assert (tmp_path / "bars.svg").stat().st_size > 0


def test_unwritable(tmp_path):
    assert demo_report.unwritable(tmp_path / "new.json") is None
    assert demo_report.unwritable(tmp_path) == f"'{tmp_path}' is a folder, a file was expected"
    assert demo_report.unwritable(tmp_path / "no" / "x.json") == f"folder '{tmp_path / 'no'}' does not exist"


def test_a_folder_without_permission(tmp_path, monkeypatch):
    def refused(**options):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(tempfile, "TemporaryFile", refused)
    assert demo_report.unwritable(tmp_path / "x.json") == f"folder '{tmp_path}' is not writable"


def test_whether_a_folder_takes_files_is_tried(tmp_path):
    assert demo_report.takes_files(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not demo_report.takes_files(tmp_path / "no")
