"""What was changed in dask, change by change, so that it can be given back newest first and by value.

A change is undone only while the live object is still the one written here: what somebody else has put there since
stays, and is named in the answer of `Ledger.undo`. Every change is noted before it is made and forgotten after it is
undone, so that a Ctrl-C between the two loses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, MutableMapping
from dataclasses import dataclass
from typing import Any

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "<absent>"})()


@dataclass(frozen=True, slots=True)
class Change:
    """One change: how to read the live value, how to write one, and the two values.

    `volatile`: dask itself consumes or refills the place (a hook that fired, a memo), which does not make it somebody
    else's.
    """

    what: str
    read: Callable[[], Any]
    write: Callable[[Any], None]
    old: Any
    new: Any
    volatile: bool = False

    @property
    def foreign(self) -> bool:
        """Whether the live object is no longer the one that was written."""
        return not self.volatile and self.read() is not self.new

    def undo(self) -> bool:
        """Write the old value back; False where somebody else's stands there and is left."""
        live = self.read()
        if live is self.new or (self.volatile and (live is ABSENT or is_ours(live))):
            self.write(self.old)
            return True
        return self.volatile or live is self.old


def is_ours(value: Any) -> bool:
    """Whether an object was defined by arrayshim."""
    return str(getattr(value, "__module__", "")).partition(".")[0] == "arrayshim"


class Ledger:
    """Changes in the order they were made."""

    def __init__(self) -> None:
        self.changes: list[Change] = []

    def __len__(self) -> int:
        return len(self.changes)

    def _make(self, change: Change) -> None:
        if change.old is not change.new:
            self.changes.append(change)
            change.write(change.new)

    def set_item(self, mapping: MutableMapping[Any, Any], key: Any, value: Any, *, volatile: bool = False) -> None:
        """`mapping[key] = value`; `volatile` where dask itself may consume the entry."""
        self._make(_item(mapping, key, mapping.get(key, ABSENT), value, volatile=volatile))

    def drop_item(self, mapping: MutableMapping[Any, Any], key: Any) -> None:
        """`del mapping[key]`; given back unless dask or somebody else has filled it since."""
        self._make(_item(mapping, key, mapping.get(key, ABSENT), ABSENT, volatile=True))

    def note_item(self, mapping: MutableMapping[Any, Any], key: Any, old: Any) -> None:
        """Note a change that dask has made already: `mapping[key]` was `old` before it."""
        self.changes.append(_item(mapping, key, old, mapping.get(key, ABSENT), volatile=False))

    def set_attr(self, owner: Any, name: str, value: Any) -> None:
        """`owner.name = value`, in the owner's own namespace (inherited attributes are not looked at)."""

        def read() -> Any:
            return vars(owner).get(name, ABSENT)

        def write(item: Any) -> None:
            if item is not ABSENT:
                setattr(owner, name, item)
            elif name in vars(owner):
                delattr(owner, name)

        label = getattr(owner, "__qualname__", None) or getattr(owner, "__name__", repr(owner))
        self._make(Change(f"{label}.{name}", read, write, read(), value))

    def set_default(self, function: Any, index: int, value: Any) -> None:
        """Replace one positional default of `function`, leaving its neighbours to whoever set them."""

        def read() -> Any:
            defaults = function.__defaults__ or ()
            return defaults[index] if index < len(defaults) else ABSENT

        def write(item: Any) -> None:
            defaults = list(function.__defaults__ or ())
            defaults[index] = item
            function.__defaults__ = tuple(defaults)

        self._make(Change(f"default {index} of {function.__qualname__}", read, write, read(), value))

    def append(self, items: list[Any], item: Any) -> None:
        """Append `item` unless the very same object is there."""

        def read() -> Any:
            return item if any(held is item for held in items) else ABSENT

        def write(value: Any) -> None:
            if value is not ABSENT:
                items.append(value)
            else:
                items[:] = [held for held in items if held is not item]

        self._make(Change(f"element {item!r}", read, write, read(), item))

    def foreign(self) -> list[str]:
        """Names of the changes whose live object is no longer ours."""
        return [change.what for change in self.changes if change.foreign]

    def undo(self) -> list[str]:
        """Give back what is still ours, newest first; return the names of what was left to others."""
        left = []
        while self.changes:
            change = self.changes[-1]
            if not change.undo():
                left.append(change.what)
            self.changes.pop()
        return left


def _item(mapping: MutableMapping[Any, Any], key: Any, old: Any, new: Any, *, volatile: bool) -> Change:
    def read() -> Any:
        return mapping.get(key, ABSENT)

    def write(item: Any) -> None:
        if item is ABSENT:
            mapping.pop(key, None)
        else:
            mapping[key] = item

    return Change(f"entry {key!r}", read, write, old, new, volatile)
