"""Operands for the tests of indexing: the same values in host memory, on a strict device, bare and lazy."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np

from arrayshim import strict

KIND = strict.StrictArray


def device(values: Any) -> Any:
    """A strict array."""
    return strict.asarray(np.array(values))


def lazy(values: Any, chunks: Any = 2) -> Any:
    """A dask array with strict chunks."""
    return da.from_array(device(values), chunks=chunks, name=False, asarray=False)


def lazy_host(values: Any, chunks: Any = 2) -> Any:
    """A dask array with NumPy chunks."""
    return da.from_array(np.array(values), chunks=chunks)


def assigned(x: Any, key: Any, value: Any) -> Any:
    """A copy of `x` after ``x[key] = value``."""
    x = x.copy()
    x[key] = value
    return x


def same(result: Any, expected: Any, kind: type = KIND) -> None:
    """Value, dtype, shape, and type and meta of every chunk."""
    expected = np.asarray(expected)
    assert type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim) == (expected.dtype, expected.ndim)
    value, *blocks = dask.compute(result, *result.to_delayed().ravel(), scheduler="sync")
    assert {type(block) for block in (value, *blocks) if block.ndim} <= {kind}
    np.testing.assert_array_equal(value.get() if kind is KIND else value, expected, strict=True)
