"""`numpy.vectorize` with a signature, for arrays that NumPy must not touch: the loop runs where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arrayshim.kernels.generic import beside, has_nep18

#: Names of the core dimensions, one tuple per operand.
Dims = tuple[tuple[str, ...], ...]


def _foreign(x: Any) -> bool:
    return has_nep18(x) and not isinstance(x, np.ndarray | np.generic)


def _shape(x: Any) -> tuple[int, ...]:
    return tuple(x.shape) if hasattr(x, "shape") else np.shape(x)


def _dtype(x: Any) -> Any:
    return x.dtype if hasattr(x, "dtype") else np.asarray(x).dtype


@dataclass(frozen=True, slots=True)
class Looped:
    """A function of single items as one of arrays of items, as ``numpy.vectorize(function, signature=...)`` is.

    Parameters
    ----------
    function : callable
        Is given, for each place of the loop dimensions, the core dimensions of each array; keywords as they are.
    inputs, outputs : tuple of tuple of str
        Core dimensions of arguments and results.
    dtypes : tuple of dtype, optional
        Of the results; those of the first call if not given.
    """

    function: Callable[..., Any]
    inputs: Dims
    outputs: Dims
    dtypes: tuple[Any, ...] | None = None

    @property
    def __name__(self) -> str:
        return f"vectorize_{getattr(self.function, '__name__', 'function').strip('<>')}"

    @property
    def signature(self) -> str:
        """As NumPy writes it."""
        return "->".join(",".join(f"({','.join(dims)})" for dims in side) for side in (self.inputs, self.outputs))

    def __call__(self, *arrays: Any, **kwargs: Any) -> Any:
        """Loop.

        Parameters
        ----------
        *arrays : array or scalar
            Of shapes loop + core; the loop shapes broadcast. NumPy arrays among them stay so. Results in host memory
            move to the others, all at once.

        Returns
        -------
        array or tuple of array
            Of shape loop + core, of the type of the first argument that is not NumPy's.

        Raises
        ------
        ValueError
            If sizes or the number of results do not fit the signature, or nothing is known of the results of no call.
        """
        like = next(filter(_foreign, arrays), None)
        if like is None:
            otypes = None if self.dtypes is None else list(self.dtypes)
            return np.vectorize(self.function, signature=self.signature, otypes=otypes)(*arrays, **kwargs)
        loop, sizes = _sizes(arrays, self.inputs)
        items = [_whole(x, loop, dims, sizes) for x, dims in zip(arrays, self.inputs, strict=True)]
        calls = [
            self._results(self.function(*(x if cut is None else x[place] for x, cut in items), **kwargs))
            for place in np.ndindex(*loop)
        ]
        results = tuple(
            self._joined(number, [call[number] for call in calls], like, loop, sizes) for number in self._all
        )
        return results if len(results) > 1 else results[0]

    @property
    def _all(self) -> range:
        return range(len(self.outputs))

    def _results(self, returned: Any) -> tuple[Any, ...]:
        results = returned if isinstance(returned, tuple) else (returned,)
        if len(results) != len(self.outputs):
            raise ValueError(
                f"vectorize: the function returned {len(results)} results, and the signature {self.signature} has "
                f"{len(self.outputs)}; return a tuple of that length"
            )
        return results

    def _joined(self, number: int, parts: list[Any], like: Any, loop: tuple[int, ...], sizes: dict[str, int]) -> Any:
        """One of the results, of the parts that the calls made."""
        dims = self.outputs[number]
        for part in parts[:1]:
            _note(sizes, dims, _shape(part), "result")
        if any(dim not in sizes for dim in dims) or (not parts and self.dtypes is None):
            raise ValueError(
                "vectorize: there is nothing to loop over, and so no call that tells the dtype and the new dimensions "
                f"of the results of {self.signature}; give output_dtypes, and no new dimensions"
            )
        core = tuple(sizes[dim] for dim in dims)
        dtype = _dtype(parts[0]) if self.dtypes is None else np.dtype(self.dtypes[number])
        if not parts:
            return np.empty_like(like, shape=loop + core, dtype=dtype)
        parts = [part if _shape(part) == core else np.broadcast_to(part, core) for part in parts]
        if any(map(_foreign, parts)):
            whole = np.stack([beside(part, like) for part in parts])
        else:
            # Numbers in host memory move together.
            whole = beside(np.stack([np.asarray(part) for part in parts]), like)
        return whole.reshape(loop + core).astype(dtype, copy=False)


def _note(sizes: dict[str, int], dims: Sequence[str], shape: tuple[int, ...], what: str) -> tuple[int, ...]:
    """Note the sizes of core dimensions; the rest of the shape."""
    rest = len(shape) - len(dims)
    if rest < 0:
        raise ValueError(f"vectorize: a {what} has shape {shape}, and the core dimensions ({', '.join(dims)}) are more")
    for dim, size in zip(dims, shape[rest:], strict=True):
        if sizes.setdefault(dim, size) != size:
            raise ValueError(f"vectorize: core dimension {dim} has size {sizes[dim]}, and {size} in a {what}")
    return shape[:rest]


def _sizes(arrays: Iterable[Any], inputs: Dims) -> tuple[tuple[int, ...], dict[str, int]]:
    sizes: dict[str, int] = {}
    loops = [_note(sizes, dims, _shape(x), "argument") for x, dims in zip(arrays, inputs, strict=True)]
    return np.broadcast_shapes(*loops), sizes


def _whole(x: Any, loop: tuple[int, ...], dims: Sequence[str], sizes: dict[str, int]) -> tuple[Any, Any]:
    """An argument in the shape of the loop; a scalar as it is, which is told by None."""
    if not hasattr(x, "shape") or isinstance(x, np.generic):
        return x, None
    shape = loop + tuple(sizes[dim] for dim in dims)
    return (x if x.shape == shape else np.broadcast_to(x, shape)), shape
