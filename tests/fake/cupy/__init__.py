"""A library called cupy with as much of it as dask's `register_cupy` asks for; nothing computes."""

from __future__ import annotations

import numpy as np


class ndarray:
    def __init__(self, shape, dtype=float):
        self.shape, self.dtype = shape, np.dtype(dtype)


def concatenate(arrays, axis=0): ...
def take(array, indices, axis=None): ...
def tensordot(a, b, axes=2): ...
def einsum(subscripts, *operands): ...
def divide(a, b): ...
def empty(shape, dtype=float):
    return ndarray(shape, dtype)


def asarray(array):
    return ndarray(np.shape(array))


def asnumpy(array):
    return np.zeros(array.shape, array.dtype)
