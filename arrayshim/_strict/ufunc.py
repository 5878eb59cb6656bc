"""CuPy's ufuncs on strict arrays: which operands they take, in which type they compute, where they may write."""

from __future__ import annotations

from typing import Any

import numpy

from .compute import numpy_function
from .index import prepare_index, scatter, whole_key
from .memory import contiguous
from .rules import UfuncRow, check_cast, choose_loop, ufunc_row

np: Any = numpy


def run(row: UfuncRow, operands: list[Any], outs: list[Any], dtype: Any, casting: str) -> tuple[list[Any], list[Any]]:
    """Compute on unwrapped operands; returns (results, dtypes). `outs` are host arrays or None."""
    loop = choose_loop(row, operands, None if dtype is None else np.dtype(dtype))
    shape = np.broadcast_shapes(
        *(v.shape for v in operands if isinstance(v, np.ndarray)), *(o.shape for o in outs if o is not None)
    )
    for out, result_dtype in zip(outs, loop.outputs, strict=True):
        if out is not None:
            if out.shape != shape:
                raise ValueError("Out shape is mismatched")
            check_cast(result_dtype, out.dtype, casting, "output operand")
    cast = [
        value.astype(t, copy=False) if isinstance(value, (np.ndarray, np.generic)) else np.array(value, dtype=t)
        for value, t in zip(operands, loop.inputs, strict=True)
    ]
    with np.errstate(all="ignore"):
        results = numpy_function(row)(*cast)
    found = []
    for out, result, t in zip(outs, results if isinstance(results, tuple) else (results,), loop.outputs, strict=True):
        if out is None:
            value = np.empty(shape, t)
            np.copyto(value, result, casting="unsafe")
            found.append(value)
        else:
            np.copyto(out, result, casting="unsafe")
            found.append(out)
    return found, list(loop.outputs)


def call(kind: Any, name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``cupy.<name>(*args, **kwargs)``.

    Raises
    ------
    TypeError
        For keywords that CuPy's ufuncs lack (``where=``, ``order=``, ``subok=`` ...), for NumPy arrays among the
        operands or as ``out``, and for types without a loop.
    ValueError
        Shapes that do not broadcast, ``out`` of another shape.
    """
    row = ufunc_row(name)
    assert row is not None
    kwargs = dict(kwargs)
    out, dtype = kwargs.pop("out", None), kwargs.pop("dtype", None)
    casting = kwargs.pop("casting", row.casting)
    if kwargs:
        raise TypeError(f"Wrong arguments {kwargs}")
    if not row.nin <= len(args) <= row.nin + row.nout:
        raise TypeError(f"Wrong number of arguments for cupy_{name}. It takes {row.nin}, but given {len(args)}.")
    given: list[Any] = list(args[row.nin :])
    if out is not None:
        if given:
            raise ValueError("Cannot specify 'out' as both a positional and keyword argument")
        if not isinstance(out, tuple):
            if row.nout != 1:
                raise ValueError("'out' must be a tuple of arrays")
            out = (out,)
        if len(out) != row.nout:
            raise ValueError("The 'out' tuple must have exactly one entry per ufunc output")
        given = list(out)
    given += [None] * (row.nout - len(given))
    operands = []
    for value in args[: row.nin]:
        if isinstance(value, np.ndarray):
            raise TypeError(f"Unsupported type {type(value)}")
        operands.append(value._host if isinstance(value, kind) else value)
    for value in given:
        if value is not None and not isinstance(value, kind):
            raise TypeError("Output arguments type must be cupy.ndarray")
    cls = next((type(v) for v in args[: row.nin] if isinstance(v, kind) and type(v) is not kind), kind)
    results, _ = run(row, operands, [None if v is None else v._host for v in given], dtype, casting)
    wrapped = [cls._wrap(r) if g is None else g for r, g in zip(results, given, strict=True)]
    return wrapped[0] if row.nout == 1 else tuple(wrapped)


_SCATTER_TYPES = {
    "add": "iIlLqQefd",
    "sub": "iI",
    "max": "iIlLqQfd",
    "min": "iIlLqQfd",
    "and": "iIlLqQ",
    "or": "iIlLqQ",
    "xor": "iIlLqQ",
}
_SCATTER_UFUNC = {
    "add": "add",
    "sub": "subtract",
    "max": "maximum",
    "min": "minimum",
    "and": "bitwise_and",
    "or": "bitwise_or",
    "xor": "bitwise_xor",
}


def at(kind: Any, name: str, a: Any, indices: Any, b: Any = None) -> None:
    """``cupy.<name>.at``: scatter through wrapped indices, for the types that have an atomic operation."""
    row = ufunc_row(name)
    if row is None or row.scatter is None:
        raise NotImplementedError(f"`cupy_{name}.at` is not supported yet")
    if not isinstance(a, kind):
        raise AttributeError(f"{type(a).__name__!r} object has no attribute '_scatter_op'")
    index = prepare_index(kind, a._host, indices)
    ufunc = getattr(np, _SCATTER_UFUNC[row.scatter])
    if not index.advanced:
        view = a._view(a._host[whole_key(index.key)])
        call(kind, ufunc.__name__, (view, b), {"out": view})
        return
    if not index.mask and a.dtype.char not in _SCATTER_TYPES[row.scatter]:
        raise TypeError(f"cupy.{name}.at only supports {_SCATTER_TYPES[row.scatter]} as data type")
    scatter(kind, a._host, index, b, ufunc)


_METHODS = {"reduce": {"add": "sum", "multiply": "prod"}, "accumulate": {"add": "cumsum", "multiply": "cumprod"}}


def method(kind: Any, name: str, how: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """``cupy.<name>.<how>``: at, outer, and reduce, accumulate, reduceat for the two or one that have it."""
    if how == "at":
        return at(kind, name, *args, **kwargs)
    if how == "outer":
        return _outer(kind, name, *args, **kwargs)
    if how == "reduceat":
        if name != "add":
            raise NotImplementedError(f"`cupy_{name}.reduceat` is not supported yet")
        return _reduceat(kind, *args, **kwargs)
    target = _METHODS[how].get(name)
    if target is None:
        raise NotImplementedError(f"`cupy_{name}.{how}` is not supported yet")
    return _fold(kind, target, *args, **kwargs)


def _fold(
    kind: Any, target: str, array: Any, axis: Any = 0, dtype: Any = None, out: Any = None, keepdims: bool | None = None
) -> Any:
    options = {"axis": axis, "dtype": dtype, "out": out}
    if target in ("cumsum", "cumprod"):
        if keepdims is not None:
            raise TypeError("accumulate() got an unexpected keyword argument 'keepdims'")
    elif keepdims is not None:
        options["keepdims"] = keepdims
    return getattr(array, target)(**options)


def _outer(kind: Any, name: str, A: Any, B: Any, **kwargs: Any) -> Any:
    from .create import from_data

    a, b = (v if isinstance(v, kind) else kind._wrap(from_data(kind, v)) for v in (A, B))
    a = a._view(a._host.reshape(a.shape + (1,) * b.ndim))
    return call(kind, name, (a, b), kwargs)


def _reduceat(kind: Any, array: Any, indices: Any, axis: int = 0, dtype: Any = None, out: Any = None) -> Any:
    where = indices._host if isinstance(indices, kind) else np.asarray(indices)
    result = contiguous(np.add.reduceat(array._host, where, axis=axis, dtype=dtype))
    if out is None:
        return kind._wrap(result)
    np.copyto(out._host, result, casting="unsafe")
    return out
