"""The reduction kernels where numbers are large, and on the streams of their callers."""

from __future__ import annotations

import threading

import numpy as np
import pytest

cupy = pytest.importorskip("cupy", reason="CuPy is not installed")
if not cupy.cuda.is_available():
    pytest.skip("no CUDA device", allow_module_level=True)
pytestmark = pytest.mark.gpu

from arrayshim import kernels  # noqa: E402

MANY = 2**31 + 5


@pytest.fixture(scope="module")
def many():
    """2^31 + 5 bytes of 1, a 3 near the end and a -2 before it."""
    if cupy.cuda.runtime.memGetInfo()[0] < 3 * MANY:
        pytest.skip("too little memory on the device")
    x = cupy.ones(MANY, "i1")
    x[MANY - 2], x[MANY - 7] = 3, -2
    return x


def test_more_elements_than_31_bits_can_count(many):
    assert int(kernels.sum(many)) == MANY + 2 - 3
    assert int(kernels.argmax(many)) == MANY - 2
    assert int(kernels.argmin(many)) == MANY - 7
    assert int(kernels.count_nonzero(many)) == MANY
    assert float(kernels.mean(many)) == pytest.approx(1, abs=1e-8)
    assert float(kernels.var(many)) == pytest.approx((4 + 9) / MANY, rel=1e-6)


def test_views_of_more_than_31_bits(many):
    assert int(kernels.argmax(many[::-1])) == 1
    assert int(kernels.argmin(many[::-1])) == 6
    assert int(kernels.argmax(many[1::2])) == (MANY - 2) // 2
    table = many[: MANY - 5].reshape(2**20, 2**11)
    sums = kernels.sum(table[:, 1:], axis=1)
    assert sums.shape == (2**20,)
    assert int(sums.sum()) == int(kernels.sum(table[:, 1:])) == int(kernels.sum(table[:, 1:].T, axis=0).sum())
    assert int(kernels.argmin(table)) == int(kernels.argmin(many[: MANY - 5])) == MANY - 7


def test_running_totals_of_more_than_31_bits(many):
    free = cupy.cuda.runtime.memGetInfo()[0]
    if free < 10 * MANY:
        pytest.skip("too little memory on the device")
    totals = kernels.cumsum(many, dtype="i8")
    assert [int(totals[k]) for k in (0, 2**31 - 4, MANY - 7, MANY - 1)] == [1, 2**31 - 3, MANY - 6 - 3, MANY - 1]


def test_names_of_more_than_31_bits(many):
    name = kernels.token(many)
    many[MANY - 1] += 1
    other = kernels.token(many)
    many[MANY - 1] -= 1
    assert kernels.token(many) == name != other


def busy(x):
    """Many launches that change `x`, so that what does not wait for them is wrong."""
    for _ in range(100):
        x += 1
    return x


@pytest.mark.parametrize("name", ["sum", "var", "max", "cumsum"])
def test_two_streams_at_a_time(name):
    kernel, streams, results = kernels.TABLES[name], [cupy.cuda.Stream(non_blocking=True) for _ in range(2)], []
    cupy.cuda.Device().synchronize()
    for k, stream in enumerate(streams):
        with stream:
            x = cupy.arange(2_000_000, dtype="f8") * (k + 1)
            results.append(kernel(busy(x)))
    for k, (stream, result) in enumerate(zip(streams, results, strict=True)):
        stream.synchronize()
        want = getattr(np, name)(np.arange(2_000_000.0) * (k + 1) + 100)
        with stream:
            np.testing.assert_allclose(result.get(), want, rtol=1e-12)


def test_default_streams_of_threads():
    found = {}

    def work(k):
        with cupy.cuda.Stream.ptds:
            x = busy(cupy.full(3_000_000, k, dtype="f8"))
            found[k] = float(kernels.sum(x[::2])), float(kernels.std(x.reshape(3000, 1000), axis=0).max())

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {k: (1_500_000.0 * (k + 100), 0.0) for k in range(4)}


def test_arrays_of_another_device_are_left_to_cupy():
    if cupy.cuda.runtime.getDeviceCount() < 2:
        pytest.skip("one device only")
    with cupy.cuda.Device(1):
        x = cupy.arange(1e5)
        assert float(kernels.sum(x)) == 1e5 * (1e5 - 1) / 2
    assert kernels.token(x) is not None
