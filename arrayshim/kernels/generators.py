"""Which generators draw the chunks of a library by default, where there are better ones than the library's own.

The tables `random_state` and `bit_generator` are asked with any array of the library.
"""

from __future__ import annotations

from typing import Any


def librarys_own(x: Any) -> None:
    """No type but those of a library with generators in this package: what the library has is used."""
    return
