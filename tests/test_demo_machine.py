"""What the machine is said to have: every way of asking, and machines that lack things."""

from __future__ import annotations

import builtins
import importlib.machinery
import importlib.util
import sys
import types
from pathlib import Path

import pytest

from arrayshim.conformance.benchmarks import machine
from arrayshim.conformance.benchmarks.legs import LEGS
from arrayshim.conformance.benchmarks.sizing import Slots


def fake_cupy(**runtime):
    """A module `cupy` with nothing but these functions in `cuda.runtime`."""
    module = types.ModuleType("cupy")
    module.__spec__ = importlib.machinery.ModuleSpec("cupy", None)
    module.__version__ = "0.0"
    module.cuda = types.SimpleNamespace(runtime=types.SimpleNamespace(**runtime))
    return module


def without(monkeypatch, *names):
    """Make these modules look as if they were not installed."""
    find, load = importlib.util.find_spec, builtins.__import__

    def find_spec(name, package=None):
        return None if name.partition(".")[0] in names else find(name, package)

    def no_import(name, *args, **kwargs):
        if name.partition(".")[0] in names:
            raise ModuleNotFoundError(f"No module named '{name}'")
        return load(name, *args, **kwargs)

    monkeypatch.setattr(importlib.util, "find_spec", find_spec)
    monkeypatch.setattr(builtins, "__import__", no_import)


def test_host_memory_with_and_without_psutil(monkeypatch):
    total, available = machine.host_memory()
    assert 0 < available <= total
    without(monkeypatch, "psutil")
    assert machine.host_memory()[0] == pytest.approx(total, rel=0.01)
    monkeypatch.setattr(Path, "read_text", lambda *args, **kwargs: "")  # no /proc either
    total, available = machine.host_memory()
    assert 0 < available <= total


def write(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def test_cgroup_v2_with_its_parents(tmp_path):
    write(
        tmp_path,
        {
            "proc/self/cgroup": "0::/job/task\n",
            "sys/fs/cgroup/job/task/memory.max": "max\n",
            "sys/fs/cgroup/job/task/memory.current": "10\n",
            "sys/fs/cgroup/job/memory.max": "1000\n",
            "sys/fs/cgroup/job/memory.current": "700\n",
            "sys/fs/cgroup/job/memory.stat": "anon 400\ninactive_file 250\n",
        },
    )
    assert list(machine.cgroup_memory(tmp_path)) == [(1000, 550)]


def test_cgroup_v2_in_a_container(tmp_path):
    # The path of the host is not visible inside; the limit lies at the root.
    write(
        tmp_path,
        {
            "proc/self/cgroup": "0::/docker/0123\n",
            "sys/fs/cgroup/memory.max": "4096\n",
            "sys/fs/cgroup/memory.current": "5000\n",
        },
    )
    assert list(machine.cgroup_memory(tmp_path)) == [(4096, 0)]


def test_cgroup_v1(tmp_path):
    write(
        tmp_path,
        {
            "proc/self/cgroup": "11:cpu,cpuacct:/a\n5:memory:/a\n",
            "sys/fs/cgroup/memory/a/memory.limit_in_bytes": "2000\n",
            "sys/fs/cgroup/memory/a/memory.usage_in_bytes": "500\n",
            "sys/fs/cgroup/memory/a/memory.stat": "inactive_file 1\ntotal_inactive_file 100\n",
        },
    )
    assert list(machine.cgroup_memory(tmp_path)) == [(2000, 1600)]


def test_no_cgroups(tmp_path):
    assert list(machine.cgroup_memory(tmp_path)) == []


def test_a_cgroup_limits_the_host(monkeypatch):
    monkeypatch.setattr(machine, "cgroup_memory", lambda: iter([(10_000, 4_000), (20_000, 3_000)]))
    assert machine.host_memory() == (10_000, 3_000)


def test_no_cupy(monkeypatch):
    without(monkeypatch, "cupy")
    assert machine.gpu_missing() == "CuPy is not installed"
    assert machine.gpus() == []
    assert LEGS["gpu"].reason() == LEGS["gpu-cluster"].reason() == "CuPy is not installed"
    assert machine.versions()["cupy"] is None


def test_cupy_that_does_not_import(monkeypatch):
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: True if name == "cupy" else find(name))
    monkeypatch.setitem(sys.modules, "cupy", None)  # makes `import cupy` raise
    assert LEGS["gpu"].reason().startswith("CuPy does not import: ModuleNotFoundError:")


def test_cupy_without_a_driver(monkeypatch):
    def no_driver():
        raise RuntimeError("cudaErrorInsufficientDriver: too old\nmore")

    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(getDeviceCount=no_driver))
    reason = "CuPy finds no usable GPU: RuntimeError: cudaErrorInsufficientDriver: too old"
    assert LEGS["gpu"].reason() == LEGS["gpu-cluster"].reason() == reason


def test_cupy_without_a_device(monkeypatch):
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(getDeviceCount=lambda: 0))
    assert LEGS["gpu"].reason() == "CuPy finds no GPU"


def test_gpus_but_no_dask_cuda(monkeypatch):
    without(monkeypatch, "dask_cuda")
    monkeypatch.setitem(sys.modules, "cupy", fake_cupy(getDeviceCount=lambda: 2))
    assert LEGS["gpu"].reason() is None
    assert LEGS["gpu-cluster"].reason() == "dask-cuda is not installed"
    without(monkeypatch, "distributed")
    assert LEGS["cpu-cluster"].reason() == LEGS["gpu-cluster"].reason() == "distributed is not installed"


def test_two_gpus(monkeypatch):
    free, current = {0: 50, 1: 40}, []

    class Device:
        def __init__(self, number):
            self.number = number

        def __enter__(self):
            current.append(self.number)

        def __exit__(self, *exc):
            current.pop()

    cupy = fake_cupy(
        getDeviceCount=lambda: 2,
        memGetInfo=lambda: (free[current[-1]], 100),
        getDeviceProperties=lambda number: {"name": b"Card %d" % number, "totalGlobalMem": 100},
        driverGetVersion=lambda: 13000,
        runtimeGetVersion=lambda: 12090,
    )
    cupy.cuda.Device = Device
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    assert machine.hardware()["gpus"] == [
        {"name": "Card 0", "memory_bytes": 100},
        {"name": "Card 1", "memory_bytes": 100},
    ]
    assert LEGS["gpu"].slots() == Slots(1, 1)
    assert LEGS["gpu"].free() == 50
    assert LEGS["gpu-cluster"].slots() == Slots(2, 1)
    assert LEGS["gpu-cluster"].free() == 2 * 40  # the fullest card decides for all
    versions = machine.versions()
    assert (versions["cuda_driver"], versions["cuda_runtime"], versions["cupy"]) == (13000, 12090, "0.0")


def test_peak_rss_grows_with_what_is_held():
    before = machine.peak_rss()
    held = b"x" * (before + 2**24)
    assert machine.peak_rss() > before + 2**24 - 2**22
    assert len(held) > before


def test_first_line():
    assert machine.first_line(ValueError("one\ntwo")) == "ValueError: one"
    assert machine.first_line(ValueError()) == "ValueError"
