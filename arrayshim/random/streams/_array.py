"""The dask array of an element stream: its slices and other chunkings are drawn anew, and only as far as they reach."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any

import dask.array as da
import numpy as np
from dask.array.core import normalize_chunks
from dask.array.slicing import _slice_1d, normalize_index
from dask.base import tokenize
from dask.layers import ArraySliceDep

from arrayshim.kernels._places import Places
from arrayshim.random.streams._words import Draw


@dataclass(frozen=True, slots=True)
class Recipe:
    """What an array is made of.

    Attributes
    ----------
    draw : Draw
    arrays : tuple of dask array
        The parameters that are arrays, of the array's shape and chunks.
    chunks : tuple of tuple of int
    """

    draw: Draw
    arrays: tuple[Any, ...]
    chunks: tuple[tuple[int, ...], ...]

    def array(self) -> Any:
        """The dask array; of vectors an ordinary one, whose slices are cut out of what was drawn."""
        name = f"{self.draw.method}-{tokenize(self.draw, self.chunks, [x.name for x in self.arrays])}"
        axes = tuple(range(len(self.chunks)))
        pairs = [each for x in self.arrays for each in (x, axes)]
        vector = self.draw.vector
        shown = (*axes, len(axes)) if vector else axes
        meta = self.draw.place(np.empty((0,) * len(shown), dtype=self.draw.dtype))
        made = da.blockwise(
            self.draw,
            shown,
            ArraySliceDep(self.chunks),
            axes,
            *pairs,
            name=name,
            dtype=self.draw.dtype,
            meta=meta,
            align_arrays=False,
            concatenate=True,
            new_axes={len(axes): vector} if vector else None,
        )
        if vector:
            return made
        array = ElementArray(made.dask, name, self.chunks, meta=made._meta)
        array._recipe = name, self
        return array


def _plain(entry: Any) -> bool:
    """Whether an index is a number, a slice of numbers, a new axis or an ellipsis."""
    if isinstance(entry, slice):
        return all(bound is None or isinstance(bound, Integral) for bound in (entry.start, entry.stop, entry.step))
    return entry is None or entry is Ellipsis or (isinstance(entry, Integral) and not isinstance(entry, bool | np.bool))


class ElementArray(da.Array):  # type: ignore[misc]
    """A dask array of numbers of an element stream.

    Slices (with any step), numbers, new axes, ``rechunk`` and ``transpose`` give arrays of the same stream, with the
    chunks that dask gives them, whose tasks draw what is shown and nothing else. Everything else is a dask array's.
    """

    _recipe: tuple[str, Recipe] | None = None

    def _own(self) -> Recipe | None:
        # Assignment and out= make another array of this object, and say so by its name.
        return self._recipe[1] if self._recipe is not None and self._recipe[0] == self._name else None

    def __getitem__(self, index: Any) -> Any:
        recipe, index = self._own(), index if isinstance(index, tuple) else (index,)
        if recipe is None or not all(map(_plain, index)):
            return super().__getitem__(index)
        index = tuple(map(_settled, normalize_index(index, self.shape)))
        if all(isinstance(entry, slice) and entry == slice(None) for entry in index):
            return self
        return _selected(recipe, index)

    def rechunk(
        self,
        chunks: Any = "auto",
        threshold: Any = None,
        block_size_limit: Any = None,
        balance: bool = False,
        method: Any = None,
    ) -> Any:
        """As ``dask.array.Array.rechunk``, drawn anew rather than cut and joined."""
        recipe = self._own()
        if recipe is None or balance or not self.ndim or not self.size:
            return super().rechunk(chunks, threshold, block_size_limit, balance, method)
        if isinstance(chunks, dict):
            wanted = {range(self.ndim)[axis]: value for axis, value in chunks.items()}
            chunks = tuple(wanted.get(axis) for axis in range(self.ndim))
        if isinstance(chunks, tuple | list) and len(chunks) == self.ndim:
            chunks = tuple(old if new is None else new for new, old in zip(chunks, self.chunks, strict=True))
        chunks = normalize_chunks(
            chunks, self.shape, limit=block_size_limit, dtype=self.dtype, previous_chunks=self.chunks
        )
        if chunks == self.chunks:
            return self
        return Recipe(recipe.draw, tuple(x.rechunk(chunks) for x in recipe.arrays), chunks).array()

    def transpose(self, *axes: Any) -> Any:
        """As ``dask.array.Array.transpose``."""
        recipe = self._own()
        if recipe is None or recipe.arrays:
            return super().transpose(*axes)
        order = axes[0] if len(axes) == 1 and (axes[0] is None or isinstance(axes[0], tuple | list)) else axes
        np.empty((0,) * self.ndim).transpose(order or None)  # NumPy's errors
        order = _order(order, self.ndim)
        old = recipe.draw.places
        places = Places(old.offset, tuple(old.strides[i] for i in order), tuple(old.shape[i] for i in order))
        return Recipe(replace(recipe.draw, places=places), (), tuple(recipe.chunks[i] for i in order)).array()

    def __reduce__(self) -> tuple[Any, ...]:
        recipe = self._own()
        reduced: tuple[Any, ...] = super().__reduce__() if recipe is None else (Recipe.array, (recipe,))
        return reduced


def _order(order: Any, ndim: int) -> tuple[int, ...]:
    return tuple(range(ndim)[int(i)] for i in order) if order else tuple(reversed(range(ndim)))


def _settled(entry: Any) -> Any:
    """An entry as NumPy understands it: dask writes "before the beginning, backwards" as -1, which is the end."""
    backwards = isinstance(entry, slice) and entry.step is not None and entry.step < 0
    return slice(0, 0, 1) if backwards and entry.start is not None and entry.start < 0 else entry


def _cut(n: int, blocks: tuple[int, ...], entry: slice) -> tuple[int, ...]:
    """The chunks that dask leaves of an axis; counted without floating point, in which 2**53 is the end."""
    if entry == slice(None):
        return blocks
    cuts = sorted(_slice_1d(n, blocks, entry).items(), reverse=bool(entry.step and entry.step < 0))
    whole = slice(None)
    return tuple(blocks[i] if cut == whole else len(range(cut.start, cut.stop, cut.step)) for i, cut in cuts)


def _selected(recipe: Recipe, index: tuple[Any, ...]) -> Any:
    """What slices and numbers, normalised by dask, show of an array."""
    old = recipe.draw.places
    offset, axis = old.offset, 0
    strides, shape, chunks = [], [], []
    for entry in index:
        if entry is None:
            found: tuple[int, int, tuple[int, ...]] = 0, 1, (1,)
        else:
            n, step, blocks = old.shape[axis], old.strides[axis], recipe.chunks[axis]
            axis += 1
            if isinstance(entry, Integral):
                offset += int(entry) * step
                continue
            shown = range(*entry.indices(n))
            offset += shown.start * step if shown else 0
            found = step * shown.step, len(shown), _cut(n, blocks, entry)
        strides.append(found[0])
        shape.append(found[1])
        chunks.append(found[2])
    draw = replace(recipe.draw, places=Places(offset, tuple(strides), tuple(shape)))
    arrays = tuple(x[index].rechunk(tuple(chunks)) for x in recipe.arrays)
    return Recipe(draw, arrays, tuple(chunks)).array()
