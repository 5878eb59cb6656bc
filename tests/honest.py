"""What tests of repairs share: strict dask arrays, and the check that a result is what its meta says."""

from __future__ import annotations

from typing import Any

import dask
import dask.array as da
import numpy as np

from arrayshim import strict


def lazy(values: Any, kind: type = strict.StrictArray, chunks: Any = 2) -> Any:
    """A dask array of `values` with chunks of a strict type."""
    return da.from_array(strict.asarray(np.array(values), kind=kind), chunks=chunks, name=False, asarray=False)


def same(
    result: Any, expected: Any, kind: type = strict.StrictArray, *, rtol: float = 0, reads: int | None = 0
) -> None:
    """`result` has the value, dtype and shape of `expected`; each of its chunks, and its meta, is of type `kind`.

    `reads` is how often its tasks look at a number on the device from the host; None is any number of times.
    """
    expected = np.asarray(expected)
    assert type(result._meta) is kind
    assert (result._meta.dtype, result._meta.ndim, result.dtype) == (expected.dtype, expected.ndim, expected.dtype)
    with strict.conversions() as moved:
        value = result.compute(scheduler="sync")
    assert reads in (None, moved.count)
    chunks = dask.compute(*result.to_delayed().ravel(), scheduler="sync")
    for chunk in (value, *chunks):
        assert type(chunk) is kind
        assert (chunk.dtype, chunk.ndim) == (expected.dtype, expected.ndim)
    np.testing.assert_allclose(value.get(), expected, rtol=rtol, strict=True)
