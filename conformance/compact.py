"""Scripts of one run have most of their paragraphs in common: its file holds each of those once."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import Any

#: Where a script is cut: after its title, after empty lines, and before what shows the result.
_BREAK = re.compile(r"(?<=\n\n)|(?<=\n)(?=import numpy|for part in )")
#: A paragraph that stands in so many scripts, and is so long, is worth a place of its own.
_TIMES, _LENGTH = 3, 40


def pack(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run whose scripts are lists: texts, and numbers of the texts under ``paragraphs``.

    Parameters
    ----------
    run : mapping
        As `document.document` gives it.

    Returns
    -------
    dict
        `run` itself where nothing occurs often enough; `unpack` makes it what it was.
    """
    split = [[part for part in _BREAK.split(case.get("reproducer", "")) if part] for case in run["cases"]]
    often = Counter(part for parts in split for part in parts if len(part) >= _LENGTH)
    shared = {part: number for number, part in enumerate(p for p, times in often.items() if times >= _TIMES)}
    if not shared:
        return dict(run)
    cases = []
    for case, parts in zip(run["cases"], split, strict=True):
        packed: list[int | str] = []
        for part in parts:
            if part in shared:
                packed.append(shared[part])
            elif packed and isinstance(packed[-1], str):
                packed[-1] += part
            else:
                packed.append(part)
        cases.append({**case, "reproducer": packed} if len(parts) > 1 else case)
    head = {key: value for key, value in run.items() if key != "cases"}
    return {**head, "paragraphs": list(shared), "cases": cases}


def unpack(run: Mapping[str, Any]) -> dict[str, Any]:
    """A run with scripts that are texts.

    Raises
    ------
    ValueError
        A number that no paragraph has; the message names the case.
    """
    texts = run.get("paragraphs", [])
    cases = []
    for case in run["cases"]:
        packed = case.get("reproducer", "")
        if isinstance(packed, list):
            strange = [part for part in packed if isinstance(part, int) and not 0 <= part < len(texts)]
            if strange:
                there = f"expected 0 to {len(texts) - 1}"
                raise ValueError(f"the script of {case['case']} has paragraph {strange[0]}, {there}")
            case = {**case, "reproducer": "".join(part if isinstance(part, str) else texts[part] for part in packed)}
        cases.append(case)
    return {**{key: value for key, value in run.items() if key != "paragraphs"}, "cases": cases}
