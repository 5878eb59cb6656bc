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
    raw = words.raw()
    whole = [np.full_like(raw, x & MASK) if isinstance(x, int) else x.astype(np.uint64) for x in (low, most)]
    return philox.bounded(raw, *whole)


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
