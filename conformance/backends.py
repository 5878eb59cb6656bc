"""The array libraries that the suite runs on, each described when it is first asked for.

`get("strict")` gives the object that `arrayshim.register_backend` takes; a library is imported when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from arrayshim import Backend

#: What to install for a module that is missing, where that is called otherwise.
PACKAGES = {"cupy": "'arrayshim[cu13]', or [cu12] for CUDA 12"}


def _numpy() -> Backend:
    return Backend(
        name="numpy",
        namespace=np,
        to_device=np.asarray,
        to_host=np.asarray,
        chunk_types=(np.ndarray,),
        random_state=np.random.RandomState,
        bit_generator=np.random.PCG64,
    )


def _strict() -> Backend:
    from arrayshim import strict

    return Backend(
        name="strict",
        namespace=strict.namespace,
        to_device=strict.to_device,
        to_host=strict.to_host,
        chunk_types=(strict.StrictArray,),
        random_state=strict.RandomState,
        bit_generator=strict.XORWOW,
    )


def _cupy() -> Backend:
    import cupy

    from arrayshim.kernels.cuda.states import Philox4x32, RandomState

    return Backend(
        name="cupy",
        namespace=cupy,
        to_device=cupy.asarray,
        to_host=cupy.asnumpy,
        chunk_types=(cupy.ndarray,),
        random_state=RandomState,
        bit_generator=Philox4x32,
    )


def _masked() -> Backend:
    return Backend(
        name="masked",
        namespace=np.ma,
        to_device=np.ma.asarray,
        to_host=_filled_with_nan,
        chunk_types=(np.ma.MaskedArray,),
    )


def _filled_with_nan(x: Any) -> Any:
    """Host form in which a masked element shows: NaN, or the fill value where the dtype has no NaN."""
    return x.filled(np.nan) if x.dtype.kind in "fc" else x.filled()


def _sparse() -> Backend:
    import sparse

    return Backend(
        name="sparse",
        namespace=sparse,
        to_device=sparse.COO.from_numpy,
        to_host=sparse.asnumpy,
        chunk_types=(sparse.SparseArray,),
    )


def _scipy_sparse() -> Backend:
    import scipy.sparse

    return Backend(
        name="scipy-sparse",
        namespace=scipy.sparse,
        to_device=scipy.sparse.csr_matrix,
        to_host=_toarray,
        chunk_types=(scipy.sparse.spmatrix, scipy.sparse.sparray),
    )


def _toarray(x: Any) -> Any:
    return x.toarray()


_FACTORIES: dict[str, Callable[[], Backend]] = {
    "numpy": _numpy,
    "strict": _strict,
    "cupy": _cupy,
    "masked": _masked,
    "sparse": _sparse,
    "scipy-sparse": _scipy_sparse,
}

NAMES = tuple(_FACTORIES)


@cache
def get(name: str) -> Backend:
    """The backend called `name`, the same object at every call.

    Parameters
    ----------
    name : str
        One of `NAMES`.

    Returns
    -------
    Backend

    Raises
    ------
    ValueError
        If `name` is none of these.
    ImportError
        If its library is not installed.
    """
    if name not in _FACTORIES:
        raise ValueError(f"no backend of the suite is called {name!r}; there are {', '.join(NAMES)}")
    return _FACTORIES[name]()
