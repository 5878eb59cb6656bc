"""The host path of a reduction by a kernel, from the array to its results, with host memory for a device's."""

from __future__ import annotations

import itertools
import threading

import cuda_on_cpu
import device_on_cpu
import numpy as np
import pytest

from arrayshim.kernels.cuda.program import PARAMETER

DATA = np.random.default_rng(8).normal(3, 1, (300, 260))


@pytest.fixture(scope="module")
def launch(tmp_path_factory):
    if not cuda_on_cpu.available():
        pytest.skip("no g++")
    return device_on_cpu.launcher(tmp_path_factory.mktemp("launches"))


@pytest.mark.parametrize("keepdims", [False, True])
@pytest.mark.parametrize("axes", [(0, 1), (0,), (1,)])
@pytest.mark.parametrize("name", ["sum", "max", "std"])
def test_a_reduction_of_a_view(launch, name, axes, keepdims):
    view = DATA[:280, 5:205]
    (got,) = launch.reduce(device_on_cpu.of_host(view), name, axes, keepdims=keepdims)
    want = getattr(view, name)(axis=axes, keepdims=keepdims)
    assert (got.shape, got.dtype) == (want.shape, want.dtype)
    np.testing.assert_allclose(got.get(), want, rtol=1e-13)


@pytest.mark.parametrize("axes", [(0, 1), (0,)])
def test_results_of_one_launch_do_not_touch(launch, axes):
    found = launch.reduce(
        device_on_cpu.of_host(DATA), "moment_parts4", axes, keepdims=True, dtype="f8", tails=((), (), (3,))
    )
    away = DATA - DATA.mean(axis=axes, keepdims=True)
    wants = [DATA.sum(axis=axes, keepdims=True), np.full(found[1].shape, DATA.size // found[1].size)]
    wants.append(np.stack([(away**order).sum(axis=axes, keepdims=True) for order in (2, 3, 4)], axis=-1))
    for got, want in zip(found, wants, strict=True):
        assert got.data.ptr % 16 == 0
        assert got.shape == want.shape
        np.testing.assert_allclose(got.get(), want, rtol=1e-9, atol=1e-6)
    ends = sorted((got.data.ptr, got.data.ptr + got.size * got.itemsize) for got in found)
    assert all(end <= begin for (_, end), (begin, _) in itertools.pairwise(ends))


def test_small_results_share_an_allocation(launch):
    taken = launch.cupy.allocations
    taken.clear()
    launch.reduce(device_on_cpu.of_host(DATA), "moment_parts2", (0, 1), tails=((), (), (1,)))
    assert taken[0] == 3 * 64
    assert len(taken) == 2  # and what the stages hand on
    taken.clear()
    launch.reduce(device_on_cpu.of_host(DATA), "mean_parts", (0,))
    assert 260 * 8 not in taken


def test_ddof_belongs_to_the_call(launch):
    for ddof in (0, 1, 2.5, 0):
        (got,) = launch.reduce(device_on_cpu.of_host(DATA), "var", (0, 1), ddof=ddof)
        np.testing.assert_allclose(got.get(), DATA.var() * DATA.size / (DATA.size - ddof), rtol=1e-12)


def test_what_is_left_to_the_library(launch):
    assert launch.reduce(device_on_cpu.of_host(DATA[:5]), "sum", (0, 1)) is None
    assert launch.reduce(device_on_cpu.of_host(DATA[:5]), "sum", (0, 1), smallest=1)[0].shape == ()
    elsewhere = device_on_cpu.of_host(DATA)
    elsewhere.data.device_id = 1
    assert launch.reduce(elsewhere, "sum", (0, 1)) is None
    assert launch.reduce(device_on_cpu.of_host(DATA.astype("c16")), "norm2", (0, 1)) is None


def test_threads_have_launches_of_their_own():
    """No thread's parameter is another's, though they are launches of one plan."""
    launch, given, results = device_on_cpu.launcher(), [], []
    launch.cupy.RawModule.get_function = lambda self, name: lambda grid, block, args: given.append(args[0])
    x = device_on_cpu.of_host(DATA)
    threads = [threading.Thread(target=lambda: results.append(launch.reduce(x, "max", (1,)))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = [words.view(PARAMETER)[0] for words in given]
    assert {int(entry["out0"]) for entry in entries} == {result.data.ptr for (result,) in results}
    assert len({int(entry["out0"]) for entry in entries}) == 8
