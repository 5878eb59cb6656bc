"""Seeds of every kind, in the forms that NumPy's two generations of generators take."""

from __future__ import annotations

from typing import Any

import numpy as np


def _integers(seed: Any) -> Any:
    """Integer arrays and scalars as Python integers, which no cast refuses; everything else as it is."""
    if isinstance(seed, np.ndarray | np.generic) and seed.dtype.kind in "iu":
        # One number is a number, not a sequence of one: NumPy squeezes arrays, and seeds otherwise by sequences.
        return int(seed.reshape(())) if seed.size == 1 else seed.tolist()
    if isinstance(seed, list | tuple):
        return [int(n) if isinstance(n, np.integer) else n for n in seed]
    return seed


def legacy_seed(seed: Any) -> Any:
    """A seed as ``numpy.random.RandomState`` takes it.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array of any dtype, SeedSequence or BitGenerator

    Returns
    -------
    None, int, list of int or BitGenerator
    """
    return np.random.MT19937(seed) if isinstance(seed, np.random.SeedSequence) else _integers(seed)


def seed_sequence(seed: Any) -> np.random.SeedSequence:
    """A seed as a SeedSequence, for bit generators.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array of any dtype or SeedSequence

    Returns
    -------
    SeedSequence
        Itself, if it is one.
    """
    return seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(_integers(seed))
