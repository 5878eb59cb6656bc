"""Patterns for names of cases."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


def operation(case: str) -> str:
    """What a case is about, without its arguments and inputs: ``reductions/mean[axis=0]@f4`` is ``reductions/mean``.

    A name that is nothing but arguments, as ``indexing/[::2]``, stays whole.
    """
    found = re.split(r"[\[@]", case, maxsplit=1)[0]
    return case.partition("@")[0] if found.endswith("/") else found


def globs(wanted: Iterable[str], names: Iterable[str]) -> Iterator[str]:
    """Patterns that match exactly the cases `wanted` among all `names`.

    A whole family, a whole operation, or one call with all its inputs is one or two patterns; the rest is spelled out.
    """
    left = dict.fromkeys(wanted)
    everything = list(names)
    levels = (
        lambda name: name.partition("/")[0] + "/",
        lambda name: operation(name) + "[",
        lambda name: operation(name) + "@",
        lambda name: name.rpartition("@")[0] + "@" if "@" in name else "",
    )
    for level in levels:
        for prefix in dict.fromkeys(map(level, list(left))):
            under = [name for name in everything if prefix and name.startswith(prefix)]
            if len(under) > 1 and all(name in left for name in under):
                yield f"{prefix}*"
                for name in under:
                    del left[name]
    yield from left
