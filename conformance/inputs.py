"""The operands of a case: the same values on a backend, on NumPy-backed dask, and as plain arrays."""

from __future__ import annotations

from functools import partial
from itertools import accumulate, product
from typing import Any

import numpy as np

from .hidden import host_places
from .layouts import BASE, LAYOUTS, Variation, lay_out
from .modes import in_expressions

#: Operands that are never crossed: NumPy code, and chunks. Kept short, for they are written out in reproducers.
FIXED: dict[str, tuple[str, Any]] = {
    "v": ("np.random.default_rng(3).normal(0, 2, 23)", ((7, 9, 2, 5),)),
    "w": ("np.random.default_rng(4).normal(1, 2, 23)", ((10, 13),)),
    "cube": ("np.random.default_rng(5).normal(0, 2, (6, 5, 4))", ((2, 4), (5,), (3, 1))),
    "square": ("np.random.default_rng(6).normal(0, 1, (8, 8)) + 8 * np.eye(8)", ((4, 4), (4, 4))),
    "spd": ("np.fromfunction(lambda i, j: 0.5 ** abs(i - j), (8, 8)) + np.eye(8)", ((4, 4), (4, 4))),
    "tall": ("np.random.default_rng(7).normal(0, 1, (40, 5))", ((10, 10, 10, 10), (5,))),
    "ints": ("np.random.default_rng(8).integers(-5, 21, (13, 8))", ((5, 1, 4, 3), (3, 5))),
    "bools": ("np.random.default_rng(9).random((13, 8)) < 0.4", ((5, 1, 4, 3), (3, 5))),
    "complexes": (
        "np.random.default_rng(10).normal(0, 1, (13, 8)) + 1j * np.random.default_rng(11).normal(0, 1, (13, 8))",
        ((5, 1, 4, 3), (3, 5)),
    ),
    "nans": (
        "np.where(np.arange(104).reshape(13, 8) % 5 == 1, np.nan, np.random.default_rng(12).normal(0, 2, (13, 8)))",
        ((5, 1, 4, 3), (3, 5)),
    ),
}

_INDEX = (3, -1, 0, 5, 5, -8, 9)


#: The label of the operands of the oracle.
ORACLE = "oracle"


class Unheld(Exception):
    """The backend cannot hold an operand: nothing to be said about the operation."""


def definition(name: str, variation: Variation = BASE) -> tuple[str, Any, Any]:
    """NumPy code of an operand, its chunks, and the `Layout` or None where it is never crossed."""
    place = variation.place
    if name == "x":
        return variation.expression(1), place.chunks, place
    if name == "y":
        return variation.expression(2), place.other, place
    rows = place.shape[0] if place.shape else 0
    if name == "index":
        values = [i % rows - rows * (i < 0) for i in _INDEX] if rows else []
        return f"np.array({values}, dtype='i8')", ((4, 3),) if rows else ((0,),), None
    if name == "mask":
        whole = sum(place.chunks[0]) if place.chunks else 0
        half = whole // 2
        return f"np.arange({rows}) % 3 != 1", ((half, whole - half),) if rows > 1 else ((rows,),), None
    code, chunks = FIXED[name]
    return code, chunks, None


def host_array(name: str, variation: Variation = BASE) -> Any:
    """An operand in host memory."""
    return np.asarray(eval(definition(name, variation)[0], {"np": np}))  # code of our own, above


NAMES = ("x", "y", *FIXED, "index", "mask")


class Operands:
    """An `Inputs` of one backend.

    Parameters
    ----------
    to_device : callable
        The backend's; ``np.asarray`` for the oracle.
    namespace : module
        The backend's.
    plain : bool
        Bare arrays instead of dask arrays.
    variation : Variation
        What `x` and `y` are.
    label : str
        Name of the backend, or `ORACLE`; goes into the names of the dask arrays, so that NumPy as the oracle and NumPy
        as the backend share no key of a graph.
    hide : callable, optional
        ``hide(chunk, places) -> chunk``: the backend's, if some elements are to be hidden.
    """

    def __init__(
        self,
        to_device: Any,
        namespace: Any,
        *,
        plain: bool = False,
        variation: Variation = BASE,
        label: str = "",
        hide: Any = None,
    ) -> None:
        self._to_device, self.namespace, self._plain = to_device, namespace, plain
        self._variation, self._label, self._hide = variation, label, hide
        self.backend = "numpy" if label in ("", ORACLE) else label
        self._made: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        if name not in NAMES:
            raise AttributeError(f"there is no operand {name!r}; there are {', '.join(NAMES)}")
        if name not in self._made:
            code, chunks, place = definition(name, self._variation)
            host = host_array(name, self._variation)
            away = host_places(name, self._variation, host.shape, code) if self._hide is not None else None
            if self._plain:
                self._made[name] = self._moved(host, "plain", away)
            else:
                known = place is None or place.known
                memory = place.memory if place else "plain"
                self._made[name] = self._chunked(host, chunks, memory, known, (name, code), away)
        return _fresh(self._made[name])

    def _moved(self, host: Any, memory: str, away: Any = None) -> Any:
        what = f"{memory} {host.dtype} of shape {host.shape}".removeprefix("plain ")
        try:
            found = _placed(host, away, memory=memory, to_device=self._to_device, hide=self._hide)
        except Exception as error:
            raise Unheld(f"the backend holds no {what}: {type(error).__name__}: {error}") from error
        shape, dtype = getattr(found, "shape", None), getattr(found, "dtype", None)
        if shape is not None and tuple(shape) != host.shape:
            raise Unheld(f"the backend holds no {what}: it makes {tuple(shape)} of it")
        if isinstance(dtype, np.dtype) and dtype != host.dtype:
            raise Unheld(f"the backend holds no {what}: it makes {dtype} of it")
        return found

    def _chunked(self, host: Any, chunks: Any, memory: str, known: bool, key: Any, away: Any = None) -> Any:
        import dask.array as da
        from dask.base import tokenize

        meta = self._moved(np.empty((0,) * host.ndim, host.dtype), "plain")
        shown = chunks if known else ((np.nan,) * len(chunks[0]), *chunks[1:])
        name = f"{key[0]}-{tokenize(self._label, key, chunks, memory, away is not None)}"
        if in_expressions():
            wholes = [
                da.from_array(part, chunks=chunks, name=f"{name}-{number}")
                for number, part in enumerate((host, away))
                if part is not None
            ]
            move = partial(_placed, memory=memory, to_device=self._to_device, hide=self._hide)
            return da.map_blocks(move, *wholes, dtype=host.dtype, meta=meta, chunks=shown)
        starts = [list(accumulate((0, *sizes[:-1]))) for sizes in chunks]
        graph = {}
        for block in product(*(range(len(sizes)) for sizes in chunks)):
            cut = tuple(slice(starts[a][i], starts[a][i] + chunks[a][i]) for a, i in enumerate(block))
            graph[(name, *block)] = self._moved(host[cut], memory, None if away is None else away[cut])
        return da.Array(graph, name, shown, dtype=host.dtype, meta=meta)

    def array(self, host: Any, chunks: Any = ...) -> Any:
        """As `Inputs.array`; without `chunks` every axis is cut in two."""
        host = np.asarray(host)
        if self._plain:
            return self._moved(host, "plain")
        from dask.array.core import normalize_chunks
        from dask.base import tokenize

        given = tuple((n + 1) // 2 for n in host.shape) if chunks is ... else chunks
        cut = normalize_chunks(given, shape=host.shape, dtype=host.dtype)
        return self._chunked(host, cut, "plain", True, ("array", tokenize(host)))

    def device(self, host: Any) -> Any:
        """As `Inputs.device`."""
        return self._moved(np.asarray(host), "plain")

    def host(self, host: Any) -> Any:
        """As `Inputs.host`."""
        return np.array(host)


def _placed(host: Any, away: Any = None, *, memory: str, to_device: Any, hide: Any) -> Any:
    found = lay_out(host, memory, to_device)
    return found if away is None else hide(found, away)


def _fresh(made: Any) -> Any:
    """Another object of the same content, so that what changes its operand does not change it for the next."""
    import dask.array as da

    if not isinstance(made, da.Array):
        return made.copy()
    if in_expressions():
        return da.Array(made.expr)
    return da.Array(made.dask, made.name, made.chunks, dtype=made.dtype, meta=made._meta)


def allowed(layout: str, shapes: str) -> bool:
    """Whether a case with these `shapes` takes a layout."""
    return LAYOUTS[layout].shapes in shapes.split()
