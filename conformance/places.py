"""Where a name of dask.array is defined, as an address in dask's repository."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

_REPOSITORY = "https://github.com/dask/dask/blob"


@cache
def place(names: tuple[str, ...]) -> tuple[str, str]:
    """Name and address of the first of some names that dask defines itself, in the release that is installed.

    Parameters
    ----------
    names : tuple of str
        As in a case: ``mean``, ``Array.mean``, ``linalg.qr``; ``np.mean`` is dask's `mean`, or comes through
        `Array.__array_function__`.

    Returns
    -------
    name, address : str
        Only the address of the whole package where dask defines none of them; both empty where dask is no release.
    """
    import dask
    import dask.array as da

    import arrayshim

    root = Path(dask.__file__).parents[1]
    if "+" in dask.__version__:
        return "", ""
    with arrayshim.scope(only=()):  # the place of dask's own function, not that of a repair
        for name in _spelled(names):
            found = _find(da, name)
            for candidate in (inspect.unwrap(found), found, type(found)) if callable(found) else ():
                with suppress(TypeError, OSError):
                    file, line = inspect.getsourcefile(candidate), inspect.getsourcelines(candidate)[1]
                    if file is not None and Path(file).is_relative_to(root / "dask"):
                        inside = Path(file).relative_to(root).as_posix()
                        return name, f"{_REPOSITORY}/{dask.__version__}/{inside}#L{line}"
    return "", f"{_REPOSITORY}/{dask.__version__}/dask/array"


def _spelled(names: Iterable[str]) -> Iterator[str]:
    for name in names:
        yield name.removeprefix("np.")
        if name.startswith("np."):
            yield "Array.__array_function__"


def _find(root: Any, name: str) -> Any:
    found = root
    for part in name.split("."):
        found = inspect.getattr_static(found, part, None) if inspect.isclass(found) else getattr(found, part, None)
    return found.fget if isinstance(found, property) else found
