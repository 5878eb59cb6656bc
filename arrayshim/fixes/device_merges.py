"""Where chunks are a device's, the later steps of a reduction cost more than the first, which reads all the data.

>>> da.from_array(cupy_array, chunks=10_000).std().compute()    # 16 chunks: 1020 launches to join 2 numbers with 2

dask joins what chunks came to, array by array and axis by axis, and merges what was joined by a dozen operations on a
few numbers; on a device each is a launch. Here the table of kernels is asked to merge the pieces as they are, in one
launch, and a step takes 16 of them rather than 4, for fewer steps.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from dask import config
from dask.array import chunk, core
from dask.utils import funcname

from arrayshim.fix import Fix, original
from arrayshim.fixes import device_reductions as steps
from arrayshim.kernels import merging

FIX = Fix(
    __name__,
    title="what CuPy chunks came to is merged in one launch a step",
    affects=">=2025.1",
    after=("device_reductions", "numel"),
    forwarded="not-needed",
    reason="the kernels are CUDA code, which is no business of dask",
)

_REDUCTIONS = "dask.array.reductions."
TREE = f"{_REDUCTIONS}_tree_reduce"
MEAN_COMBINE = f"{_REDUCTIONS}mean_combine"
MEAN_AGG = f"{_REDUCTIONS}mean_agg"
MOMENT_COMBINE = f"{_REDUCTIONS}moment_combine"
MOMENT_AGG = f"{_REDUCTIONS}moment_agg"

#: Pieces of a step, where neither the caller nor the configuration says otherwise.
EVERY = 16

#: Operations that merge what they came to themselves.
_OWN = {
    steps.sum: "sum",
    steps.prod: "prod",
    steps.any: "any",
    steps.all: "all",
    steps.chunk_min: "min",
    steps.chunk_max: "max",
    chunk.min: "min",
    chunk.max: "max",
    steps._nanmin_skip: "nanmin",
    steps._nanmax_skip: "nanmax",
}


@FIX.probe
def faulty() -> str | None:
    from dask.array.reductions import mean_agg

    from arrayshim import kernels, strict

    kind = strict.fresh_type("Pieces")
    kernels.merged.add(kind, lambda first, **options: ["the kernel"])
    one = strict.asarray([1.0], kind=kind)
    try:
        found = mean_agg([{"n": one, "total": one}], axis=(0,))
    finally:
        kernels.merged.remove(kind)
    return None if isinstance(found, str) else "pieces of a type that has a kernel to merge them are joined one by one"


@FIX.replaces(MEAN_COMBINE)
def mean_combine(pairs: Any, *args: Any, **kwargs: Any) -> Any:
    found = _of_dicts("mean_parts", pairs, args, kwargs, dtype=None)
    return original(MEAN_COMBINE)(pairs, *args, **kwargs) if found is None else {"n": found[1], "total": found[0]}


@FIX.replaces(MEAN_AGG)
def mean_agg(pairs: Any, *args: Any, **kwargs: Any) -> Any:
    found = _of_dicts("mean", pairs, args, kwargs)
    return original(MEAN_AGG)(pairs, *args, **kwargs) if found is None else found[0]


@FIX.replaces(MOMENT_COMBINE)
def moment_combine(pairs: Any, *args: Any, **kwargs: Any) -> Any:
    found = _of_dicts("moment_parts", pairs, args, {**kwargs, "keepdims": True})
    stock = original(MOMENT_COMBINE)
    return stock(pairs, *args, **kwargs) if found is None else dict(zip(("total", "n", "M"), found, strict=True))


@FIX.replaces(MOMENT_AGG)
def moment_agg(pairs: Any, *args: Any, **kwargs: Any) -> Any:
    found = _of_dicts("moment", pairs, args, kwargs)
    return original(MOMENT_AGG)(pairs, *args, **kwargs) if found is None else found[0]


def _of_dicts(name: str, pairs: Any, args: tuple[Any, ...], kwargs: dict[str, Any], **fixed: Any) -> Any:
    """The merged pieces of a mean or moment; None where the call says what the kernels do not know."""
    options = {key: value for key, value in kwargs.items() if key not in ("sum", "numel")}
    if args or options.pop("computing_meta", False) or options.get("axis") is None:
        return None
    if not isinstance(options.get("ddof", 0), int | float):
        return None
    return merging.merged(name, pairs, **{"dtype": "f8", "keepdims": False, **options, **fixed})


@FIX.replaces(TREE)
def _tree_reduce(
    x: Any,
    aggregate: Any,
    axis: Any,
    keepdims: Any,
    dtype: Any,
    split_every: Any = None,
    combine: Any = None,
    name: Any = None,
    concatenate: Any = True,
    reduced_meta: Any = None,
) -> Any:
    sample = x._meta if reduced_meta is None else reduced_meta
    if merging.knows(type(sample)):
        if concatenate and (own := _name(aggregate)) and own == _name(combine or aggregate):
            name = name or funcname(aggregate)
            combine, aggregate = partial(_merge, own, combine or aggregate), partial(_merge, own, aggregate)
            concatenate = False
        if _base(aggregate) in (_merge, mean_agg, moment_agg):
            split_every = split_every or config.get("split_every", None) or EVERY
    return original(TREE)(
        x,
        aggregate,
        axis,
        keepdims,
        dtype,
        split_every=split_every,
        combine=combine,
        name=name,
        concatenate=concatenate,
        reduced_meta=reduced_meta,
    )


def _base(function: Any) -> Any:
    return function.func if isinstance(function, partial) else function


def _name(function: Any) -> str | None:
    """The operation of a step that dask calls with joined pieces, or None."""
    base = _base(function)
    if getattr(base, "__name__", "") in ("arg_combine", "arg_agg", "nanarg_agg") and isinstance(function, partial):
        return steps._FINDERS.get(getattr(function.args[0], "__name__", "")) if function.args else None
    try:
        return _OWN.get(base)
    except TypeError:
        return None


def _merge(name: str, stock: Any, pieces: Any, axis: Any, keepdims: bool) -> Any:
    """A step of a tree: by one kernel, or by dask's function of the joined pieces."""
    find = "arg" in name
    checked = find and _base(stock).__name__ == "nanarg_agg"
    dtype = None if find else getattr(stock, "keywords", {}).get("dtype")
    found = merging.merged(name, pieces, axis=axis, keepdims=keepdims or checked, dtype=dtype)
    if found is None:
        return stock(core._concatenate2(pieces, axes=sorted(axis)), axis=axis, keepdims=keepdims)
    if not find or _base(stock).__name__ == "arg_agg":
        return found[0]
    both = {"vals": found[1], "arg": found[0]}
    return stock(both, axis=axis, keepdims=keepdims) if checked else both
