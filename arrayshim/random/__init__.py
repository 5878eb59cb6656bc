"""Random arrays whose chunks are where they are wanted: factories of dask's own RandomState and Generator.

A library with a random state of its own draws with it, and distributions that this one lacks are drawn with what it
has (:mod:`arrayshim.kernels.samplers`). For every other library NumPy draws, chunk by chunk, and the numbers are put
beside the data; they are then those that dask draws for NumPy from the same seed.
"""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask.array.backends import array_creation_dispatch

from arrayshim._moving import ToDevice
from arrayshim.backends import backend_of
from arrayshim.errors import BackendError
from arrayshim.random._placed import HostBits, HostDrawn, MakeHostBits, Placed, PlacedGenerator, PlacedRandomState
from arrayshim.random._seeds import is_bits, legacy_seed, seed_sequence

__all__ = ["HostBits", "HostDrawn", "RandomState", "bit_generator_of", "default_rng", "random_state_of"]


def random_state_of(backend: Any) -> Any:
    """What makes the random state of a chunk, for ``dask.array.random.RandomState(seed, RandomState=...)``.

    Parameters
    ----------
    backend : Backend

    Returns
    -------
    callable
        The backend's own, or a :class:`HostDrawn`.
    """
    return getattr(backend, "random_state", None) or HostDrawn(ToDevice.of(backend))


def bit_generator_of(backend: Any) -> Any:
    """What makes a bit generator from a seed, for ``dask.array.random.Generator(...)``.

    Parameters
    ----------
    backend : Backend

    Returns
    -------
    callable
        The backend's own, or one that makes a :class:`HostBits`.
    """
    return getattr(backend, "bit_generator", None) or MakeHostBits(ToDevice.of(backend))


def RandomState(seed: Any = None, *, like: Any = None) -> Any:
    """A dask RandomState whose arrays have chunks of the asked type.

    Parameters
    ----------
    seed : None, int, sequence of int, integer array of any dtype, in host memory or on a device, or SeedSequence
        One seed gives one sequence of arrays. With NumPy chunks they are dask's own, bit for bit.
    like : array, array type, dask array, Backend or str, optional
        What the chunks shall be; default: as dask's setting `array.backend` says.

    Returns
    -------
    dask.array.random.RandomState

    Raises
    ------
    BackendError
        If `like` names nothing known.
    """
    backend = backend_of(array_creation_dispatch.backend if like is None else like)
    states, seed = random_state_of(backend), legacy_seed(seed)
    if np.ndarray in backend.chunk_types:
        return da.random.RandomState(seed, RandomState=states)
    return PlacedRandomState(seed, states, ToDevice.of(backend))


def default_rng(seed: Any = None, *, like: Any = None, stream: str | None = None) -> Any:
    """A dask Generator whose arrays have chunks of the asked type.

    Parameters
    ----------
    seed : None, int, sequence of int, NumPy integer array of any dtype, SeedSequence, BitGenerator or Generator
        As in :func:`RandomState`. A bit generator or generator has its library already and is wrapped, as by
        ``dask.array.random.default_rng``.
    like : array, array type, dask array, Backend or str, optional
        What the chunks shall be; default: as dask's setting `array.backend` says.
    stream : {None, "element"}
        ``"element"``: the number of an element depends on the seed, the draw and its index alone, not on chunks or the
        device, and slices draw only what they show (:mod:`arrayshim.random.streams`).

    Returns
    -------
    dask.array.random.Generator

    Raises
    ------
    BackendError
        If `like` names nothing known, or is given beside a generator, or `stream` is another word.
    """
    if stream is not None:
        if stream != "element":
            raise BackendError(f"stream={stream!r} is unknown; there is 'element', and None for dask's own")
        from arrayshim.random.streams import element_rng

        return element_rng(seed, like=like)
    if isinstance(seed, HostBits):
        # dask asks this module for the eager generator of one chunk.
        return Placed(np.random.Generator(seed), seed.place)
    if hasattr(seed, "_opened"):
        return seed._opened()  # likewise, for strict arrays
    if is_bits(seed) or hasattr(seed, "bit_generator") or isinstance(seed, da.random.Generator):
        if like is not None:
            raise BackendError(f"{seed!r} draws with its own library already; give a seed, or leave out like=")
        return da.random.default_rng(seed)
    backend = backend_of(array_creation_dispatch.backend if like is None else like)
    bits = bit_generator_of(backend)(seed_sequence(seed))
    # dask would ask this package in place of a library for `choice` and `permutation`.
    ours = isinstance(bits, HostBits) or hasattr(bits, "_opened")
    return PlacedGenerator(bits, ToDevice.of(backend)) if ours else da.random.Generator(bits)
