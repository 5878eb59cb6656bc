"""What a dask array says of itself, and what Python's own functions ask of it."""

from __future__ import annotations

import numpy as np

from . import within

case = within("Array.", result="scalar")
own = within("Array.", result="scalar", numpy=False)
lazy = within("Array.")
python = within("Array.", result="scalar")
top = within(result="scalar")
every = within("Array.", accepts="biufc", shapes="0d 1d 2d 3d empty unknown")

CASES = (
    every("T", lambda da, b: b.x.T),
    own("A", lambda da, b: b.x.A.sum(), result="chunk"),
    lazy("real", lambda da, b: b.x.real),
    lazy("real[complex]", lambda da, b: b.complexes.real),
    lazy("imag", lambda da, b: b.x.imag),
    lazy("imag[complex]", lambda da, b: b.complexes.imag),
    case("shape", lambda da, b: b.x.shape),
    case("shape[unknown]", lambda da, b: len(b.x[b.mask].shape)),
    case("ndim", lambda da, b: b.x.ndim),
    case("size", lambda da, b: b.x.size),
    case("dtype", lambda da, b: str(b.x.dtype)),
    case("itemsize", lambda da, b: b.x.itemsize),
    case("nbytes", lambda da, b: b.x.nbytes),
    own("chunks", lambda da, b: b.x.chunks),
    own("chunksize", lambda da, b: b.x.chunksize),
    own("numblocks", lambda da, b: b.x.numblocks),
    own("npartitions", lambda da, b: b.x.npartitions),
    own("name", lambda da, b: (b.x + 1).name.partition("-")[0]),
    own("dask", lambda da, b: len(b.x.dask) > 0),
    own("Array", lambda da, b: isinstance(b.x, da.Array), names=("Array",)),
    python("__len__", lambda da, b: len(b.x)),
    lazy("__iter__", lambda da, b: list(b.x[:3])),
    python("__bool__", lambda da, b: bool(b.x.sum() > 0)),
    python("__int__", lambda da, b: int(b.ints.sum())),
    python("__float__", lambda da, b: float(b.x.sum())),
    python("__complex__", lambda da, b: complex(b.complexes.sum())),
    python("__index__", lambda da, b: list(range(30))[b.ints.max()]),
    lazy("__deepcopy__", lambda da, b: __import__("copy").deepcopy(b.x)),
    lazy("__array__", lambda da, b: np.asarray(b.x), result="numpy"),
    lazy("__array__[np.array]", lambda da, b: np.array(b.x), result="numpy"),
    lazy("__array__[dtype]", lambda da, b: np.asarray(b.x, dtype="f4"), result="numpy"),
    lazy("__array__[0d]", lambda da, b: np.asarray(b.x.sum()), result="numpy"),
    lazy("__array_function__", lambda da, b: np.mean(b.x, axis=0)),
    lazy("__array_function__[host,dask]", lambda da, b: np.concatenate([b.host(np.ones((1, 8))), b.x])),
    lazy("__array_function__[device,dask]", lambda da, b: np.concatenate([b.device(np.ones((1, 8))), b.x])),
    lazy("__array_ufunc__", lambda da, b: np.sin(b.x)),
    lazy("__array_ufunc__[host,dask]", lambda da, b: np.add(b.host(np.ones(8)), b.x)),
    lazy("__array_ufunc__[device,dask]", lambda da, b: np.add(b.device(np.ones(8)), b.x)),
    lazy("__array_ufunc__[out]", lambda da, b: np.add(b.x, b.y, out=b.x * 1.0)),
    lazy("__array_ufunc__[outer]", lambda da, b: np.multiply.outer(b.v, b.w)),
    lazy("__array_ufunc__[divmod]", lambda da, b: np.divmod(b.x, 2.0)),
    lazy("__array_ufunc__[matmul]", lambda da, b: np.matmul(b.x, b.square)),
    lazy("__array_ufunc__[modf]", lambda da, b: np.modf(b.x)),
    python("__array_ufunc__[isinstance]", lambda da, b: bool((np.isfinite(b.x)).all())),
    top("da.ndim", lambda da, b: da.ndim(b.x), names=("ndim",)),
    top("da.shape", lambda da, b: da.shape(b.x), names=("shape",)),
    top("result_type", lambda da, b: str(da.result_type(b.x, b.ints))),
    top("result_type[f4]", lambda da, b: str(da.result_type(b.x.astype("f4"), 1.5))),
    top("result_type[host]", lambda da, b: str(da.result_type(b.ints, b.host(np.ones(2, "f4"))))),
    top("e", lambda da, b: da.e),
    top("pi", lambda da, b: da.pi),
    top("euler_gamma", lambda da, b: da.euler_gamma),
    top("inf", lambda da, b: da.inf),
    top("nan", lambda da, b: da.nan),
    lazy("newaxis", lambda da, b: b.x[da.newaxis], names=("newaxis",)),
    within()("bool", lambda da, b: b.x.astype(da.bool)),
    within()("int8", lambda da, b: b.ints.astype(da.int8)),
    within()("int16", lambda da, b: b.ints.astype(da.int16)),
    within()("int32", lambda da, b: b.ints.astype(da.int32)),
    within()("int64", lambda da, b: b.x.astype(da.int64)),
    within()("uint8", lambda da, b: (b.ints + 5).astype(da.uint8)),
    within()("uint16", lambda da, b: (b.ints + 5).astype(da.uint16)),
    within()("uint32", lambda da, b: (b.ints + 5).astype(da.uint32)),
    within()("uint64", lambda da, b: (b.ints + 5).astype(da.uint64)),
    within()("float32", lambda da, b: b.x.astype(da.float32)),
    within()("float64", lambda da, b: b.ints.astype(da.float64)),
    within()("complex64", lambda da, b: b.x.astype(da.complex64)),
    within()("complex128", lambda da, b: b.x.astype(da.complex128)),
)
