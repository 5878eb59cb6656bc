"""`np.asarray(x)` of a device-backed dask array computes all of it, gathers it on one device, and then fails.

    >>> np.asarray(da.from_array(cupy.ones(10**9), chunks=10**7, name=False))
    TypeError: Implicit conversion to a NumPy array is not allowed. ...

Whether it fails is known before anything is computed, and what to do instead can be said: `arrayshim.to_numpy(x)`. With
the setting `arrayshim.implicit_to_host` it does that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from arrayshim import config
from arrayshim._hosting import on_host
from arrayshim._moves import false_meta
from arrayshim.errors import ResidenceError
from arrayshim.fix import Fix, original
from arrayshim.residency import devices_seen, home, is_device

FIX = Fix(
    __name__,
    title="np.asarray of a device-backed dask array says at once what to do, or copies chunk by chunk",
    affects=">=2025.1",
    array_expr=False,
    forwarded="not-needed",
    reason="the remedy and the setting that allows the copy are arrayshim's own",
)

ARRAY = "dask.array.core.Array.__array__"


@FIX.probe
def faulty() -> str | None:
    from arrayshim.probes import dask_array

    x = dask_array([1.0, 2.0])
    computed = []

    def compute() -> Any:
        computed.append(x)
        return x._meta

    # Asked for, but not run: the scheduler may be anywhere.
    x.compute = compute
    try:
        np.asarray(x)
    except TypeError:
        return "np.asarray computes a device-backed array before it fails" if computed else None
    return None


@FIX.replaces(ARRAY)
def __array__(self: Any, dtype: Any = None, copy: Any = None, **kwargs: Any) -> Any:
    x = self
    if is_device(self) and _refuses(self._meta):
        if not config.implicit_to_host():
            raise ResidenceError(
                f"np.asarray of a dask array with {home(self).__name__} chunks: nothing leaves a device unasked; use "
                'arrayshim.to_numpy(x) or x.to_backend("numpy"), or set arrayshim.implicit_to_host to true'
            )
        x = on_host(self, "__array__")
    elif devices_seen():
        value = self.compute()
        if is_device(value):
            raise false_meta(value, self._meta, "np.asarray of a dask array")
        x = _Computed(value)
    return original(ARRAY)(x, dtype=dtype, copy=copy, **kwargs)


@dataclass(frozen=True, slots=True)
class _Computed:
    """What has been computed already."""

    value: Any

    def compute(self) -> Any:
        return self.value


def _refuses(meta: Any) -> bool:
    try:
        np.asarray(meta)
    except Exception:
        return True
    return False
