"""What the suite wants to know of the array libraries it names, beyond what arrayshim needs: all of it optional."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

#: What a reproducer has besides dask.
PREAMBLES: Mapping[str, str] = {
    "numpy": "to_device, to_host, namespace = np.asarray, np.asarray, np",
    "strict": "from arrayshim.strict import namespace, to_device, to_host  # a CPU stand-in for cupy.ndarray",
    "cupy": "import cupy\nto_device, to_host, namespace = cupy.asarray, cupy.asnumpy, cupy",
    "masked": "to_device, to_host, namespace = np.ma.asarray, np.ma.filled, np.ma\n"
    "hide = lambda chunk, places: np.ma.masked_where(places, chunk, copy=False)",
    "sparse": "import sparse\nto_device, to_host, namespace = sparse.COO.from_numpy, sparse.asnumpy, sparse",
    "scipy-sparse": "import scipy.sparse\nto_device, to_host, namespace = "
    "scipy.sparse.csr_matrix, lambda x: x.toarray(), scipy.sparse",
}

_STRICT_ROWS = """\
from arrayshim.strict import StrictArray
from dask.array import dispatch
from dask.array.backends import _nannumel, _numel_arraylike, percentile
from dask.array.chunk_types import register_chunk_type  # da's own is not there in expression mode
register_chunk_type(StrictArray)
dispatch.concatenate_lookup.register(StrictArray, namespace.concatenate)
dispatch.take_lookup.register(StrictArray, namespace.take)
dispatch.tensordot_lookup.register(StrictArray, namespace.tensordot)
dispatch.percentile_lookup.register(StrictArray, percentile)
dispatch.numel_lookup.register(StrictArray, _numel_arraylike)
dispatch.nannumel_lookup.register(StrictArray, _nannumel)
dispatch.empty_lookup.register(StrictArray, namespace.empty)
dispatch.to_numpy_dispatch.register(StrictArray, lambda data, **kwargs: to_host(data))
dispatch.einsum_lookup.register(
    StrictArray, lambda *args, casting=None, order=None, **kwargs: namespace.einsum(*args, **kwargs)
)
"""


def _register_strict() -> None:
    """Tell dask of StrictArray in its own tables, exactly what it knows of cupy.ndarray (`register_cupy`)."""
    import dask.array as da

    from arrayshim.strict import namespace, to_host

    exec(_STRICT_ROWS, {"da": da, "namespace": namespace, "to_host": to_host})  # as it stands in the reproducers


def _strict() -> dict[str, Any]:
    from arrayshim import strict

    return {
        "variants": ("transposed", "strided"),
        "count_transfers": strict.conversions,
        "register": _register_strict,
        "stock_preamble": _STRICT_ROWS,
    }


def _numpy() -> dict[str, Any]:
    return {"variants": ("transposed", "strided", "read-only")}


def _cupy() -> dict[str, Any]:
    import cupy

    runtime = cupy.cuda.runtime
    return {
        "variants": ("transposed", "strided"),
        "synchronize": runtime.deviceSynchronize,
        "count_transfers": _cupy_copies,
        "target": lambda: {
            "kind": "gpu",
            "device_model": runtime.getDeviceProperties(runtime.getDevice())["name"].decode(),
            "runtime_version": str(runtime.runtimeGetVersion()),
            "driver_version": str(runtime.driverGetVersion()),
        },
    }


class _Count:
    count = 0


@contextmanager
def _cupy_copies() -> Iterator[_Count]:
    """Counts `cupy.ndarray.get`, which `cupy.asnumpy`, `item`, `tolist` and `float` go through too."""
    import cupy

    counter, cls = _Count(), cupy.ndarray
    present, get = vars(cls).get("get"), cls.get

    def counted(self: Any, *args: Any, **kwargs: Any) -> Any:
        counter.count += self.size > 0
        return get(self, *args, **kwargs)

    cls.get = counted
    try:
        yield counter
    finally:
        if present is None:
            del cls.get
        else:
            cls.get = present


def _mask(chunk: Any, places: Any) -> Any:
    return np.ma.masked_where(places, chunk, copy=False)


def _masked() -> dict[str, Any]:
    # at home a masked array is still one: what is masked is part of the value
    return {"variants": ("transposed", "strided"), "hide": _mask, "to_host": np.ma.asarray}


_TRAITS: Mapping[str, Callable[[], dict[str, Any]]] = {
    "numpy": _numpy,
    "masked": _masked,
    "strict": _strict,
    "cupy": _cupy,
}


class Described:
    """A backend, and what the suite knows of it besides.

    Parameters
    ----------
    backend : object
    traits : mapping
        Attributes that `backend` lacks.
    """

    def __init__(self, backend: Any, traits: Mapping[str, Any]) -> None:
        self.backend, self.traits = backend, traits

    def __getattr__(self, name: str) -> Any:
        if name not in ("backend", "traits") and name in self.traits:
            return self.traits[name]
        return getattr(self.backend, name)


def describe(backend: Any) -> Described:
    """A backend of the suite with its traits."""
    traits = _TRAITS.get(backend.name, dict)()
    return Described(backend, {"preamble": PREAMBLES[backend.name], **traits})
