"""Dtypes, shapes, chunks, memory layouts and special values that the operand of a case is crossed with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Layout:
    """How an operand is cut and how each chunk lies in memory.

    Parameters
    ----------
    shapes : str
        The word of `Case.shapes` that allows it.
    shape : tuple of int
        Of the whole operand.
    chunks, other : tuple of tuple of int
        Of `b.x`, and of `b.y`, which is cut elsewhere.
    memory : {"plain", "transposed", "strided", "read-only"}
        Of each chunk; other than plain only where the backend's `variants` name it.
    known : bool
        Whether dask is told the sizes of the chunks along axis 0.
    """

    shapes: str
    shape: tuple[int, ...]
    chunks: tuple[tuple[int, ...], ...]
    other: tuple[tuple[int, ...], ...]
    memory: str = "plain"
    known: bool = True


_UNEVEN = ((5, 1, 4, 3), (3, 5))
_OTHER = ((6, 7), (2, 4, 2))
_PLANE = (13, 8)

LAYOUTS: dict[str, Layout] = {
    "uneven": Layout("2d", _PLANE, _UNEVEN, _OTHER),
    "regular": Layout("2d", _PLANE, ((4, 4, 4, 1), (4, 4)), _OTHER),
    "single": Layout("2d", _PLANE, ((13,), (8,)), _OTHER),
    "rows": Layout("2d", _PLANE, ((1,) * 13, (8,)), _OTHER),
    "zero": Layout("2d", _PLANE, ((0, 5, 0, 8), (8, 0)), _OTHER),
    "transposed": Layout("2d", _PLANE, _UNEVEN, _OTHER, "transposed"),
    "strided": Layout("2d", _PLANE, _UNEVEN, _OTHER, "strided"),
    "read-only": Layout("2d", _PLANE, _UNEVEN, _OTHER, "read-only"),
    "0d": Layout("0d", (), (), ()),
    "1d": Layout("1d", (23,), ((7, 9, 2, 5),), ((10, 13),)),
    "elements": Layout("1d", (7,), ((1,) * 7,), ((3, 4),)),
    "strided-1d": Layout("1d", (23,), ((7, 9, 2, 5),), ((10, 13),), "strided"),
    "3d": Layout("3d", (6, 5, 4), ((2, 4), (5,), (3, 1)), ((3, 3), (2, 3), (4,))),
    "transposed-3d": Layout("3d", (6, 5, 4), ((2, 4), (5,), (3, 1)), ((3, 3), (2, 3), (4,)), "transposed"),
    "empty": Layout("empty", (0, 8), ((0,), (3, 5)), ((0,), (4, 4))),
    "unknown": Layout("unknown", _PLANE, _UNEVEN, ((5, 1, 4, 3), (2, 6)), known=False),
}

DTYPES = ("b1", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16")
VALUES = ("plain", "nan", "inf")

#: How numbers of a kind are drawn, of a seed and a shape.
_DRAWS = {
    "b": "np.random.default_rng({seed}).integers(0, 2, {shape})",
    "u": "np.random.default_rng({seed}).integers(0, 25, {shape})",
    "i": "np.random.default_rng({seed}).integers(-5, 20, {shape})",
    "f": "np.random.default_rng({seed}).normal(1, 2, {shape})",
    "c": "np.random.default_rng({seed}).normal(1, 2, (2, *{shape})).T.dot([1, 1j]).T",
}


@dataclass(frozen=True, slots=True)
class Variation:
    """What `b.x` and `b.y` are in one run of a case; written ``f4,uneven`` or ``f4,uneven,nan``."""

    dtype: str = "f8"
    layout: str = "uneven"
    values: str = "plain"

    @classmethod
    def parse(cls, text: str) -> Variation:
        """The variation that `str` wrote."""
        return cls(*text.split(","))

    def __str__(self) -> str:
        return ",".join([self.dtype, self.layout, *([] if self.values == "plain" else [self.values])])

    @property
    def place(self) -> Layout:
        """The layout itself."""
        return LAYOUTS[self.layout]

    def expression(self, seed: int) -> str:
        """NumPy code that draws the operand."""
        shape = self.place.shape
        code = _DRAWS[np.dtype(self.dtype).kind].format(seed=seed, shape=shape)
        if self.values != "plain":
            bad = "np.nan" if self.values == "nan" else f"np.inf * (-1) ** np.indices({shape}).sum(axis=0)"
            places = f"np.arange({int(np.prod(shape))}).reshape({shape}) % 7 == {seed + 2}"
            code = f"np.where({places}, {bad}, {code})"
        return code if self.dtype in ("f8", "c16", "i8") else f"np.asarray({code}).astype({self.dtype!r})"


BASE = Variation()


def lay_out(chunk: Any, memory: str, to_device: Any) -> Any:
    """One chunk of a backend, in a memory layout.

    Parameters
    ----------
    chunk : numpy.ndarray
    memory : str
        As in `Layout`.
    to_device : callable
        The backend's.
    """
    if memory == "transposed":
        return to_device(np.ascontiguousarray(chunk.T)).T
    if memory == "strided":
        wide = np.zeros(tuple(2 * n for n in chunk.shape), chunk.dtype)
        every_other = (slice(None, None, 2),) * chunk.ndim
        wide[every_other] = chunk
        return to_device(wide)[every_other]
    found = to_device(np.array(chunk, order="C"))
    if memory == "read-only":
        found.flags.writeable = False
    return found
