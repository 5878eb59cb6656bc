"""dask's expression mode (`array.query-planning`): what it does not implement, told apart from what is wrong there.

The oracle of that mode is NumPy-backed dask in the same mode. Where that gives no result the case is skipped: either
the mode has not the operation at all, or it fails whatever the chunks are. Neither says anything of a chunk type.
"""

from __future__ import annotations

import re
from importlib import metadata

#: Classes of skipped cases, as they are counted.
LACKING = "not implemented in dask's expression mode"
FAILING = "failed in dask's expression mode, on NumPy chunks as well"

_MODE = "dask in expression mode"
#: How dask says that it has something in its other mode only.
_SAID = re.compile(r"NotImplementedError: |AttributeError: (?:'Array' object|type object 'Array'|module 'dask\.) ?")


def in_expressions() -> bool:
    """Whether dask is in that mode, which older ones do not have."""
    import dask.array as da

    asked = getattr(da, "array_expr_enabled", None)
    return asked is not None and asked()


def name() -> str:
    """How dask is called in messages, in the mode that it is in."""
    return _MODE if in_expressions() else "dask"


def without(operation: str) -> str:
    """The message of a case whose operation this dask has not."""
    mode = name().removeprefix("dask")
    return f"dask {metadata.version('dask')}{mode} has no {operation}"


def reason(message: str) -> str:
    """What the skipped cases of one reason have in common: their message, or one of the two classes above."""
    if message.startswith("dask ") and " in expression mode has no " in message:
        return LACKING
    head, found, error = message.partition(f"NumPy-backed {_MODE}=")
    if found and not head:
        return LACKING if _SAID.match(error) else FAILING
    return message
