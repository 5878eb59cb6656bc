"""Seeds of every kind, in the forms that NumPy's two generations of generators take."""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim.residency import is_device, to_host


def _integers(seed: Any) -> Any:
    """Integer arrays and scalars as Python integers, which no cast refuses; everything else as it is."""
    if is_device(seed) and seed.dtype.kind in "iu":
        seed = to_host(seed, "seed")
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
        An array on a device is copied to the host, and counted.

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
        An array on a device is copied to the host, and counted.

    Returns
    -------
    SeedSequence
        Itself, if it is one.
    """
    return seed if isinstance(seed, np.random.SeedSequence) else np.random.SeedSequence(_integers(seed))


def legacy_as_dask(seed: Any) -> Any:
    """:func:`legacy_seed` of what ``numpy.random.RandomState`` does not take; all else as it is."""
    if isinstance(seed, np.random.SeedSequence) or is_device(seed):
        return legacy_seed(seed)
    unsafe = isinstance(seed, np.ndarray) and seed.dtype.kind == "u" and seed.dtype.itemsize == 8
    return legacy_seed(seed) if unsafe else seed


def is_bits(seed: Any) -> bool:
    """Whether `seed` is a bit generator, of any library: one whose seeds can be spawned."""
    return hasattr(seed, "_seed_seq") and not isinstance(seed, np.random.SeedSequence)


def plain(numbers: Any) -> Any:
    """Integers of any type, in sequences or not, as Python's: for JSON, and for names, where a repr leaves some out."""
    if isinstance(numbers, tuple | list | np.ndarray):
        return [plain(n) for n in numbers]
    return int(numbers)
