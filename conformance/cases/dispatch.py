"""dask's setting `array.backend` and the way from one backend to another."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from . import within

# NumPy has no such setting.
case = within(numpy=False)
under = within(numpy=False, requires=("backend",))


def configured(backend: str, device: Callable[[Any], Any], build: Callable[[], Any]) -> Any:
    """Build under the setting, on memory that holds other numbers each time: an `empty` meta is no name."""
    import dask

    # Of one element, in the two dimensions that every library has.
    written = [device(np.full((1, 1), number)) for number in np.random.default_rng().random(256)]
    del written
    with dask.config.set({"array.backend": backend}):
        return build()


CASES = (
    case("Array.to_backend", lambda da, b: b.x.to_backend("numpy"), result="numpy"),
    case("Array.to_backend[numpy,int]", lambda da, b: b.ints.to_backend("numpy"), result="numpy"),
    case("Array.to_backend[numpy,0d]", lambda da, b: b.x.sum().to_backend("numpy"), result="numpy"),
    case("Array.to_backend[numpy,unknown]", lambda da, b: b.v[b.v > 0].to_backend("numpy"), result="numpy"),
    case("Array.to_backend[numpy,then add]", lambda da, b: b.x.to_backend("numpy") + np.ones(8), result="numpy"),
    case("Array.to_backend[default]", lambda da, b: b.x.to_backend(), result="numpy"),
    under("Array.to_backend[own]", lambda da, b: da.ones((5, 4), chunks=2).to_backend(b.backend)),
    under("Array.to_backend[there already]", lambda da, b: b.x.to_backend(b.backend)),
    under("Array.to_backend[there and back]", lambda da, b: b.x.to_backend("numpy").to_backend(b.backend)),
    under("Array.to_backend[own,int]", lambda da, b: da.arange(9, chunks=4).to_backend(b.backend)),
    under("ones[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.ones((5, 4), chunks=2))),
    under(
        "ones[backend,dtype]",
        lambda da, b: configured(b.backend, b.device, lambda: da.ones((5, 4), dtype="i4", chunks=2)),
    ),
    under("zeros[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.zeros((5, 4), chunks=2))),
    under(
        "empty[backend]",
        lambda da, b: configured(b.backend, b.device, lambda: da.empty((5, 4), chunks=2, dtype="i8")) * 0,
    ),
    under("full[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.full((5, 4), 7.0, chunks=2))),
    under("arange[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.arange(9, chunks=4))),
    under(
        "arange[backend,float]",
        lambda da, b: configured(b.backend, b.device, lambda: da.arange(0.0, 2.0, 0.25, chunks=3)),
    ),
    under("linspace[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.linspace(0, 1, 11, chunks=4))),
    under("eye[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.eye(7, chunks=3))),
    under("eye[backend,k]", lambda da, b: configured(b.backend, b.device, lambda: da.eye(7, chunks=3, M=5, k=-1))),
    under("indices[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.indices((4, 5), chunks=(2, 3)))),
    under("tri[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.tri(5, 4, 1, chunks=2))),
    under("diag[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.diag(da.arange(4, chunks=2)))),
    under("diag[backend,host]", lambda da, b: configured(b.backend, b.device, lambda: da.diag(b.host(np.arange(4.0))))),
    under(
        "fromfunction[backend]",
        lambda da, b: configured(
            b.backend, b.device, lambda: da.fromfunction(lambda i, j: i + 2 * j, shape=(5, 4), chunks=(2, 4))
        ),
    ),
    under(
        "meshgrid[backend]",
        lambda da, b: configured(b.backend, b.device, lambda: da.meshgrid([1.0, 2.0], [3.0, 4.0, 5.0])),
    ),
    under("tril_indices[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.tril_indices(5, chunks=3))),
    under("asarray[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.asarray([1.0, 2.0, 3.0]))),
    under(
        "asarray[backend,host]",
        lambda da, b: configured(b.backend, b.device, lambda: da.asarray(b.host(np.arange(3.0)))),
    ),
    under("asanyarray[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.asanyarray([1.0, 2.0, 3.0]))),
    under("array[backend]", lambda da, b: configured(b.backend, b.device, lambda: da.array([[1.0, 2.0], [3.0, 4.0]]))),
    under(
        "random.random[backend]",
        lambda da, b: configured(b.backend, b.device, lambda: da.random.random((5, 4), chunks=2)),
        names=("random.random",),
        compare="shape",
    ),
    under(
        "RandomState[backend]",
        lambda da, b: configured(b.backend, b.device, lambda: da.random.RandomState(7).normal(size=(5, 4), chunks=2)),
        names=("random.RandomState",),
        compare="shape",
    ),
    under(
        "default_rng[backend]",
        lambda da, b: configured(
            b.backend, b.device, lambda: da.random.default_rng(7).standard_normal((5, 4), chunks=2)
        ),
        names=("random.default_rng",),
        compare="shape",
    ),
    under(
        "ones[backend,then add]",
        lambda da, b: configured(b.backend, b.device, lambda: da.ones((13, 8), chunks=5) + b.x),
    ),
    under(
        "ones[backend,sum]",
        lambda da, b: configured(b.backend, b.device, lambda: da.ones((13, 8), chunks=5).sum(axis=0)),
    ),
)
