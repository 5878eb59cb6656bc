"""A chunk that refuses to become NumPy: the stand-in for a device array where there is no device.

`StrictArray` keeps its values in host memory and behaves as ``cupy.ndarray`` (CuPy 14) does: what CuPy refuses it
refuses, what CuPy lacks it lacks, what CuPy does differently from NumPy it does differently. So what is proved here
holds there, and a test of residence needs no GPU. How true that is, is measured:
``conformance/benchmarks/fidelity.py`` runs some 1,700 calls on both; the outcomes on a GPU are committed, and so are
the differences, with reasons.

>>> import numpy as np
>>> from arrayshim import strict
>>> x = strict.asarray([1.0, 5.0])
>>> x + 1
StrictArray([2., 6.])
>>> np.asarray(x)
Traceback (most recent call last):
    ...
TypeError: Implicit conversion to a NumPy array is not allowed. ...
>>> with strict.conversions() as seen:
...     float(x.sum())
6.0
>>> seen.count, seen.bytes
(1, 8)

The rules are those of ``cupy/_core/core.pyx``, ``_kernel.pyx`` and ``_routines_*.pyx`` (github.com/cupy/cupy, v14.2.0).
Import costs NumPy and nothing else.
"""

from __future__ import annotations

import types
from typing import Any

import numpy as np

from ._strict.base import StrictBase
from ._strict.create import asarray as _asarray
from ._strict.generator import BitGenerator as BitGeneratorBase
from ._strict.generator import CurandBits, GeneratorBase
from ._strict.memory import Conversions, conversions, count_copy
from ._strict.namespace import Namespace
from ._strict.random import RandomStateBase, register

__all__ = [
    "Conversions",
    "Generator",
    "RandomState",
    "StrictArray",
    "asarray",
    "conversions",
    "fresh_type",
    "namespace",
    "namespace_of",
    "to_device",
    "to_host",
]


class StrictArray(StrictBase, kind=True):
    """An array that behaves as ``cupy.ndarray``, in host memory.

    Parameters
    ----------
    shape : int or tuple of int
        Length of each axis.
    dtype : dtype
        Any that CuPy knows; ValueError for object, string, datetime, long double and big-endian ones.
    memptr : None
        Must be left out.
    strides : tuple of int, optional
        Bytes to step along each axis, within a buffer of ``prod(shape)`` elements.
    order : {"C", "F"}
        Memory layout.

    Notes
    -----
    Elements of a new array are zero. Results of reductions and of full indexing are 0-d arrays.
    ``float()``, ``int()``, ``bool()``, ``complex()``, ``.item()``, ``.tolist()``, ``.get()``, printing and pickling
    copy to the host and are counted by `conversions`.
    """

    __slots__ = ()


class RandomState(RandomStateBase):
    """``cupy.random.RandomState`` that draws strict arrays; `seed` is None, an integer or an integer array."""

    _kind = StrictArray


class Generator(GeneratorBase):
    """``cupy.random.Generator`` that draws strict arrays; made by ``strict.namespace.random.default_rng``."""

    _kind = StrictArray


class BitGenerator(BitGeneratorBase):
    """``cupy.random.BitGenerator`` of strict arrays."""

    _kind = StrictArray


class XORWOW(CurandBits, BitGenerator):
    """Named as CuPy's default; `seed` is what ``numpy.random.SeedSequence`` takes, one of those, or on the device."""


class MRG32k3a(CurandBits, BitGenerator):
    """Named as CuPy's."""


class Philox4x3210(CurandBits, BitGenerator):
    """Named as CuPy's."""


register(StrictArray, RandomState, Generator, (BitGenerator, XORWOW, MRG32k3a, Philox4x3210))


def asarray(obj: Any, dtype: Any = None, *, kind: type | None = None) -> Any:
    """A strict array of anything that can be copied to a device.

    Parameters
    ----------
    obj : array_like or strict array
        NumPy array, (nested) sequence of numbers or of equally shaped strict arrays, or a strict array, which is
        returned itself where nothing changes.
    dtype : dtype, optional
        Type of the result.
    kind : type, optional
        `StrictArray`, or a type made by `fresh_type`.

    Returns
    -------
    StrictArray
        With memory of its own.
    """
    return _asarray(kind or StrictArray, obj, dtype)


def to_device(array: np.ndarray[Any, Any], *, kind: type | None = None) -> Any:
    """Copy a host array to the stand-in device.

    Raises
    ------
    TypeError
        `array` is not a NumPy array.
    """
    if not isinstance(array, np.ndarray):
        raise TypeError(
            f"{type(array).__name__} found: a numpy.ndarray was expected -> use strict.asarray for other input"
        )
    return _asarray(kind or StrictArray, array)


def to_host(array: Any) -> Any:
    """Copy a strict array to the host, counted by `conversions`.

    Raises
    ------
    TypeError
        `array` is not a strict array.
    """
    if not isinstance(array, StrictBase):
        raise TypeError(f"{type(array).__name__} found: a strict array was expected -> it is on the host already")
    count_copy(array.nbytes)
    return array._host.copy()


def fresh_type(name: str) -> type:
    """A new array type that behaves as `StrictArray` and is unrelated to it.

    Neither is a subclass of the other and each refuses the other's arrays, so that a test can hold a chunk type that
    no table has ever seen.
    """
    return types.new_class(name, (StrictBase,), {"kind": True}, lambda ns: ns.update(__slots__=(), __module__=__name__))


def namespace_of(kind: type) -> Namespace:
    """The functions of a strict type, as ``cupy`` is the namespace of ``cupy.ndarray``."""
    return Namespace(kind)


namespace = namespace_of(StrictArray)
