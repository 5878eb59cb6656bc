"""`argtopk` carries NumPy positions along with chunks that are on a device, and picks from both with one device index.

    >>> da.argtopk(da.from_array(cupy.arange(5), chunks=3), 2).compute()
    TypeError: Unsupported type <class 'numpy.ndarray'>

The positions of a block are put beside it when the two first meet; all that follows is then of one kind.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arrayshim import residency
from arrayshim.fix import Fix, original

FIX = Fix(
    __name__,
    title="argtopk carries its positions beside the data",
    affects=">=2025.1",
)

PREPROCESS = "dask.array.chunk.argtopk_preprocess"


@FIX.probe
def faulty() -> str | None:
    from dask.array.chunk import argtopk_preprocess

    from arrayshim import strict

    found = type(argtopk_preprocess(strict.asarray(np.array([5.0])), np.array([0]))[1])
    return None if found is strict.StrictArray else f"the positions in a StrictArray are of type {found.__name__}"


@FIX.replaces(PREPROCESS)
def argtopk_preprocess(a: Any, idx: Any) -> Any:
    return original(PREPROCESS)(a, residency.moved(idx, a, "argtopk") if residency.is_device(a) else idx)
