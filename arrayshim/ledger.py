"""What was changed in dask, change by change, so that it can be given back newest first and by value.

A change is undone only while the live object is still the one written here: what somebody else has put there since stays,
and is named in the answer of `Ledger.undo`.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "<absent>"})()


@dataclass(frozen=True, slots=True)
class Change:
    """One change: how to read the live value, how to write one, and the two values."""

    what: str
    read: Callable[[], Any]
    write: Callable[[Any], None]
    old: Any
    new: Any
    #: dask itself consumes or refills the place (a hook that fired, a memo), which does not make it somebody else's.
    volatile: bool = False

    @property
    def ours(self) -> bool:
        """Whether the live object is the one that was written."""
        live = self.read()
        return live is self.new or (self.volatile and (live is ABSENT or is_ours(live)))


def is_ours(value: Any) -> bool:
    """Whether an object was defined by arrayshim."""
    return str(getattr(value, "__module__", "")).partition(".")[0] == "arrayshim"


class Ledger:
    """Changes in the order they were made."""

    def __init__(self) -> None:
        self.changes: list[Change] = []

    def __len__(self) -> int:
        return len(self.changes)

    def _record(self, change: Change) -> None:
        if change.old is not change.new:
            change.write(change.new)
            self.changes.append(change)

    def set_item(self, mapping: MutableMapping[Any, Any], key: Any, value: Any, *, volatile: bool = False) -> None:
        """`mapping[key] = value`; `volatile` where dask itself may consume the entry."""

        def write(item: Any) -> None:
            if item is ABSENT:
                mapping.pop(key, None)
            else:
                mapping[key] = item

        def read() -> Any:
            return mapping.get(key, ABSENT)

        self._record(Change(f"entry {key!r}", read, write, read(), value, volatile))

    def drop_item(self, mapping: MutableMapping[Any, Any], key: Any) -> None:
        """`del mapping[key]`; undone unless somebody else has filled it since."""
        self.set_item(mapping, key, ABSENT, volatile=True)

    def set_attr(self, owner: Any, name: str, value: Any) -> None:
        """`owner.name = value`, in the owner's own namespace (inherited attributes are not looked at)."""

        def read() -> Any:
            return vars(owner).get(name, ABSENT)

        def write(item: Any) -> None:
            if item is ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, item)

        label = getattr(owner, "__qualname__", None) or getattr(owner, "__name__", repr(owner))
        self._record(Change(f"{label}.{name}", read, write, read(), value))

    def set_default(self, function: Any, index: int, value: Any) -> None:
        """Replace one positional default of `function`, leaving its neighbours to whoever set them."""

        def read() -> Any:
            defaults = function.__defaults__ or ()
            return defaults[index] if index < len(defaults) else ABSENT

        def write(item: Any) -> None:
            function.__defaults__ = tuple(
                item if i == index else kept for i, kept in enumerate(function.__defaults__ or ())
            )

        self._record(Change(f"default {index} of {function.__qualname__}", read, write, read(), value))

    def append(self, items: list[Any], item: Any) -> None:
        """Append `item` unless an equal one is there."""
        if item in items:
            return

        def read() -> Any:
            return item if item in items else ABSENT

        def write(value: Any) -> None:
            if value is ABSENT:
                items.remove(item)
            else:
                items.append(item)

        self._record(Change(f"element {item!r}", read, write, ABSENT, item))

    def foreign(self) -> list[str]:
        """Names of the changes whose live object is no longer ours."""
        return [change.what for change in self.changes if not change.ours]

    def undo(self) -> list[str]:
        """Give back what is still ours, newest first; return the names of what was left to others."""
        left = []
        while self.changes:
            change = self.changes.pop()
            if change.ours:
                change.write(change.old)
            else:
                left.append(change.what)
        return left
