"""Transforms of half precision: CuPy casts what is real, along one axis, to the precision that NumPy gives."""

from __future__ import annotations

import dask.array as da
import numpy as np
import pytest

from arrayshim import strict

HALVES = np.ones((2, 4), dtype="f2")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("irfft", {}),
        ("hfft", {"n": 5}),
        ("irfftn", {"axes": (1,)}),
        ("irfftn", {"axes": (0, 1)}),
        ("irfft2", {}),
        ("rfft", {}),
        ("fft", {}),
    ],
)
def test_the_precision_is_that_of_numpy(name, options):
    expected = getattr(np.fft, name)(HALVES, **options)
    x = da.from_array(strict.asarray(HALVES), chunks=-1, name=False, asarray=False)
    found = getattr(da.fft, name)(x, **options)
    assert found.dtype == found._meta.dtype == expected.dtype
    chunk = found.compute(scheduler="sync")
    assert type(chunk) is strict.StrictArray
    np.testing.assert_array_equal(chunk.get(), expected, strict=True)
