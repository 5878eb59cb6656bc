"""The kernels that stand in for ufuncs which a library lacks, held against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from arrayshim import strict
from arrayshim.kernels import ufuncs


def of_numpy(values):
    with np.errstate(all="ignore"):
        return np.spacing(values)


def test_spacing_of_every_half():
    halves = np.arange(2**16, dtype=np.uint16).view(np.float16)
    np.testing.assert_array_equal(ufuncs.spacing(strict.asarray(halves)).get(), of_numpy(halves), strict=True)


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_spacing_of_floats(dtype):
    info = np.finfo(dtype)
    powers = np.ldexp(np.ones(1, dtype), np.arange(info.minexp - info.nmant, info.maxexp))
    special = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, info.max, info.smallest_subnormal, info.tiny], dtype)
    below = np.nextafter(powers, np.array(0, dtype))
    values = np.concatenate([powers, below, powers * dtype_of(1.5, dtype), special])
    values = np.concatenate([values, -values])
    np.testing.assert_array_equal(ufuncs.spacing(strict.asarray(values)).get(), of_numpy(values), strict=True)


def dtype_of(value, dtype):
    return np.dtype(dtype).type(value)


@pytest.mark.parametrize("dtype", ["?", "i1", "u2", "i4", "i8", "u8"])
def test_spacing_of_integers(dtype):
    values = np.array([0, 1, 1, 0], dtype) if dtype == "?" else np.array([0, 1, 3, 127], dtype)
    np.testing.assert_array_equal(ufuncs.spacing(strict.asarray(values)).get(), of_numpy(values), strict=True)


def test_spacing_of_complex_numbers_is_refused_as_by_numpy():
    with pytest.raises(TypeError, match="ufunc 'spacing' not supported for the input types"):
        ufuncs.spacing(strict.asarray(np.ones(2, "c16")))
