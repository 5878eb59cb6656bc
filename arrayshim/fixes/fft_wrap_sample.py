"""`fft_wrap` finds out the dtype of an FFT by giving it a NumPy array, which a device library's own FFT refuses.

    >>> x = da.from_array(cupy.ones((4, 4)), chunks=(2, 4))
    >>> da.fft.fft_wrap(cupy.fft.fft)(x)
    TypeError: The input array a must be a cupy.ndarray

On other chunks than NumPy's, the sample is of their type.
"""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np

from arrayshim import meta
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="fft_wrap tries its function on an array of the chunks' type",
    affects=">=2025.1",
    array_expr=False,
)

WRAP = "dask.array.fft.fft_wrap"


@FIX.probe
def faulty() -> str | None:
    from dask.array.fft import fft_wrap

    from arrayshim.probes import dask_array
    from arrayshim.strict import namespace

    try:
        fft_wrap(namespace.fft.fft)(dask_array([1.0, 5.0]))
    except TypeError as error:
        return f"the library's own fft cannot be wrapped: TypeError: {error}"
    return None


@FIX.replaces(WRAP)
def fft_wrap(fft_func: Any, kind: Any = None, dtype: Any = None, allow_fftpack: Any = False) -> Any:
    stock = original(WRAP)(fft_func, kind, dtype, allow_fftpack)
    if dtype is not None:
        return stock

    def func(a: Any, *args: Any, **kwargs: Any) -> Any:
        if not meta.knows_itself(a):
            return stock(a, *args, **kwargs)
        sample = np.ones_like(meta.like(a), shape=(8,) * a.ndim)
        return original(WRAP)(fft_func, kind, fft_func(sample).dtype, allow_fftpack)(a, *args, **kwargs)

    func.__name__, func.__doc__ = stock.__name__, stock.__doc__
    func.__signature__ = inspect.signature(stock)  # type: ignore[attr-defined]
    return func
