"""Uniforms, normals, integers and raw words, which one kernel makes."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.kernels import philox
from arrayshim.kernels._places import MASK, Kind
from arrayshim.random.streams._words import Sampler, Words


def _raw(words: Words) -> Any:
    return words.raw()


def _random(words: Words) -> Any:
    return words.random()


def _uniform(words: Words, low: Any, high: Any) -> Any:
    return low + (high - low) * words.random()


def _normal(words: Words, loc: Any = 0.0, scale: Any = 1.0) -> Any:
    return words.normal() * scale + loc


def _integers(words: Words, low: Any, most: Any) -> Any:
    """Each with the lane of its own range, so that an array of bounds gives what the bounds alone give."""
    values: Any = None
    again: Any = None
    for bits, chosen, few in philox.lanes_of(most):
        if isinstance(chosen, np.ndarray) and not chosen.any():
            continue
        lanes = words.lanes(bits)
        if bits == 64:
            upper, rejected = philox.bounded(lanes, 0, most), few
        else:
            product = lanes.astype(np.uint64) * (most + np.uint64(1))
            upper, rejected = product >> np.uint64(bits), (product & np.uint64((1 << bits) - 1)) < few
        values = upper if values is None else np.where(chosen, upper, values)
        again = rejected if again is None else np.where(chosen, rejected, again)
    if isinstance(again, np.ndarray):
        redrawn = np.flatnonzero(again)
        if redrawn.size:
            values[redrawn] = philox.bounded(words.block(1, redrawn)[0], 0, most[redrawn])
    else:  # on a device, nothing waits to know which
        values = np.where(again, philox.bounded(words.block(1)[0], 0, most), values)
    return values + (np.uint64(low & MASK) if isinstance(low, int) else low.astype(np.uint64))


SAMPLERS = {
    "random_raw": Sampler(_raw, lambda dtype: Kind("raw", dtype), np.dtype(np.uint64)),
    "random": Sampler(_random, lambda dtype: Kind("random", dtype)),
    "uniform": Sampler(_uniform, lambda dtype, low, high: Kind("random", dtype, float(high) - float(low), float(low))),
    "standard_normal": Sampler(_normal, lambda dtype: Kind("normal", dtype)),
    "normal": Sampler(_normal, lambda dtype, loc, scale: Kind("normal", dtype, float(scale), float(loc))),
    "integers": Sampler(
        _integers, lambda dtype, low, most: Kind("integers", dtype, low=low, most=most), np.dtype(np.int64), exact=True
    ),
}
