"""The settings of arrayshim, documented in one place.

============================ ============================ ==============================================================
dask config key              environment variable         meaning
============================ ============================ ==============================================================
`arrayshim.disable`          `ARRAYSHIM_DISABLE`          ids of fixes that `import arrayshim` and a plain `enable()`
                                                          leave out: `all`, one id, or several (a list; in the variable
                                                          with commas). Both sources are added up. Default: none.
                                                          What leans on one of them is left out too, and
                                                          `arrayshim status` says so of it.
`arrayshim.mixed`            `ARRAYSHIM_MIXED`            what two full operands of different residence do: `device`
                                                          (the host operand moves, chunk by chunk; the default) or
                                                          `raise` (an error while the graph is built).
`arrayshim.implicit_to_host` `ARRAYSHIM_IMPLICIT_TO_HOST` whether `np.asarray(x)` and `np.array(x)` of a dask array
                                                          with chunks on a device copy them to the host, as
                                                          `arrayshim.to_numpy(x)` does. Default: false, an error that
                                                          names the remedy.
============================ ============================ ==============================================================

`disable` is read when `enable()` runs, which `import arrayshim` does once. What is named explicitly, as in
`enable(only=["numel"])`, is applied whatever it says. An unknown id is a warning here, not an error: a setting
outlives the fix that it names. The others are read whenever a graph is built; dask's configuration, which
`dask.config.set` changes for a block, comes before the variable.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

ALL = "all"


def _words(value: Any) -> Iterable[str]:
    if value is None:
        return ()
    if isinstance(value, str):
        return (word.strip() for word in value.split(",") if word.strip())
    if isinstance(value, Iterable):
        return (str(word) for word in value)
    return (str(value),)


def disabled() -> frozenset[str]:
    """Ids that the environment and dask's configuration ask to leave out; `{"all"}` among them means every fix.

    Returns
    -------
    frozenset of str
        As written by the user, not checked against the fixes that exist.
    """
    import dask

    return frozenset(
        [*_words(os.environ.get("ARRAYSHIM_DISABLE")), *_words(dask.config.get("arrayshim.disable", None))]
    )


MIXED = ("device", "raise")


def mixed() -> str:
    """What two full operands of different residence do.

    Returns
    -------
    {"device", "raise"}

    Raises
    ------
    ValueError
        If the setting is neither.
    """
    import dask

    value = dask.config.get("arrayshim.mixed", None)
    if value is None:
        value = os.environ.get("ARRAYSHIM_MIXED") or MIXED[0]
    if value not in MIXED:
        raise ValueError(f"arrayshim.mixed is {value!r}; it must be one of {', '.join(MIXED)}")
    return str(value)


_FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


def implicit_to_host() -> bool:
    """Whether what asks a dask array for NumPy's form, unasked by the user, may copy from a device.

    Returns
    -------
    bool

    Raises
    ------
    ValueError
        If the setting is neither true nor false.
    """
    import dask

    value = dask.config.get("arrayshim.implicit_to_host", None)
    if value is None:
        value = os.environ.get("ARRAYSHIM_IMPLICIT_TO_HOST") or False
    found = _FLAGS.get(str(value).lower())
    if found is None:
        raise ValueError(f"arrayshim.implicit_to_host is {value!r}; it must be true or false")
    return found
