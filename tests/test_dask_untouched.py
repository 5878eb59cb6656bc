"""On NumPy chunks dask is what it was: its own tests have the same outcomes, and values are the same bit for bit."""

from __future__ import annotations

import os
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections import Counter
from pathlib import Path

import dask.array as da
import numpy as np
import pytest

import arrayshim

FILES = ("test_reductions", "test_array_function", "test_dispatch")
TESTS = Path(da.__file__).parent / "tests"


def _files():
    return [str(path) for path in sorted(TESTS.glob("test_*.py")) if path.stem in FILES or "cupy" in path.stem]


def _outcomes(report: Path) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for case in ElementTree.parse(report).iter("testcase"):
        kinds = sorted({child.tag for child in case} & {"failure", "error", "skipped"})
        found[f"{case.get('classname')}::{case.get('name')}", ",".join(kinds) or "passed"] += 1
    return found


@pytest.mark.timeout(1500)
@pytest.mark.skipif(not TESTS.is_dir(), reason="this dask came without its tests")
def test_dasks_own_tests_have_the_same_outcomes(tmp_path):
    # Started by pytest before dask is imported, as a user would: `-p with_arrayshim`, `-p without`.
    (tmp_path / "with_arrayshim.py").write_text("import arrayshim\n\nassert arrayshim.status()[0].state == 'applied'\n")
    (tmp_path / "without.py").write_text("import dask.array\n")
    (tmp_path / "pytest.ini").write_text("[pytest]\nmarkers =\n    slow\n    gpu\n    network\nxfail_strict = true\n")
    root = Path(arrayshim.__file__).parent.parent
    keep = {key: value for key, value in os.environ.items() if not key.startswith(("ARRAYSHIM", "DASK", "PYTEST"))}
    keep["PYTHONPATH"] = os.pathsep.join([str(tmp_path), *([] if "site-packages" in root.parts else [str(root)])])
    folders, processes = {}, {}
    try:
        for plugin in ("with_arrayshim", "without"):
            folder = folders[plugin] = tmp_path / f"run_{plugin}"
            folder.mkdir()
            command = [
                *(sys.executable, "-m", "pytest", "-q", "-c", str(tmp_path / "pytest.ini")),
                *(f"--rootdir={TESTS.parent.parent}", "--tb=no", f"--junitxml={folder / 'report.xml'}", "-p", plugin),
                *("-p", "no:randomly", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:timeout", *_files()),
            ]
            with (folder / "output.txt").open("w") as output:
                processes[plugin] = subprocess.Popen(
                    command, env=keep, cwd=folder, stdout=output, stderr=subprocess.STDOUT
                )
        codes = {plugin: process.wait() for plugin, process in processes.items()}
    finally:
        for process in processes.values():
            process.kill()
            process.wait()
    for plugin, folder in folders.items():
        assert codes[plugin] in (0, 1), (folder / "output.txt").read_text()[-3000:]
    outcomes = {plugin: _outcomes(folder / "report.xml") for plugin, folder in folders.items()}
    stock, ours = outcomes["without"], outcomes["with_arrayshim"]
    assert sum(count for (_, outcome), count in stock.items() if outcome == "passed") > 600
    assert {"arrayshim": sorted(ours - stock), "stock": sorted(stock - ours)} == {"arrayshim": [], "stock": []}


CALLS = {
    "mean": lambda x: x.mean(axis=0),
    "mean of all": lambda x: x.mean(),
    "var": lambda x: x.var(axis=1, ddof=1),
    "std": lambda x: x.std(),
    "moment": lambda x: x.moment(3, axis=0),
    "nanmean": lambda x: da.nanmean(x, axis=0),
    "nanvar": lambda x: da.nanvar(x),
    "einsum": lambda x: da.einsum("ij,kj->ik", x, x),
    "percentile": lambda x: da.percentile(x[:, 0], [10, 50]),
    "selection": lambda x: x[x > 3],
    "selection of rows": lambda x: x[x[:, 0] > 3],
    "sum of a selection": lambda x: x[x > 3].sum(),
    "eye": lambda x: da.eye(len(x), chunks=3, dtype=x.dtype) + x[:, :1],
    "diag": lambda x: da.diag(x[:, 0]),
    "tri": lambda x: da.tri(5, chunks=2) * x[:5, :1],
    "asarray": lambda x: da.asarray([x[0], x[1]]),
}
COMPLEX_HAS_NO_ORDER = ("percentile", "selection", "selection of rows", "sum of a selection")


def _data(dtype, mask):
    values = np.random.RandomState(1).normal(3, 2, size=(7, 4)).astype(dtype)
    if dtype == "c16":
        values = values + 1j * values[::-1]
    return np.ma.masked_array(values, mask=np.arange(28).reshape(7, 4) % 5 == 0) if mask else values


@pytest.mark.filterwarnings("ignore")  # of NumPy, on what masked percentiles ignore
@pytest.mark.parametrize("mask", [False, True], ids=["plain", "masked"])
@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "c16"])
def test_values_are_bit_for_bit_those_of_stock_dask(dtype, mask):
    for name, call in CALLS.items():
        if dtype == "c16" and name in COMPLEX_HAS_NO_ORDER:
            continue
        x = da.from_array(_data(dtype, mask), chunks=3, asarray=False)
        with arrayshim.scope(only=()):
            stock = _computed(call, x)
        with arrayshim.scope():
            ours = _computed(call, x)
        assert ours == stock, name


def _computed(call, x):
    """Type, dtype, shape, bits and mask; or the error."""
    try:
        value = call(x).compute(scheduler="sync")
    except Exception as error:
        return type(error), str(error)
    value = value if isinstance(value, np.ndarray) else np.asarray(value)
    bits = np.ma.getdata(value).tobytes(), np.ma.getmaskarray(value).tobytes()
    return type(value), value.dtype, value.shape, *bits


def test_what_is_compared_is_not_all_errors():
    x = da.from_array(_data("f8", False), chunks=3)
    with arrayshim.scope():
        failed = [name for name, call in CALLS.items() if isinstance(_computed(call, x)[1], str)]
    assert failed == []
