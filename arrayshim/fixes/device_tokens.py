"""The name of a device array is made from its pickle, so the whole array is copied to the host to be hashed there.

>>> da.from_array(cupy_array)    # 3.2 GB: 6.1 s on an H200, of which the graph takes 1 ms

dask pickles what it does not know, and to pickle a CuPy array is to copy it. Here the table of kernels is asked for a
name first; CuPy's row hashes on the device.
"""

from __future__ import annotations

from typing import Any

from arrayshim import kernels
from arrayshim.fix import Fix, original
from arrayshim.kernels.generic import has_nep18

FIX = Fix(
    __name__,
    title="names of CuPy arrays are made on the device",
    affects=">=2025.1",
    forwarded="not-needed",
    reason="the hash is CUDA code; dask's own hook for such a type is __dask_tokenize__, which is for the library",
)

PICKLED = "dask.tokenize._normalize_pickle"


@FIX.probe
def faulty() -> str | None:
    from dask.base import normalize_token

    class Sample:
        """An array type that can name its arrays where they lie."""

        def __array_function__(self, *args: Any) -> Any:
            return NotImplemented

        def __reduce_ex__(self, protocol: Any) -> Any:
            copied.append(protocol)
            return str, ("copied",)

    copied: list[Any] = []
    kernels.token.add(Sample, lambda x: "named in place")
    try:
        normalize_token(Sample())
    finally:
        kernels.token.remove(Sample)
        normalize_token._lookup.pop(Sample, None)
    return "an array that has a name without a copy is pickled to get one" if copied else None


@FIX.replaces(PICKLED)
def _normalize_pickle(o: Any) -> Any:
    name = kernels.token.dispatch(type(o))(o) if has_nep18(o) and not isinstance(o, type) else None
    return original(PICKLED)(o) if name is None else name
