"""Single operations that chains are made of, as code, each with what it may follow."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True, slots=True)
class Step:
    """One link of a chain: code in `da` and `x`.

    Parameters
    ----------
    kind : str
        Steps of one kind are one operation; those that fail alone are left out of chains.
    code : str
        An expression of `x`: ``da.cumsum(x, axis=0)``.
    mirror : str, optional
        The same for NumPy, where it is not the same code.
    """

    kind: str
    code: str
    mirror: str = ""

    def apply(self, module: Any, x: Any) -> Any:
        """Evaluate on an array of dask, or on an ndarray if `module` is numpy."""
        code = self.mirror if module is np and self.mirror else self.code
        return eval(code, {"da": module, "np": np, "x": x})  # code of our own, below


Maker = Callable[[Any], Iterator[Step]]
_MAKERS: list[tuple[Maker, bool, int, str]] = []


def _maker(*, known: bool = True, ndim: int = 0, kinds: str = "biufc") -> Callable[[Maker], Maker]:
    """A maker of steps, for arrays whose sizes are known, of that many axes at least, and of those dtypes."""

    def keep(maker: Maker) -> Maker:
        _MAKERS.append((maker, known, ndim, kinds))
        return maker

    return keep


def after(x: Any, *, known: bool) -> list[Step]:
    """Every step that an array may be given.

    Parameters
    ----------
    x : numpy.ndarray
        What the mirror holds.
    known : bool
        Whether dask knows the sizes of its chunks.
    """
    return [
        step
        for maker, needs, ndim, kinds in _MAKERS
        if (known or not needs) and x.ndim >= ndim and x.dtype.kind in kinds
        for step in maker(x)
    ]


@_maker(known=False, kinds="iufc")
def _elementwise(x: Any) -> Iterator[Step]:
    yield Step("add", "x + 1")
    yield Step("subtract", "x - x")
    yield Step("multiply", "2 * x")
    yield Step("negative", "-x") if x.dtype.kind != "u" else Step("positive", "+x")
    yield Step("abs", "abs(x)")
    yield Step("square", "da.square(x)")


@_maker(known=False, kinds="biuf")
def _compared(x: Any) -> Iterator[Step]:
    yield Step("greater", "x > 0")
    yield Step("where", "da.where(x > 0, x, x)")
    yield Step("maximum", "da.maximum(x, x)")
    yield Step("astype", "x.astype('f8')")


@_maker(known=False, kinds="b")
def _logical(x: Any) -> Iterator[Step]:
    yield Step("invert", "~x")
    yield Step("and", "x & x")


@_maker(known=False, kinds="f")
def _floating(x: Any) -> Iterator[Step]:
    yield Step("sin", "da.sin(x)")
    yield Step("exp", "da.exp(-abs(x))")
    yield Step("isnan", "da.isnan(x)")
    yield Step("clip", "da.clip(x, -1.5, 2.5)")


@_maker(ndim=1)
def _reductions(x: Any) -> Iterator[Step]:
    for axis in range(x.ndim):
        yield Step("sum", f"x.sum(axis={axis})")
        if x.shape[axis] and x.dtype.kind != "c":
            yield Step("max", f"x.max(axis={axis}, keepdims=True)")
            yield Step("argmin", f"da.argmin(x, axis={axis})")
        if x.shape[axis]:
            yield Step("mean", f"x.mean(axis={axis})")
            yield Step("var", f"da.var(x, axis={axis}, keepdims=True)")
        yield Step("any", f"da.any(x, axis={axis})")
        yield Step("cumsum", f"da.cumsum(x, axis={axis})")
        yield Step("flip", f"da.flip(x, {axis})")
        yield Step("roll", f"da.roll(x, 2, axis={axis})")
        yield Step("concatenate", f"da.concatenate([x, x], axis={axis})")
        yield Step("slice", f"x[{':, ' * axis}1:]")
        yield Step("stride", f"x[{':, ' * axis}::2]")
        yield Step("reverse", f"x[{':, ' * axis}::-1]")
        if x.shape[axis]:
            yield Step("take", f"da.take(x, [0, -1, 0], axis={axis})")
            yield Step("integer", f"x[{':, ' * axis}-1]")
        if x.dtype.kind in "iuf" and x.shape[axis] > 1:
            yield Step("diff", f"da.diff(x, axis={axis})")
        yield Step("repeat", f"da.repeat(x, 2, axis={axis})")


@_maker()
def _shapes(x: Any) -> Iterator[Step]:
    yield Step("transpose", "x.T")
    yield Step("newaxis", "x[None]")
    yield Step("stack", "da.stack([x, x])")
    yield Step("rechunk", "x.rechunk(2)", "x")
    if x.size:
        yield Step("ravel", "da.ravel(x)")
        yield Step("broadcast", f"da.broadcast_to(x, {(2, *x.shape)})")
    yield Step("zeros_like", "da.zeros_like(x)")


@_maker(ndim=1, kinds="iuf")
def _selected(x: Any) -> Iterator[Step]:
    if x.ndim == 1:
        yield Step("select", "x[x > 0]")
        yield Step("map_blocks", "x.map_blocks(abs)", "abs(x)")


@_maker(ndim=2, kinds="iufc")
def _products(x: Any) -> Iterator[Step]:
    if x.ndim == 2:
        yield Step("matmul", "x @ x.T")
        yield Step("tensordot", "da.tensordot(x, x, axes=((0,), (0,)))")
        yield Step("einsum", "da.einsum('ij,ij->i', x, x)")
        yield Step("tril", "da.tril(x)")
